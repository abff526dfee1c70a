package reckon

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain/when"
)

const (
	hourWord = `(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
	wallTime = `(?:noon|midday|midnight|(?:(?:half|quarter|a quarter|ten|five|twenty|\d{1,2}) (?:past|to) )?(?:\d{1,2}[:.]\d{2}|\d{1,2} \d{2}|\d{1,2}|` + hourWord + `(?: (?:thirty|fifteen|forty five))?)(?: ?(?:am|pm|oclock))*(?: in the (?:morning|afternoon|evening)| at night)?)`
	sun      = `(?:sunrise|sunset|dawn|dusk|sunup|sundown)`
)

// ways to ask what a time in one place is in another. Each names the parts of the question: at is the
// time, from the place that it is in, to the other one.
var conversions = []pattern{
	matching(`^(?:if|when|whenever|at|given|given that|suppose|assuming|say|once)? ?(?:it is|the time is|it was|is)? ?(?:now |currently )?(?P<at>` + wallTime + `|` + sun + `) ?(?:in|at|on)? ?(?P<from>.*?) ?(?:then )?what (?:would |will |is |time |it |now |be |the |local |current |hour )*(?:in|at|on|over in)? ?(?P<to>.*)$`),
	matching(`^(?:what|which) (?:time |hour |will |would |is |it |be |the |that |locally )*(?:in |at |on )?(?P<to>.*?) ?(?:when|if|while|whenever) (?:it is |the time is |it was |the clock says )?(?P<at>` + wallTime + `|` + sun + `) ?(?:in|at|on)? ?(?P<from>.*)$`),
	matching(`^(?:what|which) time (?:will |would |is )(?:it |that )?(?:be )?(?:in |on )?(?P<to>.*?) ?at (?P<at>` + wallTime + `) ?(?:in|on)? ?(?P<from>.*)$`),
	matching(`^(?:convert|change|translate|turn)? ?(?P<at>` + wallTime + `) ?(?:in |on )?(?P<from>.+?) (?:to|into|in|is what in|is what time in|is when in|as|is what) (?P<to>.+)$`),
	matching(`^(?:what|when) (?:time )?is (?P<at>` + wallTime + `) ?(?:in |on )?(?P<from>.*?) (?:to|into|in|for|on) (?P<to>.+)$`),
	matching(`^(?:what|when) (?:time )?(?:would|will) (?P<at>` + wallTime + `) ?(?:in |on )?(?P<from>.*?) be (?:in|on) (?P<to>.+)$`),
	matching(`^(?:what|when) (?P<at>` + wallTime + `) (?:in |on )?(?P<from>.+?) is (?:in |to |on )?(?P<to>.+)$`),
	matching(`^what (?:time )?is (?P<at>` + wallTime + `) (?P<from>.+?)(?P<to>)(?: here| in my time| my time| for me| our time)?$`),
	matching(`^(?:what|which) time (?:in|on) (?P<to>.+?) is (?P<at>` + wallTime + `) ?(?:in |on )?(?P<from>.+)$`),
	callFrom,
}

// callFrom is a call to somebody elsewhere, at a time here.
var callFrom = matching(`^if i (?:call|phone|ring|text|email|message|meet|skype|contact) (?:.+? )?(?:in|on) (?P<to>.+?) at (?P<at>` + wallTime + `)(?P<from>)(?: my time| here| our time)? what (?:time )?(?:will|would|is) (?:(?:his|her|their|the|its|it) ?)?(?:local )?(?:time)?(?: is it)?(?: be)?(?: there| for (?:him|her|them))?$`)

// converted answers what a time in one place is in another.
func (a asker) converted(s string) (Answer, bool) {
	if mine.in(here.without(s)) && !callFrom.in(s) {
		return none()
	}
	for _, c := range conversions {
		m := c.parts(s)
		if m == nil {
			continue
		}
		at, from, to := m[c.group("at")], m[c.group("from")], m[c.group("to")]
		if out, ok := a.convert(at, from, to); ok {
			return out, true
		}
	}
	if m := zonesNow.parts(s); m != nil {
		return a.bothNow(m[1], m[2])
	}
	return none()
}

var zonesNow = matching(`^(?:convert|change|translate|turn|switch) (?:the )?(?:current time |time now |time |now )?(?:from )?(.+?) (?:to|into|in to|in) (.+)$`)

// bothNow says the time in two places.
func (a asker) bothNow(one, other string) (Answer, bool) {
	from, to := a.side(one), a.side(other)
	if from == nil || to == nil || !strings.Contains(one+other, "time") && !zonish.in(one) {
		return none()
	}
	return told("%s", timesIn(a.at, differing(append(from, to...), a.at)))
}

var zonish = matching(`^(?:[a-z]{2,4}|.*(?:standard|mountain|pacific|eastern|central|zone).*)$`)

// side is a place of a question; the person's own where it says here or nothing.
func (a asker) side(place string) []when.Local {
	place = withoutNow(strings.Trim(place, " ,"))
	switch bare := strings.TrimSpace(strings.Trim(here.without(place), " ,")); {
	case bare == "" || bare == "time" || bare == "it be" || bare == "will be":
		return []when.Local{{Place: "here", Zone: a.at.Location()}}
	case bare != place && strings.HasPrefix(bare, "in "):
		return a.locals(bare[3:]) // here in Australia
	}
	return a.locals(strings.TrimPrefix(place, "it "))
}

func (a asker) convert(at, from, to string) (Answer, bool) {
	there, target := a.side(from), a.side(to)
	if strings.TrimSpace(from) != "" && strings.TrimSpace(to) == "" && here.in(from) && here.without(from) != "" {
		there, target = a.side(""), there // at 6 pm here in Australia
	}
	if there == nil || target == nil || from == "" && to == "" {
		return none()
	}
	if there[0].Place == "here" && target[0].Place == "here" {
		return none()
	}
	if strings.HasPrefix(at, "sun") || at == "dawn" || at == "dusk" {
		return open("I don't know when the sun rises and sets: say a time. %s", distances(there, target, a.at))
	}
	clock, ok := a.onWall(at)
	if !ok {
		return none()
	}
	day := a.at.In(there[0].Zone)
	moment := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, there[0].Zone)
	if len(there) > 1 && len(target) == 1 {
		parts := make([]string, len(there))
		for i, l := range there {
			shown := time.Date(day.Year(), day.Month(), day.Day(), clock.Hour(), clock.Minute(), 0, 0, l.Zone)
			parts[i] = fmt.Sprintf("%s for %s", shown.In(target[0].Zone).Format("15:04 on Monday"), clock.Format("15:04")+" "+in(l.Place))
		}
		return told("%s it is %s.", capital(whereIs(target[0].Place)), listed(parts))
	}
	parts := make([]string, len(target))
	for i, l := range target {
		parts[i] = moment.In(l.Zone).Format("15:04 on Monday 2 January") + " " + whereIs(l.Place)
	}
	return told("When it is %s %s, it is %s.", moment.Format("15:04 on Monday 2 January"), whereIs(there[0].Place), listed(parts))
}

func whereIs(place string) string {
	if place == "here" {
		return place
	}
	return in(place)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// dotted is a time without its colon: 5.30, 5 30.
var dotted = matching(`^(\d{1,2})[. ](\d{2})`)

// onWall reads a time of day.
func (a asker) onWall(text string) (time.Time, bool) {
	text = dotted.replaced(text, "$1:$2")
	if text == "midnight" {
		return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), true
	}
	for _, said := range []string{text, "at " + text} {
		if from, _, ok := when.Named(said, a.now, a.at.Location()); ok {
			return from.Time().In(a.at.Location()), true
		}
	}
	return time.Time{}, false
}

var differences = []pattern{
	matching(`^(?:what |how many |how much |how )?(?:is |are |hours? |of |the |any |there |a |big |large |great )*(?:time|hours?|time zone)s? ?(?:zone )?(?:difference|differences|distance|gap|apart|differ|different)? ?(?:is |are |there |it |to |hours |in |of |time )*(?:between|from) (.+?) (?:and|to|with|&|vs|versus|from) (.+?)(?: (?:is|are) what| is| like| in time)?$`),
	matching(`^(?:how many |what )hours?(?: difference| distance| apart| different| away| off)* (?:is|are) (?:the )?(.+?) (?:from|to|and|off|away from|apart from|than|compared to|compared with)(?: the)? (.+?)(?: apart)?$`),
	matching(`^(?:by )?how (?:many hours|much|far|long|many hours time)(?: in time)? (?:ahead or behind|ahead|behind|forward|back|later|earlier)(?: (?:of )?(?P<of>.+?))?,? (?:is|are) (?:the time in |we in )?(.+?)(?: (?:in time|time))?$`),
	matching(`^how (?:many hours|much|far|many hours time) (?:is|are) (.+?) (?:ahead|behind|before|after|in front|later|earlier)(?: of| than)? ?(.*)$`),
	matching(`^(?:what is )?(?:the )?difference (?:in|of) (?:time|hours) (?:is there )?(?:between|from) (.+?) (?:and|to) (.+)$`),
	matching(`^(?:is|are) (.+?) (?:ahead of|behind|later than|earlier than|in the same time zone as|on the same time as) (.+?)(?: or behind| or ahead)?$`),
	matching(`^(?:what is )?(?:the )?time difference (?:of |for )?(.+?) (?:to|and|vs|versus|-) (.+)$`),
	matching(`^(?:do|does|are|is) (.+?) and (.+?) (?:have|in|on|share) (?:the )?(?:same|a different) time(?: zone)?$`),
	matching(`^(?:what (?:is|are) )?(?:the )?time difference (?:in|with|to|for|of) (.+?)()$`),
}

// zonesApart needs names that are only those of zones: much else has a difference.
var zonesApart = matching(`^(?:what is )?(?:the )?difference between (.+?) and (.+)$`)

// apart answers how many hours lie between two places.
func (a asker) apart() (Answer, bool) {
	s := withoutNow(a.plain())
	for i, d := range append(slices.Clip(differences), zonesApart) {
		isZones := i == len(differences)
		m := d.parts(s)
		if m == nil {
			continue
		}
		one, other := m[1], m[2]
		if d.group("of") > 0 { // how far ahead of London is Tokyo
			one, other = m[2], m[d.group("of")]
		}
		if someCity.in(one) || someCity.in(other) {
			return open("Between which places? Name two cities or countries.")
		}
		if isZones && !zonish.in(one) {
			continue
		}
		from, to := a.apartSide(one), a.apartSide(other)
		if from == nil || to == nil {
			continue
		}
		return told("%s", distances(to, from, a.at))
	}
	return none()
}

func (a asker) apartSide(place string) []when.Local {
	place = strings.TrimSpace(sideWords.without(place))
	if slices.Contains([]string{"me", "we", "i", "mine", "ours", "my time", "our time", "where i live"}, place) || place == "us" && ahead.in(a.said) {
		place = ""
	}
	return a.side(place)
}

var sideWords = matching(`^(?:of |than |from |the time in )|(?: of| than)$`)

// ahead tells us from the United States.
var ahead = matching(`\b(?:ahead|behind)\b`)

// distances says how far the places of one side are from those of the other.
func distances(from, to []when.Local, at time.Time) string {
	var sentences []string
	for _, t := range to {
		var parts []string
		for _, f := range from {
			seconds := offset(t.Zone, at) - offset(f.Zone, at)
			part := "on the same time as " + f.Place
			switch {
			case seconds == 0 && t.Place == "here":
				part = "the same time as in " + f.Place
			case seconds > 0:
				part = hours(seconds) + " ahead of " + f.Place
			case seconds < 0:
				part = hours(-seconds) + " behind " + f.Place
			}
			parts = append(parts, part)
		}
		subject := t.Place + " is "
		if t.Place == "here" {
			subject = "Here it is "
		}
		sentences = append(sentences, capital(subject)+listed(parts)+".")
	}
	return strings.Join(sentences, " ")
}

func hours(seconds int) string {
	h, m := seconds/3600, seconds%3600/60
	text := fmt.Sprintf("%d hours", h)
	if h == 1 {
		text = "1 hour"
	}
	if m > 0 {
		text += fmt.Sprintf(" and %d minutes", m)
	}
	return text
}
