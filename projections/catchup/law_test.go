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

// history is the log so far and every frame it gave, which nothing drops.
type history struct {
	log    []domain.Record
	frames []domain.Seq
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
		conclude(answered),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification}),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}),
		conclude(domain.ReasoningConcluded{Outcome: domain.OutcomeHeld}),
	}).Draw(t, "record")()
	if rapid.IntRange(0, 9).Draw(t, "erase") == 0 {
		rec = erased(rec)
	}
	types, err := domain.FrameTypes(rec.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	for i := range types {
		h.frames = append(h.frames, domain.SeqOf(rec.Position, i))
	}
	h.log = append(h.log, rec)
	return rec
}

// TestLikeAListOfAllFrames holds the buffer to the end of a list that drops
// nothing, whatever is saved, refused or restarted in between.
func TestLikeAListOfAllFrames(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		size := rapid.IntRange(1, 8).Draw(r, "size")
		var h history
		p, store, saved := catchup.New(size), projections.NewMemStore(), 0
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
				p = catchup.New(size)
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
	kept := h.frames[max(0, len(h.frames)-size):]
	wantDropped := domain.Seq(0)
	if n := len(h.frames) - size; n > 0 {
		wantDropped = h.frames[n-1]
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
