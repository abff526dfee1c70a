package hearing

import (
	"chalie/domain/language/lists"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
)

// sameList hears what goes on or off a list, and behind it what else goes on or off the same one:
// "put bread on the shopping list and take off the apples".
func (l Listener) sameList(s sentences.Said) []tools.Intent {
	for i := 2; i+1 < len(s.Words); i++ {
		rest := s.From(i)
		if s.Is(i, "and", "then") {
			rest = s.From(i + 1)
		} else if !s.Words[i-1].Stop {
			continue
		}
		c, ok := rest.Any("take|cross|strike|scratch|knock off *item", "take|cross|strike|scratch|knock *item off", "remove|delete *item", "add|put on *item", "add *item")
		before := s.UpTo(i)
		all, item := lists.PlacesOf(before), c.Sentence("item")
		if !ok || len(all) != 1 || all[0].Name == "" || len(lists.PlacesOf(rest)) > 0 || l.PlanTool(rest) != "" || l.Timing(rest.All()).Said || sentences.IsPointing(item.All()) || sentences.HasAny(item, "it", "that", "them", "one") || sentences.HasStop(item) {
			continue
		}
		first, ok := l.one(before)
		if !ok || first.Tool != tools.SkillList || !first.Ask.IsZero() || first.Params["action"] == "show" {
			continue
		}
		action := "remove"
		if rest.Is(0, "add", "put") {
			action = "add"
		}
		second := l.OnNamed(all[0], action)
		second.Params["item"], second.Subject = lists.ItemsOf(item), "item"
		return []tools.Intent{first, second}
	}
	return nil
}

// isContext reports whether words only say why something is asked for.
func (l Listener) isContext(s sentences.Said) bool {
	in, heard := l.one(s)
	return !heard || in.Weak || !in.Ask.IsZero()
}

// pointedEntry hears of an entry of a list that was named before: "…, take it off the list".
func (l Listener) pointedEntry(before, last sentences.Said) (tools.Intent, bool) {
	if before.Is(0, "remind", "set", "wake", "what", "which", "where") {
		return tools.Intent{}, false
	}
	c, ok := last.Any("*act a|another new? one *rest", "they|he|she|"+lists.Pronouns+" belongs|belong|goes|go|should|needs|need|must|has|can|may *rest", "*act "+lists.Pronouns+" too? *rest", "*act too? to|on|onto|off|from *rest", "*act "+lists.Pronouns)
	if !ok {
		return tools.Intent{}, false
	}
	act, rest := c.Sentence("act"), c.Sentence("rest")
	person := last.Is(len(act.Words), "him", "her")
	takes := len(act.Words) > 0 && lists.Starts(act, lists.Taking) == len(act.Words)
	puts := len(act.Words) > 0 && lists.Starts(act, lists.Adding) == len(act.Words)
	if len(act.Words) > 0 && len(rest.Words) > 0 && !rest.Is(0, "to", "on", "onto", "off", "from", "in", "into", "out", "down", "too", "also", "back", "for") && !last.Is(len(act.Words), "to", "on", "onto", "off", "from") {
		return tools.Intent{}, false
	}
	if len(act.Words) == 0 { // it belongs on the list
		person = last.Is(0, "he", "she")
		puts = !last.Question && last.Ends([]string{"off"}) == 0
	}
	all := lists.PlacesOf(last)
	where := last
	if len(all) == 0 && (len(rest.Words) == 0 || len(rest.Words) == 1 && rest.Is(0, "off", "on", "down", "up", "out")) {
		all, where = lists.PlacesOf(before), before
		if len(all) == 1 {
			before = before.UpTo(all[0].From)
		}
		if takes && len(all) == 1 && before.Ends([]string{"done with", "finished with", "through with", "do not need", "no longer need"}) > 0 {
			return l.OnNamed(all[0], "drop"), true // it is the list itself
		}
	}
	if takes && act.Is(0, "cross", "take", "strike", "scratch", "remove") && len(all) == 0 && last.Is(len(last.Words)-1, "off") && len(lists.PlacesOf(before)) == 0 && !before.Is(0, "add", "set") {
		if thing := lists.ThingIn(before, person); len(thing.Words) > 0 && len(rest.Words) == 1 {
			return l.removal(before, thing, "done"), true
		}
	}
	if !takes && !puts || len(all) != 1 || len(before.Words) == 0 || where.Text == "" {
		return tools.Intent{}, false
	}
	p := all[0]
	if len(act.Words) == 0 && sentences.InWords(lists.OffList, p.Prep) && p.Prep != "" {
		takes, puts = true, false // so he can come off the list
	}
	if where.Is(p.To, "for", "at", "by", "before") || len(last.Words) > p.To && len(lists.Bare(last.From(p.To)).Words) > 0 && len(where.Words) == len(last.Words) {
		return tools.Intent{}, false
	}
	thing := lists.ThingIn(before, person)
	if len(thing.Words) == 0 {
		return tools.Intent{}, false
	}
	change := lists.ListChange{S: last, P: p, Before: thing}
	none := sentences.Said{Text: thing.Text}
	if takes && !(puts && sentences.InWords(lists.OntoList, p.Prep) && act.Is(0, "drop", "mark", "check")) {
		return l.TakenOff(change, thing, none)
	}
	return l.PutOn(change, thing, none)
}

// pointed hears what is to happen to what the sentence named before: "we're out of milk, put it
// on the shopping list", "I have to call Ada, make it a task".
func (l Listener) pointed(s sentences.Said) (tools.Intent, bool) {
	for i := len(s.Words) - 1; i > 0; i-- {
		last, before := s.From(i), s.UpTo(i)
		so := last.Is(0, "so", "wait", "actually", "rather") || last.Begins("i", "mean") || last.Begins("no", "wait")
		if !s.Words[i-1].Stop && !s.Words[i-1].Colon && !last.Is(0, "so", "and", "add", "task", "todo") {
			continue
		}
		last, before = lists.Bare(last), lists.Bare(before)
		if len(last.Words) == 0 || len(before.Words) == 0 {
			continue
		}
		if in, ok := l.PointedTask(before, last, s.Words[i-1].Stop || s.Words[i-1].Colon); ok {
			return in, true
		}
		if in, ok := l.pointedEntry(before, last); ok {
			return in, true
		}
		if !so && !(s.Words[i-1].Stop && before.Is(0, "i", "we", "my", "our", "the", "there", "it", "he", "she", "they")) {
			continue
		}
		if in, ok := l.List(last); ok && in.Ask.IsZero() && !in.Weak && in.Params["action"] != "show" && l.isContext(before) {
			return in, true
		}
	}
	return tools.Intent{}, false
}
