package reckon

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

const (
	longFormat = "15:04 on Monday 2 January 2006"
)

var nowBehind = matching(`(?: |^)(?:right now|right noe|just now|now|currently|at the moment|at this moment|at present|at this time|today|these days|please|is it|it is|like|exactly|is|be)$`)

// withoutNow is a text without the words at its end that only say now.
func withoutNow(s string) string {
	for {
		short := nowBehind.without(s)
		if short == s {
			return strings.TrimSpace(s)
		}
		s = short
	}
}

// clock answers what the time and the date are, where the person is.
func (a asker) clock() (Answer, bool) {
	s := a.plain()
	if exactClock.in(s) {
		return a.clockNow()
	}
	s = here.replaced(s, "here")
	if mine.in(s) {
		return none()
	}
	if out, ok := a.isDay(s); ok {
		return out, true
	}
	if m := isItNow.parts(s); m != nil {
		if m[1] == "" {
			return a.clockNow()
		}
		return a.timeAt(m[1], false)
	}
	s = strings.TrimSpace(hereBehind.without(withoutNow(s)))
	s = withoutNow(s)
	if !timeAsked.in(s) {
		return none()
	}
	return a.clockNow()
}

var (
	exactClock = matching(`^(?:be|act as|play) (?:my|a|the) clock$|^(?:please )?(?:alert|notify|update) me (?:to|of|about|on) the (?:current )?(?:time|date)$|^(?:what is )?(?:the )?current date time group$|^(?:the )?(?:talking |speaking )?clock$|^(?:got|have you got|do you have|you got) (?:the time|a watch)$|^(?:what is |the |a )*(?:time|date) check$|^(?:what|which) (?:is|was) (?:it )?todays?$`)
	isItNow    = matching(`^is it (?:still |already )?(?:(?:past |after |before |about |almost |nearly )?` + wallTime + `|(?:the )?(?:morning|afternoon|evening|night|nighttime|daytime|day|am|pm)(?: or (?:morning|afternoon|evening|night|day|am|pm))?)(?: yet| already| now)?(?: in (.+?))?(?: (?:right )?now| yet)?$`)
	hereBehind = matching(`(?:^| )(?:(?:in|at|on|for|of|over) )?here$`)
	timeAsked  = matching(`^(?:(?:what|how|which|when) )?(?:(?:is|are|does|do|will|would|bw|be|was) )*(?:(?:the|a|todays?|this|just|exact|correct|current|actual|right|real|local|present|precise|accurate|system|full|only) )*` +
		`(?:(?:time|date|day|hour|clock|year|month|weekday|day of the week)(?:(?: and| with|,| or| of)*(?: the)*(?: current| exact)? (?:time|date|day|month|year|weekday))*)` +
		`(?: (?:is|it|of|be|do|you|have|got|does|the|happen|to|on|in|that|show|says?|reads?|clock|for|would|will|we|are|at|today|todays|now|current|currently))*$|^(?:what|which) (?:is|was) (?:it )?(?:today|todays)$|^(?:what )?(?:is )?today$`)
)

// elsewhere answers what the time is in a place, and what a time there is elsewhere.
func (a asker) elsewhere() (Answer, bool) {
	s := a.plain()
	for _, read := range []func(string) (Answer, bool){a.zoneOf, a.timeIn} {
		if out, ok := read(s); ok {
			return out, true
		}
	}
	return none()
}

var (
	timeIn     = matching(`^(?:(?:what|how|which|when) )?(?:(?:is|are|will|would|bw|be|does) )*(?:(?:the|a|exact|correct|current|actual|right|real|local|present|precise|accurate|todays?) )*(time|date|hour|day|clock)((?: and (?:the )?(?:time|date|day))?)(?: (?:is|it|now|be|right|currently|current|today|will|would|do|they|have|zone|of day|at the moment|like))* (in|at|on|for|of|over in|across|according to|by) (.+)$`)
	placesTime = matching(`^(?:what is |what time is it )?(?:the )?(?:current )?(?:time )?(?:in )?(.+?)(?:'s)? (?:local )?time(?: zone)?$`)
	ifIWere    = matching(`^(?:if|suppose|when) i (?:was|were|am|lived|live|stood) (?:in|at|on) (.+?),? what (?:time|would the time) (?:would|will|is)? ?(?:it|that)? ?(?:be)?$`)
	someCity   = matching(`^(?:a|an|another|some|any|one|neighbou?ring|the neighbou?ring|the next|the nearest|different|a different|a neighbou?ring|other|the other|that|there|somewhere|someplace|elsewhere)(?: (?:else|city|town|place|country|state|location|zone|time zone|cities))?$`)
)

