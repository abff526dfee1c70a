package guard

// class is what a word can be in a pattern; a word can be several things.
type class uint64

// The classes.
const (
	classOverride class = 1 << iota // ignore
	classEarlier                    // previous, your
	classAll
	classOrders // instructions
	classPrompt
	classNew
	classCall
	classTool
	classWithout
	classAsking // ask, tell
	classHuman  // the user
	classModel  // the assistant
	classMust
	classYou
	classAre
	classNow
	classFrom
	classOn
	classAct
	classAs
	classPretend
	classFree // unrestricted
	classReveal
	classSystem
	classOwn // your, hidden
	classDo
	classAnything
	classLimits
	classMode
	classEnable
	classSend
	classLoot // passwords
	classTalk // the conversation
	classDest // an address
	classDecode
	classDisplay
	classNone
	classSpeaker // who a turn of a dialogue may belong to
)

// classOf is what a word in small letters means, in English and, for the most
// usual order, in a few other languages; 0 for most words. It is a switch and no
// table: every word of everything that interfaces send comes by.
func classOf(word []byte) class {
	switch string(word) {
	case "ignore", "disregard", "override", "bypass", "forget", "neglect",
		"ignoriere", "ignorieren", "vergiss", "ignorez", "oublie", "oubliez", "ignora", "olvida", "dimentica", "negeer", "ignorar":
		return classOverride
	case "previous", "prior", "above", "earlier", "preceding", "past", "existing", "these",
		"vorherigen", "bisherigen", "vorigen", "vorhergehenden", "precedentes", "anteriores", "previas", "precedenti", "vorige", "eerdere":
		return classEarlier
	case "all", "any", "every", "alle", "toutes", "todas", "tutte":
		return classAll
	case "instructions", "instruction", "rules", "guidelines", "directives", "constraints", "programming",
		"anweisungen", "anweisung", "regeln", "consignes", "instrucciones", "instrucoes", "istruzioni", "instructies":
		return classOrders
	case "commands":
		return classOrders | classTool
	case "prompt", "prompts":
		return classOrders | classPrompt
	case "new", "updated", "real", "actual":
		return classNew
	case "call", "invoke", "use", "execute", "trigger", "run":
		return classCall
	case "tool", "tools", "function", "functions", "command", "skill", "skills", "plugin", "capability", "api":
		return classTool
	case "without", "not", "dont", "never", "no":
		return classWithout
	case "asking", "ask", "approval", "confirmation", "confirming", "permission", "consent", "telling", "tell",
		"inform", "informing", "mention", "mentioning", "notify", "notifying", "alert", "alerting":
		return classAsking | tells(word)
	case "user", "human", "owner", "operator":
		return classHuman
	case "assistant", "system", "developer":
		return classSpeaker | speaks(word)
	case "ai", "llm", "chatbot", "bot", "model", "gpt", "chatgpt", "claude", "agent", "agents", "chalie":
		return classModel
	}
	return classFurther(word)
}

// classFurther is classOf for the other half of the words.
func classFurther(word []byte) class {
	switch string(word) {
	case "must", "should", "shall", "need", "have", "immediately", "please":
		return classMust
	case "you", "youre":
		return classYou
	case "your", "deine", "vos", "tus":
		return classEarlier | classOwn
	case "are":
		return classAre
	case "now":
		return classNow
	case "from":
		return classFrom
	case "on":
		return classOn
	case "act", "behave", "respond", "answer":
		return classAct
	case "as", "like":
		return classAs
	case "pretend", "roleplay":
		return classPretend
	case "dan", "jailbroken", "unrestricted", "unfiltered", "uncensored", "root", "admin", "administrator", "god", "jailbreak":
		return classFree
	case "reveal", "show", "print", "repeat", "output", "dump", "recite", "disclose", "give":
		return classReveal
	case "display":
		return classReveal | classDisplay
	case "visibility":
		return classDisplay
	case "none":
		return classNone
	case "initial", "internal", "original":
		return classOwn | classEarlier
	case "hidden":
		return classOwn | classNone
	case "do":
		return classDo
	case "anything":
		return classAnything
	case "restrictions", "restriction", "limitations", "filters", "censorship", "safeguards", "guardrails", "ethics":
		return classLimits
	case "mode":
		return classMode
	case "enable", "enabled", "activate", "activated", "enter":
		return classEnable
	case "send", "post", "upload", "forward", "email", "transmit", "exfiltrate", "submit", "leak":
		return classSend
	case "password", "passwords", "credentials", "credential", "secrets", "secret", "apikey", "keys", "token", "tokens", "cookies":
		return classLoot
	case "conversation", "conversations", "history", "memory", "memories", "contacts":
		return classTalk
	case "http", "https", "www", "ftp", "mailto":
		return classDest
	case "decode", "base64", "rot13", "decipher", "decrypt", "unscramble":
		return classDecode
	}
	return 0
}

// tells is what else a word for asking and telling is.
func tells(word []byte) class {
	if string(word) == "tell" {
		return classReveal
	}
	return 0
}

// speaks is what else the name of a speaker is.
func speaks(word []byte) class {
	switch string(word) {
	case "assistant":
		return classModel
	case "system":
		return classSystem | classOwn | classEarlier
	}
	return classFree
}
