package commands_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
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
		{"the person", ada, domain.SaidByVoice, "operator", "api", "voice"},
		{"the person, who doesn't say how", ada, "", "operator", "api", "operator"},
		{"an interface", station, "", "station", "station", "station"},
		{"an interface that names the origin", station, "ward B", "station", "station", "ward B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t)
			id, err := s.messages.Say(t.Context(), c.caller, domain.MessageReceived{Text: "hi", Source: c.source})
			if err != nil {
				t.Fatal(err)
			}
			rec := s.find(id)
			e := rec.Envelope
			if rec.Topic != domain.TopicMessages || e.Type != "message.received" || e.Trace.ID != id || !e.Parent.IsZero() || len(e.Keys) != 0 {
				t.Errorf("the record is %+v", rec)
			}
			if e.Principal != c.principal || e.Source != c.emitter || e.Timestamp != domain.MillisOf(s.clock.Now()) {
				t.Errorf("the envelope is %+v", e)
			}
			if got := decoded[domain.MessageReceived](t, rec); got.Text != "hi" || got.Source != c.want || got.ImageIDs == nil {
				t.Errorf("the payload is %+v", got)
			}
		})
	}
}

func TestSayWithImages(t *testing.T) {
	s := newStage(t)
	var images []domain.ID
	for range domain.MaxImagesPerMessage + 1 {
		images = append(images, s.upload().Envelope.ID)
	}
	rec := s.say(ada, "no image")
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
			tail := s.log.Tail()
			id, err := s.messages.Say(t.Context(), ada, domain.MessageReceived{Text: "look", ImageIDs: c.images})
			if c.says == "" {
				if err != nil || !reflect.DeepEqual(decoded[domain.MessageReceived](t, s.find(id)).ImageIDs, c.images) {
					t.Errorf("refused: %v", err)
				}
				return
			}
			wantField(t, err, "image_ids", c.says)
			if s.log.Tail() != tail {
				t.Error("it was recorded all the same")
			}
		})
	}
}

// wantField expects a validation error that names the field and says a text.
func wantField(t *testing.T, err error, field, says string) {
	t.Helper()
	refused(t, err, domain.Validation, "invalid")
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
			s := newStage(t)
			_, err := s.messages.Say(t.Context(), ada, c.msg)
			wantField(t, err, c.field, c.says)
			_, err = s.messages.SayOnce(t.Context(), ada, c.msg, said("k", "body"), answerID)
			wantField(t, err, c.field, c.says)
			s.count(domain.TopicAll, 0)
		})
	}
}

func said(key, body string) commands.Request {
	return commands.Request{Route: "POST /api/messages", Key: key, BodyHash: commands.BodyHash([]byte(body))}
}

func TestSayOnce(t *testing.T) {
	s := newStage(t)
	msg := domain.MessageReceived{Text: "hi"}
	first, err := s.messages.SayOnce(t.Context(), station, msg, said("k", "body"), answerID)
	if err != nil || first.Repeated || first.Status != 202 {
		t.Fatalf("answered %+v, %v", first, err)
	}
	s.clock.Advance(23 * time.Hour)
	for _, m := range []*commands.Messages{s.messages, newStageOn(s).messages} { // over a restart too
		again, err := m.SayOnce(t.Context(), station, msg, said("k", "body"), answerID)
		if err != nil || !again.Repeated || again.Status != first.Status || !bytes.Equal(again.Body, first.Body) {
			t.Errorf("answered %+v, %v; first %+v", again, err, first)
		}
	}
	_, err = s.messages.SayOnce(t.Context(), station, msg, said("k", "other"), answerID)
	refused(t, err, domain.Conflict, "key_reused")
	if other, err := s.messages.SayOnce(t.Context(), ada, msg, said("k", "body"), answerID); err != nil || other.Repeated {
		t.Errorf("another caller is answered %+v, %v", other, err)
	}
	s.count(domain.TopicMessages, 2)
	s.count(domain.TopicRequests, 2)
	s.clock.Advance(2 * time.Hour)
	if later, err := s.messages.SayOnce(t.Context(), station, msg, said("k", "other"), answerID); err != nil || later.Repeated {
		t.Errorf("after a day: answered %+v, %v", later, err)
	}
}

