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

// zoned answers a question of clocks and zones in whatever order it is said: what a time in one
// place is in another, what the time is somewhere, how far two places are apart, and how a
// time is written otherwise.
func (a asker) zoned() (Answer, bool) {
	if a.toTell || !mayAsk.in(a.said) || notAsked.in(a.said) {
		return none()
	}
	q := a.taken().mended()
	if !q.isRead() && !(asksThen.in(a.said) && q.isStatement()) {
		return none()
	}
	for _, read := range []func(slots) (Answer, bool){a.inForm, a.offsetOf, a.hoursApart, a.sameDay, a.clockThere, a.laterThere, a.nowThere} {
		if out, ok := read(q); ok {
			return out, true
		}
	}
	return none()
}

var (
	// mayAsk spares other sentences the search for places.
	mayAsk = matching(`\d|\b(?:what|which|when|how|who|times?|hours?|zones?|noon|midnight|convert|translate|change|switch|ahead|behind|same|difference|diff|gap|apart|offset|utc|gmt|` + hourWord + `)\b|^(?:is|are|do|does|would|will|have) |^\w+(?: time)? (?:to|into|vs) \w+(?: time)?$`)
	// notAsked are words of requests, and of questions for what is planned.
	notAsked = matching(`\b(?:remind|reminds|reminder|reminders|alarm|alarms|wake me|set|add|schedule|scheduled|book|cancel|move|delete|remove|put|note|task|tasks|list|calendar|timer|before|after|until|except|every|each|daily|weekly|from now on|repeat|notify|alert|ping|nudge)\b|^(?:make|create|plan|arrange|organi[sz]e|invite|text|email|send|buy|order|play|save|keep|remember|start) `)
	// asksThen asks what a time of which was told before is elsewhere.
	asksThen = matching(`\b(?:(?:what|which) (?:time|hour|day|date|oclock) (?:is|will|would) (?:it|that|this)|(?:what|when) (?:is|would|will) (?:that|it|this)|what (?:is|will|would) (?:his|her|their|its) (?:local )?time|how (?:late|early) is (?:it|that)|what is the (?:local )?time (?:there|here)|(?:when|what time) (?:should|do|must|can) (?:i|we))\b`)
	asksTime = matching(`\b(?:time|hour|clock|oclock|late|early|date|day)\b`)
	asking   = matching(`\b(?:what|which|when|how|convert|change|translate|turn|switch|equivalent)\b|^(?:would|will|is) `)
	asksNow  = matching(`\b(?:what|which|how)\b.*\b(?:time|hour|clock|oclock|late|early|date|day)\b|^is it\b|^(?:the |current |local |exact )*time\b|\b(?:convert|translate|change|turn)\b.*\b(?:now|time)\b`)
	// planAsked asks what there is at a time.
	planAsked = matching(`^(?:what|which|who) (?:is|are|was|will be) (?:there )?(?:on|at|for|between|with)\b`)
)

// isRead reports whether each word is one that such questions have. A word between places and
// times has something to stand before.
func (q slots) isRead() bool {
	for i, s := range q {
		if s.kind == unreadSlot || (s.text == "on" || s.text == "at") && (q.word(i+1) == "at" || q.word(i+1) == "in" || q.word(i+1) == "on" || q.word(i+1) == "for") {
			return false
		}
	}
	return true
}

// isStatement reports whether the words that aren't read tell of what happens at a time, or to
// somebody, in a place: its name stands behind a word that a place follows, or beside the time.
// Behind "and" something else may be asked for.
func (q slots) isStatement() bool {
	for i, s := range q {
		if s.kind == unreadSlot && (strings.ContainsAny(s.text, "0123456789") || slices.Contains([]string{"and", "then", "also", "but"}, q.word(i-1))) {
			return false
		}
		if s.kind != placeSlot || strings.HasSuffix(s.text, "time") {
			continue
		}
		beside := i > 0 && q[i-1].kind != wordSlot && q[i-1].kind != unreadSlot || i+1 < len(q) && q[i+1].kind == clockSlot
		if !beside && !slices.Contains([]string{"in", "from", "for", "to", "at", "near", "into", "as", "the", "on", "with"}, q.word(i-1)) {
			q[i].kind = unreadSlot
		}
	}
	return true
}

