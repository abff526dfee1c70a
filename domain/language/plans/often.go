package plans

import (
	"strings"

	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// oftenWords are words before a noun that say how often it comes: a weekday alarm.
const oftenWords = "recurring|repeating|daily|nightly|hourly|weekly|monthly|weekday|weekend|everyday"

// OftenNamed hears an alarm or a reminder that says before its noun how often it comes: "set a
// weekday alarm for 7", "a recurring reminder at 8 to take vitamins". What only says that it comes
// again comes every day at its time of day, and is asked about where a day is named.
func (l Planner) OftenNamed(s sentences.Said) (tools.Intent, bool) {
	c, ok := s.Any("set|start|create|add|make|put|schedule|have|give|get|need|book up? me? a|an|another? new? "+oftenWords+" *rest", "i want|need|would like? a|an|another "+oftenWords+" *rest", "i would like a|an|another "+oftenWords+" *rest", "a|an? new? "+oftenWords+" *rest")
	if !ok || s.Question {
		return tools.Intent{}, false
	}
	rest := c.Sentence("rest")
	often := s.Words[len(s.Words)-len(rest.Words)-1].Lower
	n, title := WakingAt(rest, 0), ""
	switch {
	case n > 0:
		title = "wake up"
	case rest.Is(0, "alarm", "timer"):
		n, title = 1, rest.Words[0].Lower
	case rest.Is(0, "reminder"):
		n = 1
	default:
		return tools.Intent{}, false
	}
	if n > 0 && rest.Is(n, "alarm", "call", "please") {
		n++
	}
	after := rest.From(n)
	if l.Recurs(after.All()) { // which says it, too
		return tools.Intent{}, false
	}
	in := l.Reminded(after.All())
	if title != "" {
		in = l.titled(after.All(), title)
	}
	moment, timed := in.Params["when"].(string)
	if text, handed := in.Params["text"].(string); handed && title != "" && !IsBeside(text) { // the title tells which half of the day is meant
		if t := l.Timing(ClockOf(WithoutLink(after.All()))); t.When != "" && WithoutLink(t.Rest) == "" && !t.Left {
			in = l.Handed(title + " " + often + " " + l.clockIn(t.When))
			moment, timed = t.When, true
		}
	}
	whole := often + " " + l.clockIn(moment)
	day, clock := l.Parts(moment)
	if title == "" && (!timed || !l.IsOnlyTime(whole)) && !sentences.Fits("recurring|repeating|weekday|weekend", sentences.Word{Lower: often}) {
		return tools.Intent{}, false // how often may be all that is said of when
	}
	switch {
	case !in.Ask.IsZero() && !timed && in.Missing != "when":
		return in, true
	case !timed || !clock && !l.Clocks("at "+moment) && (title != "" || !day) || !l.IsOnlyTime(whole) || !l.Recurs(whole) || !day && sentences.Fits("weekly|monthly", sentences.Word{Lower: often}):
		in.Missing, in.Moment = "when", "when"
		in.Ask = tools.Says("ask.how_often", "what", s.All())
		return in, true
	}
	if _, handed := in.Params["text"]; !handed {
		in.Params["when"] = whole
	}
	in.Ask, in.Missing = speech.Message{}, ""
	return in, true
}

// clockIn is a time of day with "at" before its bare number.
func (l Planner) clockIn(moment string) string {
	moment = WithoutLink(moment)
	if day, clock := l.Parts("at " + moment); clock && !day && !strings.HasPrefix(moment, "at ") && l.IsOnlyTime("at "+moment) {
		return "at " + moment
	}
	return moment
}
