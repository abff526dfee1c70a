package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"

	"chalie/cmd/internal/dialogue"
	"chalie/cmd/internal/inmemory"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
	"chalie/replay/player"
)

// stage is a Chalie to which one dialogue is said.
type stage struct {
	*inmemory.Chalie
	of      dialogue.Dialogue
	begins  time.Time       // the first turn
	read    domain.Position // the log is read up to here
	offered []offer         // buttons so far, the latest last
	called  []dialogue.Call // by a turn
}

// offer is a button, or a yes or no to a proposal.
type offer struct {
	domain.Pressable
	of         domain.ID // the exchange
	proposal   domain.ID // none of a button
	invocation domain.ID // of the proposal
	yes        bool
}

// The buttons of a proposal, with what else people call them.
const (
	approve = "Approve, yes, ja, oui, sí"
	refuse  = "Refuse, no, nein, non"
)

// How time passes.
const (
	eachSetup = time.Second      // after a sentence of setup
	eachTurn  = time.Minute      // from one turn to the next
	eachNews  = 30 * time.Second // for what a program tells to be thought of
)

// opens starts a Chalie at the dialogue's time, with its tools and what was said before. It
// returns what came of that, too.
func opens(ctx context.Context, d dialogue.Dialogue) (s *stage, before []dialogue.Happened, err error) {
	s = &stage{of: d}
	if s.Chalie, err = inmemory.New(ctx, inmemory.Config{At: d.Begins, Zone: d.Zone, Build: "understand", Outside: standIns{stage: s}}); err != nil {
		return nil, nil, err
	}
	if len(d.Tools) > 0 {
		tools, err := toolsOf(d.Tools)
		if err == nil {
			err = s.Pair(ctx, "house", tools)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	for _, text := range d.Setup {
		came, err := s.turn(ctx, dialogue.Turn{Say: text})
		if yesNo := len(came.Offers) == 2; err == nil && yesNo && len(came.Changes) == 0 { // it was understood, so it is meant
			came, err = s.turn(ctx, dialogue.Turn{Press: came.Offers[0]})
		}
		if err != nil {
			return nil, nil, fmt.Errorf("setup %q: %w", text, err)
		}
		before = append(before, came)
		if err := s.Until(ctx, s.Clock.Now().Add(eachSetup)); err != nil {
			return nil, nil, err
		}
	}
	s.begins = s.Clock.Now()
	return s, before, nil
}

// plays lets the nth turn happen, at its time.
func (s *stage) plays(ctx context.Context, n int) (dialogue.Happened, error) {
	if err := s.Until(ctx, s.begins.Add(time.Duration(n)*eachTurn)); err != nil {
		return dialogue.Happened{}, err
	}
	return s.turn(ctx, s.of.Turns[n])
}

// turn lets something happen, until everything has its answer or waits for the person.
func (s *stage) turn(ctx context.Context, t dialogue.Turn) (came dialogue.Happened, err error) {
	if _, err := s.reads(ctx); err != nil { // what was told meanwhile has buttons, too
		return came, err
	}
	s.called = nil
	switch {
	case t.Say != "":
		_, err = s.Say(ctx, inmemory.Person(), domain.MessageReceived{
			Text: t.Say, Source: domain.SaidInText, ImageIDs: []domain.ID{}, Conversation: domain.ConversationName{Session: t.In}, Zone: s.of.Zone,
		})
	case t.Press != "":
		err = s.presses(ctx, t.Press)
	case t.Message != nil:
		name := t.Message.Program()
		_, err = s.Say(ctx, inmemory.Program(name), domain.MessageReceived{
			Text: t.Message.Text, Source: name, Topic: t.Message.Topic, Metadata: t.Message.Metadata, ImageIDs: []domain.ID{},
		})
	case t.Signal != nil:
		name := t.Signal.Program()
		heard := domain.SignalReceived{
			SignalType: cmp.Or(t.Signal.SignalType, "news"), Source: name, Content: t.Signal.Content, Topic: t.Signal.Topic, Metadata: t.Signal.Metadata,
		}
		if t.Signal.Energy != nil {
			heard.ActivationEnergy = *t.Signal.Energy
		}
		_, err = s.Hear(ctx, inmemory.Program(name), heard)
	}
	if err == nil && (t.Message != nil || t.Signal != nil) {
		err = s.Until(ctx, s.Clock.Now().Add(eachNews))
	}
	if err != nil {
		return came, err
	}
	came, err = s.reads(ctx)
	came.Called = s.called
	return came, err
}

// presses takes the latest button that has the words. Where none has, nothing is pressed.
func (s *stage) presses(ctx context.Context, label string) error {
	for _, o := range slices.Backward(s.offered) {
		if !dialogue.Has(o.Label, label) {
			continue
		}
		if !o.proposal.IsZero() {
			return s.Decide(ctx, o.proposal, o.yes)
		}
		payload, err := json.Marshal(o.Payload)
		if err != nil {
			return err
		}
		skill, _ := o.Payload["skill"].(string)
		_, err = s.Press(ctx, domain.ActionReceived{Skill: skill, Payload: payload, Label: o.Label, Zone: s.of.Zone}, o.of)
		return err
	}
	return nil
}

// reads goes on in the log, and tells what came of what happened.
func (s *stage) reads(ctx context.Context) (came dialogue.Happened, err error) {
	var told []string
	err = s.Each(ctx, s.read+1, func(rec domain.Record) error {
		s.read = rec.Position
		s.forget(rec.Envelope)
		if err := see(rec, &came); err != nil {
			return err
		}
		frames, err := domain.Frames(rec, func(id domain.ID) (domain.Envelope, error) { return s.Find(ctx, id) })
		if err != nil {
			return err
		}
		for _, f := range frames {
			switch f.Type {
			case domain.FrameMessage, domain.FrameNotification, domain.FrameEscalation:
				came.Answered = true
				told = append(told, s.shown(f, &came))
			case domain.FrameError:
				told = append(told, f.Message)
			}
		}
		return nil
	})
	came.Text = strings.Join(told, "\n")
	return came, err
}

// forget takes away the buttons of a proposal that is decided.
func (s *stage) forget(e domain.Envelope) {
	switch e.Type {
	case domain.ApprovalGrantedType, domain.ApprovalRefusedType, domain.ApprovalExpiredType:
		if of, ok := domain.InvocationOf(e); ok {
			s.offered = slices.DeleteFunc(s.offered, func(o offer) bool { return o.invocation == of })
		}
	}
}

// shown is what a frame tells, and notes what it offers.
func (s *stage) shown(f domain.Frame, came *dialogue.Happened) string {
	if f.Proposal != nil {
		came.Waits = true
		no := offer{Pressable: domain.Pressable{Label: refuse}, proposal: f.Proposal.Proposal, invocation: f.Proposal.InvocationID}
		yes := no
		yes.Label, yes.yes = approve, true
		s.offered = append(s.offered, no, yes)
		return "May I do this: " + f.Proposal.Summary + "?"
	}
	for _, b := range domain.PressablesIn(f.Blocks) {
		s.offered = append(s.offered, offer{Pressable: b, of: f.ExchangeID})
		came.Offers = append(came.Offers, b.Label)
	}
	return domain.PlainText(f.Blocks)
}

// see notes what a record says of what came of a turn.
func see(rec domain.Record, came *dialogue.Happened) error {
	e := rec.Envelope
	switch e.Type {
	case domain.ModelRepliedType:
		reply, err := domain.Decode[domain.ModelReplied](e)
		came.Unsure = reply.Confidence < domain.One || language.IsUnclear(speech.Recorded(reply.Spoken))
		return err
	case domain.ToolCompletedType:
		end, err := domain.Decode[domain.ToolCompleted](e)
		came.Did = came.Did || end.Error == nil
		return err
	case domain.NoticeDismissedType, domain.AppointmentPassedType:
		return nil // nobody changed anything by it
	case domain.SettingsChangedType:
		came.Changes = append(came.Changes, string(e.Type))
	}
	switch rec.Topic {
	case domain.TopicCommitments, domain.TopicMemory, domain.TopicPolicy:
		came.Changes = append(came.Changes, string(e.Type))
	}
	return nil
}

// planned is what the person has planned now.
func (s *stage) planned(ctx context.Context) (out dialogue.Planned, err error) {
	var open []domain.Commitment
	var lists []domain.Listing
	var memories []domain.ID
	s.Box.Plans.Read(func(p *domain.Plans) { open, lists = p.Commitments.List(), slices.Clone(p.Lists.All) })
	s.Box.Memory.Read(func(m *domain.Memories) { memories = slices.Clone(m.All) })
	for _, c := range open {
		one, err := s.plan(ctx, c)
		if err != nil {
			return out, err
		}
		out.Plans = append(out.Plans, one)
	}
	for _, l := range lists {
		name, err := s.texts(ctx, l.ID)
		if err != nil {
			return out, err
		}
		items, err := s.texts(ctx, l.Items...)
		if err != nil {
			return out, err
		}
		out.Lists = append(out.Lists, dialogue.List{Name: name[0], Items: items})
	}
	out.Memories, err = s.texts(ctx, memories...)
	return out, err
}

func (s *stage) plan(ctx context.Context, c domain.Commitment) (out dialogue.Plan, err error) {
	text, err := s.texts(ctx, c.TextID)
	if err != nil {
		return out, err
	}
	out = dialogue.Plan{Kind: string(c.Kind), Text: text[0], At: s.local(c.Due), Until: s.local(c.End)}
	e, err := s.Find(ctx, c.Timing)
	if err != nil {
		return out, err
	}
	said, err := domain.SaidOf(e)
	if err == nil && said.Time.Recurrence != nil {
		out.First = s.local(said.Time.Recurrence.Start)
		out.Rule, err = rrule.StrToROption(said.Time.Recurrence.Rule)
	}
	out.Along = strings.Join(append(slices.Clone(said.Time.People), said.Time.Place), " ")
	return out, err
}

// local is a moment where the person is; the zero time for none.
func (s *stage) local(at domain.Millis) time.Time {
	if at == 0 {
		return time.Time{}
	}
	return at.Time().In(s.of.Place)
}

// texts are what plans or memories say, by the envelopes with their words.
func (s *stage) texts(ctx context.Context, ids ...domain.ID) ([]string, error) {
	out := make([]string, len(ids))
	for i, id := range ids {
		e, err := s.Find(ctx, id)
		if err == nil {
			out[i], err = domain.PlanText(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// toolsOf are tools as Chalie knows them. Those that destroy ask for approval.
func toolsOf(listed []dialogue.Tool) ([]domain.Tool, error) {
	out := make([]domain.Tool, len(listed))
	for i, l := range listed {
		params, ok := domain.ParametersOf(l.InputSchema)
		if !ok {
			return nil, fmt.Errorf("the inputSchema of %s is none of an object", l.Name)
		}
		changes := !l.Annotations.ReadOnlyHint
		out[i] = domain.Tool{
			Name: l.Name, Description: l.Description, Documentation: l.Title, Parameters: params, Schema: l.InputSchema,
			SideEffects: &changes, RequiresApproval: l.Annotations.DestructiveHint,
		}
	}
	return out, nil
}

// standIns answer for the dialogue's tools.
type standIns struct {
	inmemory.Nothing
	stage *stage
}

// Answer implements player.Effects.
func (o standIns) Answer(_ context.Context, act player.Act, asked player.Outgoing) (domain.Envelope, error) {
	made := dialogue.Call{Tool: asked.Tool}
	if err := json.Unmarshal(asked.Params, &made.Params); err != nil {
		return domain.Envelope{}, err
	}
	o.stage.called = append(o.stage.called, made)
	done := "done"
	end, err := domain.New(domain.Begin(act.Trace, domain.PrincipalCore), asked.Invocation, domain.MillisOf(o.stage.Clock.Now()), "house",
		domain.ToolCompleted{InvocationID: asked.Invocation, Text: &done, Data: json.RawMessage("null"), Blocks: []domain.Block{}})
	return end.Envelope, err
}
