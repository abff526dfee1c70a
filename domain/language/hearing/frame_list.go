package hearing

import (
	"fmt"
	"strings"
)

// onList hears what is to happen to a list, wherever its name stands: "my shopping list", "a
// list of books", "the list called party".
func (l listener) onList(s said) (intent, bool) {
	if in, ok := l.nearList(s); ok {
		return in, true
	}
	if in, ok := l.offSome(s); ok {
		return in, true
	}
	if c, ok := s.any("find|open|see|check|get|take my|the? *in list|lists and *then", "go to my|the|our? *in list|lists and *then", "find|open|get|go to? my|the|our? list|lists and *then"); ok {
		// What follows is what is to happen; "and remove" needs what was looked for.
		then := c.get("then")
		in := c.get("in")
		if f, isAct := l.takeApart(c.sentence("then")); isAct || f.act != unsaid {
			named := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(in, " on the"), " on")) // "find apple on list and remove"
			switch {
			case len(c.sentence("then").words) == 1 && named != "":
				return l.onList(mustRead(then + " " + named + " from the list"))
			default:
				return l.onList(mustRead(then + " from the " + in + " list"))
			}
		}
	}
	at := -1
	if s.begins("do", "not") {
		return intent{}, false
	}
	for i := range s.words {
		if s.is(i, "list", "lists") && (i > 0 || len(s.words) == 1) {
			at = i
			break
		}
	}
	if at < 0 || hasAny(s, "contacts", "contact", "playlist", "playlists", "friends", "watchlist") {
		return intent{}, false
	}
	f, _ := l.takeApart(s)
	from, to, name := f.listNamed(at)
	if isTaskName(name) || s.is(at+1, "to") && s.is(at+2, "do") || s.is(at+1, "of") && s.is(at+2, "things") && s.is(at+3, "to") && s.is(at+4, "do") {
		return l.onTaskList(s, f, from)
	}
	if name == "" && s.is(at+1, "of") && f.act == asking && len(s.words) > at+3 {
		return intent{}, false // a list of what the world has
	}
	in := intent{tool: skillList, params: map[string]any{}}
	if name != "" {
		in.params["list"] = name
	}
	before, behind := s.upTo(from), s.from(to)
	switch {
	case f.act == asking && (hasAny(s, "create", "make", "add", "added") || s.is(0, "open") && hasAny(s, "new")) && !s.is(0, "did", "what", "which"):
		in.ask, in.missing, in.params = "What should the list be called?", "list", map[string]any{"action": "create"}
		return in, true
	case len(behind.words) > 0 && !behind.is(0, "with", "please", "for", "today", "now", "by", "too", "also", "me", "as", "that", "which", "in", "blank", "due", "add", "remove") && (f.act == making && !s.is(0, "on", "to") || f.act == ending):
		return intent{}, false // there is more than one thing
	case f.act == making && len(s.places()) > 1:
		return intent{}, false
	case f.act == making || s.is(0, "new", "update", "edit", "get") && f.act != ending || f.act == unsaid && s.is(len(s.words)-1, "list") && hasAny(s, "added"):
		return l.putOnList(s, in, before, behind)
	case f.act == ending:
		return l.takenOffList(in, before)
	case s.words[at].stop && len(behind.bare().words) > 0, hasAny(behind, "need", "add", "put", "remove", "delete", "take", "clear", "remind") && !behind.is(0, "do", "i", "did"):
		return intent{}, false // there is more than one thing
	case f.act == asking || s.question || len(s.words) <= 3 || s.is(0, "recite", "describe", "evaluate", "hear", "refresh"):
		if s.is(at, "lists") || hasAny(before, "which", "how") && name == "" {
			return intent{tool: skillList, params: map[string]any{"action": "show"}}, true
		}
		in.params["action"] = "show"
		if during := l.during(f); during != "" {
			delete(in.params, "during")
		}
		return in, true
	}
	return intent{}, false
}

// offSome hears that an entry is to go off whichever list has it, without which one.
func (l listener) offSome(s said) (intent, bool) {
	if c, ok := s.any("take|cross|tick|strike|scratch|check|remove *item off", "cross|tick|strike|scratch|check|take off *item"); ok && !s.question {
		if item := c.sentence("item"); !item.is(0, "it", "that", "this", "them") && isPointing(item.all()) {
			return intent{tool: skillList, ask: "Which entry do you mean? Say it by its words, and the list."}, true
		}
	}
	return intent{}, false
}

