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

// Lists are the places among the names of lists of those that a name may mean: the one of just that name; else one that
// differs by one or many, or by a word of the same meaning; else those whose names have all its words, and of a
// shop those of what to buy. Where these are none or several, one that differs by a slip goes before them.
func Lists(names []string, said string) (out []int) {
	words, slip := Stems(said), -1
	for i, name := range names {
		if strings.EqualFold(name, said) {
			return []int{i}
		}
	}
	var buying []int
	for i, name := range names {
		own := Stems(name)
		if slices.Equal(own, words) {
			return []int{i}
		}
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(own, w) }) {
			out = append(out, i)
		}
		if slices.ContainsFunc(own, func(w string) bool { return slices.Contains(purchases, w) || slices.Contains(shops, w) }) {
			buying = append(buying, i)
		}
		if slip < 0 && isSlip(strings.ToLower(name), strings.ToLower(said)) {
			slip = i
		}
	}
	if len(out) == 0 && IsShop(said) {
		out = buying
	}
	if len(out) != 1 && slip >= 0 {
		return []int{slip}
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
