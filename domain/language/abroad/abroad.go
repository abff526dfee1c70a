package abroad

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language"
	"chalie/domain/language/reckon"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/tools"
)

// Interpreter hears what is said in other languages than English.
type Interpreter struct{ tools.Chooser }

// NewInterpreter is one for a prompt.
func NewInterpreter(p language.Prompt) Interpreter { return Interpreter{tools.NewChooser(p)} }

// translated is a sentence in another language than English, with its time in English.
type translated struct {
	l    Interpreter
	t    *tongues.Tongue
	text string
	at   tongues.Time
}

// Abroad hears a sentence in German, Spanish or French: nothing when it is in none of them.
func (l Interpreter) Abroad(text string) []tools.Intent {
	t, ok := l.Tongue(text)
	if !ok {
		return nil
	}
	s, ok := foreign(t, t.Plain(text))
	if !ok {
		return nil
	}
	if both := l.twoAbroad(t, s); both != nil {
		return both
	}
	if one, ok := l.oneAbroad(t, s.Text); ok {
		return []tools.Intent{l.KeptAbroad(t, one, s.Text)}
	}
	return nil
}

// twoAbroad are the things that a sentence asks for before and behind an "and" or a stop.
func (l Interpreter) twoAbroad(t *tongues.Tongue, s sentences.Said) []tools.Intent {
	for i, tried := 1, 0; i < len(s.Words)-1 && tried < sentences.MaxSplits; i++ {
		from := i
		switch {
		case s.Words[i].Quoted:
			continue
		case t.Is(s.Words[i].Lower, tongues.And):
			from++
		case !s.Words[i-1].Stop:
			continue
		}
		tried++
		second, ok := l.oneAbroad(t, s.Text[s.Words[from].Start:])
		if !ok || second.Weak {
			continue
		}
		first, ok := l.oneAbroad(t, s.Text[:s.Words[i-1].End])
		switch {
		case !ok || first.Weak:
		case !second.Ask.IsZero():
			return []tools.Intent{second} // what it asks may change the first: nothing is done yet
		case !first.Ask.IsZero():
			return []tools.Intent{first}
		default:
			return []tools.Intent{first, second}
		}
	}
	return nil
}

// oneAbroad is the single thing that a text asks for.
func (l Interpreter) oneAbroad(t *tongues.Tongue, text string) (tools.Intent, bool) {
	if l.IsGivenUp() {
		return tools.Intent{}, false
	}
	tr := translated{l: l, t: t, text: text, at: t.When(text)}
	whole, rest := forms(t, text), forms(t, tr.at.Rest)
	if in, ok := tr.movedBy(whole); ok {
		return in, true
	}
	for _, r := range t.Requests() {
		if _, talk := r.Kind.Says(); talk {
			continue
		}
		of := whole
		if r.Kind.HasTime() {
			of = rest
		}
		if c, ok := fitting(of, r); ok {
			if in, ok := tr.intent(r.Kind, c); ok {
				return in, true
			}
		}
	}
	return tools.Intent{}, false
}

// fitting fits the phrases of a request to the forms of a sentence.
func fitting(of []sentences.Said, r tongues.Request) (sentences.Captured, bool) {
	for _, p := range r.Phrases {
		for _, s := range of {
			if c, ok := s.Match(sentences.Phrase(p)); ok {
				return c, true
			}
		}
	}
	return sentences.Captured{}, false
}

// foreign splits a text into words of a language.
func foreign(t *tongues.Tongue, text string) (sentences.Said, bool) {
	s, ok := sentences.Read(text)
	if !ok {
		return sentences.Said{}, false
	}
	s.Words = nil
	all := tongues.Words(s.Text)
	for i, w := range all {
		if w.IsMark() && w.Text != "%" {
			continue
		}
		out := sentences.Word{Lower: w.Text, Start: w.Start, End: w.End, Quoted: w.Quoted}
		if i+1 < len(all) {
			out.Colon, out.Stop = all[i+1].Text == ":", strings.ContainsAny(all[i+1].Text, ".,!?;…")
		}
		stem, isList := listWord(t, w.Text)
		if !isList {
			s.Words = append(s.Words, out)
			continue
		}
		list := out // which takes no room, as the second word of a contraction
		list.Lower, list.Start = "liste", out.End
		out.Lower, out.Colon, out.Stop = stem, false, false
		s.Words = append(s.Words, out, list)
	}
	return s, len(s.Words) > 0
}

