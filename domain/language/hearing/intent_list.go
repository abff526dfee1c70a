package hearing

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain/language/bynames"
)

// list hears who wants something on a list, off it, or to see it.
func (l listener) list(s said) (intent, bool) {
	asked := s.question
	if text := s.all(); strings.Contains(text, " list + ") {
		if plain, ok := read(strings.ReplaceAll(text, " + ", " plus ")); ok {
			s = plain
		}
	}
	s = s.bare()
	if len(s.words) == 0 || s.begins("do", "not") || isOccupied(s) {
		return intent{}, false
	}
	all := s.places()
	if len(all) == 1 {
		p := all[0]
		if in, ok := l.listBegun(s, p, s.between(0, p.from), s.between(p.to, len(s.words))); ok {
			return in, true
		}
	}
	if in, ok := l.listAsked(s); ok {
		return in, true
	}
	if len(all) != 1 {
		return l.noPlace(s, all)
	}
	p := all[0]
	before, after := s.between(0, p.from), s.between(p.to, len(s.words))
	before, after = before.bare(), after.bare()
	if asked && len(before.words) > 0 && before.is(0, "is", "are", "was", "did", "do", "does", "what", "which", "who", "how", "when", "why", "where", "have", "has", "am") {
		return intent{}, false
	}
	if in, ok := l.listEmptied(s, p, before, after); ok {
		return in, true
	}
	c := listChange{s: s, p: p, before: before, after: after}
	if p.many && (p.name == "" || !strings.Contains(p.name, " and ")) && !s.is(p.to-1, "groceries") {
		return intent{}, false
	}
	return l.listChanged(c)
}

// listEmptied hears who wants a list to begin again, or all lists gone.
func (l listener) listEmptied(s said, p place, before, after said) (intent, bool) {
	switch {
	case before.is(0, "start", "begin") && len(before.words) == 1 && after.is(0, "over", "afresh", "anew", "again"), before.is(0, "wipe") && len(before.words) == 1 && len(after.words) == 1 && after.is(0, "clean"), before.is(0, "reset", "restart") && len(before.words) == 1 && len(after.words) == 0:
		return l.onNamed(p, "clear"), p.name != ""
	case p.name != "" && p.prep == "" && p.sure && (!p.many || strings.Contains(p.name, " and ")) && !isTaskName(p.name) && before.starts(taking) == len(before.words) && len(before.words) > 0 && len(after.words) == 0 && s.places()[0].to >= len(s.bare().words):
		action := "drop"
		if before.is(0, "clear", "empty", "wipe", "clean") {
			action = "clear"
		}
		return l.onNamed(p, action), true
	case p.name != "" && p.prep == "" && len(before.words) == 1 && before.is(0, "throw", "toss", "chuck", "put") && len(after.words) == 1 && after.is(0, "away", "out"):
		return l.onNamed(p, "drop"), true
	case p.name == "" && p.prep == "" && before.starts(taking) == len(before.words) && len(before.words) > 0 && s.is(p.from, "every", "all") && (len(after.words) == 0 || after.is(0, "i", "we", "that", "clean", "out")):
		action := "drop"
		if before.is(0, "clear", "empty", "wipe", "clean") {
			action = "clear"
		}
		return l.onNamed(p, action).with("all", true), true
	case p.name != "" && inWords("on from off", p.prep) && len(after.words) == 0:
		_, ok := before.any("i|we have? just|already|finally? got|bought|packed|purchased everything|all", "got|bought|packed everything|all")
		return l.onNamed(p, "clear"), ok
	}
	return intent{}, false
}

// isOccupied reports whether words are about something that happens to be called a list.
func isOccupied(s said) bool {
	for _, w := range s.words {
		if !w.quoted && notLists[w.lower] && w.lower != "calendar" && w.lower != "order" && w.lower != "music" {
			return true
		}
	}
	return false
}

// listChange is what is to happen to the entries of a list, before it is known what that is.
type listChange struct {
	s             said
	p             place
	before, after said
}

