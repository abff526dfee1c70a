package relate

// saysChange knows the words for what goes otherwise than planned.
func saysChange(w string) bool {
	switch w {
	case "abandon", "abort", "absence", "absent", "accident", "adjourn", "affect", "alarm", "alert", "amend", "arent", "arrest",
		"avalanche", "ban", "bankrupt", "bankruptcy", "begin", "blackout", "blew", "blizzard", "block", "break", "breakdown",
		"broke", "broken", "burn", "burned", "burnt", "burst", "cancel", "canceled", "cancellation", "cancelled", "cancels",
		"cannot", "cant", "capsize", "cease", "change", "close", "closure", "collapse", "collision", "confiscate", "congestion",
		"contaminate", "couldnt", "covid", "cracked", "crash", "curfew", "customs", "damage", "dead", "deadline", "decline",
		"declined", "defect", "delay", "denied", "deny", "derail", "derailed", "destroy", "detour", "die", "died", "discontinue",
		"disease", "disrupt", "disruption", "diversion", "divert", "doesnt", "dont", "earlier", "early", "earthquake", "emergency",
		"evacuate", "evacuated", "evacuation", "evict", "expire", "explode", "explosion", "extend", "extension", "fail", "failure",
		"fault", "faulty", "fever", "fire", "flood", "flu", "fog", "forward", "frost", "gale", "grounded", "hail", "heatwave",
		"held", "hold", "hospital", "hurricane", "ice", "ill", "illness", "impassable", "impound", "inaccessible", "infect",
		"infection", "injure", "injured", "inoperable", "instead", "interrupt", "interruption", "invalid", "isnt", "jam",
		"landslide", "late", "later", "leak", "lockdown", "lost", "maintenance", "misplace", "move", "no", "nobody", "none", "not",
		"offline", "outage", "overbook", "overbooked", "overdue", "overrun", "oversold", "postpone", "postponed", "pull", "puncture",
		"push", "quarantine", "quit", "rebook", "recall", "reduce", "refund", "reject", "relocate", "repair", "replace",
		"replacement", "reprint", "reroute", "reschedule", "rescheduled", "resign", "restrict", "restriction", "resume", "revoke", "roadworks",
		"rob", "robbed", "robbery", "rollback", "sabotage", "scrap", "scrapped", "shift", "shortage", "shut", "sick", "slippery",
		"snow", "spill", "stall", "start", "stocktaking", "stolen", "stop", "storm", "strand", "strike", "stuck", "surcharge",
		"suspend", "suspension", "swap", "switch", "thunderstorm", "tornado", "typhoon", "unable", "unavailable", "unless",
		"unplanned", "unsafe", "unusable", "urgent", "urgently", "vacate", "vandalise", "void", "waterlogged", "wildfire",
		"withdraw", "withdrawn", "wont", "wouldnt", "wounded", "wreck", "wrecked":
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

// setsEnd knows the words of a time that is the last one, or comes before another.
func setsEnd(w string) bool {
	switch w {
	case "already", "by", "deadline", "earlier", "forward", "sooner":
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