// listWord is what a German word for a list begins with: einkaufs of Einkaufsliste.
func listWord(t *tongues.Tongue, word string) (string, bool) {
	if t != tongues.German {
		return "", false
	}
	for _, end := range []string{"liste", "zettel"} {
		if stem, ok := strings.CutSuffix(word, end); ok && stem != "" {
			return stem, true
		}
	}
	return "", false
}

// forms are a sentence as it was said, without what only is polite, and with its verb in
// front: Milch auf die Liste setzen.
func forms(t *tongues.Tongue, text string) []sentences.Said {
	s, ok := foreign(t, text)
	if !ok {
		return nil
	}
	original := s
	for {
		lower := lowered(s)
		front, back := t.Courtesy(lower)
		if front > 0 && front+back >= len(lower) {
			back = 0
		}
		if front+back == 0 {
			break
		}
		s = s.UpTo(len(s.Words) - back).From(front)
		s.Question = s.Question && front == 0
	}
	s.Words = slices.Clone(s.Words)
	for i := 1; i < min(len(s.Words)-1, 4); i++ {
		if t == tongues.German && s.Is(i, "bitte", "doch", "mal") {
			s.Words = slices.Delete(s.Words, i, i+1)
		}
	}
	out := []sentences.Said{s}
	last := len(s.Words) - 1
	if verb := t.Asking(s.Words[0].Lower); verb != "" {
		s.Words = slices.Clone(s.Words)
		s.Words[0].Lower = verb
		if s.Is(1, "sie", "du") && last > 1 {
			s.Words = slices.Delete(s.Words, 1, 2)
		}
		out = append(out, s)
	} else if verb := t.Asking(s.Words[last].Lower); verb != "" && last > 0 {
		moved := s.Words[last]
		moved.Lower, moved.Start, moved.End = verb, s.Words[0].Start, s.Words[0].Start // it takes no room there
		s.Words = append([]sentences.Word{moved}, s.Words[:last]...)
		out = append(out, s)
	}
	if len(original.Words) != len(out[0].Words) {
		out = append(out, original)
	}
	return out
}

func lowered(s sentences.Said) []string {
	out := make([]string, len(s.Words))
	for i, w := range s.Words {
		out[i] = w.Lower
	}
	return out
}

// intent is what a request asks for, with what its phrase has caught.
func (tr translated) intent(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	switch k {
	case tongues.Remind:
		if what := c.Sentence("what"); len(what.Words) > 0 && tr.t.Is(what.Words[0].Lower, tongues.Condition) {
			return tools.Intent{Tool: tools.SkillRemind, Ask: tools.Says("ask.time", "lacks", speech.Kind("words"), "said", what.All())}, true
		}
		return tr.reminded(c.Get("what"), tr.at.English), true
	case tongues.RemindBefore:
		return tr.remindedBefore(c)
	case tongues.RemindOdd:
		if odd := c.Sentence("odd"); c.Get("what") == "" && tr.t.Clause(lowered(odd)) {
			return tr.reminded(odd.All(), tr.at.English), true
		}
		return tools.Intent{Tool: tools.SkillRemind, Ask: tools.Says("ask.time", "lacks", speech.Kind("words"), "said", c.Get("odd"))}, true
	case tongues.Alarm, tongues.Timer, tongues.Wake:
		return tr.alarm(k, c.Get("what")), true
	case tongues.MoveIt:
		return tr.moved(c), tr.at.Said && !tr.isIt(c)
	case tongues.Move, tongues.Again:
		return tr.moved(c), !tr.isIt(c)
	case tongues.Skip:
		return tr.skipped(c)
	case tongues.CancelAlarm:
		if odd := tr.odd(); !odd.IsZero() {
			return tools.Intent{Tool: tools.SkillReminder, Ask: odd}, true
		}
		return tools.Ended(tools.Joined("alarm", tools.Joined(tr.bare(c, "what"), tr.at.English)), "cancel")
	case tongues.CancelAll:
		return tr.during(tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "cancel", "all": true}, Ask: tr.odd()}), true
	case tongues.CancelAlarms:
		return tr.during(tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "cancel", "all": true, "which": "alarms"}, Ask: tr.odd()}), true
	case tongues.Cancel:
		in, _ := tools.Ended(tr.which(c), "cancel")
		return in, !tr.isIt(c)
	case tongues.Done:
		return tools.Ended(tr.which(c), "done")
	case tongues.Plans, tongues.PlanReminders, tongues.PlanTasks:
		return tr.plans(k), true
	case tongues.Lists:
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "lists"}}, true
	case tongues.Task, tongues.Must:
		return tr.task(k, c)
	case tongues.Progress:
		return tr.progress(c)
	case tongues.DropTasks:
		return tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "drop", "all": true}}, !c.Said.Question
	case tongues.Scrap:
		return tools.Intent{Tool: tools.SkillRemove, Params: map[string]any{"which": tr.unled(c.Get("which"))}, Subject: "which"}, !c.Said.Question && !tr.isIt(c)
	case tongues.Complete, tongues.DropTask:
		return tr.taskEnded(k, c)
	case tongues.AddBare:
		if slices.ContainsFunc(c.Sentence("item").Words, func(w sentences.Word) bool {
			return tr.t.Tells(w.Lower) && !tr.t.Is(w.Lower, tongues.Article) && !tr.t.Is(w.Lower, tongues.And)
		}) {
			return tools.Intent{}, false // mustard is missing from the list
		}
		return tr.list(tongues.Add, c)
	case tongues.Add, tongues.Remove, tongues.Show, tongues.Drop:
		return tr.list(k, c)
	}
	return tr.known(k, c)
}

