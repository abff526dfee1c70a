package plans

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// Planner hears what is to happen to what is planned: reminders, alarms and appointments.
type Planner struct{ abroad.Interpreter }

// NewPlanner is one for a prompt.
func NewPlanner(p language.Prompt) Planner { return Planner{abroad.NewInterpreter(p)} }

// Frame is a sentence taken apart: what is to happen, to what kind of plan, and when. It is
// for sentences that no phrase fits whole: their words may stand in any order, and what isn't
// known is what names the plan.
type Frame struct {
	S    sentences.Said
	Act  sentences.Act
	noun sentences.Noun
	At   int    // the word of the noun
	Used []bool // words that say act, noun or time
	Time string // the words of time, "" for none
	many bool   // several are meant
	All  bool   // all are
}

// surelyEnding are verbs with which nobody makes anything: what begins with one of them is to go.
var surelyEnding = sentences.WordsIn(`cancel delete remove erase wipe scrap scratch nix abort unschedule unbook unset disable deactivate destroy trash kill dismiss ditch cancle delet axe revoke uncheck`)

// IsEnding reports whether a sentence begins by saying that something is to go.
func IsEnding(s sentences.Said) bool {
	return len(s.Words) > 0 && !s.Words[0].Quoted && (surelyEnding[s.Words[0].Lower] || s.Begins("call", "off") || s.Begins("get", "rid", "of") || s.Begins("throw", "away") || s.Begins("throw", "out") || s.Begins("take", "away") || s.Begins("do", "away", "with"))
}

// Framed hears a sentence by its frame.
func (l Planner) Framed(s sentences.Said) (tools.Intent, bool) {
	if s.Is(0, "never") || s.Begins("what", "if") || s.Is(0, "tell", "ask") && !s.Is(1, "me", "us", "about") || s.Begins("do", "not") || s.Begins("what", "is", "a") || s.Begins("what", "is", "an") {
		return tools.Intent{}, false
	}
	s = WithoutReason(s)
	f, ok := parted(s)
	if !ok && f.Act == sentences.Ending && !s.Question && !s.Is(0, "forget", "stop", "drop", "scrap", "cancel", "take") && sentences.IsPointing(sentences.ItemBefore(s, len(s.Words))) {
		return tools.Intent{Tool: tools.SkillPlans, Ask: tools.Says("ask.change", "lacks", speech.Kind("words"))}, true
	}
	if !ok || f.Act == sentences.Asking && f.noun != sentences.AnAlarm && f.noun != sentences.AReminder && sentences.AnyOf(s, InTheWorld) {
		return tools.Intent{}, false
	}
	l.takeTimes(&f) // the most work: only where there is what they may be of
	if f.Act == sentences.Asking && f.isPointed() && f.Named() == "" && f.Time == "" && f.noun != sentences.ASchedule && f.noun != sentences.ACalendar {
		return AsksWhich(tools.SkillPlans, "plan")
	}
	switch f.noun {
	case sentences.AnAlarm:
		return l.onAlarm(f)
	case sentences.AReminder:
		return l.onReminder(f)
	case sentences.ATask:
		return l.onTask(f)
	case sentences.NoNoun:
		return tools.Intent{}, false
	}
	return l.onEvent(f)
}

// WithoutReason is a sentence that ends something, without a last clause that only says why.
func WithoutReason(s sentences.Said) sentences.Said {
	if len(s.Words) == 0 || !endVerbs[s.Words[0].Lower] && !s.Begins("turn", "off") && !s.Begins("switch", "off") && !s.Begins("call", "off") {
		return s
	}
	for i := 2; i < len(s.Words); i++ {
		if !s.Words[i-1].Stop && !s.Is(i, "because", "since") {
			continue
		}
		why := s.From(i)
		says := why.Is(0, "the", "my", "our") && sentences.HasAny(why, "is", "was", "are", "got", "has")
		if (says || why.Is(0, "i", "we", "he", "she", "they", "it", "there", "because", "since")) && !sentences.HasAny(why, "instead", "until", "except", "but", "if", "unless", "only", "also", "and", "want", "need") {
			return s.UpTo(i)
		}
		return s
	}
	return s
}

// TakeApart finds a sentence's act, noun and time.
func (l Planner) TakeApart(s sentences.Said) (Frame, bool) {
	f, ok := parted(s)
	l.takeTimes(&f)
	return f, ok
}

