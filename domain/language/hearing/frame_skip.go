package hearing

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain/language/when"
)

// skippings are ways to say that one time of what comes back is left out.
var skippings = []phrase{"skip *which", "leave out *which", "leave *which out", "i will skip *which", "i am skipping *which", "no need for *which this week|time|morning", "not this time: *which"}

// players are what else is skipped or paused, with something that plays.
var players = wordsIn(`song songs track tracks music video videos ad ads intro episode chapter album playlist playback movie film podcast radio station channel forward back ahead audio audiobook game seconds`)

// nextTime are words at the end that say no more than that one time is meant.
var nextTime = []string{"next time", "the next time", "(next time)", "this time", "(this time)", "this once", "just once", "once", "for once", "only once", "just this once", "just this time", "for now"}

// skips hears that one time of what comes back is left out: "skip yoga this week". Any words may name
// it when nothing else can be meant.
func (l listener) skips(s said, anything bool) (intent, bool) {
	c, ok := s.any(skippings...)
	if !ok || s.question {
		return intent{}, false
	}
	which := c.sentence("which")
	tool := l.planTool(which)
	if n := which.ends(nextTime); n > 0 && n < len(which.words) {
		if ends := s.words[len(s.words)-1] == which.words[len(which.words)-1]; ends {
			s = s.upTo(len(s.words) - n)
		}
		which = which.upTo(len(which.words) - n)
	}
	if bare := l.withoutPeriod(which); tool == "" && (isPointing(bare.all()) || l.isPeriod(which.all()) || isPlace(bare)) {
		return intent{tool: skillReminder, weak: true, ask: "What should I skip? Say words of it, or its time."}, anything
	}
	if tool == skillTask || tool == "" && (!anything || anyOf(which, players) || len(which.words) > maxAnswerWords) {
		return intent{}, false
	}
	if in, ok := l.neverOn(which, tool); ok {
		return in, true
	}
	in, ok := l.endedBy(s, said{}, which)
	if !ok {
		return intent{}, false
	}
	in = in.with("action", "skip")
	if named, readable := read(fmt.Sprint(in.params["which"])); readable && in.params["during"] != nil && slices.ContainsFunc(named.words, func(w word) bool { return isDay[w.lower] }) ||
		hasAny(which, "twice", "two", "three", "four", "2", "3", "4", "times") {
		return intent{tool: in.tool, ask: "I skip one time, or those of a period: say one day, or a period, such as: this week, until April."}, true
	}
	if tool == "" && in.tool == skillTask {
		in.tool = skillReminder
	}
	if words, _ := in.params["which"].(string); words == "" {
		in.params["which"] = which.all()
	}
	return in, true
}

// isPlace reports whether words only say which of several in their order is meant.
func isPlace(s said) bool {
	for _, w := range s.words {
		if !fits("the|next|first|last|one|ones|two|three|time|times|coming|following", w) {
			return false
		}
	}
	return true
}

// skipsKnown hears it of what surely is a plan, and skipsAny of anything.
func (l listener) skipsKnown(s said) (intent, bool) { return l.skips(s, false) }

func (l listener) skipsAny(s said) (intent, bool) { return l.skips(s, true) }

// neverOn is a plan without some days of the week from now on: yoga on Fridays.
func (l listener) neverOn(which said, tool string) (intent, bool) {
	for i := 1; i < len(which.words); i++ {
		days := which.from(i)
		last := days.words[len(days.words)-1].lower
		if !strings.HasSuffix(last, "days") && last != "weekends" || when.Weekdays(days.all()) == nil {
			continue
		}
		name := which.upTo(i)
		for len(name.words) > 1 && name.is(0, "the", "my", "our", "me", "to", "about", "of") {
			name = name.from(1)
		}
		if isPointing(name.all()) || nouns[last] != noNoun || l.isUnnamed(name) {
			return intent{}, false
		}
		if tool == "" {
			tool = skillReminder
		}
		return intent{tool: tool, params: map[string]any{"action": "move", "which": name.all(), "except": days.all()}, subject: "which"}, true
	}
	return intent{}, false
}

// pauses hears that what comes back is to rest: "pause the vacuum reminder for two weeks".
func (l listener) pauses(s said) (intent, bool) {
	in, ok := l.pausesAny(s)
	return in, ok && !in.weak
}

// pausesAny hears it of anything; weak says that its words don't surely name a plan.
func (l listener) pausesAny(s said) (intent, bool) {
	c, ok := s.any("pause|suspend *which")
	if !ok || s.question {
		return intent{}, false
	}
	which := c.sentence("which")
	during := l.withoutPeriod(which)
	rest := which.from(len(during.words))
	which = during
	for len(which.words) > 1 && which.is(0, "the", "my", "our") {
		which = which.from(1)
	}
	tool := l.planTool(which)
	if anyOf(which, players) && tool == "" || len(which.words) == 0 || tool == skillTask || isPointing(which.all()) {
		return intent{}, false
	}
	weak := tool == "" && len(rest.words) == 0
	if tool == "" {
		tool = skillReminder
	}
	in := intent{weak: weak, tool: tool, params: map[string]any{"action": "pause", "which": which.all()}, subject: "which", missing: "during"}
	if len(rest.words) == 0 {
		in.ask = "For how long should it rest: " + mention(which.all()) + "? Say it such as: for two weeks, until 20 March."
		return in, true
	}
	in.params["during"], in.missing = rest.all(), ""
	return in, true
}

// withoutPeriod are words without the period or length at their end: swim club on Wednesday, the
// vacuum for two weeks.
func (l listener) withoutPeriod(s said) said {
	for i := 1; i < len(s.words); i++ {
		text := s.part(i, len(s.words))
		if l.isPeriod(text) || s.is(i, "for") && l.isPeriod(s.part(i+1, len(s.words))) || s.is(i, "for") && l.isLength(s.part(i+1, len(s.words))) || s.is(i, "until", "till") && l.isOnlyTime(s.part(i+1, len(s.words))) {
			return s.upTo(i)
		}
	}
	return s
}

// isLength reports whether a text is how long something lasts.
func (l listener) isLength(text string) bool {
	_, ok := when.Later(text, l.p.AsOf, l.zone())
	return ok
}

// snoozes hears that a reminder that was just told is to come again.
func (l listener) snoozes(s said) (intent, bool) {
	if !s.is(0, "snooze") || s.question {
		return intent{}, false
	}
	in := intent{tool: skillReminder, params: map[string]any{"action": "snooze"}, subject: "which", moment: "when"}
	rest := s.from(1)
	for n := len(rest.words); n > 0; n-- { // the longest time at the end
		from := rest.from(len(rest.words) - n)
		linked := from
		if from.is(0, "for", "by", "until", "till", "to", "another") && len(from.words) > 1 {
			linked = from.from(1)
		}
		at := linked.all()
		switch {
		case l.isLength(at):
			at = "in " + at
		case l.isOnlyTime(l.linked(at)):
			at = l.linked(at)
		default:
			continue
		}
		in.params["when"], rest = at, rest.upTo(len(rest.words)-n)
		break
	}
	for len(rest.words) > 0 && rest.is(0, "the", "my", "that", "this", "it", "reminder", "alarm", "for", "about") {
		rest = rest.from(1)
	}
	for len(rest.words) > 0 && rest.is(len(rest.words)-1, "reminder", "alarm", "please", "again", "for", "by") {
		rest = rest.upTo(len(rest.words) - 1)
	}
	if len(rest.words) > 0 {
		in.params["which"] = rest.all()
	}
	return in, !hasAny(rest, "until", "before", "after", "when")
}