// known hears what is remembered, and what is asked of Chalie itself or of appointments.
func (tr translated) known(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	about := map[string]any{}
	if words := tr.bare(c, "about"); words != "" {
		about["about"] = words
	}
	switch k {
	case tongues.Remember:
		return tools.Intent{Tool: tools.SkillRemember, Params: map[string]any{"what": tr.fact(c.Get("what"))}, Subject: "what"}, !c.Said.Question
	case tongues.Fact:
		return tools.Intent{Tool: tools.SkillRemember, Params: map[string]any{"what": c.Said.All()}, Subject: "what", Weak: true}, !c.Said.Question
	case tongues.Recall:
		return tools.Intent{Tool: tools.SkillRecall, Params: about, Subject: "about"}, true
	case tongues.Values:
		of := map[string]any{"of": about["about"]}
		if tr.at.English != "" {
			of["during"] = tr.at.English
		}
		return tools.Intent{Tool: tools.SkillValues, Params: of, Subject: "of"}, about["about"] != nil
	case tongues.Forget:
		return tools.Intent{Tool: tools.SkillForget, Params: map[string]any{"what": tr.bare(c, "what")}, Subject: "what", Weak: true}, !c.Said.Question
	case tongues.Did:
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"done": true}}, true
	case tongues.Missed:
		return tools.Intent{Tool: tools.SkillHeard, Params: map[string]any{}}, true
	case tongues.Status:
		return tools.Intent{Tool: tools.SkillStatus, Params: about}, true
	case tongues.WhyNot:
		about["not"] = true
		return tools.Intent{Tool: tools.SkillWhy, Params: about}, true
	case tongues.Why:
		return tools.Intent{Tool: tools.SkillWhy, Params: about}, true
	}
	return tr.dates(k, c)
}

// bare is what a name stands for without the words that only stand before a noun: plans
// and memories are found by their own words.
func (tr translated) bare(c sentences.Captured, name string) string {
	s := c.Sentence(name)
	for len(s.Words) > 1 && tr.t.Is(s.Words[0].Lower, tongues.Article) {
		s = s.From(1)
	}
	if len(s.Words) == 1 && tr.t.Is(s.Words[0].Lower, tongues.Article) {
		return ""
	}
	return s.All()
}

// which is what a plan is found by: its words, and when it is due in English.
func (tr translated) which(c sentences.Captured) string {
	words := tr.bare(c, "which")
	if of, both := tr.bothOf(words); both {
		words = "both " + of
	}
	at := tr.t.When(words)
	if at.English == "" || len(at.Unread) > 0 {
		return tr.unled(words)
	}
	return tools.Joined(tr.unled(at.Rest), at.English)
}

