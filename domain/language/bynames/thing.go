package bynames

import (
	"regexp"
	"slices"
	"strings"
)

// Thing is what may be named by words: a plan, an entry of a list, a memory.
type Thing interface {
	Name() string
	Around() string             // other words by which it is known: what it is about, where it is and with whom
	Rings() (alarm, timer bool) // it is called so
}

// generic are words that name plans of a kind, and no particular one.
var generic = setOf(
	"reminder", "reminders", "appointment", "appointments", "event", "events", "calendar", "entry",
	"entries", "schedule", "tasks", "todo", "todos", "one", "ones", "thing", "things",
	"upcoming", "all", "every", "everything", "both", "any", "those", "these", "them", "from",
	"weekly", "daily", "monthly", "yearly", "annual", "recurring", "regular", "visit", "deadline", "due", "date", "time",
	"scheduled", "planned", "set", "off", "have", "ve", "m",
)

func setOf(words ...string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		out[w] = true
	}
	return out
}

// Particular are the words that name no kind of plans, of those that tell one thing from another.
func Particular(said []string) []string {
	return slices.DeleteFunc(slices.Clone(said), func(w string) bool { return generic[w] })
}

// meetings are words for any appointment with somebody, whatever it is called.
var meetings = setOf("meeting", "treffen", "verabredung", "termin", "date", "quedada", "cita", "encuentro", "rendez", "vous", "rdv")

// besideMeeting are words without those for any appointment, as a meeting with Anna may be called coffee with Anna.
// Where there are none of them, or nothing else, they find nothing.
func besideMeeting(said []string) []string {
	out := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return meetings[w] || generic[w] })
	if len(out) == 0 || len(out) == len(said) {
		return []string{"\x00"}
	}
	return out
}

// Like are the things that are named so but for the word for an appointment.
func Like[T Thing](said []string, all []T) []T { return ByWords(besideMeeting(said), all) }

// meansAll are words that mean all that fit.
var meansAll = setOf("all", "every", "everything", "both", "reminders", "appointments", "events", "entries", "tasks", "todos",
	"alarms", "timers", "meetings")

// MeansAll reports whether all that fit are named; both where they are said to be two.
func MeansAll(which string) (all, both bool) {
	words := TellingWords(which)
	return slices.ContainsFunc(words, func(w string) bool { return meansAll[w] }), slices.Contains(words, "both")
}

// MeansDay reports whether all of a period is named.
func MeansDay(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "everything" || w == "day" || w == "days" })
}

// ByWords are the things that have all these words: those that say nothing else before those
// that say more. Words that name no particular plan don't count.
func ByWords[T Thing](said []string, all []T) []T {
	said = Particular(said)
	var exact, wholly, some []T
	for _, p := range all {
		words := TellingWords(p.Name())
		if all := TellingWords(p.Name() + " " + p.Around()); !HasAll(all, said) && !HasAll(all, verbsOf(said)) {
			continue
		}
		some = append(some, p)
		if len(said) > 0 && len(words) == len(said) && HasAll(words, said) {
			exact = append(exact, p)
		}
		if !slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) }) {
			wholly = append(wholly, p)
		}
	}
	switch {
	case len(exact) > 0:
		return append(exact, withSomebody(exact, wholly)...)
	case len(wholly) > 0 && len(said) > 0:
		return wholly // the bin is not the binoculars
	}
	return some
}

// occasions are words that many plans have: the birthday of one is nothing near that of another.
var occasions = setOf("birthday", "party", "meeting", "meetings", "lunch", "dinner", "call", "class", "visit", "alarm", "alarms")

// Near are the things that have some of the words, of the first things of which any has one that tells it from another.
func Near[T Thing](said []string, all ...[]T) []T {
	for _, among := range all {
		telling := slices.DeleteFunc(Particular(said), func(w string) bool {
			return len(ByWords([]string{w}, among)) == 0 || len(said) > 1 && occasions[w]
		})
		if len(telling) > 0 {
			return ByWords(telling, among)
		}
	}
	return nil
}

// withPeople leads to who takes part.
var withPeople = regexp.MustCompile(`(?i)^ (?:with|mit|avec|con) `)

