package pebblelog_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// flaky fails a share of the operations that change the disk while it is on.
type flaky struct {
	on  atomic.Bool
	mu  sync.Mutex
	rng *rand.Rand
}

func (f *flaky) MaybeError(op errorfs.Op) error {
	if !f.on.Load() || op.Kind.ReadOrWrite() != errorfs.OpIsWrite {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.rng.IntN(400) == 0 {
		return fmt.Errorf("%w: %s", errorfs.ErrInjected, op.Path)
	}
	return nil
}

func (f *flaky) String() string { return "flaky" }

// TestCrashPowerLoss cuts the power at a random moment under load, on a file
// system that keeps what was synced and a random part of the rest, and where
// operations fail at random. Each round goes on from the disk the last left.
func TestCrashPowerLoss(t *testing.T) {
	rounds := domaintest.Rounds(t, domaintest.CrashRounds, 10)
	seed := domaintest.Seed(t)
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	known := newLedger()
	disk := vfs.NewCrashableMem()
	for round := range rounds {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		if round%20 == 19 { // a fresh disk now and then keeps the rounds short
			known, disk = newLedger(), vfs.NewCrashableMem()
		}
		next, err := powerLoss(t, disk, known, clock, ids, rng)
		if err != nil {
			t.Fatalf("round %d of seed %d: %v", round, seed, err)
		}
		disk = next
	}
}

func powerLoss(t *testing.T, disk *vfs.MemFS, known *ledger, clock *domaintest.Clock, ids *domaintest.IDs, rng *rand.Rand) (*vfs.MemFS, error) {
	faults := &flaky{rng: rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))}
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: errorfs.Wrap(disk, faults), RetryEvery: time.Millisecond, MemTableBytes: 4 << 20})
	if err := known.check(readAll(t, l)); err != nil {
		return nil, err
	}
	mustVerify(t, l)
	faults.on.Store(rng.IntN(3) == 0)
	fat := 0 // bytes in a payload
	if rng.IntN(8) == 0 {
		fat = 15_000 // so that WALs and memtables fill up and change under load
	}

	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	target := int64(1 + rng.IntN(300))
	var acked atomic.Int64
	reached := make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			publish(ctx, l, known, ids, w, fat, func() {
				if acked.Add(1) >= target {
					once.Do(func() { close(reached) })
				}
			})
		})
	}
	wg.Go(func() { follow(ctx, l, known) })
	select {
	case <-reached:
	case <-time.After(30 * time.Second):
		return nil, fmt.Errorf("%d appends were acknowledged in 30 s, want %d", acked.Load(), target)
	}
	// The ledger is frozen before the disk: what is acknowledged later than the
	// crash may be lost, what was acknowledged before may not.
	known.mu.Lock()
	frozen := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
	before := &ledger{acked: maps.Clone(known.acked), seen: maps.Clone(known.seen)}
	known.mu.Unlock()
	faults.on.Store(false)
	stop()
	wg.Wait()
	if err := l.Close(); err != nil && domain.CodeOf(err) != domain.CodeDiskFailed {
		return nil, fmt.Errorf("close: %w", err)
	}
	known.acked, known.seen = before.acked, before.seen
	return frozen, nil
}

// publish appends until ctx ends; an append whose outcome is unknown is
// repeated with the same ids until it is known. fat is the size of a payload, 0
// for a small one.
func publish(ctx context.Context, l domain.Log, known *ledger, ids *domaintest.IDs, worker, fat int, acked func()) {
	for n := 0; ctx.Err() == nil; n++ {
		batch := domain.Batch{Entries: domaintest.NewEntries(ids, domain.Topic(fmt.Sprintf("topic-%d", worker%3)), 1+n%3)}
		for i := range batch.Entries {
			if fat > 0 {
				batch.Entries[i].Envelope.Payload.Bytes = []byte(`"` + strings.Repeat("x", fat) + `"`)
			}
		}
		for ctx.Err() == nil {
			r, err := l.Append(ctx, batch)
			if err != nil {
				continue
			}
			for i, e := range batch.Entries {
				known.ack(e.Envelope.ID, r.Positions[i])
			}
			acked()
			break
		}
	}
}

// follow reads the tail as it moves and notes what it sees.
func follow(ctx context.Context, l domain.Log, known *ledger) {
	at := domain.Position(0)
	for ctx.Err() == nil {
		if _, err := l.Wait(ctx, at); err != nil {
			return
		}
		recs, err := l.Select(ctx, domain.Selector{}, at+1, 256)
		if err != nil || len(recs) == 0 {
			continue
		}
		known.see(recs)
		at = recs[len(recs)-1].Position
	}
}
