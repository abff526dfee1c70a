package reckon

import (
	"fmt"
	"math"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
)

const unitsOfTime = `(days?|nights?|sleeps?|weeks?|months?|years?|hours?|minutes?|seconds?|weekends?|` + weekday + `s?|work(?:ing)? ?days?|business days?|weekdays?)`

var (
	howLong = []pattern{
		matching(`^(?:how many|how much|number of|the number of|count the|what number of) (?:more )?` + unitsOfTime + `(?: (?:are|is|there|left|remaining|remain|to go|do|we|have|i|it|will|be|more|away|it is|until we get))* (?:from (?:today|now) )?(?:until|to|before|till|up to|it is until|away from|away is|away are|away|for) (.+?)(?: (?:left|from now|from today|comes?|arrives?|is here|gets here|begins?|starts?))*$`),
		matching(`^how (?:(?:far|long|many days) away|long from now|much longer|much time|long|far|soon)(?: (?:is|are|it|left|do|we|have|i|there|will|it be|remaining|to go|be|away))* (?:until|to|before|till|from|off) (.+?)(?: (?:comes?|arrives?|is here|begins?|starts?))?()$`),
		matching(`^how many ` + unitsOfTime + ` (?:away|from now|from today|off|until)(?: from (?:now|today))? (?:is|are) (.+)$`),
		matching(`^how (?:far|long|close|near) (?:is|are) (.+?) (?:away|from now|off)()$`),
		matching(`^how (?:far away|long away|far off|far out|soon) (?:is|are) (.+)()$`),
		matching(`^(?:the )?(?:days|time|countdown|time left|days left|time remaining)(?: left| remaining)? (?:until|to|before|till) (.+)()$`),
		matching(`^` + unitsOfTime + ` (?:left |remaining )?(?:until|to|till|before) (.+)$`),
	}
	dayLeft  = matching(`^how (?:many|much) (hours|minutes|time) (?:are |is |do we have |do i have )*(?:left|remaining|remain) (?:in the day|today|of today|of the day|in today)$`)
	howSince = []pattern{
		matching(`^(?:how many|how much|number of|the number of) ` + unitsOfTime + `(?: (?:has|have|is|it|been|are|there|passed|gone by|went by))* (?:since|from) (.+?)(?: (?:until|to|till) (?:now|today))?(?: (?:has|have) (?:passed|gone by|it been))?$`),
		matching(`^how long (?:has it been |is it |was it )?since (.+?)()$`),
		matching(`^how long (?:has it been|is it|was it|ago is|ago was|it has been|it is)(?: since)? (.+?)()$`),
		matching(`^how (?:many )?` + unitsOfTime + ` ago (?:is|was|were) (.+)$`),
		matching(`^how long ago (?:is|was|were) (.+)()$`),
	}
	howBetween  = matching(`^(?:how many |how much |number of |the number of |what is the number of |how (?:long|much time)) ?` + unitsOfTime + `?(?: (?:is|are|there|lie|passed|left|it))* (?:between|from) (.+?) (?:and|to|until|till) (.+)$`)
	lengthAsked = matching(`^(?:how many|how much|number of|the number of) ` + unitsOfTime + `(?: (?:is|are|were|will be|does|do|there|we|have|got|be|left|remain|remaining|still|more|make))* (?:in|on|of|within|left in|during|has|have)? ?(.+?)(?: (?:have|has|contain|got|left|consist of|remaining|to go|contains|there))*$`)
	hasDay      = matching(`^(?:do|does|is|are|will|has|have|did) (?:we|there|it|this month|the month|.+? month|` + monthNames + `)(?: (?:have|be|get|got|any|has|contain))* ?(?:a |an |the |any )?(\d{1,2}|thirty|thirty one|twenty nine|twenty eight|leap)(st|nd|rd|th|first| days| day)(?: days?| date)?(?: (?:in|on|of|for|during) ?(.*?))?(?: this (?:month|year))?$`)
)

const monthNames = `(?:january|february|march|april|may|june|july|august|september|october|november|december)`

