package lists

import (
	"strings"

	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// OnList hears what is to happen to a list, wherever its name stands: "my shopping list", "a
// list of books", "the list called party".
func (l Lister) OnList(s sentences.Said) (tools.Intent, bool) {
	if in, ok := l.nearList(s); ok {
		return in, true
	}
	if in, ok := l.offSome(s); ok {
		return in, true
	}
	if c, ok := s.Any("find|open|see|check|get|take my|the? *in list|lists and *then", "go to my|the|our? *in list|lists and *then", "find|open|get|go to? my|the|our? list|lists and *then"); ok {
		// What follows is what is to happen; "and remove" needs what was looked for.
		then := c.Get("then")
		in := c.Get("in")
		if f, isAct := l.TakeApart(c.Sentence("then")); isAct || f.Act != sentences.Unsaid {
			named := strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(in, " on the"), " on")) // "find apple on list and remove"
			switch {
			case len(c.Sentence("then").Words) == 1 && named != "":
				return l.OnList(mustRead(then + " " + named + " from the list"))
			default:
				return l.OnList(mustRead(then + " from the " + in + " list"))
			}
		}
	}
	at := -1
	if s.Begins("do", "not") {
		return tools.Intent{}, false
	}
	for i := range s.Words {
		if s.Is(i, "list", "lists") && (i > 0 || len(s.Words) == 1) {
			at = i
			break
		}
	}
	if at < 0 || sentences.HasAny(s, "contacts", "contact", "playlist", "playlists", "friends", "watchlist") {
		return tools.Intent{}, false
	}
	f, _ := l.TakeApart(s)
	from, to, name := listNamed(f, at)
	if isTaskName(name) || s.Is(at+1, "to") && s.Is(at+2, "do") || s.Is(at+1, "of") && s.Is(at+2, "things") && s.Is(at+3, "to") && s.Is(at+4, "do") {
		return l.onTaskList(s, f, from)
	}
	if name == "" && s.Is(at+1, "of") && f.Act == sentences.Asking && len(s.Words) > at+3 {
		return tools.Intent{}, false // a list of what the world has
	}
	in := tools.Intent{Tool: tools.SkillList, Params: map[string]any{}}
	if name != "" {
		in.Params["list"] = name
	}
	before, behind := s.UpTo(from), s.From(to)
	switch {
	case f.Act == sentences.Asking && (sentences.HasAny(s, "create", "make", "add", "added") || s.Is(0, "open") && sentences.HasAny(s, "new")) && !s.Is(0, "did", "what", "which"):
		in.Ask, in.Missing, in.Params = tools.Says("ask.list", "lacks", speech.Kind("name")), "list", map[string]any{"action": "create"}
		return in, true
	case len(behind.Words) > 0 && !behind.Is(0, "with", "please", "for", "today", "now", "by", "too", "also", "me", "as", "that", "which", "in", "blank", "due", "add", "remove") && (f.Act == sentences.Making && !s.Is(0, "on", "to") || f.Act == sentences.Ending):
		return tools.Intent{}, false // there is more than one thing
	case f.Act == sentences.Making && len(PlacesOf(s)) > 1:
		return tools.Intent{}, false
	case f.Act == sentences.Making || s.Is(0, "new", "update", "edit", "get") && f.Act != sentences.Ending || f.Act == sentences.Unsaid && s.Is(len(s.Words)-1, "list") && sentences.HasAny(s, "added"):
		return l.putOnList(s, in, before, behind)
	case f.Act == sentences.Ending:
		return l.takenOffList(in, before)
	case s.Words[at].Stop && len(Bare(behind).Words) > 0, sentences.HasAny(behind, "need", "add", "put", "remove", "delete", "take", "clear", "remind") && !behind.Is(0, "do", "i", "did"):
		return tools.Intent{}, false // there is more than one thing
	case f.Act == sentences.Asking || s.Question || len(s.Words) <= 3 || s.Is(0, "recite", "describe", "evaluate", "hear", "refresh"):
		if s.Is(at, "lists") || sentences.HasAny(before, "which", "how") && name == "" {
			return tools.Intent{Tool: tools.SkillList, Params: map[string]any{"action": "show"}}, true
		}
		in.Params["action"] = "show"
		if during := l.During(f); during != "" {
			delete(in.Params, "during")
		}
		return in, true
	}
	return tools.Intent{}, false
}

