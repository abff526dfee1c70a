package bynames

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chalie/domain/language/tongues"
)

// Saying is what a message says to a question for approval.
type Saying int

// SaysNeither is of "no, the second one", which may refuse it, or prefer it; SaysAgain is of "the first one",
// which says what was said before.
const (
	SaysNeither Saying = iota
	SaysYes
	SaysNo
	SaysAgain
)

// Decision is a message that says yes or no to what waits for approval, and perhaps to which, and nothing else.
type Decision struct {
	Says     Saying
	Which    int  // the place in the list just shown, from 1, or LastListed; 0: the last question
	Several  bool // "both", "all of them"
	Two      bool // "both"
	CallsOff bool // "cancel": it may mean anything that was spoken of last
}

// LastListed is Decision.Which of "the last one".
const LastListed = -1

// IsPlain reports whether it is a yes or a no and nothing else.
func (d Decision) IsPlain() bool {
	return (d.Says == SaysYes || d.Says == SaysNo) && d.Which == 0 && !d.Several
}

// yeses and noes are what a plain yes, and a plain no, is made of, in whichever language. A yes with
// a condition is for a model to understand.
func yeses() []string { return tongues.AnswerWords(tongues.SaysYes) }

func noes() []string { return tongues.AnswerWords(tongues.SaysNo) }

// refusalWords are those noes that say no to what follows them: "no, the second one"
// may as well prefer it.
func refusalWords() []string {
	return []string{"deny", "denied", "refuse", "refused", "reject", "rejected", "decline"}
}

// allowing and refusing are what else may stand before what is meant.
func allowing() []string { return append(yeses(), "do", "allow", "grant", "accept") }

func refusing() []string {
	return append(refusalWords(), "don't do", "do not do", "don't allow", "do not allow", "don't approve", "do not approve")
}

// maxAnswerWords bounds the words of an answer, and of one that a message begins with:
// the message may be a pasted article.
const maxAnswerWords = 8

// DecisionIn reads a message that is nothing but an answer; false when it is more or
// something else.
func DecisionIn(text string) (Decision, bool) {
	said := answerWords(text)
	if len(said) == 0 || len(said) > maxAnswerWords {
		return Decision{}, false
	}
	if plain, ok := tongues.AnswerIn(strings.Join(said, " ")); ok {
		if out, ok := plainAnswer(plain); ok {
			return out, true
		}
	}
	for n := range said {
		out, ok := meantBy(said[n:])
		switch head := said[:n]; {
		case !ok:
		case n == 0:
			out.Says = SaysAgain
			return out, out.Which != 0 || out.Several // "that" alone says nothing
		case made(head, allowing()):
			out.Says = SaysYes
			return out, true
		case made(head, append(noes(), refusing()...)):
			if endsWith(head, refusing()) || said[n] == "to" { // "no to all"
				out.Says = SaysNo
			}
			return out, true
		}
	}
	return Decision{}, false
}

// plainAnswer is an answer that says yes or no, or that it is of all: it isn't one of which it can't
// be told whether it says no, or prefers both: no, both.
func plainAnswer(a tongues.Answer) (Decision, bool) {
	out := Decision{Says: SaysAgain, Several: a.Both() || a.All(), Two: a.Both() && !a.All()}
	switch {
	case a.Prefers():
		return Decision{}, false
	case a.No():
		out.Says, out.CallsOff = SaysNo, !out.Several && !a.Has(tongues.SaysNo)
	case a.Yes():
		out.Says = SaysYes
	}
	return out, true
}

// BeginsWithDecision is the yes or no that a message begins with, and whether it goes on with
// something else.
func BeginsWithDecision(text string) (word string, more bool) {
	if _, answers := DecisionIn(text); answers {
		return "", false
	}
	said := answerWords(text)
	for n := 1; n < len(said) && n <= maxAnswerWords; n++ {
		if head := said[:n]; made(head, yeses()) || made(head, noes()) {
			word = strings.Join(head, " ")
		}
	}
	return word, word != ""
}

// answerWords are the words of a message in small letters, without courtesies and
// punctuation.
func answerWords(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,!;:", r)
	})
	words = slices.DeleteFunc(words, func(w string) bool { return w == "please" || w == "thanks" })
	return strings.Fields(strings.ReplaceAll(strings.Join(words, " "), "\uFE0F", ""))
}

// made reports whether words are made of nothing but answers, such as "sure, go
// ahead": one after the other, and at least one.
func made(words, answers []string) bool {
	upTo := make([]bool, len(words)+1) // whether the first so many words are
	upTo[0] = true
	for n := range words {
		if !upTo[n] {
			continue
		}
		for _, answer := range answers {
			end := n + 1 + strings.Count(answer, " ")
			if end <= len(words) && strings.Join(words[n:end], " ") == answer {
				upTo[end] = true
			}
		}
	}
	return len(words) > 0 && upTo[len(words)]
}

func endsWith(words, answers []string) bool {
	all := " " + strings.Join(words, " ")
	return slices.ContainsFunc(answers, func(a string) bool { return strings.HasSuffix(all, " "+a) })
}

// meantBy reads what an answer is to: "it", "the second one", "number 2", "both".
func meantBy(words []string) (out Decision, ok bool) {
	if len(words) > 1 && slices.Contains([]string{"to", "for"}, words[0]) {
		words = words[1:]
	}
	switch strings.Join(words, " ") {
	case "it", "this", "that", "this one", "that one":
		return Decision{}, true
	case "both", "both of them", "them both":
		return Decision{Several: true, Two: true}, true
	case "all", "them", "these", "those", "everything", "all of them", "them all":
		return Decision{Several: true}, true
	}
	if len(words) > 1 && slices.Contains([]string{"the", "number"}, words[0]) {
		words = words[1:]
	}
	if len(words) > 1 && words[len(words)-1] == "one" {
		words = words[:len(words)-1]
	}
	if len(words) != 1 {
		return Decision{}, false
	}
	which := place(words[0])
	return Decision{Which: which}, which != 0
}

// place is the place in a list that an ordinal names; 0 for another word.
func place(word string) int {
	if i := slices.Index(ordinals, word); i >= 0 {
		return i + 1
	}
	if word == "last" {
		return LastListed
	}
	word = strings.TrimPrefix(word, "#")
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		word = strings.TrimSuffix(word, ending)
	}
	n, err := strconv.ParseUint(word, 10, 8)
	if err != nil {
		return 0
	}
	return int(n)
}

// ToolForAnswer is the place of the tool that a message may ask for by a word that is also a yes or
// a no, and that word: "yes, the cheaper one" while a tool is called yes. A message with
// all other words of a tool's name means the tool.
func ToolForAnswer(text string, tools []string) (at int, word string, found bool) {
	said := answerWords(text)
	if len(said) == 0 || !slices.Contains(slices.Concat(allowing(), noes(), refusing()), said[0]) {
		return 0, "", false
	}
	word = said[0]
	all := tongues.PlainWords(strings.Join(said, " "))
	for i, name := range tools {
		own := tongues.PlainWords(SpacedName(name))
		others := slices.DeleteFunc(slices.Clone(own), func(w string) bool { return w == word })
		if len(others) == len(own) {
			continue
		}
		if len(others) == 0 || slices.ContainsFunc(others, func(w string) bool { return !slices.Contains(all, w) }) {
			return i, word, true
		}
	}
	return 0, "", false
}