// listChanged hears what is to go on a list or off it, on either side of where it is named.
func (l listener) listChanged(c listChange) (intent, bool) {
	before := c.before
	switch {
	case len(before.words) == 0:
		return l.listFirst(c)
	case c.takes():
		return l.takenOff(c, before.from(before.starts(taking)), c.after)
	case inWords(offList, c.p.prep) && c.p.prep != "":
		return l.offList(c)
	case c.p.prep == "":
		return l.itemsThenList(c)
	case len(c.after.words) > 0 && (isPointing(before.all()) || strings.EqualFold(before.all(), "new")):
		return l.putOn(c, c.after, said{text: c.s.text}) // something for the shopping list: chalk
	}
	return l.ontoList(c)
}

// takes reports whether a sentence begins with what takes off. Some of these words take off only
// with "off" or "from" behind them, or with "as bought".
func (c listChange) takes() bool {
	off := inWords(offList, c.p.prep) && c.p.prep != ""
	switch before := c.before; {
	case before.starts(taking) == 0, before.is(0, "mark") && before.ends(leaving) > 0: // Mark is a name, too
		return false
	case off || !before.is(0, "check", "take", "drop", "mark", "cross", "pull", "bump", "kick"):
		return true
	case before.is(0, "drop", "pull", "bump", "kick"):
		return !inWords("on onto to in into", c.p.prep)
	case before.is(0, "cross", "check"):
		return c.p.prep == "on" || before.ends(bought) > 0
	default:
		return before.ends(bought) > 0
	}
}

// offList hears that something is to go off a list without a verb in front: "milk can come off
// the list", "milk off the list"; what is missing from one is to go on it.
func (l listener) offList(c listChange) (intent, bool) {
	before := c.before
	if n := before.ends(leaving); n > 0 && isThing(before.upTo(len(before.words)-n)) {
		return l.takenOff(c, before.upTo(len(before.words)-n), c.after)
	}
	if n := before.ends([]string{"is missing", "are missing"}); n > 0 && c.p.prep == "from" && isThing(before.upTo(len(before.words)-n)) {
		return l.putOn(c, before.upTo(len(before.words)-n), c.after)
	}
	if before.is(0, "get") {
		return l.takenOff(c, before.from(1), c.after)
	}
	if isThing(before) && c.p.name != "" {
		in, ok := l.takenOff(c, before, c.after)
		in.weak = true
		return in, ok
	}
	return intent{}, false
}

// ontoList hears what is to go on a list that is named behind it.
func (l listener) ontoList(c listChange) (intent, bool) {
	before, after := c.before, c.after
	if n := before.ends(bought); n > 0 && isThing(before.upTo(len(before.words)-n)) {
		return l.takenOff(c, before.upTo(len(before.words)-n), after)
	}
	if before.is(0, "could", "can", "may") && before.ends(going) > 0 { // could milk go on the list
		before = before.from(1)
	}
	n := before.starts(adding)
	if before.is(0, "have") && !c.s.question && len(before.words) > 1 && isThing(before.from(1)) {
		n = 1
	}
	if n > 0 {
		item := before.from(n)
		if m := item.ends(going); m > 0 && m < len(item.words) {
			item = item.upTo(len(item.words) - m)
		}
		return l.putOn(c, item, after)
	}
	weak := func(in intent, ok bool) (intent, bool) { in.weak = true; return in, ok }
	n = before.ends(going)
	item := before.upTo(len(before.words) - n)
	switch {
	case isTaskName(c.p.name): // what stands there is to be done
		if before.starts(asksOf) > 0 || isNobody(before) || c.s.question || before.is(0, "what", "everything", "move", "check", "tick", "mark", "done", "anything", "nothing", "something") {
			return intent{}, false
		}
		return weak(l.putOn(c, item, after))
	case n > 0 && isThing(item):
		return weak(l.putOn(c, item, after))
	case isThing(before) && c.p.prep != "in" && (c.p.name != "" || c.p.prep == "on"):
		return weak(l.putOn(c, before, after))
	}
	return intent{}, false
}

