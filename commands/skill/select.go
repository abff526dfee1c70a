package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
)

// naming says which plans a call is about. It is a part of the parameters of skills that
// change plans.
type naming struct {
	Which     string
	During    string
	About     string
	All       bool
	Confirmed bool

	ends bool // the plan is to go: one word that is all of one name and a part of others names none
}

// namingParameters are what naming takes of a kind of plan.
func namingParameters(noun string) []domain.Parameter {
	return []domain.Parameter{
		{Name: "which", Type: domain.TypeString, Description: "Words of the " + noun + `, or its id; "next", "first" or "last" for that ` +
			`one. May be left out when there is only one.`},
		{Name: "during", Type: domain.TypeString, Description: `A period or time of day as people say it, which tells one from others: ` +
			`"tomorrow", "Friday evening", "at 2pm".`},
		{Name: "about", Type: domain.TypeString, Description: "What else was said, whose words may tell which of several is meant."},
		{Name: "all", Type: domain.TypeBoolean, Description: "True for all that fit. Several are asked about first."},
		{Name: "confirmed", Type: domain.TypeBoolean, Description: "True when the person was asked and said yes."},
	}
}

// selection is what a naming names.
type selection struct {
	plans    []planned
	question speech.Message // what to ask when it isn't clear
	wrong    error          // a validation, about the period that it names
	none     speech.Message // the answer when there is nothing in that
	absent   bool           // there is none with its words
	during   string         // the words of the window
	window   when.Window
	several  []planned        // which of them is the question
	stays    []speech.Message // what of a period stays, though everything was said to go
}

// isUnclear reports whether there is something to ask about it.
func (found selection) isUnclear() bool { return !found.question.IsZero() || found.wrong != nil }

// namesNone reports whether nothing is chosen: it isn't clear, or there is nothing.
func (found selection) namesNone() bool { return found.isUnclear() || !found.none.IsZero() }

// asks is the question of what isn't clear, or says that there is nothing.
func (found selection) asks() (tool.SkillDone, error) {
	switch {
	case found.wrong != nil:
		return asksBack(found.wrong)
	case found.question.IsZero():
		return tell(found.none)
	}
	return asksWhich(found.question, found.several)
}

// asksWhich asks which of several plans is meant, with a button for each.
func asksWhich(question speech.Message, several []planned) (tool.SkillDone, error) {
	done, err := ask(question, eachOf(several)...)
	return mentioning(done, err, several)
}

// whichOne asks for one of several that were chosen.
func whichOne(noun speech.Kind, several []planned) (tool.SkillDone, error) {
	return asksWhich(say("plan.one_at_a_time", args{"kind": noun, "plans": withTimes(several, maxNamed)}), several)
}

// eachOf are plans as the answers to which of them is meant.
func eachOf(all []planned) []tool.Answer {
	out := make([]tool.Answer, 0, maxNamed)
	for _, p := range all[:min(len(all), maxNamed)] {
		label := p.text
		if p.due != "" {
			label += ", " + p.due
		}
		given := map[string]any{"which": p.ID.UUID(), "during": nil, "all": nil}
		switch {
		case p.recurrence != nil && len(p.times) == 1: // only that time of it was asked about
			given["during"] = p.due
		case p.recurrence != nil && len(p.times) > 1:
			delete(given, "during") // it stays as it was said
		}
		says := say("label.plan", args{"what": p.its(), "due": p.dueAt(), "place": p.place()})
		out = append(out, tool.Answer{Label: label, Says: says, With: given})
	}
	return out
}

// mostOccasions bounds how many times of a recurring plan are held against a window.
const mostOccasions = 400

// occasions are the times of a plan that fit best into a window.
func (p planned) occasions(w when.Window, zone *time.Location) (best when.Fit, out []occasion) {
	if p.Due == 0 {
		return when.Outside, nil
	}
	length := max(p.End-p.Due, 0)
	try := func(o occasion) {
		fit := w.Fits(o.start, o.end, zone)
		if fit > best {
			best, out = fit, nil
		}
		if fit == best && fit != when.Outside {
			out = append(out, o)
		}
	}
	try(occasion{p.Due, p.Due + length})
	if p.recurrence == nil {
		return best, out
	}
	after, until, most := p.Due, p.Due.Add(8*24*time.Hour), 8
	if w.HasDay() {
		after, until, most = max(p.Due, w.From-length-1), w.To, mostOccasions
	}
	for range most {
		next := when.Next(*p.recurrence, after, p.zone)
		if next == 0 || next >= until {
			break
		}
		end := next
		if p.Kind.TakesPlace() {
			end, _ = when.Occurs(p.appointment, next, p.zone)
		}
		try(occasion{next, end})
		after = next
	}
	if !w.HasDay() && len(out) > 0 {
		out = out[:1]
	}
	return best, out
}

