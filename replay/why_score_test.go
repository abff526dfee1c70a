package replay_test

import (
	"strings"
	"testing"

	"chalie/domain"
)

// What was kept back in view of what was told before quotes that, though it is no
// cause.
func TestHeldInViewOf(t *testing.T) {
	p := newPast(t)
	l := cycleOf(p)
	idle, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Energy: 450_000})
	if err != nil {
		t.Fatal(err)
	}
	opening := begin(p, domain.ServiceIdle, idle, domain.SpineTypeKey(domain.IdleDiscovery))
	held := p.concluded(opening, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld, Evidence: []domain.Evidence{asked(opening.Envelope.ID)},
		Rejected: []domain.Rejected{{EnvelopeID: l.closure.Envelope.ID, Because: l.ended.Envelope.ID, Score: 910_000, Gate: domain.GateAlreadyTold}}})
	why := strings.Join(p.explained(held.Envelope.ID.String()).Sentences, "\n")
	if !strings.Contains(why, `though the case for it was 0.91 of 1; it was compared with "Luigi's is closed tonight"`) || strings.Contains(why, "no longer kept") {
		t.Errorf("it says\n%s", why)
	}
}
