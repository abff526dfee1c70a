package projections_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"chalie/domain"
	"chalie/projections"
)

// demanded are keyframes that are made by questions, as a command has that opens them anew.
type demanded struct {
	*projections.Keyframes
	made int // records that were folded for keyframes
}

func onDemand(feed projections.Feed, store projections.Store) *demanded {
	d := &demanded{}
	d.Keyframes = projections.OpenKeyframes(store, projections.KeyframesConfig{
		Feed: feed, Spacing: 100, OnDemand: true,
		Anew: func() []projections.Projection { return []projections.Projection{&diary{folded: &d.made}} },
	})
	return d
}

// took is how many records a question folds, for its answer and for keyframes.
func (d *demanded) took(t *testing.T, feed projections.Feed, pos domain.Position) int {
	t.Helper()
	d.made = 0
	return at(t, feed, d.Keyframes, pos) + d.made
}

// The first question makes the keyframes on the way to it, and the next folds next to nothing,
// also of another process; one further on goes on from there.
func TestKeyframesOnDemand(t *testing.T) {
	feed, store := newTape(20_000), projections.NewMemStore()
	first := onDemand(feed, store)
	if behind, err := first.Behind(t.Context()); err != nil || behind != 20_000 {
		t.Errorf("without any %d records are behind them, %v", behind, err)
	}
	if took := first.took(t, feed, 10_050); took < 10_000 || took > 10_300 {
		t.Errorf("the first question took %d records", took)
	}
	next := onDemand(feed, store)
	for _, pos := range []domain.Position{10_050, 10_010, 4_321, 150, 1} {
		if took := next.took(t, feed, pos); took > 200 {
			t.Errorf("after that %d took %d records", pos, took)
		}
	}
	if took := next.took(t, feed, 19_950); took < 9_800 || took > 10_300 {
		t.Errorf("what lies behind took %d records", took)
	}
	if behind, err := onDemand(feed, store).Behind(t.Context()); err != nil || behind > 200 {
		t.Errorf("then %d records are behind them, %v", behind, err)
	}
}

// What was kept of another log, or of a longer one, is made anew by the first question that
// finds it, and used from then on. So is what is gone.
func TestKeyframesOnDemandOfOthers(t *testing.T) {
	for name, change := range map[string]func(*tape, *projections.Overlay){
		"another log": func(feed *tape, _ *projections.Overlay) {
			for i := range feed.recs {
				feed.recs[i].Envelope.ID[0] = 9
			}
		},
		"one that went on otherwise": func(feed *tape, _ *projections.Overlay) {
			for i := range feed.recs[5_000:] {
				feed.recs[5_000+i].Envelope.ID[0] = 9
			}
		},
		"a longer log": func(feed *tape, _ *projections.Overlay) { feed.recs = feed.recs[:9_000] },
		"gone": func(_ *tape, store *projections.Overlay) {
			if err := store.Reset(); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			feed, store := newTape(10_000), projections.NewMemStore()
			onDemand(feed, store).took(t, feed, 10_000)
			change(feed, store)
			behind, err := onDemand(feed, store).Behind(t.Context())
			if want := feed.Tail(); err != nil || behind != want && name != "a longer log" {
				t.Errorf("%d records are behind them, want %d, %v", behind, want, err)
			}
			onDemand(feed, store).took(t, feed, feed.Tail()) // checks the answer, too
			if took := onDemand(feed, store).took(t, feed, feed.Tail()); took > 200 {
				t.Errorf("once they were made anew it took %d records", took)
			}
		})
	}
}

// holed is a log that has nothing at a position any more.
type holed struct {
	*tape
	at domain.Position
}

func (h holed) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	recs, err := h.tape.Select(ctx, s, from, limit+1)
	recs = slices.DeleteFunc(recs, func(rec domain.Record) bool { return rec.Position == h.at })
	return recs[:min(limit, len(recs))], err
}

// A keyframe is used though the record that it was made at is gone; and one is made where the
// last record before is.
func TestKeyframesWhereNothingIs(t *testing.T) {
	feed, store := newTape(1_000), projections.NewMemStore()
	onDemand(feed, store).took(t, feed, 1_000)
	if took := onDemand(holed{feed, 600}, store).took(t, holed{feed, 600}, 650); took != 50 {
		t.Errorf("it took %d records", took)
	}
	kept := onDemand(holed{feed, 600}, projections.NewMemStore())
	if _, err := kept.Load(t.Context(), 650, &diary{folded: new(int)}); err != nil || kept.Newest() != 599 {
		t.Errorf("the newest is at %d, %v", kept.Newest(), err)
	}
}

// Where nothing can be kept the answer is the same, and it isn't tried again and again.
func TestKeyframesOnDemandRefused(t *testing.T) {
	feed, store := newTape(5_000), &stubborn{Store: projections.NewMemStore()}
	store.set(&domain.Error{Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Message: "full"})
	kept := onDemand(feed, store)
	kept.took(t, feed, 5_000)
	kept.took(t, feed, 4_000)
	if store.attempts != 1 {
		t.Errorf("it was tried %d times", store.attempts)
	}
}

// A question that is given up leaves what it has made, and says how far it came.
func TestKeyframesOnDemandGivenUp(t *testing.T) {
	feed, store := newTape(5_000), projections.NewMemStore()
	ctx, giveUp := context.WithCancel(t.Context())
	ctx = projections.Telling(ctx, func(done, total domain.Position) {
		if total != 5_000 {
			t.Errorf("%d of %d records", done, total)
		}
		if done >= 3_000 {
			giveUp()
		}
	})
	kept := onDemand(feed, store)
	past, _ := newPast(feed, kept.Keyframes)
	if _, err := past.At(ctx, 5_000); !errors.Is(err, context.Canceled) {
		t.Errorf("it came to %v", err)
	}
	if took := onDemand(feed, store).took(t, feed, 5_000); took > 2_300 {
		t.Errorf("the next question took %d records", took)
	}
}

// Unfolded is what a group will have to fold: all, where what was saved is of another log.
func TestUnfolded(t *testing.T) {
	feed, store := newTape(1_000), projections.NewMemStore()
	unfolded := func() domain.Position {
		r, err := projections.NewRunner(diaries()[0], feed, store, wallClock{}, projections.Config{})
		if err != nil {
			t.Fatal(err)
		}
		g, err := projections.NewGroup(r)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			go func() { _ = g.WaitFor(ctx, feed.Tail()); stop() }()
			if err := g.Run(ctx); err != nil {
				t.Fatal(err)
			}
		}()
		return g.Unfolded(t.Context())
	}
	for _, want := range []domain.Position{1_000, 0} {
		if got := unfolded(); got != want {
			t.Errorf("%d records are to be folded, want %d", got, want)
		}
	}
	feed.extend(50)
	if got := unfolded(); got != 50 {
		t.Errorf("%d records are to be folded, want 50", got)
	}
	for i := range feed.recs {
		feed.recs[i].Envelope.ID[0] = 9
	}
	if got := unfolded(); got != 1_050 {
		t.Errorf("of another log %d records are to be folded, want all", got)
	}
}
