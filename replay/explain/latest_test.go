package explain_test

import (
	"testing"

	"chalie/domain"
	"chalie/replay/explain"
)

// What was told is found however often nothing was told since, and what was kept is
// listed once.
func TestLatest(t *testing.T) {
	p := newPast(t)
	if got, err := explain.LatestOf(t.Context(), p.log, 3); err != nil || got.Told == nil || len(got.Told) > 0 || got.Kept == nil || len(got.Kept) > 0 {
		t.Fatalf("of nothing: %+v, %v", got, err)
	}
	heard := p.closure("news")
	ends := map[int]domain.Record{}
	for n := range 60 {
		opening := p.message("And?")
		end := domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}
		switch n {
		case 3, 10:
			end = domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: says("word " + string(rune('a'+n))).Blocks}
		case 40, 50:
			end.Rejected = []domain.Rejected{{EnvelopeID: heard.Envelope.ID, Gate: domain.GateAlreadyTold}, {EnvelopeID: p.ids.NewID(), Gate: domain.GateCooldown}}
		}
		ends[n] = p.concluded(opening, end)
	}
	got, err := explain.LatestOf(t.Context(), p.log, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Told) != 2 || got.Told[0].ID != ends[10].Envelope.ID || got.Told[0].Said != "word k" || got.Told[1].ID != ends[3].Envelope.ID || got.Told[0].Position != ends[10].Position {
		t.Errorf("told were %+v", got.Told)
	}
	if len(got.Kept) != 1 || got.Kept[0].ID != heard.Envelope.ID || got.Kept[0].At != ends[50].RecordedAt || got.Kept[0].Words != "you had been told the same before" || got.Kept[0].Label == "" {
		t.Errorf("kept were %+v", got.Kept)
	}
	if got, err = explain.LatestOf(t.Context(), p.log, 1); err != nil || len(got.Told) != 1 || got.Told[0].ID != ends[10].Envelope.ID {
		t.Errorf("of one: %+v, %v", got, err)
	}
}