// timeIn answers "what time is it in Tokyo".
func (a asker) timeIn(s string) (Answer, bool) {
	s = withoutNow(s)
	if m := ifIWere.parts(s); m != nil {
		return a.timeAt(m[1], true)
	}
	if m := timeIn.parts(s); m != nil {
		if out, ok := a.timeAt(withoutNow(m[4]), m[3] == "in" && (strings.Contains(s, "time is it") || strings.HasPrefix(s, "time in") || strings.Contains(s, "the time in") || strings.Contains(s, "current time in"))); ok {
			return out, true
		}
	}
	if m := placesTime.parts(s); m != nil {
		return a.timeAt(m[1], false)
	}
	return none()
}

// timeAt says the time in a place. One that isn't known is only asked about where it can
// hardly be anything but a place.
func (a asker) timeAt(place string, surely bool) (Answer, bool) {
	place = strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(place, "in "), " is"), "'s ", " ")
	if mine.in(here.without(place)) {
		return none()
	}
	if here.without(place) == "" {
		return a.clockNow()
	}
	if someCity.in(place) {
		return unworked("place")
	}
	all := a.locals(place)
	if all == nil {
		if surely && !strings.ContainsAny(place, "0123456789") && len(strings.Fields(place)) <= 4 {
			out, _ := unworked("zone")
			out.Says.Args["place"] = speech.Text{Words: titled(place)}
			return out, true
		}
		return none()
	}
	return clocksIn(a.at, all)
}