// offSome hears that an entry is to go off whichever list has it, without which one.
func (l Lister) offSome(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any("take|cross|tick|strike|scratch|check|remove *item off", "cross|tick|strike|scratch|check|take off *item"); ok && !s.Question {
		if item := c.Sentence("item"); !item.Is(0, "it", "that", "this", "them") && sentences.IsPointing(item.All()) {
			return tools.Intent{Tool: tools.SkillList, Ask: tools.Says("ask.list", "lacks", speech.Kind("which"))}, true
		}
	}
	return tools.Intent{}, false
}

// nearList hears of lists without the word: "add milk to my groceries", "we need milk".
func (l Lister) nearList(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any("reopen|open my|the|our? *list and add|put *item", "update my|the|our *list list with *item"); ok && s.Is(0, "reopen", "open", "update") {
		list := c.Sentence("list")
		if len(list.Words) > 3 || isTaskList(list) || !s.Is(0, "update") && !list.Is(len(list.Words)-1, "groceries", "shopping", "grocery", "list") {
			return tools.Intent{}, false
		}
		in := l.OnNamed(Place{Name: strings.TrimSuffix(list.All(), " list"), sure: true}, "add")
		in.Params["item"], in.Subject = ItemsOf(c.Sentence("item")), "item"
		return in, true
	}
	if c, ok := s.Any("i|we need more|some? *item", "i|we are out of *item", "i|we am out of *item", "i|we have? ran|run out of *item"); ok && !s.Question {
		item := c.Sentence("item")
		if len(item.Words) <= 3 && !item.Is(0, "time", "to", "a", "an", "you", "help", "this", "that", "it", "your", "the", "my") && !l.Timing(item.All()).Said && sentences.Nouns[item.Words[len(item.Words)-1].Lower] == sentences.NoNoun && !sentences.HasAny(item, "list", "lists") {
			return tools.Intent{Tool: tools.SkillList, Weak: true, Ask: tools.Says("ask.entries", "lacks", speech.Kind("whether"), "said", item.All())}, true
		}
	}
	return tools.Intent{}, false
}

func mustRead(text string) sentences.Said {
	s, _ := sentences.Read(text)
	return s
}

// noName are words that don't belong to the name of a list.
var noName = sentences.WordsIn(`both every each the my our a an new this that these those on to from off in into onto of for another your me us and with up is are what which any some all previous last whole entire
	blank empty existing active available open specific first second next current following item items entry entries entire kind do did i you have get most viewed please only one two many how s out app there rid`)

// listNamed is a list's name around the word "list" at a place, and where both stand.
func listNamed(f plans.Frame, at int) (from, to int, name string) {
	s := f.S
	from, to = at, at+1
	for from > 0 && !s.Words[from-1].Stop && !f.IsAct(from-1) && (!noName[s.Words[from-1].Lower] || s.Is(from-1, "do") && s.Is(from-2, "to") || s.Is(from-1, "to") && s.Is(from, "do")) {
		from--
	}
	name = s.Part(from, at)
	if name == "" && s.Is(to, "called", "named", "titled", "of", "for") && to+1 < len(s.Words) {
		end := to + 1
		for end < len(s.Words) && !s.Is(end, "with", "on", "by", "please", "who", "that", "from") && !s.Words[end-1].Stop {
			end++
		}
		inner := s
		inner.Words = s.Words[to+1 : end]
		for len(inner.Words) > 1 && inner.Is(0, "my", "the", "a", "our", "all") {
			inner = inner.From(1)
		}
		if !inner.Is(0, "me", "today", "tomorrow", "this", "following", "mine") {
			name, to = inner.All(), end
		}
	}
	for from > 0 && s.Is(from-1, "the", "my", "our", "a", "an", "new", "this", "that", "another", "your", "whole", "entire", "blank", "empty", "previous", "last", "existing", "active", "any") && !f.IsAct(from-1) {
		from--
	}
	if w, ok := sentences.Read(name); !ok || len(w.Words) > sentences.MaxListNameWords || sentences.HasAny(w, "it", "them") || to < len(s.Words) && s.Is(to, "who", "that", "on", "from") || strings.ContainsAny(name, "()[]{}") {
		name = ""
	}
	return from, to, name
}

func isTaskName(name string) bool {
	s, ok := sentences.Read(strings.NewReplacer("things ", "", "i have ", "", "i need ", "").Replace(strings.ToLower(name)))
	return ok && isTaskList(s)
}

