package plans

import (
	"slices"
	"strings"
	"time"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Alarm hears who wants an alarm or a timer: a reminder that says no more than that.
func (l Planner) Alarm(lead string, s sentences.Said) (tools.Intent, bool) {
	if _, bare := s.Any("a|an|another? alarm|timer", "alarm|timer please"); bare && !s.Question {
		return l.titled(lead, s.Words[len(s.Words)-1].Lower), true
	}
	c, ok := s.Any("set|start|create|add|make|put|place|give|get|sound|have|ring me? up? an|a|another|the|my|two|three? new? egg|kitchen? alarm|timer|alarms|timers|countdown|alert clock? on|please? *when", "egg|kitchen? alarm|timer|countdown for|of *when", "egg|kitchen? alarm|timer please? *when", "two|three alarms|timers please? *when", "alarm when|once|as|if|after *when")
	if c, ok := s.Any("set|start|make|put|add a|an|another? *length timer|countdown for? *what", "set|start|make|put|add a|an|another? *length timer|countdown", "i want|need a|an|another? *length timer|countdown for? *what", "i want|need a|an|another? *length timer|countdown", "a|an? *length timer|countdown please? for *what", "a|an? *length timer|countdown"); ok && l.IsOnlyTime(c.Get("length")) && !s.Question {
		return l.SaidOf(strings.TrimSpace("timer "+c.Get("what")), c.Get("length"), s.All()), true
	}
	if c, ok := s.Any("set|start|make|put|add me? a|an|another|my? timer|countdown for|of|called *words", "timer|countdown for|of|called *words"); ok && !s.Question {
		for words, n := c.Sentence("words"), 1; n < 4 && n < len(words.Words); n++ { // a timer for pasta 9 minutes, for 9 minutes for pasta
			if ahead := words.From(n); n > 1 && l.IsLength(words.Part(0, n)) && ahead.Is(0, "for") && len(ahead.Words) > 1 && !l.Timing(ahead.All()).Said {
				return l.SaidOf("timer: "+ahead.From(1).All(), words.Part(0, n), s.All()), true
			}
			name, length := words.UpTo(len(words.Words)-n), words.Part(len(words.Words)-n, len(words.Words))
			if n > 1 && l.IsLength(length) && !l.Timing(name.All()).Said && !l.IsLength(name.All()) && !name.Is(len(name.Words)-1, "in", "for", "and", "after", "of") {
				return l.SaidOf("timer: "+name.All(), length, s.All()), true
			}
		}
	}
	if c, ok := s.Any("timer *when"); ok && !s.Question && !c.Sentence("when").Is(0, "for", "of", "in") {
		for words, n := c.Sentence("when"), 3; n > 1; n-- { // timer 3 min eggs
			if n >= len(words.Words) {
				continue
			}
			if _, length := when.Later(words.Part(0, n), l.P.AsOf, l.Zone()); length && !l.Timing(words.Part(n, len(words.Words))).Said {
				return l.SaidOf("timer "+words.Part(n, len(words.Words)), words.Part(0, n), s.All()), true
			}
		}
	}
	if c, ok := s.Any("set|start|make|put|add a|an|my? *name timer|alarm for|at *when"); ok && !s.Question {
		name := c.Sentence("name")
		if kind := s.Words[len(s.Words)-len(c.Sentence("when").Words)-2].Lower; len(name.Words) <= 3 && !name.Is(0, "a", "an", "the", "my", "new", "another", "me", "two", "three", "up", "recurring", "repeating") && !l.Timing(name.All()).Said && !l.Timing(name.All()).Wrong {
			return l.titled(c.Get("when"), kind+": "+name.All()), true
		}
	}
	if _, again := s.Any("reset|adjust|change|edit|modify|update|fix my|the|an? alarm|alarms|timer|timers"); again {
		return tools.Intent{Tool: tools.SkillReminder, Ask: tools.Says("ask.alarm", "lacks", speech.Kind("which"))}, true
	}
	if bare := s.Is(0, "alarm", "timer") || s.Is(1, "timer"); !ok || s.Question || bare && !l.Timing(c.Get("when")).Said && !l.IsOnlyTime(WithoutLink(c.Get("when"))) && !s.Is(1, "for", "of", "when", "once", "as", "if", "after") && !s.Is(2, "for", "of") {
		return tools.Intent{}, false
	}
	what, text := "alarm", tools.Joined(lead, c.Get("when"))
	if s.Is(0, "alarm") && s.Is(1, "when", "once", "as", "if", "after") {
		text = s.From(1).All()
	}
	switch {
	case sentences.HasAny(s, "timer", "timers"):
		what = "timer"
	case sentences.HasAny(s, "countdown"):
		what = "countdown"
	case sentences.HasAny(s, "alert") && !sentences.HasAny(s, "alarm", "alarms"):
		what = "alert"
	}
	if rest, cut := strings.CutPrefix(text, "for "); cut && what != "alarm" && l.IsOnlyTime(rest) {
		text = rest
	}
	return l.titled(text, what), true
}

// wakings are ways to ask to be woken; what stands behind them says when.
var wakings = []sentences.Phrase{
	"wake me up?", "get me up", "get me out of bed", "ring me awake", "wake *who up", "i? want|need|have|got|wanna|gotta|ought to? wake|get up", "i? want|need|have|got|wanna|gotta|ought|must|should to? be up|awake", "i must|should be up|awake", "i? want|need|have to? be woken up?", "i would like to be woken up?",
	"make sure that? i am|get|wake up|awake", "do not let me oversleep", "i? want|need|get|have a? wake-up|wakeup call?", "i? want|need|get|have a? wake up call", "arrange to? wake me up?", "arrange|set|book up? me? a? wake-up|wakeup call?", "set|book up? me? a? wake up call", "wake|get up", "wake-up|wakeup call?", "wake up call", "i would like to wake|get|be up|awake",
}

// WakingAt is how many words at a place ask to be woken.
func WakingAt(s sentences.Said, i int) int {
	const longest = 8
	if !s.MayStandAt(i, wakings) {
		return 0
	}
	for n := min(longest, len(s.Words)-i); n > 0; n-- {
		part := s
		part.Words = s.Words[i : i+n]
		if _, ok := part.Any(wakings...); ok && !(part.Is(0, "wake") && n > 4) {
			return n
		}
	}
	return 0
}

// Wakes splits a sentence behind what asks to be woken: "wake me up", "a wake up call".
func Wakes(s sentences.Said) (head, rest string, ok bool) {
	n := WakingAt(s, 0)
	if n == 0 && s.Is(0, "a", "my") {
		if n = WakingAt(s, 1); n > 0 {
			n++
		}
	}
	if n == 0 {
		return "", "", false
	}
	return WakingTitle(s, n), WithoutWaking(s.From(n)).All(), true
}

// WakingTitle is what asks to be woken in a sentence's first words, without what leads to it.
func WakingTitle(s sentences.Said, n int) string {
	first := 0
	for first < n-1 && !s.Is(first, "wake", "get", "be", "up", "awake", "wake-up", "wakeup", "ring", "oversleep", "woken") {
		first++
	}
	if !saysWaking(s.UpTo(n).From(first)) {
		return "alarm" // which is meant in the morning, too
	}
	return s.Part(first, n)
}

// saysWaking reports whether words name waking itself.
func saysWaking(s sentences.Said) bool {
	return sentences.HasAny(s, "wake", "wake-up", "wakeup") || s.Begins("get", "up")
}

// WithoutWaking is what stands behind an asking to be woken, without another one: "on Saturday, I
// have to be up by 7:40".
func WithoutWaking(s sentences.Said) sentences.Said {
	for i := 1; i < len(s.Words); i++ {
		if !s.Words[i-1].Stop && !s.Is(i-1, "so") {
			continue
		}
		n := WakingAt(s, i)
		if n == 0 {
			continue
		}
		text := strings.TrimRight(s.Text[s.Start():s.Words[i].Start], ", ") + " " + s.Text[s.Words[i+n-1].End:]
		if again, ok := sentences.Read(text); ok {
			return again
		}
	}
	return s
}

// ringings are ways to ask for an alarm where a part of a sentence begins.
var ringings = []sentences.Phrase{"set|make|put|add|create|place|give|get me? up? an|a|another|the|my|two|three? alarm|timer|alarms|timers on?", "i want|need an|a alarm|timer", "alarm|timer|alarms"}

// RingingAt is how many words at a place ask for an alarm.
func RingingAt(s sentences.Said, i int) int {
	const longest = 7
	if !s.MayStandAt(i, ringings) {
		return 0
	}
	for n := min(longest, len(s.Words)-i); n > 0; n-- {
		part := s
		part.Words = s.Words[i : i+n]
		if _, ok := part.Any(ringings...); ok {
			return n
		}
	}
	return 0
}

// Rings is an alarm for what stands before it, at the time that stands behind it or there.
func (l Planner) Rings(title string, before, after sentences.Said) tools.Intent {
	for len(after.Words) > 0 && after.Is(len(after.Words)-1, "please", "thanks") {
		after = after.UpTo(len(after.Words) - 1)
	}
	whole := title + ": " + before.All() + ", " + after.All()
	story, at := l.apart(before), l.apart(after)
	_, back := after.Any(sameMoment...)
	_, isDone := after.Any(whenDone...)
	what := title + ": " + bareStory(story.what)
	if rest := WithoutLink(at.what); at.clear && at.said && rest != "" && !slices.Contains(links, rest) {
		what += ", " + rest
	}
	moment := at.when
	switch {
	case liesAhead(after) && story.said:
		if moment = l.ahead(story.when, after); moment == "" {
			return asksWhenThat(whole)
		}
		return l.SaidOf(title+": "+bareStory(story.what), moment, whole)
	case !story.said && story.clear && (isDone || back || len(after.Words) == 0) && l.lengthIn(before) != "":
		moment = "in " + l.lengthIn(before)
		what = title + ": " + before.All()
	case back || len(after.Words) == 0:
		if moment = story.when; !story.clear {
			return l.Handed(whole)
		}
	case at.clear && at.said && story.clear && story.said:
		moment = l.meant(story.when, at.when)
	case !at.said, !at.clear:
		return l.Handed(whole)
	}
	if moment == "" && story.said {
		return l.Handed(whole)
	}
	in := l.SaidOf(what, moment, whole)
	if words, _ := sentences.Read(title); back {
		for _, by := range []string{"until ", "till "} {
			if rest, ok := strings.CutPrefix(moment, by); ok && l.IsOnlyTime(rest) {
				in = l.SaidOf(what, rest, whole)
			}
		}
	} else if saysWaking(words) && l.Timing(title+" "+moment).When != moment {
		in = l.Handed(what + " " + moment) // what it is for tells which half of the day is meant
	}
	if moment == "" {
		in = l.unsaid(what)
		delete(in.Params, "when")
	}
	return l.Clocked(in, moment)
}

// Clocked is an alarm, or a question for its time of day when it has none.
func (l Planner) Clocked(in tools.Intent, moment string) tools.Intent {
	at, err := l.Parse(moment)
	if !in.Ask.IsZero() || err != nil {
		return in
	}
	day, clock := l.Parts(moment)
	words, _ := sentences.Read(moment)
	never := at.Recurrence != nil && !clock
	if part := at.To > 0 && !sentences.HasAny(words, "from", "between", "to", "until", "till"); day && !clock && at.Grain >= when.Day || part || never {
		in.Params["when"] = moment
		in.Moment, in.Missing, in.Ask = "when", "when", tools.Says("ask.time", "lacks", speech.Kind("clock"), "said", moment)
	}
	return in
}

// Woken is an alarm to wake up. What stands behind the time is said with it.
func (l Planner) Woken(title, text string) tools.Intent {
	if s, ok := sentences.Read(text); ok {
		for i := 1; i < len(s.Words); i++ {
			if s.Words[i-1].Stop && l.IsOnlyTime(s.Part(0, i)) && !l.IsOnlyTime(s.All()) {
				return l.Reminded(title + ": " + s.Part(i, len(s.Words)) + " " + s.Part(0, i))
			}
		}
		for len(s.Words) > 1 && s.Is(len(s.Words)-1, "alarm", "please") && !IsBeside(text) {
			s = s.UpTo(len(s.Words) - 1)
		}
		text = s.All()
	}
	return l.titled(text, title)
}

// titled is a reminder that begins with what it is: "alarm", "alarm for kickball". It needs a
// time of day.
func (l Planner) titled(text, title string) tools.Intent {
	for _, idle := range []string{"for me ", "me ", "at me ", "please ", "to go off ", "to ring ", "to sound ", "ring ", "go off "} {
		if rest, ok := strings.CutPrefix(text, idle); ok {
			text = rest
		}
	}
	out := tools.Intent{Tool: tools.SkillRemind, Whole: text, Subject: "what", Moment: "when", Params: map[string]any{"what": title}}
	if text = strings.TrimSpace(text); text == "" || slices.Contains(links, strings.ToLower(text)) {
		out.Missing, out.Ask = "when", tools.Says("ask.alarm", "lacks", speech.Kind("time"))
		return out
	}
	text = l.tidied(text)
	if s, ok := sentences.Read(text); ok {
		if name, at, ok := l.named(s); ok {
			return l.titled(at, title+": "+name)
		}
	}
	t := l.Timing(text)
	if rest := WithoutLink(text); l.IsOnlyTime(rest) {
		text = ClockOf(rest) // for 12 minutes
		t = l.Timing(text)
	}
	if at := ClockOf(WithoutLink(text)); at != WithoutLink(text) && l.Clocks(at) && t.Said && !l.Clocks(t.When) {
		text, t = at, l.Timing(at) // for 6 tomorrow
	}
	if s, ok := sentences.Read(text); ok && !t.Said && !t.Wrong {
		if _, times := l.Several(text); len(times) > 1 {
			return l.Handed(title + " " + text)
		}
		if parts := l.apart(s); parts.clear && parts.said {
			return l.Clocked(l.SaidOf(title+" "+parts.what, parts.when, text), parts.when)
		}
	}
	if s, ok := sentences.Read(t.Rest); t.Said && t.When != "" && ok && s.Is(0, "on", "when", "once", "unless", "if", "while") && len(s.Words) > 1 {
		out.Ask = tools.Says("ask.when_is_that", "at", s.All(), "lacks", speech.Kind("day"))
		return out
	}
	if s, ok := sentences.Read(text); ok && s.Is(0, "when", "once", "if", "unless", "whenever") && !t.Said && !IsBeside(text) {
		out.Ask = tools.Says("ask.when_is_that", "at", text, "lacks", speech.Kind("time"))
		return out
	}
	if s, ok := sentences.Read(text); ok && strings.ContainsAny(t.Rest, "0123456789") {
		if what, at, apart := l.pieces(s); apart {
			return l.SaidOf(strings.TrimSpace(title+" "+strings.TrimPrefix(what, "there should be ")), at, text)
		}
	}
	switch only := t.Said && t.When != "" && WithoutLink(t.Rest) == "" || slices.Contains(links, t.Rest); {
	case only && l.Timing(title+" "+t.When).When == t.When, only && !l.Timing(title+" "+t.When).Said:
		out.Params["when"] = t.When
	default: // the title tells which half of the day is meant
		if out = l.Reminded(title + " " + text); out.Missing == "when" {
			out.Ask = tools.Says("ask.alarm", "lacks", speech.Kind("time"))
		}
	}
	if _, timed := out.Params["when"]; !timed || !out.Ask.IsZero() {
		return out
	}
	if out = l.Clocked(out, t.When); !out.Ask.IsZero() && !slices.Contains(links, strings.ToLower(t.Rest)) {
		out.Params["what"] = strings.TrimSpace(title + " " + t.Rest)
	}
	return out
}

// ClockOf is a text that begins with a bare number as the time of day that it is: of "6 tomorrow"
// it is "at 6 tomorrow".
func ClockOf(text string) string {
	s, ok := sentences.Read(text)
	if !ok || !isBareNumber(s.Part(0, 1)) || isBareNumber(s.Part(0, min(2, len(s.Words)))) && len(s.Words) > 1 {
		return text
	}
	const longest = 6
	for n := 2; n <= min(longest, len(s.Words)); n++ {
		if _, length := when.Later(s.Part(0, n), 0, time.UTC); length {
			return text
		}
	}
	return "at " + text
}

// OnlyAlarm hears what is to happen to an alarm whose name or whose part of a sentence would be
// taken for something else: "delete the meeting alarm", "remove Finlee's bedtime alarm",
// "practice is over, I don't need the alarm for it".
func (l Planner) OnlyAlarm(s sentences.Said) (tools.Intent, bool) {
	if !sentences.HasAny(s, "alarm", "alarms") {
		return tools.Intent{}, false
	}
	if _, several := s.Any("*some next|first two|three|four|five|six|2|3|4|5|6 alarms *rest", "*some next|first two|three|four|five|six|2|3|4|5|6 alarms"); several {
		if act, _ := ActOf(s); act == sentences.Asking || s.Question {
			return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"kind": "alarms"}}, true
		}
	}
	for i := range s.Words {
		if part := s.From(i); i == 0 || s.Words[i-1].Stop && sentences.HasAny(part, "alarm", "alarms") {
			if act, ok := ActOf(part); ok && act == sentences.Ending {
				s = part
				break
			}
		}
	}
	f, ok := l.TakeApart(s)
	at := slices.IndexFunc(s.Words, func(w sentences.Word) bool { return (w.Lower == "alarm" || w.Lower == "alarms") && !w.Quoted })
	if !ok || at < 0 || f.Act != sentences.Ending {
		return tools.Intent{}, false
	}
	f.noun, f.At = sentences.AnAlarm, at
	for i := range at {
		if w := s.Words[i].Lower; strings.HasSuffix(w, "'s") && sentences.Nouns[w] == sentences.NoNoun && !s.Is(i, "today's", "tomorrow's", "tonight's", "week's") && l.IsOnlyTime(s.Part(i+1, at)) {
			clear(f.Used[i+1 : at])
			f.Time = ""
		}
	}
	return l.onAlarm(f)
}

