package lists

import (
	"strconv"
	"strings"

	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// Task hears who has something to do, is getting on with it, or is done.
func (l Lister) Task(s sentences.Said) (tools.Intent, bool) {
	lead, rest := l.Lead(s, "i", "task")
	if all := l.TasksBegun(rest); len(all) == 1 && lead == "" {
		return all[0], true
	}
	if c, ok := s.Any("make|mark|save|keep|add|put|enter *what as? a|my task|to-do|todo item?", "make *what a|my task|to-do|todo *due", "make|mark|save|keep|add|put|enter *what as a|my task|to-do|todo *due", "make *what a to do", "*what is a|my task|to-do|todo *due"); ok && !s.Question && !sentences.IsNobody(c.Sentence("what")) && !c.Sentence("what").Is(0, "me", "a", "list", "new", "another", "to", "the", "my") && (!s.Is(0, "add", "put", "enter") || sentences.HasAny(s, "as")) {
		due := c.Sentence("due")
		if len(due.Words) == 0 {
			return l.todoOf(c.Sentence("what"))
		}
		if text, ok := l.deadlineIn(due); ok {
			return l.todoBy(c.Sentence("what").All(), text), true
		}
	}
	if c, ok := s.Any("*what has|must|needs|have|need to? be done|finished|ready|submitted|completed|sent|in|paid by|before|until *when", "i|we need|have|must to? have|get *what done|finished|ready by|before|until *when"); ok && !s.Question && !sentences.IsNobody(c.Sentence("what")) && l.IsOnlyTime(c.Get("when")) {
		return l.todoBy(c.Get("what"), c.Get("when")), true
	}
	if c, ok := s.Any("have me *what no|without deadline|date|rush|reminder", "have me *what"); ok && !s.Question && s.Ends([]string{"no deadline", "no date", "no rush", "no due date"}) > 0 {
		return l.todoOf(c.Sentence("what"))
	}
	if c, ok := s.Any("*what has|must|needs|have|need to? be *done by|before|until *when"); ok && !s.Question && !sentences.IsNobody(c.Sentence("what")) && len(c.Sentence("done").Words) <= 2 && strings.HasSuffix(c.Sentence("done").Words[0].Lower, "ed") && l.IsOnlyTime(c.Get("when")) {
		return l.todoBy(s.UpTo(len(c.Sentence("what").Words)+len(c.Sentence("done").Words)+dutyWords(s, len(c.Sentence("what").Words))).All(), c.Get("when")), true
	}
	if c, ok := rest.Any("i|we should *what"); ok && !s.Question && lead == "" && l.Timing(c.Get("what")).When != "" && !sentences.HasAny(rest, "be", "have", "know", "not") {
		return l.todo(c.Get("what")), true
	}
	if out, ok := l.hasTo(lead, rest); ok {
		return out, true
	}
	if s.Question {
		return tools.Intent{}, false
	}
	for _, hear := range []func(sentences.Said) (tools.Intent, bool){l.progress, l.completed, l.dropped, l.taskMoved} {
		if out, ok := hear(s); ok {
			return out, true
		}
	}
	return tools.Intent{}, false
}

// dutyWords is how many words at a place say that something has to be: "needs to be".
func dutyWords(s sentences.Said, at int) int {
	for n := 1; at+n <= len(s.Words); n++ {
		if s.Is(at+n-1, "be") {
			return n
		}
	}
	return 0
}

// hasTo hears "I have to …". Only with a deadline it surely is a task: otherwise
// it is asked for.
func (l Lister) hasTo(lead string, s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("i|we still|really|also? have|need|must|ought got? to *what", "i|we still|really|also? must *what", "i have gotta *what", "i gotta *what", "need|have|got to *what", "gotta *what", "must *what")
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	what := c.Sentence("what")
	if what.Is(0, "say", "admit", "confess", "agree", "disagree", "go", "know", "think", "ask", "laugh", "wait", "wonder", "apologise", "apologize", "be", "tell",
		"thank", "stop", "sleep", "not", "have", "understand", "see", "find", "warn", "insist", "decline", "run") {
		return tools.Intent{}, false
	}
	if t := l.Timing(tools.Joined(lead, c.Get("what"))); !t.Said && !t.Wrong {
		if s.Is(0, "i") && sentences.HasAny(s.UpTo(3), "need") && !what.Is(0, errandless...) && len(what.Words) > 1 && !sentences.HasAny(what, "this", "that", "it", "these", "those") {
			return asWeak(l.todo(c.Get("what"))), true
		}
		return tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{},
			Ask: tools.Says("ask.keep_task", "what", c.Get("what"))}, true
	}
	return l.todo(tools.Joined(lead, c.Get("what"))), true
}

// errandless are verbs of what isn't kept as a task unasked: one needs to do it now, or with
// somebody's help.
var errandless = []string{"book", "talk", "speak", "hear", "listen", "check", "look", "change", "add", "set", "create", "make", "start", "put", "use", "take", "come", "leave", "eat", "drink", "play", "watch", "relax", "rest", "cancel", "remove", "delete", "schedule", "plan", "arrange", "remember", "remind", "show", "open", "read", "translate", "convert", "travel", "get", "catch", "drive", "hurry", "work", "shop", "order", "wake", "keep", "hide", "figure", "calculate", "compute", "solve", "convert", "know"}

