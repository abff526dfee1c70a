package domaintest

import (
	"encoding/binary"
	"sync"

	"chalie/domain"

	"github.com/oklog/ulid/v2"
)

// IDs mints the same ids in every run: the clock's millisecond, the seed, and a
// number that counts up. They are valid ULIDs and UUIDv7s, strictly increasing
// also when the clock goes back. Sources with different seeds never mint the
// same id. It is safe for concurrent use.
type IDs struct {
	clock domain.Clock
	seed  uint16

	mu     sync.Mutex
	millis domain.Millis
	count  uint64
}

var _ domain.IDs = (*IDs)(nil)

// NewIDs makes a source. The lower 12 bits of seed tell sources apart.
func NewIDs(clock domain.Clock, seed uint16) *IDs {
	return &IDs{clock: clock, seed: seed & 0x0fff}
}

// NewID implements domain.IDs.
func (s *IDs) NewID() domain.ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.millis = max(s.millis, domain.MillisOf(s.clock.Now()))
	s.count++
	var u ulid.ULID
	// The clock of a test stays within the 48 bits, which end in the year 10889.
	_ = u.SetTime(uint64(s.millis))
	binary.BigEndian.PutUint16(u[6:8], 0x7000|s.seed)
	binary.BigEndian.PutUint64(u[8:16], 1<<63|s.count)
	return domain.ID(u)
}

// NewTrace mints a trace id.
func (s *IDs) NewTrace() domain.TraceID { return domain.TraceID{ID: s.NewID()} }