// parted finds a sentence's act and noun.
func parted(s sentences.Said) (Frame, bool) {
	f := Frame{S: s, Used: make([]bool, len(s.Words)), At: -1}
	for _, a := range sentences.Acts {
		if n := s.StandsAt(0, a.Words); n > 0 {
			f.Act = a.Act
			f.use(0, n)
			break
		}
	}
	if f.Act == sentences.Unsaid && s.Question {
		f.Act = sentences.Asking
	}
	if f.Act != sentences.Ending && f.Act != sentences.Asking && f.undone() {
		f.Act = sentences.Ending
	}
	for i, w := range s.Words {
		n := sentences.Nouns[w.Lower]
		if w.Quoted || n == sentences.NoNoun || i == 0 && len(s.Words) > 1 && f.Used[0] && f.Act != sentences.Unsaid || n == sentences.AnOccasion && f.noun != sentences.NoNoun {
			continue
		}
		// The kind counts before what holds it: "delete the meeting from my calendar".
		if f.noun == sentences.NoNoun || f.noun == sentences.AnOccasion || (n == sentences.AnAlarm || n == sentences.AReminder) && f.noun == sentences.AnEvent && f.At == i-1 || f.noun == sentences.ACalendar && n != sentences.ASchedule || f.noun == sentences.ASchedule && n != sentences.ACalendar {
			f.noun, f.At = n, i
			f.many = f.many || sentences.IsPlural(w.Lower)
		}
	}
	for i := range s.Words {
		f.All = f.All || s.Is(i, "all", "everything", "every", "whole", "entire", "both")
	}
	return f, f.noun != sentences.NoNoun
}

// takeTimes marks the words of time, the hour of an alarm among them.
func (l Planner) takeTimes(f *Frame) {
	l.TakeTime(f)
	if f.Act != sentences.Making {
		f.takeHour()
	}
	if i := f.At - 1; f.noun == sentences.AnAlarm && f.Time == "" && i >= 0 && f.S.Is(i, "morning", "afternoon", "evening", "night") && f.Act != sentences.Making { // my morning alarm
		f.Time, f.Used[i] = f.S.Words[i].Lower, true
	}
}

func (f *Frame) use(from, to int) {
	for i := from; i < to; i++ {
		f.Used[i] = true
	}
}

// undone reports whether a sentence says of something that it is to go: "this item should be
// removed", "my alarm off, please".
func (f *Frame) undone() bool {
	for i := range f.S.Words {
		if f.S.Is(i, "removed", "deleted", "cancelled", "canceled", "erased", "cleared", "silenced") {
			f.Used[i] = true
			return true
		}
	}
	for i := range f.S.Words {
		if i > 0 && f.S.Is(0, "turn", "switch", "shut") && f.S.Is(i, "off") {
			f.use(0, 1)
			f.use(i, i+1)
			return true
		}
	}
	return false
}

// TakeTime marks the words of time.
func (l Planner) TakeTime(f *Frame) {
	base := f.S.Words[0].Start
	text := f.S.Text[base:f.S.Words[len(f.S.Words)-1].End]
	at, err := l.Parse(text)
	var parts []string
	if err != nil && domain.CodeOf(err) != when.CodePassed || len(at.Spans) == 0 || len(at.Spans) == 1 && isMeal(text[at.Spans[0].Start:at.Spans[0].End]) {
		l.takePeriod(f)
		return
	}
	for _, span := range at.Spans {
		for i, w := range f.S.Words {
			if w.Start < base+span.End && w.End > base+span.Start {
				f.Used[i] = true
			}
		}
		parts = append(parts, text[span.Start:span.End])
	}
	f.Time = strings.Join(parts, " ")
}

// takeHour takes the number behind an alarm for its hour: the alarm for 8, the alarm for 8 tomorrow.
func (f *Frame) takeHour() {
	for i := range f.S.Words {
		if i < 2 || f.Used[i] || !f.S.Is(i-1, "for", "at") || !f.S.Is(i-2, "alarm", "alarms") || i+1 < len(f.S.Words) && !f.Used[i+1] {
			continue
		}
		if n, err := strconv.Atoi(f.S.Words[i].Lower); err == nil && n >= 1 && n <= 12 {
			f.use(i-1, i+1)
			f.Time = strings.TrimSpace("at " + f.S.Words[i].Lower + " " + f.Time)
			return
		}
	}
}

// periods finds words that are read as a time only by themselves.
var periods = regexp.MustCompile(`(?i)\b(?:week|month|year|weekend|minutes?|mins?|hours?|hrs?|seconds?|half)\b|day's\b|tomorrow's\b|\d`)