// newStageOn is another process over the same log.
func newStageOn(s *stage) *stage {
	again := *s
	var err error
	again.messages, err = commands.NewMessages(context.Background(), commands.MessagesConfig{
		Env: s.env(), Conversation: s.mind, Applied: s.mind,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return &again
}

func TestSayOnceRaces(t *testing.T) {
	s := newStage(t)
	other := newStageOn(s)
	var running sync.WaitGroup
	answers := make([]commands.Answer, 8)
	for i := range answers {
		m := s.messages
		if i%2 == 0 {
			m = other.messages
		}
		running.Go(func() {
			var err error
			answers[i], err = m.SayOnce(t.Context(), ada, domain.MessageReceived{Text: "hi"}, said("k", "body"), answerID)
			if err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	s.count(domain.TopicMessages, 1)
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
	s := newStage(t)
	id, err := s.messages.Act(t.Context(), ada, domain.ActionReceived{Skill: "dim", Payload: []byte(`{"skill":"dim","level":3}`)})
	if err != nil {
		t.Fatal(err)
	}
	rec := s.find(id)
	if e := rec.Envelope; rec.Topic != domain.TopicMessages || e.Type != "action.received" || e.Trace.ID != id || !e.Parent.IsZero() || e.Principal != domain.PrincipalOperator {
		t.Errorf("the record is %+v", rec)
	}
	if got := decoded[domain.ActionReceived](t, rec); got.Skill != "dim" || string(got.Payload) != `{"skill":"dim","level":3}` {
		t.Errorf("the payload is %+v", got)
	}
	_, err = s.messages.Act(t.Context(), ada, domain.ActionReceived{Payload: []byte(`{}`)})
	wantField(t, err, "skill", "names no skill")
	s.count(domain.TopicAll, 1)
}

func TestSteer(t *testing.T) {
	s := newStage(t)
	_, err := s.messages.Steer(t.Context(), ada, " ")
	wantField(t, err, "text", "required")
	_, err = s.messages.Steer(t.Context(), ada, "no, tomorrow")
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)

	s.say(station, "what an interface says is not the person's to redirect")
	_, err = s.messages.Steer(t.Context(), ada, "no, tomorrow")
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)

	first, second := s.say(ada, "first"), s.say(ada, "second")
	for _, rec := range []domain.Record{second, first} { // the latest that is under way
		id, err := s.messages.Steer(t.Context(), ada, "no, tomorrow")
		if err != nil || id != rec.Envelope.ID {
			t.Fatalf("%s was steered, %v; want %s", id, err, rec.Envelope.ID)
		}
		steer := s.happened(rec, "message.received", "steer.received")[1].Envelope
		if steer.Parent != rec.Envelope.ID || steer.Principal != domain.PrincipalOperator || steer.Source != "api" ||
			!reflect.DeepEqual(steer.Keys, []domain.Key{domain.SteerKey(rec.Envelope.Trace)}) {
			t.Errorf("the steer is %+v", steer)
		}
		s.answer(rec)
	}
	_, err = s.messages.Steer(t.Context(), ada, "too late")
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
}

// stale is a conversation that doesn't know yet that an exchange was concluded.
type stale struct{ exchange domain.Exchange }

func (c stale) Recent(int, int) ([]domain.Exchange, int, error) {
	return []domain.Exchange{c.exchange}, 1, nil
}
func (stale) WaitFor(context.Context, domain.Position) error { return nil }

// The log has the last word on whether an answer is still under way.
func TestSteerThatCameTooLate(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	s.answer(rec)
	late := stale{domain.Exchange{ID: rec.Envelope.ID, Prompt: rec.Envelope.ID, Position: rec.Position}}
	m, err := commands.NewMessages(context.Background(), commands.MessagesConfig{
		Env: s.env(), Conversation: late, Applied: late,
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Steer(t.Context(), ada, "no, tomorrow")
	refused(t, err, domain.Conflict, commands.CodeNothingUnderWay)
	s.happened(rec, wholeAnswer...)
}

func TestMessagesPassOnFailures(t *testing.T) {
	s := newStage(t)
	rec := s.say(ada, "today")
	m, err := commands.NewMessages(context.Background(), commands.MessagesConfig{
		Env: s.env(), Conversation: s.mind, Applied: s.mind,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.door.set(func(domain.Batch) error { return dead() }, nil)
	_, err = m.Say(t.Context(), ada, domain.MessageReceived{Text: "hi"})
	refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.SayOnce(t.Context(), ada, domain.MessageReceived{Text: "hi"}, said("k", "body"), answerID)
	refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.Act(t.Context(), ada, domain.ActionReceived{Skill: "dim"})
	refused(t, err, domain.Dependency, domain.CodeClosed)
	_, err = m.Steer(t.Context(), ada, "no, tomorrow")
	refused(t, err, domain.Dependency, domain.CodeClosed)
	s.happened(rec, "message.received")
	s.count(domain.TopicAll, 1)
}

func TestMessagesConfig(t *testing.T) {
	s := newStage(t)
	whole := commands.MessagesConfig{Env: s.env(), Conversation: s.mind, Applied: s.mind}
	for i := range reflect.TypeFor[commands.MessagesConfig]().NumField() {
		if f := reflect.TypeFor[commands.MessagesConfig]().Field(i); f.Type.Kind() == reflect.Int || f.Name == "Volume" {
			continue // zero is no limit
		}
		cfg := whole
		reflect.ValueOf(&cfg).Elem().Field(i).SetZero()
		_, err := commands.NewMessages(context.Background(), cfg)
		refused(t, err, domain.Validation, "invalid")
	}
	whole.PerMinute = -1
	_, err := commands.NewMessages(context.Background(), whole)
	refused(t, err, domain.Validation, "invalid")
}

// A program that says more in a minute than a person can read is refused; the
// person is not. It holds over a restart, and what is repeated costs nothing.
func TestMessagesAreLimited(t *testing.T) {
	s := newStage(t)
	limited := func() *commands.Messages {
		m, err := commands.NewMessages(t.Context(), commands.MessagesConfig{
			Env: s.env(), Conversation: s.mind, Applied: s.mind, PerMinute: 2,
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
		answer, err := m.SayOnce(t.Context(), station, domain.MessageReceived{Text: "once"}, said("k", "body"), answerID)
		if err != nil || len(answer.Body) == 0 {
			t.Fatalf("%+v, %v", answer, err)
		}
	}
	say(station, "")
	say(station, domain.CodeRateLimited)
	for range 5 {
		say(ada, "")
	}
	m = limited()
	say(station, domain.CodeRateLimited)
	s.clock.Advance(time.Minute)
	say(station, "")
}
