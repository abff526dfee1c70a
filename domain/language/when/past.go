package when

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// CodeAhead is the code of a future time where a past one is wanted.
const CodeAhead domain.Code = "time_ahead"

// ParsePast reads a text that is nothing but a time which has passed, or the present:
// "yesterday", "2 hours ago", "last Monday at 8", "3 March". It reads the words that
// [Parse] reads, and takes them for the latest such moment. A day without a time is
// its beginning. The errors are validation, with one of the package's codes; without
// a time in the text it is CodeNoTime.
func ParsePast(text string, now domain.Millis, zone *time.Location) (domain.Millis, error) {
	r := &reader{tokens: tokensOf(text), now: now.Time().In(zone), past: true}
	found := r.exprs()
	switch {
	case r.wrong != nil:
		return 0, r.wrong
	case len(found) == 0:
		return 0, noPastTime(text)
	}
	x, used, err := r.choose(found)
	if err != nil {
		return 0, err
	}
	if rest := r.without(text, used); rest != "" {
		return 0, pastOnly(CodeNoTime, fmt.Sprintf("%q says more than a time: %q was not understood", clip(text), clip(rest)))
	}
	at, err := r.behindNow(x, used)
	if err != nil {
		return 0, err
	}
	if at.After(r.now) {
		return 0, r.liesAhead(used, at)
	}
	return domain.MillisOf(at), nil
}

// without is the text without its times.
func (r *reader) without(text string, used []expr) string {
	var t Time
	for _, u := range used {
		t.Spans = append(t.Spans, Span{r.tokens[u.from].start, r.tokens[u.to-1].end})
	}
	return t.Rest(text)
}

// behindNow is the latest moment of an expression that isn't ahead, where there is one.
func (r *reader) behindNow(x expr, used []expr) (time.Time, error) {
	switch {
	case x.every != nil:
		return time.Time{}, pastOnly(CodeAmbiguous, fmt.Sprintf("%q is many times: say one of them", r.quoted(used)))
	case x.span != nil:
		return r.ago(x, used)
	case x.moment != nil:
		return *x.moment, nil
	case x.days != nil:
		return r.onPastDays(x), nil
	}
	if x.part != nil && x.part.today {
		return r.latest(x, r.today(), 0), nil
	}
	return r.latest(x, r.today(), 1), nil
}

func (r *reader) ago(x expr, used []expr) (time.Time, error) {
	if x.span.tooFar() {
		return time.Time{}, pastOnly(CodeTooFar, fmt.Sprintf("%q is more than %d years ago: say a later time", r.quoted(used), maxYears))
	}
	at := x.span.negative().after(r.now)
	if x.hours != nil || x.part != nil {
		if x.span.exact() {
			return time.Time{}, r.ambiguous(used)
		}
		at = x.pastReadings(false)[0].on(at.Year(), at.Month(), at.Day(), at.Location())
	}
	return at, nil
}

// onPastDays is the latest moment on the days that isn't ahead.
func (r *reader) onPastDays(x expr) time.Time {
	var at time.Time
	x.days.behind(r.today(), func(p period) bool {
		at = r.latest(x, p.from, 0)
		return at.After(r.now)
	})
	if at.IsZero() {
		p, _ := x.days.near(r.today(), false)
		at = r.latest(x, p.from, 0)
	}
	return at
}

// latest is the latest of the readings on a day. When each lies ahead, it is that of as
// many days before.
func (r *reader) latest(x expr, d date, before int) time.Time {
	var at time.Time
	for _, d := range []date{d, d - date(before)} {
		readings := x.pastReadings(d == r.today() || before == 1)
		for i := range readings {
			if at = d.on(readings[len(readings)-1-i], r.now.Location()); !at.After(r.now) {
				return at
			}
		}
	}
	return at
}

// pastReadings are those of readings, but that a day alone is meant from its beginning.
func (x expr) pastReadings(either bool) []clockTime {
	if x.hours == nil && x.part == nil {
		return []clockTime{{}}
	}
	return x.readings(either)
}

func noPastTime(text string) error {
	return pastOnly(CodeNoTime, fmt.Sprintf(`no time was found in %q: say when, such as "yesterday", "2 hours ago" or "last Monday at 8"`, clip(strings.TrimSpace(text))))
}

func (r *reader) liesAhead(used []expr, at time.Time) error {
	return pastOnly(CodeAhead, fmt.Sprintf(`%q was understood as %s, and that lies ahead: say a time that has passed, such as "yesterday" or "2 hours ago"`, r.quoted(used), at.Format("Monday 2 January 2006 at 15:04")))
}
