package speech

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"

	"github.com/teambition/rrule-go"
	"golang.org/x/text/language"
)

// timeForms are the forms that the section times of a catalogue has, with their arguments.
func timeForms() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for key, args := range linesOf(formsDeclared) {
		out[key] = map[string]bool{}
		for arg := range strings.FieldsSeq(args) {
			out[key][arg] = true
		}
	}
	return out
}

const formsDeclared = `
quoted: text
named: text
place: text
placed:
list: text
list_shopping:
titled_shopping:
comma: a b
and: a b
comma_and: a b
comma_or: a b
apart: a b
apart_and: a b
decimal:
weekdays:
weekdays_each:
months:
today:
tomorrow:
yesterday:
date: weekday d month
date_year: weekday d month y
on: date
dated: day date
month_year: month y
moment: day clock
at_clock: clock
on_weekday: weekday
day: day
just_now:
minutes_ago: n
clocked: clock date
hours_ago: n
days_ago: n
short_days: n
short_hours: n
short_minutes: n
short_moment:
span: day clock end
span_full: day clock end
span_days: day clock date end
span_days_full: day clock date end
begins: day clock
begins_full: day clock
all_day: day
all_days: day date
minutes: n
hours: n
days: n
hours_and: hours minutes
every_minute: n
every_hour: n
every_day: n
every_week: n
every_month: n
every_year: n
every_weekday:
every_on: days
weeks_on: each days
months_on: each days
years_on: each days months
years_of: each months
year_date: each d month
at: each clocks
until: again date
times: again n
bound: d month y
bound_soon: d month
bound_at: bound clock
nth: nth weekday
ordinals:
last:
last_nth: nth
th: n
last_day:
nth_day: nth
again:
week_this:
week_next:
week_last:
month_this:
month_next:
month_last:
weekend_this:
weekend_next:
period_days: from to
period_clocks: clock end
period_day_clocks: day clock end
`

// words are those of a form that is a list: the days of the week, from Sunday on.
func (s saying) wordsOf(key string) []string { return strings.Fields(s.form(key)) }

// soon is the nearness of moments that are told with their seconds.
const soon = 2 * time.Minute

func (s saying) in(at domain.Millis) time.Time { return at.Time().In(s.Zone) }

// time is a moment as it looks from another: today at 20:00, on Monday 23 November at 12:00.
func (s saying) time(at Time, style string) string {
	t := s.in(at.At)
	clock := t.Format("15:04")
	if ahead := at.At.Sub(s.Now); ahead > 0 && ahead < soon && t.Second() != 0 {
		clock = t.Format("15:04:05")
	}
	switch {
	case style == "clock":
		return clock
	case style == "stated":
		return s.stated(at)
	case style == "year":
		return s.dateOfYear(t)
	case style == "month":
		return s.form("month_year", "month", s.month(t.Month()), "y", strconv.Itoa(t.Year()))
	case style == "since":
		return s.since(s.Now.Sub(at.At))
	case style == "ago" && s.Now.Sub(at.At) < time.Hour:
		return s.since(s.Now.Sub(at.At))
	case style == "lately" && dayOf(t) == dayOf(s.in(s.Now)):
		return s.form("at_clock", "clock", clock)
	case style == "date":
		return s.date(t)
	case style == "exact":
		return s.form("moment", "day", s.dateOfYear(t), "clock", clock)
	case style == "plain":
		return s.form("bound_at", "bound", s.bound(t), "clock", clock)
	case style == "calendar" && t.Year() == s.in(s.Now).Year():
		return s.form("bound_soon", "d", strconv.Itoa(t.Day()), "month", s.month(t.Month()))
	case style == "calendar":
		return s.bound(t)
	}
	day := s.day(t, style == "full")
	if near := dayOf(t) - dayOf(s.in(s.Now)); style == "bare" && (near < -1 || near > 1) {
		day = s.date(t)
	}
	if style == "day" || at.Grain == Day {
		return s.form("day", "day", day)
	}
	return s.form("moment", "day", day, "clock", clock)
}

