package hearing

import (
	"strings"

	"chalie/domain/language/bynames"
)

// isPlaced reports whether words name entries by their place on a list: the last item.
func isPlaced(item string) bool {
	_, _, ok := bynames.PlaceOnList(item)
	return ok
}

// withoutFronts is what follows "all of the" and the like.
func (s said) withoutFronts() said {
	for len(s.words) > 0 && s.is(0, "of", "the", "my", "our", "that", "these", "those", "remaining", "other", "current") {
		s = s.from(1)
	}
	return s
}

// isEntries reports whether words say nothing of entries but that they are some.
func (s said) isEntries() bool {
	if len(s.words) == 0 {
		return true
	}
	_, ok := s.any("items|item|entries|entry|things|thing|stuff|contents|content|products|product|articles|it|them|everything on|in? it|there?")
	return ok
}

// sorted is what happens to the entries of a sort on a list: all the fruit.
func (l listener) sorted(action string, p place, sort said) intent {
	return l.onNamed(p, action).with("sort", sort.all())
}

// countless are words for entries that say nothing of their sort.
var countless = wordsIn("item items thing things entry entries people person name names gift gifts present presents stuff products product else all exactly groceries")

// someAsked is a question for entries by their place, by their sort, or for how many there are.
func (in intent) someAsked(before, after said, p place) (intent, bool) {
	if len(after.words) > 0 || p.many {
		return intent{}, false
	}
	if c, ok := before.any("what|which|who is|are|was|were *item", "tell|show|give|read me? *item", "what do|did i|we have|put|add|write *item", "what item|thing|entry is *item"); ok && p.prep != "" && isPlaced(c.get("item")) {
		return in.with("item", c.get("item")), true
	}
	if c, ok := before.any("how many *sort is|are|were|do|did|have *rest", "how many *sort is|are|were", "how many *sort"); ok && countless[c.sentence("sort").words[len(c.sentence("sort").words)-1].lower] || ok && c.sentence("sort").is(0, "different", "more", "other") {
		return in.with("count", true), true
	} else if ok && len(c.sentence("sort").words) <= 2 && p.prep != "" {
		return in.with("item", c.get("sort")), true
	}
	if _, ok := before.any("how long|big|full is|are", "what is the number|count of *sort", "number|count of *sort"); ok && !before.is(1, "full") {
		return in.with("count", true), true
	}
	c, ok := before.any("what|which|whose *sort is|are there?", "what|which *sort do|did i|we still? have|need|put|want", "show|tell|give|read me? all? the *sort", "is|are there any|some *sort")
	sort := c.sentence("sort")
	if !ok || p.prep == "" || len(sort.words) > 2 || hasAny(sort, "is", "are", "do", "i", "we", "the", "of", "on", "in", "left", "been") || countless[sort.words[len(sort.words)-1].lower] || p.name != "" && strings.Contains(strings.ToLower(p.name), strings.TrimSuffix(sort.all(), "s")) || before.is(0, "is", "are") {
		return intent{}, false
	}
	return in.with("sort", sort.all()), true
}

// isShop reports whether words name only where one buys.
func (s said) isShop() bool {
	_, ok := s.any("store|stores|supermarket|shop|shops|market|mall")
	return ok
}

// everyList is what is to go on or off all lists without the words that say so: "milk from all".
func everyList(item string) (string, bool) {
	s, ok := read(item)
	if n := len(s.words); ok && n > 2 && s.is(n-1, "all", "every", "each", "both", "any") && s.is(n-2, "from", "off", "on", "to", "onto") {
		return s.upTo(n - 2).all(), s.is(n-1, "all", "every", "each")
	}
	return item, false
}
