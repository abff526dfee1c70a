package relate

// isVerb knows what people do and what happens every day.
func isVerb(w string) bool {
	switch w {
	case "accept", "add", "advise", "affect", "agree", "alert", "allow", "announce", "answer", "appear", "apply", "appoint",
		"approve", "arrange", "arrive", "ask", "ate", "attend", "avoid", "bake", "beat", "became", "become", "began", "begin",
		"begun", "believe", "block", "blocked", "board", "boil", "book", "borrow", "bought", "break", "bring", "broke",
		"broken", "brought", "build", "built", "bump", "burn", "buy", "call", "came", "cancel", "canceled", "cancelled",
		"carry", "catch", "caught", "cause", "celebrate", "change", "charge", "check", "choose", "chose", "chosen", "claim",
		"clean", "clear", "climb", "close", "collect", "come", "compare", "complete", "confirm", "consider", "contact",
		"contain", "continue", "cook", "copy", "cost", "count", "create", "cut", "damage", "decide", "decline", "decrease",
		"delay", "delete", "deliver", "demand", "deny", "depart", "describe", "design", "destroy", "develop", "disagree",
		"discuss", "divert", "donate", "download", "drank", "draw", "drew", "drink", "drive", "driven", "drop", "drove",
		"drunk", "dust", "earn", "ease", "eat", "eaten", "elect", "email", "enjoy", "enrol", "enroll", "enter", "evacuate",
		"exceed", "exercise", "exit", "expect", "expire", "explain", "extend", "face", "fail", "failed", "fallen", "feature",
		"fed", "feed", "feel", "fell", "felt", "fetch", "file", "fill", "find", "finish", "fire", "fit", "fix", "flew",
		"flood", "flown", "fly", "fold", "follow", "forbid", "force", "forget", "forgot", "forgotten", "found", "fry", "gain",
		"gave", "get", "give", "given", "go", "goes", "going", "gone", "got", "gotten", "grab", "grew", "grow", "grown",
		"guess", "hand", "handle", "hang", "happen", "hate", "hear", "heard", "held", "help", "hire", "hit", "hold", "hope",
		"host", "hung", "improve", "include", "increase", "inform", "inspect", "install", "introduce", "invite", "iron",
		"issue", "issued", "join", "jump", "keep", "kept", "knew", "know", "known", "land", "launch", "lay", "lead", "learn",
		"leave", "led", "left", "lend", "lent", "let", "lie", "lift", "listen", "live", "load", "lock", "log", "look", "lose",
		"lost", "love", "lower", "made", "mail", "make", "making", "manage", "mark", "match", "mean", "meant", "measure",
		"meet", "mend", "mention", "message", "met", "missed", "monitor", "move", "moved", "mow", "name", "need", "note",
		"notify", "occur", "offer", "open", "operate", "order", "organise", "organize", "owe", "pack", "paid", "paint", "pass",
		"passed", "pause", "pay", "permit", "phone", "pick", "plan", "play", "plug", "post", "postpone", "pour", "prefer",
		"prepare", "present", "prevent", "print", "protect", "provide", "publish", "pull", "purchase", "push", "put", "quit",
		"raise", "rake", "ran", "reach", "read", "rebook", "receive", "recommend", "reduce", "refund", "refuse", "register",
		"reject", "relax", "release", "remain", "remember", "remind", "remove", "renew", "repair", "replace", "reply",
		"report", "request", "require", "reroute", "reschedule", "rescheduled", "reserve", "resign", "respond", "restock",
		"resume", "retire", "return", "reveal", "review", "ridden", "ride", "ring", "rise", "risen", "rode", "rose", "rule",
		"run", "said", "sank", "save", "saw", "say", "saying", "says", "scan", "score", "seal", "search", "see", "seek",
		"seem", "seen", "sell", "send", "sent", "serve", "settle", "setup", "share", "shift", "ship", "show", "shown", "shut",
		"sign", "sink", "sit", "sleep", "slept", "slide", "slip", "sold", "speak", "speed", "spend", "spent", "spoke",
		"spoken", "stand", "state", "stay", "stock", "stood", "stop", "strike", "submit", "subscribe", "succeed", "sue",
		"suggest", "suit", "supply", "suspend", "swap", "sweep", "switch", "sync", "take", "taken", "taking", "talk", "taught",
		"teach", "tell", "test", "text", "think", "thought", "threw", "throw", "told", "took", "touch", "track", "train",
		"travel", "trim", "try", "turn", "understand", "understood", "unload", "unlock", "unpack", "unsubscribe", "unveil",
		"update", "upgrade", "upload", "urge", "use", "verify", "visit", "vote", "wait", "wake", "walk", "want", "warn",
		"wash", "watch", "water", "weigh", "went", "win", "wish", "woke", "won", "work", "write", "written", "wrote":
		return true
	}
	return false
}
