package plans

import (
	"regexp"
	"strings"

	"chalie/domain"
	"chalie/domain/language/abroad"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/when"
)

// onEvent hears what is to happen to appointments, and what is asked of a calendar.
func (l Planner) onEvent(f Frame) (tools.Intent, bool) {
	if f.Act == sentences.Making && (f.S.Begins("i", "need", "to") || f.S.Begins("i", "want", "to") || f.S.Begins("i", "would", "like", "to")) {
		f.Act = sentences.Unsaid // what one needs to do is said, and not asked for
	}
	switch {
	case f.Act == sentences.Ending && f.isPointed():
		return AsksWhich(tools.SkillAppointment, "appointment")
	case f.Act == sentences.Ending && f.isPart():
		return tools.Intent{Tool: tools.SkillAppointment, Ask: tools.Says("ask.change", "lacks", speech.Kind("part"))}, true
	case f.Act == sentences.Ending:
		params := l.chosenBy(f, "")
		params["action"] = "cancel"
		if params["which"] == nil && params["during"] == nil || f.noun == sentences.ACalendar && params["which"] == nil || f.noun == sentences.ASchedule && params["which"] == nil {
			params["all"] = f.many || f.All || f.noun == sentences.ACalendar || f.noun == sentences.ASchedule || params["all"] == true
		}
		if params["all"] == false || !f.All && !f.many && f.noun == sentences.ACalendar && sentences.HasAny(f.S, "entry", "item") { // one of its entries
			delete(params, "all")
		}
		return tools.Intent{Tool: tools.SkillAppointment, Params: params, Subject: "which"}, true
	case f.Act == sentences.Asking && (sentences.HasAny(f.S, "free", "busy", "openings", "available") || f.S.Is(0, "is") && sentences.HasAny(f.S, "full")):
		during := l.During(f)
		if during == "" {
			during = "today"
		}
		return tools.Intent{Tool: tools.SkillPlans, Params: map[string]any{"free": true, "during": during}}, true
	case f.Act == sentences.Asking || f.Act == sentences.Unsaid && (f.many || f.noun == sentences.ACalendar || f.noun == sentences.ASchedule):
		in := l.shown(f, map[sentences.Noun]string{sentences.AnEvent: "appointments", sentences.ACalendar: "appointments", sentences.AnOccasion: "appointments"}[f.noun])
		in.Weak = f.Act == sentences.Unsaid && (in.Params["which"] != nil || in.Params["during"] != nil)
		return in, true
	case f.Act == sentences.Making && f.noun == sentences.AnOccasion && f.S.Is(0, "make", "start", "begin"): // one makes dinner, and an appointment for it
		return tools.Intent{}, false
	case f.Act == sentences.Unsaid && f.Time == "", f.noun == sentences.ASchedule, f.noun == sentences.ACalendar && f.Act == sentences.Unsaid:
		return tools.Intent{}, false
	}
	in := l.appointed(f)
	if f.Act == sentences.Unsaid && in.Ask.IsZero() {
		// It is said that there is one, and not that it is to be kept.
		if sentences.HasAny(f.S, "had", "yesterday", "ago") || sentences.HasAny(f.S, "is", "are", "was", "were", "be", "has", "had", "repeat", "update", "starts", "begins", "what", "how", "with") && !sentences.HasAny(f.S, "there") && f.S.Is(0, "what", "how", "repeat", "update", "in") {
			return tools.Intent{}, false
		}
		in = l.OfferedAs(in, in.Whole)
	}
	return in, true
}

// OfferedAs is an appointment that is only told, offered in the words that tell of it. Several at once
// aren't: a yes would have to be asked about.
func (l Planner) OfferedAs(in tools.Intent, told string) tools.Intent {
	if _, err := when.ParseOccasion(told, l.P.AsOf, l.Zone()); domain.CodeOf(err) == when.CodeAmbiguous {
		in.Offer, in.Ask = false, tools.Says("ask.event", "lacks", speech.Kind("sentences"), "said", told)
		return in
	}
	in.Offer, in.Ask = true, abroad.IntoCalendar(told)
	return in
}

