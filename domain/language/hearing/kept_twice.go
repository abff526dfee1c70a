package hearing

import (
	"fmt"
	"slices"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/concern"
	"chalie/domain/language/tongues"
)

// keptTwice asks where an appointment is to be cancelled that is in the plans and that a program may keep,
// too: by a tool that has all it needs, be that what was heard or not. Who says at whose it is, or that it
// is in their own plans, has said it.
func (l listener) keptTwice(s said, heard []intent) []intent {
	if len(heard) == 1 && isOwnOrTool(heard[0]) {
		if its, ok := l.keptThere(s, heard[0]); ok {
			return []intent{its}
		}
	}
	if len(heard) != 1 || heard[0].ask != "" || s.question || hasAny(s, "calendar", "calender", "plans", "diary", "agenda") {
		return heard
	}
	mine, owned := heard[0], isOwnCancel(heard[0])
	if !owned {
		if l.isOwn(heard[0].tool) {
			return heard // only what was heard for a program may as well be meant for the plans
		}
		own := l
		own.p.Tools = slices.DeleteFunc(slices.Clone(l.p.Tools), func(o language.Offered) bool { return o.Interface != ownInterface })
		own.known = &lexicon{}
		all := own.asked(s)
		if len(all) != 1 || all[0].ask != "" || !isOwnCancel(all[0]) {
			return heard
		}
		mine = all[0]
	}
	which, _ := mine.params["which"].(string)
	bare, polite := s.request()
	bare.question = bare.question && !polite
	if owned && len(bare.words) == 0 {
		return heard
	}
	for _, f := range l.fitting(bare, order) {
		if !owned && f.offered.Name != heard[0].tool || f.looks || f.exact || f.isWhose(bare) {
			continue
		}
		kept := l.keeps(f.offered, which)
		switch {
		case hasAny(bare, kept.where):
		case kept.other && owned:
			if its, ok := f.asked(order); ok {
				its.way = byTool
				return []intent{its}
			}
		case kept.so && len(f.missing()) == 0 && takes(f.offered, f.params):
			return []intent{f.orHere(mine, intent{tool: f.offered.Name, params: f.params, whole: f.s.all()}, kept.where)}
		}
	}
	return heard
}

// orKept asks where an appointment is to be cancelled that a program may keep, too, whose tool the words
// mean; what was heard, where nothing is known of that.
func (l listener) orKept(mine intent, calls []intent) []intent {
	for _, its := range calls {
		at := slices.IndexFunc(l.known.tools, func(c candidate) bool { return c.offered.Name == its.tool })
		if its.ask != "" || at < 0 {
			return []intent{mine}
		}
		if one, _ := l.whoKeeps(&l.known.tools[at], mine, its, func(kept keptBy) bool { return kept.other || !kept.theirs }); one.tool != its.tool {
			return []intent{one}
		}
	}
	return calls
}

// whoKeeps is what is meant of what is in the plans and what a tool does: the tool's, where it is surely its
// program's, or a question; false with what is in the plans, where nothing is known of the tool's.
func (l listener) whoKeeps(c *candidate, mine, its intent, surely func(keptBy) bool) (intent, bool) {
	which, _ := mine.params["which"].(string)
	switch kept := l.keeps(c.offered, which); {
	case surely(kept):
		return its, true
	case kept.so:
		return c.orHere(mine, its, kept.where), true
	}
	return mine, false
}

// keptThere is what is meant of two that were heard: the tool's, where its house is named or none of the plans
// is one that its program would keep. Where one is, it is asked.
func (l listener) keptThere(s said, heard intent) (intent, bool) {
	which, _ := heard.among[0].params["which"].(string)
	bare, polite := s.request()
	bare.question = bare.question && !polite
	for _, f := range l.fitting(bare, order) {
		if f.offered.Name != heard.among[1].tool {
			continue
		}
		switch kept := l.keeps(f.offered, which); {
		case kept.other || kept.where != "" && hasAny(bare, kept.where):
			its, ok := f.asked(order)
			its.way = byTool
			return its, ok
		case kept.so:
			return f.orHere(heard.among[0], heard.among[1], kept.where), true
		}
	}
	return intent{}, false
}

