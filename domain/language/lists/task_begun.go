package lists

import (
	"strings"

	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// onTodo is an entry put on the list of tasks or taken off it.
func (l Lister) onTodo(action string, c ListChange, item, after sentences.Said) (tools.Intent, bool) {
	if sentences.IsPointing(item.All()) || len(item.Words) == 0 {
		item, after = withoutNamely(after), sentences.Said{Text: item.Text}
	}
	for len(item.Words) > 2 && (item.Begins("that", "i", "should") || item.Begins("that", "i", "must") || item.Begins("that", "i", "need") || item.Begins("that", "i", "have")) {
		item = item.From(3)
		if item.Is(0, "to") {
			item = item.From(1)
		}
	}
	switch {
	case len(item.Words) == 0 && action == "add":
		return tools.Intent{Tool: tools.SkillTask, Ask: tools.Says("ask.task")}, true
	case len(item.Words) == 0:
		return tools.Intent{}, false
	case action == "add" && len(after.Words) > 0:
		if due, ok := l.deadlineIn(after); ok {
			return l.todoBy(item.All(), due), true
		}
		if t := l.Timing(after.All()); t.Said && plans.WithoutLink(t.Rest) == "" && t.When != "" {
			return l.todoBy(item.All(), t.When), true
		}
		return tools.Intent{}, false
	case action == "add":
		return l.todo(item.All()), true
	case len(after.Words) > 0:
		return tools.Intent{}, false
	case c.S.Is(0, "tick", "check", "mark", "cross"):
		return tools.TaskEnded(item.All(), "complete"), true
	}
	return tools.TaskEnded(item.All(), "drop"), true
}

// todoBy is a new task with its deadline.
func (l Lister) todoBy(what, due string) tools.Intent {
	return tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "create", "what": what, "deadline": due}, Subject: "what", Moment: "deadline"}
}

// deadlineIn is the time that words name as a deadline: "due on Friday", "deadline May 1st",
// "with a due date of 3 March".
func (l Lister) deadlineIn(s sentences.Said) (string, bool) {
	c, ok := s.Any("with? a|the? due|deadline date? of|is|on? *when", "due|deadline: *when", "for|by|before|until *when", "and? it|that? is due *when")
	if !ok {
		return "", false
	}
	when := c.Sentence("when")
	text := when.All()
	if s.Is(0, "by", "before", "until") {
		text = s.All()
	}
	return text, l.IsOnlyTime(text)
}

// isNoDeadline reports whether words say that there is no deadline.
func isNoDeadline(s sentences.Said) bool {
	_, ok := s.Any("with? no|without a|any? deadline|date|due|rush|hurry|reminder date?", "whenever", "reminderless", "undated", "for me", "with no deadline|date")
	return ok
}

// todoOf is a new task out of what is to be done, with a deadline at either end of it.
func (l Lister) todoOf(s sentences.Said) (tools.Intent, bool) {
	s = Bare(s)
	if len(s.Words) == 0 || sentences.IsPointing(s.All()) || l.IsTimely(s.All()) || l.IsTimely(plans.WithoutLink(s.All())) {
		return tools.Intent{}, false
	}
	for i := range s.Words {
		if i > 0 && s.Words[i-1].Stop && isNoDeadline(s.From(i)) {
			s = s.UpTo(i)
			break
		}
	}
	if c, ok := s.Any("the? deadline for|of *what is *when"); ok && l.IsOnlyTime(c.Get("when")) {
		return l.todoBy(c.Get("what"), c.Get("when")), true
	}
	for i := 1; i < len(s.Words); i++ {
		if due, ok := l.deadlineIn(s.UpTo(i)); ok && (s.Words[i-1].Colon || s.Words[i-1].Stop) {
			return l.todoBy(s.From(i).All(), due), true
		}
		if due, ok := l.deadlineIn(s.From(i)); ok && s.Is(i, "due", "deadline", "with") {
			return l.todoBy(s.UpTo(i).All(), due), true
		}
	}
	return l.todo(s.All()), true
}

// headWords may stand before the word for a task where one is begun.
var headWords = sentences.WordsIn("schedule open it here's these those following to keep this down as add create make set up note jot down log track assign give me put start i want need would like got have remember please a an the another one more my our new next two three four five several some few for something on of list here is item entry write record enter throw stick save")

