package builtinmodel

import (
	"fmt"
	"slices"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/concern"
)

// keptTwice asks where an appointment is to be cancelled that is in the plans and that a program may keep,
// too: by a tool that has all it needs, be that what was heard or not. Who says at whose it is, or that it
// is in their own plans, has said it.
func (l listener) keptTwice(s said, heard []intent) []intent {
	if len(heard) != 1 || heard[0].ask != "" || s.question || hasAny(s, "calendar", "calender", "plans", "diary", "agenda") {
		return heard
	}
	mine, owned := heard[0], isOwnCancel(heard[0])
	if !owned {
		if l.isOwn(heard[0].tool) {
			return heard // only what was heard for a program may as well be meant for the plans
		}
		own := l
		own.p.Tools = slices.DeleteFunc(slices.Clone(l.p.Tools), func(o reasoning.Offered) bool { return o.Interface != ownInterface })
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
			return []intent{f.orHere(mine, kept.where)}
		}
	}
	return heard
}

// orKept asks where an appointment is to be cancelled that a program may keep, too, whose tool the words
// mean; what was heard, where nothing is known of that.
func (l listener) orKept(mine intent, calls []intent) []intent {
	if len(calls) != 1 || calls[0].ask != "" || calls[0].tool == "" {
		return []intent{mine}
	}
	which, _ := mine.params["which"].(string)
	for i := range l.known.tools {
		c := &l.known.tools[i]
		if c.offered.Name != calls[0].tool {
			continue
		}
		f := &filling{l: l, c: c, params: calls[0].params}
		f.s, _ = read(calls[0].whole)
		switch kept := l.keeps(c.offered, which); {
		case kept.so:
			return []intent{suited{candidate: c, filling: f}.orHere(mine, kept.where)}
		case kept.other:
			return calls
		}
	}
	return []intent{mine}
}

// orHere asks whether a tool is meant, or what is in the plans.
func (f suited) orHere(mine intent, where string) intent {
	mine.label = "In my plans"
	its := intent{tool: f.offered.Name, params: f.params, whole: f.s.all(), label: "At " + cut(oneLine(f.offered.Interface), maxNameBytes)}
	name := f.called()
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
	so    bool   // it may
	where string // the kind of house that the program is for; "" when it doesn't say
	other bool   // no word names one, and none of the plans is one that the program would keep
}

// keeps says whether a program may keep an appointment of the plans that is called so. Of one that isn't
// in mind nothing but its kind is known.
func (l listener) keeps(o reasoning.Offered, which string) (out keptBy) {
	offer := domain.Offer{Name: o.Name, Tool: domain.Tool{Name: o.Name, Description: o.Description}, Interface: &domain.Interface{Name: o.Interface}}
	called, readable := read(which)
	whichever := !readable || onlyEmpty(called)
	theirs, is := concern.Plan{Text: which, Kind: domain.ItemAppointment}.KeptBy(offer)
	if out.where = theirs; !is {
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
