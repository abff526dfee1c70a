package signal_test

import (
	"context"
	"strings"
	"testing"

	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/projections/small"
)

// A client reports the same again and again; the log hears of it once.
func TestContextIsRecordedWhenItChanges(t *testing.T) {
	b, s, _ := commandstest.NewSurroundings(t)
	zone, focused := "Europe/Malta", domain.AttentionFocused
	at := func(lat, lon float64) domain.ContextUpdated {
		return domain.ContextUpdated{Location: &domain.Location{Lat: lat, Lon: lon}}
	}
	for _, c := range []struct {
		name   string
		update domain.ContextUpdated
		count  int // of records after it
	}{
		{"nothing", domain.ContextUpdated{}, 0},
		{"a timezone", domain.ContextUpdated{Timezone: &zone}, 1},
		{"the same", domain.ContextUpdated{Timezone: &zone}, 1},
		{"a place", at(35.9001, 14.5001), 2},
		{"a metre further", at(35.90011, 14.5001), 2},
		{"another town", at(36.04, 14.25), 3},
		{"attention, and what is known", domain.ContextUpdated{Timezone: &zone, Attention: &focused}, 4},
		{"nothing new", domain.ContextUpdated{Attention: &focused}, 4},
	} {
		if err := s.Update(t.Context(), commandstest.Ada, c.update); err != nil {
			t.Fatal(err)
		}
		if got := len(b.Records(domain.TopicMessages)); got != c.count {
			t.Errorf("after %s there are %d records, want %d", c.name, got, c.count)
		}
	}
	now := s.Now()
	if now.Timezone == nil || *now.Timezone != zone || now.Location == nil || now.Location.Lat != 36.04 || *now.Attention != focused {
		t.Errorf("known is %+v", now)
	}
	e := b.Records(domain.TopicMessages)[0].Envelope
	if e.Type != "context.updated" || e.Principal != domain.PrincipalOperator || e.Trace.ID != e.ID {
		t.Errorf("the envelope is %+v", e)
	}
}

func TestBadContextIsRefused(t *testing.T) {
	b, s, _ := commandstest.NewSurroundings(t)
	asleep := "asleep"
	commandstest.Refused(t, s.Update(t.Context(), commandstest.Ada, domain.ContextUpdated{Attention: &asleep}), domain.Validation, "invalid")
	if n := len(b.Records(domain.TopicAll)); n != 0 {
		t.Errorf("%d records", n)
	}
	_, err := signal.NewSurroundings(signal.SurroundingsConfig{})
	commandstest.Refused(t, err, domain.Validation, "invalid")
}

// A change that may make something else matter is worth a signal, one of a device
// isn't.
func TestContextIsNoticed(t *testing.T) {
	b := commandstest.NewBench(t)
	fold := &commandstest.FoldedSurroundings{InMemory: small.Surroundings(), B: b}
	emitter, err := background.NewEmitter(background.EmitterConfig{Env: b.Env()})
	if err != nil {
		t.Fatal(err)
	}
	s, err := signal.NewSurroundings(signal.SurroundingsConfig{Env: b.Env(), Book: fold, Applied: fold, Spine: emitter})
	if err != nil {
		t.Fatal(err)
	}
	focused := domain.AttentionFocused
	for _, update := range []domain.ContextUpdated{
		{Device: &domain.Device{Class: "phone"}}, {Attention: &focused}, {Device: &domain.Device{Class: "desk"}}, {Attention: &focused},
	} {
		if err := s.Update(t.Context(), commandstest.Ada, update); err != nil {
			t.Fatal(err)
		}
	}
	ending, end := context.WithCancel(t.Context())
	end() // what was emitted is recorded on the way out
	if err := emitter.Run(ending); err != nil {
		t.Fatal(err)
	}
	signals := b.Records(domain.TopicSpine)
	if len(signals) != 1 {
		t.Fatalf("%d signals", len(signals))
	}
	got, err := domain.SpineSignalOf(signals[0].Envelope)
	if err != nil || got.SignalType != domain.AmbientContext || !strings.Contains(*got.Content, "attention") || signals[0].Envelope.Parent != got.ContentRef {
		t.Errorf("noticed is %+v of %+v, %v", got, signals[0].Envelope, err)
	}
}
