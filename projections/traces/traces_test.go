package traces_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/traces"
)

func trace(n byte) domain.TraceID { return domain.TraceID{ID: domain.ID{0: 1, 15: n}} }

// rec is a record of a trace, recorded at 1000 + its position.
func rec(pos domain.Position, of domain.TraceID, kind domain.Kind, faults ...domain.Code) domain.Record {
	r := domain.Record{Position: pos, Topic: "t", RecordedAt: 1000 + domain.Millis(pos), Envelope: domain.Envelope{
		ID: domain.ID{0: 2, 15: byte(pos)}, Trace: of, Kind: kind, Type: "t.happened", Source: "http", Principal: "operator", Version: 1}}
	for _, f := range faults {
		r.Envelope.Errors = append(r.Envelope.Errors, domain.Fault{Code: f})
	}
	return r
}

func apply(t rapid.TB, p *traces.Projection, recs ...domain.Record) {
	t.Helper()
	for _, r := range recs {
		if err := p.Apply(r); err != nil {
			t.Fatal(err)
		}
	}
}

func save(t rapid.TB, p *traces.Projection, s projections.Store, pos domain.Position) {
	t.Helper()
	if err := s.Update(pos, p.Save); err != nil {
		t.Fatal(err)
	}
	p.Saved()
}

func TestOutcome(t *testing.T) {
	const e, c, r, s = domain.KindEvent, domain.KindCommand, domain.KindResult, domain.KindStream
	type step struct {
		kind   domain.Kind
		faulty bool
	}
	ok := func(kinds ...domain.Kind) (out []step) {
		for _, k := range kinds {
			out = append(out, step{k, false})
		}
		return out
	}
	for _, x := range []struct {
		name  string
		steps []step
		want  traces.Outcome
	}{
		{"an event alone", ok(e), traces.Done},
		{"an event that carries an error", []step{{e, true}}, traces.Failed},
		{"an error made good", []step{{e, true}, {e, false}}, traces.Done},
		{"elements of a stream", ok(s, s), traces.Done},
		{"a command waits", ok(e, c), traces.Open},
		{"a command is answered", ok(e, c, r), traces.Done},
		{"a command is answered with an error", []step{{c, false}, {r, true}}, traces.Failed},
		{"events after a failure change nothing", []step{{c, false}, {r, true}, {e, false}}, traces.Failed},
		{"an error beside a good result", []step{{c, false}, {r, false}, {e, true}}, traces.Done},
		{"tried again, and done", []step{{c, false}, {r, true}, {c, false}, {r, false}}, traces.Done},
		{"one of two commands waits", ok(c, c, r), traces.Open},
		{"a result that answers no command", ok(e, r), traces.Done},
		{"is not kept for a later command", ok(e, r, c), traces.Open},
	} {
		p := traces.New()
		for i, st := range x.steps {
			var faults []domain.Code
			if st.faulty {
				faults = []domain.Code{"broken"}
			}
			apply(t, p, rec(domain.Position(i+1), trace(1), st.kind, faults...))
		}
		line, found, err := p.Get(trace(1))
		if line.Outcome() != x.want || !found || err != nil {
			t.Errorf("%s: %s, %v, %v, want %s", x.name, line.Outcome(), found, err, x.want)
		}
	}
}

func TestOutcomeOfReasoning(t *testing.T) {
	const c, r = domain.KindCommand, domain.KindResult
	type step struct {
		kind   domain.Kind
		name   domain.EventType
		faults []domain.Code
	}
	message := step{kind: domain.KindEvent, name: "message.received"}
	action := step{kind: domain.KindEvent, name: "action.received"}
	told := step{kind: r, name: "request.answered"}
	signal, dropped := step{kind: domain.KindEvent, name: "spine.signal_emitted"}, step{kind: domain.KindEvent, name: "spine.signal_dropped"}
	started := step{kind: domain.KindEvent, name: "reasoning.started"}
	called, replied := step{kind: c, name: "model.called"}, step{kind: r, name: "model.replied"}
	concluded := step{kind: domain.KindEvent, name: "reasoning.concluded"}
	failed := step{kind: domain.KindEvent, name: "reasoning.concluded", faults: []domain.Code{"unknown_skill"}}
	for _, x := range []struct {
		name  string
		steps []step
		want  traces.Outcome
	}{
		{"a message waits", []step{message}, traces.Open},
		{"its sender being told changes nothing", []step{message, told}, traces.Open},
		{"it is thought about", []step{message, told, started, called}, traces.Open},
		{"a reply is not the end", []step{message, started, called, replied}, traces.Open},
		{"it is answered", []step{message, told, started, called, replied, concluded}, traces.Done},
		{"it could not be answered", []step{message, started, called, replied, failed}, traces.Failed},
		{"the model failed", []step{message, started, called, failed}, traces.Failed},
		{"an action that is not known", []step{action, failed}, traces.Failed},
		{"a signal waits", []step{signal}, traces.Open},
		{"a signal is dropped", []step{signal, dropped}, traces.Done},
	} {
		p := traces.New()
		for i, st := range x.steps {
			one := rec(domain.Position(i+1), trace(1), st.kind, st.faults...)
			one.Envelope.Type = st.name
			apply(t, p, one)
		}
		line, _, err := p.Get(trace(1))
		if line.Outcome() != x.want || err != nil {
			t.Errorf("%s: %s, %v, want %s", x.name, line.Outcome(), err, x.want)
		}
	}
}