// takePeriod marks the longest run of words that is a period by itself.
func (l Planner) takePeriod(f *Frame) {
	whole := f.S.All()
	if _, _, err := l.Narrow(whole); domain.CodeOf(err) == when.CodeNoTime && !periods.MatchString(whole) {
		return
	}
	const longest, most = 8, 32 // words of a period, and of a sentence in which one is looked for
	if len(f.S.Words) > most {
		return
	}
	for n := min(longest, len(f.S.Words)); n > 0; n-- {
		for i := 0; i+n <= len(f.S.Words); i++ {
			text := f.S.Part(i, i+n)
			if c, ok := sentences.Read(text); ok && c.Is(0, "the") && c.Is(1, "week", "month", "year", "weekend") && n == 2 {
				text = "this " + c.Part(1, 2)
			}
			if day, owns := strings.CutSuffix(strings.ToLower(text), "'s"); owns && isDay[day] {
				text = text[:len(day)]
			}
			if f.S.Is(i, "a", "an", "of", "my", "for", "march") && n == 1 || f.Used[i] || isMeal(text) {
				continue
			}
			if _, rest, err := l.Narrow(text); err == nil && rest == "" {
				if f.S.Is(i-1, "of") && f.S.Is(i-2, "rest", "remainder") {
					f.use(i-2, i) // what has passed of it is over
				}
				f.use(i, i+n)
				f.Time = text
				return
			}
		}
	}
}

// isMeal reports whether words that may be a time name what takes place then: Finlee's bedtime.
func isMeal(text string) bool {
	s, ok := sentences.Read(text)
	for ok && len(s.Words) > 1 && s.Is(0, "the", "my", "at", "for", "on", "by", "our") {
		s = s.From(1)
	}
	return ok && len(s.Words) == 1 && s.Is(0, "bedtime", "lunch", "dinner", "breakfast", "brunch", "supper")
}

// Named are the words that name a plan: those that are neither act, nor time, nor empty.
func (f Frame) Named() string {
	var out []string
	for i, w := range f.S.Words {
		if w.Start == w.End || f.Used[i] || sentences.EmptyWords[w.Lower] && !w.Quoted {
			continue
		}
		out = append(out, strings.TrimSuffix(strings.Trim(f.S.Text[w.Start:w.End], sentences.Closing+`"“”`), "'s"))
	}
	return strings.Join(out, " ")
}

// During is the period that a frame names; "" for none that can be read as one.
func (l Planner) During(f Frame) string {
	if f.Time == "" {
		return ""
	}
	for _, introduced := range []string{"for ", "on ", "by ", "in ", "within ", "through ", "about ", "from the "} {
		if rest, ok := strings.CutPrefix(strings.ToLower(f.Time), introduced); ok && (introduced != "from the " || !strings.Contains(rest, " to ")) {
			f.Time = f.Time[len(f.Time)-len(rest):]
		}
	}
	if _, _, err := when.During(f.Time, l.P.AsOf, l.Zone()); err != nil {
		if _, rest, err := l.Narrow(f.Time); err != nil || rest != "" {
			return ""
		}
	}
	return f.Time
}

// Position is which of several in their order is meant: "next", "first", "last"; "" for none.
func (f Frame) Position() string {
	for i := range f.S.Words {
		if !f.Used[i] && f.S.Is(i, "next", "first", "last") && i+1 < len(f.S.Words) {
			return f.S.Words[i].Lower
		}
	}
	return ""
}

// isPointed reports whether a sentence points at what was spoken of: "this alarm", "that event".
func (f Frame) isPointed() bool { return f.At > 0 && f.S.Is(f.At-1, "this", "that") && !f.Used[f.At-1] }

// daysBack finds words by which a plan may be named that comes back.
var daysBack = regexp.MustCompile(`(?i)^(?:on |every )?(?:recurring|weekdays?|weekends|daily|nightly|everyday|\w+days)$`)

// chosenBy are the parameters that say which plans are meant.
func (l Planner) chosenBy(f Frame, noun string) map[string]any {
	params := map[string]any{}
	during := l.During(f)
	if during != "" {
		params["during"] = during
	}
	which := f.Named()
	if f.Act == sentences.Ending && (!f.All || sentences.HasAny(f.S, "both") && during != "") && sentences.HasAny(f.S, "and") && !sentences.HasAny(f.S, "between") && f.IsAct(0) {
		// Several are named, each perhaps with its own time: the skill takes them apart.
		for i := range f.S.Words {
			if !f.IsAct(i) {
				return map[string]any{"which": f.S.Part(i, len(f.S.Words))}
			}
		}
	}
	if f.Act == sentences.Ending && f.Time != "" && during == "" && l.Recurs(f.Time) { // the alarm on Saturdays
		which = strings.TrimSpace(which + " " + f.Time)
	}
	if f.Act == sentences.Ending && sentences.HasAny(f.S, "recurring", "repeating", "repeated") && which == "" {
		which = "recurring"
	}
	if noun != "" && which != "" && daysBack.MatchString(which) {
		which = noun + " " + which
	}
	if p := f.Position(); p != "" {
		which = strings.Join(slices.DeleteFunc([]string{p, which, noun}, func(words string) bool { return words == "" }), " ")
	}
	if which != "" {
		params["which"] = which
	} else if noun != "" {
		params["which"] = noun
	}
	if f.All || f.many && (which == "" || f.Act == sentences.Ending) {
		params["all"] = true
	}
	return params
}

