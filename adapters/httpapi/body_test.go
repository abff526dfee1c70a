package httpapi

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"chalie/domain"
)

// Whatever others hold, there is room for the person; who finds none waits, and is
// refused in the end.
func TestRoomForBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bodies{all: 8000}
		refused := func(who sender, n int64) {
			t.Helper()
			began := time.Now()
			if err := b.take(t.Context(), who, n); domain.CodeOf(err) != codeNoRoom || !domain.IsRetriable(err) || time.Since(began) != roomPatience {
				t.Errorf("after %s: %v", time.Since(began), err)
			}
		}
		taken := func(who sender, n int64) {
			t.Helper()
			if err := b.take(t.Context(), who, n); err != nil {
				t.Error(err)
			}
		}
		taken(byStranger, 1000)
		refused(byStranger, 1)
		taken(byProgram, 4000)
		refused(byProgram, 1)
		taken(byOperator, 3000)
		refused(byOperator, 1)
		b.give(byProgram, 4000)
		refused(byStranger, 1) // what others leave is not for strangers
		taken(byOperator, 4000)
		b.give(byOperator, 7000)

		// Who waits goes on as soon as there is room.
		taken(byProgram, 4000)
		done := make(chan error, 1)
		go func() { done <- b.take(t.Context(), byProgram, 500) }()
		synctest.Wait()
		b.give(byProgram, 1000)
		if err := <-done; err != nil {
			t.Error(err)
		}
		ctx, gone := context.WithCancel(t.Context())
		gone()
		if err := b.take(ctx, byStranger, 5000); domain.CodeOf(err) != codeNoRoom {
			t.Errorf("who has gone: %v", err)
		}
		if b.taken != [3]int64{1000, 3500, 0} {
			t.Errorf("taken are %v", b.taken)
		}
	})
}
