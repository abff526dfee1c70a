package hearing

import (
	"strings"
)

// oftenWords are words before a noun that say how often it comes: a weekday alarm.
const oftenWords = "recurring|repeating|daily|nightly|hourly|weekly|monthly|weekday|weekend|everyday"

// oftenNamed hears an alarm or a reminder that says before its noun how often it comes: "set a
// weekday alarm for 7", "a recurring reminder at 8 to take vitamins". What only says that it comes
// again comes every day at its time of day, and is asked about where a day is named.
func (l listener) oftenNamed(s said) (intent, bool) {
	c, ok := s.any("set|start|create|add|make|put|schedule|have|give|get|need|book up? me? a|an|another? new? "+oftenWords+" *rest", "i want|need|would like? a|an|another "+oftenWords+" *rest", "i would like a|an|another "+oftenWords+" *rest", "a|an? new? "+oftenWords+" *rest")
	if !ok || s.question {
		return intent{}, false
	}
	rest := c.sentence("rest")
	often := s.words[len(s.words)-len(rest.words)-1].lower
	n, title := rest.wakingAt(0), ""
	switch {
	case n > 0:
		title = "wake up"
	case rest.is(0, "alarm", "timer"):
		n, title = 1, rest.words[0].lower
	case rest.is(0, "reminder"):
		n = 1
	default:
		return intent{}, false
	}
	if n > 0 && rest.is(n, "alarm", "call", "please") {
		n++
	}
	after := rest.from(n)
	if l.recurs(after.all()) { // which says it, too
		return intent{}, false
	}
	in := l.reminded(after.all())
	if title != "" {
		in = l.titled(after.all(), title)
	}
	moment, timed := in.params["when"].(string)
	if text, handed := in.params["text"].(string); handed && title != "" && !isBeside(text) { // the title tells which half of the day is meant
		if t := l.timing(clockOf(withoutLink(after.all()))); t.when != "" && withoutLink(t.rest) == "" && !t.left {
			in = l.handed(title + " " + often + " " + l.clockIn(t.when))
			moment, timed = t.when, true
		}
	}
	whole := often + " " + l.clockIn(moment)
	day, clock := l.parts(moment)
	if title == "" && (!timed || !l.isOnlyTime(whole)) && !fits("recurring|repeating|weekday|weekend", word{lower: often}) {
		return intent{}, false // how often may be all that is said of when
	}
	switch {
	case in.ask != "" && !timed && in.missing != "when":
		return in, true
	case !timed || !clock && !l.clocks("at "+moment) && (title != "" || !day) || !l.isOnlyTime(whole) || !l.recurs(whole) || !day && fits("weekly|monthly", word{lower: often}):
		in.missing, in.moment = "when", "when"
		in.ask = "How often, and at what time: " + mention(s.all()) + "? Say it such as: every weekday at 7, every Tuesday at 18:00."
		return in, true
	}
	if _, handed := in.params["text"]; !handed {
		in.params["when"] = whole
	}
	in.ask, in.missing = "", ""
	return in, true
}

// clockIn is a time of day with "at" before its bare number.
func (l listener) clockIn(moment string) string {
	moment = withoutLink(moment)
	if day, clock := l.parts("at " + moment); clock && !day && !strings.HasPrefix(moment, "at ") && l.isOnlyTime("at "+moment) {
		return "at " + moment
	}
	return moment
}
