package watermillbus_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// What fails comes again, nothing overtakes it, and the next to listen goes on
// behind what was handled.
func TestListen(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	bus := newBus(t, log)
	for _, entry := range domaintest.NewEntries(domaintest.NewIDs(clock, 1), "news", 5) {
		if _, err := log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
	}
	listen := func(group string, through domain.Position) (heard []domain.Position) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := bus.Listen(ctx, group, "news", func(_ context.Context, rec domain.Record) error {
			if rec.Position > through { // so the one before is behind the group
				cancel()
				return errors.New("no more")
			}
			heard = append(heard, rec.Position)
			if len(heard)%2 == 1 {
				return errors.New("not yet")
			}
			return nil
		})
		if err != nil {
			t.Errorf("listening ended with %v", err)
		}
		return heard
	}
	if heard := listen("a", 2); !slices.Equal(heard, []domain.Position{1, 1, 2, 2}) {
		t.Errorf("it heard %v", heard)
	}
	if heard := listen("a", 4); !slices.Equal(heard, []domain.Position{3, 3, 4, 4}) {
		t.Errorf("the second time it heard %v", heard)
	}
	if heard := listen("b", 1); !slices.Equal(heard, []domain.Position{1, 1}) {
		t.Errorf("another group heard %v", heard)
	}
	handle := func(context.Context, domain.Record) error { return nil }
	if err := bus.Listen(t.Context(), "a", "", handle); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("no topic: %v", err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if err := bus.Listen(t.Context(), "a", "news", handle); domain.CodeOf(err) != domain.CodeClosed {
		t.Errorf("on a log that is shut: %v", err)
	}
}