// Ways to say behind an entry what is to happen to it.
var (
	bought  = []string{"as bought", "as done", "as got", "as gotten", "as purchased", "as complete", "as completed", "as packed", "as finished", "as checked", "is done", "are done", "is bought", "are bought", "done", "is packed", "are packed"}
	leaving = []string{"can come", "can go", "should come", "should go", "may come", "comes", "come", "can be taken", "should be removed", "can be removed", "needs to come", "need to come", "can be crossed", "can be deleted"}
	going   = []string{"goes", "go", "should go", "should be", "needs to go", "need to go", "must go", "has to go", "have to go", "belongs", "belong", "needs to be", "need to be", "should be added", "should be put", "added", "put", "is", "are", "gets", "can go", "needs adding", "should get added", "must be", "written", "also goes", "to go"}
)

// isThing reports whether words can only be the names of things: they say nothing of anybody,
// and ask nothing.
func isThing(s said) bool {
	if len(s.words) == 0 || len(s.words) > 10 || s.question {
		return false
	}
	for i := range s.words {
		if s.is(i, "i", "we", "he", "she", "they", "you", "it", "is", "are", "was", "were", "do", "does", "did", "not", "will", "would", "can", "could", "should", "have", "has", "had", "if", "when", "what", "which", "who", "why", "how", "where", "that", "this", "there", "nothing", "something", "anything", "everything", "longer", "needed", "never", "unless", "until", "add", "remove", "delete", "put", "took", "added", "said", "says", "me", "am") {
			return false
		}
	}
	return !s.is(0, "show", "read", "tell", "open", "see", "give", "find", "look", "go", "move", "copy", "share", "send", "print", "email", "text", "name", "rename", "work", "start", "begin", "create", "make", "new", "set", "let", "edit", "change", "call", "play", "buy", "view", "display", "list", "count", "sort", "item", "items", "entry", "all", "remember", "remind", "keep", "check", "review", "recite", "pull", "bring", "hear", "get", "anything", "number", "compare", "swap", "replace", "number", "not", "no", "yes", "help", "thing", "things", "first", "second", "last", "next", "blank", "double", "halve", "increase", "reduce", "merge", "combine", "duplicate", "archive", "export", "upload", "download", "mail", "forward", "translate", "pin", "highlight", "undo", "restore", "fix", "adjust", "organize", "organise", "split", "lock", "hide", "push", "turn", "switch", "where", "star", "sync", "prioritize", "take", "log", "how's", "where's", "cancel", "stop", "schedule", "book")
}

// putOn is what is to go on a list.
func (l listener) putOn(c listChange, item, after said) (intent, bool) {
	return l.listWith("add", c, item, after)
}

// takenOff is what is to go off a list; without an entry all of it, or the list itself.
func (l listener) takenOff(c listChange, item, after said) (intent, bool) {
	for n := item.ends(bought); n > 0 && n < len(item.words); n = item.ends(bought) {
		item = item.upTo(len(item.words) - n)
	}
	item = item.bare()
	if len(item.words) == 0 && c.p.prep == "" {
		return intent{}, false // the list itself
	}
	if item.is(0, "everything", "all") && len(item.words) > 0 {
		rest := item.from(1)
		if but := after; but.is(0, "except", "but", "besides") && (len(rest.words) == 0 || rest.is(0, "items", "entries", "the", "things", "my", "of")) {
			rest, after = but, said{text: c.s.text}
		}
		if rest.is(0, "except", "but", "besides") || rest.begins("apart", "from") {
			n := 1
			if rest.is(0, "apart") || rest.is(1, "for") {
				n = 2
			}
			in := l.onNamed(c.p, "clear")
			in.params["except"] = itemsOf(rest.from(min(n, len(rest.words)-1)))
			return in, true
		}
		if rest = rest.withoutFronts(); rest.isEntries() {
			return l.onNamed(c.p, "clear"), len(after.words) == 0
		}
		return l.sorted("remove", c.p, rest), len(after.words) == 0
	}
	if item.is(0, "every", "any") && len(item.words) > 1 && c.p.name != "" {
		if rest := item.from(1); rest.isEntries() && item.is(0, "every") {
			return l.onNamed(c.p, "clear"), len(after.words) == 0
		} else if !rest.isEntries() {
			return l.sorted("remove", c.p, rest), len(after.words) == 0
		}
	}
	return l.listWith("remove", c, item, after)
}

