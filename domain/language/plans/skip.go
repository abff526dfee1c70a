package plans

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// skippings are ways to say that one time of what comes back is left out.
var skippings = []sentences.Phrase{"skip *which", "leave out *which", "leave *which out", "i will skip *which", "i am skipping *which", "no need for *which this week|time|morning", "not this time: *which"}

// players are what else is skipped or paused, with something that plays.
var players = sentences.WordsIn(`song songs track tracks music video videos ad ads intro episode chapter album playlist playback movie film podcast radio station channel forward back ahead audio audiobook game seconds`)

// NextTime are words at the end that say no more than that one time is meant.
var NextTime = []string{"next time", "the next time", "(next time)", "this time", "(this time)", "this once", "just once", "once", "for once", "only once", "just this once", "just this time", "for now"}

// skips hears that one time of what comes back is left out: "skip yoga this week". Any words may name
// it when nothing else can be meant.
func (l Planner) skips(s sentences.Said, anything bool) (tools.Intent, bool) {
	c, ok := s.Any(skippings...)
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	which := c.Sentence("which")
	tool := l.PlanTool(which)
	if n := which.Ends(NextTime); n > 0 && n < len(which.Words) {
		if ends := s.Words[len(s.Words)-1] == which.Words[len(which.Words)-1]; ends {
			s = s.UpTo(len(s.Words) - n)
		}
		which = which.UpTo(len(which.Words) - n)
	}
	if bare := l.WithoutPeriod(which); tool == "" && (sentences.IsPointing(bare.All()) || l.IsPeriod(which.All()) || isPlace(bare)) {
		return tools.Intent{Tool: tools.SkillReminder, Weak: true, Ask: tools.Says("ask.what_to", "do", speech.Kind("skip"))}, anything
	}
	if tool == tools.SkillTask || tool == "" && (!anything || sentences.AnyOf(which, players) || len(which.Words) > sentences.MaxAnswerWords) {
		return tools.Intent{}, false
	}
	if in, ok := l.neverOn(which, tool); ok {
		return in, true
	}
	in, ok := l.endedBy(s, sentences.Said{}, which)
	if !ok {
		return tools.Intent{}, false
	}
	in = in.With("action", "skip")
	if named, readable := sentences.Read(fmt.Sprint(in.Params["which"])); readable && in.Params["during"] != nil && slices.ContainsFunc(named.Words, func(w sentences.Word) bool { return isDay[w.Lower] }) ||
		sentences.HasAny(which, "twice", "two", "three", "four", "2", "3", "4", "times") {
		return tools.Intent{Tool: in.Tool, Ask: tools.Says("ask.change", "lacks", speech.Kind("day"))}, true
	}
	if tool == "" && in.Tool == tools.SkillTask {
		in.Tool = tools.SkillReminder
	}
	if words, _ := in.Params["which"].(string); words == "" {
		in.Params["which"] = which.All()
	}
	return in, true
}

// isPlace reports whether words only say which of several in their order is meant.
func isPlace(s sentences.Said) bool {
	for _, w := range s.Words {
		if !sentences.Fits("the|next|first|last|one|ones|two|three|time|times|coming|following", w) {
			return false
		}
	}
	return true
}

// skipsKnown hears it of what surely is a plan, and skipsAny of anything.
func (l Planner) skipsKnown(s sentences.Said) (tools.Intent, bool) { return l.skips(s, false) }

// SkipsAny is what is to be left out of a plan, whether or not one of that name is in mind.
func (l Planner) SkipsAny(s sentences.Said) (tools.Intent, bool) { return l.skips(s, true) }

// neverOn is a plan without some days of the week from now on: yoga on Fridays.
func (l Planner) neverOn(which sentences.Said, tool string) (tools.Intent, bool) {
	for i := 1; i < len(which.Words); i++ {
		days := which.From(i)
		last := days.Words[len(days.Words)-1].Lower
		if !strings.HasSuffix(last, "days") && last != "weekends" || when.Weekdays(days.All()) == nil {
			continue
		}
		name := which.UpTo(i)
		for len(name.Words) > 1 && name.Is(0, "the", "my", "our", "me", "to", "about", "of") {
			name = name.From(1)
		}
		if sentences.IsPointing(name.All()) || sentences.Nouns[last] != sentences.NoNoun || l.isUnnamed(name) {
			return tools.Intent{}, false
		}
		if tool == "" {
			tool = tools.SkillReminder
		}
		return tools.Intent{Tool: tool, Params: map[string]any{"action": "move", "which": name.All(), "except": days.All()}, Subject: "which"}, true
	}
	return tools.Intent{}, false
}