// unled is a text without the small words that lead to what it names: mit der Katze.
func (tr translated) unled(text string) string {
	s, ok := foreign(tr.t, text)
	if !ok {
		return text
	}
	for len(s.Words) > 1 && !s.Words[0].Quoted && !tr.t.IsEvent(s.Words[0].Lower) && (tr.t.Is(s.Words[0].Lower, tongues.Small) || tr.t.Is(s.Words[0].Lower, tongues.Article)) {
		s = s.From(1)
	}
	return s.All()
}

// bothOf is what is meant by two: los dos recordatorios de llamar a Elena.
func (tr translated) bothOf(text string) (of string, both bool) {
	s, ok := foreign(tr.t, text)
	if !ok || len(s.Words) < 3 || !s.Is(0, "dos", "ambos", "ambas", "deux", "beide", "beiden", "zwei") || !s.Is(1, "recordatorios", "avisos", "alarmas", "citas", "rappels", "alarmes", "erinnerungen", "wecker", "termine") {
		return "", false
	}
	s = s.From(2)
	for len(s.Words) > 1 && (tr.t.Is(s.Words[0].Lower, tongues.Article) || s.Is(0, "de", "del", "d", "para", "pour", "an", "mit", "zu")) {
		s = s.From(1)
	}
	return s.All(), true
}

// odd is a question about words of time that weren't read, or that no time can be made of;
// none when there are no such.
func (tr translated) odd() speech.Message {
	unread := tr.at.Unread
	if tr.at.Length != "" {
		unread = append(slices.Clone(unread), tr.at.As)
	}
	if len(unread) == 0 && tr.at.Said && !tr.l.IsReadable(tr.at.English) {
		unread = []string{tr.text}
	}
	if len(unread) == 0 {
		return speech.Message{}
	}
	return tools.Says("ask.time", "lacks", speech.Kind("words"), "said", strings.Join(unread, " … "))
}

// reminded is a reminder of something at a time.
func (tr translated) reminded(what, at string) tools.Intent {
	out := tools.Intent{Tool: tools.SkillRemind, Whole: tr.text, Subject: "what", Moment: "when"}
	odd := tr.odd()
	if tr.t.Is(strings.ToLower(what), tongues.Article) {
		what = "" // that of Monday
	}
	switch {
	case !odd.IsZero():
		out.Ask, out.Subject, out.Moment = odd, "", ""
	case !tr.at.Said && what == "":
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("everything"))
	case !tr.at.Said:
		out.Params, out.Missing = map[string]any{"what": what}, "when"
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("time"), "said", what)
	case what == "":
		out.Params, out.Missing = map[string]any{"when": at}, "what"
		out.Ask = tools.Says("ask.remind", "lacks", speech.Kind("thing"), "said", tr.at.As)
	default:
		out.Params = map[string]any{"what": what, "when": at}
	}
	return out
}

// alarm is a reminder that says no more than that it is an alarm or a timer. Who gets up
// does so in the morning.
func (tr translated) alarm(k tongues.Kind, what string) tools.Intent {
	at, name := tr.at.English, "alarm"
	switch k {
	case tongues.Wake:
		at, name = tr.at.Morning, "wake up"
	case tongues.Timer:
		name = "timer"
	case tongues.Alarm:
		if what == "" {
			at = tr.at.Morning
		}
	}
	if what != "" {
		name += ": " + what
	}
	return tr.reminded(name, at)
}

// moved is a reminder that is to come at another time.
func (tr translated) moved(c sentences.Captured) tools.Intent {
	out := tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "move"}, Subject: "which", Moment: "when"}
	if which := tr.bare(c, "which"); which != "" {
		out.Params["which"] = which
	}
	switch odd := tr.odd(); {
	case !odd.IsZero():
		out.Ask = odd
	case tr.at.Range: // from three to four: it isn't told which of them is the new one
		out.Ask = tools.Says("ask.time", "lacks", speech.Kind("words"), "said", tr.at.As)
	case !tr.at.Said:
		out.Missing, out.Ask = "when", tools.Says("ask.change", "lacks", speech.Kind("time"))
	default:
		out.Params["when"] = tr.at.English
	}
	return out
}

// plans is a question for what is planned, and perhaps when.
func (tr translated) plans(k tongues.Kind) tools.Intent {
	out := tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{}, Ask: tr.odd()}
	switch {
	case k == tongues.PlanReminders:
		out.Params["kind"] = "reminders"
	case k == tongues.PlanTasks && !tr.at.Said: // what is to be done on a day are not only tasks
		out.Params["kind"] = "tasks"
	}
	if tr.at.English != "" {
		out.Params["during"] = strings.TrimPrefix(tr.at.English, "on ")
	}
	return out
}

