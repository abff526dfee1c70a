package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/commands/reasoning"
	"chalie/domain"
)

func TestWorldAt(t *testing.T) {
	b := newBench(t, settings{})
	for i := range 7 {
		body := fmt.Sprintf(`{"signal_type":"a","content":"signal %d","topic":"t","activation_energy":0.%d}`, i, i)
		b.socket("POST", "/api/signals", body).wants(202)
	}
	type item struct {
		Label, Gate string
		Salience    json.Number
		AgeSeconds  int `json:"age_seconds"`
		Topic       *string
		SignalType  string      `json:"signal_type"`
		Energy      json.Number `json:"activation_energy"`
	}
	type view struct {
		AsOf     domain.Millis `json:"as_of"`
		Position domain.Position
		Items    []item
		LeftOut  []item `json:"left_out"`
	}
	labels := func(items []item) (out []string) {
		for _, i := range items {
			out = append(out, i.Label+" "+i.Salience.String()+i.Gate)
		}
		return out
	}
	now := b.clock.Now()
	for _, c := range []struct {
		at            string
		asOf          time.Time
		items, gone   []string
		ageOfTheFirst int
	}{
		{"", now, []string{"signal 6 1", "signal 5 1", "signal 4 0.8", "signal 3 0.6", "signal 2 0.4"}, []string{"signal 1 0.2not_in_five", "signal 0 0below_threshold"}, 0},
		{now.Format(time.RFC3339), now.Truncate(time.Second), []string{"signal 6 1", "signal 5 1", "signal 4 0.8", "signal 3 0.6", "signal 2 0.4"}, []string{"signal 1 0.2not_in_five", "signal 0 0below_threshold"}, 0},
		{"%2B6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{"+6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{"6h", now.Add(6 * time.Hour), []string{"signal 6 0.6", "signal 5 0.5", "signal 4 0.4", "signal 3 0.3", "signal 2 0.2"}, []string{"signal 1 0.1below_threshold", "signal 0 0below_threshold"}, 21600},
		{now.Add(12 * time.Hour).Format(time.RFC3339), now.Add(12 * time.Hour), []string{"signal 6 0.3", "signal 5 0.25", "signal 4 0.2", "signal 3 0.15"},
			[]string{"signal 2 0.1below_threshold", "signal 1 0.05below_threshold", "signal 0 0below_threshold"}, 43200},
		{fmt.Sprint(now.Add(time.Hour).UnixMilli()), now.Add(time.Hour), []string{"signal 6 1", "signal 5 0.890899", "signal 4 0.712719", "signal 3 0.534539", "signal 2 0.356359"},
			[]string{"signal 1 0.17818not_in_five", "signal 0 0below_threshold"}, 3600},
	} {
		t.Run(c.at, func(t *testing.T) {
			var got view
			b.socket("GET", "/api/world?at="+c.at, "").wants(200).read(&got)
			if got.AsOf != domain.MillisOf(c.asOf) || got.Position != 7 {
				t.Errorf("as of %v, position %d", got.AsOf, got.Position)
			}
			if !slices.Equal(labels(got.Items), c.items) || !slices.Equal(labels(got.LeftOut), c.gone) {
				t.Errorf("items %q, left out %q\nwant  %q, left out %q", labels(got.Items), labels(got.LeftOut), c.items, c.gone)
			}
			if first := got.Items[0]; first.AgeSeconds != c.ageOfTheFirst || first.SignalType != "a" || first.Topic == nil || *first.Topic != "t" || first.Energy != "0.6" {
				t.Errorf("the first is %+v", first)
			}
		})
	}
}

// fixedWorld is a world whose items a test chooses.
type fixedWorld struct {
	items     []domain.Item
	relations []domain.SeenRelation
}

func (w fixedWorld) Ground(_ context.Context, now domain.Millis, _ domain.ID) (reasoning.ContextSnapshot, error) {
	return reasoning.ContextSnapshot{Assembly: domain.Assembly{AsOf: now, Items: w.items}, Through: 1, Relations: w.relations}, nil
}

func TestErasedItem(t *testing.T) {
	var erased domain.ID
	b := newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) {
		e := signalFrom(b)
		e.Payload = domain.Payload{Encoding: domain.EncodingErased}
		erased = e.ID
		_, err := b.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicSignals, Envelope: e}}})
		b.must(err)
		cfg.World = fixedWorld{
			items:     []domain.Item{{Candidate: domain.Candidate{Kind: domain.ItemSignal, EnvelopeID: erased}, Salience: 123456}},
			relations: []domain.SeenRelation{{Signal: erased, Commitment: erased, Score: 654321}},
		}
	}})
	b.socket("GET", "/api/world", "").wants(200, `"label":"(erased)"`, `"salience":0.123456`, erased.String(), `"left_out":[]`, `"score":0.654321}]`)
}

func signalFrom(b *bench) domain.Envelope {
	entry, err := domain.New(domain.Begin(b.ids.NewTrace(), "station"), b.ids.NewID(), domain.MillisOf(b.clock.Now()), "station",
		domain.SignalReceived{SignalType: "a", Content: "b"})
	b.must(err)
	return entry.Envelope
}