// onNamed is something done to the list that a place names.
func (l listener) onNamed(p place, action string) intent {
	in := intent{tool: skillList, params: map[string]any{"action": action}}
	if p.name != "" {
		in.params["list"] = p.name
	}
	if !p.sure {
		in.params["existing"] = true
	}
	return in
}

// listWith is an entry put on a list or taken off it, or the question which.
func (l listener) listWith(action string, c listChange, item, after said) (intent, bool) {
	more := c.s.is(c.p.to, "and", "also", "plus")
	item, after = item.bare(), after.bare()
	for len(item.words) > 0 && item.is(len(item.words)-1, "down", "up", "off", "out", "on", "back") && len(item.words) > 1 {
		item = item.upTo(len(item.words) - 1)
	}
	for len(item.words) > 1 && (item.is(0, "off", "out", "down", "up", "also", "that") || item.is(0, "on") && action == "add") {
		item = item.from(1)
	}
	if isTaskName(c.p.name) {
		return l.onTodo(action, c, item, after)
	}
	if hasAny(item, "actually", "wait", "mean", "rather", "instead", "maybe", "thought") && len(item.words) > 1 {
		return intent{tool: skillList, ask: fmt.Sprintf("What exactly: %s? Say the entries once more, and the list.", mention(item.all()))}, true
	}
	for i := 1; i < len(item.words); i++ {
		if item.words[i-1].stop && (item.from(i).starts(adding) > 0 || item.from(i).starts(taking) > 0) {
			return intent{}, false // there is more than one thing
		}
	}
	text := ""
	if placed := action == "remove" && isPlaced(item.all()); placed {
		text = item.all()
	} else if len(item.words) > 0 && !isPointing(item.all()) {
		text = itemsOf(item)
	}
	switch rest := withoutNamely(after); {
	case len(rest.words) == 0:
	case text == "":
		text = itemsOf(rest)
		if !isThing(rest) || hasAny(rest, "list") {
			return intent{}, false
		}
	case more && isThing(rest) && !hasAny(rest, "the", "my", "to", "at") && rest.starts(adding) == 0 && rest.starts(taking) == 0:
		text += ", " + itemsOf(rest)
	case rest.is(0, "for", "from", "by") && !hasAny(rest, "remind", "add", "put", "and"):
		text += " " + rest.all() // it belongs to the last entry
	case rest.is(0, "because", "since") && len(rest.words) <= 8:
	case isReason(rest) && c.s.words[c.p.to-1].stop:
	default:
		return intent{}, false
	}
	in := l.onNamed(c.p, action)
	if text == "" {
		in.missing, in.subject = "item", "item"
		in.ask = "What should go on the list?"
		if action == "remove" {
			in.ask = "What should go off the list? Say the entry by its words."
		} else if c.p.name != "" {
			in.ask = fmt.Sprintf("What should go on the list %s?", mention(c.p.name))
		}
		return in, true
	}
	in.params["item"], in.subject = text, "item"
	return in, true
}

// isReason reports whether words behind a request only say why: "I got them", "we're out".
func isReason(s said) bool {
	if hasAny(s, "add", "put", "remind", "remove", "delete", "set", "also", "take", "make", "then", "but", "not") || len(s.words) > 7 {
		return false
	}
	return s.is(0, "i", "we", "because", "since", "they", "it", "already", "got", "just", "bought")
}

// withoutNamely is what follows a list without what only introduces it: "namely", "parsley".
func withoutNamely(s said) said {
	for len(s.words) > 1 && s.is(0, "namely", "that", "with") {
		s = s.from(1)
	}
	return s
}

