package hearing

import (
	"fmt"
	"strconv"
	"strings"
)

// task hears who has something to do, is getting on with it, or is done.
func (l listener) task(s said) (intent, bool) {
	lead, rest := l.lead(s, "i", "task")
	if all := l.tasksBegun(rest); len(all) == 1 && lead == "" {
		return all[0], true
	}
	if c, ok := rest.any("task: *what", "tasks: *what", "todo: *what", "to-do: *what", "to do: *what", "new task|todo|to-do: *what"); ok && !s.question {
		return l.todo(joined(lead, c.get("what"))), true
	}
	if c, ok := s.any("make|mark|save|keep|add|put|enter *what as? a|my task|to-do|todo item?", "make *what a|my task|to-do|todo *due", "make|mark|save|keep|add|put|enter *what as a|my task|to-do|todo *due", "make *what a to do", "*what is a|my task|to-do|todo *due"); ok && !s.question && !isNobody(c.sentence("what")) && !c.sentence("what").is(0, "me", "a", "list", "new", "another", "to", "the", "my") && (!s.is(0, "add", "put", "enter") || hasAny(s, "as")) {
		due := c.sentence("due")
		if len(due.words) == 0 {
			return l.todoOf(c.sentence("what"))
		}
		if text, ok := l.deadlineIn(due); ok {
			return l.todoBy(c.sentence("what").all(), text), true
		}
	}
	if c, ok := s.any("*what has|must|needs|have|need to? be done|finished|ready|submitted|completed|sent|in|paid by|before|until *when", "i|we need|have|must to? have|get *what done|finished|ready by|before|until *when"); ok && !s.question && !isNobody(c.sentence("what")) && l.isOnlyTime(c.get("when")) {
		return l.todoBy(c.get("what"), c.get("when")), true
	}
	if c, ok := s.any("have me *what no|without deadline|date|rush|reminder", "have me *what"); ok && !s.question && s.ends([]string{"no deadline", "no date", "no rush", "no due date"}) > 0 {
		return l.todoOf(c.sentence("what"))
	}
	if c, ok := s.any("*what has|must|needs|have|need to? be *done by|before|until *when"); ok && !s.question && !isNobody(c.sentence("what")) && len(c.sentence("done").words) <= 2 && strings.HasSuffix(c.sentence("done").words[0].lower, "ed") && l.isOnlyTime(c.get("when")) {
		return l.todoBy(s.upTo(len(c.sentence("what").words)+len(c.sentence("done").words)+s.dutyWords(len(c.sentence("what").words))).all(), c.get("when")), true
	}
	if c, ok := rest.any("i|we should *what"); ok && !s.question && lead == "" && l.timing(c.get("what")).when != "" && !hasAny(rest, "be", "have", "know", "not") {
		return l.todo(c.get("what")), true
	}
	if out, ok := l.hasTo(lead, rest); ok {
		return out, true
	}
	if s.question {
		return intent{}, false
	}
	for _, hear := range []func(said) (intent, bool){l.progress, l.completed, l.dropped, l.taskMoved} {
		if out, ok := hear(s); ok {
			return out, true
		}
	}
	return intent{}, false
}

// dutyWords is how many words at a place say that something has to be: "needs to be".
func (s said) dutyWords(at int) int {
	for n := 1; at+n <= len(s.words); n++ {
		if s.is(at+n-1, "be") {
			return n
		}
	}
	return 0
}

// hasTo hears "I have to …". Only with a deadline it surely is a task: otherwise
// it is asked for.
func (l listener) hasTo(lead string, s said) (intent, bool) {
	c, ok := s.any("i|we still|really|also? have|need|must|ought got? to *what", "i|we still|really|also? must *what", "i have gotta *what", "i gotta *what", "need|have|got to *what", "gotta *what", "must *what")
	if !ok || s.question {
		return intent{}, false
	}
	what := c.sentence("what")
	if what.is(0, "say", "admit", "confess", "agree", "disagree", "go", "know", "think", "ask", "laugh", "wait", "wonder", "apologise", "apologize", "be", "tell",
		"thank", "stop", "sleep", "not", "have", "understand", "see", "find", "warn", "insist", "decline", "run") {
		return intent{}, false
	}
	if t := l.timing(joined(lead, c.get("what"))); !t.said && !t.wrong {
		if s.is(0, "i") && hasAny(s.upTo(3), "need") && !what.is(0, errandless...) && len(what.words) > 1 && !hasAny(what, "this", "that", "it", "these", "those") {
			return l.todo(c.get("what")).asWeak(), true
		}
		return intent{tool: skillTask, weak: true, params: map[string]any{},
			ask: fmt.Sprintf("Should I keep that as a task? Then say: task: %s. A deadline may stand in it, such as: by Friday.", cut(c.get("what"), maxLabelBytes))}, true
	}
	return l.todo(joined(lead, c.get("what"))), true
}

// errandless are verbs of what isn't kept as a task unasked: one needs to do it now, or with
// somebody's help.
var errandless = []string{"book", "talk", "speak", "hear", "listen", "check", "look", "change", "add", "set", "create", "make", "start", "put", "use", "take", "come", "leave", "eat", "drink", "play", "watch", "relax", "rest", "cancel", "remove", "delete", "schedule", "plan", "arrange", "remember", "remind", "show", "open", "read", "translate", "convert", "travel", "get", "catch", "drive", "hurry", "work", "shop", "order", "wake", "keep", "hide", "figure", "calculate", "compute", "solve", "convert", "know"}

// asWeak is an intent that is only meant when it is all that was said.
func (in intent) asWeak() intent { in.weak = true; return in }

