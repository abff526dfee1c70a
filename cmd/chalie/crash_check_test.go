package main

import (
	"encoding/json"
	"reflect"
	"sync"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/projections/traces"
	"chalie/replay/narrate"
)

// ledger is what was sent over a data directory's life.
type ledger struct {
	mu    sync.Mutex
	posts []*post
}

func newLedger() *ledger { return &ledger{} }

func (l *ledger) add(p *post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = append(l.posts, p)
}

// check compares what a program holds with what was sent, and its folds with
// folds of its log from the start. Nothing is being sent meanwhile.
func (l *ledger) check(v *victim) {
	v.t.Helper()
	records := v.records()
	l.checkSignals(v, records)
	v.checkWorld(records)
	v.checkTraces(records)
}

// records reads the whole log, which must have no gap.
func (v *victim) records() []domain.Record {
	v.t.Helper()
	var out []domain.Record
	for from := domain.Position(1); ; {
		page, err := v.api.Log(v.t.Context(), apiclient.LogQuery{From: from})
		if err != nil {
			v.t.Fatal(err)
		}
		for _, object := range page.Records {
			rec, err := object.Value()
			if err != nil {
				v.t.Fatal(err)
			}
			if want := domain.Position(len(out) + 1); rec.Position != want {
				v.t.Fatalf("position %d stands where %d should", rec.Position, want)
			}
			out = append(out, rec)
		}
		if !page.Cut && len(page.Records) < api.MaxLogPage {
			return out
		}
		from = page.Next
	}
}

// checkSignals wants every answered signal once, under the id that was
// answered, and of a request without an answer all signals or none.
func (l *ledger) checkSignals(v *victim, records []domain.Record) {
	v.t.Helper()
	found := map[string][]domain.ID{}
	signals := 0
	for _, rec := range records {
		if rec.Envelope.Type != "signal.received" {
			continue
		}
		sig, err := domain.Decode[domain.SignalReceived](rec.Envelope)
		if err != nil {
			v.t.Fatal(err)
		}
		found[sig.Content] = append(found[sig.Content], rec.Envelope.ID)
		signals++
	}
	for _, p := range l.posts {
		there := 0
		for _, content := range p.contents {
			ids := found[content]
			if len(ids) > 1 {
				v.t.Errorf("%q stands in the log %d times", content, len(ids))
			}
			there += len(ids)
			signals -= len(ids)
		}
		if there != len(p.contents) && (there != 0 || p.answer != "") {
			v.t.Errorf("of %d signals %d are in the log; the answer was %q: %q", len(p.contents), there, p.answer, p.contents)
		}
		l.checkAnswer(v, p, found)
	}
	if signals != 0 {
		v.t.Errorf("the log holds %d signals that nobody sent", signals)
	}
}

func (l *ledger) checkAnswer(v *victim, p *post, found map[string][]domain.ID) {
	v.t.Helper()
	if p.answer == "" || p.path != "/api/signals" {
		return
	}
	var told struct {
		SignalID domain.ID `json:"signal_id"`
	}
	if err := json.Unmarshal([]byte(p.answer), &told); err != nil {
		v.t.Error(err)
	}
	if ids := found[p.contents[0]]; len(ids) != 1 || ids[0] != told.SignalID {
		v.t.Errorf("%q was answered with %s and stands in the log as %v", p.contents[0], told.SignalID, ids)
	}
}

// scored is what is compared of an item of the world state.
type scored struct {
	ID       string
	Position domain.Position
	Salience float64
	Gate     domain.Gate
}

// checkWorld compares the world state with one folded here, at the moment and
// through the position that were answered.
func (v *victim) checkWorld(records []domain.Record) {
	v.t.Helper()
	object, err := v.api.World(v.t.Context(), "")
	if err != nil {
		v.t.Fatal(err)
	}
	world, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	if tail := domain.Position(len(records)); world.Position != tail {
		v.t.Fatalf("the world state was folded through %d, and the log ends at %d", world.Position, tail)
	}
	fresh := domain.NewWorld()
	for _, rec := range records {
		if err := fresh.Evolve(rec); err != nil {
			v.t.Fatal(err)
		}
	}
	want := fresh.Assemble(nil, world.AsOf)
	for _, part := range []struct {
		name string
		got  []api.WorldItem
		want []domain.Item
	}{{"items", world.Items, want.Items}, {"left_out", world.LeftOut, want.LeftOut}} {
		got, want := make([]scored, len(part.got)), make([]scored, len(part.want))
		for i, item := range part.got {
			got[i] = scored{item.EnvelopeID.String(), item.Position, item.Salience, item.Gate}
		}
		for i, item := range part.want {
			want[i] = scored{item.EnvelopeID.String(), item.Position, item.Salience.Float(), item.Gate}
		}
		if !reflect.DeepEqual(got, want) {
			v.t.Errorf("the world's %s are\n%v\nand folded from the start\n%v", part.name, got, want)
		}
	}
}

// checkTraces compares every line of the traces with one folded here.
func (v *victim) checkTraces(records []domain.Record) {
	v.t.Helper()
	fresh := traces.New()
	for _, rec := range records {
		if err := fresh.Apply(rec); err != nil {
			v.t.Fatal(err)
		}
	}
	lines, err := fresh.List(0, len(records))
	if err != nil {
		v.t.Fatal(err)
	}
	var got []api.Trace
	for before := domain.Position(0); ; {
		page, err := v.api.Traces(v.t.Context(), apiclient.TraceQuery{Before: before})
		if err != nil {
			v.t.Fatal(err)
		}
		for _, object := range page.Traces {
			line, err := object.Value()
			if err != nil {
				v.t.Fatal(err)
			}
			got = append(got, line)
		}
		if before = page.Next; before == 0 {
			break
		}
	}
	if len(got) != len(lines) {
		v.t.Fatalf("there are %d traces, and folded from the start %d", len(got), len(lines))
	}
	for i, line := range lines {
		want := api.Trace{
			TraceID: line.Trace.ID, Kind: narrate.Kind(line.Root.Type), Standing: line.Ending().Brief(), Envelopes: line.Envelopes(), Errors: line.Errors, First: line.First, Last: line.Last,
			Commands: line.Commands, Events: line.Events, Results: line.Results, Streams: line.Streams,
			StartedAt: line.StartedAt, UpdatedAt: line.UpdatedAt, Outcome: string(line.Outcome()), Concluded: line.Ended,
			Tools: append([]string{}, line.Tools.List()...), Tokens: line.Tokens, CostMicros: line.CostMicros,
			Root: api.TraceRoot{EnvelopeID: line.Root.EnvelopeID, Type: line.Root.Type, Source: line.Root.Source, Principal: line.Root.Principal},
		}
		if !line.Root.Parent.IsZero() {
			want.Root.ParentID = &line.Root.Parent
		}
		if !reflect.DeepEqual(got[i], want) {
			v.t.Errorf("a trace is\n%+v\nand folded from the start\n%+v", got[i], want)
		}
	}
}