// AsksWhich asks what "this" or "that" is.
func AsksWhich(tool, noun string) (tools.Intent, bool) {
	return tools.Intent{Tool: tool, Ask: tools.Says("ask.which_plan", "kind", speech.Kind(noun))}, true
}

// onAlarm hears what is to happen to alarms.
func (l Planner) onAlarm(f Frame) (tools.Intent, bool) {
	switch {
	case f.Act == sentences.Ending && f.isPointed():
		return AsksWhich(tools.SkillReminder, "alarm")
	case f.Act == sentences.Ending:
		params := l.chosenBy(f, "alarm")
		params["action"] = "cancel"
		return tools.Intent{Tool: tools.SkillReminder, Params: params}, true
	case f.Act == sentences.Unsaid && !f.many && !f.S.Question && sentences.HasAny(f.S, "at", "for"):
	case f.Act == sentences.Asking || f.Act == sentences.Unsaid && (f.many || f.Time == "" || f.S.Question):
		return l.shown(f, "alarms"), true
	}
	return l.set(f, strings.TrimSuffix(f.S.Words[f.At].Lower, "s")), true // alarm, timer, as it was called
}

// onReminder hears what is to happen to reminders.
func (l Planner) onReminder(f Frame) (tools.Intent, bool) {
	switch {
	case f.Act == sentences.Ending && f.isPointed():
		return AsksWhich(tools.SkillReminder, "reminder")
	case f.Act == sentences.Ending:
		params := l.chosenBy(f, "")
		params["action"] = "cancel"
		return tools.Intent{Tool: tools.SkillReminder, Params: params}, true
	case f.S.Is(0, "repeat"):
		return AsksWhich(tools.SkillReminder, "reminder")
	case f.Act == sentences.Asking || f.Act == sentences.Unsaid && f.many:
		return l.shown(f, "reminders"), true
	}
	return l.set(f, ""), true
}

// onTask hears what is to happen to tasks.
func (l Planner) onTask(f Frame) (tools.Intent, bool) {
	switch f.Act {
	case sentences.Ending:
		params := l.chosenBy(f, "")
		params["action"] = "drop"
		return tools.Intent{Tool: tools.SkillTask, Params: params}, true
	case sentences.Asking:
		return l.shown(f, "tasks"), true
	}
	return tools.Intent{}, false
}

// shown is a question about plans of a kind; "" is all of them.
func (l Planner) shown(f Frame, kind string) tools.Intent {
	params := map[string]any{}
	if kind != "" {
		params["kind"] = kind
	}
	if during := l.During(f); during != "" {
		params["during"] = during
	}
	if which := f.Named(); which != "" {
		params["which"] = which
	}
	if p := f.Position(); p == "next" || p == "last" {
		params[p] = true
	}
	return tools.Intent{Tool: tools.SkillPlans, Params: params}
}

// set is a new reminder, of what a sentence says beside its act and its noun.
func (l Planner) set(f Frame, title string) tools.Intent {
	text := f.without(f.At)
	if title == "" {
		return l.Reminded(text)
	}
	return l.titled(text, title)
}

// without is a sentence without its act, a noun, and the small words around them.
func (f Frame) without(noun int) string {
	var out []string
	for i, w := range f.S.Words {
		if w.Start == w.End {
			continue
		}
		text := f.S.Text[w.Start:w.End]
		small := f.S.Is(i, "a", "an", "the", "my", "new", "another", "up", "me", "some", "clock", "call", "to", "in") && i < noun+2 && i != noun && !(i > noun && f.S.Is(i, "to", "in"))
		if i == noun || i < noun && f.IsAct(i) || small && f.S.Is(i, "a", "an", "the", "my", "new", "another", "me", "clock", "call", "up") {
			continue
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// IsAct reports whether a word belongs to the words that say the act.
func (f Frame) IsAct(i int) bool {
	for _, a := range sentences.Acts {
		if n := f.S.StandsAt(0, a.Words); n > 0 {
			return i < n
		}
	}
	return false
}
