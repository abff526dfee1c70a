package hearing

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain/language"
	"chalie/domain/language/tongues"
)

// translated is a sentence in another language than English, with its time in English.
type translated struct {
	l    listener
	t    *tongues.Tongue
	text string
	at   tongues.Time
}

// abroad hears a sentence in German, Spanish or French: nothing when it is in none of them.
func (l listener) abroad(text string) []intent {
	t, ok := l.tongue(text)
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
	if one, ok := l.oneAbroad(t, s.text); ok {
		return []intent{l.keptAbroad(t, one, s.text)}
	}
	return nil
}

// twoAbroad are the things that a sentence asks for before and behind an "and" or a stop.
func (l listener) twoAbroad(t *tongues.Tongue, s said) []intent {
	for i, tried := 1, 0; i < len(s.words)-1 && tried < maxSplits; i++ {
		from := i
		switch {
		case s.words[i].quoted:
			continue
		case t.Is(s.words[i].lower, tongues.And):
			from++
		case !s.words[i-1].stop:
			continue
		}
		tried++
		second, ok := l.oneAbroad(t, s.text[s.words[from].start:])
		if !ok || second.weak {
			continue
		}
		first, ok := l.oneAbroad(t, s.text[:s.words[i-1].end])
		switch {
		case !ok || first.weak:
		case second.ask != "":
			return []intent{second} // what it asks may change the first: nothing is done yet
		case first.ask != "":
			return []intent{first}
		default:
			return []intent{first, second}
		}
	}
	return nil
}

