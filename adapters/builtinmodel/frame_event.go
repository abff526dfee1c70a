package builtinmodel

import (
	"strings"

	"chalie/domain/when"
)

// skillAppointment keeps appointments.
const skillAppointment = "appointment"

// onEvent hears what is to happen to appointments, and what is asked of a calendar.
func (l listener) onEvent(f frame) (intent, bool) {
	switch {
	case f.act == ending && f.isPointed():
		return asksWhich(skillAppointment, "appointment")
	case f.act == ending:
		params := l.chosenBy(f, "")
		params["action"] = "cancel"
		if params["which"] == nil && params["during"] == nil || f.noun == aCalendar && params["which"] == nil || f.noun == aSchedule && params["which"] == nil {
			params["all"] = f.many || f.all || f.noun == aCalendar || f.noun == aSchedule || params["all"] == true
		}
		if params["all"] == false {
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
		return l.shown(f, map[noun]string{anEvent: "appointments", aCalendar: "appointments", anOccasion: "appointments"}[f.noun]), true
	case f.act == unsaid && f.time == "", f.noun == aSchedule, f.noun == aCalendar && f.act == unsaid:
		return intent{}, false
	}
	in := l.appointed(f)
	if f.act == unsaid && in.ask == "" {
		// It is said that there is one, and not that it is to be kept.
		if hasAny(f.s, "is", "are", "was", "were", "be", "has", "had", "repeat", "update", "starts", "begins", "what", "how", "with") && !hasAny(f.s, "there") && f.s.is(0, "what", "how", "repeat", "update", "in") {
			return intent{}, false
		}
		in.offer, in.ask = true, "Should I put it in the calendar: "+mention(in.whole)+"? Say yes."
	}
	return in, true
}

// containers are the ends of sentences that say where an appointment is kept.
var containers = []phrase{
	"*what on|to|in|onto|into my|the|our calendar|schedule|diary|agenda *rest", "*what on|to|in|onto|into my|the|our calendar|schedule|diary|agenda", "*what on|to|in|onto|into calendar|schedule|diary *rest", "*what on|to|in|onto|into calendar|schedule|diary",
	"on|to|in my|the|our calendar|schedule|diary *what", "calendar|schedule|diary *what",
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
	text := s.all()
	if c, ok := s.any(containers...); ok {
		text = strings.TrimSpace(c.get("what") + " " + c.get("rest"))
	}
	out := intent{tool: skillAppointment, whole: text, subject: "what", moment: "when"}
	t := l.timing(text)
	what, with, place := titleOf(t.rest)
	params := map[string]any{"action": "add"}
	for name, value := range map[string]string{"what": what, "with": with, "place": place} {
		if value != "" {
			params[name] = value
		}
	}
	out.params = params
	switch {
	case t.wrong || t.left || t.said && t.when == "":
		params["when"] = text // the skill says what is wrong with it
	case t.said:
		params["when"] = t.when
	case what == "":
		out.missing, out.ask = "what", "What is the appointment, and when? Say it such as: dentist tomorrow at 2pm."
		delete(params, "what")
	default:
		out.missing, out.ask = "when", "When is it: "+mention(what)+"? Say a time, such as: tomorrow at 2pm, Friday from 3 to 4."
	}
	if t.said && what == "" {
		out.missing, out.ask = "what", "What is it, "+t.when+"?"
	}
	return out
}

// titleOf takes a title apart: what it is, with whom, and where.
func titleOf(text string) (what, with, place string) {
	s, ok := read(text)
	if !ok {
		return "", "", ""
	}
	for len(s.words) > 1 && s.is(0, "a", "an", "the", "my", "our", "new", "another", "that", "event", "entry", "called", "named", "titled", "for", "of", "is", "to", "have", "there", "i", "set", "on", "about", "me", "up", "down", "in", "and") {
		s = s.from(1)
	}
	for len(s.words) > 1 && s.is(len(s.words)-1, "for", "on", "at", "to", "is", "in", "and", "me", "please", "the", "a", "time", "of", "by", "from", "as", "with") {
		s = s.upTo(len(s.words) - 1)
	}
	if len(s.words) == 1 && s.is(0, "a", "an", "the", "my", "for", "on", "at", "to", "it", "this", "that", "event", "entry", "something", "is", "please", "me") {
		return "", "", ""
	}
	what = s.all()
	for i := 1; i < len(s.words)-1; i++ {
		switch {
		case s.is(i, "with") && with == "":
			end := i + 1
			for end < len(s.words) && !s.is(end, "at", "in", "on", "for", "about", "to") {
				end++
			}
			with = strings.ReplaceAll(s.part(i+1, end), " and ", ", ")
		case s.is(i, "at") && place == "":
			place = s.part(i+1, len(s.words))
			what = s.part(0, i)
			return what, with, place
		}
	}
	return what, with, place
}

// asksAfter hears questions after a plan by its name: "when is the dentist", "is Mary's party
// tonight", "am I free on Friday", "what's next".
func (l listener) asksAfter(s said) (intent, bool) {
	if c, ok := s.any("am|are i|we free|busy|available *when", "am|are i|we free|busy|available", "do i have time|anything|something|plans on|for? *when", "what does my *day look like *when", "what do i have going on *when", "what have i got going on *when", "what is going on *when"); ok {
		during := c.get("when")
		if during == "" {
			during = "today"
		}
		if _, rest, err := when.Narrow(trimFor(during), l.p.AsOf, l.zone()); err != nil || rest != "" {
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

// kept hears what is said of a day and is to be kept: "March 5th is John's birthday, please put
// it on the calendar".
func (l listener) kept(s said) (intent, bool) {
	c, ok := s.any(
		"*what please|and|so|can|could? you? please? put|place|add|note|set|save|mark|write|schedule it|this|that down? on|in|to|into my|the|our? calendar|schedule|diary", "*what please? set|note|save|mark|schedule it|this|that please?", "*what and my calendar to be updated with this date",
		"*what add|put to|on my? calendar", "i have *what please? put|place|add it|this on|in|to my|the calendar")
	what := c.sentence("what")
	if !ok || len(what.words) < 3 || s.question && !what.is(0, "i", "we") {
		return intent{}, false
	}
	if _, by := l.one(what); by && !what.is(0, "i", "we") {
		if in, _ := l.one(what); !in.offer {
			return intent{}, false
		}
	}
	f, _ := l.takeApart(what)
	f.act = making
	if f.time == "" {
		return intent{}, false
	}
	return l.appointed(f), true
}
