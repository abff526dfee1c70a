package when

import (
	"cmp"
	"slices"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// given is what is known of a time besides its words: what they leave open, taken from the time
// before, or the moment itself. It goes before what is usual, and behind what is said.
type given struct {
	moment domain.Millis // it is this one; 0 where the words say it
	day    *days         // its first day
	clocks []clock       // its times of day
	half   Half
}

// Half is a half of the day.
type Half int

// The halves; zero for none.
const (
	Morning Half = iota + 1 // up to noon
	Evening                 // from noon on
)

// exactly is how a moment is named to a person that no words say.
const exactly = "on 2 January 2006 at 15:04"

// Known is a time that is known to the minute and said by nobody, among those that are said.
func Known(at, now domain.Millis, zone *time.Location) *Text {
	t := Look(at.Time().In(zone).Format(exactly), now, zone)
	t.begun.given.moment = at - at%domain.Millis(time.Minute.Milliseconds())
	return t
}

// String is the text.
func (t *Text) String() string { return t.text }

// Saying is another text of the same moment and place, with what is known of it.
func (t *Text) Saying(text string) *Text {
	out := &Text{text: text, begun: t.begun}
	out.begun.tokens = tokensOf(text)
	return out
}

// From is the text as it is meant at another moment.
func (t *Text) From(now domain.Millis) *Text {
	out := t.besides(t.begun.given)
	out.begun.now = now.Time().In(t.begun.now.Location())
	return out
}

// InHalf is the text with the half of the day in which its time is, where neither it says so nor is
// it known.
func (t *Text) InHalf(half Half) *Text {
	known := t.begun.given
	known.half = cmp.Or(known.half, half)
	return t.besides(known)
}

// OnDay is the text with the day of a moment in place of the one that it says first.
func (t *Text) OnDay(at domain.Millis) *Text {
	known := t.begun.given
	known.day = once(dayPeriod(dateAt(at.Time().In(t.begun.now.Location()))))
	return t.besides(known)
}

// AtClockOf is the text with the time of day of a moment, where it says none.
func (t *Text) AtClockOf(at domain.Millis) *Text {
	local := at.Time().In(t.begun.now.Location())
	known := t.begun.given
	known.clocks = []clock{{hour: local.Hour(), minute: local.Minute(), grain: Minute}}
	return t.besides(known)
}

// AtClocksOf is the text with the times of day at which something comes back, where it says none;
// false of what comes back at no time of day.
func (t *Text) AtClocksOf(r domain.Recurrence) (*Text, bool) {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil || len(rule.Byhour) == 0 {
		return t, false
	}
	known := t.begun.given
	known.clocks = nil
	for _, hour := range rule.Byhour {
		c := clock{hour: hour, grain: Minute}
		if len(rule.Byminute) > 0 {
			c.minute = rule.Byminute[0]
		}
		known.clocks = append(known.clocks, c)
	}
	return t.besides(known), true
}

// besides is the text with other things known of it.
func (t *Text) besides(known given) *Text {
	out := &Text{text: t.text, begun: t.begun}
	out.begun.given = known
	return out
}

// Occasion is the function ParseOccasion of the text.
func (t *Text) Occasion() (Time, error) {
	r := t.again()
	r.ended = true
	return parse(t.text, r)
}

// onGivenDay has the first of the days that are said on the day that is known.
func (r *reader) onGivenDay(found []expr) []expr {
	if i := slices.IndexFunc(found, func(x expr) bool { return x.days != nil }); i >= 0 && r.given.day != nil {
		found[i].days = r.given.day
	}
	return found
}

// fill gives a time what is known of it and not said.
func (r *reader) fill(x *expr) {
	if clocks := r.given.clocks; len(clocks) > 0 && x.hours == nil && x.part == nil && x.moment == nil && x.span == nil {
		x.hours, x.also = &hours{from: clocks[0]}, clocks[1:]
	}
	x.half = r.given.half
}

// SeriesOn is how something comes back that came back like r, on the day of a moment from now on: of
// each year, of each month, of each week. It is at the time of day of that moment, or takes whole
// days. False where it comes back in another way, or no more before it ends.
func SeriesOn(r domain.Recurrence, at domain.Millis, allDay bool, now domain.Millis, zone *time.Location) (*domain.Recurrence, bool) {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil || !rule.Until.IsZero() && rule.Until.Second() == 0 { // until a time rather than the end of a day
		return nil, false
	}
	local := at.Time().In(zone)
	e := every{freq: rule.Freq, interval: 1}
	switch {
	case e.freq == rrule.YEARLY:
		e.months, e.monthdays = []time.Month{local.Month()}, []int{local.Day()}
	case e.freq == rrule.MONTHLY && len(rule.Byweekday) == 0:
		e.monthdays = []int{local.Day()}
	case e.freq == rrule.WEEKLY && rule.Interval <= 1 && len(rule.Byweekday) <= 1 && len(rule.Byhour) <= 1:
		e.weekdays = []time.Weekday{local.Weekday()}
	default:
		return nil, false
	}
	x := expr{every: &e}
	if !allDay {
		x.hours = &hours{from: clock{hour: local.Hour(), minute: local.Minute(), grain: Minute}}
	}
	if !rule.Until.IsZero() {
		e.until = once(dayPeriod(dateAt(rule.Until)))
	}
	m, err := (&reader{now: now.Time().In(zone), ended: true}).again(x, []expr{{}})
	if err != nil {
		return nil, false
	}
	if allDay {
		return atMidnight(*m.recurrence, domain.MillisOf(dateAt(m.at).on(clockTime{}, zone))), true
	}
	return m.recurrence, true
}