// sides are the places of a question, each once; those of which several words tell are one.
// The index of each is that of its first word.
func (q slots) sides() []int {
	named := slices.DeleteFunc(q.all(), func(i int) bool { return q[i].kind != placeSlot })
	var out []int
	for _, i := range q.all() {
		switch {
		case q[i].kind == thereSlot && len(named) != 1,
			q[i].kind == hereSlot && (i+1 < len(q) && q[i+1].kind == placeSlot || i+2 < len(q) && q[i+1].text == "in" && q[i+2].kind == placeSlot): // here in Spain
		case slices.ContainsFunc(out, func(o int) bool { return q.place(o) == q.place(i) }):
		default:
			out = append(out, i)
		}
	}
	return out
}

// Follow answers a question that asks only of another place what the one before asked of a time:
// "and in Tokyo?", "what is that in Tokyo", "what's this time in Lima".
func Follow(before, question string, now domain.Millis, zone *time.Location) (Answer, bool) {
	const most = 9 // words of such a question
	if len(question) > maxQuestionBytes || len(strings.Fields(question)) > most {
		return none()
	}
	next := asker{now: now, at: now.Time().In(zone), said: plainly(question)}
	q := next.taken().mended()
	sides := q.sides()
	if len(sides) != 1 || !q.isPointing() {
		return none()
	}
	a, isRead := askerOf(before, now, zone)
	if _, asks := a.zoned(); !isRead || !asks {
		return none()
	}
	told := a.taken()
	at, one := told.only(clockSlot)
	if !one {
		return none()
	}
	from, _, ok := a.fromTo(told, at)
	clock, isClock := a.wall(told[at].text)
	if !ok || !isClock {
		return none()
	}
	on := ""
	if day, one := told.only(daySlot); one {
		on = told[day].text
	}
	return a.shown(clock, on, from, a.sideOf(q, sides[0]))
}

// isPointing reports whether it has only a place, and words that point.
func (q slots) isPointing() bool {
	for i, s := range q {
		if !s.isSide() && (s.kind != wordSlot || !slices.Contains(pointers, s.text)) || s.text == "it" && q.word(i-1) == "is" {
			return false
		}
	}
	return true
}

// pointers are the words that ask once more, or point at the time of which was asked.
var pointers = strings.Fields("in for to into on at over and that this the time hour what which when is would be will it convert as then")

// all are the indices of the places.
func (q slots) all() []int {
	var out []int
	for i, s := range q {
		if s.isSide() {
			out = append(out, i)
		}
	}
	return out
}

// place names the place of a slot: there is the one that has a name.
func (q slots) place(i int) string {
	switch q[i].kind {
	case hereSlot:
		return "here"
	case thereSlot:
		at, _ := q.only(placeSlot)
		return q.place(max(at, 0))
	}
	return strings.TrimSuffix(strings.TrimPrefix(q[i].text, "the "), " time")
}

// sideOf are the zones of a slot's place.
func (a asker) sideOf(q slots, i int) []when.Local {
	switch q[i].kind {
	case hereSlot:
		return []when.Local{{Place: "here", Zone: a.at.Location()}}
	case thereSlot:
		at, _ := q.only(placeSlot)
		return a.sideOf(q, at)
	}
	return a.locals(q[i].text)
}

// clockThere answers what a time in one place is in another.
func (a asker) clockThere(q slots) (Answer, bool) {
	at, one := q.only(clockSlot)
	if !one || planAsked.in(a.said) || !asking.in(a.said) && len(q.sides()) < 2 {
		return none()
	}
	day, ok := q.only(daySlot)
	if q.has(daySlot) && !ok || q.has(laterSlot) || q.has(formSlot) {
		return none()
	}
	from, to, ok := a.fromTo(q, at)
	if !ok {
		return none()
	}
	switch {
	case sunTime.in(q[at].text) && !q.isTelling():
		return none()
	case sunTime.in(q[at].text):
		out := Answer{Says: distances(from, to, a.at), Open: true}
		if out.Says.Args["side"] != nil {
			out.Says.Args["unknown"] = speech.Kind("sun")
		}
		return out, true
	}
	clock, ok := a.wall(q[at].text)
	if !ok {
		return none()
	}
	on := ""
	if day >= 0 {
		on = q[day].text
	}
	return a.shown(clock, on, from, to)
}

