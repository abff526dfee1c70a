package domain

import (
	"fmt"
	"strings"
	"testing"
)

// TestNewsFits records what was found of many signals in as many records as that takes, each of which fits.
func TestNewsFits(t *testing.T) {
	w := NewWorld()
	found := map[ID]SignalRelations{}
	const signals = 1100
	for i := range signals {
		id := ForeignID(fmt.Sprintf("01J0000000000000000000%04d", i))
		w.Signals = append(w.Signals, Heard{EnvelopeID: id})
		found[id] = SignalRelations{Signal: id, Plans: []PlanRelation{{Commitment: id, Score: One, Reasons: []Reason{{By: strings.Repeat("x", 600), Weight: One}}}}}
	}
	records, recorded := 0, 0
	for news := w.News(found); len(news) > 0; news = w.News(found) {
		id := ForeignID(fmt.Sprintf("01J1000000000000000000%04d", records))
		e, err := New(Lineage{Trace: TraceID{ID: id}, Principal: PrincipalCore}, id, 1, "reasoning", RelationsFound{Signals: news, Before: w.Found})
		if size := len(e.Envelope.Payload.Bytes); err != nil || size > MaxPayloadBytes {
			t.Fatalf("it has %d bytes: %v", size, err)
		}
		if err := w.Evolve(Record{Envelope: e.Envelope, Position: Position(records + 1)}); err != nil {
			t.Fatal(err)
		}
		records, recorded = records+1, recorded+len(news)
	}
	if records != 2 || recorded != signals {
		t.Errorf("%d signals are in %d records, want %d in 2", recorded, records, signals)
	}
}