// span answers how long it is until a day or a time, since one, and between two.
func (a asker) span() (Answer, bool) {
	s := a.plain()
	if mine.in(s) {
		return none()
	}
	if m := howBetween.parts(s); m != nil {
		one, _, ok := a.named(m[2], false)
		other, to, too := a.named(m[3], false)
		if ok && too {
			if other.Before(one) && to.Sub(other) <= time.Hour { // past midnight
				other = other.AddDate(0, 0, 1)
			}
			if other.Before(one) && !strings.Contains(s, "between") {
				other = other.AddDate(1, 0, 0)
			}
			if other.Before(one) {
				one, other = other, one
			}
			args := speech.Args{"how": speech.Kind("between"), "lengths": lengthIn(m[1], one, other)}
			moment(args, "at", "clock", one)
			moment(args, "end", "till", other)
			return say("stretch", args)
		}
	}
	if m := dayLeft.parts(s); m != nil {
		return a.tellUntil(strings.TrimPrefix(m[1], "time"), midnight(a.at).AddDate(0, 0, 1))
	}
	for _, r := range howLong {
		if m := r.parts(s); m != nil {
			unit, name := m[1], m[2]
			if name == "" {
				unit, name = "", m[1]
			}
			if out, ok := a.until(unit, name); ok {
				return out, true
			}
		}
	}
	for _, r := range howSince {
		if m := r.parts(s); m != nil {
			unit, name := m[1], m[2]
			if name == "" {
				unit, name = "", m[1]
			}
			if out, ok := a.since(unit, name); ok {
				return out, true
			}
		}
	}
	return none()
}

// moment names a time: a day, with the time of day where it has one.
func moment(args speech.Args, at, clock string, t time.Time) {
	args[at] = speech.Time{At: domain.MillisOf(t)}
	if t.Hour() > 0 || t.Minute() > 0 {
		args[clock] = speech.Clock(t.Format("15:04"))
		return
	}
	args[at] = onlyDay(t)
}

func (a asker) until(unit, name string) (Answer, bool) {
	if name == "midnight" {
		return a.tellUntil(unit, midnight(a.at).AddDate(0, 0, 1))
	}
	if at, ok := a.comingHour(name); ok && !strings.HasPrefix(unit, "sleep") {
		return a.tellUntil(unit, at)
	}
	if m := endOf.parts(name); m != nil {
		name := m[1]
		if bareLength.in(name) {
			name = "this " + name
		}
		if _, to, ok := a.named(name, false); ok {
			return a.tellUntil(unit, to)
		}
	}
	from, to, ok := a.named(name, false)
	if ok && !to.After(a.at) && to.Sub(from) <= time.Hour { // the hour has passed today
		from = from.AddDate(0, 0, 1)
	}
	if ok && from.Before(a.at) && to.Sub(from) > time.Hour && !midnight(from).Equal(midnight(a.at)) {
		return none() // it has begun, or has passed
	}
	if !ok {
		return none()
	}
	if midnight(from).Equal(midnight(a.at)) && from.Hour() == 0 {
		if len(name) > 5 && nextWeekday.in(name) {
			from = from.AddDate(0, 0, 7)
		} else {
			return say("stretch", speech.Args{"how": speech.Kind("today"), "at": onlyDay(from)})
		}
	}
	if from.Before(a.at) {
		from = from.AddDate(0, 0, 1)
	}
	return a.tellUntil(unit, from)
}

var (
	nextWeekday = matching(`^(?:next )?` + weekday + `$`)
	onlyWeekday = matching(`^` + weekday + `$`)
	passing     = matching(`^(?:hour|minute|second)`)
	someMonth   = matching(monthNames + `|(?:next|last|this) month`)
	isLeft      = matching(`\b(?:left|remain|remaining|still|more|to go)\b`)
	clocksAhead = matching(`forward|ahead|spring|start|begin`)
	clocksBack  = matching(`back|fall|autumn|end`)
	bareLength  = matching(`^(?:year|month|week)$`)
	aYear       = matching(`^(?:the year )?(\d{4})$`)
)

var endOf = matching(`^(?:the )?end of (?:the |this )?((?:next )?(?:year|month|week)|day|` + monthNames + `)$`)

func (a asker) tellUntil(unit string, to time.Time) (Answer, bool) {
	from := a.at
	if strings.HasPrefix(unit, "sleep") && to.Hour() > 0 {
		return none() // let me sleep until 9
	}
	days := unit == "" || !passing.in(unit)
	if days && to.Hour() == 0 && to.Minute() == 0 && (unit != "" || !midnight(to).Equal(midnight(a.at).AddDate(0, 0, 1))) {
		from = midnight(a.at)
	}
	args := speech.Args{"how": speech.Kind("until"), "lengths": lengthIn(unit, from, to)}
	moment(args, "at", "clock", to)
	return say("stretch", args)
}

func (a asker) since(unit, name string) (Answer, bool) {
	from, _, ok := a.named(name, true)
	if !ok || from.After(a.at) {
		return none()
	}
	return say("stretch", speech.Args{"how": speech.Kind("since"), "lengths": lengthIn(unit, from, midnight(a.at)), "at": onlyDay(from)})
}

