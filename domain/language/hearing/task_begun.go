package hearing

import (
	"fmt"
	"strings"
)

// onTodo is an entry put on the list of tasks or taken off it.
func (l listener) onTodo(action string, c listChange, item, after said) (intent, bool) {
	if isPointing(item.all()) || len(item.words) == 0 {
		item, after = withoutNamely(after), said{text: item.text}
	}
	for len(item.words) > 2 && (item.begins("that", "i", "should") || item.begins("that", "i", "must") || item.begins("that", "i", "need") || item.begins("that", "i", "have")) {
		item = item.from(3)
		if item.is(0, "to") {
			item = item.from(1)
		}
	}
	switch {
	case len(item.words) == 0 && action == "add":
		return intent{tool: skillTask, ask: "What should I put on your list of tasks?"}, true
	case len(item.words) == 0:
		return intent{}, false
	case action == "add" && len(after.words) > 0:
		if due, ok := l.deadlineIn(after); ok {
			return l.todoBy(item.all(), due), true
		}
		if t := l.timing(after.all()); t.said && withoutLink(t.rest) == "" && t.when != "" {
			return l.todoBy(item.all(), t.when), true
		}
		return intent{}, false
	case action == "add":
		return l.todo(item.all()), true
	case len(after.words) > 0:
		return intent{}, false
	case c.s.is(0, "tick", "check", "mark", "cross"):
		return taskEnded(item.all(), "complete"), true
	}
	return taskEnded(item.all(), "drop"), true
}

// todoBy is a new task with its deadline.
func (l listener) todoBy(what, due string) intent {
	return intent{tool: skillTask, params: map[string]any{"action": "create", "what": what, "deadline": due}, subject: "what", moment: "deadline"}
}

// deadlineIn is the time that words name as a deadline: "due on Friday", "deadline May 1st",
// "with a due date of 3 March".
func (l listener) deadlineIn(s said) (string, bool) {
	c, ok := s.any("with? a|the? due|deadline date? of|is|on? *when", "due|deadline: *when", "for|by|before|until *when", "and? it|that? is due *when")
	if !ok {
		return "", false
	}
	when := c.sentence("when")
	text := when.all()
	if s.is(0, "by", "before", "until") {
		text = s.all()
	}
	return text, l.isOnlyTime(text)
}

// isNoDeadline reports whether words say that there is no deadline.
func isNoDeadline(s said) bool {
	_, ok := s.any("with? no|without a|any? deadline|date|due|rush|hurry|reminder date?", "whenever", "reminderless", "undated", "for me", "with no deadline|date")
	return ok
}

// todoOf is a new task out of what is to be done, with a deadline at either end of it.
func (l listener) todoOf(s said) (intent, bool) {
	s = s.bare()
	if len(s.words) == 0 || isPointing(s.all()) || l.isTimely(s.all()) || l.isTimely(withoutLink(s.all())) {
		return intent{}, false
	}
	for i := range s.words {
		if i > 0 && s.words[i-1].stop && isNoDeadline(s.from(i)) {
			s = s.upTo(i)
			break
		}
	}
	if c, ok := s.any("the? deadline for|of *what is *when"); ok && l.isOnlyTime(c.get("when")) {
		return l.todoBy(c.get("what"), c.get("when")), true
	}
	for i := 1; i < len(s.words); i++ {
		if due, ok := l.deadlineIn(s.upTo(i)); ok && (s.words[i-1].colon || s.words[i-1].stop) {
			return l.todoBy(s.from(i).all(), due), true
		}
		if due, ok := l.deadlineIn(s.from(i)); ok && s.is(i, "due", "deadline", "with") {
			return l.todoBy(s.upTo(i).all(), due), true
		}
	}
	return l.todo(s.all()), true
}

// headWords may stand before the word for a task where one is begun.
var headWords = wordsIn("schedule open it here's these those following to keep this down as add create make set up note jot down log track assign give me put start i want need would like got have remember please a an the another one more my our new next two three four five several some few for something on of list here is item entry write record enter throw stick save")

