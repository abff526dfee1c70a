package projections_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"chalie/domain"
	"chalie/projections"
)

func TestGroupIsolatesFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		feed := newTape(40)
		refused := errors.New("refused")
		good, refuses, panics := newSum("good"), newSum("refuses"), newSum("panics")
		refuses.refuse[12], panics.explode = refused, 20
		var runners []*projections.Runner
		for _, p := range []*sum{refuses, good, panics} {
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
		done := make(chan error, 1)
		go func() { done <- g.Run(ctx) }()

		if err := g.WaitFor(t.Context(), 11); err != nil {
			t.Errorf("all got as far as 11: %v", err)
		}
		if err := g.WaitFor(t.Context(), 40); !errors.Is(err, refused) {
			t.Errorf("WaitFor: %v", err)
		}
		if err := runners[1].WaitFor(t.Context(), 40); err != nil {
			t.Errorf("the good one: %v", err)
		}
		synctest.Wait()
		for i, want := range []struct {
			name  string
			state projections.State
			pos   domain.Position
		}{{"refuses", projections.StateStopped, 11}, {"good", projections.StateLive, 40}, {"panics", projections.StateStopped, 19}} {
			s := g.Status(t.Context())[i]
			if s.Name != want.name || s.State != want.state || s.Position != want.pos {
				t.Errorf("status %+v, want %+v", s, want)
			}
		}
		feed.extend(10)
		if err := runners[1].WaitFor(t.Context(), 50); err != nil {
			t.Errorf("the good one after the failures: %v", err)
		}
		cancel()
		if err := <-done; !errors.Is(err, refused) || !errors.Is(g.Failures(), refused) {
			t.Errorf("Run: %v, Failures: %v", err, g.Failures())
		}
		wantSum(t, good, 50)
	})
}

func TestGroupRefusesTwoOfOneName(t *testing.T) {
	var runners []*projections.Runner
	for range 2 {
		r, err := projections.NewRunner(newSum("sum"), newTape(0), projections.NewMemStore(), wallClock{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		runners = append(runners, r)
	}
	if _, err := projections.NewGroup(runners...); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("NewGroup: %v", err)
	}
}
