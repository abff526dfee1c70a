package catchup_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/catchup"
)

func TestWaitsForTheNextFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := catchup.New(catchup.Frames, catchup.Size)
		log := messages(t, 2)
		apply(t, p, log[0])
		if err := p.Wait(t.Context(), 15); err != nil {
			t.Errorf("waiting for what is there: %v", err)
		}
		ended := make(chan error, 1)
		go func() { ended <- p.Wait(t.Context(), domain.SeqOf(2, 0)) }()
		step := func(what string, rec domain.Record, want bool) {
			t.Helper()
			apply(t, p, rec)
			synctest.Wait()
			select {
			case err := <-ended:
				if !want || err != nil {
					t.Errorf("Wait returned %v after %s", err, what)
				}
			default:
				if want {
					t.Errorf("Wait still waits after %s", what)
				}
			}
		}
		step("an earlier frame", log[1], false)
		step("a signal", record(t, 3, "station", domain.SignalReceived{SignalType: "a", Content: "b"}), false)
		step("the next frame", record(t, 4, domain.PrincipalOperator, answered), true)
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := catchup.New(catchup.Frames, catchup.Size)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.Wait(ctx, 0) }()
		synctest.Wait()
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Wait returned %v", err)
		}
		apply(t, p, messages(t, 1)...)
		if err := p.Wait(ctx, 0); err != nil {
			t.Errorf("waiting for what is there with an ended context: %v", err)
		}
	})
}

// What was stored may hold the frame that somebody waits for.
func TestLoadWakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, before := projections.NewMemStore(), catchup.New(catchup.Frames, catchup.Size)
		apply(t, before, messages(t, 1)...)
		if err := store.Update(1, before.Save); err != nil {
			t.Fatal(err)
		}
		p := catchup.New(catchup.Frames, catchup.Size)
		ended := make(chan error, 1)
		go func() { ended <- p.Wait(t.Context(), 0) }()
		synctest.Wait()
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// TestNoWakeUpIsLost lets many follow while frames come in: each has to come to
// the last one, every frame seen or known to be dropped. Should a wake-up get
// lost, the bubble reports that everyone is blocked.
func TestNoWakeUpIsLost(t *testing.T) {
	const records, followers = 2000, 8
	log := messages(t, records)
	synctest.Test(t, func(t *testing.T) {
		p := catchup.New(catchup.Frames, 20)
		var following sync.WaitGroup
		for range followers {
			following.Go(func() {
				if missed := follow(t, p, domain.SeqOf(records, 0)); missed != 0 {
					t.Errorf("%d frames were neither seen nor dropped", missed)
				}
			})
		}
		for _, rec := range log {
			apply(t, p, rec)
			if rec.Position%64 == 0 {
				synctest.Wait() // so that all are waiting now and then
			}
		}
		following.Wait()
	})
}

// follow sees frames through last, one to a position, and counts those that it
// was told nothing about.
func follow(t *testing.T, p *catchup.Projection, last domain.Seq) (missed domain.Position) {
	seen := domain.Seq(0)
	for seen < last {
		if err := p.Wait(t.Context(), seen); err != nil {
			t.Error(err)
			return missed
		}
		frames, dropped := p.After(seen)
		if len(frames) == 0 {
			t.Errorf("Wait returned, and there is nothing after %d", seen)
			return missed
		}
		for _, seq := range frames {
			missed += seq.Position() - 1 - max(seen, dropped).Position()
			seen = seq
		}
	}
	return missed
}