// taskHead splits a sentence behind what says that a task follows: "new to-do", "add a task", "on
// my to-do list". makes reports whether it says so without a stop or a colon behind it.
func taskHead(s said) (rest said, stop, makes, many, ok bool) {
	at := -1
	for i := range s.words {
		if s.words[i].quoted {
			return s, false, false, false, false
		}
		if taskWords[s.words[i].lower] || s.is(i, "to") && s.is(i+1, "do", "dos") && (s.is(i-1, "a", "the", "my", "our", "new", "another", "one", "next", "more") || i == 0 && (s.words[1].colon || s.words[1].stop || s.is(2, "list", "item", "add"))) || isSlipOf("tasks", s.words[i].lower) && len(s.words[i].lower) == 4 || isSlipOf("task", s.words[i].lower) && len(s.words[i].lower) == 4 {
			at = i
			break
		}
		if s.is(i, "things") && s.is(i+1, "to") && s.is(i+2, "do") {
			at = i + 1
			break
		}
		makes = makes || s.is(i, "add", "schedule", "create", "make", "set", "note", "jot", "log", "track", "assign", "new", "next", "another", "put", "want", "like", "need", "give", "start", "more", "remember", "write", "record", "enter")
		if !headWords[s.words[i].lower] && !inWords("2 3 4 5 6 7 8 9", s.words[i].lower) || s.words[i].colon {
			return s, false, false, false, false
		}
	}
	if at < 0 {
		return s, false, false, false, false
	}
	end := at + 1
	if s.is(at, "to") {
		end++
	}
	many = s.is(end-1, "tasks", "todos", "to-dos", "dos") || hasAny(s.upTo(at), "two", "three", "four", "five", "several", "some", "few", "2", "3", "4", "5", "6", "7", "8", "9")
	makes = makes || s.is(at, "todo", "to-do") && at == 0
	for end < len(s.words) && !s.words[end-1].colon && !s.words[end-1].stop && s.is(end, "list", "item", "items", "entry", "please", "pls") {
		end++
	}
	if end+1 < len(s.words) && s.is(end, "for") && s.is(end+1, "me") {
		end += 2
	}
	return s.from(end), s.words[end-1].colon || s.words[end-1].stop, makes, many, true
}

