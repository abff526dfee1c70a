package projections_test

import (
	"context"
	"testing"
	"testing/synctest"

	"chalie/domain"
	"chalie/projections"
)

// stands folds two projections, of which one fails at record 30, and tells how they stand at
// a position.
func stands(t *testing.T, feed projections.Feed, through domain.Position) []projections.Stand {
	t.Helper()
	good, fails := newSum("good"), newSum("fails")
	fails.explode = 30
	var runners []*projections.Runner
	for _, p := range []*sum{fails, good} {
		r, err := projections.NewRunner(p, feed, projections.NewMemStore(), wallClock{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		runners = append(runners, r)
	}
	g, err := projections.NewGroup(runners...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = g.Run(ctx)
	}()
	if err := runners[1].WaitFor(t.Context(), through); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	out, err := g.Stands(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-ended
	return out
}

// TestStands: a longer log that ends for a fold at a position gives what a log that ends
// there gives, and a projection that has stopped stands nowhere.
func TestStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short, bounded := stands(t, newTape(20), 20), stands(t, projections.Through(newTape(40), 20), 20)
		if len(short) != 2 || len(bounded) != 2 {
			t.Fatalf("%+v and %+v", short, bounded)
		}
		for i, s := range short {
			if bounded[i] != s || s.Position != 20 || s.Digest == "" {
				t.Errorf("%+v, and of the longer log %+v", s, bounded[i])
			}
		}
		long := stands(t, newTape(40), 40)
		if len(long) != 1 || long[0].Name != "good" || long[0].Position != 40 || long[0].Digest == short[1].Digest {
			t.Errorf("of the whole: %+v", long)
		}
	})
}
