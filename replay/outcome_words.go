package replay

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// maxQuoted bounds what a sentence repeats of a text, in characters.
const maxQuoted = 300

// Sentences say what would have been otherwise, for a person, the most telling first.
// Times are in zone.
func (o Outcome) Sentences(zone *time.Location) []string {
	then, now := o.Recorded, o.Replayed
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if now.Outcome == domain.EndingUnknown {
		if now.Model == "" {
			say("What would have come of it can't be told: %s.", strings.TrimSuffix(now.Text, "."))
		} else {
			say("Would have asked %s something else, and a replay asks nobody: name a model that is to answer, and what would have come of it can be told.", now.Model)
		}
	}
	for _, call := range missing(now.Calls, then.Calls) {
		say("Would have called %s.", call.words())
	}
	if now.Outcome != domain.EndingUnknown {
		for _, call := range missing(then.Calls, now.Calls) {
			say("Would not have called %s.", call.words())
		}
		out = append(out, o.shown(zone)...)
	}
	for _, what := range now.Waits {
		if !slices.Contains(then.Waits, what) {
			say("Would have waited for your approval: %s.", what)
		}
	}
	for _, what := range then.Waits {
		if !slices.Contains(now.Waits, what) && now.Outcome != domain.EndingUnknown {
			say("Would not be waiting for your approval: %s.", what)
		}
	}
	if len(out) == 0 {
		say("Would have come to %s instead of %s.", now.in(zone), then.in(zone))
	}
	return out
}

// InWords is the outcome with what its codes mean beside them.
func (o Outcome) InWords() Outcome {
	o.Recorded, o.Replayed = o.Recorded.inWords(), o.Replayed.inWords()
	then, now := o.Recorded.Shown != domain.ShownNot, o.Replayed.Shown != domain.ShownNot
	switch {
	case o.Replayed.Outcome == domain.EndingUnknown:
		o.Change = "can't be told"
	case then && !now:
		o.Change = "gone"
	case !then && now:
		o.Change = "new"
	default:
		o.Change = "different"
	}
	return o
}

func (e Ending) inWords() Ending {
	e.Words = e.Outcome.Sentence()
	e.Calls = slices.Clone(e.Calls)
	for i := range e.Calls {
		e.Calls[i].Words = e.Calls[i].became()
	}
	return e
}

// became is what became of a call, to stand behind its tool.
func (c MadeCall) became() string {
	switch {
	case c.Unanswered:
		return "would have been called"
	case c.Outcome == "":
		return "came to no end"
	}
	return narrate.Became(c.Outcome)
}

// shown says how what the person was shown differs.
func (o Outcome) shown(zone *time.Location) []string {
	then, now := o.Recorded, o.Replayed
	told, tells := then.Shown != domain.ShownNot, now.Shown != domain.ShownNot
	switch {
	case told && !tells && now.Outcome == domain.OutcomeFailed:
		return []string{fmt.Sprintf("Would have failed (%s), and so not have %s: %s", inQuotes(now.Text), then.verb(), inQuotes(then.Text))}
	case told && !tells:
		return []string{fmt.Sprintf("Would not have %s: %s", then.verb(), inQuotes(then.Text))}
	case !told && tells:
		return []string{fmt.Sprintf("Would have %s at %s: %s", now.verb(), clockTime(now.At, zone), inQuotes(now.Text))}
	case told && then.Text != now.Text:
		return []string{fmt.Sprintf("Would have %s %s instead of %s", now.spoken(), inQuotes(now.Text), inQuotes(then.Text))}
	case told && !slices.Equal(then.Evidence, now.Evidence):
		return []string{fmt.Sprintf("Would have %s the same, resting on other things: %s", now.spoken(), inQuotes(now.Text))}
	case !told && (then.Outcome != now.Outcome || then.Text != now.Text) && now.Outcome != domain.EndingWaits && then.Outcome != domain.EndingWaits:
		return []string{fmt.Sprintf("Would have come to %s instead of %s.", now.in(zone), then.in(zone))}
	}
	return nil
}

// verb is how the person got to see it.
func (e Ending) verb() string {
	switch {
	case e.Outcome == domain.OutcomeResponded:
		return "answered"
	case e.Shown == domain.ShownEscalation:
		return "told you at once"
	case e.Shown == domain.ShownNotification:
		return "told you"
	}
	return "said"
}

func (e Ending) spoken() string {
	if e.Shown == domain.ShownMessage {
		return "answered"
	}
	return "told you"
}

// in is an ending in words, to stand behind "come to".
func (e Ending) in(zone *time.Location) string {
	switch e.Outcome {
	case domain.EndingDone, domain.OutcomeFailed:
		return e.Outcome.Noun() + ", " + inQuotes(e.Text)
	case domain.OutcomeResponded, domain.OutcomeSurfaced:
		return fmt.Sprintf("%s at %s, %s", e.Outcome, clockTime(e.At, zone), inQuotes(e.Text))
	}
	return e.Outcome.Noun()
}

// missing are the calls of one list that aren't in another, each as often as it is.
func missing(of, in []MadeCall) []MadeCall {
	in = slices.Clone(in)
	var out []MadeCall
	for _, call := range of {
		i := slices.IndexFunc(in, func(c MadeCall) bool { return c.Tool == call.Tool && sameJSON(c.Params, call.Params) })
		if i < 0 {
			out = append(out, call)
			continue
		}
		in = slices.Delete(in, i, i+1)
	}
	return out
}

func (c MadeCall) words() string {
	out := c.Tool
	if values := narrate.Values(c.Params); values != "" {
		out += " with " + narrate.Shortened(values, maxQuoted)
	}
	if c.Outcome == "" {
		out += ", had it been approved"
	}
	return out
}

// inQuotes is a text on one line, between quotes.
func inQuotes(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	if strings.ContainsAny(text, "“”") { // it quotes something itself
		return `"` + narrate.Shortened(text, maxQuoted) + `"`
	}
	return "“" + narrate.Shortened(text, maxQuoted) + "”"
}

func clockTime(at domain.Millis, zone *time.Location) string {
	return at.Time().In(zone).Format("15:04 on 2 January 2006")
}