// lengthIn is the time between two moments in a unit, or in what fits.
func lengthIn(unit string, from, to time.Time) speech.List {
	d := to.Sub(from)
	days := int(math.Round(midnight(to).Sub(midnight(from)).Hours() / 24))
	switch unit = strings.TrimSuffix(unit, "s"); {
	case unit == "second":
		return speech.List{amount(int(d.Seconds()), "second")}
	case unit == "minute":
		return speech.List{amount(int(d.Minutes()), "minute")}
	case unit == "hour":
		return twoUnits(int(d.Minutes()), 60, "hour", "minute")
	case unit == "week" && days >= 7:
		return twoUnits(days, 7, "week", "day")
	case unit == "month" || unit == "year":
		return calendarLength(unit, from, to)
	case unit == "sleep" || unit == "night":
		return speech.List{amount(days, speech.Kind(unit))}
	case strings.HasPrefix(unit, "work") || strings.HasPrefix(unit, "business") || unit == "weekday":
		return speech.List{amount(countDays(from, to, func(d time.Weekday) bool { return d != time.Saturday && d != time.Sunday }), "working_day")}
	case unit == "weekend":
		return speech.List{amount(countDays(from, to, func(d time.Weekday) bool { return d == time.Saturday }), "weekend")}
	case onlyWeekday.in(unit):
		return speech.List{amount(countDays(from, to, func(d time.Weekday) bool { return strings.EqualFold(d.String(), unit) }), speech.Kind(unit))}
	case unit == "" && d < time.Hour:
		return speech.List{amount(int(math.Ceil(d.Minutes()))%60, "minute")}
	case unit == "" && d < 24*time.Hour:
		return twoUnits(int(d.Hours())*60+int(math.Ceil(d.Minutes()))%60, 60, "hour", "minute")
	}
	return speech.List{amount(days, "day")}
}

// amount is so many of a unit.
func amount(n int, unit speech.Kind) speech.Message {
	return speech.Message{ID: "amount", Args: speech.Args{"n": speech.Count(n), "unit": unit}}
}

// twoUnits is a length in a unit, and what is left of it in a smaller one.
func twoUnits(n, size int, large, small speech.Kind) speech.List {
	out := speech.List{amount(n/size, large)}
	if n%size > 0 {
		out = append(out, amount(n%size, small))
	}
	return out
}

func countDays(from, to time.Time, counts func(time.Weekday) bool) int {
	n := 0
	for d := midnight(from); d.Before(to); d = d.AddDate(0, 0, 1) {
		if counts(d.Weekday()) {
			n++
		}
	}
	return n
}

// calendarLength is a time in months or years and days.
func calendarLength(unit string, from, to time.Time) speech.List {
	from, to = midnight(from), midnight(to)
	months := 0
	for !monthsOn(from, months+1).After(to) {
		months++
	}
	days := int(math.Round(to.Sub(monthsOn(from, months)).Hours() / 24))
	var parts speech.List
	if unit == "year" && months >= 12 {
		parts = append(parts, amount(months/12, "year"))
		months %= 12
	}
	if months > 0 {
		parts = append(parts, amount(months, "month"))
	}
	if days > 0 || len(parts) == 0 {
		parts = append(parts, amount(days, "day"))
	}
	return parts
}

// calendar answers what a month, a year and a week have in them.
func (a asker) calendar() (Answer, bool) {
	s := strings.ReplaceAll(a.plain(), "calendar week", "week")
	if mine.in(s) {
		return none()
	}
	for _, read := range []func(string) (Answer, bool){a.always, a.clocksChange, a.week, a.partOfYear, a.hasDay, a.lengthOf} {
		if out, ok := read(s); ok {
			return out, true
		}
	}
	return none()
}

var (
	weekAsked  = matching(`^(?:(?:what|which) )?(?:is )?(?:the )?(?:current )?(?:calendar )?week(?: number| of the year|s number)?(?: (?:is|are|of the year|it|this|we|in|now|number|the|today|does|do|current|of|for|on|fall|falls))*(?: (.+?))?(?: (?:fall|in|is|be|belong to|on))*$`)
	numberWeek = matching(`\b(?:what|which|number|of the year|calendar|current)\b`)
	monthAsked = matching(`^(?:what|which) (month|year|season|quarter|century|decade|day of the year)(?: (?:is|are|it|this|we|in|now|the|current))*$|^what is the (?:current )?(month|year|season|quarter)$`)
	nextLeap   = matching(`^(?:when|what year|which year) (?:is|will be|was) (?:the )?(?:next )?leap year$`)
)

