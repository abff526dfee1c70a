package ulids_test

import (
	"bytes"
	"sync"
	"testing"
	"time"

	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"
)

func TestIDIsULIDAndUUID(t *testing.T) {
	clock := domaintest.NewClock()
	mint := ulids.New(clock)
	for range 1000 {
		clock.Advance(time.Millisecond / 3)
		id := mint.NewID()
		u, err := uuid.Parse(id.UUID())
		if err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
			t.Fatalf("%s is no UUIDv7: version %d, variant %s, %v", id.UUID(), u.Version(), u.Variant(), err)
		}
		parsed, err := ulid.ParseStrict(id.String())
		if err != nil || parsed != ulid.ULID(id) {
			t.Fatalf("%s is no ULID of the same bits: %v", id, err)
		}
		if want := domain.MillisOf(clock.Now()); id.Millis() != want {
			t.Fatalf("%s carries time %d, want %d", id, id.Millis(), want)
		}
	}
}

func TestIDsIncrease(t *testing.T) {
	start := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	for name, move := range map[string]func(*domaintest.Clock){
		"the clock stands still": func(*domaintest.Clock) {},
		"the clock goes on":      func(c *domaintest.Clock) { c.Advance(time.Microsecond) },
		"the clock goes back":    func(c *domaintest.Clock) { c.Advance(-time.Second) },
		"before 1970":            func(c *domaintest.Clock) { c.Set(time.Unix(-1, 0)) },
		"the last millisecond":   func(c *domaintest.Clock) { c.Set(time.UnixMilli(int64(ulid.MaxTime()))) },
		"past the last":          func(c *domaintest.Clock) { c.Set(time.UnixMilli(int64(ulid.MaxTime()) + 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			clock := domaintest.NewClockAt(start)
			mint := ulids.New(clock)
			last := mint.NewID()
			for range 10_000 {
				move(clock)
				id := mint.NewID()
				if bytes.Compare(id[:], last[:]) <= 0 || id.String() <= last.String() || id.UUID() <= last.UUID() {
					t.Fatalf("%s follows %s", id, last)
				}
				last = id
			}
		})
	}
}

func TestIDsAreUnique(t *testing.T) {
	const minters, each = 8, 2000
	mints := []*ulids.Mint{ulids.New(sysclock.Clock{}), ulids.New(sysclock.Clock{})}
	ids := make([][]domain.ID, minters)
	var wg sync.WaitGroup
	for i := range minters {
		wg.Go(func() {
			for range each {
				ids[i] = append(ids[i], mints[i%len(mints)].NewID())
			}
		})
	}
	wg.Wait()
	seen := map[domain.ID]bool{}
	for _, some := range ids {
		for i, id := range some {
			if seen[id] {
				t.Fatalf("%s was minted twice", id)
			}
			seen[id] = true
			if i > 0 && bytes.Compare(id[:], some[i-1][:]) <= 0 {
				t.Fatalf("one caller got %s after %s", id, some[i-1])
			}
		}
	}
}

// BenchmarkNewID compares with google/uuid, which reads randomness for each id.
func BenchmarkNewID(b *testing.B) {
	b.Run("mint", func(b *testing.B) {
		mint := ulids.New(sysclock.Clock{})
		for b.Loop() {
			mint.NewID()
		}
	})
	b.Run("mint, parallel", func(b *testing.B) {
		mint := ulids.New(sysclock.Clock{})
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				mint.NewID()
			}
		})
	})
	b.Run("google/uuid v7", func(b *testing.B) {
		for b.Loop() {
			if _, err := uuid.NewV7(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