// occasion is one time of a plan.
type occasion struct{ start, end domain.Millis }

// timed reads the times of plans, and of appointments what else was said of them. What was
// erased has none.
func (s *skills) timed(ctx context.Context, all []planned) ([]planned, error) {
	for i, p := range all {
		if !p.Kind.TakesPlace() && !p.Recurs {
			continue
		}
		rec, err := s.cfg.Reader.Find(ctx, p.Timing)
		if err != nil {
			return nil, err
		}
		said, err := domain.SaidOf(rec.Envelope)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return nil, err
		}
		if p.Kind.TakesPlace() {
			all[i].appointment = said.Time
		}
		all[i].recurrence, all[i].zone = said.Time.Recurrence, commands.ZoneOf(said.Time.Zone)
	}
	return all, nil
}

// within are the plans that are named by a window, each with its time there: when some begin
// exactly at it, only those. A time of day doesn't name what lasts all day.
func within(all []planned, w when.Window, call tool.SkillCall) []planned {
	all = slices.DeleteFunc(fitting(all, w, call), func(p planned) bool { return !w.IsPeriod() && p.appointment.AllDay })
	exactly := slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return w.Fits(p.Due, p.End, call.Zone) != when.Exactly })
	if len(exactly) > 0 {
		return exactly
	}
	return all
}

// fitting are the plans with a time in a window, each with that time, the first before the
// others.
func fitting(all []planned, w when.Window, call tool.SkillCall) []planned {
	var out []planned
	for _, p := range all {
		fit, times := p.occasions(w, call.Zone)
		if fit == when.Outside {
			continue
		}
		p.times, p.waits, p.Due, p.End = times, p.Due, times[0].start, times[0].end
		p.due, p.dueIn = when.Say(p.Due, call.Now, call.Zone), call.Zone.String()
		out = append(out, p)
	}
	domain.SortStableFunc(out, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })
	return out
}

// Name implements bynames.Thing.
func (p planned) Name() string { return p.text }

// Around implements bynames.Thing.
func (p planned) Around() string {
	return p.about + " " + p.appointment.Place + " " + strings.Join(p.appointment.People, " ")
}

// Rings implements bynames.Thing: a reminder is an alarm or a timer where its text says so.
func (p planned) Rings() (alarm, timer bool) {
	if p.Kind != domain.ItemReminder {
		return false, false
	}
	return bynames.Rings(tongues.PlainWords(strings.ToLower(p.text)))
}

func (p planned) isAlarm() bool { alarm, _ := p.Rings(); return alarm }
func (p planned) isTimer() bool { _, timer := p.Rings(); return timer }

// only are those of some plans of which something is so.
func only(all []planned, is func(planned) bool) []planned {
	return slices.DeleteFunc(slices.Clone(all), func(p planned) bool { return !is(p) })
}

// meant is what words for plans say.
type meant struct{ bynames.Meaning }

// meaning reads it. The error is a validation about during.
func meaning(which, during string, all []planned, call tool.SkillCall) (meant, error) {
	m, err := bynames.MeaningOf(which, during, all, call.Now, call.Zone)
	return meant{m}, err
}

// ofKind are the plans that are alarms, where those are meant, and lie in the period.
func (m meant) ofKind(all []planned, fit func([]planned, when.Window, tool.SkillCall) []planned, call tool.SkillCall) []planned {
	if m.Timers {
		all = only(all, planned.isTimer)
	}
	if m.Alarms {
		all = only(all, planned.isAlarm)
	}
	if m.Comes != nil {
		all = only(all, func(p planned) bool { return p.comesOn(m.Comes) })
	}
	if m.Period != "" {
		all = fit(all, m.Window, call)
	}
	return all
}

