package tool

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/tongues"
)

// saying is an answer to a question for approval.
type saying int

const (
	sayNeither saying = iota // "no, the second one" may refuse it, or prefer it
	sayYes
	sayNo
	sayAgain // the same as they said before: "the first one"
)

// answer is a message that says yes or no and perhaps to what, and nothing else.
type answer struct {
	says     saying
	which    int  // the place in the list just shown, from 1, or lastListed; 0: the last question
	several  bool // "both", "all of them"
	two      bool // "both"
	callsOff bool // "cancel": it may mean anything that was spoken of last
}

// lastListed is answer.which of "the last one".
const lastListed = -1

// isPlain reports whether it is a yes or a no and nothing else.
func (a answer) isPlain() bool {
	return (a.says == sayYes || a.says == sayNo) && a.which == 0 && !a.several
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

// readAnswer reads a message that is nothing but an answer; false when it is more or
// something else.
func readAnswer(text string) (answer, bool) {
	said := answerWords(text)
	if len(said) == 0 || len(said) > maxAnswerWords {
		return answer{}, false
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
			out.says = sayAgain
			return out, out.which != 0 || out.several // "that" alone says nothing
		case made(head, allowing()):
			out.says = sayYes
			return out, true
		case made(head, append(noes(), refusing()...)):
			if endsWith(head, refusing()) || said[n] == "to" { // "no to all"
				out.says = sayNo
			}
			return out, true
		}
	}
	return answer{}, false
}

// plainAnswer is an answer that says yes or no, or that it is of all: it isn't one of which it can't
// be told whether it says no, or prefers both: no, both.
func plainAnswer(a tongues.Answer) (answer, bool) {
	out := answer{says: sayAgain, several: a.Both() || a.All(), two: a.Both() && !a.All()}
	switch {
	case a.Prefers():
		return answer{}, false
	case a.No():
		out.says, out.callsOff = sayNo, !out.several && !a.Has(tongues.SaysNo)
	case a.Yes():
		out.says = sayYes
	}
	return out, true
}

// beginsWithAnswer is the yes or no that a message begins with, and whether it goes on with
// something else.
func beginsWithAnswer(text string) (word string, more bool) {
	if _, answers := readAnswer(text); answers {
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
func meantBy(words []string) (out answer, ok bool) {
	if len(words) > 1 && slices.Contains([]string{"to", "for"}, words[0]) {
		words = words[1:]
	}
	switch strings.Join(words, " ") {
	case "it", "this", "that", "this one", "that one":
		return answer{}, true
	case "both", "both of them", "them both":
		return answer{several: true, two: true}, true
	case "all", "them", "these", "those", "everything", "all of them", "them all":
		return answer{several: true}, true
	}
	if len(words) > 1 && slices.Contains([]string{"the", "number"}, words[0]) {
		words = words[1:]
	}
	if len(words) > 1 && words[len(words)-1] == "one" {
		words = words[:len(words)-1]
	}
	if len(words) != 1 {
		return answer{}, false
	}
	which := place(words[0])
	return answer{which: which}, which != 0
}

// place is the place in a list that an ordinal names; 0 for another word.
func place(word string) int {
	ordinals := []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	if i := slices.Index(ordinals, word); i >= 0 {
		return i + 1
	}
	if word == "last" {
		return lastListed
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

// namedByAnswer is the tool that a message may ask for by a word that is also a yes or
// a no, and that word: "yes, the cheaper one" while a tool is called yes. A message with
// all other words of a tool's name means the tool.
func (a *Approvals) namedByAnswer(text string) (offer domain.Offer, word string, found bool) {
	said := answerWords(text)
	if len(said) == 0 || !slices.Contains(slices.Concat(allowing(), noes(), refusing()), said[0]) {
		return domain.Offer{}, "", false
	}
	word = said[0]
	all := commands.PlainWords(strings.Join(said, " "))
	for _, o := range a.cfg.Tools.Offers() {
		own := commands.PlainWords(bynames.SpacedName(o.Tool.Name))
		others := slices.DeleteFunc(slices.Clone(own), func(w string) bool { return w == word })
		if o.IsOwn() || len(others) == len(own) {
			continue
		}
		if len(others) == 0 || slices.ContainsFunc(others, func(w string) bool { return !slices.Contains(all, w) }) {
			return o, word, true
		}
	}
	return domain.Offer{}, "", false
}
