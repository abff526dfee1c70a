package sentences

import "strings"

// Request is a sentence without what only makes it polite. polite reports whether
// it was put as a question for that reason.
func (s Said) Request() (out Said, polite bool) {
	for len(s.Words) > 0 {
		switch n := s.Courtesy(); {
		case n > 1:
			s, polite = s.From(n), true
		case n == 1:
			s = s.From(1)
		case len(s.Words) > 3 && s.BeginsAt(len(s.Words)-3, "and", "thank", "you"):
			s = s.UpTo(len(s.Words) - 3)
		case len(s.Words) > 2 && s.BeginsAt(len(s.Words)-2, "and", "thanks"):
			s = s.UpTo(len(s.Words) - 2)
		case len(s.Words) > 3 && s.BeginsAt(len(s.Words)-2, "as", "well"):
			s = s.UpTo(len(s.Words) - 2)
		case s.Is(len(s.Words)-1, "please", "pls", "plz", "thanks", "thx", "chalie"):
			s = s.UpTo(len(s.Words) - 1)
		case len(s.Words) > 3 && s.BeginsAt(len(s.Words)-3, "if", "you", "would"), len(s.Words) > 3 && s.BeginsAt(len(s.Words)-3, "if", "you", "could"), len(s.Words) > 3 && s.BeginsAt(len(s.Words)-3, "if", "you", "can"):
			s = s.UpTo(len(s.Words) - 3)
		case len(s.Words) > 2 && s.Is(len(s.Words)-2, "thank") && s.Is(len(s.Words)-1, "you"):
			s = s.UpTo(len(s.Words) - 2)
		default:
			return s, polite
		}
	}
	return s, polite
}

// orders are verbs that a request begins with.
const orders = "remind|set|add|create|cancel|delete|remove|erase|clear|show|list|wake|schedule|book|what|tell|put|make|turn"

// Courtesy is how many words of a sentence's beginning only are polite.
func (s Said) Courtesy() int {
	if s.Is(0, "please", "chalie", "ok", "okay", "hey", "hi", "hello", "and", "then", "also", "just", "kindly", "let's", "quick", "well", "olly", "alexa", "siri", "google", "cortana", "echo", "assistant", "computer", "pda", "pls", "plz", "pleaze", "pleas", "plese") {
		return 1
	}
	if s.Is(0, "do") && len(s.Words) > 1 && Fits(orders, s.Words[1]) || len(s.Words) > 1 && IsSlipOf("please", s.Words[0].Lower) {
		return 1
	}
	for _, p := range []string{"can you", "could you", "would you mind", "do you mind", "would you", "will you", "i want you to", "i need you to", "i would like you to", "can i have you", "do me a favor and", "do me a favour and", "help me to", "help me", "go ahead and", "i need to be able to", "make sure to", "is it possible to", "would it be possible to", "i was wondering if you could", "i wonder if you could", "be so kind as to", "be so kind and", "can i", "may i", "could i"} {
		if n := s.StandsAt(0, p); n > 0 && n < len(s.Words) {
			return n
		}
	}
	return 0
}

// StandsAt is how many words at a place are a text's, which has single spaces; 0 when they aren't.
func (s Said) StandsAt(i int, text string) int {
	if i < 0 || i >= len(s.Words) || !strings.HasPrefix(text, s.Words[i].Lower) {
		return 0 // as nearly always
	}
	n := 0
	for more := true; more; n++ {
		var word string
		word, text, more = strings.Cut(text, " ")
		if !s.Is(i+n, word) {
			return 0
		}
	}
	return n
}

// BeginsAt reports whether these words stand at a place.
func (s Said) BeginsAt(i int, words ...string) bool {
	for n, w := range words {
		if !s.Is(i+n, w) {
			return false
		}
	}
	return true
}

// Begins reports whether a sentence begins with these words.
func (s Said) Begins(words ...string) bool {
	for i, w := range words {
		if !s.Is(i, w) {
			return false
		}
	}
	return true
}

// Asks reports whether a sentence begins as a question does, or as who wants to be told.
func (s Said) Asks() bool {
	return s.Question || s.Is(0, "show", "tell", "list", "read", "give", "check", "see", "display", "what", "what's", "whats", "when", "when's", "which", "who", "where", "how", "how's", "is", "are", "do", "does", "have", "has", "am", "will")
}

// PartEnd is where a part of a row that begins at a word ends: before a comma or an "and".
func (s Said) PartEnd(from, to int) int {
	for i := from; i+1 < to; i++ {
		if s.Words[i].Stop || s.Is(i+1, "and") && !s.BeginsAt(i+1, "and", "a", "half") && !s.BeginsAt(i+1, "and", "a", "quarter") {
			return i + 1
		}
	}
	return to
}

// Ends is how many words at a sentence's end are one of some endings; 0 for none.
func (s Said) Ends(with []string) int {
	best := 0
	for _, w := range with {
		if n := strings.Count(w, " ") + 1; n > best && n <= len(s.Words) && s.StandsAt(len(s.Words)-n, w) == n {
			best = n
		}
	}
	return best
}

// ItemBefore is what stands between a sentence's first verb and where a list is named.
func ItemBefore(s Said, from int) string {
	s = s.UpTo(from)
	for len(s.Words) > 0 && s.Is(len(s.Words)-1, "on", "to", "onto", "into", "in", "from", "off", "of", "out", "at", "the", "my") {
		s = s.UpTo(len(s.Words) - 1)
	}
	if len(s.Words) == 0 {
		return ""
	}
	s = s.From(1)
	for len(s.Words) > 0 && s.Is(0, "off", "out", "down", "up", "rid", "of", "also", "buying") {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(0, "the", "some", "more", "a", "an") {
		s = s.From(1)
	}
	if len(s.Words) > 2 && s.Is(len(s.Words)-1, "item") { // the item "buying eggs"
		s = s.UpTo(len(s.Words) - 1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, "out", "off") {
		s = s.UpTo(len(s.Words) - 1)
	}
	return s.All()
}

// MaxSplits bounds at how many places a sentence may fall in two.
const MaxSplits = 6

// MaxAnswerWords bounds what can be the answer to a question for one thing.
const MaxAnswerWords = 12