func TestLine(t *testing.T) {
	p := traces.New()
	first := rec(4, trace(1), domain.KindEvent)
	first.Envelope.Parent = domain.ID{9}
	apply(t, p, first, rec(5, trace(2), domain.KindEvent), rec(6, trace(1), domain.KindCommand, "a", "b"),
		rec(8, trace(1), domain.KindStream), rec(9, trace(1), domain.KindResult, "c"))
	got, _, err := p.Get(trace(1))
	if err != nil {
		t.Fatal(err)
	}
	if got.Outcome() != traces.Failed || got.Envelopes() != 4 {
		t.Errorf("%d envelopes, %s", got.Envelopes(), got.Outcome())
	}
	if got.Commands != 1 || got.Events != 1 || got.Results != 1 || got.Streams != 1 || got.Errors != 3 {
		t.Errorf("counts %+v", got)
	}
	if got.First != 4 || got.Last != 9 || got.StartedAt != 1004 || got.UpdatedAt != 1009 || got.Trace != trace(1) {
		t.Errorf("times and places %+v", got)
	}
	want := traces.Root{EnvelopeID: first.Envelope.ID, Parent: domain.ID{9}, Type: "t.happened", Source: "http", Principal: "operator"}
	if got.Root != want {
		t.Errorf("root %+v, want %+v", got.Root, want)
	}
	if _, found, err := p.Get(trace(3)); found || err != nil {
		t.Errorf("a trace nobody heard of: %v, %v", found, err)
	}
}

func firsts(t rapid.TB, p *traces.Projection, before domain.Position, limit int) []domain.Position {
	t.Helper()
	lines, err := p.List(before, limit)
	if err != nil {
		t.Fatal(err)
	}
	out := []domain.Position{}
	for _, l := range lines {
		out = append(out, l.First)
	}
	return out
}

// Part of the lines is saved, part changed since, part new.
func TestListPagesFromTheNewest(t *testing.T) {
	p, store := traces.New(), projections.NewMemStore()
	if err := p.Load(store); err != nil {
		t.Fatal(err)
	}
	pos := domain.Position(0)
	begin := func(n byte) {
		pos++
		apply(t, p, rec(pos, trace(n), domain.KindEvent))
	}
	for n := range byte(4) {
		begin(10 + n)
	}
	save(t, p, store, pos)
	for n := range byte(4) {
		begin(20 - n) // ids that don't rise
	}
	pos++
	apply(t, p, rec(pos, trace(11), domain.KindEvent)) // 2 changes
	for range 2 {
		for _, c := range []struct {
			before domain.Position
			limit  int
			want   []domain.Position
		}{
			{0, 100, []domain.Position{8, 7, 6, 5, 4, 3, 2, 1}},
			{0, 3, []domain.Position{8, 7, 6}},
			{6, 3, []domain.Position{5, 4, 3}},
			{3, 3, []domain.Position{2, 1}},
			{2, 1, []domain.Position{1}},
			{1, 3, []domain.Position{}},
			{0, 0, []domain.Position{}},
			{0, -1, []domain.Position{}},
		} {
			if got := firsts(t, p, c.before, c.limit); !slices.Equal(got, c.want) {
				t.Errorf("%d before %d: %v, want %v", c.limit, c.before, got, c.want)
			}
		}
		lines, err := p.List(3, 1)
		if err != nil || lines[0].Last != 9 || lines[0].Events != 2 {
			t.Errorf("the line that changed: %+v, %v", lines, err)
		}
		save(t, p, store, pos) // and the same again when all is saved
	}
}

