package narrate

import (
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// A kind of plan that has no words of its own is told in plain ones.
func TestAnotherKindOfPlanIsTold(t *testing.T) {
	domaintest.WithKind(t, domaintest.Bet)
	one := domain.Commitment{ID: domain.ID{1}, Kind: "bet", Standing: domain.StandingOpen}
	const id = "01000000-0000-0000-0000-000000000000"
	said := domain.Plan{Text: "the tower falls", Time: domain.Appointment{Start: 1767445200000}, Percent: 40}
	for verb, want := range map[domain.PlanVerb][3]string{
		domain.PlanMade:       {"A bet was set:", "the tower falls, for 2026-01-03 13:00 UTC", "a bet was set: the tower falls"},
		domain.PlanChanged:    {"A bet was changed:", "bet " + id + " is for 2026-01-03 13:00 UTC", "a bet was changed: the tower falls"},
		domain.PlanProgressed: {"A bet went on:", "bet " + id + " is at 40 %", "a bet came to 40 %"},
		domain.PlanDone:       {"A bet was done:", "bet " + id + " is done", "a bet was done"},
		domain.PlanDropped:    {"A bet was dropped:", "bet " + id + " is dropped", "a bet was dropped"},
	} {
		effect, err := one.Effect(verb, said)
		if err != nil {
			t.Fatal(err)
		}
		e, err := domain.New(domain.Lineage{}, domain.ID{2}, 0, "test", effect.Payload)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]string{Lead(e.Envelope.Type, "", "x"), Line(e.Envelope), Label(e.Envelope, "")}; got != want {
			t.Errorf("%s is told as %q, want %q", verb, got, want)
		}
		if Kind(e.Envelope.Type) != "Bet" {
			t.Errorf("%s begins a trace called %s", verb, Kind(e.Envelope.Type))
		}
	}
}