// fromTo are the place in which a time is told and the one for which it is asked: the first
// stands beside the time, or behind from, or is the one of which is told; the other is the
// one that is left, or here.
func (a asker) fromTo(q slots, at int) (from, to []when.Local, ok bool) {
	ourselves := []when.Local{{Place: "here", Zone: a.at.Location()}}
	sides := q.sides()
	if len(sides) == 0 || len(sides) > 2 {
		return nil, nil, false
	}
	told, sure := q.tellsTime(at, sides)
	if len(sides) == 1 {
		there := a.sideOf(q, sides[0])
		switch {
		case q[sides[0]].kind == hereSlot:
			return nil, nil, false
		case q.has(hereSlot): // here in Spain
			return ourselves, there, true
		case a.forMe, told >= 0 && q[told].kind == thereSlot: // at his 9 am
			return there, ourselves, true
		case told >= 0 && (sure || q.isTelling()) && !q.pointsThere():
			return there, ourselves, true
		}
		return ourselves, there, true
	}
	if told < 0 {
		return nil, nil, false
	}
	other := sides[0]
	if q.place(other) == q.place(told) {
		other = sides[1]
	}
	return a.sideOf(q, told), a.sideOf(q, other), true
}

// isTelling reports whether it tells a time before it asks what that is: when it is 3 pm in Rome.
func (q slots) isTelling() bool {
	return q.has(unreadSlot) || slices.ContainsFunc(q, func(s slot) bool { return joining.in(s.text) }) || q.says("if", "when", "while", "whenever", "that", "this", "say")
}

// joining asks when one has to be there.
var joining = matching(`^(?:when|what time) (?:should|do|must|can) (?:i|we) `)

// pointsThere reports whether it asks of the place of which was told.
func (q slots) pointsThere() bool { return q.has(thereSlot) }

// tellsTime is the place in which a time is told; sure says that its own words tell, which
// those of "3 pm in Rome" don't. Below 0 nothing tells.
func (q slots) tellsTime(at int, sides []int) (side int, sure bool) {
	behind := at + 1
	in := false
	for behind < len(q) && (q[behind].kind == daySlot || slices.Contains([]string{"in", "on", "time", "the", "over", "local", "oclock", "at", "from"}, q[behind].text) || q[behind].text == "for" && q.word(behind+1) == "me") {
		in = in || q[behind].text == "in" || q[behind].text == "on" && q[behind].kind == wordSlot
		behind++
	}
	if behind < len(q) && q[behind].isSide() {
		return behind, !in
	}
	for _, i := range sides {
		if q.word(i-1) == "from" {
			return i, true
		}
	}
	if len(sides) == 2 && sides[1]-sides[0] <= 3 && (sides[0] > at || sides[1] < at) && slices.Contains([]string{"to", "into", "in", "as"}, q.word(sides[0]+1)) {
		return sides[0], true
	}
	front := at - 1
	for front >= 0 && q[front].kind == daySlot {
		front--
	}
	if front >= 0 && q[front].isSide() {
		return front, true
	}
	for front >= 0 && !slices.Contains([]string{"what", "which", "when", "how"}, q[front].text) {
		if q[front].isSide() && (len(sides) == 2 || q.asksBehind(at)) {
			return front, true
		}
		front--
	}
	return -1, false
}

// asksBehind reports whether the question stands behind the time.
func (q slots) asksBehind(at int) bool { return q[at:].says("what", "which", "when", "how") }

// shown says what a time on a wall in one place is in others.
func (a asker) shown(clock time.Time, on string, from, to []when.Local) (Answer, bool) {
	if from[0].Place == "here" && to[0].Place == "here" {
		return none()
	}
	hour := clock.Hour()
	if eveningPart.in(on) && hour < 12 {
		hour += 12
	}
	moment := func(zone *time.Location) (time.Time, bool) {
		there := asker{now: a.now, at: a.at.In(zone)}
		day := there.at
		if name := strings.TrimSpace(eveningPart.without(on)); name != "" && name != "this morning" && name != "this" {
			name = strings.TrimSuffix(name, " morning")
			start, end, ok := there.named(name, false)
			if !ok || end.Sub(start) > 25*time.Hour {
				return day, false
			}
			day = start
		}
		return time.Date(day.Year(), day.Month(), day.Day(), hour, clock.Minute(), 0, 0, zone), true
	}
	first, ok := moment(from[0].Zone)
	if !ok {
		return none()
	}
	if len(from) > 1 && len(to) == 1 {
		parts := make([]string, len(from))
		for i, l := range from {
			at, _ := moment(l.Zone)
			parts[i] = fmt.Sprintf("%s for %s", at.In(to[0].Zone).Format("15:04 on Monday"), at.Format("15:04")+" "+in(l.Place))
		}
		return told("%s it is %s.", capital(whereIs(to[0].Place)), listed(parts))
	}
	parts := make([]string, len(to))
	for i, l := range to {
		parts[i] = first.In(l.Zone).Format("15:04 on Monday 2 January") + " " + whereIs(l.Place)
	}
	return told("When it is %s %s, it is %s.", first.Format("15:04 on Monday 2 January"), whereIs(from[0].Place), listed(parts))
}