// nearList hears of lists without the word: "add milk to my groceries", "we need milk".
func (l listener) nearList(s said) (intent, bool) {
	if c, ok := s.any("reopen|open my|the|our? *list and add|put *item", "update my|the|our *list list with *item"); ok && s.is(0, "reopen", "open", "update") {
		list := c.sentence("list")
		if len(list.words) > 3 || isTaskList(list) || !s.is(0, "update") && !list.is(len(list.words)-1, "groceries", "shopping", "grocery", "list") {
			return intent{}, false
		}
		in := l.onNamed(place{name: strings.TrimSuffix(list.all(), " list"), sure: true}, "add")
		in.params["item"], in.subject = itemsOf(c.sentence("item")), "item"
		return in, true
	}
	if c, ok := s.any("i|we need more|some? *item", "i|we are out of *item", "i|we am out of *item", "i|we have? ran|run out of *item"); ok && !s.question {
		item := c.sentence("item")
		if len(item.words) <= 3 && !item.is(0, "time", "to", "a", "an", "you", "help", "this", "that", "it", "your", "the", "my") && !l.timing(item.all()).said && nouns[item.words[len(item.words)-1].lower] == noNoun && !hasAny(item, "list", "lists") {
			return intent{tool: skillList, weak: true, ask: fmt.Sprintf("Should I put %s on a list? Say which, such as: put it on the shopping list.", mention(item.all()))}, true
		}
	}
	return intent{}, false
}

func mustRead(text string) said {
	s, _ := read(text)
	return s
}

// noName are words that don't belong to the name of a list.
var noName = wordsIn(`both every each the my our a an new this that these those on to from off in into onto of for another your me us and with up is are what which any some all previous last whole entire
	blank empty existing active available open specific first second next current following item items entry entries entire kind do did i you have get most viewed please only one two many how s out app there rid`)

// listNamed is a list's name around the word "list" at a place, and where both stand.
func (f frame) listNamed(at int) (from, to int, name string) {
	s := f.s
	from, to = at, at+1
	for from > 0 && !s.words[from-1].stop && !f.isAct(from-1) && (!noName[s.words[from-1].lower] || s.is(from-1, "do") && s.is(from-2, "to") || s.is(from-1, "to") && s.is(from, "do")) {
		from--
	}
	name = s.part(from, at)
	if name == "" && s.is(to, "called", "named", "titled", "of", "for") && to+1 < len(s.words) {
		end := to + 1
		for end < len(s.words) && !s.is(end, "with", "on", "by", "please", "who", "that", "from") && !s.words[end-1].stop {
			end++
		}
		inner := s
		inner.words = s.words[to+1 : end]
		for len(inner.words) > 1 && inner.is(0, "my", "the", "a", "our", "all") {
			inner = inner.from(1)
		}
		if !inner.is(0, "me", "today", "tomorrow", "this", "following", "mine") {
			name, to = inner.all(), end
		}
	}
	for from > 0 && s.is(from-1, "the", "my", "our", "a", "an", "new", "this", "that", "another", "your", "whole", "entire", "blank", "empty", "previous", "last", "existing", "active", "any") && !f.isAct(from-1) {
		from--
	}
	if w, ok := read(name); !ok || len(w.words) > maxListNameWords || hasAny(w, "it", "them") || to < len(s.words) && s.is(to, "who", "that", "on", "from") || strings.ContainsAny(name, "()[]{}") {
		name = ""
	}
	return from, to, name
}

func isTaskName(name string) bool {
	s, ok := read(strings.NewReplacer("things ", "", "i have ", "", "i need ", "").Replace(strings.ToLower(name)))
	return ok && isTaskList(s)
}

// onTaskList hears what is to happen on the list of tasks.
func (l listener) onTaskList(s said, f frame, from int) (intent, bool) {
	item := itemBefore(s, from)
	switch {
	case f.act == asking || s.question || f.act == unsaid && len(s.words) <= 6:
		return intent{tool: skillPlans, params: map[string]any{"kind": "tasks"}}, true
	case f.act == unsaid:
		return intent{}, false
	case f.act == making && (item == "" || isPointing(item)):
		return intent{tool: skillTask, ask: "What should I put on your list of tasks?"}, true
	case f.act == making:
		return l.todo(item), true
	case item == "" || f.all:
		return intent{tool: skillTask, params: map[string]any{"action": "drop", "all": true}}, true
	case isPointing(item):
		return asksWhich(skillTask, "task")
	}
	return taskEnded(item, "drop"), true
}

