package skill

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/concern"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// Concerns checks what others say against the person's plans. It changes nothing: what follows is
// offered by buttons of Chalie's own, and said of the plans and of the time that was read.
type Concerns struct{ s *skills }

// NewConcerns makes it over what the skills know.
func NewConcerns(cfg Config) (*Concerns, error) {
	if err := commands.Complete("configure concerns", cfg); err != nil {
		return nil, err
	}
	return &Concerns{&skills{cfg}}, nil
}

// Bounds of what is read and offered.
const (
	maxConcernBytes = 2 << 10
	maxConcerned    = 3 // plans that it may be about
)

// Of is what a message means for the plans: which plan it is about, what else is at that time, and a
// row of buttons for what follows, whose labels are said, too; and as evidence the plans that it names. of is the
// plan that it is known to be about, and is zero where that is still to be found. Where several may
// be meant it asks, and the buttons are the answers. Nothing is said when it is about none, and
// of one that is known when nothing follows.
func (c *Concerns) Of(ctx context.Context, m concern.Message, of domain.ID) ([]speech.Said, []domain.Block, []domain.Evidence, error) {
	call := tool.SkillCall{Now: m.At, Zone: m.Zone}
	all, _, err := c.s.open(ctx, "")
	if err == nil {
		all, err = c.s.timed(ctx, all)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	all = slices.DeleteFunc(all, func(p planned) bool {
		return p.Kind != domain.ItemAppointment && p.Kind != domain.ItemReminder || max(p.Due, p.End) <= m.At || p.text == commands.ErasedText || p.isAlarm() || p.isTimer()
	})
	m.Text = domain.Cut(m.Text, maxConcernBytes)
	says := concern.Read(m)
	found, sure := all, true
	if of.IsZero() {
		found, sure = concerned(all, says, m)
	}
	out := consequence{call: call, all: all, sure: sure, known: !of.IsZero()}
	for _, p := range found {
		if of.IsZero() || p.ID == of {
			out.add(p, says)
		}
	}
	if !sure && !says.Cancelled { // one that is at that time already isn't what moves
		out.ones = slices.DeleteFunc(out.ones, func(one concernedPlan) bool {
			return one.to.Start == 0 && (len(says.Whens) > 0 || len(found) > 1)
		})
	}
	if len(out.ones) == 0 || len(out.ones) > maxConcerned {
		return nil, nil, nil, nil
	}
	said, buttons, evidence := out.told(says)
	return said, buttons, evidence, nil
}

// concerned are the plans that a message may mean, and whether that is sure.
func concerned(all []planned, says concern.Said, m concern.Message) ([]planned, bool) {
	plans := make([]concern.Plan, len(all))
	for i, p := range all {
		plans[i] = p.concerned()
	}
	which, sure := says.Among(plans, m)
	out := make([]planned, len(which))
	for i, at := range which {
		out[i] = all[at]
	}
	return out, sure
}

// concerned is a plan as a message may mean it.
func (p planned) concerned() concern.Plan {
	return concern.Plan{Text: p.text, Place: p.appointment.Place, People: p.appointment.People, Kind: p.Kind, Start: p.Due, End: p.End, AllDay: p.AllDay}
}

// untold says of appointments that are cancelled whose tools cancel such a thing, too, and weren't called;
// none for nobody's.
func (s *skills) untold(ctx context.Context, plans []planned) []speech.Message {
	if s.cfg.Registry == nil {
		return nil
	}
	var names speech.List
	commands.Asked(ctx, s.cfg.Registry)
	s.cfg.Registry.Read(func(r *domain.Registry) {
		for _, o := range r.Offers() {
			where, kept := "", false
			for _, p := range plans {
				if at, is := p.concerned().KeptBy(o); is {
					where, kept = at, true
				}
			}
			if !kept || len(names) == maxConcerned {
				continue
			}
			theirs := domain.InterfaceWords(o.Interface.ID)
			one := args{"tool": speech.Text{Words: o.Name, Theirs: theirs}, "interface": speech.Text{Words: domain.Cut(o.Interface.Name, maxAboutBytes), Theirs: theirs}}
			if where != "" {
				one["where"] = theirOwn(where)
			}
			names = append(names, say("tool.named", one))
		}
	})
	if len(names) == 0 {
		return nil
	}
	return []speech.Message{say("stays.with_tools", args{"tools": names})}
}

// consequence is what a message means for plans, in the making.
type consequence struct {
	call  tool.SkillCall
	all   []planned
	sure  bool
	known bool
	ones  []concernedPlan
}

// concernedPlan is one of them, with its new time.
type concernedPlan struct {
	planned
	to    domain.Appointment // Start is 0 when there is none
	other []planned          // what else is then
}

func (c *consequence) add(p planned, says concern.Said) {
	one := concernedPlan{planned: p}
	was := p.appointment
	was.Start, was.End, was.AllDay, was.Recurrence = p.Due, max(p.Due, p.End), p.AllDay, nil
	one.to = says.Moved(was, c.call.Now, c.call.Zone)
	if one.to.Start != 0 {
		was = one.to
	}
	window := when.Window{From: was.Start, To: max(was.End, was.Start+1)}
	if !was.AllDay {
		one.other = slices.DeleteFunc(fitting(c.all, window, c.call), func(o planned) bool { return o.ID == p.ID || o.AllDay })
	}
	c.ones = append(c.ones, one)
}

// told are the sentences and their buttons. Of a plan that is known there is none without a change.
func (c *consequence) told(says concern.Said) ([]speech.Said, []domain.Block, []domain.Evidence) {
	moved := slices.ContainsFunc(c.ones, func(one concernedPlan) bool { return one.to.Start != 0 })
	if c.known && !moved && !says.Cancelled {
		return nil, nil, nil
	}
	var plans, also speech.List
	var evidence []domain.Evidence
	for _, one := range c.ones {
		plans = append(plans, say("concern.plan", args{"kind": speech.Kind(one.Kind)}, c.timed(one.planned)))
		evidence = append(evidence, domain.Evidence{EnvelopeID: one.ID, Role: "planned", Weight: domain.One})
	}
	for i, one := range c.ones {
		if i > 0 && one.to.Start == c.ones[0].to.Start {
			continue // the same is then
		}
		then, named := c.also(one)
		if !then.IsZero() {
			also = append(also, then)
		}
		evidence = append(evidence, named...)
	}
	with := args{"also": orNone(also)}
	sure := how("sure")
	if !c.sure {
		sure = how("maybe")
	}
	about := say("concern.about", with, sure, args{"plan": plans[0]})
	if len(plans) > 1 {
		about = say("concern.which", with, args{"plans": plans})
	}
	note := speech.Said{As: speech.Noted, Says: []speech.Message{about}}
	if moved || says.Cancelled {
		note.Says = append(note.Says, say("concern.unchanged"))
	}
	buttons, labels := c.buttons(says)
	return append([]speech.Said{note}, each(speech.Label, labels...)...), buttons, evidence
}

// timed are the words of a plan and its time.
func (c *consequence) timed(p planned) args {
	out := c.at(p.Kind, domain.Appointment{Start: p.Due, End: p.End, AllDay: p.AllDay})
	out["what"] = quotedName(p)
	return out
}

// at is when a plan of a kind is.
func (c *consequence) at(kind domain.ItemKind, t domain.Appointment) args {
	if kind.TakesPlace() {
		return args{"span": spanOf(t, c.call)}
	}
	return args{"due": moment(t.Start, c.call)}
}

// quotedName is a plan's text as it stands between quotation marks, which it can't leave.
func quotedName(p planned) speech.Text {
	const most = 120
	text := p.its()
	text.Words = marksOut.Replace(onOneLine(text.Words, most))
	return text
}

// also is what else is at the time of a plan, the new one where it has one; nothing when that is at no new time.
func (c *consequence) also(one concernedPlan) (speech.Message, []domain.Evidence) {
	at := c.at(one.Kind, one.to)
	switch {
	case len(one.other) == 0 && one.to.Start == 0:
		return speech.Message{}, nil
	case len(one.other) == 0:
		return say("concern.free_new", at), nil
	}
	var others speech.List
	var evidence []domain.Evidence
	for _, o := range one.other[:min(len(one.other), maxConcerned)] {
		others = append(others, say("concern.then", c.timed(o)))
		evidence = append(evidence, domain.Evidence{EnvelopeID: o.ID, Role: "planned", Weight: domain.One / 2})
	}
	if more := len(one.other) - maxConcerned; more > 0 {
		others = append(others, say("more", args{"n": speech.Count(more)}))
	}
	if one.to.Start == 0 {
		return say("concern.also", args{"others": others}), evidence
	}
	return say("concern.also_new", at, args{"others": others}), evidence
}

// buttons offer what follows, and to leave it. Their labels are values.
func (c *consequence) buttons(says concern.Said) (row []domain.Block, labels []speech.Message) {
	var out []domain.Button
	offer := func(kind domain.ItemKind, params map[string]any, label speech.Message) {
		out, labels = append(out, domain.Button{Skill: string(kind), Params: params}), append(labels, label)
	}
	for _, one := range c.ones {
		it := args{"one": speech.Kind("it")}
		if len(c.ones) > 1 {
			it = args{"what": quotedName(one.planned)}
		}
		switch {
		case says.Cancelled && one.recurrence != nil:
			offer(one.Kind, map[string]any{"action": "skip", "which": one.ID.UUID()}, say("label.leave_out", it))
		case says.Cancelled:
			offer(one.Kind, map[string]any{"action": "cancel", "which": one.ID.UUID()}, say("label.take_out", it))
		case one.to.Start != 0:
			moment, layout := speech.Time{At: one.to.Start, Zone: c.call.Zone.String()}, "on 2 January 2006 at 15:04"
			if one.to.AllDay {
				moment.Grain, layout = speech.Day, "on 2 January 2006"
			}
			to := one.to.Start.Time().In(c.call.Zone).Format(layout)
			offer(one.Kind, map[string]any{"action": "move", "which": one.ID.UUID(), "when": to}, say("label.move", it, args{"to": moment}))
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	offer(domain.ItemKind(out[0].Skill), map[string]any{declinedName: true}, say("label.word", args{"on": speech.Kind("leave")}))
	return []domain.Block{domain.ActionsBlock(out...)}, labels
}
