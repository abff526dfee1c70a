package relate

import "strings"

// A class says how much a word can tell before anything is known about the
// texts it is in.
type class uint8

const (
	rare    class = iota // in no table: a name, or an ordinary word of some weight
	common               // an everyday noun or adjective: little alone, more in company
	generic              // says of what kind something is (clinic, dinner): little
	act                  // says what is done or how the world goes (collect, price): next to nothing
	empty                // says nothing and is part of no name (the, tomorrow)
	code                 // carries digits and names one thing (LH454, line 4)
	part                 // the beginning of a long rare word
	matter               // stands for what belongs together though no word is shared
)

// classOf looks a folded word up, and then what it may be an inflection of.
func classOf(w string) class {
	found := rare
	inflected(w, func(form string) bool {
		found = listed(form)
		return found != rare
	})
	return found
}

// exactClass is the class of a word that is written as a name.
func exactClass(w string) class {
	if c := listed(w); c != rare {
		return c
	}
	if strings.HasSuffix(w, "es") && !strings.HasSuffix(w, "ies") {
		return listed(w[:len(w)-1])
	}
	return listed(singular(w))
}

// inflected tries a word and what it may be an inflection of until one is known.
func inflected(w string, known func(form string) bool) bool {
	if known(w) {
		return true
	}
	if one := singular(w); one != w {
		if known(one) || strings.HasSuffix(w, "es") && known(w[:len(w)-2]) {
			return true
		}
	}
	base := withoutEnding(w)
	if base == w {
		return false
	}
	if known(base) || known(base+"e") {
		return true
	}
	if n := len(base); base[n-1] == base[n-2] {
		return known(base[:n-1])
	}
	rest, ok := strings.CutSuffix(base, "i")
	return ok && known(rest+"y")
}

func listed(w string) class {
	switch {
	case len(w) == 1 && w[0] < '0', len(w) > 16:
		return rare
	case isFunction(w), isTime(w):
		return empty
	case isVerb(w), isNews(w):
		return act
	case isKind(w), isOccasion(w), isPlace(w):
		return generic
	case isThing(w), isQuality(w), isMatter(w):
		return common
	}
	return rare
}
