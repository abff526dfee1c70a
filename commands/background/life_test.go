package background_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// fullDisk is a log that can be told to have no room.
type fullDisk struct {
	domain.Log
	full atomic.Bool
}

func (f *fullDisk) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	if f.full.Load() {
		return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskLow, Retriable: true, Message: "no room"}
	}
	return f.Log.Append(ctx, b)
}

// TestLifeBeginsBeforeAnything is a program on a disk that is full at first: nothing is
// recorded before its start is, and a program that never began has no end.
func TestLifeBeginsBeforeAnything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := domaintest.NewClock()
		disk := &fullDisk{Log: memlog.New(clock)}
		disk.full.Store(true)
		env := commands.Env{Log: disk, Reader: disk, Tail: disk, Clock: clock, IDs: domaintest.NewIDs(clock, 1), Logger: slog.New(slog.DiscardHandler)}
		life := background.NewLife(background.LifeConfig{
			Log: disk, Env: env, Folded: folded{}, Started: func() domain.SystemStarted { return domain.SystemStarted{Version: "v1", Tail: disk.Tail()} },
		})
		if pos, _, err := life.Start(t.Context()); pos != 0 || err != nil {
			t.Fatalf("it began at %d, %v", pos, err)
		}
		rebuilt := domain.ProjectionRebuilt{Name: "world", FromVersion: 1, ToVersion: 2}
		if err := life.Rebuilt(t.Context(), rebuilt, domain.PrincipalCore); domain.CodeOf(err) != domain.CodeDiskLow {
			t.Errorf("what comes before the start is not refused as it is: %v", err)
		}
		if err := life.Stop("never began"); err != nil || disk.Tail() != 0 {
			t.Fatalf("an end without a beginning: %d records, %v", disk.Tail(), err)
		}
		ended := make(chan struct{})
		go func() { defer close(ended); life.StartLater(t.Context()) }()
		domaintest.Pass(3 * time.Second)
		disk.full.Store(false)
		<-ended
		if err := errors.Join(life.Rebuilt(t.Context(), rebuilt, domain.PrincipalCore), life.Stop("asked to")); err != nil {
			t.Fatal(err)
		}
		records, err := disk.Select(t.Context(), domain.Selector{}, 1, 10)
		if err != nil {
			t.Fatal(err)
		}
		var types []domain.EventType
		for _, rec := range records {
			types = append(types, rec.Envelope.Type)
		}
		if want := []domain.EventType{domain.SystemStartedType, domain.ProjectionRebuiltType, domain.SystemStoppedType}; !slices.Equal(types, want) {
			t.Errorf("recorded are %v, want %v", types, want)
		}
	})
}

// folded is a projection that is never behind.
type folded struct{}

func (folded) WaitFor(context.Context, domain.Position) error { return nil }
