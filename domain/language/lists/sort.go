package lists

import (
	"strings"

	"chalie/domain/language/bynames"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// isPlaced reports whether words name entries by their place on a list: the last item.
func isPlaced(item string) bool {
	_, _, ok := bynames.PlaceOnList(item)
	return ok
}

// withoutFronts is what follows "all of the" and the like.
func withoutFronts(s sentences.Said) sentences.Said {
	for len(s.Words) > 0 && s.Is(0, "of", "the", "my", "our", "that", "these", "those", "remaining", "other", "current") {
		s = s.From(1)
	}
	return s
}

// isEntries reports whether words say nothing of entries but that they are some.
func isEntries(s sentences.Said) bool {
	if len(s.Words) == 0 {
		return true
	}
	_, ok := s.Any("items|item|entries|entry|things|thing|stuff|contents|content|products|product|articles|it|them|everything on|in? it|there?")
	return ok
}

// sorted is what happens to the entries of a sort on a list: all the fruit.
func (l Lister) sorted(action string, p Place, sort sentences.Said) tools.Intent {
	return l.OnNamed(p, action).With("sort", sort.All())
}

// countless are words for entries that say nothing of their sort.
var countless = sentences.WordsIn("item items thing things entry entries people person name names gift gifts present presents stuff products product else all exactly groceries")

// someAsked is a question for entries by their place, by their sort, or for how many there are.
func someAsked(in tools.Intent, before, after sentences.Said, p Place) (tools.Intent, bool) {
	if len(after.Words) > 0 || p.many {
		return tools.Intent{}, false
	}
	if c, ok := before.Any("what|which|who is|are|was|were *item", "tell|show|give|read me? *item", "what do|did i|we have|put|add|write *item", "what item|thing|entry is *item"); ok && p.Prep != "" && isPlaced(c.Get("item")) {
		return in.With("item", c.Get("item")), true
	}
	if c, ok := before.Any("how many *sort is|are|were|do|did|have *rest", "how many *sort is|are|were", "how many *sort"); ok && countless[c.Sentence("sort").Words[len(c.Sentence("sort").Words)-1].Lower] || ok && c.Sentence("sort").Is(0, "different", "more", "other") {
		return in.With("count", true), true
	} else if ok && len(c.Sentence("sort").Words) <= 2 && p.Prep != "" {
		return in.With("item", c.Get("sort")), true
	}
	if _, ok := before.Any("how long|big|full is|are", "what is the number|count of *sort", "number|count of *sort"); ok && !before.Is(1, "full") {
		return in.With("count", true), true
	}
	c, ok := before.Any("what|which|whose *sort is|are there?", "what|which *sort do|did i|we still? have|need|put|want", "show|tell|give|read me? all? the *sort", "is|are there any|some *sort")
	sort := c.Sentence("sort")
	if !ok || p.Prep == "" || len(sort.Words) > 2 || sentences.HasAny(sort, "is", "are", "do", "i", "we", "the", "of", "on", "in", "left", "been") || countless[sort.Words[len(sort.Words)-1].Lower] || p.Name != "" && strings.Contains(strings.ToLower(p.Name), strings.TrimSuffix(sort.All(), "s")) || before.Is(0, "is", "are") {
		return tools.Intent{}, false
	}
	return in.With("sort", sort.All()), true
}

// isShop reports whether words name only where one buys.
func isShop(s sentences.Said) bool {
	_, ok := s.Any("store|stores|supermarket|shop|shops|market|mall")
	return ok
}

// everyList is what is to go on or off all lists without the words that say so: "milk from all".
func everyList(item string) (string, bool) {
	s, ok := sentences.Read(item)
	if n := len(s.Words); ok && n > 2 && s.Is(n-1, "all", "every", "each", "both", "any") && s.Is(n-2, "from", "off", "on", "to", "onto") {
		return s.UpTo(n - 2).All(), s.Is(n-1, "all", "every", "each")
	}
	return item, false
}
