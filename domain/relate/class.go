package relate

import "strings"

// A class says how much a word can tell before anything is known about the
// texts it stands in.
type class uint8

const (
	rare    class = iota // in no table: a name, or an ordinary word of some weight
	common               // an everyday noun or adjective: little alone, more in company
	generic              // says of what kind something is (clinic, dinner, price): nothing alone
	empty                // says nothing and is part of no name (the, closes, tomorrow)
	code                 // carries digits and names one thing (LH454, line 4)
)

// classOf looks a folded word up, and then what it may be an inflection of.
func classOf(w string) class {
	if c := listed(w); c != rare {
		return c
	}
	if one := singular(w); one != w {
		if c := listed(one); c != rare {
			return c
		}
		if strings.HasSuffix(w, "es") {
			if c := listed(w[:len(w)-2]); c != rare {
				return c
			}
		}
	}
	base := withoutEnding(w)
	if base == w {
		return rare
	}
	if c := listed(base); c != rare {
		return c
	}
	if c := listed(base + "e"); c != rare {
		return c
	}
	if n := len(base); base[n-1] == base[n-2] {
		return listed(base[:n-1])
	}
	if rest, ok := strings.CutSuffix(base, "i"); ok {
		return listed(rest + "y")
	}
	return rare
}

func listed(w string) class {
	switch {
	case len(w) == 1 && w[0] < '0', len(w) > 16:
		return rare
	case isFunction(w), isTime(w), isVerb(w), isNews(w):
		return empty
	case isKind(w), isOccasion(w), isPlace(w):
		return generic
	case isThing(w), isQuality(w), isMatter(w):
		return common
	}
	return rare
}
