package hearing

// begun are the words that begin a list that isn't there yet.
var begun = []string{"create", "make", "make me", "start", "begin", "open", "set up", "start me", "new", "i want", "i would like", "i would like to start", "i want to start", "i need", "we need", "i would like to make", "i want to make", "let's make", "let's start", "build", "build me", "gimme", "i wanna make", "i wanna start", "need", "would like", "have", "get", "can i have", "could i have", "can i get"}

// first are the words between a new list's name and its first entries.
var first = []string{"with", "containing", "including", "first item", "and add", "add", "and put", "put", "items", "starting with", "and include"}

// listBegun hears who wants a list that isn't there yet, with or without its first entries.
func (l listener) listBegun(s said, p place, before, after said) (intent, bool) {
	if !s.beginsList(p, before.bare()) {
		return intent{}, false
	}
	after = after.bare()
	in := l.onNamed(p, "create")
	opened := s.words[p.to-1].colon || s.words[p.to-1].stop // entries may follow at once
	if p.name == "" && len(after.words) > 0 {
		name, rest, ok := nameBehind(after, opened)
		switch {
		case ok:
			in.params["list"], after, opened = name.all(), rest, true
		case s.words[p.to-1].colon: // new list: party supplies
			in.params["list"] = after.all()
			return in, len(after.words) <= maxListNameWords
		default:
			return intent{}, false
		}
	}
	if c, ok := after.any("for *what with|containing|including *items", "for *what"); ok && p.name != "" && !opened {
		what, items := c.sentence("what").withoutFronts(), c.sentence("items")
		isNamed := len(what.words) > 0 && len(what.words) <= 2 && !what.is(0, "me", "us", "him", "her", "them", "it") && !l.timing(what.all()).said && !l.isPeriod(what.all())
		if isNamed {
			in.params["list"] = p.name + " " + after.upTo(len(c.sentence("what").words)+1).all()
		}
		if isNamed || len(items.words) > 0 {
			after, opened = items, true
		}
	}
	if in.params["list"] == nil || len(after.words) == 0 {
		return in, in.params["list"] != nil
	}
	item := after
	if n := after.starts(first); n > 0 && n < len(after.words) {
		item = after.from(n)
	} else if !opened || !isThing(after) {
		return intent{}, false
	}
	if n := item.ends([]string{"on it", "in it", "on there", "to it"}); n > 0 && n < len(item.words) {
		item = item.upTo(len(item.words) - n)
	}
	if isPointing(item.all()) || hasAny(item, "it", "them", "that") || l.timing(item.all()).rest == "" {
		return intent{}, false
	}
	in.params["action"], in.params["item"], in.subject = "add", itemsOf(item), "item"
	return in, true
}

// beginsList reports whether a sentence begins the list at a place: "create a list", "a new list".
func (s said) beginsList(p place, before said) bool {
	if p.prep != "" || !p.sure || p.many || isTaskName(p.name) || before.starts(begun) != len(before.words) {
		return false
	}
	isNew := hasAny(s.between(p.from, p.to), "new", "another")
	if len(before.words) == 0 || before.is(0, "have", "get") {
		return isNew
	}
	return isNew || s.is(p.from, "a", "an") || before.is(0, "create", "make", "build", "new") || s.is(p.to, "called", "named", "titled")
}

// nameBehind is the name that follows a new list, and what follows the name: "call it plants,
// first item rose"; where nothing stops behind the list, the next words are its name.
func nameBehind(after said, opened bool) (name, rest said, ok bool) {
	c, calls := after.any("and? call|name|title it *name", "with the name *name")
	name = after
	if calls {
		name = c.sentence("name")
	} else if opened || after.starts(first) > 0 || after.is(0, "for", "of", "in", "on", "by", "to", "from", "about") {
		return said{}, said{}, false
	}
	end := 1
	for end < len(name.words) && !name.words[end-1].stop && !name.words[end-1].colon && name.from(end).starts(first) == 0 {
		end++
	}
	return name.upTo(end), name.from(end), calls || end <= 3 && isThing(name.upTo(end))
}
