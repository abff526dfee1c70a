package hearing

import (
	"regexp"
	"strings"

	"chalie/domain"
	"chalie/domain/language/when"
)

// skillAppointment keeps appointments.
const skillAppointment = "appointment"

// onEvent hears what is to happen to appointments, and what is asked of a calendar.
func (l listener) onEvent(f frame) (intent, bool) {
	if f.act == making && (f.s.begins("i", "need", "to") || f.s.begins("i", "want", "to") || f.s.begins("i", "would", "like", "to")) {
		f.act = unsaid // what one needs to do is said, and not asked for
	}
	switch {
	case f.act == ending && f.isPointed():
		return asksWhich(skillAppointment, "appointment")
	case f.act == ending && f.isPart():
		return intent{tool: skillAppointment, ask: "I can cancel the whole of it, or change its time, its place, or who takes part. Say which, with words of it."}, true
	case f.act == ending:
		params := l.chosenBy(f, "")
		params["action"] = "cancel"
		if params["which"] == nil && params["during"] == nil || f.noun == aCalendar && params["which"] == nil || f.noun == aSchedule && params["which"] == nil {
			params["all"] = f.many || f.all || f.noun == aCalendar || f.noun == aSchedule || params["all"] == true
		}
		if params["all"] == false || !f.all && !f.many && f.noun == aCalendar && hasAny(f.s, "entry", "item") { // one of its entries
			delete(params, "all")
		}
		return intent{tool: skillAppointment, params: params, subject: "which"}, true
	case f.act == asking && (hasAny(f.s, "free", "busy", "openings", "available") || f.s.is(0, "is") && hasAny(f.s, "full")):
		during := l.during(f)
		if during == "" {
			during = "today"
		}
		return intent{tool: skillPlans, params: map[string]any{"free": true, "during": during}}, true
	case f.act == asking || f.act == unsaid && (f.many || f.noun == aCalendar || f.noun == aSchedule):
		in := l.shown(f, map[noun]string{anEvent: "appointments", aCalendar: "appointments", anOccasion: "appointments"}[f.noun])
		in.weak = f.act == unsaid && (in.params["which"] != nil || in.params["during"] != nil)
		return in, true
	case f.act == making && f.noun == anOccasion && f.s.is(0, "make", "start", "begin"): // one makes dinner, and an appointment for it
		return intent{}, false
	case f.act == unsaid && f.time == "", f.noun == aSchedule, f.noun == aCalendar && f.act == unsaid:
		return intent{}, false
	}
	in := l.appointed(f)
	if f.act == unsaid && in.ask == "" {
		// It is said that there is one, and not that it is to be kept.
		if hasAny(f.s, "had", "yesterday", "ago") || hasAny(f.s, "is", "are", "was", "were", "be", "has", "had", "repeat", "update", "starts", "begins", "what", "how", "with") && !hasAny(f.s, "there") && f.s.is(0, "what", "how", "repeat", "update", "in") {
			return intent{}, false
		}
		in = l.offeredAs(in, in.whole)
	}
	return in, true
}

// offeredAs is an appointment that is only told, offered in the words that tell of it. Several at once
// aren't: a yes would have to be asked about.
func (l listener) offeredAs(in intent, told string) intent {
	if _, err := when.ParseOccasion(told, l.p.AsOf, l.zone()); domain.CodeOf(err) == when.CodeAmbiguous {
		in.offer, in.ask = false, "There is more than one time in "+mention(told)+", so I offer to keep none: say each appointment in a sentence of its own."
		return in
	}
	in.offer, in.ask = true, intoCalendar(told)
	return in
}

// intoCalendar asks whether something that was told is to be kept as an appointment.
func intoCalendar(told string) string {
	return "Should I put it in the calendar: " + mention(told) + "? Say yes."
}

// isPart reports whether something is to go out of an appointment: remove Anna from the party.
func (f frame) isPart() bool {
	for i := 1; i+1 < len(f.s.words); i++ {
		if !f.s.is(i, "from", "off", "out") || f.used[i] || f.s.upTo(i).is(i-1, "up", "take", "get", "call") {
			continue
		}
		kept := false
		for j := i + 1; j < len(f.s.words); j++ {
			switch nouns[f.s.words[j].lower] {
			case aCalendar, aSchedule:
				return false
			case anEvent, anOccasion:
				kept = true
			}
		}
		named := f.s.is(1, "me", "us", "him", "her", "them") && i == 2 // remove me from the concert
		for j := 1; j < i; j++ {
			named = named || !f.used[j] && !emptyWords[f.s.words[j].lower]
		}
		return kept && named
	}
	return false
}

// appointed is a new appointment.
func (l listener) appointed(f frame) intent {
	s := f.s
	for i := range s.words { // without its act
		if !f.isAct(i) {
			s = s.from(i)
			break
		}
	}
	in, _ := l.entered(s.all(), true, false)
	return in
}

