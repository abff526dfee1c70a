package skill

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/concern"
	"chalie/domain/language/speech"
	"chalie/domain/language/when"
)

// Concerns checks what others say against the person's plans. It changes nothing: what follows is
// offered by buttons of Chalie's own, in words made of the plans and of the time that was read.
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

// Of is what a message means for the plans: in Chalie's own words which plan it is about, what else
// is at that time, and buttons for what follows; and as evidence the plans that it names. of is the
// plan that it is known to be about, and is zero where that is still to be found. Where several may
// be meant it asks, and the buttons are the answers. There are no blocks when it is about none, and
// of one that is known when nothing follows.
func (c *Concerns) Of(ctx context.Context, m concern.Message, of domain.ID) ([]domain.Block, []domain.Evidence, error) {
	call := tool.SkillCall{Now: m.At, Zone: m.Zone}
	all, _, err := c.s.open(ctx, "")
	if err == nil {
		all, err = c.s.timed(ctx, all)
	}
	if err != nil {
		return nil, nil, err
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
		return nil, nil, nil
	}
	blocks, evidence := out.told(says)
	return blocks, evidence, nil
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
	for _, said := range says.Whens {
		if says.Cancelled {
			break
		}
		day, clock := when.Parts(said, c.call.Now, c.call.Zone)
		_, shift := shifted(said, was.Start, c.call.Zone)
		if !day && !clock && !shift {
			continue
		}
		to, err := movedTo(was, when.Look(said, c.call.Now, c.call.Zone), "", c.call)
		if err == nil && to.Start > c.call.Now && to.Recurrence == nil && to.AllDay == was.AllDay {
			if to.Start != was.Start {
				one.to = to
			}
			break
		}
	}
	window := when.Window{From: was.Start, To: max(was.End, was.Start+1)}
	if one.to.Start != 0 {
		window = when.Window{From: one.to.Start, To: max(one.to.End, one.to.Start+1)}
	}
	if !was.AllDay {
		one.other = slices.DeleteFunc(fitting(c.all, window, c.call), func(o planned) bool { return o.ID == p.ID || o.AllDay })
	}
	c.ones = append(c.ones, one)
}

// told is the sentence and its buttons. Of a plan that is known there is none without a change.
func (c *consequence) told(says concern.Said) ([]domain.Block, []domain.Evidence) {
	moved := slices.ContainsFunc(c.ones, func(one concernedPlan) bool { return one.to.Start != 0 })
	if c.known && !moved && !says.Cancelled {
		return nil, nil
	}
	var text string
	var evidence []domain.Evidence
	for i, one := range c.ones {
		switch {
		case i > 0:
			text += ", or " + c.named(one.planned)
		case len(c.ones) > 1:
			text = "Which of your plans is this about: " + c.named(one.planned)
		case c.sure:
			text = "This is about " + c.named(one.planned)
		default:
			text = "This may be about " + c.named(one.planned)
		}
		evidence = append(evidence, domain.Evidence{EnvelopeID: one.ID, Role: "planned", Weight: domain.One})
	}
	for i, one := range c.ones {
		if i > 0 && one.to.Start == c.ones[0].to.Start {
			continue // the same is then
		}
		then, named := c.also(one)
		text += then
		evidence = append(evidence, named...)
	}
	if len(c.ones) > 1 {
		text += "?"
	} else {
		text += "."
	}
	if moved || says.Cancelled {
		text += " In your plans nothing is changed."
	}
	blocks := []domain.Block{domain.AlertBlock(text, domain.VariantInfo)}
	if buttons := c.buttons(says); len(buttons) > 0 {
		blocks = append(blocks, domain.ActionsBlock(buttons...))
	}
	return blocks, evidence
}

// named is a plan with its time.
func (c *consequence) named(p planned) string {
	kind := "appointment"
	if p.Kind == domain.ItemReminder {
		kind = "reminder"
	}
	return "your " + kind + " " + quotedPlan(p.text) + ", " + c.at(p)
}

// at is when a plan is.
func (c *consequence) at(p planned) string {
	if p.Kind == domain.ItemReminder {
		return when.Say(p.Due, c.call.Now, c.call.Zone)
	}
	return when.SaySpan(p.Due, p.End, p.AllDay, c.call.Now, c.call.Zone)
}

// quotedPlan is a plan's text between quotation marks.
func quotedPlan(text string) string {
	const most = 120
	return "“" + strings.NewReplacer("“", `"`, "”", `"`).Replace(domain.Cut(strings.Join(strings.Fields(text), " "), most)) + "”"
}

// also is what else is at the time of a plan, the new one where it has one.
func (c *consequence) also(one concernedPlan) (string, []domain.Evidence) {
	lead := "; at that time you also have "
	if one.to.Start != 0 {
		lead = "; at the new time, " + c.at(planned{Commitment: domain.Commitment{Kind: one.Kind, Due: one.to.Start, End: one.to.End, AllDay: one.to.AllDay}}) + ", you also have "
	}
	if len(one.other) == 0 {
		if one.to.Start == 0 {
			return "", nil
		}
		return strings.TrimSuffix(lead, "also have ") + "have nothing else", nil
	}
	var names []string
	var evidence []domain.Evidence
	for _, o := range one.other[:min(len(one.other), maxConcerned)] {
		names = append(names, quotedPlan(o.text)+", "+c.at(o))
		evidence = append(evidence, domain.Evidence{EnvelopeID: o.ID, Role: "planned", Weight: domain.One / 2})
	}
	if more := len(one.other) - maxConcerned; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return lead + strings.Join(names, "; and "), evidence
}

// buttons offer what follows, and to leave it.
func (c *consequence) buttons(says concern.Said) []domain.Button {
	var out []domain.Button
	for _, one := range c.ones {
		skill := string(one.Kind)
		it := "it"
		if len(c.ones) > 1 {
			it = quotedPlan(one.text)
		}
		switch {
		case says.Cancelled && one.recurrence != nil:
			out = append(out, domain.Button{Label: "Leave " + it + " out this time", Skill: skill, Params: map[string]any{"action": "skip", "which": one.ID.UUID()}})
		case says.Cancelled:
			out = append(out, domain.Button{Label: "Take " + it + " out of my plans", Skill: skill, Params: map[string]any{"action": "cancel", "which": one.ID.UUID()}})
		case one.to.Start != 0:
			at := one.to.Start.Time().In(c.call.Zone)
			to, moment := at.Format("on 2 January 2006 at 15:04"), when.Say(one.to.Start, c.call.Now, c.call.Zone)
			if one.to.AllDay {
				to, moment = at.Format("on 2 January 2006"), when.SaySpan(one.to.Start, one.to.End, true, c.call.Now, c.call.Zone)
			}
			out = append(out, domain.Button{Label: "Move " + it + " to " + strings.TrimPrefix(moment, "on ") + " in my plans", Skill: skill, Params: map[string]any{"action": "move", "which": one.ID.UUID(), "when": to}})
		}
	}
	if len(out) > 0 {
		out = append(out, domain.Button{Label: "Leave it", Skill: out[0].Skill, Params: map[string]any{declinedName: true}})
	}
	return out
}