// lengths are how many of a unit parts of the calendar have in them, wherever they lie: n, or n to m, and n in a leap year.
var lengths = map[string]struct{ n, to, leap int }{
	"days in year": {n: 365, leap: 366}, "months in year": {n: 12}, "hours in year": {n: 8760, leap: 8784}, "minutes in year": {n: 525600, leap: 527040}, "seconds in year": {n: 31536000, leap: 31622400}, "quarters in year": {n: 4}, "days in leap year": {n: 366},
	"days in month": {n: 28, to: 31}, "days in quarter": {n: 90, to: 92}, "months in quarter": {n: 3}, "years in decade": {n: 10}, "years in century": {n: 100}, "years in millennium": {n: 1000}, "decades in century": {n: 10}, "days in weekend": {n: 2},
}

var lengthAlways = matching(`^how many (days|weeks|months|hours|minutes|seconds|quarters|years|decades) (?:are |is |does |do )?(?:there )?(?:in )?(?:a |an |one |1 |each |every )(leap year|year|month|quarter|decade|century|millennium|weekend)(?: have| has| got| contain)?$`)

// always answers how long a year, a month or a century is.
func (a asker) always(s string) (Answer, bool) {
	m := lengthAlways.parts(s)
	if m == nil {
		return none()
	}
	in := m[1] + " in " + m[2]
	if in == "weeks in year" || in == "weeks in month" { // and some days
		return say("always", speech.Args{"whole": speech.Kind(strings.ReplaceAll(in, " ", "_"))})
	}
	length, ok := lengths[in]
	args := speech.Args{"whole": speech.Kind(strings.ReplaceAll(m[2], " ", "_")), "n": speech.Count(length.n), "unit": speech.Kind(strings.TrimSuffix(m[1], "s"))}
	if length.to > 0 {
		args["to"] = speech.Count(length.to)
	}
	if length.leap > 0 {
		args["leap"] = speech.Count(length.leap)
	}
	return Answer{Says: speech.Message{ID: "always", Args: args}}, ok
}

var clocksChange = matching(`^(?:when|on (?:what|which) (?:day|date)|what (?:day|date)) (?:do|does|will|is|are) (?:we |the |it |i )?(?:next )?(?:clocks?|time|daylight savings?(?: time)?|summer time|dst|the clocks?|change the clocks?|set the clocks?|turn the clocks?)(?: the clocks?)?(?: (?:going to |to )?(?:change|changes|changed|go|goes|turn|move|start|starts|begin|begins|end|ends|fall|spring|over))?(?: (?:forward|back|ahead|this year|next|again|in spring|in the spring|in the fall|in autumn|in the autumn))*$`)

// clocksChange answers when summer time begins or ends.
func (a asker) clocksChange(s string) (Answer, bool) {
	if !clocksChange.in(s) {
		return none()
	}
	want := 0
	switch {
	case clocksAhead.in(s):
		want = 1
	case clocksBack.in(s):
		want = -1
	}
	zone := a.at.Location()
	for d := midnight(a.at).AddDate(0, 0, 1); d.Before(a.at.AddDate(2, 0, 0)); d = d.AddDate(0, 0, 1) {
		switch gap := offset(zone, d.AddDate(0, 0, 1)) - offset(zone, d); {
		case gap > 0 && want >= 0:
			return say("turning", speech.Args{"how": speech.Kind("ahead"), "at": onlyDay(d)})
		case gap < 0 && want <= 0:
			return say("turning", speech.Args{"how": speech.Kind("back"), "at": onlyDay(d)})
		}
	}
	return say("turning", speech.Args{"how": speech.Kind("never"), "zone": speech.Text{Words: zoneName(zone, a.at)}})
}

// week answers which week of the year a day is in, as ISO 8601 counts them.
func (a asker) week(s string) (Answer, bool) {
	m := weekAsked.parts(s)
	if m == nil || !numberWeek.in(s) {
		return none()
	}
	day := a.at
	if m[1] != "" {
		from, to, ok := a.named(m[1], false)
		if !ok || to.Sub(from) > 8*24*time.Hour {
			return none()
		}
		day = from
	}
	_, n := day.ISOWeek()
	monday := midnight(day).AddDate(0, 0, -(int(day.Weekday())+6)%7)
	return say("almanac", speech.Args{"what": speech.Kind("week"), "at": onlyDay(day), "n": speech.Count(n), "since": onlyDay(monday), "until": onlyDay(monday.AddDate(0, 0, 6))})
}

