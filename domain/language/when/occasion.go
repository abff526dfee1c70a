package when

import (
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// Occurs is the end of an appointment that begins at a moment, and when it is told, 0 for
// never. One that lasts all day ends after as many days on the wall as the first one, and is
// told by the wall; any other takes as long as the first.
func Occurs(a domain.Appointment, start domain.Millis, zone *time.Location) (end, tell domain.Millis) {
	if !a.AllDay {
		end = start + a.End - a.Start
		if a.Before != nil {
			tell = start - *a.Before
		}
		return end, tell
	}
	day := dateAt(start.Time().In(zone))
	days := dateAt(a.End.Time().In(zone)) - dateAt(a.Start.Time().In(zone))
	end = domain.MillisOf((day + max(days, 1)).on(clockTime{}, zone))
	if a.Before != nil {
		minutes := int(-*a.Before / domain.Millis(time.Minute.Milliseconds()))
		tell = domain.MillisOf(day.on(clockTime{minute: minutes}, zone))
	}
	return end, tell
}

// NextOccasion is the first start after a moment of an appointment that comes back; 0 when it
// doesn't.
func NextOccasion(a domain.Appointment, after domain.Millis, zone *time.Location) domain.Millis {
	if a.Recurrence == nil {
		return 0
	}
	return Next(*a.Recurrence, after, zone)
}

// ParseOccasion finds the time in a sentence as Parse does; one that comes back may also have
// an end of each day: every Monday from 9 to 10.
func ParseOccasion(text string, now domain.Millis, zone *time.Location) (Time, error) {
	return Look(text, now, zone).Occasion()
}

// WholeDays are the days of a time, from the beginning of the first to behind the last, and
// its recurrence, which then begins with the day.
func (t Time) WholeDays(zone *time.Location) (start, end domain.Millis, again *domain.Recurrence) {
	first := dateAt(t.At.Time().In(zone))
	last := first + 1
	if t.Grain == Day && t.To > t.From && t.Recurrence == nil {
		if from := t.From.Time().In(zone); wallOf(from) == (clockTime{}) { // a weekend's first day isn't whole
			first = dateAt(from)
		}
		last = max(dateAt((t.To-1).Time().In(zone))+1, last)
	}
	midnight := func(d date) domain.Millis { return domain.MillisOf(d.on(clockTime{}, zone)) }
	if t.Recurrence != nil {
		again = atMidnight(*t.Recurrence, midnight(first))
	}
	return midnight(first), midnight(last), again
}

// Later is the moment that lies a length behind another: "2 hours", "an hour and a half", "a
// day"; false when the text is no length.
func Later(text string, at domain.Millis, zone *time.Location) (domain.Millis, bool) {
	r := &reader{tokens: tokensOf(text)}
	s, next := r.length(r.skip(0, "for"))
	next = r.skip(next, "long", "before", "earlier", "later", "beforehand", "ahead", "after")
	if next == 0 || next < len(r.tokens) || s.tooFar() {
		return 0, false
	}
	return domain.MillisOf(s.after(at.Time().In(zone))), true
}

// Earlier is the moment that lies a length before another, which Later has read.
func Earlier(text string, at domain.Millis, zone *time.Location) domain.Millis {
	r := &reader{tokens: tokensOf(text)}
	s, _ := r.length(r.skip(0, "for"))
	return domain.MillisOf(s.negative().after(at.Time().In(zone)))
}

// atMidnight is a recurrence of days that begin with the day.
func atMidnight(r domain.Recurrence, start domain.Millis) *domain.Recurrence {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil {
		return &r
	}
	rule.Byhour, rule.Byminute, rule.Bysecond = []int{0}, []int{0}, nil
	return &domain.Recurrence{Rule: rule.RRuleString(), Start: start, Except: []domain.Millis{}}
}