// onTaskList hears what is to happen on the list of tasks.
func (l Lister) onTaskList(s sentences.Said, f plans.Frame, from int) (tools.Intent, bool) {
	item := sentences.ItemBefore(s, from)
	switch {
	case f.Act == sentences.Asking || s.Question || f.Act == sentences.Unsaid && len(s.Words) <= 6:
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "tasks"}}, true
	case f.Act == sentences.Unsaid:
		return tools.Intent{}, false
	case f.Act == sentences.Making && (item == "" || sentences.IsPointing(item)):
		return tools.Intent{Tool: tools.SkillTask, Ask: tools.Says("ask.task")}, true
	case f.Act == sentences.Making:
		return l.todo(item), true
	case item == "" || f.All:
		return tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "drop", "all": true}}, true
	case sentences.IsPointing(item):
		return plans.AsksWhich(tools.SkillTask, "task")
	}
	return tools.TaskEnded(item, "drop"), true
}

// putOnList is what is to go on a list, or the list itself where nothing is to.
func (l Lister) putOnList(s sentences.Said, in tools.Intent, before, behind sentences.Said) (tools.Intent, bool) {
	item, every := everyList(sentences.ItemBefore(s, len(before.Words)))
	if every {
		in.Params["all"] = true
	}
	name, _ := in.Params["list"].(string)
	created := s.Is(0, "create", "make", "start", "begin", "open", "new", "produce", "i", "set")
	if behind.Is(0, "with", ":") && len(behind.Words) > 1 {
		item, created = behind.Part(1, len(behind.Words)), false
	} else if item == "" && len(before.Words) > 0 && s.Is(0, "on", "to") {
		item = behind.All()
	}
	ask := tools.Says("ask.list", "lacks", speech.Kind("entry"))
	if name != "" {
		ask = tools.Says("ask.list", "lacks", speech.Kind("entry"), "said", name)
	}
	switch {
	case created && item != "" && !sentences.IsPointing(item) && before.Is(len(before.Words)-1, "from"):
		return tools.Intent{}, false
	case created && name == "":
		in.Params["action"], in.Missing, in.Subject, in.Ask = "create", "list", "list", tools.Says("ask.list", "lacks", speech.Kind("name"))
	case created:
		in.Params["action"] = "create"
	case item == "" || sentences.IsPointing(item):
		in.Params["action"], in.Missing, in.Subject, in.Ask = "add", "item", "item", ask
	default:
		items, _ := sentences.Read(item)
		in.Params["action"], in.Params["item"], in.Subject = "add", ItemsOf(items), "item"
	}
	if s.Is(0, "add") && item == "" && name == "" {
		in.Params["action"], in.Missing, in.Subject, in.Ask = "create", "list", "list", tools.Says("ask.list", "lacks", speech.Kind("name"))
	}
	return in, true
}

// takenOffList is what is to go off a list, or the list itself.
func (l Lister) takenOffList(in tools.Intent, before sentences.Said) (tools.Intent, bool) {
	item := sentences.ItemBefore(before, len(before.Words))
	item, every := everyList(item)
	all := sentences.HasAny(before, "everything", "all", "contents") && !every
	if every {
		in.Params["all"] = true
	}
	if things, ok := sentences.Read(item); ok && all && things.Is(0, "all") && len(things.Words) > 1 && in.Params["list"] != nil {
		if rest := withoutFronts(things.From(1)); !isEntries(rest) {
			in.Params["action"], in.Params["sort"] = "remove", rest.All()
			return in, true
		}
	}
	switch {
	case isPlaced(item) && !all:
		in.Params["action"], in.Params["item"], in.Subject = "remove", item, "item"
	case item == "" || all:
		in.Params["action"] = "drop"
		if before.Is(0, "clear", "empty", "wipe", "clean") || all {
			in.Params["action"] = "clear"
		}
		if _, named := in.Params["list"]; !named && !all && len(before.Words) == 0 {
			return tools.Intent{}, false
		}
	case sentences.IsPointing(item):
		in.Params["action"], in.Missing, in.Subject, in.Ask = "remove", "item", "item", tools.Says("ask.list", "lacks", speech.Kind("entry_off"))
	default:
		items, _ := sentences.Read(item)
		in.Params["action"], in.Params["item"], in.Subject = "remove", ItemsOf(items), "item"
	}
	return in, true
}