// comesOn reports whether a plan comes back on these days and no other; on any, where none are named.
func (p planned) comesOn(days []time.Weekday) bool {
	if p.recurrence == nil || len(days) == 0 {
		return p.recurrence != nil
	}
	const week = 7
	if len(days) == week {
		return p.isDaily()
	}
	own, ok := when.DaysOf(*p.recurrence)
	return ok && len(own) > 0 && !slices.ContainsFunc(own, func(d time.Weekday) bool { return !slices.Contains(days, d) })
}

// choose finds the plans that a naming names, of a kind whose noun is given. Where none has all of
// its words, several may be named: the dentist and the doctor.
func choose(n naming, noun string, all []planned, call tool.SkillCall) selection {
	out := chooseOne(n, noun, all, call)
	names := bynames.Several(n.Which)
	if !out.absent || len(names) < 2 {
		return out
	}
	var several []planned
	var of selection
	for _, name := range names {
		one := n
		one.Which = name
		found := chooseOne(one, noun, all, call)
		switch {
		case found.absent || name == "":
			return out
		case found.namesNone():
			return found
		}
		of = found
		for _, p := range found.plans {
			if !slices.ContainsFunc(several, func(o planned) bool { return o.ID == p.ID }) {
				several = append(several, p)
			}
		}
	}
	return selection{plans: several, window: of.window, during: of.during}
}

// chooseOne finds the plans that have all the words of a naming.
func chooseOne(n naming, noun string, all []planned, call tool.SkillCall) selection {
	kind, which := speech.Kind(noun), strings.TrimSpace(n.Which)
	if len(all) == 0 && which != "" {
		return selection{question: say("plan.none", args{"kind": kind, "which": theirOwn(which)}), absent: true}
	} else if len(all) == 0 {
		return selection{question: say("plan.none", args{"kind": kind}), absent: true}
	}
	if _, err := domain.ParseID(which); err == nil {
		one, question := pick(which, noun, all)
		if !question.IsZero() {
			return selection{question: question}
		}
		return inWindow(n.During, one, call)
	}
	m, err := meaning(which, n.During, all, call)
	if err != nil {
		return selection{wrong: err}
	}
	if m.Alarms {
		kind = "alarm"
	}
	candidates := m.ofKind(all, within, call)
	if later, ok := m.WeekLater(call.Now, call.Zone); ok && len(bynames.ByWords(m.Said, candidates)) == 0 {
		then := meant{later}
		if among := then.ofKind(all, within, call); len(bynames.ByWords(m.Said, among)) > 0 {
			m, candidates = then, among
		}
	}
	if len(candidates) == 0 {
		return selection{none: m.noneThen(kind, call), absent: true}
	}
	found := bynames.ByWords(m.Said, candidates)
	if len(found) == 0 && m.Period == "" {
		found = matching(which, all)
	}
	if hinted := bynames.Hinted(n.About, found); len(found) > 1 || which == "" {
		if len(hinted) == 0 && !blank(n.About) && blank(which, n.During) {
			return selection{question: say("plan.none", args{"kind": kind, "which": theirOwn(n.About), "there": alikeApart(all)}), absent: true}
		}
		if len(hinted) > 0 {
			found = hinted
		}
	}
	return m.among(n, kind, found, candidates, call)
}

// among are those that are meant of the plans with the words of a naming, which are candidates.
func (m meant) among(n naming, kind speech.Kind, found, candidates []planned, call tool.SkillCall) selection {
	which := strings.TrimSpace(n.Which)
	found = m.nameless(n, found, candidates)
	every, both := bynames.MeansAll(which)
	every = (n.All || every) && (!both || len(found) == 2)
	found = m.calledSo(which, every, found)
	near := bynames.Like(m.Said, candidates)
	switch {
	case len(found) == 0 && len(near) > 0:
		return selection{question: say("plan.which", args{"kind": kind, "plans": alikeApart(near)}), several: near}
	case len(found) == 0 && m.Period != "":
		none := args{"kind": kind, "which": theirOwn(strings.Join(m.Said, " ")), "period": m.then(call), "there": alikeApart(candidates)}
		return selection{none: say("plan.none_such", none), absent: true}
	case len(found) == 0:
		none := args{"kind": kind, "which": theirOwn(which), "there": alikeApart(candidates)}
		return selection{question: say("plan.none", none), absent: true}
	case len(found) > 1 && m.Rank > 0:
		found = []planned{slices.MinFunc(found, planned.compareDue)}
	case len(found) > 1 && m.Rank < 0:
		found = []planned{slices.MaxFunc(found, func(a, b planned) int { return cmp.Compare(a.Due, b.Due) })}
	case len(found) > 1 && !every:
		return selection{question: say("plan.which", args{"kind": kind, "plans": alikeApart(found)}), several: found}
	}
	out := selection{plans: found}
	if m.Period != "" {
		out.window, out.during = m.Window, cmp.Or(strings.TrimSpace(n.During), m.Window.Said)
	}
	return out
}