// titled is a place as its name is written.
func titled(place string) string {
	words := strings.Fields(place)
	for i, w := range words {
		if !slices.Contains([]string{"of", "the", "and", "de", "la"}, w) || i == 0 && w != "the" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// locals are the zones of a place as they differ at the moment.
func (a asker) locals(place string) []when.Local {
	all := when.Locals(place)
	out := differing(all, a.at)
	if len(out) == 1 && len(all) > 1 {
		out[0].Place = titled(place) // one time in all of China
	}
	if len(out) > 2 {
		slices.SortStableFunc(out, func(x, y when.Local) int { return offset(y.Zone, a.at) - offset(x.Zone, a.at) })
	}
	return out
}

// differing are those that show another time than the ones before them.
func differing(all []when.Local, at time.Time) []when.Local {
	var out []when.Local
	for _, l := range all {
		if !slices.ContainsFunc(out, func(o when.Local) bool { return offset(o.Zone, at) == offset(l.Zone, at) }) {
			out = append(out, l)
		}
	}
	return out
}

func offset(z *time.Location, at time.Time) int {
	_, seconds := at.In(z).Zone()
	return seconds
}

// clocksIn is a moment as it looks in one place, or in each of several.
func clocksIn(at time.Time, all []when.Local) (Answer, bool) {
	var clocks speech.List
	for i, l := range all {
		if _, err := time.LoadLocation(l.Zone.String()); err != nil {
			return told("%s", timesIn(at, all)) // a zone by its letters alone has no name that others know
		}
		args := speech.Args{"where": speech.Kind("in"), "place": speech.Text{Words: strings.TrimSuffix(l.Place, ".")}}
		if strings.HasSuffix(l.Place, "Coast") {
			args["where"] = speech.Kind("on")
		}
		there := at.In(l.Zone)
		if i == 0 || there.Day() != at.In(all[0].Zone).Day() {
			args["at"] = speech.Time{At: domain.MillisOf(at), Zone: l.Zone.String()}
		} else {
			args["clock"] = speech.Clock(there.Format("15:04"))
		}
		if len(all) == 1 {
			return say("clock", args)
		}
		clocks = append(clocks, speech.Message{ID: "clock.there", Args: args})
	}
	return say("clock", speech.Args{"where": speech.Kind("each"), "clocks": clocks})
}

// timesIn says a moment as it looks in one place, or in each of several.
func timesIn(at time.Time, all []when.Local) string {
	if len(all) == 1 {
		return "It is " + at.In(all[0].Zone).Format(longFormat) + " " + strings.TrimSuffix(in(all[0].Place), ".") + "."
	}
	parts := make([]string, len(all))
	first := at.In(all[0].Zone)
	for i, l := range all {
		there := at.In(l.Zone)
		format := "15:04"
		if i == 0 || there.Day() != first.Day() {
			format = longFormat
		}
		parts[i] = there.Format(format) + " " + in(l.Place)
	}
	return "It is " + listed(parts) + "."
}

// in puts the preposition before a place.
func in(place string) string {
	if strings.HasSuffix(place, "Coast") {
		return "on " + place
	}
	return "in " + place
}

func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

var zoneAsked = matching(`^(?:(?:what|which|whats) (?:is |are )?)?(?:the |our |this |current )*(?:time zone|zone)(?: (?:is|are|am|do|does))?(?: (?:it|this|we|i|here|you))*(?: (?:in|on|at|live in|using|use|now))*$`)
var zonePlace = matching(`^(?:(?:what|which|in what|in which) (?:is |are )?)?(?:the )?(?:time )?zone (?:is |are |does |do |for |of |in )*(.+?)(?: in| on| use| have| lie in| follow)?$`)

// zoneOf answers which zone it is, here or in a place.
func (a asker) zoneOf(s string) (Answer, bool) {
	plain := strings.TrimSpace(here.replaced(withoutNow(s), "here"))
	if mine.in(strings.NewReplacer("am i", "", "do i", "").Replace(plain)) {
		return none()
	}
	if plain == "here" && strings.Contains(s, "zone") || zoneAsked.in(plain) || plain == "what is here" && strings.Contains(s, "zone") || strings.HasPrefix(plain, "what time zone here") {
		return a.zoneHere()
	}
	m := zonePlace.parts(plain)
	if len(m) == 0 || strings.Contains(m[1], " and ") {
		return none()
	}
	all := a.locals(strings.TrimPrefix(m[1], "the "))
	if all == nil {
		return none()
	}
	return a.keeps(all)
}

// zoneHere is the zone of the person.
func (a asker) zoneHere() (Answer, bool) {
	here := a.at.Location()
	return say("zone", speech.Args{"zone": speech.Text{Words: zoneName(here, a.at)}, "at": speech.Time{At: a.now, Zone: here.String()}})
}

// keeps says which zones places keep.
func (a asker) keeps(all []when.Local) (Answer, bool) {
	parts := make([]string, len(all))
	for i, l := range all {
		parts[i] = fmt.Sprintf("%s keeps %s", l.Place, zoneName(l.Zone, a.at))
	}
	text := listed(parts)
	return told("%s: %s", strings.ToUpper(text[:1])+text[1:], strings.ToLower(timesIn(a.at, all)[:1])+timesIn(a.at, all)[1:])
}

// zoneName is a zone with its letters and its distance from Greenwich.
func zoneName(z *time.Location, at time.Time) string {
	letters, seconds := at.In(z).Zone()
	utc := "UTC"
	if seconds != 0 {
		utc = fmt.Sprintf("UTC%+d", seconds/3600)
		if m := max(seconds, -seconds) % 3600 / 60; m > 0 {
			utc = fmt.Sprintf("%s:%02d", utc, m)
		}
	}
	if strings.ContainsAny(letters, "+-0123456789") || letters == utc || letters == z.String() {
		return z.String() + " (" + utc + ")"
	}
	return z.String() + " (" + letters + ", " + utc + ")"
}

var (
	zoneSetting = matching(`^(?:change|set|switch|update|adjust|make|put|move|reset|turn|shift|convert my)(?: my| the| this| our| to| your)*(?: current| device| system| default)? (?:clock|time zone|zone|time)(?: zone)?(?: settings?)?(?: (?:in|on|of|for) (?:this|my|the) (?:location|device|phone|clock|system|computer|city|place))?(?: from (.+?))?(?: over)? (?:to|into|as|for) (?:the )?(.+?)(?: now)?$`)
	zoneOnly    = matching(`^(?:change|set|switch|update|adjust)(?: my| the| this| our| to| your)* (?:time zone|zone settings?)(?: settings?)?$`)
	zoneSwitch  = matching(`^(?:(?:switch|change|go|move|set)(?: over)? to|use|(?:put|set) (?:my|the) (?:clock|clocks|watch|time) (?:on|to)|go by) (?:the )?(.+?) (?:time|time zone|zone)(?: please)?$`)
)

var timeOfDay = matching(`^` + wallTime + `$`)

// zoneSet tells who wants another zone where it comes from.
func (a asker) zoneSet() (Answer, bool) {
	s := a.plain()
	var to string
	if zoneOnly.in(s) {
		to = "here"
	} else if m := zoneSetting.parts(s); m != nil {
		to = m[2]
	} else if m := zoneSwitch.parts(s); m != nil {
		to = m[1]
	} else if strings.HasSuffix(s, "please change to current") && strings.Contains(s, "time zone") {
		to = "here"
	}
	to, _, _ = strings.Cut(to, " from ")
	current := here.without(to) == "" || strings.HasPrefix(to, "current") || to == "local" || strings.HasPrefix(to, "the time zone i am")
	all := a.locals(to)
	if to == "" || all == nil && !current && !(strings.Contains(s, "time zone") && !timeOfDay.in(to)) {
		return none()
	}
	text := fmt.Sprintf("I go by the zone of your device, now %s: change it there, and I follow with your next message.", zoneName(a.at.Location(), a.at))
	if all != nil && !current {
		text += " " + timesIn(a.at, all)
	}
	return told("%s", text)
}