// tasksBegun hears who begins one task or several with the word for it.
func (l listener) tasksBegun(s said) []intent {
	if s.question || s.begins("do", "not") {
		return nil
	}
	one := func(in intent, ok bool) []intent {
		if !ok {
			return nil
		}
		return []intent{in}
	}
	rest, stop, makes, many, ok := taskHead(s)
	rest = rest.bare()
	if !ok {
		return nil
	}
	if len(rest.words) == 0 || len(rest.words) <= 3 && rest.is(0, "on", "in") && isPointing(rest.from(min(1, len(rest.words)-1)).all()) || len(rest.words) == 2 && rest.begins("on", "there") {
		if !makes || hasAny(s, "remember", "give", "need", "have") || hasAny(s, "list") && !hasAny(s, "something", "item", "more") {
			return nil
		}
		return []intent{{tool: skillTask, ask: "What is to be done? Say: task, and what; a deadline may stand in it, such as: by Friday."}}
	}
	due := ""
	for i := 1; many && !stop && i < len(rest.words); i++ { // tasks for today: sweep, dust
		if text, ok := l.deadlineIn(rest.upTo(i)); ok && rest.words[i-1].colon {
			due, rest, stop = text, rest.from(i), true
		}
	}
	if many && (stop || makes) {
		for _, link := range []string{"to", "add", "put"} {
			if rest.is(0, link) && len(rest.words) > 1 {
				rest = rest.from(1)
			}
		}
		var out []intent
		for text := range strings.SplitSeq(itemsOf(rest), ", ") {
			if item, readable := read(text); readable {
				if in, ok := l.todoOf(item); ok {
					if due != "" {
						in.params["deadline"] = due
					}
					out = append(out, in)
				}
			}
		}
		switch {
		case len(out) > maxCalls:
			return []intent{{tool: skillTask, ask: fmt.Sprintf("That are %d tasks: say at most %d at a time.", len(out), maxCalls)}}
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
func (l listener) taskHeaded(rest said, stop, makes bool) (intent, bool) {
	if c, ok := rest.any("for? *when is|are to *what", "for *when is|are *what"); ok && !stop {
		what := c.sentence("what")
		if n := what.ends([]string{"add it", "put it on", "add that"}); n > 0 && n < len(what.words) {
			what = what.upTo(len(what.words) - n)
		}
		if l.isOnlyTime(c.get("when")) {
			return l.todoBy(what.all(), c.get("when")), true
		}
	}
	if c, ok := rest.any("is|are to *what"); ok && !stop {
		return l.todoOf(c.sentence("what"))
	}
	if makes && rest.is(0, "is") && !stop && len(rest.words) > 2 {
		return l.todoOf(rest.from(1))
	}
	if n := rest.starts(needing); n > 0 && n < len(rest.words) {
		return l.todoOf(rest.from(n))
	}
	if n := rest.starts([]string{"add", "put", "that i should", "that i must", "that i need to", "that i have to", "namely", "write", "note", "include"}); n > 0 && n < len(rest.words) {
		return l.todoOf(rest.from(n))
	}
	if stop {
		return l.todoOf(rest)
	}
	for i := 1; i < len(rest.words); i++ {
		if !rest.words[i-1].colon && !rest.words[i-1].stop {
			continue
		}
		head, what := rest.upTo(i), rest.from(i)
		switch due, timely := l.deadlineIn(head); {
		case timely:
			return l.todoBy(what.all(), due), true
		case isNoDeadline(head.bare()) || len(head.bare().words) == 0:
			return l.todoOf(what)
		case head.is(0, "for", "in", "at", "with") && rest.words[i-1].colon:
			in, ok := l.todoOf(what)
			if text, given := in.params["what"].(string); given {
				in.params["what"] = text + " " + head.all()
			}
			return in, ok
		}
		break
	}
	if c, ok := rest.any("to|of|for|about|called|named|saying|titled|namely|reading|that: *what", "that|which says *what", "to|of|for|about|called|named|saying|titled|namely|reading *what"); ok && (makes || rest.is(0, "called", "named", "to")) {
		return l.todoOf(c.sentence("what"))
	}
	if makes && !rest.is(0, "on", "in", "from", "with", "list", "app", "force", "and", "by", "due", "at", "as", "is", "are", "i", "for", "to", "of", "about") && !isPointing(rest.all()) {
		return l.todoOf(rest)
	}
	return intent{}, false
}

// pointedTask hears that what was said before is a task: "…, make it a task", "…, task please".
func (l listener) pointedTask(before, last said, stop bool) (intent, bool) {
	c, ok := last.any(
		"make|keep|save|add|put|track|log|note|count|set "+pronouns+" down? as|a|my|the a|my|the? task|todo|to-do *due", "make|keep|save|add|put|track|log|note|count|set "+pronouns+" down? as|a|my|the a|my|the? task|todo|to-do", "make|add|keep|save|create|set a|the|as a|the? task|todo|to-do *due", "make|add|keep|save|create|set a|the|as? a|the? task|todo|to-do", "make|add|keep|save|create|set a|the task|todo|to-do for|of it|that|this",
		"that|it|this is a|my|one task|todo|to-do *due", "that|it|this is a|my|one task|todo|to-do", "task|todo|to-do it|that?", "a? task|todo|to-do", "task|todo|to-do that?", "add|put|stick|note|throw|write|get|keep|place "+pronouns+" on|onto|to|in|into my|the|our? tasks|todos|to-dos|dos", "add|put|stick|note|throw|write|get|keep|place "+pronouns+" on|onto|to|in|into my|the|our? task|todo|to-do list",
		"add|put|stick|note|throw|write|get|keep|place "+pronouns+" on|onto|to|in|into my|the|our? to do list", "add|put|stick|note|throw|write|get|keep|place "+pronouns+" on|onto|to|in|into my|the|our? to dos", "add|put|stick|note|throw|write|get|keep|place "+pronouns+" on|onto|to|in|into my|the|our? list of tasks|todos|to-dos", "add|put "+pronouns+" to|on|onto my|the|our? list of things to do",
	)
	if !ok || !stop && !last.is(0, "add", "make") || len(before.words) < 2 || before.is(0, "remind", "what", "which", "when", "who", "how", "is", "are") || !stop && before.is(len(before.words)-1, "and", "to", "a", "the", "please", "my") {
		return intent{}, false
	}
	what := before
	for i := range what.words {
		if i > 0 && i < 6 && what.is(i, "i", "we") && l.isOnlyTime(what.part(0, i)) { // "by Friday I have to …"
			return l.todo(joined(what.part(0, i), doneIn(what.from(i)).all())), true
		}
	}
	what = doneIn(what)
	due := c.sentence("due")
	if len(due.words) == 0 {
		in, ok := l.todoOf(what)
		return in, ok
	}
	when, ok := l.deadlineIn(due)
	return l.todoBy(what.all(), when), ok
}

// duties are ways to begin what one has to do.
var duties = []string{"i still have to", "i have to", "i need to", "i must", "i should", "i ought to", "i want to", "i have got to", "i got to", "i gotta", "gotta", "need to", "have to", "i have been meaning to", "i was going to", "i am supposed to", "i would like to", "we need to", "we have to", "we should", "we must", "i really need to", "i really should", "i still need to", "i will have to", "i will need to", "got to", "must", "should", "i have"}

// doneIn is what is to be done, without that one has to.
func doneIn(s said) said {
	if n := s.starts(duties); n > 0 && n < len(s.words) {
		return s.from(n)
	}
	return s
}
