package relate

// isFunction knows the words that hold sentences together, numbers and titles.
func isFunction(w string) bool {
	switch w {
	case "a", "able", "about", "above", "across", "actually", "additional", "after", "again", "against", "ahead", "al", "all",
		"almost", "along", "already", "also", "although", "always", "am", "amid", "among", "amount", "an", "and", "another",
		"any", "anybody", "anyone", "anything", "anyway", "anywhere", "apart", "approx", "approximately", "are", "arent",
		"around", "as", "asap", "aside", "at", "available", "away", "b", "back", "bad", "be", "because", "been", "before",
		"behind", "being", "below", "beside", "besides", "best", "better", "between", "beyond", "big", "billion", "bit",
		"both", "bottom", "busy", "but", "by", "c", "can", "cannot", "cant", "case", "cc", "certain", "could", "couldnt",
		"couple", "current", "currently", "d", "da", "das", "de", "dear", "del", "dem", "den", "der", "des", "despite",
		"detail", "details", "di", "did", "didnt", "die", "different", "directly", "do", "doctor", "does", "doesnt", "doing",
		"done", "dont", "dos", "double", "down", "dozen", "dr", "du", "due", "during", "e", "each", "earlier", "early", "easy",
		"eg", "eight", "eighteen", "eighth", "eighty", "either", "el", "eleven", "else", "empty", "en", "end", "enough",
		"especially", "et", "etc", "even", "ever", "every", "everybody", "everyone", "everything", "everywhere", "exactly",
		"except", "extra", "f", "fact", "false", "fast", "few", "fifteen", "fifth", "fifty", "final", "finally", "first",
		"five", "for", "forty", "forward", "four", "fourteen", "fourth", "free", "from", "front", "full", "fully", "further",
		"fyi", "g", "generally", "good", "great", "h", "had", "hadnt", "half", "hard", "has", "hasnt", "have", "havent",
		"having", "he", "hello", "hence", "her", "here", "hers", "herself", "hes", "het", "hey", "hi", "high", "him",
		"himself", "his", "how", "however", "hundred", "i", "id", "ie", "if", "il", "ill", "im", "important", "in", "inside",
		"instead", "into", "is", "isnt", "it", "item", "its", "itself", "ive", "j", "jr", "just", "k", "kind", "l", "la",
		"lady", "large", "las", "last", "late", "later", "latest", "le", "least", "les", "less", "lets", "level", "like",
		"likely", "limited", "list", "little", "ll", "lo", "long", "lord", "los", "lot", "lots", "low", "m", "madam", "main",
		"mainly", "many", "max", "may", "maybe", "md", "me", "meanwhile", "middle", "might", "million", "min", "mine", "minus",
		"miss", "more", "most", "mostly", "mr", "mrs", "ms", "much", "must", "mustnt", "mx", "my", "myself", "n", "near",
		"nearly", "neednt", "neither", "never", "new", "next", "nice", "nine", "nineteen", "ninety", "ninth", "no", "nobody",
		"none", "nor", "normal", "not", "nothing", "nowhere", "number", "o", "of", "off", "often", "ok", "okay", "old", "on",
		"once", "one", "ones", "only", "onto", "or", "other", "otherwise", "ought", "our", "ours", "ourselves", "out",
		"outside", "over", "own", "p", "pair", "part", "partial", "particularly", "partly", "past", "per", "perhaps", "phd",
		"piece", "please", "plus", "pm", "point", "possible", "possibly", "previous", "probably", "prof", "professor", "q",
		"quarter", "quick", "quite", "r", "rarely", "rate", "rather", "re", "ready", "real", "really", "recent", "recently",
		"regular", "rest", "rev", "right", "roughly", "s", "same", "second", "set", "seven", "seventeen", "seventh", "seventy",
		"several", "shall", "she", "shes", "short", "should", "shouldnt", "side", "similar", "simply", "since", "sir", "six",
		"sixteen", "sixth", "sixty", "slow", "small", "so", "some", "somebody", "someone", "something", "sometimes",
		"somewhere", "soon", "sorry", "sort", "special", "sr", "st", "start", "still", "stuff", "such", "sudden", "sure", "t",
		"ten", "tenth", "ter", "than", "thank", "thanks", "that", "thats", "the", "their", "theirs", "them", "themselves",
		"then", "there", "therefore", "theres", "these", "they", "theyll", "theyre", "theyve", "thing", "things", "third",
		"thirteen", "thirty", "this", "those", "though", "thousand", "three", "through", "throughout", "thus", "till", "to",
		"together", "too", "top", "total", "toward", "towards", "triple", "true", "twelve", "twenty", "twice", "two", "type",
		"u", "unavailable", "und", "under", "unless", "unlike", "until", "up", "upcoming", "upon", "urgent", "us", "usual",
		"usually", "v", "van", "various", "ve", "versus", "very", "via", "von", "vs", "w", "was", "wasnt", "way", "we", "wed",
		"well", "were", "werent", "weve", "what", "whatever", "whats", "when", "where", "whether", "which", "while", "who",
		"whoever", "whole", "whom", "whose", "why", "will", "with", "within", "without", "wont", "worse", "worst", "would",
		"wouldnt", "wrong", "x", "y", "yes", "yet", "you", "youd", "youll", "your", "youre", "yours", "yourself", "youve", "z",
		"zero", "zu":
		return true
	}
	return false
}
