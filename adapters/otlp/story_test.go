package otlp_test

import (
	"context"
	"encoding/json"

	"chalie/domain"
)

// story is a conversation with a tool that waits for a yes, a nested call, a failing
// model, and what came before and after it.
type story struct {
	heard, reminded                         domain.Envelope // an earlier trace each
	said, called, invoked, proposed, nested domain.Envelope
	again, failed, instead, end, thanked    domain.Envelope
	alone                                   domain.Envelope // a tool that is called by itself, and fails
	cycle, cycled                           domain.Envelope // of its own accord, after reminded
}

// secrets are words of the story's payloads, none of which may be sent.
func secrets() []string {
	return []string{"Privet", "plumber", "Heavy rain", "umbrella", "forty-two", "Tarte"}
}

func tell(h *house) (s story) {
	text := "plumber"
	s.heard = put(h, domain.Envelope{}, domain.SignalReceived{SignalType: "weather_forecast", Source: "weather", Content: "Heavy rain", ActivationEnergy: 0.4})
	s.reminded = put(h, domain.Envelope{}, domain.ReminderSet{Text: "umbrella", Due: 5, Zone: "UTC"})

	s.said = put(h, domain.Envelope{}, domain.MessageReceived{Text: "call the plumber", ImageIDs: []domain.ID{}})
	started := put(h, s.said, domain.ReasoningStarted{Zone: "UTC"})
	s.called = put(h, started, domain.ModelCalled{Model: "anthropic/claude-x", Tools: []string{"ring", "dial"}})
	replied := put(h, s.called, domain.ModelReplied{Model: "anthropic/claude-x", Usage: domain.Usage{InputTokens: 120, OutputTokens: 34, CostMicros: 560},
		Confidence: domain.One / 2, Blocks: []domain.Block{domain.TextBlock("forty-two", domain.FormatPlain)},
		ToolCalls: []domain.ToolCall{{ID: "c1", Tool: "ring", Params: json.RawMessage(`{"who":"Tarte"}`)}}})
	s.invoked = put(h, replied, domain.ToolInvoked{InterfaceID: h.ids.NewID(), Tool: "ring", Params: json.RawMessage(`{"who":"Tarte"}`), Actor: "operator", Channel: "chat"})
	of := func(invoked domain.Envelope) func(*domain.Envelope) { return keyed(domain.InvocationKey(invoked.ID)) }
	decided := put(h, s.invoked, domain.PolicyDecided{InvocationID: s.invoked.ID, RegimeID: "sha256:1", Verdict: domain.VerdictApproval,
		ReasonCodes: []string{"has_side_effects"}, Obligations: []string{}, SideEffects: true}, of(s.invoked))
	s.proposed = put(h, decided, domain.ApprovalProposed{InvocationID: s.invoked.ID, Summary: "ring the plumber"}, of(s.invoked))
	granted := put(h, s.proposed, domain.ApprovalGranted{InvocationID: s.invoked.ID, Actor: "operator"}, of(s.invoked))
	dispatched := put(h, granted, domain.ToolDispatched{InvocationID: s.invoked.ID}, of(s.invoked))
	s.nested = put(h, dispatched, domain.ToolInvoked{Tool: "dial", Params: json.RawMessage(`{}`), ParentInvocationID: s.invoked.ID, Depth: 1})
	put(h, s.nested, domain.ToolFailed{InvocationID: s.nested.ID, Reason: "busy", Detail: text}, of(s.nested), faulty("busy"))
	completed := put(h, dispatched, domain.ToolCompleted{InvocationID: s.invoked.ID, Text: &text, Blocks: []domain.Block{}}, of(s.invoked))

	s.again = put(h, completed, domain.ModelCalled{Model: "anthropic/claude-x"})
	s.failed = put(h, s.again, domain.ModelFailed{Model: "anthropic/claude-x"}, faulty("overloaded"))
	s.instead = put(h, s.failed, domain.ModelCalled{Model: "builtin/2"})
	last := put(h, s.instead, domain.ModelReplied{Model: "builtin/2", Used: []domain.Evidence{{EnvelopeID: s.heard.ID, Role: "signal", Weight: domain.One / 4}}})
	s.end = put(h, last, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: last.ID,
		Evidence: []domain.Evidence{{EnvelopeID: s.heard.ID, Role: "signal", Weight: domain.One / 4}, {EnvelopeID: replied.ID, Role: "reply", Weight: 1}}})
	s.thanked = put(h, s.end, domain.SteerReceived{Text: "thanks, plumber"}) // after the end

	s.alone = put(h, domain.Envelope{}, domain.ToolInvoked{Tool: "ring", Params: json.RawMessage(`{}`)})
	put(h, s.alone, domain.ToolOutcomeUnknown{InvocationID: s.alone.ID, Reason: "interrupted", Detail: text}, of(s.alone))

	s.cycle = put(h, domain.Envelope{}, domain.SpineSignalEmitted{SignalType: domain.ScheduleFired, Source: "scheduler", ContentRef: s.reminded.ID}, func(e *domain.Envelope) {
		e.Parent = s.reminded.ID
	})
	s.cycled = put(h, s.cycle, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}, faulty("no_model"))
	return s
}

// tail is how many records the story has.
func (h *house) tail() domain.Position { return h.log.Tail() }

// copyThrough is a house whose log holds this one's up to a position.
func (h *house) copyThrough(ctx context.Context, other *house, from, through domain.Position) {
	h.t.Helper()
	records, err := h.log.Select(ctx, domain.Selector{}, from, int(through-from)+1)
	if err != nil {
		h.t.Fatal(err)
	}
	for _, rec := range records {
		other.clock.Set(rec.RecordedAt.Time())
		if _, err := other.log.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}}); err != nil {
			h.t.Fatal(err)
		}
	}
}