// itemBefore is what stands between a sentence's first verb and where a list is named.
func itemBefore(s said, from int) string {
	s = s.upTo(from)
	for len(s.words) > 0 && s.is(len(s.words)-1, "on", "to", "onto", "into", "in", "from", "off", "of", "out", "at", "the", "my") {
		s = s.upTo(len(s.words) - 1)
	}
	if len(s.words) == 0 {
		return ""
	}
	s = s.from(1)
	for len(s.words) > 0 && s.is(0, "off", "out", "down", "up", "rid", "of", "also", "buying") {
		s = s.from(1)
	}
	for len(s.words) > 1 && s.is(0, "the", "some", "more", "a", "an") {
		s = s.from(1)
	}
	if len(s.words) > 2 && s.is(len(s.words)-1, "item") { // the item "buying eggs"
		s = s.upTo(len(s.words) - 1)
	}
	for len(s.words) > 1 && s.is(len(s.words)-1, "out", "off") {
		s = s.upTo(len(s.words) - 1)
	}
	return s.all()
}

// isPointing reports whether words only point at an entry.
func isPointing(item string) bool {
	s, ok := read(item)
	if !ok {
		return item != ""
	}
	_, points := s.any("this|that|the|an|a|one|new? new? item|entry|thing|one|items|entries|row", "this|that|it|them|him|her|something|some|more|another|any|following|item|items|entry|these|one", "the? last|first|second|third|next|2nd|1st|3rd item|entry|one|row?", "the? following items|things|entries?", "one|another more|other? item|thing|entry", "one|two|three|four|some|few|several|these|those new|more|other? items|things|entries", "this|that one also|too?", "some items|things", "item *x", "item", "events|event")
	return points
}

// putOnList is what is to go on a list, or the list itself where nothing is to.
func (l listener) putOnList(s said, in intent, before, behind said) (intent, bool) {
	item, every := everyList(itemBefore(s, len(before.words)))
	if every {
		in.params["all"] = true
	}
	name, _ := in.params["list"].(string)
	created := s.is(0, "create", "make", "start", "begin", "open", "new", "produce", "i", "set")
	if behind.is(0, "with", ":") && len(behind.words) > 1 {
		item, created = behind.part(1, len(behind.words)), false
	} else if item == "" && len(before.words) > 0 && s.is(0, "on", "to") {
		item = behind.all()
	}
	ask := "What should go on the list?"
	if name != "" {
		ask = fmt.Sprintf("What should go on the list %s?", mention(name))
	}
	switch {
	case created && item != "" && !isPointing(item) && before.is(len(before.words)-1, "from"):
		return intent{}, false
	case created && name == "":
		in.params["action"], in.missing, in.subject, in.ask = "create", "list", "list", "What should the list be called?"
	case created:
		in.params["action"] = "create"
	case item == "" || isPointing(item):
		in.params["action"], in.missing, in.subject, in.ask = "add", "item", "item", ask
	default:
		items, _ := read(item)
		in.params["action"], in.params["item"], in.subject = "add", itemsOf(items), "item"
	}
	if s.is(0, "add") && item == "" && name == "" {
		in.params["action"], in.missing, in.subject, in.ask = "create", "list", "list", "What should the list be called?"
	}
	return in, true
}

// takenOffList is what is to go off a list, or the list itself.
func (l listener) takenOffList(in intent, before said) (intent, bool) {
	item := itemBefore(before, len(before.words))
	item, every := everyList(item)
	all := hasAny(before, "everything", "all", "contents") && !every
	if every {
		in.params["all"] = true
	}
	if things, ok := read(item); ok && all && things.is(0, "all") && len(things.words) > 1 && in.params["list"] != nil {
		if rest := things.from(1).withoutFronts(); !rest.isEntries() {
			in.params["action"], in.params["sort"] = "remove", rest.all()
			return in, true
		}
	}
	switch {
	case isPlaced(item) && !all:
		in.params["action"], in.params["item"], in.subject = "remove", item, "item"
	case item == "" || all:
		in.params["action"] = "drop"
		if before.is(0, "clear", "empty", "wipe", "clean") || all {
			in.params["action"] = "clear"
		}
		if _, named := in.params["list"]; !named && !all && len(before.words) == 0 {
			return intent{}, false
		}
	case isPointing(item):
		in.params["action"], in.missing, in.subject, in.ask = "remove", "item", "item", "What should go off the list? Say the entry by its words."
	default:
		items, _ := read(item)
		in.params["action"], in.params["item"], in.subject = "remove", itemsOf(items), "item"
	}
	return in, true
}