// listFirst hears what follows a list: "shopping list: milk", "grocery list add rice", "the
// shopping list needs ink".
func (l listener) listFirst(c listChange) (intent, bool) {
	after := c.after
	last := c.s.words[c.p.to-1]
	if len(after.words) == 0 {
		if c.p.prep == "" && c.p.name != "" && !c.p.many && !isTaskName(c.p.name) {
			return l.onNamed(c.p, "show"), true
		}
		return intent{}, false
	}
	none := said{}
	none.text = c.s.text
	if isTaskName(c.p.name) && (last.colon || last.stop || after.starts(taking) == 0) {
		all := l.tasksBegun(c.s) // what follows is to be done
		return append(all, intent{})[0], len(all) == 1
	}
	if !last.colon && !last.stop && c.p.prep == "" && c.p.from == 0 && c.p.name != "" && !c.p.many && isThing(after) && len(after.words) <= 3 && !l.timing(after.all()).said && !after.is(0, "app", "update", "please", "empty", "done", "called", "named", "of", "for", "on", "in", "to", "with", "from") {
		in, ok := l.putOn(c, after, said{text: c.s.text}) // grocery list waffles
		in.weak = true
		return in, ok
	}
	if n := after.starts(needing); n > 0 && n < len(after.words) {
		item := after.from(n)
		if m := item.ends([]string{"on it", "on there", "added", "added to it"}); m > 0 && m < len(item.words) {
			item = item.upTo(len(item.words) - m)
		}
		return l.putOn(c, item, none)
	}
	if n := after.starts(adding); n > 0 && n < len(after.words) && !after.is(0, "get") && !inWords(offList, c.p.prep) {
		return l.putOn(c, after.from(n), none)
	}
	if n := after.starts(taking); n > 0 && n < len(after.words) {
		return l.takenOff(c, after.from(n), none)
	}
	if (last.colon || last.stop) && isThing(after) && (c.p.name != "" || last.colon) && !inWords(offList, c.p.prep) {
		in, ok := l.putOn(c, after, none)
		in.weak = !last.colon
		return in, ok
	}
	return intent{}, false
}

// itemsThenList hears entries with a list behind them: "two dozen eggs, shopping list".
func (l listener) itemsThenList(c listChange) (intent, bool) {
	before := c.before
	if c.p.name == "" || len(c.after.words) > 0 || c.p.many || !c.p.sure || !before.words[len(before.words)-1].stop && !before.words[len(before.words)-1].colon && !c.s.is(c.p.from-1, "so") {
		return intent{}, false
	}
	in, ok := intent{}, false
	if thing := thingIn(before, false); len(thing.words) > 0 && isThing(thing) {
		in, ok = l.putOn(c, thing, said{text: c.s.text})
	}
	in.weak = true
	return in, ok
}

// noPlace hears what is to go on a list or off it where none is named by the word, or by a
// name that lists often have: "add a plug to holiday", "add blueberries".
func (l listener) noPlace(s said, all []place) (intent, bool) {
	if len(all) > 1 && s.starts(taking) > 0 && s.starts(taking) >= all[0].from && all[0].prep == "" && !s.question {
		return intent{tool: skillList, ask: "One list at a time: which one first?"}, true
	}
	if len(all) > 0 || s.question {
		return intent{}, false
	}
	for i := len(s.words) - 2; i > 1; i-- {
		name := s.between(i+1, len(s.words))
		if !(s.is(0, "add") && s.is(i, "to") || s.is(0, "remove", "delete", "erase", "drop", "scratch", "strike", "cross", "take", "get") && s.is(i, "from", "off")) || len(name.words) > 2 {
			continue
		}
		if inWords(fronts, name.words[0].lower) || hasDigit(name) || notLists[name.words[len(name.words)-1].lower] || l.timing(s.all()).said || l.timing(s.all()).wrong || !isThing(name) || nouns[name.words[len(name.words)-1].lower] != noNoun {
			return intent{}, false
		}
		for j := range s.words {
			if nouns[s.words[j].lower] != noNoun {
				return intent{}, false
			}
		}
		c := listChange{s: s, p: place{from: i, to: len(s.words), name: name.all(), prep: s.words[i].lower}}
		act := map[bool]string{true: "add", false: "remove"}[s.is(0, "add")]
		in, ok := l.listWith(act, c, s.between(1, i), said{text: s.text})
		in.weak = true
		return in, ok && in.ask == ""
	}
	if c, ok := s.any("add|put down?|on? *item for|from|at the *where", "jot|write|note down *item for|from|at the *where"); ok && c.sentence("where").isShop() && isThing(c.sentence("item")) && !isPointing(c.get("item")) {
		in := l.onNamed(place{name: c.get("where")}, "add")
		in.params["item"], in.subject, in.weak = itemsOf(c.sentence("item")), "item", true
		return in, true
	}
	item := s.from(1)
	if s.is(0, "add") && len(item.words) > 0 && len(item.words) <= 3 && isThing(item) && !hasDigit(item) && !l.timing(item.all()).said && !isPointing(item.all()) {
		for _, w := range item.words {
			if nouns[w.lower] != noNoun || inWords("to from on in at with up new a more this these zero one two three four five six seven eight nine ten twenty hundred thousand", w.lower) {
				return intent{}, false
			}
		}
		return intent{tool: skillList, weak: true, params: map[string]any{"action": "add", "item": itemsOf(item)}, subject: "item", missing: "list",
			ask: fmt.Sprintf("On which list should I put %s? Say its name, such as: the shopping list.", mention(item.all()))}, true
	}
	return intent{}, false
}