// nameless are all plans with a word that is all of one's name and a part of others', where the one is to go: it names
// none of them.
func (m meant) nameless(n naming, found, candidates []planned) []planned {
	if !n.ends || len(m.Said) != 1 || len(found) != 1 || len(bynames.TellingWords(found[0].text)) != 1 {
		return found
	}
	if all := bynames.Partly(m.Said, candidates); len(all) > 1 {
		return all
	}
	return found
}

// noneThen says that there is no plan in the period, or none that comes back so.
func (m meant) noneThen(kind speech.Kind, call tool.SkillCall) speech.Message {
	if m.Comes != nil {
		return say("plan.none_returning", args{"kind": kind, "period": m.then(call)})
	}
	return say("plan.none_such", args{"kind": kind, "period": m.then(call)})
}

// then is the period of a naming; nil where none was said.
func (m meant) then(call tool.SkillCall) speech.Value { return periodSaid(m.Period, call) }

// calledSo is, of several plans at a time on a day of which one is meant, the one that is called so
// and no more.
func (m meant) calledSo(which string, every bool, found []planned) []planned {
	if every || !m.Window.HasDay() || m.Window.IsPeriod() {
		return found
	}
	if called := only(found, func(p planned) bool { return strings.EqualFold(p.text, which) }); len(called) == 1 {
		return called
	}
	return found
}

// inWindow is one plan at its time in a period that may be given.
func inWindow(during string, one planned, call tool.SkillCall) selection {
	if strings.TrimSpace(during) == "" {
		return selection{plans: []planned{one}}
	}
	then, err := bynames.During(during, call.Now, call.Zone)
	if err != nil {
		return selection{wrong: err}
	}
	found := within([]planned{one}, then.Window, call)
	if later, ok := then.WeekLater(call.Now, call.Zone); ok && len(found) == 0 {
		then = later
		found = within([]planned{one}, then.Window, call)
	}
	if len(found) == 0 {
		not := args{"what": one.its(), "period": periodSaid(during, call)}
		if one.recurrence != nil {
			not["again"] = one.returns()
		}
		return selection{none: say("plan.not_then", not)}
	}
	return selection{plans: found, window: then.Window, during: during}
}

// compareDue orders plans by when they are due, those without a time last.
func (p planned) compareDue(o planned) int {
	return cmp.Or(-cmp.Compare(min(p.Due, 1), min(o.Due, 1)), cmp.Compare(p.Due, o.Due))
}

// confirming asks before several plans are changed at once; false when there is nothing to ask.
func (r request) confirming(found selection) (tool.SkillDone, bool, error) {
	plans := found.plans
	if r.Confirmed || len(plans) < 2 && len(found.stays) == 0 {
		return tool.SkillDone{}, false, nil
	}
	noun := nounOf(speech.Kind(r.kind), plans)
	all := args{"n": speech.Count(len(plans)), "kind": noun, "plans": withTimes(plans, maxNamed)}
	says := []speech.Message{say("plans.sure", all, args{"deed": deedOf(r.kind, r.verb)})}
	done, err := askAll(append(append(says, found.stays...), say("say_yes")), yes(), no())
	done, err = mentioning(done, err, plans)
	return done, true, err
}

// nounOf is alarm where all of the plans are alarms.
func nounOf(noun speech.Kind, found []planned) speech.Kind {
	if noun == "reminder" && !slices.ContainsFunc(found, func(p planned) bool { return !p.isAlarm() }) {
		return "alarm"
	}
	return noun
}