// FramedNow hears a sentence by its frame, unless it only tells of an alarm or a reminder: "my
// alarm rang at 5", "the reminder at 5 was wrong".
func (l Planner) FramedNow(s sentences.Said) (tools.Intent, bool) {
	_, asks := ActOf(s)
	alarm, reminder := sentences.HasAny(s, "alarm", "alarms", "timer"), sentences.HasAny(s, "reminder", "reminders")
	switch {
	case !alarm && !reminder:
	case reminder && s.Is(0, "send", "email", "text", "message", "mail", "write", "forward"): // to somebody else
		return tools.Intent{}, false
	case s.Is(0, "why") || s.Begins("how", "do", "i"), s.Begins("i", "have") && reminder,
		!asks && !s.Question && sentences.HasAny(s, "went", "rang", "heard", "woke", "was", "were", "had", "yesterday"),
		!asks && !s.Question && reminder && sentences.HasAny(s, "is", "are"):
		return tools.Intent{}, false
	}
	return l.Framed(s)
}

// isMoment reports whether a time without a clock is one: in two hours.
func (l Planner) isMoment(text string) bool {
	at, err := l.Parse(text)
	return err == nil && at.Grain < when.Day
}

// Several are the times of a text that stand in a row, each with what it shares with the others,
// and what else the text says. It is none when one of them can't be read, or comes again.
func (l Planner) Several(text string) (what string, times []string) {
	s, ok := sentences.Read(text)
	if !ok {
		return "", nil
	}
	for from := range s.Words {
		end := s.PartEnd(from, len(s.Words))
		if end == len(s.Words) || end-from > MaxTimeWords || !l.IsOnlyTime(s.Part(from, end)) {
			continue
		}
		for to := min(len(s.Words), from+maxSeveral*MaxTimeWords); to > end; to-- {
			if times = l.row(s, from, to); len(times) < 2 {
				continue
			}
			rest := strings.TrimSpace(s.Part(0, from) + " " + s.Part(to, len(s.Words)))
			if behind, ok := sentences.Read(rest); l.Timing(rest).Said || l.Timing(rest).Wrong || ok && sentences.HasAny(behind, "every", "each", "daily", "day", "week", "twice", "times", "until", "except", "before", "after", "earlier") {
				return "", nil
			}
			return plainTitle(rest), times
		}
	}
	return "", nil
}

