package message_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/domain"
	"chalie/domain/language"
)

func TestSay(t *testing.T) {
	for _, c := range []struct {
		name      string
		caller    commands.Caller
		source    string
		principal domain.Principal
		emitter   domain.Source
		want      string
	}{
		{"the person", commandstest.Ada, domain.SaidByVoice, "operator", "api", "voice"},
		{"the person, who doesn't say how", commandstest.Ada, "", "operator", "api", "operator"},
		{"an interface", commandstest.Station, "", commandstest.Station.Principal, "station", "station"},
		{"an interface that names the origin", commandstest.Station, "ward B", commandstest.Station.Principal, "station", "ward B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			id, err := s.Messages.Say(t.Context(), c.caller, domain.MessageReceived{Text: "hi", Source: c.source})
			if err != nil {
				t.Fatal(err)
			}
			rec := s.Find(id)
			e := rec.Envelope
			if rec.Topic != domain.TopicMessages || e.Type != "message.received" || e.Trace.ID != id || !e.Parent.IsZero() || len(e.Keys) != 0 {
				t.Errorf("the record is %+v", rec)
			}
			if e.Principal != c.principal || e.Source != c.emitter || e.Timestamp != domain.MillisOf(s.Clock.Now()) {
				t.Errorf("the envelope is %+v", e)
			}
			if got := commandstest.Decoded[domain.MessageReceived](t, rec); got.Text != "hi" || got.Source != c.want || got.ImageIDs == nil {
				t.Errorf("the payload is %+v", got)
			}
		})
	}
}

func TestSayWithImages(t *testing.T) {
	s := commandstest.NewStage(t)
	var images []domain.ID
	for range domain.MaxImagesPerMessage + 1 {
		images = append(images, s.Upload().Envelope.ID)
	}
	rec := s.Say(commandstest.Ada, "no image")
	for _, c := range []struct {
		name   string
		images []domain.ID
		says   string // "" for accepted
	}{
		{"three", images[:3], ""},
		{"four", images, "4 images, the bound is 3"},
		{"one twice", []domain.ID{images[0], images[0]}, "twice"},
		{"one that was never uploaded", []domain.ID{images[0], {15: 77}}, "upload it first"},
		{"what is no image", []domain.ID{rec.Envelope.ID}, "upload it first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tail := s.Log.Tail()
			id, err := s.Messages.Say(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "look", ImageIDs: c.images})
			if c.says == "" {
				if err != nil || !reflect.DeepEqual(commandstest.Decoded[domain.MessageReceived](t, s.Find(id)).ImageIDs, c.images) {
					t.Errorf("refused: %v", err)
				}
				return
			}
			wantField(t, err, "image_ids", c.says)
			if s.Log.Tail() != tail {
				t.Error("it was recorded all the same")
			}
		})
	}
}

// wantField expects a validation error that names the field and says a text.
func wantField(t *testing.T, err error, field, says string) {
	t.Helper()
	commandstest.Refused(t, err, domain.Validation, "invalid")
	if e, ok := errors.AsType[*domain.Error](err); !ok || e.Field != field || !strings.Contains(e.Message, says) {
		t.Errorf("the error is %v, want one about %q that says %q", err, field, says)
	}
}

