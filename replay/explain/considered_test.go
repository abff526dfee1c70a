package explain_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
	"chalie/replay/explain"
)

// calm is a model that no text moves.
type calm struct{ reasoning.Model }

func (calm) Unmoved() {}

// TestWhatASilentCycleConsidered is worked out from its one record, with the gate and the words that
// why-not has; when what it differs from is gone, that is said.
func TestWhatASilentCycleConsidered(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = func(context.Context, int, language.Prompt) (language.Reply, error) {
		return language.Reply{Topic: "world", Mode: domain.ModeRespond, Confidence: domain.One}, nil
	}
	cfg := s.Config()
	cfg.Models = []reasoning.Model{calm{s.Model}}
	reasoner, err := reasoning.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	emitter, err := background.NewEmitter(background.EmitterConfig{Env: commands.Env{Log: screen.Before(s.Door), Reader: s.Memory, Tail: s.Log, Clock: s.Clock, IDs: s.IDs, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		t.Fatal(err)
	}
	emitter.ThinkAhead(background.Ahead{Foresight: reasoning.NewForesight(reasoner)})
	cycle := func() domain.Record {
		t.Helper()
		from := s.Log.Tail() + 1
		if err := emitter.Record(t.Context(), domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: "it is quiet", Energy: domain.One / 2}); err != nil {
			t.Fatal(err)
		}
		records, err := s.Log.Select(t.Context(), domain.Selector{}, from, 1)
		if err != nil || len(records) == 0 || !domain.IsSilent(records[0].Envelope) {
			t.Fatalf("no silent cycle: %+v, %v", records, err)
		}
		return records[0]
	}
	plan := s.Remind("call ACME about the shares", 48*time.Hour)
	rain := s.Hear("Rain is coming to the harbour")
	first := cycle()
	s.Clock.Advance(23 * time.Hour)
	s.Hear("The harbour is closed")
	second := cycle()

	got, err := explain.ConsideredIn(t.Context(), s.Memory, second.Envelope.Trace, nil)
	if err != nil || got == nil || len(got.Items) != 3 || got.AsOf != second.Envelope.Timestamp {
		t.Fatalf("it considered %+v, %v", got, err)
	}
	seen := map[domain.ID]explain.Candidate{}
	for _, one := range got.Items {
		seen[one.EnvelopeID] = one
	}
	if one := seen[rain]; one.Gate != domain.GateBelowThreshold || one.InMind || !strings.Contains(one.Says, "Rain is coming") || !strings.Contains(one.Words, "below 0.15 nothing counts") {
		t.Errorf("what had faded is %+v", one)
	}
	if one := seen[plan]; one.Gate != domain.GateUnrelated || !one.InMind || !strings.Contains(one.Says, "ACME") || one.Words == "" {
		t.Errorf("the plan is %+v", one)
	}
	question, err := explain.ParseQuestion(rain.String())
	if err != nil {
		t.Fatal(err)
	}
	why, err := explain.WhyNot(t.Context(), s.Memory, question, explain.Asking{})
	if err != nil {
		t.Fatal(err)
	}
	if last := why.Considered[len(why.Considered)-1]; last.Trace != second.Envelope.Trace || last.Gate != seen[rain].Gate || last.Words != seen[rain].Words {
		t.Errorf("why not says %+v, and it considered %+v", last, seen[rain])
	}

	over := domaintest.Gaps{Log: s.Log, Went: domain.Runs{{From: first.Position, Through: first.Position}}}
	if got, err := explain.ConsideredIn(t.Context(), over, second.Envelope.Trace, nil); err != nil || got == nil || got.Lost == "" || len(got.Items) > 0 {
		t.Errorf("where the one before is gone it considered %+v, %v", got, err)
	}
	if got, err := explain.ConsideredIn(t.Context(), s.Memory, domain.TraceID{ID: rain}, nil); err != nil || got != nil {
		t.Errorf("a signal considered %+v, %v", got, err)
	}
}