// task is something to be done. Only with a deadline "I have to" surely is a task.
func (tr translated) task(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	what := c.Get("what")
	out := tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "create", "what": what}, Subject: "what", Moment: "deadline", Ask: tr.odd()}
	switch {
	case c.Said.Question:
		return tools.Intent{}, false
	case k == tongues.Must && !c.Said.Is(0, "ich", "wir") && tr.t == tongues.German && strings.HasPrefix(strings.ToLower(tr.text), c.Said.Words[0].Lower):
		return tools.Intent{}, false // muss ich morgen arbeiten: without its mark a question still
	case k == tongues.Must && tr.t.Is(c.Sentence("what").Words[0].Lower, tongues.Idle):
		return tools.Intent{}, false
	case k == tongues.Must && !tr.at.Said:
		return tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{}, Ask: tools.Says("ask.keep_task", "what", what)}, true
	case tr.at.English != "":
		out.Params["deadline"] = tr.at.English
	}
	return out, true
}

// progress hears how far a task has come.
func (tr translated) progress(c sentences.Captured) (tools.Intent, bool) {
	percent, err := strconv.Atoi(c.Get("n"))
	if err != nil || percent > 100 || c.Said.Question || tr.isNothing(c.Sentence("which").Words[0].Lower) {
		return tools.Intent{}, false
	}
	return tools.Intent{Tool: tools.SkillTask, Weak: true, Params: map[string]any{"action": "progress", "which": tr.bare(c, "which"), "percent": percent}, Subject: "which"}, true
}

// taskEnded hears that a task is done, or not wanted any more.
func (tr translated) taskEnded(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	const longest = 6 // words; more are a story
	which := c.Sentence("which")
	denied := slices.ContainsFunc(which.Words, func(w sentences.Word) bool { return tr.t.Is(w.Lower, tongues.Negative) })
	if c.Said.Question || denied || len(which.Words) > longest || tr.isNothing(which.Words[0].Lower) {
		return tools.Intent{}, false
	}
	if k == tongues.DropTask {
		return tools.TaskEnded(tr.bare(c, "which"), "drop"), true
	}
	return tools.TaskEnded(tr.bare(c, "which"), "complete"), true
}

// isNothing reports whether words that begin with one name nothing that a task could be.
func (tr translated) isNothing(first string) bool {
	return tr.t.Is(first, tongues.Vague) || tr.t.Is(first, tongues.Condition) || tr.t.Is(first, tongues.Negative)
}

// list hears what is to happen to a list. What is to be done is a task, whatever list it
// is said to stand on.
func (tr translated) list(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	name := tr.bare(c, "list")
	apart := slices.ContainsFunc(c.Sentence("list").Words, func(w sentences.Word) bool { return tr.t.Is(w.Lower, tongues.Apart) })
	if first := c.Sentence("item"); len(first.Words) > 0 && tr.t.Is(first.Words[0].Lower, tongues.Negative) {
		return tools.Intent{}, false
	}
	if apart || len(c.Sentence("list").Words) > sentences.MaxListNameWords || c.Said.Question && k != tongues.Show {
		return tools.Intent{}, false
	}
	if at, item := placeOf(c, "list"), placeOf(c, "item"); name != "" && at[1] == item[0] && at[1] > 0 && !c.Said.Words[at[1]-1].Colon && tr.t.List(name) == "" {
		return tools.Intent{}, false // where does its name end?
	}
	if english := tr.t.List(name); english == "tasks" {
		return tr.onTasks(k, c)
	} else if english != "" {
		name = english
	}
	out := tools.Intent{Tool: tools.SkillList, Params: map[string]any{"action": string(k)}}
	if name != "" {
		out.Params["list"] = name
	}
	everything := c.Sentence("item")
	switch item := tr.items(everything); {
	case k == tongues.Remove && len(everything.Words) == 1 && tr.t.Is(everything.Words[0].Lower, tongues.Every):
		out.Params["action"] = "clear"
	case k == tongues.Show || k == tongues.Drop:
	case item == "":
		out.Missing, out.Subject, out.Ask = "item", "item", tools.Says("ask.list", "lacks", speech.Kind("entry"))
	default:
		out.Params["item"], out.Subject = item, "item"
	}
	return out, true
}