var eveningPart = matching(`\b(?:this )?(?:tonight|evening|afternoon|night)$`)

// laterThere answers what the time in a place will be in a while, or was a while ago.
func (a asker) laterThere(q slots) (Answer, bool) {
	later, one := q.only(laterSlot)
	sides := q.sides()
	if !one || len(sides) != 1 || q.has(daySlot) || q.has(clockSlot) || !asksTime.in(a.said) {
		return none()
	}
	then, err := when.ParsePast(q[later].text, a.now, a.at.Location())
	if !strings.HasSuffix(q[later].text, " ago") {
		var at when.Time
		if at, err = when.Parse(q[later].text, a.now, a.at.Location()); at.Recurrence != nil || at.Rest(q[later].text) != "" {
			return none()
		}
		then = at.At
	}
	if err != nil {
		return none()
	}
	return told("%s", strings.TrimPrefix(timesIn(then.Time().In(a.at.Location()), a.sideOf(q, sides[0])), "It is "))
}

// nowThere answers what the time is in one place or in several.
func (a asker) nowThere(q slots) (Answer, bool) {
	sides := q.sides()
	if q.has(unreadSlot) && !(q.has(thereSlot) && q.has(placeSlot)) || !asksNow.in(a.said) && !a.changesZone(q, sides) || zonePlace.in(withoutNow(a.plain())) && !q.says("between") {
		return none()
	}
	if len(sides) == 0 && q.has(thereSlot) && !q.has(clockSlot) {
		return unworked("place")
	}
	if len(sides) == 0 || q.has(clockSlot) || q.has(daySlot) || q.has(laterSlot) || q.has(formSlot) {
		return none()
	}
	var all []when.Local
	for _, i := range sides {
		if q[i].kind == hereSlot && len(sides) == 1 {
			return none()
		}
		if q[i].kind != hereSlot {
			all = append(all, a.sideOf(q, i)...)
		}
	}
	return clocksIn(a.at, differing(all, a.at))
}

// changesZone reports whether one zone is to be put in another, with no time said: change mountain
// to pacific.
func (a asker) changesZone(q slots, sides []int) bool {
	return len(sides) == 2 && zoneVerb.in(a.said) && zonish.in(q[sides[0]].text)
}

var (
	zoneVerb = matching(`^(?:convert|translate|change|turn|switch) `)
	zonish   = matching(`^(?:[a-z]{2,4}|.*(?:standard|mountain|pacific|eastern|central|zone).*)$`)
)

var (
	apartAsked = matching(`\b(?:difference|differences|diff|gap|apart|ahead|behind|earlier|later|further|farther|(?:the )?same (?:local )?(?:time|hour|zone)|how many (?:time )?zones|share|(?:hours|zones?|time) between|hours (?:off|away|distance))\b`)
	zonePair   = matching(`^(?:[ecmp][sd]?t|utc|gmt|cest|cet|ist|bst|jst|aest|eastern|central|mountain|pacific)(?: time)? (?:to|into|vs|versus|and) (?:[ecmp][sd]?t|utc|gmt|cest|cet|ist|bst|jst|aest|eastern|central|mountain|pacific)(?: time)?$`)
	reference  = []string{"than", "of", "behind", "as"}
	fromZone   = matching(`^(?:utc|gmt|greenwich|zulu)`)
)

