package concern

import (
	"slices"
	"strings"
	"time"

	"chalie/domain"
)

// Plan is one that a message may mean.
type Plan struct {
	Text, Place string
	People      []string
	Kind        domain.ItemKind
	Start, End  domain.Millis
	AllDay      bool
}

// SoonDays bounds how far ahead what only an appointment is said of may lie.
const SoonDays = 7

// fit is how well a plan fits, what says more first.
type fit [2 + partsOfMessage]int

// The places of a fit beside those of the parts of a message, which lie between.
const (
	onDay   = 0
	atSense = 1 + partsOfMessage
)

// Among are the places of those plans that a message may mean, those that fit best and alike, and
// whether that is sure: it is one, and something of the message names it.
func (s Said) Among(plans []Plan, m Message) (which []int, sure bool) {
	var best fit
	var named bool
	var some []int // that have a word of those that are named
	fits := make([]fit, len(plans))
	for i, p := range plans {
		one, is := s.of(p, m)
		fits[i] = one.fit
		switch {
		case !is:
			continue
		case !one.named && !one.any:
			some = append(some, i)
			continue
		}
		switch order := slices.Compare(one.fit[:], best[:]); {
		case order > 0 || len(which) == 0:
			which, best, named = []int{i}, one.fit, one.named
		case order == 0:
			which, named = append(which, i), named || one.named
		}
	}
	if len(which) == 0 {
		return nil, false
	}
	for _, i := range some {
		if slices.Compare(fits[i][:], best[:]) >= 0 {
			which = append(which, i)
		}
	}
	slices.Sort(which)
	return which, len(which) == 1 && named
}

// ofOne is how a plan fits.
type ofOne struct {
	fit
	named bool // something of the message names it
	any   bool // it may be any appointment that the message speaks of, or one of that day with one of its words
}

// of says how a plan fits; false when it can't be meant at all.
func (s Said) of(p Plan, m Message) (out ofOne, is bool) {
	onIt := s.was.from != 0 && p.Start < s.was.to && max(p.End, p.Start+1) > s.was.from
	if s.was.from != 0 && s.Changes() && !onIt {
		return out, false
	}
	if onIt {
		out.fit[onDay]++
	}
	if s.was.clock != "" && !p.AllDay && p.Start.Time().In(m.Zone).Format("15:04") == s.was.clock {
		out.fit[onDay]++
	}
	all := p.words()
	senses := sensesOf(all)
	words := slices.DeleteFunc(all, isSmall)
	some := false
	for part, said := range s.parts {
		if part != byWords && !s.Changes() && s.noun == "" {
			continue // who says it alone tells nothing
		}
		names, has := p.sharesWith(said, words, senses, part, s.noun != "")
		if names || part != byWords && has {
			out.named = true
		}
		if some = some || has; has {
			out.fit[1+part] = 1
		}
	}
	if !out.named && differ(senses, s.senses) {
		return out, false
	}
	if shared(senses, s.senses) {
		out.fit[atSense] = 1
	}
	soon := p.Start.Sub(m.At) <= SoonDays*24*time.Hour || onIt
	out.any = s.Changes() && s.noun != "" && p.Kind == domain.ItemAppointment && !p.AllDay && soon && !s.isntUsedOf(senses)
	out.any = out.any || s.Changes() && onIt && some && !s.isntUsedOf(senses) // one of its words, on its day
	return out, out.named || some || out.any
}

// isntUsedOf reports whether what the message calls it is no word for a plan about these things.
func (s Said) isntUsedOf(senses map[string]bool) bool {
	return slices.ContainsFunc(tabled().nouns[s.noun], func(name string) bool { return senses[name] }) && !shared(senses, s.senses)
}

// words are those of all that is known of a plan.
func (p Plan) words() []string {
	return wordsOf(p.Text + " " + p.Place + " " + strings.Join(p.People, " "))
}

// isSmall reports whether a word tells no plan from another.
func isSmall(w string) bool {
	const least = 3
	_, noun := tabled().nouns[w]
	return noun || len(w) < least || tabled().small[w]
}

// sharesWith reports whether a part of a message has words of a plan, and whether they name it: all of
// its text, or most, or the name of somebody who takes part.
func (p Plan) sharesWith(said, words []string, senses map[string]bool, part int, noun bool) (names, some bool) {
	text := slices.DeleteFunc(wordsOf(p.Text), isSmall)
	n := 0
	for _, w := range text {
		if slices.ContainsFunc(said, func(o string) bool { return alike(o, w) }) {
			n++
		}
	}
	const most = 2
	names = n > 0 && (n == len(text) || n >= most && n*2 >= len(text))
	for _, name := range p.People {
		of := slices.DeleteFunc(wordsOf(name), func(w string) bool { return isSmall(w) || w == "mrs" || w == "prof" })
		names = names || noun && len(of) > 0 && !slices.ContainsFunc(of, func(w string) bool {
			return !slices.ContainsFunc(said, func(o string) bool { return alike(o, w) })
		})
	}
	some = names || slices.ContainsFunc(words, func(w string) bool {
		return slices.ContainsFunc(said, func(o string) bool { return alike(o, w) && !(part != byWords && isWide(o)) })
	})
	for name := range sensesOf(said) {
		some = some || strings.Contains(name, "/") && senses[name]
	}
	return names, some
}

// isWide reports whether a word only says what it is about in general: health.
func isWide(w string) bool {
	senses := sensesOf([]string{w})
	narrow := false
	for name := range senses {
		narrow = narrow || strings.Contains(name, "/")
	}
	return len(senses) > 0 && !narrow
}

// alike reports whether two words are one: of one or of several, or as a German one begins another.
func alike(a, b string) bool {
	const long = 5
	if a == b || a == b+"s" || a+"s" == b {
		return true
	}
	return min(len(a), len(b)) >= long && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
}

// shared reports whether two have a sense in common.
func shared(a, b map[string]bool) bool {
	for name := range a {
		if b[name] {
			return true
		}
	}
	return false
}

// differ reports whether two are about something else: they have senses, and none in common, or in
// the one that they have in common each is about another part.
func differ(a, b map[string]bool) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	if !shared(a, b) {
		return true
	}
	return narrow(a) && narrow(b) && !sharedNarrowly(a, b)
}

func narrow(a map[string]bool) bool {
	for name := range a {
		if strings.Contains(name, "/") {
			return true
		}
	}
	return false
}

func sharedNarrowly(a, b map[string]bool) bool {
	for name := range a {
		if strings.Contains(name, "/") && b[name] {
			return true
		}
	}
	return false
}