// placeOf is where what a name stands for begins and ends.
func placeOf(c sentences.Captured, name string) [2]int {
	if i := slices.Index(c.Names, name); i >= 0 {
		return c.Parts[i]
	}
	return [2]int{}
}

// onTasks is what is to happen on the list of tasks.
func (tr translated) onTasks(k tongues.Kind, c sentences.Captured) (tools.Intent, bool) {
	item := c.Get("item")
	switch {
	case k == tongues.Show:
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "tasks"}}, true
	case k == tongues.Drop || item == "":
		return tools.Intent{}, false
	case k == tongues.Remove:
		return tools.TaskEnded(tr.bare(c, "item"), "drop"), true
	}
	out := tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "create", "what": item}, Subject: "what", Moment: "deadline", Ask: tr.odd()}
	if at := tr.t.When(item); at.English != "" && at.Rest != "" {
		out.Params["what"], out.Params["deadline"] = at.Rest, at.English
	}
	return out, true
}

// items are entries with commas between them. What is in quotation marks is one entry.
func (tr translated) items(s sentences.Said) string {
	var out []string
	from := 0
	entry := func(to int) {
		one := s
		one.Words = s.Words[from:to]
		for len(one.Words) > 1 && tr.t.Is(one.Words[0].Lower, tongues.Article) {
			one = one.From(1)
		}
		if text := one.All(); text != "" {
			out = append(out, text)
		}
	}
	for i, w := range s.Words {
		switch {
		case w.Quoted:
		case tr.t.Is(w.Lower, tongues.And):
			entry(i)
			from = i + 1
		case w.Stop && i < len(s.Words)-1:
			entry(i + 1)
			from = i + 1
		}
	}
	entry(len(s.Words))
	return strings.Join(out, ", ")
}

// InEnglish is a text with its first words and its time in English, when it takes back,
// replaces or answers: never mind; no, at nine; and butter. Too short to tell its language
// it is in that of what was said before. Any other text stays as it is.
func (l Interpreter) InEnglish(text, before string) string {
	t, ok := tongues.Of(text)
	if !ok {
		t, ok = tongues.Of(before)
	}
	if !ok || len(strings.Fields(text)) > sentences.MaxAnswerWords {
		return text
	}
	plainly := t.Plain(text)
	if small := smallAnswer(t, plainly); small != "" {
		return small
	}
	if pointed := l.pointedAbroad(t, plainly); pointed != "" {
		return pointed
	}
	if l.Abroad(text) != nil || l.ByDeed(text) != nil {
		return text
	}
	s, ok := foreign(t, plainly)
	if !ok {
		return text
	}
	front, s := beginning(t, s)
	rest := s.All()
	if pick := t.Pick(rest); pick != "" {
		return front + pick
	}
	at := t.When(rest)
	unread := at.English == "" || len(at.Unread) > 0 || !l.IsReadable(at.English)
	switch {
	case !unread && at.Rest == "":
		return front + at.English
	case !unread && (t.Is(strings.ToLower(at.Rest), tongues.Article) || pointing.MatchString(tongues.Fold(at.Rest)+" ")):
		return front + "the one " + at.English
	case !at.Said && l.asksWhich():
		if name := behindPointing(rest); name != "" {
			return front + "the one about " + name
		}
	case front == "make it " && l.NamesTool(rest): // mach das Licht an: nothing is corrected
	case front != "" && !at.Said:
		return front + rest
	}
	return text
}

// pointing finds the words that point at one of several by what is its own: celui de, el del, die mit.
var pointing = regexp.MustCompile(`^(?:(?:c'est|es|das ist|nur|solo|seulement|just) )?(?:celui|celle|ceux|celles|el|la|los|las|lo|le|der|die|das|den) (?:(?:de|du|des|del|con|en|para|por|avec|pour|chez|a|au|von|vom|mit|bei|beim|in|im|am|fur|zum|zur) )?(?:(?:la|le|les|el|los|las|l'|der|die|das|dem|den|meiner|meinem|mi|mon|ma) )?`)