// isOwnOrTool reports whether an intent asks whether an appointment of the plans is to be cancelled, or one
// that a tool may cancel.
func isOwnOrTool(in intent) bool {
	return len(in.among) == 2 && isOwnCancel(in.among[0]) && in.among[1].tool != skillAppointment
}

// keptAbroad is keptTwice of an appointment that is cancelled in another language. Only a tool that lacks
// nothing is thought of: of its parameters nothing is heard there.
func (l listener) keptAbroad(t *tongues.Tongue, mine intent, text string) intent {
	if !isOwnCancel(mine) || mine.ask != "" {
		return mine
	}
	l.known.read(l.p.Tools)
	which, _ := mine.params["which"].(string)
	for i := range l.known.tools {
		c := &l.known.tools[i]
		if c.looks || slices.ContainsFunc(c.offered.Parameters, func(p domain.Parameter) bool { return p.Required }) || !takes(c.offered, map[string]any{}) {
			continue
		}
		its := intent{tool: c.offered.Name, params: map[string]any{}, whole: text, way: byTool}
		if one, known := l.whoKeeps(c, mine, its, func(kept keptBy) bool { return kept.other || isHouse(t, which, kept.where) }); known {
			return one
		}
	}
	return mine
}

// isHouse reports whether words of a language name a kind of house, and nothing else.
func isHouse(t *tongues.Tongue, text, house string) bool {
	words, is := labelWords(text), labelWords(t.Tell(house, tongues.House))
	return house != "" && len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(is, w) })
}

// orHere asks whether what a tool does is meant, or what is in the plans.
func (c *candidate) orHere(mine, its intent, where string) intent {
	mine.label, its.label = "In my plans", "At "+cut(oneLine(c.offered.Interface), maxNameBytes)
	name := c.called()
	if where != "" {
		its.label, name = its.label+", the "+where, name+", for the "+where+","
	}
	return intent{weak: true, way: byTool, among: []intent{mine, its}, ask: fmt.Sprintf("I have such an appointment in your plans, and %s may keep it, too. Where should it be cancelled?", name)}
}

// isOwnCancel reports whether an intent cancels an appointment of the plans.
func isOwnCancel(in intent) bool {
	return in.tool == skillAppointment && in.params["action"] == "cancel"
}

// keptBy is what is known of an appointment of the plans that a program may keep, too.
type keptBy struct {
	theirs bool   // such appointments are what it keeps
	so     bool   // it may
	where  string // the kind of house that the program is for; "" when it doesn't say
	other  bool   // no word names one, and none of the plans is one that the program would keep
}

// keeps says whether a program may keep an appointment of the plans that is called so. Of one that isn't
// in mind nothing but its kind is known.
func (l listener) keeps(o language.Offered, which string) (out keptBy) {
	offer := domain.Offer{Name: o.Name, Tool: domain.Tool{Name: o.Name, Description: o.Description}, Interface: &domain.Interface{Name: o.Interface}}
	called, readable := read(which)
	whichever := !readable || onlyEmpty(called)
	theirs, is := concern.Plan{Text: which, Kind: domain.ItemAppointment}.KeptBy(offer)
	if out.where, out.theirs = theirs, is; !is {
		return keptBy{}
	}
	others := false
	for _, item := range l.p.World {
		if item.Kind != domain.ItemAppointment || item.Phase == domain.PhaseDone {
			continue
		}
		if _, is := (concern.Plan{Text: item.Label, Kind: item.Kind}).KeptBy(offer); is && (whichever || l.isKnown(called)) {
			out.so = true
			return out
		}
		others = true
	}
	out.so = slices.ContainsFunc(l.p.Out, func(item domain.SeenItem) bool {
		return item.Kind == domain.ItemAppointment && item.Phase != domain.PhaseDone
	})
	out.other = others && whichever && !out.so
	return out
}

// onlyEmpty reports whether words name nothing.
func onlyEmpty(s said) bool {
	return !slices.ContainsFunc(s.words, func(w word) bool { return !emptyWords[w.lower] && !ours[w.lower] })
}
