// Package catchup is the projection of what clients were sent last, so that one
// that was away can be sent it again.
//
// It keeps numbers, never text: the record a number leads to gives the frame
// its content when it is sent. So an erased payload is erased here too. It keeps
// its frames and their numbers, because those don't depend on it.
package catchup

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"sync"

	"chalie/domain"
	"chalie/projections"
)

// Size is the number of frames that are kept.
const Size = 200

// Projection keeps the latest frames. Its queries are safe for concurrent use.
type Projection struct {
	size int

	mu    sync.RWMutex
	state state
	more  chan struct{} // closed with the next frame; nil while nobody waits

	changed bool // since the last Save that was kept; guarded by the runner's goroutine
}

// state is the stored form.
type state struct {
	Frames  []domain.Seq `json:"frames"`  // the latest, oldest first
	Dropped domain.Seq   `json:"dropped"` // the one before them; 0 when there was none
}

var _ projections.Committer = (*Projection)(nil)

// New keeps up to size frames. It begins without any.
func New(size int) *Projection { return &Projection{size: max(size, 0), changed: true} }

// After returns the frames kept that come after seq, oldest first, and the last
// frame that is no longer kept; 0 when none was dropped.
//
// Who has seen everything through seq has missed the frames returned, and, when
// dropped is greater than seq, those from seq to dropped, which can't be sent
// again. The slice is the caller's.
func (p *Projection) After(seq domain.Seq) (frames []domain.Seq, dropped domain.Seq) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	all := p.state.Frames
	from := sort.Search(len(all), func(i int) bool { return all[i] > seq })
	return slices.Clone(all[from:]), p.state.Dropped
}

// Wait returns nil once there is a frame after the given one, at once if there
// is one already; ctx's error when ctx ends before.
func (p *Projection) Wait(ctx context.Context, after domain.Seq) error {
	for {
		more := p.moreThan(after)
		if more == nil {
			return nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// moreThan is nil when there is a frame after the given one, and otherwise
// closed when the next frame comes. Looking and asking to be woken are one step,
// so nothing can come in between.
func (p *Projection) moreThan(after domain.Seq) <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state.last() > after {
		return nil
	}
	if p.more == nil {
		p.more = make(chan struct{})
	}
	return p.more
}

// Name is "catchup".
func (p *Projection) Name() string { return "catchup" }

// Version is that of the stored numbers and of how they follow from records.
func (p *Projection) Version() int { return 3 }

// Apply adds the frames of one record. Most records have none and end in a look
// at their type. Clients are sent the default conversation's only. Its error has
// CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	types, err := domain.FrameTypes(rec.Envelope)
	if err != nil || len(types) == 0 || !domain.ConversationOf(rec.Envelope).IsZero() {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range types {
		p.state.Frames = append(p.state.Frames, domain.SeqOf(rec.Position, i))
	}
	p.state.cut(p.size)
	p.changed = true
	p.wake()
	return nil
}

var stateKey = []byte("state")

// Load replaces the frames with the stored ones. Those beyond the size are
// dropped.
func (p *Projection) Load(s projections.Snapshot) error {
	text, found, err := s.Get(stateKey)
	if err != nil {
		return err
	}
	var stored state
	if found {
		if err := json.Unmarshal(text, &stored); err != nil {
			return fmt.Errorf("read the stored frame numbers: %w", err)
		}
	}
	stored.cut(p.size)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state, p.changed = stored, !found
	p.wake()
	return nil
}

// Save writes the numbers when they changed.
func (p *Projection) Save(b projections.Batch) error {
	if !p.changed {
		return nil
	}
	p.mu.RLock()
	text, err := json.Marshal(p.state)
	p.mu.RUnlock()
	if err != nil {
		return fmt.Errorf("write the frame numbers: %w", err)
	}
	return b.Set(stateKey, text)
}

// Saved notes that nothing is left to write.
func (p *Projection) Saved() { p.changed = false }

// wake lets all that wait look again. The lock is held.
func (p *Projection) wake() {
	if p.more != nil {
		close(p.more)
		p.more = nil
	}
}

// last is the latest frame of all; 0 when there was none.
func (s *state) last() domain.Seq {
	if n := len(s.Frames); n > 0 {
		return s.Frames[n-1]
	}
	return s.Dropped
}

// cut drops the oldest frames beyond size.
func (s *state) cut(size int) {
	if extra := len(s.Frames) - size; extra > 0 {
		s.Dropped = s.Frames[extra-1]
		// Cutting the front off instead of moving the rest up: append moves it
		// now and then, when it has to make room anyway.
		s.Frames = s.Frames[extra:]
	}
}