// stated is a moment as the clocks of its own zone show it, with its date.
func (s saying) stated(at Time) string {
	t := s.in(at.At)
	if zone, err := time.LoadLocation(at.Zone); err == nil && at.Zone != "" {
		t = at.At.Time().In(zone)
	}
	return s.form("clocked", "clock", t.Format("15:04"), "date", s.dateOfYear(t))
}

// since is how long ago something was.
func (s saying) since(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return s.form("just_now")
	case d < time.Hour:
		return s.counted("minutes_ago", int(d/time.Minute))
	case d < 2*day:
		return s.counted("hours_ago", int(d/time.Hour))
	}
	return s.counted("days_ago", int(d/day))
}

// short is a length in its two largest units.
func (s saying) short(d time.Duration) string {
	const day = 24 * time.Hour
	var out string
	for _, u := range []struct {
		key  string
		size time.Duration
		of   time.Duration
	}{{"short_days", day, 1 << 62}, {"short_hours", time.Hour, day}, {"short_minutes", time.Minute, time.Hour}} {
		n := int(d % u.of / u.size)
		switch {
		case n > 0 && out == "":
			out = s.counted(u.key, n)
		case n > 0:
			return out + " " + s.counted(u.key, n)
		case out != "":
			return out
		}
	}
	return cmp.Or(out, s.form("short_moment"))
}

// bound is a date without its day of the week.
func (s saying) bound(t time.Time) string {
	return s.form("bound", "d", strconv.Itoa(t.Day()), "month", s.month(t.Month()), "y", strconv.Itoa(t.Year()))
}

// day is the day of a moment; fully also with the date of today and tomorrow.
func (s saying) day(t time.Time, full bool) string {
	var near string
	switch dayOf(t) - dayOf(s.in(s.Now)) {
	case -1:
		return s.form("yesterday")
	case 0:
		near = "today"
	case 1:
		near = "tomorrow"
	default:
		return s.form("on", "date", s.date(t))
	}
	if !full {
		return s.form(near)
	}
	return s.form("dated", "day", s.form(near), "date", s.dateAlone(t))
}

// date is a date, with its year where that is another.
func (s saying) date(t time.Time) string {
	if t.Year() == s.in(s.Now).Year() {
		return s.dateAlone(t)
	}
	return s.dateOfYear(t)
}

func (s saying) dateOfYear(t time.Time) string {
	return s.form("date_year", "weekday", s.weekday(t.Weekday(), false), "d", strconv.Itoa(t.Day()), "month", s.month(t.Month()), "y", strconv.Itoa(t.Year()))
}

func (s saying) dateAlone(t time.Time) string {
	return s.form("date", "weekday", s.weekday(t.Weekday(), false), "d", strconv.Itoa(t.Day()), "month", s.month(t.Month()))
}

func (s saying) weekday(d time.Weekday, each bool) string {
	key := "weekdays"
	if each {
		key = "weekdays_each"
	}
	return s.wordsOf(key)[d]
}

// month is the name of one; a rule from elsewhere may have a number that is none.
func (s saying) month(m time.Month) string {
	if m < time.January || m > time.December {
		return strconv.Itoa(int(m))
	}
	return s.wordsOf("months")[m-1]
}

// dayOf counts days, whatever the zone.
func dayOf(t time.Time) int64 {
	const day = 24 * 60 * 60
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / day
}

// span is from when to when something lasts.
func (s saying) span(p Span, full bool) string {
	from, to := s.in(p.From), s.in(p.To)
	day := func() string {
		if said := s.day(from, full); !full || dayOf(from) != dayOf(s.in(s.Now))-1 {
			return said
		}
		return s.form("dated", "day", s.form("yesterday"), "date", s.dateAlone(from))
	}()
	if p.AllDay {
		last := to.Add(-time.Nanosecond)
		if dayOf(last) <= dayOf(from) {
			return s.form("all_day", "day", day)
		}
		return s.form("all_days", "day", day, "date", s.dateAlone(last))
	}
	way := ""
	if full {
		way = "_full"
	}
	clock, end := from.Format("15:04"), to.Format("15:04")
	switch {
	case p.To <= p.From:
		return s.form("begins"+way, "day", day, "clock", clock)
	case dayOf(to) == dayOf(from) || dayOf(to) == dayOf(from)+1 && to.Hour() == 0 && to.Minute() == 0:
		return s.form("span"+way, "day", day, "clock", clock, "end", end)
	}
	return s.form("span_days"+way, "day", day, "clock", clock, "date", s.dateAlone(to), "end", end)
}