// taskHead splits a sentence behind what says that a task follows: "new to-do", "add a task", "on
// my to-do list". makes reports whether it says so without a stop or a colon behind it.
func taskHead(s sentences.Said) (rest sentences.Said, stop, makes, many, ok bool) {
	at := -1
	for i := range s.Words {
		if s.Words[i].Quoted {
			return s, false, false, false, false
		}
		if taskWords[s.Words[i].Lower] || s.Is(i, "to") && s.Is(i+1, "do", "dos") && (s.Is(i-1, "a", "the", "my", "our", "new", "another", "one", "next", "more") || i == 0 && (s.Words[1].Colon || s.Words[1].Stop || s.Is(2, "list", "item", "add"))) || sentences.IsSlipOf("tasks", s.Words[i].Lower) && len(s.Words[i].Lower) == 4 || sentences.IsSlipOf("task", s.Words[i].Lower) && len(s.Words[i].Lower) == 4 {
			at = i
			break
		}
		if s.Is(i, "things") && s.Is(i+1, "to") && s.Is(i+2, "do") {
			at = i + 1
			break
		}
		makes = makes || s.Is(i, "add", "schedule", "create", "make", "set", "note", "jot", "log", "track", "assign", "new", "next", "another", "put", "want", "like", "need", "give", "start", "more", "remember", "write", "record", "enter")
		if !headWords[s.Words[i].Lower] && !sentences.InWords("2 3 4 5 6 7 8 9", s.Words[i].Lower) || s.Words[i].Colon {
			return s, false, false, false, false
		}
	}
	if at < 0 {
		return s, false, false, false, false
	}
	end := at + 1
	if s.Is(at, "to") {
		end++
	}
	many = s.Is(end-1, "tasks", "todos", "to-dos", "dos") || sentences.HasAny(s.UpTo(at), "two", "three", "four", "five", "several", "some", "few", "2", "3", "4", "5", "6", "7", "8", "9")
	makes = makes || s.Is(at, "todo", "to-do") && at == 0
	for end < len(s.Words) && !s.Words[end-1].Colon && !s.Words[end-1].Stop && s.Is(end, "list", "item", "items", "entry", "please", "pls") {
		end++
	}
	if end+1 < len(s.Words) && s.Is(end, "for") && s.Is(end+1, "me") {
		end += 2
	}
	return s.From(end), s.Words[end-1].Colon || s.Words[end-1].Stop, makes, many, true
}

// TasksBegun hears who begins one task or several with the word for it.
func (l Lister) TasksBegun(s sentences.Said) []tools.Intent {
	if s.Question || s.Begins("do", "not") {
		return nil
	}
	one := func(in tools.Intent, ok bool) []tools.Intent {
		if !ok {
			return nil
		}
		return []tools.Intent{in}
	}
	rest, stop, makes, many, ok := taskHead(s)
	rest = Bare(rest)
	if !ok {
		return nil
	}
	if len(rest.Words) == 0 || len(rest.Words) <= 3 && rest.Is(0, "on", "in") && sentences.IsPointing(rest.From(min(1, len(rest.Words)-1)).All()) || len(rest.Words) == 2 && rest.Begins("on", "there") {
		if !makes || sentences.HasAny(s, "remember", "give", "need", "have") || sentences.HasAny(s, "list") && !sentences.HasAny(s, "something", "item", "more") {
			return nil
		}
		return []tools.Intent{{Tool: tools.SkillTask, Ask: tools.Says("ask.task")}}
	}
	due := ""
	for i := 1; many && !stop && i < len(rest.Words); i++ { // tasks for today: sweep, dust
		if text, ok := l.deadlineIn(rest.UpTo(i)); ok && rest.Words[i-1].Colon {
			due, rest, stop = text, rest.From(i), true
		}
	}
	if many && (stop || makes) {
		for _, link := range []string{"to", "add", "put"} {
			if rest.Is(0, link) && len(rest.Words) > 1 {
				rest = rest.From(1)
			}
		}
		var out []tools.Intent
		for text := range strings.SplitSeq(ItemsOf(rest), ", ") {
			if item, readable := sentences.Read(text); readable {
				if in, ok := l.todoOf(item); ok {
					if due != "" {
						in.Params["deadline"] = due
					}
					out = append(out, in)
				}
			}
		}
		switch {
		case len(out) > tools.MaxCalls:
			return []tools.Intent{{Tool: tools.SkillTask, Ask: tools.Says("ask.fewer_tasks", "n", speech.Count(len(out)), "most", speech.Count(tools.MaxCalls))}}
		case stop:
			return out
		}
	}
	if in, ok := l.taskHeaded(rest, stop, makes); ok {
		return one(in, true)
	}
	return nil
}