// pauses hears that what comes back is to rest: "pause the vacuum reminder for two weeks".
func (l Planner) pauses(s sentences.Said) (tools.Intent, bool) {
	in, ok := l.PausesAny(s)
	return in, ok && !in.Weak
}

// PausesAny hears it of anything; weak says that its words don't surely name a plan.
func (l Planner) PausesAny(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("pause|suspend *which")
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	which := c.Sentence("which")
	during := l.WithoutPeriod(which)
	rest := which.From(len(during.Words))
	which = during
	for len(which.Words) > 1 && which.Is(0, "the", "my", "our") {
		which = which.From(1)
	}
	tool := l.PlanTool(which)
	if sentences.AnyOf(which, players) && tool == "" || len(which.Words) == 0 || tool == tools.SkillTask || sentences.IsPointing(which.All()) {
		return tools.Intent{}, false
	}
	weak := tool == "" && len(rest.Words) == 0
	if tool == "" {
		tool = tools.SkillReminder
	}
	in := tools.Intent{Weak: weak, Tool: tool, Params: map[string]any{"action": "pause", "which": which.All()}, Subject: "which", Missing: "during"}
	if len(rest.Words) == 0 {
		in.Ask = tools.Says("ask.change", "lacks", speech.Kind("length"), "said", which.All())
		return in, true
	}
	in.Params["during"], in.Missing = rest.All(), ""
	return in, true
}

// WithoutPeriod are words without the period or length at their end: swim club on Wednesday, the
// vacuum for two weeks.
func (l Planner) WithoutPeriod(s sentences.Said) sentences.Said {
	for i := 1; i < len(s.Words); i++ {
		text := s.Part(i, len(s.Words))
		if l.IsPeriod(text) || s.Is(i, "for") && l.IsPeriod(s.Part(i+1, len(s.Words))) || s.Is(i, "for") && l.IsLength(s.Part(i+1, len(s.Words))) || s.Is(i, "until", "till") && l.IsOnlyTime(s.Part(i+1, len(s.Words))) {
			return s.UpTo(i)
		}
	}
	return s
}

// IsLength reports whether a text is how long something lasts.
func (l Planner) IsLength(text string) bool {
	_, ok := when.Later(text, l.P.AsOf, l.Zone())
	return ok
}

// snoozes hears that a reminder that was just told is to come again.
func (l Planner) snoozes(s sentences.Said) (tools.Intent, bool) {
	if !s.Is(0, "snooze") || s.Question {
		return tools.Intent{}, false
	}
	in := tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "snooze"}, Subject: "which", Moment: "when"}
	rest := s.From(1)
	for n := len(rest.Words); n > 0; n-- { // the longest time at the end
		from := rest.From(len(rest.Words) - n)
		linked := from
		if from.Is(0, "for", "by", "until", "till", "to", "another") && len(from.Words) > 1 {
			linked = from.From(1)
		}
		at := linked.All()
		switch {
		case l.IsLength(at):
			at = "in " + at
		case l.IsOnlyTime(l.Linked(at)):
			at = l.Linked(at)
		default:
			continue
		}
		in.Params["when"], rest = at, rest.UpTo(len(rest.Words)-n)
		break
	}
	for len(rest.Words) > 0 && rest.Is(0, "the", "my", "that", "this", "it", "reminder", "alarm", "for", "about") {
		rest = rest.From(1)
	}
	for len(rest.Words) > 0 && rest.Is(len(rest.Words)-1, "reminder", "alarm", "please", "again", "for", "by") {
		rest = rest.UpTo(len(rest.Words) - 1)
	}
	if len(rest.Words) > 0 {
		in.Params["which"] = rest.All()
	}
	return in, !sentences.HasAny(rest, "until", "before", "after", "when")
}
