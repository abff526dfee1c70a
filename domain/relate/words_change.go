package relate

// saysChange knows the words for what goes otherwise than planned.
func saysChange(w string) bool {
	switch w {
	case "arrest", "bankrupt", "bankruptcy", "burn", "burned", "burnt", "collapse", "contaminate", "destroy", "die", "died", "disease", "evict",
		"explode", "explosion", "fire", "infect", "infection", "quarantine", "rob", "robbed", "vandalise", "wreck", "wrecked",
		"accident", "affect", "alarm", "alert", "ban", "begin", "blew", "block", "break", "breakdown", "broke", "broken", "burst",
		"cancel", "canceled", "cancellation", "cancelled", "cannot", "change", "close", "closure", "collision", "congestion",
		"couldnt", "covid", "cracked", "crash", "customs", "damage", "dead", "deadline", "defect", "delay", "detour", "diversion",
		"divert", "doesnt", "dont", "cant", "arent", "isnt", "earlier", "early", "emergency", "evacuate", "evacuation", "expire", "fail",
		"failure", "fault", "fever", "flood", "flu", "forward", "frost", "gale", "held", "hold", "hospital", "ice", "ill", "illness",
		"injure", "injured", "instead", "jam", "late", "later", "leak", "lost", "maintenance", "move", "no", "nobody", "none", "not",
		"offline", "outage", "overbooked", "overdue", "overrun", "postpone", "pull", "puncture", "push", "quit", "rebook", "recall",
		"reduce", "refund", "relocate", "repair", "replace", "replacement", "reprint", "reroute", "reschedule", "rescheduled",
		"resign", "restrict", "resume", "shift", "shortage", "shut", "sick", "snow", "start", "stocktaking", "stolen", "stop", "storm",
		"strand", "strike", "stuck", "surcharge", "suspend", "suspension", "swap", "switch", "thunderstorm", "unable",
		"unavailable", "unless", "unplanned", "urgent", "urgently", "waterlogged", "withdraw", "withdrawn", "wont", "wouldnt":
		return true
	}
	return false
}

// pairSaysChange knows the pairs of words that say what neither says alone.
func pairSaysChange(a, b string) bool {
	switch b {
	case "off", "down":
		switch a {
		case "is", "are", "was", "be", "called", "s", "all", "its", "hes", "shes", "thats", "currently", "still":
			return true
		}
	case "gone":
		return a == "is" || a == "are" || a == "all" || a == "s"
	case "out":
		switch a {
		case "run", "ran", "runs", "sold", "me", "are", "is", "taken":
			return true
		}
	case "stock":
		return a == "in" || a == "of"
	case "positive":
		return a == "tested"
	case "away":
		return a == "turned"
	case "order":
		return a == "back" || a == "of"
	case "t":
		return a == "can" || a == "won" || a == "don"
	}
	return false
}

// setsLimit knows the words that bound something, or say how it comes out.
func setsLimit(w string) bool {
	switch w {
	case "after", "already", "before", "by", "climbing", "deadline", "double", "doubled", "doubles", "expected", "fee", "from", "increase",
		"last", "likely", "minus", "only", "raised", "raises", "ready", "rise", "rises", "rising", "till", "unless", "until", "warning", "within":
		return true
	}
	return false
}

// speaksTo knows the words of a message from one person to another.
func speaksTo(w string) bool {
	switch w {
	case "can", "could", "dear", "greetings", "hello", "hey", "hi", "i", "id", "im", "ive", "may", "me", "my", "need", "needs", "ok", "okay",
		"our", "please", "reply", "sorry", "thanks", "us", "wants", "we", "you", "youll", "your", "youre", "yours":
		return true
	}
	return false
}