// row are the times that some words say one after the other.
func (l Planner) row(s sentences.Said, from, to int) []string {
	var parts []string
	for from < to {
		end := s.PartEnd(from, to)
		part := s.Part(from, end)
		for from = end; from < to && s.Is(from, "and", "again", "one", "then", "another", "also"); {
			from++
		}
		if rest, ok := strings.CutPrefix(part, "for "); ok && !l.IsOnlyTime(part) {
			part = rest
		}
		if !l.IsOnlyTime(part) || l.Recurs(part) {
			return nil
		}
		parts = append(parts, part)
	}
	if len(parts) < 2 || len(parts) > maxSeveral {
		return nil
	}
	last, dated := parts[len(parts)-1], false
	for _, part := range parts {
		day, _ := l.Parts(part)
		dated = dated || day
	}
	for i, part := range parts {
		day, clock := l.Parts(part)
		if day && clock || !dated && clock || l.isMoment(part) && !clock {
			continue
		}
		if parts[i] = l.shared(part, last); parts[i] == "" {
			if parts[i] = l.shared(part, parts[0]); parts[i] == "" {
				return nil
			}
		}
	}
	return parts
}

// plainTitle is what times are for, without the words that lead to it.
func plainTitle(text string) string {
	s, ok := sentences.Read(WithoutLink(text))
	if !ok {
		return ""
	}
	for len(s.Words) > 1 && s.Is(0, "two", "three", "2", "3", "both", "one", "for", "to", "of", "a", "at") {
		s = s.From(1)
	}
	for len(s.Words) > 1 && s.Is(len(s.Words)-1, "for", "at", "on", "both", "please") {
		s = s.UpTo(len(s.Words) - 1)
	}
	return s.All()
}

// maxSeveral bounds how many times one sentence may say.
const maxSeveral = 4
