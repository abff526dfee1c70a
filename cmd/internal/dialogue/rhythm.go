package dialogue

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// rhythm is how often something comes back, as checks write it: hourly, 2-weekly:thu, monthly:5.
type rhythm struct {
	freq     rrule.Frequency
	interval int
	on       string // days; "" for any
}

var frequencies = map[string]rrule.Frequency{
	"minutely": rrule.MINUTELY, "hourly": rrule.HOURLY, "daily": rrule.DAILY, "weekly": rrule.WEEKLY, "monthly": rrule.MONTHLY, "yearly": rrule.YEARLY,
}

// days are those of a week, in the library's order.
var days = []string{"mo", "tu", "we", "th", "fr", "sa", "su"}

func rhythmOf(text string) (out rhythm, err error) {
	often, on, _ := strings.Cut(strings.ToLower(text), ":")
	switch often {
	case "weekdays":
		often, on = "weekly", "mon,tue,wed,thu,fri"
	case "weekends":
		often, on = "weekly", "sat,sun"
	}
	out = rhythm{interval: 1, on: on}
	if n, rest, ok := strings.Cut(often, "-"); ok {
		if out.interval, err = strconv.Atoi(n); err != nil || out.interval < 1 {
			return out, fmt.Errorf("%q is no rhythm: before a dash it has a number, as 2-weekly has", text)
		}
		often = rest
	}
	freq, known := frequencies[often]
	if !known {
		return out, fmt.Errorf("%q is no rhythm: it is one of %s, weekdays and weekends, with days as in weekly:tue and monthly:5",
			text, strings.Join(slices.Sorted(maps.Keys(frequencies)), ", "))
	}
	out.freq = freq
	return out, nil
}

// is reports whether a rule has the rhythm; first is when it begins.
func (r rhythm) is(rule rrule.ROption, first time.Time) bool {
	freq, interval := rule.Freq, max(rule.Interval, 1)
	if freq == rrule.DAILY && interval == 1 && len(rule.Byweekday) > 0 { // every day, but not on all
		freq = rrule.WEEKLY
	}
	if freq == rrule.WEEKLY && interval == 1 && len(rule.Byweekday) == len(days) {
		freq = rrule.DAILY
	}
	freq, interval = coarser(freq, interval)
	wantFreq, wantInterval := coarser(r.freq, r.interval)
	return freq == wantFreq && interval == wantInterval && (r.on == "" || r.isOn(rule, first))
}

// coarser writes a rhythm in the longest unit in which it is whole.
func coarser(freq rrule.Frequency, interval int) (rrule.Frequency, int) {
	for _, step := range []struct {
		from, to rrule.Frequency
		n        int
	}{{rrule.MINUTELY, rrule.HOURLY, 60}, {rrule.DAILY, rrule.WEEKLY, 7}, {rrule.MONTHLY, rrule.YEARLY, 12}} {
		if freq == step.from && interval%step.n == 0 {
			return step.to, interval / step.n
		}
	}
	return freq, interval
}

// isOn reports whether a rule comes on the days of a rhythm: days of the week, of the month as 5
// or -1, nth ones as 1-mon, or a date as 03-15.
func (r rhythm) isOn(rule rrule.ROption, first time.Time) bool {
	got := r.daysOf(rule, first)
	var want []string
	for one := range strings.SplitSeq(r.on, ",") {
		want = append(want, dayNamed(strings.TrimSpace(one)))
	}
	slices.Sort(got)
	slices.Sort(want)
	return slices.Equal(got, want)
}

// daysOf are the days on which a rule comes, in the words of a rhythm.
func (r rhythm) daysOf(rule rrule.ROption, first time.Time) (out []string) {
	for _, d := range rule.Byweekday {
		name := days[d.Day()]
		if n := d.N(); n != 0 {
			name = fmt.Sprintf("%d-%s", n, name)
		}
		out = append(out, name)
	}
	switch {
	case len(out) == 1 && len(rule.Bysetpos) == 1:
		return []string{fmt.Sprintf("%d-%s", rule.Bysetpos[0], out[0])}
	case len(out) > 0:
		return out
	case r.freq == rrule.YEARLY:
		return []string{dateOf(rule, first)}
	case r.freq == rrule.WEEKLY:
		return []string{days[(int(first.Weekday())+len(days)-1)%len(days)]}
	case len(rule.Bymonthday) == 0:
		return []string{strconv.Itoa(first.Day())}
	}
	for _, n := range rule.Bymonthday {
		out = append(out, strconv.Itoa(n))
	}
	return out
}

// dateOf is the day of the year on which a rule comes.
func dateOf(rule rrule.ROption, first time.Time) string {
	month, day := int(first.Month()), first.Day()
	if len(rule.Bymonth) > 0 {
		month = rule.Bymonth[0]
	}
	if len(rule.Bymonthday) > 0 {
		day = rule.Bymonthday[0]
	}
	return fmt.Sprintf("%02d-%02d", month, day)
}

// dayNamed is a day of a check as daysOf names it.
func dayNamed(text string) string {
	text = strings.Replace(text, "last", "-1", 1)
	at := strings.LastIndexFunc(text, func(r rune) bool { return r < 'a' || r > 'z' }) + 1
	nth, day := text[:at], text[at:]
	if len(day) > len(days[0]) {
		day = day[:len(days[0])]
	}
	if !slices.Contains(days, day) {
		return text
	}
	return nth + day
}
