package when

import (
	"slices"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
)

// Weekdays are the days of the week that a text names and nothing besides: "on Wednesdays",
// "Saturday and Sunday", "at weekends". None for any other text, "this Friday" too.
func Weekdays(text string) []time.Weekday {
	r := &reader{tokens: tokensOf(text)}
	at := r.skip(r.skip(r.skip(0, "on", "at"), "the", "any", "every", "each"), "a")
	if end := r.weekendWord(at); end > 0 && end == len(r.tokens) {
		return weekend
	}
	for _, read := range []func(int) ([]time.Weekday, int){r.plurals, r.weekdayList} {
		if days, end := read(at); end > 0 && end == len(r.tokens) {
			return days
		}
	}
	return nil
}

// DaysOf are the days of the week on which a recurrence comes; false where it isn't by those that
// it comes back, or only so many times.
func DaysOf(r domain.Recurrence) ([]time.Weekday, bool) {
	rule, err := rrule.StrToROption(r.Rule)
	switch {
	case err != nil || rule.Count > 0:
	case rule.Freq == rrule.DAILY && rule.Interval <= 1:
		return allDays, true
	case rule.Freq == rrule.WEEKLY && len(rule.Byweekday) > 0:
		days := make([]time.Weekday, len(rule.Byweekday))
		for i, d := range rule.Byweekday {
			days[i] = weekdayOf(d)
		}
		return days, true
	}
	return nil, false
}

// OnDays is a recurrence of DaysOf that comes on some of its days alone, from its first time after
// a moment; false when none comes then.
func OnDays(r domain.Recurrence, days []time.Weekday, after domain.Millis, zone *time.Location) (domain.Recurrence, bool) {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil || len(days) == 0 {
		return r, false
	}
	if rule.Freq == rrule.DAILY {
		rule.Freq = rrule.WEEKLY
	}
	rule.Byweekday = nil
	for _, d := range allDays {
		if slices.Contains(days, d) {
			rule.Byweekday = append(rule.Byweekday, []rrule.Weekday{rrule.SU, rrule.MO, rrule.TU, rrule.WE, rrule.TH, rrule.FR, rrule.SA}[d])
		}
	}
	rule.Dtstart = time.Time{}
	start := r.Start.Time().In(zone)
	from := max(after, r.Start-1).Time().In(zone)
	first := nextOf(*rule, start, from)
	return domain.Recurrence{Rule: rule.RRuleString(), Start: first, Except: slices.Clone(r.Except)}, first != 0
}

// AtHour is a recurrence at another time of day, with everything else as it was, also what is left
// out of it; false when it has several times on a day or none.
func AtHour(r domain.Recurrence, hour, minute int, zone *time.Location) (domain.Recurrence, bool) {
	rule, err := rrule.StrToROption(r.Rule)
	if err != nil || rule.Freq == rrule.HOURLY || rule.Freq == rrule.MINUTELY || len(rule.Byhour) > 1 {
		return r, false
	}
	at := func(m domain.Millis) domain.Millis {
		return domain.MillisOf(dateAt(m.Time().In(zone)).on(clockTime{hour: hour, minute: minute}, zone))
	}
	rule.Dtstart, rule.Byhour, rule.Byminute = time.Time{}, []int{hour}, []int{minute}
	if until := rule.Until; !until.IsZero() && until.Second() == 0 { // a time rather than the end of a day
		return r, false
	}
	out := domain.Recurrence{Rule: rule.RRuleString(), Start: at(r.Start), Except: make([]domain.Millis, len(r.Except))}
	for i, left := range r.Except {
		out.Except[i] = at(left)
	}
	return out, true
}

// EndingAs is a recurrence that ends as another one does, where it has no end of its own and comes
// once before that.
func EndingAs(r *domain.Recurrence, as domain.Recurrence) *domain.Recurrence {
	rule, err := rrule.StrToROption(r.Rule)
	other, wrong := rrule.StrToROption(as.Rule)
	if err != nil || wrong != nil || !rule.Until.IsZero() || rule.Count > 0 {
		return r
	}
	out := *r
	rule.Dtstart, rule.Until, rule.Count = time.Time{}, other.Until, other.Count
	if out.Rule = rule.RRuleString(); !rule.Until.IsZero() && Next(out, out.Start-1, time.UTC) == 0 {
		return r
	}
	return &out
}