// taskHeaded is the task that follows the word for it.
func (l Lister) taskHeaded(rest sentences.Said, stop, makes bool) (tools.Intent, bool) {
	if c, ok := rest.Any("for? *when is|are to *what", "for *when is|are *what"); ok && !stop {
		what := c.Sentence("what")
		if n := what.Ends([]string{"add it", "put it on", "add that"}); n > 0 && n < len(what.Words) {
			what = what.UpTo(len(what.Words) - n)
		}
		if l.IsOnlyTime(c.Get("when")) {
			return l.todoBy(what.All(), c.Get("when")), true
		}
	}
	if c, ok := rest.Any("is|are to *what"); ok && !stop {
		return l.todoOf(c.Sentence("what"))
	}
	if makes && rest.Is(0, "is") && !stop && len(rest.Words) > 2 {
		return l.todoOf(rest.From(1))
	}
	if n := Starts(rest, needing); n > 0 && n < len(rest.Words) {
		return l.todoOf(rest.From(n))
	}
	if n := Starts(rest, []string{"add", "put", "that i should", "that i must", "that i need to", "that i have to", "namely", "write", "note", "include"}); n > 0 && n < len(rest.Words) {
		return l.todoOf(rest.From(n))
	}
	if stop {
		return l.todoOf(rest)
	}
	for i := 1; i < len(rest.Words); i++ {
		if !rest.Words[i-1].Colon && !rest.Words[i-1].Stop {
			continue
		}
		head, what := rest.UpTo(i), rest.From(i)
		switch due, timely := l.deadlineIn(head); {
		case timely:
			return l.todoBy(what.All(), due), true
		case isNoDeadline(Bare(head)) || len(Bare(head).Words) == 0:
			return l.todoOf(what)
		case head.Is(0, "for", "in", "at", "with") && rest.Words[i-1].Colon:
			in, ok := l.todoOf(what)
			if text, given := in.Params["what"].(string); given {
				in.Params["what"] = text + " " + head.All()
			}
			return in, ok
		}
		break
	}
	if c, ok := rest.Any("to|of|for|about|called|named|saying|titled|namely|reading|that: *what", "that|which says *what", "to|of|for|about|called|named|saying|titled|namely|reading *what"); ok && (makes || rest.Is(0, "called", "named", "to")) {
		return l.todoOf(c.Sentence("what"))
	}
	if makes && !rest.Is(0, "on", "in", "from", "with", "list", "app", "force", "and", "by", "due", "at", "as", "is", "are", "i", "for", "to", "of", "about") && !sentences.IsPointing(rest.All()) {
		return l.todoOf(rest)
	}
	return tools.Intent{}, false
}

// PointedTask hears that what was said before is a task: "…, make it a task", "…, task please".
func (l Lister) PointedTask(before, last sentences.Said, stop bool) (tools.Intent, bool) {
	c, ok := last.Any(
		"make|keep|save|add|put|track|log|note|count|set "+Pronouns+" down? as|a|my|the a|my|the? task|todo|to-do *due", "make|keep|save|add|put|track|log|note|count|set "+Pronouns+" down? as|a|my|the a|my|the? task|todo|to-do", "make|add|keep|save|create|set a|the|as a|the? task|todo|to-do *due", "make|add|keep|save|create|set a|the|as? a|the? task|todo|to-do", "make|add|keep|save|create|set a|the task|todo|to-do for|of it|that|this",
		"that|it|this is a|my|one task|todo|to-do *due", "that|it|this is a|my|one task|todo|to-do", "task|todo|to-do it|that?", "a? task|todo|to-do", "task|todo|to-do that?", "add|put|stick|note|throw|write|get|keep|place "+Pronouns+" on|onto|to|in|into my|the|our? tasks|todos|to-dos|dos", "add|put|stick|note|throw|write|get|keep|place "+Pronouns+" on|onto|to|in|into my|the|our? task|todo|to-do list",
		"add|put|stick|note|throw|write|get|keep|place "+Pronouns+" on|onto|to|in|into my|the|our? to do list", "add|put|stick|note|throw|write|get|keep|place "+Pronouns+" on|onto|to|in|into my|the|our? to dos", "add|put|stick|note|throw|write|get|keep|place "+Pronouns+" on|onto|to|in|into my|the|our? list of tasks|todos|to-dos", "add|put "+Pronouns+" to|on|onto my|the|our? list of things to do",
	)
	if !ok || !stop && !last.Is(0, "add", "make") || len(before.Words) < 2 || before.Is(0, "remind", "what", "which", "when", "who", "how", "is", "are") || !stop && before.Is(len(before.Words)-1, "and", "to", "a", "the", "please", "my") {
		return tools.Intent{}, false
	}
	what := before
	for i := range what.Words {
		if i > 0 && i < 6 && what.Is(i, "i", "we") && l.IsOnlyTime(what.Part(0, i)) { // "by Friday I have to …"
			return l.todo(tools.Joined(what.Part(0, i), doneIn(what.From(i)).All())), true
		}
	}
	what = doneIn(what)
	due := c.Sentence("due")
	if len(due.Words) == 0 {
		in, ok := l.todoOf(what)
		return in, ok
	}
	when, ok := l.deadlineIn(due)
	return l.todoBy(what.All(), when), ok
}

// duties are ways to begin what one has to do.
var duties = []string{"i still have to", "i have to", "i need to", "i must", "i should", "i ought to", "i want to", "i have got to", "i got to", "i gotta", "gotta", "need to", "have to", "i have been meaning to", "i was going to", "i am supposed to", "i would like to", "we need to", "we have to", "we should", "we must", "i really need to", "i really should", "i still need to", "i will have to", "i will need to", "got to", "must", "should", "i have"}

// doneIn is what is to be done, without that one has to.
func doneIn(s sentences.Said) sentences.Said {
	if n := Starts(s, duties); n > 0 && n < len(s.Words) {
		return s.From(n)
	}
	return s
}