// oneAbroad is the single thing that a text asks for.
func (l listener) oneAbroad(t *tongues.Tongue, text string) (intent, bool) {
	if l.isGivenUp() {
		return intent{}, false
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
	return intent{}, false
}

// fitting fits the phrases of a request to the forms of a sentence.
func fitting(of []said, r tongues.Request) (captured, bool) {
	for _, p := range r.Phrases {
		for _, s := range of {
			if c, ok := s.match(phrase(p)); ok {
				return c, true
			}
		}
	}
	return captured{}, false
}

// foreign splits a text into words of a language.
func foreign(t *tongues.Tongue, text string) (said, bool) {
	s, ok := read(text)
	if !ok {
		return said{}, false
	}
	s.words = nil
	all := tongues.Words(s.text)
	for i, w := range all {
		if w.IsMark() && w.Text != "%" {
			continue
		}
		out := word{lower: w.Text, start: w.Start, end: w.End, quoted: w.Quoted}
		if i+1 < len(all) {
			out.colon, out.stop = all[i+1].Text == ":", strings.ContainsAny(all[i+1].Text, ".,!?;…")
		}
		stem, isList := listWord(t, w.Text)
		if !isList {
			s.words = append(s.words, out)
			continue
		}
		list := out // which takes no room, as the second word of a contraction
		list.lower, list.start = "liste", out.end
		out.lower, out.colon, out.stop = stem, false, false
		s.words = append(s.words, out, list)
	}
	return s, len(s.words) > 0
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
func forms(t *tongues.Tongue, text string) []said {
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
		s = s.upTo(len(s.words) - back).from(front)
		s.question = s.question && front == 0
	}
	s.words = slices.Clone(s.words)
	for i := 1; i < min(len(s.words)-1, 4); i++ {
		if t == tongues.German && s.is(i, "bitte", "doch", "mal") {
			s.words = slices.Delete(s.words, i, i+1)
		}
	}
	out := []said{s}
	last := len(s.words) - 1
	if verb := t.Asking(s.words[0].lower); verb != "" {
		s.words = slices.Clone(s.words)
		s.words[0].lower = verb
		if s.is(1, "sie", "du") && last > 1 {
			s.words = slices.Delete(s.words, 1, 2)
		}
		out = append(out, s)
	} else if verb := t.Asking(s.words[last].lower); verb != "" && last > 0 {
		moved := s.words[last]
		moved.lower, moved.start, moved.end = verb, s.words[0].start, s.words[0].start // it takes no room there
		s.words = append([]word{moved}, s.words[:last]...)
		out = append(out, s)
	}
	if len(original.words) != len(out[0].words) {
		out = append(out, original)
	}
	return out
}

func lowered(s said) []string {
	out := make([]string, len(s.words))
	for i, w := range s.words {
		out[i] = w.lower
	}
	return out
}

// intent is what a request asks for, with what its phrase has caught.
func (tr translated) intent(k tongues.Kind, c captured) (intent, bool) {
	switch k {
	case tongues.Remind:
		if what := c.sentence("what"); len(what.words) > 0 && tr.t.Is(what.words[0].lower, tongues.Condition) {
			return intent{tool: skillRemind, ask: fmt.Sprintf(tr.t.Says(tongues.AskOdd), mention(what.all()))}, true
		}
		return tr.reminded(c.get("what"), tr.at.English), true
	case tongues.RemindBefore:
		return tr.remindedBefore(c)
	case tongues.RemindOdd:
		if odd := c.sentence("odd"); c.get("what") == "" && tr.t.Clause(lowered(odd)) {
			return tr.reminded(odd.all(), tr.at.English), true
		}
		return intent{tool: skillRemind, ask: fmt.Sprintf(tr.t.Says(tongues.AskOdd), mention(c.get("odd")))}, true
	case tongues.Alarm, tongues.Timer, tongues.Wake:
		return tr.alarm(k, c.get("what")), true
	case tongues.MoveIt:
		return tr.moved(c), tr.at.Said && !tr.isIt(c)
	case tongues.Move, tongues.Again:
		return tr.moved(c), !tr.isIt(c)
	case tongues.Skip:
		return tr.skipped(c)
	case tongues.CancelAlarm:
		if odd := tr.odd(); odd != "" {
			return intent{tool: skillReminder, ask: odd}, true
		}
		return ended(joined("alarm", joined(tr.bare(c, "what"), tr.at.English)), "cancel")
	case tongues.CancelAll:
		return tr.during(intent{tool: skillReminder, params: map[string]any{"action": "cancel", "all": true}, ask: tr.odd()}), true
	case tongues.CancelAlarms:
		return tr.during(intent{tool: skillReminder, params: map[string]any{"action": "cancel", "all": true, "which": "alarms"}, ask: tr.odd()}), true
	case tongues.Cancel:
		in, _ := ended(tr.which(c), "cancel")
		return in, !tr.isIt(c)
	case tongues.Done:
		return ended(tr.which(c), "done")
	case tongues.Plans, tongues.PlanReminders, tongues.PlanTasks:
		return tr.plans(k), true
	case tongues.Lists:
		return intent{tool: skillPlans, params: map[string]any{"kind": "lists"}}, true
	case tongues.Task, tongues.Must:
		return tr.task(k, c)
	case tongues.Progress:
		return tr.progress(c)
	case tongues.DropTasks:
		return intent{tool: skillTask, params: map[string]any{"action": "drop", "all": true}}, !c.said.question
	case tongues.Scrap:
		return intent{tool: skillRemove, params: map[string]any{"which": tr.unled(c.get("which"))}, subject: "which"}, !c.said.question && !tr.isIt(c)
	case tongues.Complete, tongues.DropTask:
		return tr.taskEnded(k, c)
	case tongues.AddBare:
		if slices.ContainsFunc(c.sentence("item").words, func(w word) bool {
			return tr.t.Tells(w.lower) && !tr.t.Is(w.lower, tongues.Article) && !tr.t.Is(w.lower, tongues.And)
		}) {
			return intent{}, false // mustard is missing from the list
		}
		return tr.list(tongues.Add, c)
	case tongues.Add, tongues.Remove, tongues.Show, tongues.Drop:
		return tr.list(k, c)
	}
	return tr.known(k, c)
}

// known hears what is remembered, and what is asked of Chalie itself or of appointments.
func (tr translated) known(k tongues.Kind, c captured) (intent, bool) {
	about := map[string]any{}
	if words := tr.bare(c, "about"); words != "" {
		about["about"] = words
	}
	switch k {
	case tongues.Remember:
		return intent{tool: skillRemember, params: map[string]any{"what": tr.fact(c.get("what"))}, subject: "what"}, !c.said.question
	case tongues.Fact:
		return intent{tool: skillRemember, params: map[string]any{"what": c.said.all()}, subject: "what", weak: true}, !c.said.question
	case tongues.Recall:
		return intent{tool: skillRecall, params: about, subject: "about"}, true
	case tongues.Values:
		of := map[string]any{"of": about["about"]}
		if tr.at.English != "" {
			of["during"] = tr.at.English
		}
		return intent{tool: skillValues, params: of, subject: "of"}, about["about"] != nil
	case tongues.Forget:
		return intent{tool: skillForget, params: map[string]any{"what": tr.bare(c, "what")}, subject: "what", weak: true}, !c.said.question
	case tongues.Did:
		return intent{tool: skillPlans, params: map[string]any{"done": true}}, true
	case tongues.Missed:
		return intent{tool: skillHeard, params: map[string]any{}}, true
	case tongues.Status:
		return intent{tool: skillStatus, params: about}, true
	case tongues.WhyNot:
		about["not"] = true
		return intent{tool: skillWhy, params: about}, true
	case tongues.Why:
		return intent{tool: skillWhy, params: about}, true
	}
	return tr.dates(k, c)
}

// bare is what a name stands for without the words that only stand before a noun: plans
// and memories are found by their own words.
func (tr translated) bare(c captured, name string) string {
	s := c.sentence(name)
	for len(s.words) > 1 && tr.t.Is(s.words[0].lower, tongues.Article) {
		s = s.from(1)
	}
	if len(s.words) == 1 && tr.t.Is(s.words[0].lower, tongues.Article) {
		return ""
	}
	return s.all()
}

// which is what a plan is found by: its words, and when it is due in English.
func (tr translated) which(c captured) string {
	words := tr.bare(c, "which")
	if of, both := tr.bothOf(words); both {
		words = "both " + of
	}
	at := tr.t.When(words)
	if at.English == "" || len(at.Unread) > 0 {
		return tr.unled(words)
	}
	return joined(tr.unled(at.Rest), at.English)
}

// unled is a text without the small words that lead to what it names: mit der Katze.
func (tr translated) unled(text string) string {
	s, ok := foreign(tr.t, text)
	if !ok {
		return text
	}
	for len(s.words) > 1 && !s.words[0].quoted && !tr.t.IsEvent(s.words[0].lower) && (tr.t.Is(s.words[0].lower, tongues.Small) || tr.t.Is(s.words[0].lower, tongues.Article)) {
		s = s.from(1)
	}
	return s.all()
}

// bothOf is what is meant by two: los dos recordatorios de llamar a Elena.
func (tr translated) bothOf(text string) (of string, both bool) {
	s, ok := foreign(tr.t, text)
	if !ok || len(s.words) < 3 || !s.is(0, "dos", "ambos", "ambas", "deux", "beide", "beiden", "zwei") || !s.is(1, "recordatorios", "avisos", "alarmas", "citas", "rappels", "alarmes", "erinnerungen", "wecker", "termine") {
		return "", false
	}
	s = s.from(2)
	for len(s.words) > 1 && (tr.t.Is(s.words[0].lower, tongues.Article) || s.is(0, "de", "del", "d", "para", "pour", "an", "mit", "zu")) {
		s = s.from(1)
	}
	return s.all(), true
}

// odd is a question about words of time that weren't read, or that no time can be made of;
// "" when there are none.
func (tr translated) odd() string {
	unread := tr.at.Unread
	if tr.at.Length != "" {
		unread = append(slices.Clone(unread), tr.at.As)
	}
	if len(unread) == 0 && tr.at.Said && !tr.l.isReadable(tr.at.English) {
		unread = []string{tr.text}
	}
	if len(unread) == 0 {
		return ""
	}
	return tr.oddly(unread)
}

// oddly asks about words of time.
func (tr translated) oddly(unread []string) string {
	return fmt.Sprintf(tr.t.Says(tongues.AskOdd), mention(strings.Join(unread, " … ")))
}

// isReadable reports whether English words are a time from end to end. One that can't be
// used is one: what is wrong with it is for the skill to say.
func (l listener) isReadable(english string) bool {
	t := l.timing(english)
	return t.wrong || t.said && t.rest == "" && !t.left
}

// reminded is a reminder of something at a time.
func (tr translated) reminded(what, at string) intent {
	out := intent{tool: skillRemind, whole: tr.text, subject: "what", moment: "when"}
	odd := tr.odd()
	if tr.t.Is(strings.ToLower(what), tongues.Article) {
		what = "" // that of Monday
	}
	switch {
	case odd != "":
		out.ask, out.subject, out.moment = odd, "", ""
	case !tr.at.Said && what == "":
		out.ask = tr.t.Says(tongues.AskWhat)
	case !tr.at.Said:
		out.params, out.missing = map[string]any{"what": what}, "when"
		out.ask = fmt.Sprintf(tr.t.Says(tongues.AskWhen), mention(what))
	case what == "":
		out.params, out.missing = map[string]any{"when": at}, "what"
		out.ask = fmt.Sprintf(tr.t.Says(tongues.AskThing), mention(tr.at.As))
	default:
		out.params = map[string]any{"what": what, "when": at}
	}
	return out
}

// alarm is a reminder that says no more than that it is an alarm or a timer. Who gets up
// does so in the morning.
func (tr translated) alarm(k tongues.Kind, what string) intent {
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
func (tr translated) moved(c captured) intent {
	out := intent{tool: skillReminder, params: map[string]any{"action": "move"}, subject: "which", moment: "when"}
	if which := tr.bare(c, "which"); which != "" {
		out.params["which"] = which
	}
	switch odd := tr.odd(); {
	case odd != "":
		out.ask = odd
	case tr.at.Range: // from three to four: it isn't told which of them is the new one
		out.ask = fmt.Sprintf(tr.t.Says(tongues.AskOdd), mention(tr.at.As))
	case !tr.at.Said:
		out.missing, out.ask = "when", tr.t.Says(tongues.AskMove)
	default:
		out.params["when"] = tr.at.English
	}
	return out
}

// plans is a question for what is planned, and perhaps when.
func (tr translated) plans(k tongues.Kind) intent {
	out := intent{tool: skillPlans, params: map[string]any{}, ask: tr.odd()}
	switch {
	case k == tongues.PlanReminders:
		out.params["kind"] = "reminders"
	case k == tongues.PlanTasks && !tr.at.Said: // what is to be done on a day are not only tasks
		out.params["kind"] = "tasks"
	}
	if tr.at.English != "" {
		out.params["during"] = strings.TrimPrefix(tr.at.English, "on ")
	}
	return out
}

// task is something to be done. Only with a deadline "I have to" surely is a task.
func (tr translated) task(k tongues.Kind, c captured) (intent, bool) {
	what := c.get("what")
	out := intent{tool: skillTask, params: map[string]any{"action": "create", "what": what}, subject: "what", moment: "deadline", ask: tr.odd()}
	switch {
	case c.said.question:
		return intent{}, false
	case k == tongues.Must && !c.said.is(0, "ich", "wir") && tr.t == tongues.German && strings.HasPrefix(strings.ToLower(tr.text), c.said.words[0].lower):
		return intent{}, false // muss ich morgen arbeiten: without its mark a question still
	case k == tongues.Must && tr.t.Is(c.sentence("what").words[0].lower, tongues.Idle):
		return intent{}, false
	case k == tongues.Must && !tr.at.Said:
		return intent{tool: skillTask, weak: true, params: map[string]any{}, ask: fmt.Sprintf(tr.t.Says(tongues.AskTask), cut(what, maxLabelBytes))}, true
	case tr.at.English != "":
		out.params["deadline"] = tr.at.English
	}
	return out, true
}

// progress hears how far a task has come.
func (tr translated) progress(c captured) (intent, bool) {
	percent, err := strconv.Atoi(c.get("n"))
	if err != nil || percent > 100 || c.said.question || tr.isNothing(c.sentence("which").words[0].lower) {
		return intent{}, false
	}
	return intent{tool: skillTask, weak: true, params: map[string]any{"action": "progress", "which": tr.bare(c, "which"), "percent": percent}, subject: "which"}, true
}

// taskEnded hears that a task is done, or not wanted any more.
func (tr translated) taskEnded(k tongues.Kind, c captured) (intent, bool) {
	const longest = 6 // words; more are a story
	which := c.sentence("which")
	denied := slices.ContainsFunc(which.words, func(w word) bool { return tr.t.Is(w.lower, tongues.Negative) })
	if c.said.question || denied || len(which.words) > longest || tr.isNothing(which.words[0].lower) {
		return intent{}, false
	}
	if k == tongues.DropTask {
		return taskEnded(tr.bare(c, "which"), "drop"), true
	}
	return taskEnded(tr.bare(c, "which"), "complete"), true
}

// isNothing reports whether words that begin with one name nothing that a task could be.
func (tr translated) isNothing(first string) bool {
	return tr.t.Is(first, tongues.Vague) || tr.t.Is(first, tongues.Condition) || tr.t.Is(first, tongues.Negative)
}

// list hears what is to happen to a list. What is to be done is a task, whatever list it
// is said to stand on.
func (tr translated) list(k tongues.Kind, c captured) (intent, bool) {
	name := tr.bare(c, "list")
	apart := slices.ContainsFunc(c.sentence("list").words, func(w word) bool { return tr.t.Is(w.lower, tongues.Apart) })
	if first := c.sentence("item"); len(first.words) > 0 && tr.t.Is(first.words[0].lower, tongues.Negative) {
		return intent{}, false
	}
	if apart || len(c.sentence("list").words) > maxListNameWords || c.said.question && k != tongues.Show {
		return intent{}, false
	}
	if at, item := c.place("list"), c.place("item"); name != "" && at[1] == item[0] && at[1] > 0 && !c.said.words[at[1]-1].colon && tr.t.List(name) == "" {
		return intent{}, false // where does its name end?
	}
	if english := tr.t.List(name); english == "tasks" {
		return tr.onTasks(k, c)
	} else if english != "" {
		name = english
	}
	out := intent{tool: skillList, params: map[string]any{"action": string(k)}}
	if name != "" {
		out.params["list"] = name
	}
	everything := c.sentence("item")
	switch item := tr.items(everything); {
	case k == tongues.Remove && len(everything.words) == 1 && tr.t.Is(everything.words[0].lower, tongues.Every):
		out.params["action"] = "clear"
	case k == tongues.Show || k == tongues.Drop:
	case item == "":
		out.missing, out.subject, out.ask = "item", "item", tr.t.Says(tongues.AskItem)
	default:
		out.params["item"], out.subject = item, "item"
	}
	return out, true
}

// place is where what a name stands for begins and ends.
func (c captured) place(name string) [2]int {
	if i := slices.Index(c.names, name); i >= 0 {
		return c.parts[i]
	}
	return [2]int{}
}

// onTasks is what is to happen on the list of tasks.
func (tr translated) onTasks(k tongues.Kind, c captured) (intent, bool) {
	item := c.get("item")
	switch {
	case k == tongues.Show:
		return intent{tool: skillPlans, params: map[string]any{"kind": "tasks"}}, true
	case k == tongues.Drop || item == "":
		return intent{}, false
	case k == tongues.Remove:
		return taskEnded(tr.bare(c, "item"), "drop"), true
	}
	out := intent{tool: skillTask, params: map[string]any{"action": "create", "what": item}, subject: "what", moment: "deadline", ask: tr.odd()}
	if at := tr.t.When(item); at.English != "" && at.Rest != "" {
		out.params["what"], out.params["deadline"] = at.Rest, at.English
	}
	return out, true
}

// items are entries with commas between them. What is in quotation marks is one entry.
func (tr translated) items(s said) string {
	var out []string
	from := 0
	entry := func(to int) {
		one := s
		one.words = s.words[from:to]
		for len(one.words) > 1 && tr.t.Is(one.words[0].lower, tongues.Article) {
			one = one.from(1)
		}
		if text := one.all(); text != "" {
			out = append(out, text)
		}
	}
	for i, w := range s.words {
		switch {
		case w.quoted:
		case tr.t.Is(w.lower, tongues.And):
			entry(i)
			from = i + 1
		case w.stop && i < len(s.words)-1:
			entry(i + 1)
			from = i + 1
		}
	}
	entry(len(s.words))
	return strings.Join(out, ", ")
}

// inEnglish is a text with its first words and its time in English, when it takes back,
// replaces or answers: never mind; no, at nine; and butter. Too short to tell its language
// it is in that of what was said before. Any other text stays as it is.
func (l listener) inEnglish(text, before string) string {
	t, ok := tongues.Of(text)
	if !ok {
		t, ok = tongues.Of(before)
	}
	if !ok || len(strings.Fields(text)) > maxAnswerWords {
		return text
	}
	plainly := t.Plain(text)
	if small := smallAnswer(t, plainly); small != "" {
		return small
	}
	if pointed := l.pointedAbroad(t, plainly); pointed != "" {
		return pointed
	}
	if l.abroad(text) != nil || l.byDeed(text) != nil {
		return text
	}
	s, ok := foreign(t, plainly)
	if !ok {
		return text
	}
	front, s := beginning(t, s)
	rest := s.all()
	if pick := t.Pick(rest); pick != "" {
		return front + pick
	}
	at := t.When(rest)
	unread := at.English == "" || len(at.Unread) > 0 || !l.isReadable(at.English)
	switch {
	case !unread && at.Rest == "":
		return front + at.English
	case !unread && (t.Is(strings.ToLower(at.Rest), tongues.Article) || pointing.MatchString(tongues.Fold(at.Rest)+" ")):
		return front + "the one " + at.English
	case !at.Said && l.asksWhich():
		if name := behindPointing(rest); name != "" {
			return front + "the one about " + name
		}
	case front == "make it " && l.namesTool(rest): // mach das Licht an: nothing is corrected
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
func (l listener) asksWhich() bool {
	last, ok := l.last()
	return ok && (strings.Contains(last.Reply, " is meant: ") || strings.HasPrefix(last.Reply, whichOne))
}

// takenBack is "undo" for a text in another language that takes the last change back, also behind a
// no: no, deshazlo; "" for any other. What also calls off what was just done is left to that.
func (l listener) takenBack(text string) string {
	t, ok := l.tongue(text)
	if !ok || len(strings.Fields(text)) > maxAnswerWords {
		return ""
	}
	if last, _ := l.last(); slices.ContainsFunc(last.Done, l.hasChanged) && smallAnswer(t, text) != "" {
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
func (l listener) pointedAbroad(t *tongues.Tongue, text string) string {
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
		if at.English != "" && len(at.Unread) == 0 && l.isReadable(at.English) {
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
func beginning(t *tongues.Tongue, s said) (front string, rest said) {
	for len(s.words) > 1 {
		last := len(s.words) - 1
		switch n := t.Corrects(lowered(s)); {
		case n > 0:
			front, s = "make it ", s.from(n)
		case t.Is(s.words[0].lower, tongues.Instead):
			front, s = cmp.Or(front, "no, "), s.from(1)
		case t.Is(s.words[last].lower, tongues.Instead) && len(s.words) > 2:
			front, s = cmp.Or(front, "no, "), s.upTo(last)
		case t.Is(s.words[0].lower, tongues.Negative):
			return front + "not ", s.from(1)
		case front == "" && t.Is(s.words[0].lower, tongues.And):
			return "and ", s.from(1)
		default:
			return front, s
		}
	}
	return front, s
}

// talkAbroad answers small words in the language that they are said in, and says in that
// language that it didn't understand. "" is for another language.
func talkAbroad(p language.Prompt) string {
	t, ok := tongueOf(p)
	if !ok {
		return workedAbroad(p)
	}
	all := forms(t, t.Plain(p.Asked.Text))
	for _, r := range t.Requests() {
		c, ok := fitting(all, r)
		if !ok {
			continue
		}
		if question, asks := inNumbers(t, r.Kind, c); asks {
			if worked, ok := workedOut(p, question); ok {
				return t.Tell(worked.Text, tongues.Sentence)
			}
		}
		says, talk := r.Kind.Says()
		if !talk {
			continue
		}
		answer := t.Says(says)
		if says == tongues.Yes && asksNow(p) {
			return t.Says(tongues.NoAnswer)
		}
		if says == tongues.Clock {
			zone := p.Zone
			if zone == nil {
				zone = time.UTC
			}
			now := p.AsOf.Time().In(zone)
			return fmt.Sprintf(answer, now.Format("15:04"), now.Format(t.Says(tongues.Date)))
		}
		return answer
	}
	return t.Says(tongues.Unsure)
}

// readsOnly answers what is in a language that isn't read.
func readsOnly(text string) string {
	if !tongues.Elsewhere(text) {
		return ""
	}
	return "I read English, German, Spanish and French: say it in one of them. (Deutsch, español, français.)"
}

// tongueOf is the language of a message: its own, or that of the message before where it has
// no word by which to tell.
func tongueOf(p language.Prompt) (*tongues.Tongue, bool) {
	if t, ok := tongues.Of(p.Asked.Text); ok || len(p.Recent) == 0 {
		return t, ok
	}
	t, ok := tongues.Of(p.Recent[len(p.Recent)-1].Prompt)
	return t, ok && t.Fits(p.Asked.Text)
}

// asksNow reports whether the last reply asks something.
func asksNow(p language.Prompt) bool {
	return len(p.Recent) > 0 && strings.Contains(p.Recent[len(p.Recent)-1].Reply, "?")
}

// inNumbers is a question for the time elsewhere or for a sum in English.
func inNumbers(t *tongues.Tongue, k tongues.Kind, c captured) (question string, ok bool) {
	switch k {
	case tongues.ClockIn:
		return "what time is it in " + t.City(c.get("place")), true
	case tongues.Sum:
		sum, ok := t.Sum(c.get("sum"))
		return "what is " + sum, ok
	}
	return "", false
}

// workedAbroad answers a sum, or a question for the time elsewhere, that has too few words to
// tell its language.
func workedAbroad(p language.Prompt) string {
	for _, t := range tongues.All() {
		if !t.Fits(p.Asked.Text) || !t.Speaks(p.Asked.Text) {
			continue
		}
		all := forms(t, t.Plain(p.Asked.Text))
		for _, r := range t.Requests() {
			if r.Kind != tongues.ClockIn && r.Kind != tongues.Sum {
				continue
			}
			c, ok := fitting(all, r)
			if !ok {
				continue
			}
			if question, asks := inNumbers(t, r.Kind, c); asks {
				if worked, ok := workedOut(p, question); ok {
					return t.Tell(worked.Text, tongues.Sentence)
				}
			}
		}
	}
	return ""
}

// tongue is the language of a text, which may be too short to tell it by itself.
func (l listener) tongue(text string) (*tongues.Tongue, bool) {
	p := l.p
	p.Asked.Text = text
	t, ok := tongueOf(p)
	return t, ok && t.Speaks(text)
}
