package reckon

import (
	"strconv"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

const weekday = `(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)`

// ways to ask on which day something is; the day stands between them.
var (
	dayFront  = matching(`^(?:on |in )?(?:what (?:will|would) (?:the |it )?(?:date|day) be|(?:(?:what|which) (?:exact |actual )?(?:day|date|weekday|week day|days)(?: of (?:the )?(?:week|month|year))?|what day date|when|how) (?:is it|was it|will it be|it is|it was|is|are|was|were|does|do|did|will|would|falls?|lands?|comes?)(?: it)?(?: going to be)?|what (?:is|was|are|will be) (?:the |on )?(?:exact |actual |correct |calendar )?(?:date|day|weekday)(?: of the week)?|what (?:is|was) it|(?:the )?(?:date|day|weekday)(?: of the week)?|the date (?:is|that)|(?:what|which) (?:day|date))(?: (?:does|is|are|will|for|of|on|falls?|that|it|did|was|be|the date of|in|date|actual date))* (.+)$`)
	dayBehind = matching(`^(.+?) (?:falls?|lands?|is|was|comes?|will be|will fall|happens|occurs) (?:on|in)? ?(?:what|which) (?:day|date|weekday)(?: of (?:the )?week)?(?: (?:is|was|does|will) it)?(?: on| fall on| be)?$`)
	dayOfDate = matching(`^(.+?) (?:is )?(?:what |which )?(?:day|weekday|day of (?:the )?week|date)$`)
	dayWhat   = matching(`^(?:what|which) (?:is|was|are) (?:the )?(.+?)(?:'s|s)? (?:actual |exact |correct |real |current )?(?:date|day)$`)
	dayWill   = matching(`^what (?:will|would) (.+?)(?:'s|s)? (?:date|day) be$`)
	dayNth    = matching(`^(?:what|which) (?:is|was|will be) (the (?:first|last|second|third|fourth|fifth|next) (?:day|date|` + weekday + `|weekday|workday) (?:of|in) .+)$`)
	dayBegins = matching(`^(?:when|what day|what date|on (?:what|which) (?:day|date)) (?:does|do|will|is) (?:the )?(.+?) (?:start|starts|begin|begins|starting|beginning|officially start|officially begin)(?: this year)?$`)
	dayBeside = matching(`\b(?:the )?day (after|before) `)
	beside    = matching(`^(?:after|before|until|since|by) `)
	dayTail   = matching(`(?: (?:on|be|fall|falls|falling|fall on|land|lands|land on|come|occur|happen|celebrated|observed|held|this time|actual date|exactly|is|dated?))+$`)
	dayPast   = matching(`\b(?:was|were|did)\b`)
	dayMore   = matching(`^(?:the )?(?:(?:date|day|weekday) (?:of|for|on) )?(.+)$`)
)

// day answers on which day of the week, or on which date, a day is.
func (a asker) day() (Answer, bool) {
	s := a.plain()
	if mine.in(s) {
		return none()
	}
	s = dayBeside.replaced(s, "1 day $1 ")
	if out, ok := a.isDay(s); ok {
		return out, true
	}
	if out, ok := a.holiday(s); ok {
		return out, true
	}
	if m := dayBegins.parts(s); m != nil {
		if from, to, ok := a.named(m[1], false); ok && to.Sub(from) > 25*time.Hour {
			return onDay(from)
		}
	}
	m := dayBehind.parts(s)
	for _, r := range []pattern{dayWill, dayNth, dayFront, dayWhat, dayOfDate} {
		if m == nil {
			m = r.parts(s)
		}
	}
	if m == nil {
		return none()
	}
	name := dayMore.parts(dayTail.without(m[1]))[1]
	from, to, ok := a.named(name, dayPast.in(s))
	switch {
	case !ok || beside.in(name) || to.Sub(from) < 23*time.Hour:
		return none()
	case to.Sub(from) > 25*time.Hour && strings.HasPrefix(s, "when"):
		return say("stretch", speech.Args{"how": speech.Kind("days"), "at": onlyDay(from), "end": onlyDay(to.AddDate(0, 0, -1))})
	case to.Sub(from) > 25*time.Hour:
		return none()
	}
	return onDay(from)
}

var (
	slipDays   = strings.NewReplacer("todays", "today", "tomorrows", "tomorrow", "yesterdays", "yesterday", "mondays", "monday", "tuesdays", "tuesday", "wednesdays", "wednesday", "thursdays", "thursday", "fridays", "friday", "saturdays", "saturday", "sundays", "sunday", "monday's", "monday", "tuesday's", "tuesday", "wednesday's", "wednesday", "thursday's", "thursday", "friday's", "friday", "saturday's", "saturday", "sunday's", "sunday")
	ofMonth    = matching(`^(?:the )?(\d{1,2})(?:st|nd|rd|th) (?:of|in) (next|last|this) month$`)
	thisYear   = matching(`^(.+?)(?: fall| falling| land| be| come)?(?: on)? (?:in |of |during |on )?(?:this|the current|the) (?:year|month|week)$`)
	otherYear  = matching(` (?:falls?|falling|lands?|be|comes?)(?: on)?(?: in)? ((?:this|next|last) (?:year|month|week)|in \d{4}|\d{4})$`)
	farYear    = matching(`^(.*[a-z].*\d.*|.*\d.*[a-z].*|[a-z]+ [a-z]+),? (?:in |of )?(1\d{3}|2\d{3})$`)
	aroundDay  = matching(`^(?:in )?(.+?) (days?|weeks?|fortnights?|months?|years?) (after|before|from|past|prior to|ahead of|later than) (.+)$`)
	agoDay     = matching(`^(.+?) (days?|weeks?|fortnights?|months?|years?) (ago|earlier|back|later|from now|hence|away|in the past|in the future)$`)
	inDays     = matching(`^(?:in|after|within) (?:exactly |another )?(.+?) (days?|weeks?|fortnights?|months?|years?)(?: time)?(?: from now)?$`)
	leadingDay = matching(`^(?:(?:on|in|at|of|for|the date|will|it|be|is|fall|exactly|day) )+`)
)

// named is the period that words name. Of days that come back it is the one ahead, or with
// past the last one.
func (a asker) named(name string, past bool) (from, to time.Time, ok bool) {
	name = otherYear.replaced(slipDays.Replace(strings.Trim(name, " ,")), " $1")
	name = ordinalWords(name)
	if name == "now" || name == "right now" {
		name = "today"
	}
	if from, ok := a.nthInMonth(name); ok {
		return from, from.AddDate(0, 0, 1), true
	}
	if m := ofMonth.parts(name); m != nil {
		n, err := strconv.Atoi(m[1])
		first := monthsOn(midnight(a.at).AddDate(0, 0, 1-a.at.Day()), map[string]int{"next": 1, "last": -1}[m[2]])
		if err != nil || n < 1 || n > daysIn(first) {
			return from, to, false
		}
		return first.AddDate(0, 0, n-1), first.AddDate(0, 0, n), true
	}
	for _, r := range []pattern{inDays, agoDay, aroundDay} {
		if m := r.parts(name); m != nil {
			if from, ok := a.counted(m); ok {
				return from, from.AddDate(0, 0, 1), true
			}
		}
	}
	for _, text := range []string{name, leadingDay.without(name)} {
		if m := farYear.parts(text); m != nil {
			if from, ok := a.inYear(m[1], m[2]); ok {
				return from, from.AddDate(0, 0, 1), true
			}
		}
		if past {
			at, err := when.ParsePast(text, a.now, a.at.Location())
			if err == nil && text != "" {
				from := midnight(at.Time().In(a.at.Location()))
				return from, from.AddDate(0, 0, 1), true
			}
		}
		if start, end, ok := when.Named(text, a.now, a.at.Location()); ok {
			return start.Time().In(a.at.Location()), end.Time().In(a.at.Location()), true
		}
		if m := thisYear.parts(text); m != nil && !strings.HasPrefix(text, "this") {
			if start, end, ok := a.named(m[1], false); ok {
				return start, end, true
			}
		}
	}
	return from, to, false
}

var (
	secondWord = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
	ordinalOf  = map[string]int{"tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30}
	// Elsewhere a third is a part, and the second Monday one of several.
	dayOrdinal = matching(`\b(?:(twenty|thirty)[ -])?(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|nineteenth|twentieth|thirtieth)( of (?:this |next |last |the )?(?:month|` + monthNames + `)\b.*)?$`)
)

// ordinalWords is the name of a day with the number of its date in digits: the 22nd.
func ordinalWords(name string) string {
	m := dayOrdinal.parts(name)
	if m == nil {
		return name
	}
	n := secondWord[m[2]] + ordinalOf[m[2]] + int(tens[m[1]])
	return strings.TrimSuffix(name, m[0]) + ordinal(n) + m[3]
}

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}

// inYear is a day by its date in a year, however far away.
func (a asker) inYear(text, year string) (time.Time, bool) {
	y, err := strconv.Atoi(year)
	if err != nil {
		return time.Time{}, false
	}
	if start, end, ok := when.Named(text+" "+year, a.now, a.at.Location()); ok && end.Sub(start) <= 25*time.Hour && start.Time().In(a.at.Location()).Year() == y {
		return start.Time().In(a.at.Location()), true
	}
	// Of a leap year each date is one.
	leap := domain.MillisOf(time.Date(2028, time.January, 1, 0, 0, 0, 0, a.at.Location()))
	start, end, ok := when.Named(strings.TrimSuffix(text, ","), leap, a.at.Location())
	if !ok || end.Sub(start) > 25*time.Hour || !monthName.in(text) {
		return time.Time{}, false
	}
	d := start.Time().In(a.at.Location())
	out := time.Date(y, d.Month(), d.Day(), 0, 0, 0, 0, a.at.Location())
	return out, out.Day() == d.Day()
}

var monthName = matching(`\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b`)

// counted is a day so many days, weeks, months or years from another, or from today.
func (a asker) counted(m []string) (time.Time, bool) {
	n, ok := amountOf(m[1])
	if !ok {
		return time.Time{}, false
	}
	base, back := midnight(a.at), false
	if len(m) > 3 {
		back = m[3] == "ago" || m[3] == "earlier" || m[3] == "back" || m[3] == "before" || m[3] == "prior to" || m[3] == "in the past"
	}
	if len(m) > 4 && m[4] != "now" && m[4] != "today" {
		from, to, ok := a.named(m[4], false)
		if !ok || to.Sub(from) > 25*time.Hour {
			return time.Time{}, false
		}
		base = midnight(from)
	}
	if back {
		n = -n
	}
	return steps(base, m[2], n), true
}

func steps(base time.Time, unit string, n int) time.Time {
	switch strings.TrimSuffix(unit, "s") {
	case "week":
		return base.AddDate(0, 0, 7*n)
	case "fortnight":
		return base.AddDate(0, 0, 14*n)
	case "month":
		return monthsOn(base, n)
	case "year":
		return monthsOn(base, 12*n)
	}
	return base.AddDate(0, 0, n)
}

// monthsOn is the same day of another month, or the last of one that is too short.
func monthsOn(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, t.Location())
	return first.AddDate(0, 0, min(t.Day(), daysIn(first))-1)
}

