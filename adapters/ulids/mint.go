package ulids

import (
	"crypto/rand"
	"encoding/binary"
	"sync"

	"chalie/domain"

	"github.com/oklog/ulid/v2"
)

// Mint is a domain.IDs. Make one with New; it is safe for concurrent use.
type Mint struct {
	clock domain.Clock

	mu     sync.Mutex
	millis uint64 // of the last id
	high   uint16 // its 12 random bits
	low    uint64 // its 62 random bits
	random [1024]byte
	used   int // of random
}

var _ domain.IDs = (*Mint)(nil)

const (
	maxHigh = 1<<12 - 1
	maxLow  = 1<<62 - 1
)

// New makes a mint. Two mints in one process don't know of each other: the
// order of their ids is only that of the clock.
func New(clock domain.Clock) *Mint {
	m := &Mint{clock: clock}
	m.used = len(m.random)
	return m
}

// NewID implements domain.IDs. Times before 1970 and after the year 10889 don't
// fit into an id; they count as those.
func (m *Mint) NewID() domain.ID {
	// Only after 1970 is the conversion safe.
	now := min(uint64(max(domain.MillisOf(m.clock.Now()), 0)), ulid.MaxTime())
	m.mu.Lock()
	if now > m.millis {
		m.begin(now)
	} else {
		m.count()
	}
	millis, high, low := m.millis, m.high, m.low
	m.mu.Unlock()

	var id domain.ID
	binary.BigEndian.PutUint64(id[:8], millis<<16|0x7000|uint64(high))
	binary.BigEndian.PutUint64(id[8:], 1<<63|low)
	return id
}

// begin starts a millisecond at a random number.
func (m *Mint) begin(millis uint64) {
	m.millis = millis
	m.high = binary.BigEndian.Uint16(m.take(2)) & maxHigh
	m.low = binary.BigEndian.Uint64(m.take(8)) & maxLow
}

// count goes on within a millisecond.
func (m *Mint) count() {
	m.low += 1 + uint64(binary.BigEndian.Uint32(m.take(4)))
	if m.low <= maxLow {
		return
	}
	m.low &= maxLow
	if m.high++; m.high > maxHigh {
		m.begin(m.millis + 1)
	}
}

// take returns n random bytes, valid until the next call.
func (m *Mint) take(n int) []byte {
	if m.used+n > len(m.random) {
		// It never fails: a machine without randomness ends the program.
		_, _ = rand.Read(m.random[:])
		m.used = 0
	}
	m.used += n
	return m.random[m.used-n : m.used]
}