// hoursApart answers how far two places are apart, and which of them is ahead.
func (a asker) hoursApart(q slots) (Answer, bool) {
	if q.has(clockSlot) || q.has(daySlot) || q.has(laterSlot) || q.has(formSlot) {
		return none()
	}
	sides := q.sides()
	fromGreenwich := q.says("hours") && slices.ContainsFunc(sides, func(i int) bool { return fromZone.in(q.place(i)) && q.word(i-1) == "from" })
	if q.has(thereSlot) && !q.has(placeSlot) && apartAsked.in(a.said) {
		return unworked("places")
	}
	if len(sides) == 0 || len(sides) > 2 || !apartAsked.in(a.said) && !fromGreenwich && !zonePair.in(a.said) {
		return none()
	}
	turning := fromGreenwich || q.says("ahead", "behind", "off", "away", "earlier", "later")
	of := -1
	for _, i := range sides {
		j := i - 1
		for slices.Contains([]string{"in", "the", "time", "it", "is"}, q.word(j)) && q.word(j) != "is" {
			j--
		}
		if slices.Contains(reference, q.word(j)) || turning && q.word(j) == "from" {
			of = i
		}
	}
	ourselves := []when.Local{{Place: "here", Zone: a.at.Location()}}
	var subject, from []when.Local
	switch {
	case len(sides) == 1 && q[sides[0]].kind == hereSlot:
		return none()
	case len(sides) == 1 && of >= 0:
		subject, from = ourselves, a.sideOf(q, of)
	case len(sides) == 1:
		subject, from = a.sideOf(q, sides[0]), ourselves
	case of == sides[0]:
		subject, from = a.sideOf(q, sides[1]), a.sideOf(q, sides[0])
	default:
		subject, from = a.sideOf(q, sides[0]), a.sideOf(q, sides[1])
	}
	return Answer{Says: distances(from, subject, a.at)}, true
}

// offsetOf answers how far the clocks of a place are from Greenwich.
func (a asker) offsetOf(q slots) (Answer, bool) {
	sides := slices.DeleteFunc(q.sides(), func(i int) bool { return fromZone.in(q.place(i)) })
	if !q.says("offset") || len(sides) > 1 || q.has(clockSlot) {
		return none()
	}
	if len(sides) == 0 || q[sides[0]].kind == hereSlot {
		return a.zoneHere()
	}
	return a.keeps(a.sideOf(q, sides[0]))
}

var sameDayAsked = matching(`\bsame (?:day|date)\b`)

// sameDay answers whether it is a certain day in a place, or the same as here.
func (a asker) sameDay(q slots) (Answer, bool) {
	sides := slices.DeleteFunc(q.sides(), func(i int) bool { return q[i].kind == hereSlot })
	day, one := q.only(daySlot)
	same := sameDayAsked.in(a.said)
	if len(sides) != 1 || q.has(clockSlot) || q.has(laterSlot) || same == q.has(daySlot) || !same && !claimsDay.in(a.said) {
		return none()
	}
	all := a.sideOf(q, sides[0])
	wanted := midnight(a.at)
	if one {
		start, end, ok := a.named(q[day].text, false)
		if !ok || end.Sub(start) > 25*time.Hour {
			return none()
		}
		wanted = start
	}
	if len(all) > 1 || !same && !one {
		return clocksIn(a.at, all)
	}
	word := "No"
	if a.at.In(all[0].Zone).Format(time.DateOnly) == wanted.Format(time.DateOnly) {
		word = "Yes"
	}
	text := timesIn(a.at, all)
	return told("%s: %s", word, strings.ToLower(text[:1])+text[1:])
}

var claimsDay = matching(`^(?:is (?:it|that|today)|do they(?: already)? have|have they got|are they (?:in|on)|does \w+ have)\b`)

var (
	hours24 = matching(`24|twenty|military`)
	halfDay = matching(`(?:am|pm)\b|^(?:noon|midday|midnight)|morning|afternoon|evening|night`)
)

// inForm answers how a time is written with twelve or with twenty-four hours.
func (a asker) inForm(q slots) (Answer, bool) {
	form, one := q.only(formSlot)
	at, too := q.only(clockSlot)
	if !one || !too || len(q.sides()) > 0 || q.has(daySlot) {
		return none()
	}
	clock, ok := a.wall(q[at].text)
	switch {
	case !ok:
		return none()
	case !hours24.in(q[form].text):
		return bothForms(clock, "15:04", "3:04 pm")
	case clock.Hour() == 0 || clock.Hour() > 12 || halfDay.in(q[at].text):
		return bothForms(clock, "3:04 pm", "15:04")
	}
	morning := clock.Add(-time.Duration(clock.Hour()/12*12) * time.Hour)
	evening := morning.Add(12 * time.Hour)
	out, ok := bothForms(morning, "3:04 pm", "15:04")
	out.Says.Args["later"], out.Says.Args["so"] = speech.Clock(evening.Format("3:04 pm")), speech.Clock(evening.Format("15:04"))
	return out, ok
}

// bothForms is a time of day in one form and in another.
func bothForms(clock time.Time, in, as string) (Answer, bool) {
	return say("written", speech.Args{"at": speech.Clock(clock.Format(in)), "as": speech.Clock(clock.Format(as))})
}