// TestTracesLikeAMap holds the projection to a plain count, whatever is saved,
// refused or restarted in between.
func TestTracesLikeAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, store := traces.New(), projections.NewMemStore()
		pos, saved := domain.Position(0), domain.Position(0)
		var log []domain.Record
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
		t.Repeat(map[string]func(*rapid.T){
			"apply": func(t *rapid.T) {
				for range rapid.IntRange(1, 5).Draw(t, "n") {
					pos++
					kind := rapid.SampledFrom([]domain.Kind{domain.KindCommand, domain.KindEvent, domain.KindResult, domain.KindStream}).Draw(t, "kind")
					log = append(log, rec(pos, trace(rapid.Byte().Draw(t, "trace")%12), kind))
					apply(t, p, log[len(log)-1])
				}
			},
			"records go": func(t *rapid.T) {
				var went domain.Runs
				of := map[domain.TraceID]bool{trace(rapid.Byte().Draw(t, "trace") % 12): true, trace(rapid.Byte().Draw(t, "another") % 12): true}
				log = slices.DeleteFunc(log, func(r domain.Record) bool {
					if goes := of[r.Envelope.Trace]; goes {
						went = went.Add(r.Position, r.Position)
						return true
					}
					return false
				})
				pos++
				log = append(log, retired(t, pos, went))
				apply(t, p, log[len(log)-1])
			},
			"save": func(t *rapid.T) {
				save(t, p, store, pos)
				saved = pos
			},
			"a save that is refused": func(t *rapid.T) {
				refused := errors.New("refused")
				err := store.Update(pos, func(b projections.Batch) error { return errors.Join(p.Save(b), refused) })
				if !errors.Is(err, refused) {
					t.Fatal(err)
				}
			},
			"restart": func(t *rapid.T) {
				p = traces.New()
				if err := p.Load(store); err != nil {
					t.Fatal(err)
				}
				for _, r := range log {
					if r.Position > saved {
						apply(t, p, r)
					}
				}
			},
			"": func(t *rapid.T) { sameAsAnew(t, p, log) },
		})
	})
}

// retired is a record, of a trace of its own, that says which others went.
func retired(t *rapid.T, pos domain.Position, went domain.Runs) domain.Record {
	r := rec(pos, trace(100+byte(pos%100)), domain.KindEvent)
	entry, err := domain.New(domain.Begin(r.Envelope.Trace, domain.PrincipalCore), r.Envelope.ID, 1, domain.SourceRetention,
		domain.SpanRetired{Runs: went.Write(), Kept: []domain.KeptFor{}, Counts: []domain.RetiredCount{}})
	if err != nil {
		t.Fatal(err)
	}
	r.Envelope = entry.Envelope
	return r
}

func sameAsAnew(t *rapid.T, p *traces.Projection, log []domain.Record) {
	anew := traces.New()
	apply(t, anew, log...)
	for n := range byte(12) {
		got, found, err := p.Get(trace(n))
		want, wantFound, wantErr := anew.Get(trace(n))
		if got != want || found != wantFound || err != nil || wantErr != nil {
			t.Fatalf("trace %d is %+v, %v, %v, folded anew %+v, %v", n, got, found, err, want, wantFound)
		}
	}
	got, err := p.List(0, 1000)
	want, wantErr := anew.List(0, 1000)
	if !slices.Equal(got, want) || err != nil || wantErr != nil {
		t.Fatalf("the list is %+v, %v, folded anew %+v", got, err, want)
	}
}

func TestDamagedLinesAreErrors(t *testing.T) {
	p, store := traces.New(), projections.NewMemStore()
	apply(t, p, rec(1, trace(1), domain.KindEvent))
	save(t, p, store, 1)
	key := append([]byte("b"), make([]byte, 8)...)
	value, _, err := store.Get(key)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range value[1:] {
		for _, bad := range [][]byte{value[:cut+1], append(slices.Clone(value), 0)} {
			if err := store.Update(1, func(b projections.Batch) error { return b.Set(key, bad) }); err != nil {
				t.Fatal(err)
			}
			q := traces.New()
			if err := q.Load(store); err != nil {
				t.Fatal(err)
			}
			if _, _, err := q.Get(trace(1)); err == nil {
				t.Errorf("Get takes %d of %d bytes", len(bad), len(value))
			}
			if _, err := q.List(0, 1); err == nil {
				t.Errorf("List takes %d of %d bytes", len(bad), len(value))
			}
			if err := q.Apply(rec(2, trace(1), domain.KindEvent)); err == nil {
				t.Errorf("Apply goes on from %d of %d bytes", len(bad), len(value))
			}
		}
	}
}
