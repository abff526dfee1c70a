package concern

import (
	"slices"
	"strings"

	"chalie/domain/language/tongues"
)

// Choice is what is offered for a plan: to move it, to cancel it or to leave it out once. About are the words
// that name the plan.
type Choice struct{ Action, About string }

// maxAnswer bounds the words of an answer.
const maxAnswer = 12

// Taken are the places of those choices that a text takes, in whichever of the languages: by a yes, or by
// what is to be done, and by words of the plan where there are several. It says nothing else: words that are
// of no choice, such as another time, are no answer. bare says that a yes alone is one. which reports that one
// of those places is taken, and that it isn't said which: change it.
func Taken(text string, choices []Choice, bare bool) (taken []int, which bool) {
	if strings.ContainsAny(text, "?¿") {
		return nil, false
	}
	words, table := wordsOf(text), tabled().answers
	if len(words) == 0 || len(words) > maxAnswer {
		return nil, false
	}
	action, yes, both := "", false, false
	named := map[int]bool{}
	for len(words) > 0 {
		if said, n := answerAt(words); n > 0 {
			yes, both = yes || said.Yes(), both || said.Both() || said.All()
			words = words[n:]
			continue
		}
		w := words[0]
		words = words[1:]
		var about []int
		for i, c := range choices {
			if !isSmall(w) && slices.ContainsFunc(wordsOf(c.About), func(o string) bool { return !isSmall(o) && alike(o, w) }) {
				about = append(about, i)
			}
		}
		switch {
		case table["move"][w]:
			action = "move"
		case table["cancel"][w]:
			action = "cancel"
		case len(about) > 0:
			for _, i := range about {
				named[i] = true
			}
		case !table["beside"][w]:
			return nil, false
		}
	}
	if action == "" && !(yes && bare) && !(len(named) > 0 && bare) {
		return nil, false
	}
	if action != "" && len(named) == 0 && !bare {
		return nil, false // it may be said of anything else
	}
	var out []int
	for i, c := range choices {
		is := action == "" || (c.Action == "move") == (action == "move")
		if is && (len(named) == 0 || named[i]) {
			out = append(out, i)
		}
	}
	which = len(out) > 1 && (!both || len(named) > 0)
	if which && action == "" {
		return nil, false
	}
	return out, which
}

// TakesOther reports whether a text takes the offer to look for another of some things, in whichever of the
// languages: it says so, and nothing else. bare says that it need not name one of them.
func TakesOther(text, things string, bare bool) bool {
	words, is := wordsOf(text), tabled().answers
	if len(words) > maxAnswer {
		return false
	}
	look, other, named := false, false, false
	for len(words) > 0 {
		if said, n := answerAt(words); n > 0 && said.Yes() {
			look, words = true, words[n:]
			continue
		}
		w := words[0]
		words = words[1:]
		switch {
		case is["look"][w]:
			look = true
		case is["other"][w]:
			other = true
		case slices.ContainsFunc(wordsOf(things), func(o string) bool { return alike(o, w) }):
			named = true
		case !is["beside"][w] && !is["aside"][w]:
			return false
		}
	}
	return other && (named || bare) || look && named && bare
}

// answerAt is a yes, or words for both or all, that some words begin with, and how many they are; 0 for
// none. A no is none: what follows it may prefer something.
func answerAt(words []string) (said tongues.Answer, n int) {
	const longest = 4
	for n := min(longest, len(words)); n > 0; n-- {
		if said, ok := tongues.AnswerIn(strings.Join(words[:n], " ")); ok && !said.No() {
			return said, n
		}
	}
	return said, 0
}