// partOfYear answers which month, year or season it is.
func (a asker) partOfYear(s string) (Answer, bool) {
	if nextLeap.in(s) {
		return say("leap", speech.Args{"how": speech.Kind("next"), "year": speech.Count(nextLeapYear(a.at.Year()))})
	}
	m := monthAsked.parts(s)
	if m == nil {
		return none()
	}
	args := speech.Args{"what": speech.Kind(m[1] + m[2])}
	switch m[1] + m[2] {
	case "month":
		args["at"] = onlyDay(a.at)
	case "year":
		args["year"] = speech.Count(a.at.Year())
	case "quarter":
		args["nth"], args["year"] = []speech.Kind{"first", "second", "third", "fourth"}[(a.at.Month()-1)/3], speech.Count(a.at.Year())
	case "day of the year":
		args["what"], args["n"], args["year"] = speech.Kind("day"), speech.Count(a.at.YearDay()), speech.Count(a.at.Year())
	case "century":
		args["n"] = speech.Count((a.at.Year() + 99) / 100)
	default:
		return none()
	}
	return say("almanac", args)
}

// nextLeapYear is a year itself where it is one.
func nextLeapYear(year int) int {
	for !isLeap(year) {
		year++
	}
	return year
}

// hasDay answers whether a month has a day: do we have a 31st this month?
func (a asker) hasDay(s string) (Answer, bool) {
	m := hasDay.parts(s)
	if m == nil {
		return none()
	}
	n, ok := amountOf(m[1])
	if !ok {
		return none()
	}
	if m[2] == "first" {
		n++
	}
	month := a.at
	if name := someMonth.compiled().FindString(s); name != "" {
		from, _, ok := a.named(name, false)
		if !ok {
			return none()
		}
		month = from
		if strings.HasSuffix(s, "this year") {
			month = time.Date(a.at.Year(), from.Month(), 1, 0, 0, 0, 0, from.Location())
		}
	} else if !strings.Contains(s, "month") {
		return none()
	}
	days, inDays := daysIn(month), strings.HasPrefix(m[2], " day")
	has := n <= days && !inDays || n == days
	args := speech.Args{"how": verdict(has), "of": speech.Kind("month"), "at": onlyDay(month), "lengths": speech.List{amount(days, "day")}}
	if has && !inDays {
		on := time.Date(month.Year(), month.Month(), n, 0, 0, 0, 0, month.Location())
		args["n"], args["day"] = speech.Count(n), speech.Kind(strings.ToLower(on.Weekday().String()))
	}
	return say("held", args)
}

func ordinal(n int) string {
	ending := "th"
	if n/10 != 1 {
		ending = map[int]string{1: "st", 2: "nd", 3: "rd"}[n%10]
		if ending == "" {
			ending = "th"
		}
	}
	return fmt.Sprint(n) + ending
}

// lengthOf answers how many days, weeks or Mondays a month or a year has, or has left.
func (a asker) lengthOf(s string) (Answer, bool) {
	m := lengthAsked.parts(s)
	if m == nil {
		return none()
	}
	name := strings.TrimPrefix(strings.TrimPrefix(m[2], "the "), "month of ")
	switch name {
	case "month", "year", "week", "day", "current month", "current year":
		if !strings.Contains(s, "the "+name) {
			return none() // a month has no length of its own, and a year is a measure
		}
		name = "this " + strings.TrimPrefix(name, "current ")
	}
	if year := aYear.parts(name); year != nil {
		name = "january 1 " + year[1]
	}
	from, to, ok := a.named(name, false)
	if !ok {
		return none()
	}
	if strings.HasPrefix(name, "january 1 ") {
		to = from.AddDate(1, 0, 0)
	}
	if to.Sub(from) < 6*24*time.Hour {
		return none()
	}
	if name == "february" && strings.HasPrefix(m[1], "day") {
		return say("leap", speech.Args{"how": speech.Kind("february"), "year": speech.Count(nextLeapYear(a.at.Year()))})
	}
	args := speech.Args{"how": speech.Kind("has"), "of": speech.Kind("month"), "lengths": lengthIn(m[1], from, to)}
	switch {
	case to.Sub(from) > 40*24*time.Hour:
		args["of"], args["year"] = speech.Kind("year"), speech.Count(from.Year())
	case to.Sub(from) < 9*24*time.Hour:
		args["of"] = speech.Kind("week")
	default:
		args["at"] = onlyDay(from)
	}
	if isLeft.in(s) {
		args["how"], args["lengths"] = speech.Kind("left"), lengthIn(m[1], midnight(a.at).AddDate(0, 0, 1), to)
	}
	return say("held", args)
}