// withSomebody are those of some things that are called as one of others and say with whom beside it:
// who has one at the dentist, and one there with Lucy, may mean either.
func withSomebody[T Thing](called, some []T) []T {
	return slices.DeleteFunc(slices.Clone(some), func(p T) bool {
		return !slices.ContainsFunc(called, func(o T) bool {
			name, short := p.Name(), len(o.Name())
			return len(name) > short && strings.EqualFold(name[:short], o.Name()) && withPeople.MatchString(name[short:])
		})
	})
}

// Partly are the things that have all these words in their names, whatever else those say.
func Partly[T Thing](said []string, all []T) []T {
	return slices.DeleteFunc(slices.Clone(all), func(p T) bool {
		words := TellingWords(p.Name())
		return slices.ContainsFunc(said, func(w string) bool { return !slices.Contains(words, w) })
	})
}

// Hinted are the things that have the most of some words, one at least.
func Hinted[T Thing](about string, all []T) []T {
	telling := func(text string) []string {
		return slices.DeleteFunc(Particular(TellingWords(text)), func(w string) bool { return len(w) < 3 })
	}
	var out []T
	best := 0
	for _, p := range all {
		words, around := telling(p.Name()), telling(p.Around())
		n := 0
		for _, w := range telling(about) {
			switch one := []string{w}; {
			case HasAll(words, one):
				n += 2
			case HasAll(around, one):
				n++
			}
		}
		if n > best {
			best, out = n, nil
		}
		if n == best && n > 0 {
			out = append(out, p)
		}
	}
	return out
}

// irregular are past forms of verbs that don't begin as the verb does.
var irregular = map[string]string{
	"paid": "pay", "bought": "buy", "sent": "send", "took": "take", "made": "make", "wrote": "write", "fed": "feed", "met": "meet",
	"got": "get", "swept": "sweep", "rang": "ring", "gave": "give", "seeing": "see", "woken": "wake", "woke": "wake",
}

// verbsOf are words with their verbs as one says what is to be done: calling and called are call.
func verbsOf(said []string) []string {
	out := slices.Clone(said)
	for i, w := range out {
		if verb := irregular[w]; verb != "" {
			out[i] = verb
		} else if verb, ok := strings.CutSuffix(w, "ing"); ok && len(verb) > 2 {
			out[i] = verb
		} else if verb, ok := strings.CutSuffix(w, "ed"); ok && len(verb) > 2 {
			out[i] = verb
		}
	}
	return out
}

// inflections are what a word may end with and still be the same.
var inflections = []string{"", "s", "es", "d", "ed", "ing"}

// BeginsOnly reports whether a word that was said is only the beginning of one by which a thing is known, or the
// other way round: tea, of the team meeting.
func BeginsOnly(which, known string) bool {
	own := TellingWords(known)
	same := func(short, long string) bool {
		rest, begins := strings.CutPrefix(long, short)
		return begins && slices.Contains(inflections, rest)
	}
	return slices.ContainsFunc(verbsOf(OneOf(which)), func(said string) bool {
		partly := false
		for _, w := range own {
			if same(w, said) || same(said, w) {
				return false
			}
			partly = partly || HasAll([]string{w}, []string{said})
		}
		return partly
	})
}

// SaysAny reports whether a name has one of the words that were said, if any were.
func SaysAny(which, name string) bool {
	said, own := OneOf(which), TellingWords(name)
	return len(said) == 0 || slices.ContainsFunc(said, func(w string) bool { return HasAll(own, []string{w}) })
}

// OneOf are the words of a naming that tell which one is meant.
func OneOf(which string) []string {
	return slices.DeleteFunc(Particular(TellingWords(which)), func(w string) bool {
		return slices.Contains([]string{"next", "first", "last", "item", "items"}, w)
	})
}

// Several are the names of several things, with commas or "and" between them.
func Several(which string) []string {
	names := strings.Split(strings.ReplaceAll(strings.ReplaceAll(which, ", and ", " and "), ",", " and "), " and ")
	for i, name := range names {
		names[i] = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "both "))
	}
	return names
}

// procured finds words by which something was got.
var procured = regexp.MustCompile(`(?i)^(?:bought|purchased|gotten|got|picked up|grabbed|collected|packed) `)

// Procured is what words say to have been got, which may have stood on a list; false when they say nothing of the sort.
func Procured(said string) (what string, ok bool) {
	verb := procured.FindString(said)
	return said[len(verb):], verb != ""
}