// behindPointing is what stands behind words that point at one of several; "" for a text without them.
func behindPointing(text string) string {
	n := len(strings.Fields(strings.ReplaceAll(pointing.FindString(tongues.Fold(text)+" "), "'", " ")))
	words := strings.Fields(text)
	if n == 0 || n >= len(words)+1 {
		return ""
	}
	return strings.Join(words[min(n, len(words)):], " ")
}

// asksWhich reports whether the last reply asks which of several plans is meant.
func (l Interpreter) asksWhich() bool {
	last, ok := l.Last()
	if says, known := last.Values(); known {
		return slices.ContainsFunc(says, func(m speech.Message) bool {
			return slices.Contains([]speech.ID{"plan.which", "plan.one_at_a_time"}, m.ID)
		})
	}
	return ok && last.Says("spoken.which")
}

// TakenBack is "undo" for a text in another language that takes the last change back, also behind a
// no: no, deshazlo; "" for any other. What also calls off what was just done is left to that.
func (l Interpreter) TakenBack(text string) string {
	t, ok := l.Tongue(text)
	if !ok || len(strings.Fields(text)) > sentences.MaxAnswerWords {
		return ""
	}
	if last, _ := l.Last(); slices.ContainsFunc(last.Done, l.HasChanged) && smallAnswer(t, text) != "" {
		return ""
	}
	words := tongues.BareWords(text)
	for len(words) > 0 {
		all := forms(t, strings.Join(words, " "))
		for _, r := range t.Requests() {
			if _, fits := fitting(all, r); fits && r.Kind == tongues.TakeBack {
				return "undo"
			}
		}
		if !tongues.BeginsWithNo(words[0]) && !tongues.IsBeside(words[0]) {
			break
		}
		words = words[1:]
	}
	return ""
}

// pointedAbroad is in English what is to happen to what was spoken of: cancel it, move it to
// Friday; "" for anything else.
func (l Interpreter) pointedAbroad(t *tongues.Tongue, text string) string {
	at := t.When(text)
	whole, rest := forms(t, text), forms(t, at.Rest)
	for _, r := range t.Requests() {
		english := map[tongues.Kind]string{tongues.CancelThat: "cancel it", tongues.CancelBoth: "cancel both", tongues.SkipThat: "skip it", tongues.MoveThat: "move it to "}[r.Kind]
		of := whole
		if r.Kind.HasTime() {
			of = rest
		}
		if english == "" {
			continue
		}
		if _, ok := fitting(of, r); !ok {
			continue
		}
		if r.Kind != tongues.MoveThat {
			return english
		}
		if at.English != "" && len(at.Unread) == 0 && l.IsReadable(at.English) {
			return english + strings.TrimPrefix(strings.TrimPrefix(at.English, "at "), "on ")
		}
	}
	return ""
}

// smallAnswer is a short answer in English: it takes back, agrees or declines.
func smallAnswer(t *tongues.Tongue, text string) string {
	all := forms(t, text)
	for _, r := range t.Requests() {
		english := map[tongues.Kind]string{tongues.Undo: "never mind", tongues.SayYes: "yes", tongues.SayNo: "no", tongues.SayAllRight: "ok"}[r.Kind]
		if english == "" {
			continue
		}
		if _, ok := fitting(all, r); ok {
			return english
		}
	}
	return ""
}

// beginning is the English for what a sentence begins with when it changes or adds to what
// was said, and the rest.
func beginning(t *tongues.Tongue, s sentences.Said) (front string, rest sentences.Said) {
	for len(s.Words) > 1 {
		last := len(s.Words) - 1
		switch n := t.Corrects(lowered(s)); {
		case n > 0:
			front, s = "make it ", s.From(n)
		case t.Is(s.Words[0].Lower, tongues.Instead):
			front, s = cmp.Or(front, "no, "), s.From(1)
		case t.Is(s.Words[last].Lower, tongues.Instead) && len(s.Words) > 2:
			front, s = cmp.Or(front, "no, "), s.UpTo(last)
		case t.Is(s.Words[0].Lower, tongues.Negative):
			return front + "not ", s.From(1)
		case front == "" && t.Is(s.Words[0].Lower, tongues.And):
			return "and ", s.From(1)
		default:
			return front, s
		}
	}
	return front, s
}

