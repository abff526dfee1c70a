package policy_test

import (
	"testing"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/policy"
)

func record[P any](t *testing.T, pos domain.Position, payload P) domain.Record {
	t.Helper()
	id := domain.ID{15: byte(pos)}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	return domain.Record{Position: pos, Topic: entry.Topic, Envelope: entry.Envelope}
}

// The policy in force decides, also after it was saved and loaded.
func TestDecides(t *testing.T) {
	strict := domain.DefaultPolicy()
	strict.Autonomy, strict.ApprovalMinutes = domain.AutonomyReadonly, 3
	no := false
	changes := []domain.Record{
		record(t, 1, domain.PolicyChanged{Policy: strict}),
		record(t, 2, domain.SignalReceived{SignalType: "a", Content: "b", Source: "c"}),
		record(t, 3, domain.CapabilityChanged{CapabilityID: "chalie/note", SideEffects: &no}),
	}
	note := domain.Offer{Name: "note", Tool: domain.Tool{Name: "note"}, Interface: &domain.Interface{Name: "Chalie"}}
	store := projections.NewMemStore()
	first := policy.New()
	if got := first.Manifest(note); !got.SideEffects || first.ApprovalWithin() != 15*60*1000 {
		t.Errorf("by default it is %+v", got)
	}
	if err := first.Load(store); err != nil {
		t.Fatal(err)
	}
	for _, rec := range changes {
		if err := first.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Update(3, first.Save); err != nil {
		t.Fatal(err)
	}
	second := policy.New()
	if err := second.Load(store); err != nil {
		t.Fatal(err)
	}
	asked := domain.Invoking{Actor: domain.ActorReasoning, Channel: domain.ChannelBackground, Manifest: domain.Manifest{SideEffects: true, Autonomy: domain.AutonomyFull}}
	for _, p := range []*policy.Projection{first, second} {
		if got := p.Decide(asked); got.Verdict != domain.VerdictDenied || got.RegimeID != first.Decide(asked).RegimeID {
			t.Errorf("decided %+v", got)
		}
		if p.Manifest(note).SideEffects || p.ApprovalWithin() != 3*60*1000 {
			t.Errorf("it is %+v, and waits %d ms", p.Manifest(note), p.ApprovalWithin())
		}
	}
}
