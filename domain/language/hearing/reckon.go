package hearing

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"chalie/domain/language"
	"chalie/domain/language/reckon"
)

// mostAsked bounds the words of a question that is worked out.
const mostAsked = 48

// workedOut is the answer to a question that can be worked out: a sum, a measure, a day, the
// time elsewhere. One that only names another place goes with the question before it.
func workedOut(p language.Prompt, text string) (reckon.Answer, bool) {
	if len(strings.Fields(text)) > mostAsked {
		return reckon.Answer{}, false
	}
	zone := cmp.Or(p.Zone, time.UTC)
	for n, turn := range slices.Backward(p.Recent) {
		out, ok := reckon.Follow(turn.Prompt, text, p.AsOf, zone)
		if ok && !slices.ContainsFunc(p.Recent[n+1:], func(since language.Turn) bool {
			_, follows := reckon.Follow(turn.Prompt, since.Prompt, p.AsOf, zone)
			return !follows // something else was said since
		}) {
			return out, true
		}
	}
	out, ok := reckon.Read(text, p.AsOf, zone)
	if plain := PlainText(text); (!ok || out.Open) && plain != text {
		if again, read := reckon.Read(plain, p.AsOf, zone); read && !again.Open {
			return again, true
		}
	}
	return out, ok
}

// isWorkedOut reports whether a text is such a question, whatever else could be made of its
// words. Where something is missing for the answer a tool may have it.
func (l listener) isWorkedOut(text string) bool {
	is, known := l.times.worked[text]
	if !known {
		worked, ok := workedOut(l.p, text)
		is = ok && !worked.Open
		l.times.worked[text] = is
	}
	return is
}