// TalkAbroad answers small words in a language that is read, and says that it didn't understand. The zero message
// is for English.
func TalkAbroad(p language.Prompt) (speech.Message, *speech.Catalogue) {
	c := Catalogue(p)
	t, ok := sentences.TongueOf(p)
	if !ok {
		return workedAbroad(p)
	}
	all := forms(t, t.Plain(p.Asked.Text))
	for _, r := range t.Requests() {
		captured, ok := fitting(all, r)
		if !ok {
			continue
		}
		if worked := workedIn(t, p, r.Kind, captured); !worked.IsZero() {
			return worked, c
		}
		switch says, talk := r.Kind.Says(); {
		case !talk:
		case says == tongues.Yes && asksNow(p):
			return tools.Says("talk", "what", speech.Kind("no_answer")), c
		case says == tongues.Clock:
			return tools.Says("clock", "where", speech.Kind("here"), "at", speech.Time{At: p.AsOf}), c
		default:
			return tools.Says("talk", "what", speech.Kind(says)), c
		}
	}
	return tools.Says("beyond", "why", speech.Kind("unsure")), c
}

// ReadsOnly answers what is in a language that isn't read; the zero message for any other text.
func ReadsOnly(text string) speech.Message {
	if !tongues.Elsewhere(text) {
		return speech.Message{}
	}
	return tools.Says("talk", "what", speech.Kind("reads"))
}

// asksNow reports whether the last reply asks something.
func asksNow(p language.Prompt) bool {
	return len(p.Recent) > 0 && p.Recent[len(p.Recent)-1].Asks()
}

// inNumbers is a question for the time elsewhere or for a sum in English.
func inNumbers(t *tongues.Tongue, k tongues.Kind, c sentences.Captured) (question string, ok bool) {
	switch k {
	case tongues.ClockIn:
		return "what time is it in " + t.City(c.Get("place")), true
	case tongues.Sum:
		sum, ok := t.Sum(c.Get("sum"))
		return "what is " + sum, ok
	}
	return "", false
}

// workedAbroad answers a sum, or a question for the time elsewhere, that has too few words to
// tell its language.
func workedAbroad(p language.Prompt) (speech.Message, *speech.Catalogue) {
	for _, t := range tongues.All() {
		if !t.Fits(p.Asked.Text) || !t.Speaks(p.Asked.Text) {
			continue
		}
		all := forms(t, t.Plain(p.Asked.Text))
		for _, r := range t.Requests() {
			if r.Kind != tongues.ClockIn && r.Kind != tongues.Sum {
				continue
			}
			captured, ok := fitting(all, r)
			if !ok {
				continue
			}
			if worked := workedIn(t, p, r.Kind, captured); !worked.IsZero() {
				return worked, inWordsOf(p, t)
			}
		}
	}
	return speech.Message{}, nil
}

// workedIn is the answer to a question for the time elsewhere or for a sum, with the place by its own name.
func workedIn(t *tongues.Tongue, p language.Prompt, k tongues.Kind, c sentences.Captured) speech.Message {
	question, asks := inNumbers(t, k, c)
	if !asks {
		return speech.Message{}
	}
	worked, _ := WorkedOut(p, question)
	if place, ok := worked.Says.Args["place"].(speech.Text); ok {
		worked.Says.Args["place"] = speech.Text{Words: t.Place(place.Words)}
	}
	return worked.Says
}

// WorkedOut is the answer to a question that can be worked out: a sum, a measure, a day, the
// time elsewhere. One that only names another place goes with the question before it.
func WorkedOut(p language.Prompt, text string) (reckon.Answer, bool) {
	if len(strings.Fields(text)) > mostAsked {
		return reckon.Answer{}, false
	}
	zone := cmp.Or(p.Zone, time.UTC)
	for n, turn := range slices.Backward(p.Recent) {
		out, ok := reckon.Follow(turn.Prompt, text, p.AsOf, zone)
		if ok && !slices.ContainsFunc(p.Recent[n+1:], func(since language.Turn) bool {
			_, follows := reckon.Follow(turn.Prompt, since.Prompt, p.AsOf, zone)
			return !follows // something else was said since
		}) {
			return out, true
		}
	}
	out, ok := reckon.Read(text, p.AsOf, zone)
	if plain := sentences.PlainText(text); (!ok || out.Open) && plain != text {
		if again, read := reckon.Read(plain, p.AsOf, zone); read && !again.Open {
			return again, true
		}
	}
	return out, ok
}

// mostAsked bounds the words of a question that is worked out.
const mostAsked = 48