// period is a time of the calendar in which something lies. English says it as it was said, for what is
// said is read in English.
func (s saying) period(p Period) string {
	from, to := s.in(p.Since), s.in(p.Before)
	now := s.in(s.Now)
	clock, end := from.Format("15:04"), to.Format("15:04")
	if p.Said != "" && s.tag == language.English {
		return p.Said
	}
	if p.AnyDay {
		if p.Before.Sub(p.Since) <= time.Hour {
			return s.form("at_clock", "clock", clock)
		}
		return s.form("period_clocks", "clock", clock, "end", end)
	}
	if !isMidnight(from) || !isMidnight(to) {
		switch day := s.day(from, false); {
		case p.Before.Sub(p.Since) <= time.Hour:
			return s.form("moment", "day", day, "clock", clock)
		case dayOf(from) == dayOf(to) || dayOf(to) == dayOf(from)+1:
			return s.form("period_day_clocks", "day", day, "clock", clock, "end", end)
		}
		return s.form("period_days", "from", s.date(from), "to", s.date(to))
	}
	const week, weekend = 7, 2
	days := dayOf(to) - dayOf(from)
	ahead := dayOf(from) - dayOf(now) + int64(now.Weekday()+6)%week // of the Monday of this week
	months := (from.Year()-now.Year())*12 + int(from.Month()-now.Month())
	switch {
	case days == 1 && p.ByName:
		return s.form("on_weekday", "weekday", s.weekday(from.Weekday(), false))
	case days == 1:
		return s.form("day", "day", s.day(from, false))
	case days == week && from.Weekday() == time.Monday && ahead >= -week && ahead <= week:
		return s.form([]string{"week_last", "week_this", "week_next"}[ahead/week+1])
	case days == weekend && from.Weekday() == time.Saturday && ahead > 0 && ahead < 2*week:
		return s.form([]string{"weekend_this", "weekend_next"}[ahead/week])
	case from.Day() == 1 && to.Equal(from.AddDate(0, 1, 0)) && months >= -1 && months <= 1:
		return s.form([]string{"month_last", "month_this", "month_next"}[months+1])
	}
	return s.form("period_days", "from", s.date(from), "to", s.date(to.Add(-time.Nanosecond)))
}

func isMidnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0 }

// length is how long something lasts, to the minute.
func (s saying) length(d time.Duration) string {
	const hour, day = 60, 24 * 60
	minutes := max(1, int(d.Round(time.Minute)/time.Minute))
	switch {
	case minutes%day == 0:
		return s.counted("days", minutes/day)
	case minutes < 2*hour && minutes != hour:
		return s.counted("minutes", minutes)
	case minutes%hour == 0:
		return s.counted("hours", minutes/hour)
	}
	return s.form("hours_and", "hours", s.counted("hours", minutes/hour), "minutes", s.counted("minutes", minutes%hour))
}

// again is how something comes back: every Monday and Thursday at 18:00.
func (s saying) again(a Again) string {
	rule, err := rrule.StrToROption(a.Rule)
	if err != nil {
		return s.form("again")
	}
	out := s.each(*rule)
	if clocks := clocksOf(*rule); len(clocks) > 0 && (!a.AllDay || clocks[0] != "00:00") {
		out = s.form("at", "each", out, "clocks", s.joined(clocks, "comma", "and"))
	}
	switch until := rule.Until; {
	case !until.IsZero():
		bound := s.bound(until)
		if until.Second() == 0 { // a time rather than the end of a day
			bound = s.form("bound_at", "bound", bound, "clock", until.Format("15:04"))
		}
		return s.form("until", "again", out, "date", bound)
	case rule.Count > 0:
		return s.template(s.times["times"], Args{"again": Text{Words: out}, "n": Count(rule.Count)}, "")
	}
	return out
}