// idleBefore and idleBehind are words around a title that say nothing of what it is.
var (
	idleBefore = regexp.MustCompile(`(?i)^(?:[\s,.;:–-]+|(?:an?|the|my|our|new|another|that|this|event|entry|called|named|titled|title|for|of|is|are|to|in|on|at|by|and|me|us|up|down|about|as|have|having|there|there's|there is|there are|i|i've|i'm|i am|i have|we|we've|we're|we are|it|it's|it is|got|set|slot|say|please|all[- ]day|recurring|repeating|supposed|off|out|so|whole day|calendar|calender|from|w/)(?:[\s,.;:–-]+|$)|(?:time|some time|slot|appointment slot|a note|note|hour)(?: (?:for|to) |[,:;]+ ))`)
	idleBehind = regexp.MustCompile(`(?i)(?:[\s,.;:–-]+|(?:^|[\s,]+)(?:for|on|at|to|is|are|in|and|me|please|the|an?|time|of|by|from|as|with|it|it's|that|so|ugh|recurring|repeating|recurring appointment|repeating appointment|recurring event|all[- ]day|all[- ]day event|got set|set|scheduled|from \w+ to|each|every|there's|starting|beginning|i have|i've got|repeat))$`)
	pronoun    = regexp.MustCompile(`(?i)^(?:\d+|it|this|that|event|entry|something|appointment slot|some)$`)
)

// titleOf takes a title apart: what it is, with whom, and where.
func titleOf(text string) (what, with, place string) {
	for shorter := idleBefore.ReplaceAllString(text, ""); shorter != text; shorter = idleBefore.ReplaceAllString(text, "") {
		if head := strings.ToLower(strings.TrimSpace(text[:len(text)-len(shorter)])); head == "at" && len(strings.Fields(shorter)) > 0 && what == "" {
			break
		}
		text = shorter
	}
	for shorter := idleBehind.ReplaceAllString(text, ""); shorter != text; shorter = idleBehind.ReplaceAllString(text, "") {
		text = shorter
	}
	s, ok := read(text)
	if !ok || pronoun.MatchString(text) {
		return "", "", ""
	}
	what = s.all()
	for i := range max(0, len(s.words)-1) {
		switch {
		case s.is(i, "with", "w/", "w") && with == "":
			with = nameAt(s, i+1)
			if i == 0 {
				what = ""
			}
		case s.is(i, "at") && place == "":
			end := i + 1
			for end < len(s.words) && (end == i+1 || with != "" || !s.is(end, "with", "w/")) {
				end++
			}
			place, what = s.part(i+1, end), strings.TrimRight(s.part(0, i), " ,")
			if i == 0 && end == len(s.words) {
				what = s.all()
			}
			if end == len(s.words) {
				return what, with, place
			}
			if with = nameAt(s, end+1); i == 0 {
				return "", with, place
			}
			return strings.TrimSpace(what + " " + s.part(end, len(s.words))), with, place
		}
	}
	return what, with, place
}

// nameAt is who takes part, behind "with".
func nameAt(s said, i int) string {
	end := i
	for end < len(s.words) && !s.is(end, "at", "in", "on", "for", "about", "to", "after", "before") && (end == i || !s.words[end-1].stop || s.is(end-1, "dr", "mr", "mrs", "ms", "prof") || s.is(end, "and") || end+1 < len(s.words) && s.is(end+1, "and")) {
		end++
	}
	return strings.ReplaceAll(s.part(i, end), " and ", ", ")
}

// asksAfter hears questions after a plan by its name: "when is the dentist", "is Mary's party
// tonight", "am I free on Friday", "what's next".
func (l listener) asksAfter(s said) (intent, bool) {
	if c, ok := s.any("am|are i|we free|busy|available *when", "am|are i|we free|busy|available", "do i have time|anything|something|plans on|for? *when", "what does my *day look like *when", "what do i have going on *when", "what have i got going on *when", "what is going on *when"); ok {
		during := c.get("when")
		if during == "" {
			during = "today"
		}
		if _, rest, err := l.narrow(trimFor(during)); err != nil || rest != "" {
			return intent{}, false
		}
		params := map[string]any{"during": trimFor(during)}
		if s.is(2, "free", "busy", "available", "time") || s.is(3, "time") {
			params["free"] = true
		}
		return intent{tool: skillPlans, params: params}, true
	}
	return intent{}, false
}

// trimFor takes off the word that introduces a period.
func trimFor(text string) string {
	for _, word := range []string{"for ", "on ", "in "} {
		if len(text) > len(word) && strings.EqualFold(text[:len(word)], word) {
			return text[len(word):]
		}
	}
	return text
}
