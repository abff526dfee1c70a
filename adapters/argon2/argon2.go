// Package argon2 hashes passwords with argon2id.
//
// A hash is a PHC string: $argon2id$v=19$m=KiB,t=passes,p=lanes$salt$hash, so
// that parameters may rise later and old hashes still verify. Hashing takes
// memory on purpose; no more than Config.AtOnce run together, up to
// Config.Waiting more wait, and beyond that callers are told to try again.
//
// The memory is allocated anew for every hash, by the library that knows how to fill it.
// So each is collected before the next begins, and given back to the system after the
// last: a row of hashes takes as much as one. What would go beyond the memory limit of the
// program waits until what isn't used any more was given back.
package argon2

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"golang.org/x/crypto/argon2"

	"chalie/commands/account"
	"chalie/domain"
)

const (
	saltBytes = 16
	hashBytes = 32

	// What a stored hash may ask for at most: it comes from our own log, but a
	// damaged one must not take the machine down.
	maxMemoryKiB = 1 << 20
	maxPasses    = 64
	maxLanes     = 64
)

// Config says how much work a hash is. The zero Config takes the defaults.
type Config struct {
	MemoryKiB uint32 // default 64 MiB
	Passes    uint32 // default 3
	Lanes     uint8  // default 1
	AtOnce    int    // hashes that run together; default 1
	Waiting   int    // callers that may wait for their turn; default 16
}

// Hasher hashes and verifies. It is safe for concurrent use.
type Hasher struct {
	cfg     Config
	running chan struct{}
	waiting chan struct{}
}

var _ account.Passwords = (*Hasher)(nil)

// New makes a hasher, or returns a validation error.
func New(cfg Config) (*Hasher, error) {
	cfg = cfg.withDefaults()
	if cfg.MemoryKiB > maxMemoryKiB || cfg.Passes > maxPasses || cfg.Lanes > maxLanes || cfg.AtOnce < 1 || cfg.Waiting < 0 {
		return nil, domain.Invalid("configure argon2", "", fmt.Sprintf(
			"take at most %d KiB, %d passes and %d lanes, and at least one hash at once", maxMemoryKiB, maxPasses, maxLanes))
	}
	return &Hasher{cfg: cfg, running: make(chan struct{}, cfg.AtOnce), waiting: make(chan struct{}, cfg.AtOnce+cfg.Waiting)}, nil
}

func (c Config) withDefaults() Config {
	if c.MemoryKiB == 0 {
		c.MemoryKiB = 64 << 10
	}
	if c.Passes == 0 {
		c.Passes = 3
	}
	if c.Lanes == 0 {
		c.Lanes = 1
	}
	if c.AtOnce == 0 {
		c.AtOnce = 1
	}
	if c.Waiting == 0 {
		c.Waiting = 16
	}
	return c
}

// Hash returns a new PHC string with a fresh salt.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	done, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	salt := make([]byte, saltBytes)
	// Read never fails: it would end the program first.
	_, _ = rand.Read(salt)
	p := phc{memory: h.cfg.MemoryKiB, passes: h.cfg.Passes, lanes: h.cfg.Lanes, salt: salt, size: hashBytes}
	p.hash = p.derive(password)
	return p.String(), nil
}

// Verify reports whether password made hash. A hash that can't be read, the
// empty one included, is never matched and costs as much as a new one.
func (h *Hasher) Verify(ctx context.Context, hash, password string) (bool, error) {
	done, err := h.enter(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	p, ok := parse(hash)
	if !ok {
		p = phc{memory: h.cfg.MemoryKiB, passes: h.cfg.Passes, lanes: h.cfg.Lanes, salt: make([]byte, saltBytes), size: hashBytes}
		p.hash = make([]byte, hashBytes)
	}
	same := subtle.ConstantTimeCompare(p.derive(password), p.hash) == 1
	return same && ok, nil
}

// enter waits for a turn.
func (h *Hasher) enter(ctx context.Context) (done func(), err error) {
	const op = "hash password"
	select {
	case h.waiting <- struct{}{}:
	default:
		return nil, &domain.Error{Op: op, Category: domain.Dependency, Code: "busy", Retriable: true, RetryAfter: time.Second,
			Message: "too many logins at once: try again in a moment"}
	}
	select {
	case h.running <- struct{}{}:
		h.makeRoom()
		return h.leave, nil
	case <-ctx.Done():
		<-h.waiting
		return nil, &domain.Error{Op: op, Category: domain.Dependency, Code: "cancelled", Retriable: true,
			Message: "the wait for a turn ended", Err: ctx.Err()}
	}
}

// tidyFromKiB is the memory from which on it is worth collecting at once.
const tidyFromKiB = 16 << 10

// makeRoom collects before memory is taken that would go beyond the collector's limit: it looks
// at the limit only after so large a piece is there, and by then the kernel may have ended the
// program.
func (h *Hasher) makeRoom() {
	limit := debug.SetMemoryLimit(-1)
	if h.cfg.MemoryKiB < tidyFromKiB || limit == math.MaxInt64 {
		return
	}
	taken := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(taken)
	if taken[0].Value.Uint64()-taken[1].Value.Uint64()+uint64(h.cfg.MemoryKiB)<<10 > uint64(limit) {
		debug.FreeOSMemory()
	}
}

// leave lets the next one begin, once what this one used can be used again.
func (h *Hasher) leave() {
	switch {
	case h.cfg.MemoryKiB < tidyFromKiB:
	case len(h.waiting) > 1:
		runtime.GC()
	default:
		debug.FreeOSMemory()
	}
	<-h.running
	<-h.waiting
}

// phc is a hash with what it was made from.
type phc struct {
	memory, passes uint32
	lanes          uint8
	salt, hash     []byte
	size           uint32
}

func (p phc) derive(password string) []byte {
	return argon2.IDKey([]byte(password), p.salt, p.passes, p.memory, p.lanes, p.size)
}

func (p phc) String() string {
	text := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.passes, p.lanes, text(p.salt), text(p.hash))
}

func parse(text string) (phc, bool) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, false
	}
	var p phc
	if n, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.passes, &p.lanes); err != nil || n != 3 {
		return phc{}, false
	}
	var err error
	if p.salt, err = base64.RawStdEncoding.DecodeString(parts[4]); err != nil || len(p.salt) < 8 || len(p.salt) > 64 {
		return phc{}, false
	}
	if p.hash, err = base64.RawStdEncoding.DecodeString(parts[5]); err != nil || len(p.hash) < 16 || len(p.hash) > 64 {
		return phc{}, false
	}
	p.size = uint32(len(p.hash))
	ok := p.memory >= 8 && p.memory <= maxMemoryKiB && p.passes >= 1 && p.passes <= maxPasses && p.lanes >= 1 && p.lanes <= maxLanes
	return p, ok
}