// each is how often something comes back, and on which days.
func (s saying) each(rule rrule.ROption) string {
	key := map[rrule.Frequency]string{rrule.MINUTELY: "every_minute", rrule.HOURLY: "every_hour", rrule.WEEKLY: "every_week", rrule.MONTHLY: "every_month", rrule.YEARLY: "every_year"}[rule.Freq]
	if key == "" {
		key = "every_day"
	}
	each := s.counted(key, max(1, rule.Interval))
	switch rule.Freq {
	case rrule.WEEKLY:
		days := make([]string, len(rule.Byweekday))
		for i, d := range rule.Byweekday {
			days[i] = s.weekday(weekdayOf(d), true)
		}
		switch {
		case len(days) == 0:
		case isWorkWeek(rule.Byweekday) && rule.Interval <= 1:
			return s.form("every_weekday")
		case rule.Interval > 1:
			return s.form("weeks_on", "each", each, "days", s.joined(days, "comma", "and"))
		default:
			return s.form("every_on", "days", s.joined(days, "comma", "and"))
		}
	case rrule.MONTHLY:
		if days := s.daysIn(rule); days != "" {
			return s.form("months_on", "each", each, "days", days)
		}
	case rrule.YEARLY:
		return s.inYear(each, rule)
	}
	return each
}

// inYear is what comes back every year on a date, or on days of months.
func (s saying) inYear(each string, rule rrule.ROption) string {
	if len(rule.Bymonth) > 1 || len(rule.Bymonth) == 1 && len(rule.Byweekday) > 0 {
		names := make([]string, len(rule.Bymonth))
		for i, m := range rule.Bymonth {
			names[i] = s.month(time.Month(m))
		}
		months, days := s.joined(names, "comma", "and"), s.daysIn(rule)
		if days == "" {
			return s.form("years_of", "each", each, "months", months)
		}
		return s.form("years_on", "each", each, "days", days, "months", months)
	}
	if len(rule.Bymonth) != 1 || len(rule.Bymonthday) == 0 {
		return each
	}
	return s.form("year_date", "each", each, "d", strconv.Itoa(slices.Max(rule.Bymonthday)), "month", s.month(time.Month(rule.Bymonth[0])))
}

// daysIn are the days of a month: the 31st, the first Monday.
func (s saying) daysIn(rule rrule.ROption) string {
	days := make([]string, 0, len(rule.Byweekday)+len(rule.Bymonthday))
	for _, d := range rule.Byweekday {
		days = append(days, s.form("nth", "nth", s.nth(d.N()), "weekday", s.weekday(weekdayOf(d), false)))
	}
	if len(rule.Bysetpos) > 0 && len(rule.Bymonthday) > 0 { // the last of them that there is
		return s.joined(append(days, s.counted("th", slices.Max(rule.Bymonthday))), "comma", "and")
	}
	for _, d := range rule.Bymonthday {
		switch {
		case d == -1:
			days = append(days, s.form("last_day"))
		case d < 0:
			days = append(days, s.form("nth_day", "nth", s.nth(d)))
		default:
			days = append(days, s.counted("th", d))
		}
	}
	return s.joined(days, "comma", "and")
}

func (s saying) nth(n int) string {
	words := s.wordsOf("ordinals")
	switch {
	case n == -1:
		return s.form("last")
	case n < 0:
		return s.form("last_nth", "nth", s.counted("th", -n))
	case n > 0 && n <= len(words):
		return words[n-1]
	}
	return s.counted("th", n)
}

// clocksOf are the times of day of a rule.
func clocksOf(rule rrule.ROption) []string {
	minute := 0
	if len(rule.Byminute) > 0 {
		minute = rule.Byminute[0]
	}
	out := make([]string, len(rule.Byhour))
	for i, h := range rule.Byhour {
		out[i] = fmt.Sprintf("%02d:%02d", h, minute)
	}
	return out
}

// isWorkWeek reports whether days are Monday to Friday.
func isWorkWeek(days []rrule.Weekday) bool {
	const week = 5
	return len(days) == week && !slices.ContainsFunc(days, func(d rrule.Weekday) bool {
		return weekdayOf(d) == time.Saturday || weekdayOf(d) == time.Sunday
	})
}

// weekdayOf is a day as the standard library counts them.
func weekdayOf(d rrule.Weekday) time.Weekday { return time.Weekday((d.Day() + 1) % 7) }