func hasDigit(s said) bool {
	for _, w := range s.words {
		if strings.ContainsAny(w.lower, "0123456789") {
			return true
		}
	}
	return false
}

// itemsOf are entries with commas between them, as lists take them. What is in
// quotation marks is one entry.
func itemsOf(s said) string {
	if text := s.all(); strings.Contains(text, " & ") && !s.words[0].quoted {
		if plain, ok := read(strings.ReplaceAll(text, " & ", ", ")); ok {
			s = plain
		}
	}
	var out []string
	from := 0
	for i := range s.words {
		if s.is(i, "and") && i > from && bynames.IsOneThing(s.part(from, i), s.part(i+1, min(i+3, len(s.words)))) {
			continue
		} else if s.is(i, "and") {
			out, from = append(out, s.part(from, i)), i+1
		} else if s.words[i].stop && !s.words[i].quoted && i < len(s.words)-1 && !strings.HasSuffix(s.words[i].lower, "dr") {
			out, from = append(out, s.part(from, i+1)), i+1
		}
	}
	out = append(out, s.part(from, len(s.words)))
	if head, tail, both := strings.Cut(out[len(out)-1], " and "); len(out) > 1 && both && !bynames.IsOneThing(head, tail) {
		return s.all() // whoever keeps the list would take the last for two
	}
	var items []string
	for _, item := range out {
		s, ok := read(item)
		for ok && len(s.words) > 1 && (s.is(0, "some", "also", "more", "maybe", "both", "oh") || s.is(0, "the") && !isTitle(s)) {
			s = s.from(1)
		}
		for ok && len(s.words) > 1 && s.is(len(s.words)-1, "too", "also") {
			s = s.upTo(len(s.words) - 1)
		}
		if ok && !(len(items) > 0 && len(s.words) == 1 && s.is(0, "both", "all", "oh", "um", "uh")) {
			items = append(items, s.all())
		}
	}
	return strings.Join(items, ", ")
}

// isTitle reports whether "The" belongs to a title.
func isTitle(s said) bool {
	return strings.HasPrefix(s.text[s.words[0].start:], "The ") && len(s.words) > 1 && isCapital(s, 1)
}

func isCapital(s said, i int) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimFunc(s.text[s.words[i].start:], isQuote))
	return unicode.IsUpper(r)
}

func hasAny(s said, words ...string) bool {
	for i := range s.words {
		if s.is(i, words...) {
			return true
		}
	}
	return false
}

// isTaskList reports whether a list's name says that tasks stand on it.
func isTaskList(name said) bool {
	_, ok := name.any("to-do|todo|task|tasks|todos|to-dos", "to do|dos")
	return ok
}