func TestSayRefuses(t *testing.T) {
	for _, c := range []struct {
		name, field, says string
		msg               domain.MessageReceived
	}{
		{"nothing said", "text", "required", domain.MessageReceived{Text: " "}},
		{"metadata that is a list", "metadata", "object", domain.MessageReceived{Text: "hi", Metadata: []byte("[]")}},
		{"over the stored bound", "", "bytes when stored", domain.MessageReceived{
			Text: strings.Repeat("\x01", domain.MaxTextBytes), Metadata: []byte(`{"x":"` + strings.Repeat("y", domain.MaxMetadataBytes-20) + `"}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := commandstest.NewStage(t)
			_, err := s.Messages.Say(t.Context(), commandstest.Ada, c.msg)
			wantField(t, err, c.field, c.says)
			_, err = s.Messages.SayOnce(t.Context(), commandstest.Ada, c.msg, said("k", "body"), commandstest.AnswerID)
			wantField(t, err, c.field, c.says)
			s.Count(domain.TopicAll, 0)
		})
	}
}

func said(key, body string) commands.Request {
	return commands.Request{Route: "POST /api/messages", Key: key, BodyHash: commands.BodyHash([]byte(body))}
}

func TestSayOnce(t *testing.T) {
	s := commandstest.NewStage(t)
	msg := domain.MessageReceived{Text: "hi"}
	first, err := s.Messages.SayOnce(t.Context(), commandstest.Station, msg, said("k", "body"), commandstest.AnswerID)
	if err != nil || first.Repeated || first.Status != 202 {
		t.Fatalf("answered %+v, %v", first, err)
	}
	s.Clock.Advance(23 * time.Hour)
	for _, m := range []*message.Messages{s.Messages, newStageOn(s).Messages} { // over a restart too
		again, err := m.SayOnce(t.Context(), commandstest.Station, msg, said("k", "body"), commandstest.AnswerID)
		if err != nil || !again.Repeated || again.Status != first.Status || !bytes.Equal(again.Body, first.Body) {
			t.Errorf("answered %+v, %v; first %+v", again, err, first)
		}
	}
	_, err = s.Messages.SayOnce(t.Context(), commandstest.Station, msg, said("k", "other"), commandstest.AnswerID)
	commandstest.Refused(t, err, domain.Conflict, "key_reused")
	if other, err := s.Messages.SayOnce(t.Context(), commandstest.Ada, msg, said("k", "body"), commandstest.AnswerID); err != nil || other.Repeated {
		t.Errorf("another caller is answered %+v, %v", other, err)
	}
	s.Count(domain.TopicMessages, 2)
	s.Count(domain.TopicRequests, 2)
	s.Clock.Advance(2 * time.Hour)
	if later, err := s.Messages.SayOnce(t.Context(), commandstest.Station, msg, said("k", "other"), commandstest.AnswerID); err != nil || later.Repeated {
		t.Errorf("after a day: answered %+v, %v", later, err)
	}
}

// newStageOn is another process over the same log.
func newStageOn(s *commandstest.Stage) *commandstest.Stage {
	again := *s
	var err error
	again.Messages, err = message.New(message.Config{
		Env: s.Env(), Conversation: s.Mind, Applied: s.Mind,
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return &again
}

func TestSayOnceRaces(t *testing.T) {
	s := commandstest.NewStage(t)
	other := newStageOn(s)
	var running sync.WaitGroup
	answers := make([]commands.Answer, 8)
	for i := range answers {
		m := s.Messages
		if i%2 == 0 {
			m = other.Messages
		}
		running.Go(func() {
			var err error
			answers[i], err = m.SayOnce(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "hi"}, said("k", "body"), commandstest.AnswerID)
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	s.Count(domain.TopicMessages, 1)
	first := 0
	for _, a := range answers {
		if !bytes.Equal(a.Body, answers[0].Body) {
			t.Errorf("answered %s and %s", a.Body, answers[0].Body)
		}
		if !a.Repeated {
			first++
		}
	}
	if first != 1 {
		t.Errorf("%d of them were the first", first)
	}
}

func TestAct(t *testing.T) {
	s := commandstest.NewStage(t)
	id, err := s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Skill: "dim", Payload: []byte(`{"skill":"dim","level":3}`)})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.Find(id)
	if e := rec.Envelope; rec.Topic != domain.TopicMessages || e.Type != "action.received" || e.Trace.ID != id || !e.Parent.IsZero() || e.Principal != domain.PrincipalOperator {
		t.Errorf("the record is %+v", rec)
	}
	if got := commandstest.Decoded[domain.ActionReceived](t, rec); got.Skill != "dim" || string(got.Payload) != `{"skill":"dim","level":3}` {
		t.Errorf("the payload is %+v", got)
	}
	_, err = s.Messages.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Payload: []byte(`{}`)})
	wantField(t, err, "skill", "names no skill")
	s.Count(domain.TopicAll, 1)
}

func TestSteer(t *testing.T) {
	s := commandstest.NewStage(t)
	_, err := s.Messages.Steer(t.Context(), commandstest.Ada, " ")
	wantField(t, err, "text", "required")
	_, err = s.Messages.Steer(t.Context(), commandstest.Ada, "no, tomorrow")
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)

	s.Say(commandstest.Station, "what an interface says is not the person's to redirect")
	_, err = s.Messages.Steer(t.Context(), commandstest.Ada, "no, tomorrow")
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)

	first, second := s.Say(commandstest.Ada, "first"), s.Say(commandstest.Ada, "second")
	for _, rec := range []domain.Record{second, first} { // the latest that is under way
		id, err := s.Messages.Steer(t.Context(), commandstest.Ada, "no, tomorrow")
		if err != nil || id != rec.Envelope.ID {
			t.Fatalf("%s was steered, %v; want %s", id, err, rec.Envelope.ID)
		}
		steer := s.Happened(rec, "message.received", "steer.received")[1].Envelope
		if steer.Parent != rec.Envelope.ID || steer.Principal != domain.PrincipalOperator || steer.Source != "api" ||
			!reflect.DeepEqual(steer.Keys, []domain.Key{domain.SteerKey(rec.Envelope.Trace)}) {
			t.Errorf("the steer is %+v", steer)
		}
		s.Answer(rec)
	}
	_, err = s.Messages.Steer(t.Context(), commandstest.Ada, "too late")
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
}

// stale is a conversation that doesn't know yet that an exchange was concluded.
type stale struct{ exchange domain.Exchange }

func (c stale) Recent(domain.ConversationID, int, int) ([]domain.Exchange, int, error) {
	return []domain.Exchange{c.exchange}, 1, nil
}

func (stale) WaitFor(context.Context, domain.Position) error { return nil }

// The log has the last word on whether an answer is still under way.
func TestSteerThatCameTooLate(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	s.Answer(rec)
	late := stale{domain.Exchange{ID: rec.Envelope.ID, Prompt: rec.Envelope.ID, Position: rec.Position}}
	m, err := message.New(message.Config{
		Env: s.Env(), Conversation: late, Applied: late,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Steer(t.Context(), commandstest.Ada, "no, tomorrow")
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
	s.Happened(rec, commandstest.WholeAnswer...)
}

func TestMessagesPassOnFailures(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	m, err := message.New(message.Config{
		Env: s.Env(), Conversation: s.Mind, Applied: s.Mind,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Door.Set(func(domain.Batch) error { return commandstest.Dead() }, nil)
	_, err = m.Say(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "hi"})
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.SayOnce(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "hi"}, said("k", "body"), commandstest.AnswerID)
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.Act(t.Context(), commandstest.Ada, domain.ActionReceived{Skill: "dim"})
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.Steer(t.Context(), commandstest.Ada, "no, tomorrow")
	commandstest.Refused(t, err, domain.Dependency, domain.CodeClosed)
	s.Happened(rec, "message.received")
	s.Count(domain.TopicAll, 1)
}

func TestMessagesConfig(t *testing.T) {
	s := commandstest.NewStage(t)
	whole := message.Config{Env: s.Env(), Conversation: s.Mind, Applied: s.Mind}
	for i := range reflect.TypeFor[message.Config]().NumField() {
		cfg := whole
		reflect.ValueOf(&cfg).Elem().Field(i).SetZero()
		_, err := message.New(cfg)
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
}

// A program that says more in a minute than a person can read is refused; the
// person is not. It holds over a restart, and what is repeated costs nothing.
func TestMessagesAreLimited(t *testing.T) {
	s := commandstest.NewStage(t)
	limited := func() *message.Messages {
		m, err := message.New(message.Config{
			Env: s.Limited(s.Env(), 2, nil), Conversation: s.Mind, Applied: s.Mind,
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := limited()
	say := func(c commands.Caller, want domain.Code) {
		t.Helper()
		_, err := m.Say(t.Context(), c, domain.MessageReceived{Text: "hi"})
		if domain.CodeOf(err) != want {
			t.Errorf("%s: %v, want %q", c.Name, err, want)
		}
	}
	for range 3 {
		answer, err := m.SayOnce(t.Context(), commandstest.Station, domain.MessageReceived{Text: "once"}, said("k", "body"), commandstest.AnswerID)
		if err != nil || len(answer.Body) == 0 {
			t.Fatalf("%+v, %v", answer, err)
		}
	}
	say(commandstest.Station, "")
	say(commandstest.Station, domain.CodeRateLimited)
	for range 5 {
		say(commandstest.Ada, "")
	}
	m = limited()
	say(commandstest.Station, domain.CodeRateLimited)
	s.Clock.Advance(time.Minute)
	say(commandstest.Station, "")
}

func TestCancel(t *testing.T) {
	s := commandstest.NewHandyStage(t)
	_, err := s.Messages.Cancel(t.Context(), commandstest.Ada, domain.ID{})
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
	_, err = s.Messages.Cancel(t.Context(), commandstest.Ada, s.IDs.NewID())
	commandstest.Refused(t, err, domain.NotFound, "not_found")

	// While the model is asked for the second time, after one tool: it ends there.
	rec := s.Say(commandstest.Ada, "tidy up")
	s.Model.Says = func(ctx context.Context, n int, p language.Prompt) (language.Reply, error) {
		if n == 2 {
			for range 2 { // once more changes nothing
				if id, err := s.Messages.Cancel(ctx, commandstest.Ada, domain.ID{}); id != rec.Envelope.ID || err != nil {
					t.Errorf("cancelled %s, %v", id, err)
				}
			}
		}
		return commandstest.ThreeTools(ctx, n, p)
	}
	s.Answer(rec)
	records := s.Happened(rec, slices.Concat([]domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied"}, commandstest.ToolSteps,
		[]domain.EventType{"model.called", "cancel.received", "model.replied", "reasoning.concluded"})...)
	end, e := s.Concluded(rec)
	if end.Outcome != domain.OutcomeCancelled || e.Parent != records[8].Envelope.ID || !slices.Equal(s.Tools.Done, []string{"look"}) {
		t.Errorf("concluded %+v as a child of %s after %v", end, e.Parent, s.Tools.Done)
	}
	if frames := s.Frames(rec); len(frames) != 2 || domain.PlainText(frames[0].Blocks) != "Stopped." || frames[1].Type != domain.FrameDone {
		t.Errorf("the person gets %+v", frames)
	}
	_, err = s.Messages.Cancel(t.Context(), commandstest.Ada, rec.Envelope.ID)
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
	_, err = s.Messages.Cancel(t.Context(), commandstest.Ada, records[2].Envelope.ID)
	commandstest.Refused(t, err, domain.Conflict, message.CodeNothingUnderWay)
}

// A cancel that gets in just ahead of the end wins: who was told that it was
// recorded isn't shown an answer.
func TestCancelAheadOfTheEnd(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Say(commandstest.Ada, "today")
	s.Door.Set(func(b domain.Batch) error {
		if b.Entries[0].Envelope.Type == "reasoning.concluded" {
			if _, err := s.Messages.Cancel(t.Context(), commandstest.Ada, rec.Envelope.ID); err != nil {
				t.Error(err)
			}
			s.Door.Set(nil, nil)
		}
		return nil
	}, nil)
	s.Answer(rec)
	if end, _ := s.Concluded(rec); end.Outcome != domain.OutcomeCancelled {
		t.Errorf("concluded %+v", end)
	}
}

// A message in a conversation of its own is marked as such, and so is what ends it.
func TestMessagesInAConversation(t *testing.T) {
	s := commandstest.NewStage(t)
	m := s.Messages
	work := domain.ConversationName{Project: "p", Session: "work", User: "u"}
	id, err := m.Say(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "hello", Conversation: work})
	if err != nil {
		t.Fatal(err)
	}
	button := domain.ActionReceived{Skill: "dim", Payload: []byte(`{"skill":"dim"}`)}
	if _, err := m.ActIn(t.Context(), commandstest.Ada, button, id); err != nil {
		t.Fatal(err)
	}
	if _, err := m.ActIn(t.Context(), commandstest.Ada, button, s.IDs.NewID()); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a button of no exchange: %v", err)
	}
	if _, err := m.Cancel(t.Context(), commandstest.Ada, id); err != nil {
		t.Fatal(err)
	}
	for _, rec := range s.Records(domain.TopicMessages) {
		if got := domain.ConversationOf(rec.Envelope); got != work.ID() {
			t.Errorf("%s is marked as part of %v", rec.Envelope.Type, got)
		}
	}
	if _, err := m.Say(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "hello", Conversation: domain.ConversationName{User: "u"}}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("a conversation without a session: %v", err)
	}
}