// asWeak is an intent that is only meant when it is all that was said.
func asWeak(in tools.Intent) tools.Intent { in.Weak = true; return in }

// todo is a new task out of what is to be done, and perhaps until when, in one
// text.
func (l Lister) todo(text string) tools.Intent {
	out := tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "create", "what": text}, Subject: "what", Moment: "deadline"}
	t := l.Timing(text)
	if what := plans.WithoutLink(t.Rest); t.Said && t.When != "" && what != "" {
		out.Params["what"], out.Params["deadline"] = what, t.When
	}
	return out
}

// progress hears how far a task has come: "the report is 40 % done".
func (l Lister) progress(s sentences.Said) (tools.Intent, bool) {
	const done = "done|complete|completed|finished|ready|through|written"
	c, ok := s.Any("*which is|are now? at? *n % "+done, "*which is|are now? at? *n "+done, "i am *n % done|through|finished with|through *which", "i am *n done|through|finished with|through *which",
		"i have done|finished|completed *n % of *which", "i have done|finished|completed *n of *which", "i did *n % of *which", "i did *n of *which",
		"set|put|mark *which to|at|as *n % "+done, "set|put|mark *which to|at|as *n "+done, "set|put the task|progress of? *which to|at *n", "set|put the task|progress of? *which to|at *n %", "progress: *which *n %", "progress: *which *n")
	if !ok {
		return tools.Intent{}, false
	}
	n, which := c.Sentence("n"), bareTask(c.Sentence("which"))
	if len(n.Words) != 1 || which == "" || sentences.IsNobody(c.Sentence("which")) {
		return tools.Intent{}, false
	}
	number := strings.TrimSuffix(n.Words[0].Lower, "%")
	percent, err := strconv.Atoi(number)
	switch behind := sentences.HasAny(s, "%"); {
	case n.Is(0, "half"):
		percent, err = 50, nil
	case number == n.Words[0].Lower && !behind && !sentences.HasAny(s, "percent"):
		return tools.Intent{}, false // "the report is 3 done" says nothing
	}
	out := tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{"action": "progress", "which": which, "percent": percent}, Subject: "which"}
	if err != nil || percent < 0 || percent > 100 {
		out.Ask = tools.Says("ask.how_far", "said", n.All())
	}
	return out, true
}

// bareTask is a task's words without what only says that it is one.
func bareTask(s sentences.Said) string {
	for len(s.Words) > 1 && s.Is(0, "the", "my", "our", "task", "with", "of", "about", "to") {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, "task") {
		s = s.UpTo(len(s.Words) - 1)
	}
	return s.All()
}

// completed hears that a task is done.
func (l Lister) completed(s sentences.Said) (tools.Intent, bool) {
	if _, ok := s.Any("done", "finished", "i am done|finished", "it|that|this is done", "mark it|that|this as? done|finished|complete", "all done"); ok {
		return tools.Intent{Tool: tools.SkillTask, Weak: true, Ask: tools.Says("ask.change", "lacks", speech.Kind("which"))}, true
	}
	c, ok := s.Any("done with *which", "i am done|finished with *which", "finished with? *which", "i have finished|completed|done|submitted with? *which", "i finished|completed *which",
		"mark *which as? done|finished|complete|completed", "complete|finish the|my task *which", "complete|finish task *which", "complete|finish the|my *which task",
		"*which is|are now? done|finished|complete|completed", "*which done")
	if !ok || sentences.IsNobody(c.Sentence("which")) {
		return tools.Intent{}, false
	}
	which := c.Sentence("which")
	if len(which.Words) > 8 || sentences.HasAny(which, "you", "not", "never", "almost", "nearly", "half", "what", "well", "i", "be", "get", "is", "are", "was", "%") {
		return tools.Intent{}, false
	}
	return tools.TaskEnded(bareTask(which), "complete"), true
}

// dropped hears that a task isn't wanted any more.
func (l Lister) dropped(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("cancel|delete|remove|abandon|forget the|my? task about|of|to|called? *which", "cancel|delete|remove|abandon|forget|drop the|my *which task", "drop the|my? task *which")
	if !ok {
		return tools.Intent{}, false
	}
	which := c.Sentence("which")
	if which.Is(0, "by", "off", "in", "out", "dead", "me", "a", "an", "us", "it", "that", "this", "everything", "back", "to", "down", "him", "her", "them") || len(which.Words) > 8 {
		return tools.Intent{}, false
	}
	return tools.TaskEnded(bareTask(which), "drop"), true
}

// taskMoved hears that a task has another deadline.
func (l Lister) taskMoved(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("move|postpone|change|push|shift|extend|set the deadline of|for *which to|until|till *when", "move|postpone|push|shift|extend the|my? task *which to|until|till *when",
		"move|postpone|push|shift|extend the|my *which task to|until|till *when")
	if !ok {
		return tools.Intent{}, false
	}
	out := tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{"action": "move", "which": bareTask(c.Sentence("which")), "deadline": c.Get("when")}, Subject: "which", Moment: "deadline"}
	if t := l.Timing(c.Get("when")); !t.Said && !t.Wrong {
		delete(out.Params, "deadline")
		out.Missing, out.Ask = "deadline", tools.Says("ask.change", "lacks", speech.Kind("time"))
	}
	return out, true
}