func daysIn(t time.Time) int {
	return time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// amountOf reads how many: 3, three, a, a couple of.
func amountOf(text string) (int, bool) {
	switch text {
	case "a", "an", "one", "exactly a":
		return 1, true
	case "a couple of", "a couple", "couple of":
		return 2, true
	}
	tokens := sumToken.compiled().FindAllString(text, -1)
	r, next := counted(tokens, 0)
	const most = 100_000
	if next == 0 || next != len(tokens) || !r.IsInt() || !r.Num().IsInt64() || r.Num().Int64() > most {
		return 0, false
	}
	return int(r.Num().Int64()), true
}

var (
	isToday    = matching(`^(?:is|was) (?:not )?(?:it |this |the date |the day )?(today|tomorrow|yesterday|now|currently|the date today) (?:is |be |on |a |the )*(.+?)(?: or not)?$`)
	isItToday  = matching(`^(?:is|was) (?:not )?(?:it|this|that|the date|the day|todays date|today is|today date|the current date|today) (?:be |on |a |the |still |already )*(.+?) ?(today|tomorrow|yesterday|now|already|yet|right now|currently)?$`)
	todayIs    = matching(`^(?:it is|today is|it is today|so today is|today) (?:a |the )*(.+?) (?:today )?(?:is it|is it not|right|correct|yes|or not|is not it|is that right|is that correct)(?: not)?$`)
	dayIsOn    = matching(`^(?:is|does|will|was|did) (.+?) (?:be |fall |falls |land |on |a |come |occur )+(` + weekday + `|weekend|weekday)s?(?: this year)?$`)
	eitherDay  = matching(`^is (?:it|today|it today) (?:` + weekday + `|the \S+) or (?:` + weekday + `|the \S+)(?: today| now)?$`)
	yearOfLeap = matching(`^(?:is|was) (it|this|this year|the current year|next year|last year|\d{4}|the year \d{4}|this a|it a)(?: year)?(?: a)? (?:a )?leap year(?: this year)?$`)
)

// isDay answers whether a day is a certain one.
func (a asker) isDay(s string) (Answer, bool) {
	if eitherDay.in(s) {
		return say("clock", speech.Args{"where": speech.Kind("today"), "at": onlyDay(a.at)})
	}
	if m := yearOfLeap.parts(s); m != nil {
		return a.leapYear(m[1])
	}
	day, claim := "today", ""
	if m := isToday.parts(s); m != nil {
		day, claim = m[1], m[2]
	} else if m := todayIs.parts(s); m != nil {
		claim = m[1]
	} else if m := isItToday.parts(s); m != nil {
		claim = m[1]
		if m[2] == "tomorrow" || m[2] == "yesterday" {
			day = m[2]
		}
	} else if m := dayIsOn.parts(s); m != nil {
		day, claim = m[1], m[2]
	}
	if claim == "" {
		return none()
	}
	if day == "now" || day == "currently" || day == "the date today" {
		day = "today"
	}
	on, to, ok := a.named(day, false)
	if !ok || to.Sub(on) > 25*time.Hour {
		return none()
	}
	yes, ok := a.fits(on, claim)
	if !ok {
		return none()
	}
	args := speech.Args{"verdict": verdict(yes), "day": speech.Kind("named"), "at": onlyDay(on)}
	switch {
	case on.Equal(midnight(a.at)):
		args["day"] = speech.Kind("today")
	case day == "tomorrow" || day == "yesterday":
		args["day"] = speech.Kind(day)
	case strings.HasPrefix(day, "the "):
		args["name"] = speech.Text{Words: day}
	default:
		args["name"] = speech.Text{Words: titled(day)}
	}
	return say("claim", args)
}

// verdict is whether something is so.
func verdict(yes bool) speech.Kind {
	if yes {
		return "yes"
	}
	return "no"
}

// fits reports whether a day is what is claimed of it.
func (a asker) fits(on time.Time, claim string) (yes, known bool) {
	claim = strings.TrimSpace(slipDays.Replace(claim))
	switch claim {
	case "weekend", "the weekend":
		return on.Weekday() == time.Saturday || on.Weekday() == time.Sunday, true
	case "weekday", "workday", "working day":
		return on.Weekday() != time.Saturday && on.Weekday() != time.Sunday, true
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if claim == strings.ToLower(d.String()) {
			return on.Weekday() == d, true
		}
	}
	for m := time.January; m <= time.December; m++ {
		if claim == strings.ToLower(m.String()) {
			return on.Month() == m, true
		}
	}
	if year, err := strconv.Atoi(claim); err == nil && len(claim) == 4 {
		return on.Year() == year, true
	}
	// A date comes back each year, and is looked for from the day on.
	there := asker{now: domain.MillisOf(on), at: on}
	from, to, ok := there.named(claim, false)
	if !ok {
		from, to, ok = there.named("the "+claim, false)
	}
	if !ok || to.Sub(from) > 25*time.Hour || from.Hour() != 0 {
		return false, false
	}
	return midnight(from).Equal(midnight(on)), true
}

func (a asker) leapYear(which string) (Answer, bool) {
	year := a.at.Year()
	switch n, err := strconv.Atoi(strings.TrimPrefix(which, "the year ")); {
	case err == nil:
		year = n
	case which == "next year":
		year++
	case which == "last year":
		year--
	}
	if isLeap(year) {
		return say("leap", speech.Args{"how": speech.Kind("yes"), "year": speech.Count(year)})
	}
	return say("leap", speech.Args{"how": speech.Kind("no"), "year": speech.Count(year), "next": speech.Count(nextLeapYear(year))})
}

func isLeap(year int) bool { return time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC).YearDay() == 366 }
