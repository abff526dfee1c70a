package catchup_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/catchup"
)

// history is the log so far and every frame it gave, which nothing drops: only what was
// added to a reply goes, once that is there.
type history struct {
	of     catchup.Source
	log    []domain.Record
	frames []domain.Seq
	deltas map[domain.Seq]domain.TraceID
}

// talk is a record of one of two traces in which replies are made.
func talk[P any](t *rapid.T, tb testing.TB, pos domain.Position, who domain.Principal, payload P, keys ...domain.Key) domain.Record {
	rec := record(tb, pos, who, payload)
	rec.Envelope.Trace = domain.TraceID{ID: domain.ID{15: byte(rapid.IntRange(1, 2).Draw(t, "trace"))}}
	rec.Envelope.Keys = append(rec.Envelope.Keys, keys...)
	return rec
}

func (h *history) draw(t *rapid.T, tb testing.TB) domain.Record {
	pos := domain.Position(len(h.log) + 1)
	who := rapid.SampledFrom([]domain.Principal{domain.PrincipalOperator, domain.PrincipalCore, "portal"}).Draw(t, "principal")
	conclude := func(c domain.ReasoningConcluded) func() domain.Record {
		return func() domain.Record { return record(tb, pos, who, c) }
	}
	rec := rapid.SampledFrom([]func() domain.Record{
		func() domain.Record {
			return record(tb, pos, who, domain.SignalReceived{SignalType: "a", Content: "b"})
		},
		func() domain.Record { return record(tb, pos, who, domain.MessageReceived{Text: "hi"}) },
		func() domain.Record { return record(tb, pos, who, domain.ReasoningStarted{}) },
		func() domain.Record { return record(tb, pos, who, domain.ImageUploaded{}) },
		func() domain.Record { return record(tb, pos, who, domain.STTStarted{}) },
		func() domain.Record { return record(tb, pos, who, domain.ToolInvoked{}) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelStreamed{}) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelStreamed{}) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelStreamed{}, domain.RetractsKey) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelStreamed{}, domain.LastPartKey) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelFailed{}) },
		func() domain.Record { return talk(t, tb, pos, who, domain.ModelReplied{}) },
		func() domain.Record { return talk(t, tb, pos, who, answered) },
		conclude(answered),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification}),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}),
	}).Draw(t, "record")()
	if rapid.IntRange(0, 9).Draw(t, "erase") == 0 {
		rec = erased(rec)
	}
	types, err := h.of.Types(rec.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	if domain.EndsDeltas(rec.Envelope) {
		h.frames = slices.DeleteFunc(h.frames, func(seq domain.Seq) bool { return h.deltas[seq] == rec.Envelope.Trace })
	}
	for i, kind := range types {
		seq := domain.SeqOf(rec.Position, i)
		h.frames = append(h.frames, seq)
		if (kind == domain.FrameDelta || kind == domain.ConsoleDelta) && !slices.Contains(rec.Envelope.Keys, domain.LastPartKey) {
			h.deltas[seq] = rec.Envelope.Trace
		}
	}
	h.log = append(h.log, rec)
	return rec
}

// TestLikeAListOfAllFrames holds the buffer to the end of a list that drops
// nothing, whatever is saved, refused or restarted in between.
func TestLikeAListOfAllFrames(t *testing.T) {
	for _, of := range []catchup.Source{catchup.Frames, catchup.Console} {
		t.Run(of.Name, func(t *testing.T) { likeAListOfAll(t, of) })
	}
}

func likeAListOfAll(t *testing.T, of catchup.Source) {
	rapid.Check(t, func(r *rapid.T) {
		size := rapid.IntRange(1, 8).Draw(r, "size")
		h := history{of: of, deltas: map[domain.Seq]domain.TraceID{}}
		p, store, saved := catchup.New(of, size), projections.NewMemStore(), 0
		must := func(err error) {
			if err != nil {
				r.Fatal(err)
			}
		}
		must(p.Load(store))
		r.Repeat(map[string]func(*rapid.T){
			"apply": func(r *rapid.T) {
				for range rapid.IntRange(1, 6).Draw(r, "n") {
					must(p.Apply(h.draw(r, t)))
				}
			},
			"save": func(*rapid.T) {
				must(store.Update(domain.Position(len(h.log)), p.Save))
				p.Saved()
				saved = len(h.log)
			},
			"a save that is refused": func(r *rapid.T) {
				refused := errors.New("refused")
				err := store.Update(domain.Position(len(h.log)), func(b projections.Batch) error { return errors.Join(p.Save(b), refused) })
				if !errors.Is(err, refused) {
					r.Fatal(err)
				}
			},
			"restart": func(*rapid.T) {
				p = catchup.New(of, size)
				must(p.Load(store))
				for _, rec := range h.log[saved:] {
					must(p.Apply(rec))
				}
			},
			"": func(r *rapid.T) { h.compare(r, p, size) },
		})
	})
}

// compare asks for what came after any number, one that was never given
// included.
func (h *history) compare(t *rapid.T, p *catchup.Projection, size int) {
	seen := domain.Seq(rapid.Uint64Range(0, uint64(domain.EndOf(domain.Position(len(h.log)+1)))).Draw(t, "seen"))
	// The buffer has as many frames of other kinds as it is large, and all behind them.
	first, others := len(h.frames), 0
	for first > 0 {
		if _, isDelta := h.deltas[h.frames[first-1]]; !isDelta {
			if others++; others > size {
				break
			}
		}
		first--
	}
	kept, wantDropped := h.frames[first:], domain.Seq(0)
	if first > 0 {
		wantDropped = h.frames[first-1]
	}
	later := func(seqs []domain.Seq) []domain.Seq {
		return slices.DeleteFunc(slices.Clone(seqs), func(s domain.Seq) bool { return s <= seen })
	}
	got, dropped := p.After(seen)
	if want := later(kept); !slices.Equal(got, want) || dropped != wantDropped {
		t.Fatalf("after %d: %v and %d dropped, want %v and %d", seen, got, dropped, want, wantDropped)
	}
	// Every frame missed is either told of as dropped or sent, and never both.
	for _, missed := range later(h.frames) {
		if gone, sent := missed <= dropped, slices.Contains(got, missed); gone == sent {
			t.Fatalf("frame %d after %d: dropped %v, sent %v", missed, seen, gone, sent)
		}
	}
	if dropped <= seen && !slices.Equal(got, later(h.frames)) {
		t.Fatalf("nothing was dropped after %d, and %v is not all of %v", seen, got, later(h.frames))
	}
}