// isPart reports whether something is to go out of an appointment: remove Anna from the party.
func (f Frame) isPart() bool {
	for i := 1; i+1 < len(f.S.Words); i++ {
		if !f.S.Is(i, "from", "off", "out") || f.Used[i] || f.S.UpTo(i).Is(i-1, "up", "take", "get", "call") {
			continue
		}
		kept := false
		for j := i + 1; j < len(f.S.Words); j++ {
			switch sentences.Nouns[f.S.Words[j].Lower] {
			case sentences.ACalendar, sentences.ASchedule:
				return false
			case sentences.AnEvent, sentences.AnOccasion:
				kept = true
			}
		}
		named := f.S.Is(1, "me", "us", "him", "her", "them") && i == 2 // remove me from the concert
		for j := 1; j < i; j++ {
			named = named || !f.Used[j] && !sentences.EmptyWords[f.S.Words[j].Lower]
		}
		return kept && named
	}
	return false
}

// appointed is a new appointment.
func (l Planner) appointed(f Frame) tools.Intent {
	s := f.S
	for i := range s.Words { // without its act
		if !f.IsAct(i) {
			s = s.From(i)
			break
		}
	}
	in, _ := l.Entered(s.All(), true, false)
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
	s, ok := sentences.Read(text)
	if !ok || pronoun.MatchString(text) {
		return "", "", ""
	}
	what = s.All()
	for i := range max(0, len(s.Words)-1) {
		switch {
		case s.Is(i, "with", "w/", "w") && with == "":
			with = nameAt(s, i+1)
			if i == 0 {
				what = ""
			}
		case s.Is(i, "at") && place == "":
			end := i + 1
			for end < len(s.Words) && (end == i+1 || with != "" || !s.Is(end, "with", "w/")) {
				end++
			}
			place, what = s.Part(i+1, end), strings.TrimRight(s.Part(0, i), " ,")
			if i == 0 && end == len(s.Words) {
				what = s.All()
			}
			if end == len(s.Words) {
				return what, with, place
			}
			if with = nameAt(s, end+1); i == 0 {
				return "", with, place
			}
			return strings.TrimSpace(what + " " + s.Part(end, len(s.Words))), with, place
		}
	}
	return what, with, place
}

// nameAt is who takes part, behind "with".
func nameAt(s sentences.Said, i int) string {
	end := i
	for end < len(s.Words) && !s.Is(end, "at", "in", "on", "for", "about", "to", "after", "before") && (end == i || !s.Words[end-1].Stop || s.Is(end-1, "dr", "mr", "mrs", "ms", "prof") || s.Is(end, "and") || end+1 < len(s.Words) && s.Is(end+1, "and")) {
		end++
	}
	return strings.ReplaceAll(s.Part(i, end), " and ", ", ")
}

// AsksAfter hears questions after a plan by its name: "when is the dentist", "is Mary's party
// tonight", "am I free on Friday", "what's next".
func (l Planner) AsksAfter(s sentences.Said) (tools.Intent, bool) {
	if c, ok := s.Any("am|are i|we free|busy|available *when", "am|are i|we free|busy|available", "do i have time|anything|something|plans on|for? *when", "what does my *day look like *when", "what do i have going on *when", "what have i got going on *when", "what is going on *when"); ok {
		during := c.Get("when")
		if during == "" {
			during = "today"
		}
		if _, rest, err := l.Narrow(TrimFor(during)); err != nil || rest != "" {
			return tools.Intent{}, false
		}
		params := map[string]any{"during": TrimFor(during)}
		if s.Is(2, "free", "busy", "available", "time") || s.Is(3, "time") {
			params["free"] = true
		}
		return tools.Intent{Tool: tools.SkillPlans, Params: params}, true
	}
	return tools.Intent{}, false
}

// TrimFor takes off the word that introduces a period.
func TrimFor(text string) string {
	for _, word := range []string{"for ", "on ", "in "} {
		if len(text) > len(word) && strings.EqualFold(text[:len(word)], word) {
			return text[len(word):]
		}
	}
	return text
}
