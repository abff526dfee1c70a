package lists

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"chalie/domain/language"
	"chalie/domain/language/bynames"
	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// Lister hears what is to happen to lists, and to what is to be done.
type Lister struct{ plans.Planner }

// NewLister is one for a prompt.
func NewLister(p language.Prompt) Lister { return Lister{plans.NewPlanner(p)} }

// List hears who wants something on a list, off it, or to see it.
func (l Lister) List(s sentences.Said) (tools.Intent, bool) {
	asked := s.Question
	if text := s.All(); strings.Contains(text, " list + ") {
		if plain, ok := sentences.Read(strings.ReplaceAll(text, " + ", " plus ")); ok {
			s = plain
		}
	}
	s = Bare(s)
	if len(s.Words) == 0 || s.Begins("do", "not") || isOccupied(s) {
		return tools.Intent{}, false
	}
	all := PlacesOf(s)
	if len(all) == 1 {
		p := all[0]
		if in, ok := l.listBegun(s, p, between(s, 0, p.From), between(s, p.To, len(s.Words))); ok {
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
	before, after := between(s, 0, p.From), between(s, p.To, len(s.Words))
	before, after = Bare(before), Bare(after)
	if asked && len(before.Words) > 0 && before.Is(0, "is", "are", "was", "did", "do", "does", "what", "which", "who", "how", "when", "why", "where", "have", "has", "am") {
		return tools.Intent{}, false
	}
	if in, ok := l.listEmptied(s, p, before, after); ok {
		return in, true
	}
	c := ListChange{S: s, P: p, Before: before, after: after}
	if p.many && (p.Name == "" || !strings.Contains(p.Name, " and ")) && !s.Is(p.To-1, "groceries") {
		return tools.Intent{}, false
	}
	return l.listChanged(c)
}

// listEmptied hears who wants a list to begin again, or all lists gone.
func (l Lister) listEmptied(s sentences.Said, p Place, before, after sentences.Said) (tools.Intent, bool) {
	switch {
	case before.Is(0, "start", "begin") && len(before.Words) == 1 && after.Is(0, "over", "afresh", "anew", "again"), before.Is(0, "wipe") && len(before.Words) == 1 && len(after.Words) == 1 && after.Is(0, "clean"), before.Is(0, "reset", "restart") && len(before.Words) == 1 && len(after.Words) == 0:
		return l.OnNamed(p, "clear"), p.Name != ""
	case p.Name != "" && p.Prep == "" && p.sure && (!p.many || strings.Contains(p.Name, " and ")) && !isTaskName(p.Name) && Starts(before, Taking) == len(before.Words) && len(before.Words) > 0 && len(after.Words) == 0 && PlacesOf(s)[0].To >= len(Bare(s).Words):
		action := "drop"
		if before.Is(0, "clear", "empty", "wipe", "clean") {
			action = "clear"
		}
		return l.OnNamed(p, action), true
	case p.Name != "" && p.Prep == "" && len(before.Words) == 1 && before.Is(0, "throw", "toss", "chuck", "put") && len(after.Words) == 1 && after.Is(0, "away", "out"):
		return l.OnNamed(p, "drop"), true
	case p.Name == "" && p.Prep == "" && Starts(before, Taking) == len(before.Words) && len(before.Words) > 0 && s.Is(p.From, "every", "all") && (len(after.Words) == 0 || after.Is(0, "i", "we", "that", "clean", "out")):
		action := "drop"
		if before.Is(0, "clear", "empty", "wipe", "clean") {
			action = "clear"
		}
		return l.OnNamed(p, action).With("all", true), true
	case p.Name != "" && sentences.InWords("on from off", p.Prep) && len(after.Words) == 0:
		_, ok := before.Any("i|we have? just|already|finally? got|bought|packed|purchased everything|all", "got|bought|packed everything|all")
		return l.OnNamed(p, "clear"), ok
	}
	return tools.Intent{}, false
}

// isOccupied reports whether words are about something that happens to be called a list.
func isOccupied(s sentences.Said) bool {
	for _, w := range s.Words {
		if !w.Quoted && notLists[w.Lower] && w.Lower != "calendar" && w.Lower != "order" && w.Lower != "music" {
			return true
		}
	}
	return false
}

// ListChange is what is to happen to the entries of a list, before it is known what that is.
type ListChange struct {
	S             sentences.Said
	P             Place
	Before, after sentences.Said
}

// listChanged hears what is to go on a list or off it, on either side of where it is named.
func (l Lister) listChanged(c ListChange) (tools.Intent, bool) {
	before := c.Before
	switch {
	case len(before.Words) == 0:
		return l.listFirst(c)
	case c.takes():
		return l.TakenOff(c, before.From(Starts(before, Taking)), c.after)
	case sentences.InWords(OffList, c.P.Prep) && c.P.Prep != "":
		return l.offList(c)
	case c.P.Prep == "":
		return l.itemsThenList(c)
	case len(c.after.Words) > 0 && (sentences.IsPointing(before.All()) || strings.EqualFold(before.All(), "new")):
		return l.PutOn(c, c.after, sentences.Said{Text: c.S.Text}) // something for the shopping list: chalk
	}
	return l.ontoList(c)
}

// takes reports whether a sentence begins with what takes off. Some of these words take off only
// with "off" or "from" behind them, or with "as bought".
func (c ListChange) takes() bool {
	off := sentences.InWords(OffList, c.P.Prep) && c.P.Prep != ""
	switch before := c.Before; {
	case Starts(before, Taking) == 0, before.Is(0, "mark") && before.Ends(leaving) > 0: // Mark is a name, too
		return false
	case off || !before.Is(0, "check", "take", "drop", "mark", "cross", "pull", "bump", "kick"):
		return true
	case before.Is(0, "drop", "pull", "bump", "kick"):
		return !sentences.InWords("on onto to in into", c.P.Prep)
	case before.Is(0, "cross", "check"):
		return c.P.Prep == "on" || before.Ends(bought) > 0
	default:
		return before.Ends(bought) > 0
	}
}

// offList hears that something is to go off a list without a verb in front: "milk can come off
// the list", "milk off the list"; what is missing from one is to go on it.
func (l Lister) offList(c ListChange) (tools.Intent, bool) {
	before := c.Before
	if n := before.Ends(leaving); n > 0 && sentences.IsThing(before.UpTo(len(before.Words)-n)) {
		return l.TakenOff(c, before.UpTo(len(before.Words)-n), c.after)
	}
	if n := before.Ends([]string{"is missing", "are missing"}); n > 0 && c.P.Prep == "from" && sentences.IsThing(before.UpTo(len(before.Words)-n)) {
		return l.PutOn(c, before.UpTo(len(before.Words)-n), c.after)
	}
	if before.Is(0, "get") {
		return l.TakenOff(c, before.From(1), c.after)
	}
	if sentences.IsThing(before) && c.P.Name != "" {
		in, ok := l.TakenOff(c, before, c.after)
		in.Weak = true
		return in, ok
	}
	return tools.Intent{}, false
}

// ontoList hears what is to go on a list that is named behind it.
func (l Lister) ontoList(c ListChange) (tools.Intent, bool) {
	before, after := c.Before, c.after
	if n := before.Ends(bought); n > 0 && sentences.IsThing(before.UpTo(len(before.Words)-n)) {
		return l.TakenOff(c, before.UpTo(len(before.Words)-n), after)
	}
	if before.Is(0, "could", "can", "may") && before.Ends(going) > 0 { // could milk go on the list
		before = before.From(1)
	}
	n := Starts(before, Adding)
	if before.Is(0, "have") && !c.S.Question && len(before.Words) > 1 && sentences.IsThing(before.From(1)) {
		n = 1
	}
	if n > 0 {
		item := before.From(n)
		if m := item.Ends(going); m > 0 && m < len(item.Words) {
			item = item.UpTo(len(item.Words) - m)
		}
		return l.PutOn(c, item, after)
	}
	weak := func(in tools.Intent, ok bool) (tools.Intent, bool) { in.Weak = true; return in, ok }
	n = before.Ends(going)
	item := before.UpTo(len(before.Words) - n)
	switch {
	case isTaskName(c.P.Name): // what stands there is to be done
		if Starts(before, asksOf) > 0 || sentences.IsNobody(before) || c.S.Question || before.Is(0, "what", "everything", "move", "check", "tick", "mark", "done", "anything", "nothing", "something") {
			return tools.Intent{}, false
		}
		return weak(l.PutOn(c, item, after))
	case n > 0 && sentences.IsThing(item):
		return weak(l.PutOn(c, item, after))
	case sentences.IsThing(before) && c.P.Prep != "in" && (c.P.Name != "" || c.P.Prep == "on"):
		return weak(l.PutOn(c, before, after))
	}
	return tools.Intent{}, false
}

// Ways to say behind an entry what is to happen to it.
var (
	bought  = []string{"as bought", "as done", "as got", "as gotten", "as purchased", "as complete", "as completed", "as packed", "as finished", "as checked", "is done", "are done", "is bought", "are bought", "done", "is packed", "are packed"}
	leaving = []string{"can come", "can go", "should come", "should go", "may come", "comes", "come", "can be taken", "should be removed", "can be removed", "needs to come", "need to come", "can be crossed", "can be deleted"}
	going   = []string{"goes", "go", "should go", "should be", "needs to go", "need to go", "must go", "has to go", "have to go", "belongs", "belong", "needs to be", "need to be", "should be added", "should be put", "added", "put", "is", "are", "gets", "can go", "needs adding", "should get added", "must be", "written", "also goes", "to go"}
)

// PutOn is what is to go on a list.
func (l Lister) PutOn(c ListChange, item, after sentences.Said) (tools.Intent, bool) {
	return l.listWith("add", c, item, after)
}

// TakenOff is what is to go off a list; without an entry all of it, or the list itself.
func (l Lister) TakenOff(c ListChange, item, after sentences.Said) (tools.Intent, bool) {
	for n := item.Ends(bought); n > 0 && n < len(item.Words); n = item.Ends(bought) {
		item = item.UpTo(len(item.Words) - n)
	}
	item = Bare(item)
	if len(item.Words) == 0 && c.P.Prep == "" {
		return tools.Intent{}, false // the list itself
	}
	if item.Is(0, "everything", "all") && len(item.Words) > 0 {
		rest := item.From(1)
		if but := after; but.Is(0, "except", "but", "besides") && (len(rest.Words) == 0 || rest.Is(0, "items", "entries", "the", "things", "my", "of")) {
			rest, after = but, sentences.Said{Text: c.S.Text}
		}
		if rest.Is(0, "except", "but", "besides") || rest.Begins("apart", "from") {
			n := 1
			if rest.Is(0, "apart") || rest.Is(1, "for") {
				n = 2
			}
			in := l.OnNamed(c.P, "clear")
			in.Params["except"] = ItemsOf(rest.From(min(n, len(rest.Words)-1)))
			return in, true
		}
		if rest = withoutFronts(rest); isEntries(rest) {
			return l.OnNamed(c.P, "clear"), len(after.Words) == 0
		}
		return l.sorted("remove", c.P, rest), len(after.Words) == 0
	}
	if item.Is(0, "every", "any") && len(item.Words) > 1 && c.P.Name != "" {
		if rest := item.From(1); isEntries(rest) && item.Is(0, "every") {
			return l.OnNamed(c.P, "clear"), len(after.Words) == 0
		} else if !isEntries(rest) {
			return l.sorted("remove", c.P, rest), len(after.Words) == 0
		}
	}
	return l.listWith("remove", c, item, after)
}

// OnNamed is something done to the list that a place names.
func (l Lister) OnNamed(p Place, action string) tools.Intent {
	in := tools.Intent{Tool: tools.SkillList, Params: map[string]any{"action": action}}
	if p.Name != "" {
		in.Params["list"] = p.Name
	}
	if !p.sure {
		in.Params["existing"] = true
	}
	return in
}

// listWith is an entry put on a list or taken off it, or the question which.
func (l Lister) listWith(action string, c ListChange, item, after sentences.Said) (tools.Intent, bool) {
	more := c.S.Is(c.P.To, "and", "also", "plus")
	item, after = Bare(item), Bare(after)
	for len(item.Words) > 0 && item.Is(len(item.Words)-1, "down", "up", "off", "out", "on", "back") && len(item.Words) > 1 {
		item = item.UpTo(len(item.Words) - 1)
	}
	for len(item.Words) > 1 && (item.Is(0, "off", "out", "down", "up", "also", "that") || item.Is(0, "on") && action == "add") {
		item = item.From(1)
	}
	if isTaskName(c.P.Name) {
		return l.onTodo(action, c, item, after)
	}
	if sentences.HasAny(item, "actually", "wait", "mean", "rather", "instead", "maybe", "thought") && len(item.Words) > 1 {
		return tools.Intent{Tool: tools.SkillList, Ask: tools.Says("ask.entries", "lacks", speech.Kind("which"), "said", item.All())}, true
	}
	for i := 1; i < len(item.Words); i++ {
		if item.Words[i-1].Stop && (Starts(item.From(i), Adding) > 0 || Starts(item.From(i), Taking) > 0) {
			return tools.Intent{}, false // there is more than one thing
		}
	}
	text := ""
	if placed := action == "remove" && isPlaced(item.All()); placed {
		text = item.All()
	} else if len(item.Words) > 0 && !sentences.IsPointing(item.All()) {
		text = ItemsOf(item)
	}
	switch rest := withoutNamely(after); {
	case len(rest.Words) == 0:
	case text == "":
		text = ItemsOf(rest)
		if !sentences.IsThing(rest) || sentences.HasAny(rest, "list") {
			return tools.Intent{}, false
		}
	case more && sentences.IsThing(rest) && !sentences.HasAny(rest, "the", "my", "to", "at") && Starts(rest, Adding) == 0 && Starts(rest, Taking) == 0:
		text += ", " + ItemsOf(rest)
	case rest.Is(0, "for", "from", "by") && !sentences.HasAny(rest, "remind", "add", "put", "and"):
		text += " " + rest.All() // it belongs to the last entry
	case rest.Is(0, "because", "since") && len(rest.Words) <= 8:
	case IsReason(rest) && c.S.Words[c.P.To-1].Stop:
	default:
		return tools.Intent{}, false
	}
	in := l.OnNamed(c.P, action)
	if text == "" {
		in.Missing, in.Subject = "item", "item"
		in.Ask = tools.Says("ask.list", "lacks", speech.Kind("entry"))
		if action == "remove" {
			in.Ask = tools.Says("ask.list", "lacks", speech.Kind("entry_off"))
		} else if c.P.Name != "" {
			in.Ask = tools.Says("ask.list", "lacks", speech.Kind("entry"), "said", c.P.Name)
		}
		return in, true
	}
	in.Params["item"], in.Subject = text, "item"
	return in, true
}

// IsReason reports whether words behind a request only say why: "I got them", "we're out".
func IsReason(s sentences.Said) bool {
	if sentences.HasAny(s, "add", "put", "remind", "remove", "delete", "set", "also", "take", "make", "then", "but", "not") || len(s.Words) > 7 {
		return false
	}
	return s.Is(0, "i", "we", "because", "since", "they", "it", "already", "got", "just", "bought")
}

// withoutNamely is what follows a list without what only introduces it: "namely", "parsley".
func withoutNamely(s sentences.Said) sentences.Said {
	for len(s.Words) > 1 && s.Is(0, "namely", "that", "with") {
		s = s.From(1)
	}
	return s
}

// listFirst hears what follows a list: "shopping list: milk", "grocery list add rice", "the
// shopping list needs ink".
func (l Lister) listFirst(c ListChange) (tools.Intent, bool) {
	after := c.after
	last := c.S.Words[c.P.To-1]
	if len(after.Words) == 0 {
		if c.P.Prep == "" && c.P.Name != "" && !c.P.many && !isTaskName(c.P.Name) {
			return l.OnNamed(c.P, "show"), true
		}
		return tools.Intent{}, false
	}
	none := sentences.Said{}
	none.Text = c.S.Text
	if isTaskName(c.P.Name) && (last.Colon || last.Stop || Starts(after, Taking) == 0) {
		all := l.TasksBegun(c.S) // what follows is to be done
		return append(all, tools.Intent{})[0], len(all) == 1
	}
	if !last.Colon && !last.Stop && c.P.Prep == "" && c.P.From == 0 && c.P.Name != "" && !c.P.many && sentences.IsThing(after) && len(after.Words) <= 3 && !l.Timing(after.All()).Said && !after.Is(0, "app", "update", "please", "empty", "done", "called", "named", "of", "for", "on", "in", "to", "with", "from") {
		in, ok := l.PutOn(c, after, sentences.Said{Text: c.S.Text}) // grocery list waffles
		in.Weak = true
		return in, ok
	}
	if n := Starts(after, needing); n > 0 && n < len(after.Words) {
		item := after.From(n)
		if m := item.Ends([]string{"on it", "on there", "added", "added to it"}); m > 0 && m < len(item.Words) {
			item = item.UpTo(len(item.Words) - m)
		}
		return l.PutOn(c, item, none)
	}
	if n := Starts(after, Adding); n > 0 && n < len(after.Words) && !after.Is(0, "get") && !sentences.InWords(OffList, c.P.Prep) {
		return l.PutOn(c, after.From(n), none)
	}
	if n := Starts(after, Taking); n > 0 && n < len(after.Words) {
		return l.TakenOff(c, after.From(n), none)
	}
	if (last.Colon || last.Stop) && sentences.IsThing(after) && (c.P.Name != "" || last.Colon) && !sentences.InWords(OffList, c.P.Prep) {
		in, ok := l.PutOn(c, after, none)
		in.Weak = !last.Colon
		return in, ok
	}
	return tools.Intent{}, false
}

// itemsThenList hears entries with a list behind them: "two dozen eggs, shopping list".
func (l Lister) itemsThenList(c ListChange) (tools.Intent, bool) {
	before := c.Before
	if c.P.Name == "" || len(c.after.Words) > 0 || c.P.many || !c.P.sure || !before.Words[len(before.Words)-1].Stop && !before.Words[len(before.Words)-1].Colon && !c.S.Is(c.P.From-1, "so") {
		return tools.Intent{}, false
	}
	in, ok := tools.Intent{}, false
	if thing := ThingIn(before, false); len(thing.Words) > 0 && sentences.IsThing(thing) {
		in, ok = l.PutOn(c, thing, sentences.Said{Text: c.S.Text})
	}
	in.Weak = true
	return in, ok
}

// noPlace hears what is to go on a list or off it where none is named by the word, or by a
// name that lists often have: "add a plug to holiday", "add blueberries".
func (l Lister) noPlace(s sentences.Said, all []Place) (tools.Intent, bool) {
	if len(all) > 1 && Starts(s, Taking) > 0 && Starts(s, Taking) >= all[0].From && all[0].Prep == "" && !s.Question {
		return tools.Intent{Tool: tools.SkillList, Ask: tools.Says("ask.list", "lacks", speech.Kind("first"))}, true
	}
	if len(all) > 0 || s.Question {
		return tools.Intent{}, false
	}
	for i := len(s.Words) - 2; i > 1; i-- {
		name := between(s, i+1, len(s.Words))
		if !(s.Is(0, "add") && s.Is(i, "to") || s.Is(0, "remove", "delete", "erase", "drop", "scratch", "strike", "cross", "take", "get") && s.Is(i, "from", "off")) || len(name.Words) > 2 {
			continue
		}
		if sentences.InWords(fronts, name.Words[0].Lower) || hasDigit(name) || notLists[name.Words[len(name.Words)-1].Lower] || l.Timing(s.All()).Said || l.Timing(s.All()).Wrong || !sentences.IsThing(name) || sentences.Nouns[name.Words[len(name.Words)-1].Lower] != sentences.NoNoun {
			return tools.Intent{}, false
		}
		for j := range s.Words {
			if sentences.Nouns[s.Words[j].Lower] != sentences.NoNoun {
				return tools.Intent{}, false
			}
		}
		c := ListChange{S: s, P: Place{From: i, To: len(s.Words), Name: name.All(), Prep: s.Words[i].Lower}}
		act := map[bool]string{true: "add", false: "remove"}[s.Is(0, "add")]
		in, ok := l.listWith(act, c, between(s, 1, i), sentences.Said{Text: s.Text})
		in.Weak = true
		return in, ok && in.Ask.IsZero()
	}
	if c, ok := s.Any("add|put down?|on? *item for|from|at the *where", "jot|write|note down *item for|from|at the *where"); ok && isShop(c.Sentence("where")) && sentences.IsThing(c.Sentence("item")) && !sentences.IsPointing(c.Get("item")) {
		in := l.OnNamed(Place{Name: c.Get("where")}, "add")
		in.Params["item"], in.Subject, in.Weak = ItemsOf(c.Sentence("item")), "item", true
		return in, true
	}
	item := s.From(1)
	if s.Is(0, "add") && len(item.Words) > 0 && len(item.Words) <= 3 && sentences.IsThing(item) && !hasDigit(item) && !l.Timing(item.All()).Said && !sentences.IsPointing(item.All()) {
		for _, w := range item.Words {
			if sentences.Nouns[w.Lower] != sentences.NoNoun || sentences.InWords("to from on in at with up new a more this these zero one two three four five six seven eight nine ten twenty hundred thousand", w.Lower) {
				return tools.Intent{}, false
			}
		}
		return tools.Intent{Tool: tools.SkillList, Weak: true, Params: map[string]any{"action": "add", "item": ItemsOf(item)}, Subject: "item", Missing: "list",
			Ask: tools.Says("ask.entries", "lacks", speech.Kind("name"), "said", item.All())}, true
	}
	return tools.Intent{}, false
}

func hasDigit(s sentences.Said) bool {
	for _, w := range s.Words {
		if strings.ContainsAny(w.Lower, "0123456789") {
			return true
		}
	}
	return false
}

// ItemsOf are entries with commas between them, as lists take them. What is in
// quotation marks is one entry.
func ItemsOf(s sentences.Said) string {
	if text := s.All(); strings.Contains(text, " & ") && !s.Words[0].Quoted {
		if plain, ok := sentences.Read(strings.ReplaceAll(text, " & ", ", ")); ok {
			s = plain
		}
	}
	var out []string
	from := 0
	for i := range s.Words {
		if s.Is(i, "and") && i > from && bynames.IsOneThing(s.Part(from, i), s.Part(i+1, min(i+3, len(s.Words)))) {
			continue
		} else if s.Is(i, "and") {
			out, from = append(out, s.Part(from, i)), i+1
		} else if s.Words[i].Stop && !s.Words[i].Quoted && i < len(s.Words)-1 && !strings.HasSuffix(s.Words[i].Lower, "dr") {
			out, from = append(out, s.Part(from, i+1)), i+1
		}
	}
	out = append(out, s.Part(from, len(s.Words)))
	if head, tail, both := strings.Cut(out[len(out)-1], " and "); len(out) > 1 && both && !bynames.IsOneThing(head, tail) {
		return s.All() // whoever keeps the list would take the last for two
	}
	var items []string
	for _, item := range out {
		s, ok := sentences.Read(item)
		for ok && len(s.Words) > 1 && (s.Is(0, "some", "also", "more", "maybe", "both", "oh") || s.Is(0, "the") && !isTitle(s)) {
			s = s.From(1)
		}
		for ok && len(s.Words) > 1 && s.Is(len(s.Words)-1, "too", "also") {
			s = s.UpTo(len(s.Words) - 1)
		}
		if ok && !(len(items) > 0 && len(s.Words) == 1 && s.Is(0, "both", "all", "oh", "um", "uh")) {
			items = append(items, s.All())
		}
	}
	return strings.Join(items, ", ")
}

// isTitle reports whether "The" belongs to a title.
func isTitle(s sentences.Said) bool {
	return strings.HasPrefix(s.Text[s.Words[0].Start:], "The ") && len(s.Words) > 1 && isCapital(s, 1)
}

func isCapital(s sentences.Said, i int) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimFunc(s.Text[s.Words[i].Start:], sentences.IsQuote))
	return unicode.IsUpper(r)
}

// isTaskList reports whether a list's name says that tasks stand on it.
func isTaskList(name sentences.Said) bool {
	_, ok := name.Any("to-do|todo|task|tasks|todos|to-dos", "to do|dos")
	return ok
}
