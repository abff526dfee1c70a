package bynames

import (
	"slices"
	"strings"
)

// ListName is a list's name without what only says that it is one.
func ListName(said string) string {
	name := strings.Join(strings.Fields(said), " ")
	for _, front := range []string{"my ", "the "} {
		if len(name) > len(front) && strings.EqualFold(name[:len(front)], front) {
			name = name[len(front):]
		}
	}
	if end := " list"; len(name) > len(end) && strings.EqualFold(name[len(name)-len(end):], end) {
		name = name[:len(name)-len(end)]
	}
	return name
}

// Lists are those of all lists that a name may mean: the one of just that name; else one that
// differs by one or many, or by a word of the same meaning; else those whose names have all its words, and of a
// shop those of what to buy. Where these are none or several, one that differs by a slip goes before them.
func Lists[L any](all []L, nameOf func(L) string, said string) (out []L) {
	words := Stems(said)
	for _, l := range all {
		if strings.EqualFold(nameOf(l), said) {
			return []L{l}
		}
	}
	var buying, slips []L
	for _, l := range all {
		own := Stems(nameOf(l))
		if slices.Equal(own, words) {
			return []L{l}
		}
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(own, w) }) {
			out = append(out, l)
		}
		if slices.ContainsFunc(own, func(w string) bool { return slices.Contains(purchases, w) || slices.Contains(shops, w) }) {
			buying = append(buying, l)
		}
		if isSlip(strings.ToLower(nameOf(l)), strings.ToLower(said)) {
			slips = append(slips, l)
		}
	}
	if len(out) == 0 && IsShop(said) {
		out = buying
	}
	if len(out) != 1 && len(slips) > 0 {
		return slips[:1]
	}
	return out
}

// Words for where one buys, and what besides stands in the names of lists of what to buy.
var (
	shops     = []string{"store", "supermarket", "shop", "market", "mall"}
	purchases = []string{"shopping", "grocery", "buy"}
)

// IsShop reports whether a name is only where one buys.
func IsShop(name string) bool {
	words := Stems(name)
	return len(words) == 1 && slices.Contains(shops, words[0])
}

// isSlip reports whether a name is another with one letter too many, too few, or exchanged with
// the next one.
func isSlip(name, typed string) bool {
	const short = 5
	if len(typed) < short || len(name) < short || name[0] != typed[0] {
		return false
	}
	if len(typed) > len(name) {
		name, typed = typed, name
	}
	for i := 1; i < len(name); i++ {
		if typed == name[:i]+name[i+1:] || len(typed) == len(name) && i+1 < len(name) && typed == name[:i]+name[i+1:i+2]+name[i:i+1]+name[i+2:] {
			return true
		}
	}
	return false
}
