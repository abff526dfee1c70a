package transcript_test

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/transcript"
)

// talk draws a log in which every trace holds one opening and at most one end.
type talk struct {
	log     []domain.Record
	traces  byte
	waiting []opening
}

type opening struct {
	trace byte
	who   domain.Principal
}

func (k *talk) next(t *rapid.T) domain.Record {
	pos := domain.Position(len(k.log) + 1)
	draw := rapid.IntRange(0, 9).Draw(t, "what")
	var r domain.Record
	switch {
	case draw < 4 && k.traces < 255:
		k.traces++
		o := opening{k.traces, rapid.SampledFrom([]domain.Principal{operator, operator, "portal"}).Draw(t, "who")}
		k.waiting = append(k.waiting, o)
		if rapid.IntRange(0, 3).Draw(t, "action") == 0 {
			r = rec(t, pos, o.trace, o.who, pressed)
		} else {
			r = rec(t, pos, o.trace, o.who, said)
		}
	case draw < 8 && len(k.waiting) > 0:
		i := rapid.IntRange(0, len(k.waiting)-1).Draw(t, "which")
		o := k.waiting[i]
		k.waiting = append(k.waiting[:i:i], k.waiting[i+1:]...)
		end := rapid.SampledFrom([]domain.ReasoningConcluded{answered, failed, held, notified, urgent}).Draw(t, "end")
		r = rec(t, pos, o.trace, o.who, end)
	default:
		r = rec(t, pos, 0, "station", domain.SignalReceived{SignalType: "a", Content: "b"})
	}
	if rapid.IntRange(0, 9).Draw(t, "erase") == 0 {
		r = erased(r)
	}
	k.log = append(k.log, r)
	return r
}

// naive is the transcript read off a whole log, trace by trace.
func naive(t *rapid.T, log []domain.Record) []domain.Exchange {
	out := []domain.Exchange{}
	for _, r := range log {
		operators := r.Envelope.Principal == operator
		trace := r.Envelope.Trace.ID
		x := domain.Exchange{ID: trace, Position: r.Position, RecordedAt: r.RecordedAt}
		switch r.Envelope.Type {
		case "message.received":
			if operators {
				x.Prompt = r.Envelope.ID
				out = append(out, x)
			}
		case "action.received":
			if operators {
				x.Action = r.Envelope.ID
				out = append(out, x)
			}
		case "reasoning.concluded":
			c, err := domain.ConclusionOf(r.Envelope)
			if err != nil {
				t.Fatal(err)
			}
			at := &x
			for i := range out {
				if out[i].ID == trace {
					at = &out[i]
				}
			}
			at.Conclusion, at.Reply, at.Outcome = r.Envelope.ID, c.Reply, c.Outcome
			if at == &x && (c.Shown == domain.ShownNotification || c.Shown == domain.ShownEscalation) {
				out = append(out, x)
			}
		}
	}
	for i, left := len(out)-1, domain.WorkingMemory; i >= 0 && left > 0; i-- {
		if !out[i].Prompt.IsZero() && !out[i].Conclusion.IsZero() {
			out[i].InWorkingMemory = true
			left--
		}
	}
	return out
}

// TestLikeAWholeRead holds the projection to a plain reading of the log,
// whatever is saved, refused or restarted in between.
func TestLikeAWholeRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var k talk
		store, saved := projections.NewMemStore(), 0
		p := loaded(t, store)
		t.Repeat(map[string]func(*rapid.T){
			"apply": func(t *rapid.T) {
				for range rapid.IntRange(1, 6).Draw(t, "n") {
					apply(t, p, k.next(t))
				}
			},
			"save": func(t *rapid.T) {
				save(t, p, store, domain.Position(len(k.log)))
				saved = len(k.log)
			},
			"a save that is refused": func(t *rapid.T) {
				err := store.Update(domain.Position(len(k.log)), func(b projections.Batch) error { return errors.Join(p.Save(b), errRefused) })
				if !errors.Is(err, errRefused) {
					t.Fatal(err)
				}
			},
			"restart": func(t *rapid.T) {
				p = loaded(t, store)
				apply(t, p, k.log[saved:]...)
			},
			"": func(t *rapid.T) { compare(t, p, naive(t, k.log)) },
		})
	})
}

func compare(t *rapid.T, p *transcript.Projection, want []domain.Exchange) {
	limit := rapid.IntRange(0, len(want)+2).Draw(t, "limit")
	offset := rapid.IntRange(0, len(want)+2).Draw(t, "offset")
	got, total, err := p.Recent(domain.ConversationID{}, limit, offset)
	if err != nil || total != len(want) {
		t.Fatalf("%d exchanges, %v, want %d", total, err, len(want))
	}
	high := max(0, len(want)-offset)
	page := want[max(0, high-limit):high]
	if len(got) != len(page) || len(got) > 0 && !reflect.DeepEqual(got, page) {
		t.Fatalf("%d after skipping %d:\n%+v, want\n%+v", limit, offset, got, page)
	}
	thread, found := p.Thread(domain.ConversationID{})
	if found != (len(want) > 0) || found && thread != want[0].ID {
		t.Fatalf("the thread is %s, %v", thread, found)
	}
}