// todo is a new task out of what is to be done, and perhaps until when, in one
// text.
func (l listener) todo(text string) intent {
	out := intent{tool: skillTask, params: map[string]any{"action": "create", "what": text}, subject: "what", moment: "deadline"}
	t := l.timing(text)
	if what := withoutLink(t.rest); t.said && t.when != "" && what != "" {
		out.params["what"], out.params["deadline"] = what, t.when
	}
	return out
}

// progress hears how far a task has come: "the report is 40 % done".
func (l listener) progress(s said) (intent, bool) {
	const done = "done|complete|completed|finished|ready|through|written"
	c, ok := s.any("*which is|are now? at? *n % "+done, "*which is|are now? at? *n "+done, "i am *n % done|through|finished with|through *which", "i am *n done|through|finished with|through *which",
		"i have done|finished|completed *n % of *which", "i have done|finished|completed *n of *which", "i did *n % of *which", "i did *n of *which",
		"set|put|mark *which to|at|as *n % "+done, "set|put|mark *which to|at|as *n "+done, "set|put the task|progress of? *which to|at *n", "set|put the task|progress of? *which to|at *n %", "progress: *which *n %", "progress: *which *n")
	if !ok {
		return intent{}, false
	}
	n, which := c.sentence("n"), bareTask(c.sentence("which"))
	if len(n.words) != 1 || which == "" || isNobody(c.sentence("which")) {
		return intent{}, false
	}
	number := strings.TrimSuffix(n.words[0].lower, "%")
	percent, err := strconv.Atoi(number)
	switch behind := hasAny(s, "%"); {
	case n.is(0, "half"):
		percent, err = 50, nil
	case number == n.words[0].lower && !behind && !hasAny(s, "percent"):
		return intent{}, false // "the report is 3 done" says nothing
	}
	out := intent{tool: skillTask, weak: true, params: map[string]any{"action": "progress", "which": which, "percent": percent}, subject: "which"}
	if err != nil || percent < 0 || percent > 100 {
		out.ask = fmt.Sprintf("How far has it come? %s isn't a whole number from 0 to 100.", mention(n.all()))
	}
	return out, true
}

// bareTask is a task's words without what only says that it is one.
func bareTask(s said) string {
	for len(s.words) > 1 && s.is(0, "the", "my", "our", "task", "with", "of", "about", "to") {
		s = s.from(1)
	}
	for len(s.words) > 1 && s.is(len(s.words)-1, "task") {
		s = s.upTo(len(s.words) - 1)
	}
	return s.all()
}

// isNobody reports whether words name nothing that a task could be: "it is done".
func isNobody(s said) bool {
	_, ok := s.any("it|that|this|he|she|they|we|i|you|everything|all|nothing|something|what|who|there|these|those|one|everyone|someone|nobody")
	return ok || s.is(0, "when", "if", "once", "until", "after", "before", "because", "unless", "while", "i", "is", "are", "what", "as", "how", "he", "she", "they", "we", "you", "not", "nothing", "there")
}

// completed hears that a task is done.
func (l listener) completed(s said) (intent, bool) {
	if _, ok := s.any("done", "finished", "i am done|finished", "it|that|this is done", "mark it|that|this as? done|finished|complete", "all done"); ok {
		return intent{tool: skillTask, weak: true, ask: "Done with what? Say: done with, and words of the task or of the reminder."}, true
	}
	c, ok := s.any("done with *which", "i am done|finished with *which", "finished with? *which", "i have finished|completed|done|submitted with? *which", "i finished|completed *which",
		"mark *which as? done|finished|complete|completed", "complete|finish the|my task *which", "complete|finish task *which", "complete|finish the|my *which task",
		"*which is|are now? done|finished|complete|completed", "*which done")
	if !ok || isNobody(c.sentence("which")) {
		return intent{}, false
	}
	which := c.sentence("which")
	if len(which.words) > 8 || hasAny(which, "you", "not", "never", "almost", "nearly", "half", "what", "well", "i", "be", "get", "is", "are", "was", "%") {
		return intent{}, false
	}
	return taskEnded(bareTask(which), "complete"), true
}

func taskEnded(which, action string) intent {
	return intent{tool: skillTask, weak: true, params: map[string]any{"action": action, "which": which}, subject: "which"}
}

// dropped hears that a task isn't wanted any more.
func (l listener) dropped(s said) (intent, bool) {
	c, ok := s.any("cancel|delete|remove|abandon|forget the|my? task about|of|to|called? *which", "cancel|delete|remove|abandon|forget|drop the|my *which task", "drop the|my? task *which")
	if !ok {
		return intent{}, false
	}
	which := c.sentence("which")
	if which.is(0, "by", "off", "in", "out", "dead", "me", "a", "an", "us", "it", "that", "this", "everything", "back", "to", "down", "him", "her", "them") || len(which.words) > 8 {
		return intent{}, false
	}
	return taskEnded(bareTask(which), "drop"), true
}

// taskMoved hears that a task has another deadline.
func (l listener) taskMoved(s said) (intent, bool) {
	c, ok := s.any("move|postpone|change|push|shift|extend|set the deadline of|for *which to|until|till *when", "move|postpone|push|shift|extend the|my? task *which to|until|till *when",
		"move|postpone|push|shift|extend the|my *which task to|until|till *when")
	if !ok {
		return intent{}, false
	}
	out := intent{tool: skillTask, weak: true, params: map[string]any{"action": "move", "which": bareTask(c.sentence("which")), "deadline": c.get("when")}, subject: "which", moment: "deadline"}
	if t := l.timing(c.get("when")); !t.said && !t.wrong {
		delete(out.params, "deadline")
		out.missing, out.ask = "deadline", "To when should I move it? Say a time, such as: tomorrow at 8, on Friday."
	}
	return out, true
}
