package tools

import (
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/concern"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
)

// OrKept asks where an appointment is to be cancelled that a program may keep, too, whose tool the words
// mean; what was heard, where nothing is known of that.
func (l Chooser) OrKept(mine Intent, calls []Intent) []Intent {
	for _, its := range calls {
		at := slices.IndexFunc(l.Known.Tools, func(c Candidate) bool { return c.Offered.Name == its.Tool })
		if !its.Ask.IsZero() || at < 0 {
			return []Intent{mine}
		}
		if one, _ := l.whoKeeps(&l.Known.Tools[at], mine, its, func(kept KeptBy) bool { return kept.Other || !kept.theirs }); one.Tool != its.Tool {
			return []Intent{one}
		}
	}
	return calls
}

// whoKeeps is what is meant of what is in the plans and what a tool does: the tool's, where it is surely its
// program's, or a question; false with what is in the plans, where nothing is known of the tool's.
func (l Chooser) whoKeeps(c *Candidate, mine, its Intent, surely func(KeptBy) bool) (Intent, bool) {
	which, _ := mine.Params["which"].(string)
	switch kept := l.Keeps(c.Offered, which); {
	case surely(kept):
		return its, true
	case kept.So:
		return c.OrHere(mine, its, kept.Where), true
	}
	return mine, false
}

// KeptThere is what is meant of two that were heard: the tool's, where its house is named or none of the plans
// is one that its program would keep. Where one is, it is asked.
func (l Chooser) KeptThere(s sentences.Said, heard Intent) (Intent, bool) {
	which, _ := heard.Among[0].Params["which"].(string)
	bare, polite := s.Request()
	bare.Question = bare.Question && !polite
	for _, f := range l.Fitting(bare, Order) {
		if f.Offered.Name != heard.Among[1].Tool {
			continue
		}
		switch kept := l.Keeps(f.Offered, which); {
		case kept.Other || kept.Where != "" && sentences.HasAny(bare, kept.Where):
			its, ok := f.Asked(Order)
			its.Way = ByTool
			return its, ok
		case kept.So:
			return f.OrHere(heard.Among[0], heard.Among[1], kept.Where), true
		}
	}
	return Intent{}, false
}

// IsOwnOrTool reports whether an intent asks whether an appointment of the plans is to be cancelled, or one
// that a tool may cancel.
func IsOwnOrTool(in Intent) bool {
	return len(in.Among) == 2 && IsOwnCancel(in.Among[0]) && in.Among[1].Tool != SkillAppointment
}

// KeptAbroad is keptTwice of an appointment that is cancelled in another language. Only a tool that lacks
// nothing is thought of: of its parameters nothing is heard there.
func (l Chooser) KeptAbroad(t *tongues.Tongue, mine Intent, text string) Intent {
	if !IsOwnCancel(mine) || !mine.Ask.IsZero() {
		return mine
	}
	l.Known.Read(l.P.Tools)
	which, _ := mine.Params["which"].(string)
	for i := range l.Known.Tools {
		c := &l.Known.Tools[i]
		if c.Looks || slices.ContainsFunc(c.Offered.Parameters, func(p domain.Parameter) bool { return p.Required }) || !Takes(c.Offered, map[string]any{}) {
			continue
		}
		its := Intent{Tool: c.Offered.Name, Params: map[string]any{}, Whole: text, Way: ByTool}
		if one, known := l.whoKeeps(c, mine, its, func(kept KeptBy) bool { return kept.Other || isHouse(t, which, kept.Where) }); known {
			return one
		}
	}
	return mine
}

// isHouse reports whether words of a language name a kind of house, and nothing else.
func isHouse(t *tongues.Tongue, text, house string) bool {
	c, _ := speech.In(t.Tag)
	words, is := LabelWords(text), LabelWords(c.Say(say("label.at", args{"whose": speech.Text{}, "house": houseOf(house)}), speech.Voice{}))
	return house != "" && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(is, w) })
}

// houseOf is a kind of house that there are words for; nil for any other.
func houseOf(where string) speech.Value {
	if !slices.Contains(speech.Kinds()["house"], where) {
		return nil
	}
	return speech.Kind(where)
}

// OrHere asks whether what a tool does is meant, or what is in the plans.
func (c *Candidate) OrHere(mine, its Intent, where string) Intent {
	mine.Label, its.Label = say("label.word", args{"on": speech.Kind("in_plans")}), say("label.at", args{"whose": c.theirs(c.Offered.Interface), "house": houseOf(where)})
	return Intent{Weak: true, Way: ByTool, Among: []Intent{mine, its}, Ask: say("tool.or_plans", args{"tool": c.called(), "house": houseOf(where)})}
}

// IsOwnCancel reports whether an intent cancels an appointment of the plans.
func IsOwnCancel(in Intent) bool {
	return in.Tool == SkillAppointment && in.Params["action"] == "cancel"
}

// KeptBy is what is known of an appointment of the plans that a program may keep, too.
type KeptBy struct {
	theirs bool   // such appointments are what it keeps
	So     bool   // it may
	Where  string // the kind of house that the program is for; "" when it doesn't say
	Other  bool   // no word names one, and none of the plans is one that the program would keep
}

// Keeps says whether a program may keep an appointment of the plans that is called so. Of one that isn't
// in mind nothing but its kind is known.
func (l Chooser) Keeps(o language.Offered, which string) (out KeptBy) {
	offer := domain.Offer{Name: o.Name, Tool: domain.Tool{Name: o.Name, Description: o.Description}, Interface: &domain.Interface{Name: o.Interface}}
	called, readable := sentences.Read(which)
	whichever := !readable || onlyEmpty(called)
	theirs, is := concern.Plan{Text: which, Kind: domain.ItemAppointment}.KeptBy(offer)
	if out.Where, out.theirs = theirs, is; !is {
		return KeptBy{}
	}
	others := false
	for _, item := range l.P.World {
		if item.Kind != domain.ItemAppointment || item.Phase == domain.PhaseDone {
			continue
		}
		if _, is := (concern.Plan{Text: item.Label, Kind: item.Kind}).KeptBy(offer); is && (whichever || l.IsKnown(called)) {
			out.So = true
			return out
		}
		others = true
	}
	out.So = slices.ContainsFunc(l.P.Out, func(item domain.SeenItem) bool {
		return item.Kind == domain.ItemAppointment && item.Phase != domain.PhaseDone
	})
	out.Other = others && whichever && !out.So
	return out
}

// onlyEmpty reports whether words name nothing.
func onlyEmpty(s sentences.Said) bool {
	return !slices.ContainsFunc(s.Words, func(w sentences.Word) bool { return !sentences.EmptyWords[w.Lower] && !chalieNouns[w.Lower] })
}
