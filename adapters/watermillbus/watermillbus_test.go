package watermillbus_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// newBus makes a bus with short pauses over a log.
func newBus(t testing.TB, log domain.Log) *watermillbus.Bus {
	t.Helper()
	clock := domaintest.NewClock()
	bus, err := watermillbus.New(watermillbus.Config{
		Log: log, IDs: domaintest.NewIDs(clock, 0xb5), Clock: clock,
		RedeliverAfter: time.Microsecond, RedeliverAtMost: time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	return bus
}

// faulty is a log of which single calls can be made to fail.
type faulty struct {
	domain.Log

	mu    sync.Mutex
	fails map[string][]error
}

// fail makes the next calls of an operation fail, one for each error: "append
// after" (once it was done), "select" or "save".
func (f *faulty) fail(op string, errs ...error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fails == nil {
		f.fails = map[string][]error{}
	}
	f.fails[op] = append(f.fails[op], errs...)
}

func (f *faulty) failure(op string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	errs := f.fails[op]
	if len(errs) == 0 {
		return nil
	}
	f.fails[op] = errs[1:]
	return errs[0]
}

func (f *faulty) Append(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	receipt, err := f.Log.Append(ctx, b)
	if failure := f.failure("append after"); failure != nil {
		return domain.Receipt{}, failure
	}
	return receipt, err
}

func (f *faulty) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if err := f.failure("select"); err != nil {
		return nil, err
	}
	return f.Log.Select(ctx, s, from, limit)
}

func (f *faulty) SaveCheckpoint(ctx context.Context, name string, pos domain.Position) error {
	if err := f.failure("save"); err != nil {
		return err
	}
	return f.Log.SaveCheckpoint(ctx, name, pos)
}
