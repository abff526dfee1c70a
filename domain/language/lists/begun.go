package lists

import (
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// begun are the words that begin a list that isn't there yet.
var begun = []string{"create", "make", "make me", "start", "begin", "open", "set up", "start me", "new", "i want", "i would like", "i would like to start", "i want to start", "i need", "we need", "i would like to make", "i want to make", "let's make", "let's start", "build", "build me", "gimme", "i wanna make", "i wanna start", "need", "would like", "have", "get", "can i have", "could i have", "can i get"}

// first are the words between a new list's name and its first entries.
var first = []string{"with", "containing", "including", "first item", "and add", "add", "and put", "put", "items", "starting with", "and include"}

// listBegun hears who wants a list that isn't there yet, with or without its first entries.
func (l Lister) listBegun(s sentences.Said, p Place, before, after sentences.Said) (tools.Intent, bool) {
	if !beginsList(s, p, Bare(before)) {
		return tools.Intent{}, false
	}
	after = Bare(after)
	in := l.OnNamed(p, "create")
	opened := s.Words[p.To-1].Colon || s.Words[p.To-1].Stop // entries may follow at once
	if p.Name == "" && len(after.Words) > 0 {
		name, rest, ok := nameBehind(after, opened)
		switch {
		case ok:
			in.Params["list"], after, opened = name.All(), rest, true
		case s.Words[p.To-1].Colon: // new list: party supplies
			in.Params["list"] = after.All()
			return in, len(after.Words) <= sentences.MaxListNameWords
		default:
			return tools.Intent{}, false
		}
	}
	if c, ok := after.Any("for *what with|containing|including *items", "for *what"); ok && p.Name != "" && !opened {
		what, items := withoutFronts(c.Sentence("what")), c.Sentence("items")
		isNamed := len(what.Words) > 0 && len(what.Words) <= 2 && !what.Is(0, "me", "us", "him", "her", "them", "it") && !l.Timing(what.All()).Said && !l.IsPeriod(what.All())
		if isNamed {
			in.Params["list"] = p.Name + " " + after.UpTo(len(c.Sentence("what").Words)+1).All()
		}
		if isNamed || len(items.Words) > 0 {
			after, opened = items, true
		}
	}
	if in.Params["list"] == nil || len(after.Words) == 0 {
		return in, in.Params["list"] != nil
	}
	item := after
	if n := Starts(after, first); n > 0 && n < len(after.Words) {
		item = after.From(n)
	} else if !opened || !sentences.IsThing(after) {
		return tools.Intent{}, false
	}
	if n := item.Ends([]string{"on it", "in it", "on there", "to it"}); n > 0 && n < len(item.Words) {
		item = item.UpTo(len(item.Words) - n)
	}
	if sentences.IsPointing(item.All()) || sentences.HasAny(item, "it", "them", "that") || l.Timing(item.All()).Rest == "" {
		return tools.Intent{}, false
	}
	in.Params["action"], in.Params["item"], in.Subject = "add", ItemsOf(item), "item"
	return in, true
}

// beginsList reports whether a sentence begins the list at a place: "create a list", "a new list".
func beginsList(s sentences.Said, p Place, before sentences.Said) bool {
	if p.Prep != "" || !p.sure || p.many || isTaskName(p.Name) || Starts(before, begun) != len(before.Words) {
		return false
	}
	isNew := sentences.HasAny(between(s, p.From, p.To), "new", "another")
	if len(before.Words) == 0 || before.Is(0, "have", "get") {
		return isNew
	}
	return isNew || s.Is(p.From, "a", "an") || before.Is(0, "create", "make", "build", "new") || s.Is(p.To, "called", "named", "titled")
}

// nameBehind is the name that follows a new list, and what follows the name: "call it plants,
// first item rose"; where nothing stops behind the list, the next words are its name.
func nameBehind(after sentences.Said, opened bool) (name, rest sentences.Said, ok bool) {
	c, calls := after.Any("and? call|name|title it *name", "with the name *name")
	name = after
	if calls {
		name = c.Sentence("name")
	} else if opened || Starts(after, first) > 0 || after.Is(0, "for", "of", "in", "on", "by", "to", "from", "about") {
		return sentences.Said{}, sentences.Said{}, false
	}
	end := 1
	for end < len(name.Words) && !name.Words[end-1].Stop && !name.Words[end-1].Colon && Starts(name.From(end), first) == 0 {
		end++
	}
	return name.UpTo(end), name.From(end), calls || end <= 3 && sentences.IsThing(name.UpTo(end))
}
