// Package catchup is the projection of what clients were sent last, so that one
// that was away can be sent it again.
//
// It keeps numbers, never text: the record a number leads to gives the frame
// its content when it is sent. So an erased payload is erased here too. It keeps
// its frames and their numbers, because those don't depend on it.
//
// What was added to a reply while it was made is kept until the reply is there, or takes
// another attempt, and forgotten then, but for the last part: it would crowd out what a client
// has missed.
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

// Source is what a projection keeps the frames of.
type Source struct {
	Name    string // of the projection
	Version int
	// Types are the frames of an envelope, as those of domain.FrameTypes: they follow from the
	// envelope alone.
	Types func(domain.Envelope) ([]domain.FrameType, error)
}

// Frames are what clients are sent of the default conversation.
var Frames = Source{"catchup", 4, func(e domain.Envelope) ([]domain.FrameType, error) {
	if !domain.ConversationOf(e).IsZero() {
		return nil, nil
	}
	return domain.FrameTypes(e)
}}

// Console is what consoles are sent, of all conversations.
var Console = Source{"console", 1, domain.ConsoleTypes}

// Size is the number of frames that are kept, those of a reply that is being made apart.
const Size = 200

// mostDeltas bounds those: more than one attempt at a reply ever has.
const mostDeltas = 512

// Projection keeps the latest frames. Its queries are safe for concurrent use.
type Projection struct {
	of   Source
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
	Deltas  []delta      `json:"deltas"`  // those of Frames that are forgotten with a reply, oldest first
}

// delta is a frame of a reply that is being made.
type delta struct {
	Seq   domain.Seq     `json:"seq"`
	Trace domain.TraceID `json:"trace"`
}

var _ projections.Committer = (*Projection)(nil)

// New keeps up to size frames. It begins without any.
func New(of Source, size int) *Projection {
	return &Projection{of: of, size: max(size, 0), changed: true}
}

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

// Name is the source's.
func (p *Projection) Name() string { return p.of.Name }

// Version is that of the stored numbers and of how they follow from records.
func (p *Projection) Version() int { return p.of.Version }

// Apply adds the frames of one record. Most records have none and end in a look
// at their type. Its error has CodeUndecodable.
func (p *Projection) Apply(rec domain.Record) error {
	types, err := p.of.Types(rec.Envelope)
	ends := domain.EndsDeltas(rec.Envelope)
	if err != nil || len(types) == 0 && !ends {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if ends {
		p.forget(rec.Envelope.Trace)
	}
	if len(types) == 0 {
		return nil
	}
	for i, t := range types {
		seq := domain.SeqOf(rec.Position, i)
		p.state.Frames = append(p.state.Frames, seq)
		if (t == domain.FrameDelta || t == domain.ConsoleDelta) && !slices.Contains(rec.Envelope.Keys, domain.LastPartKey) {
			p.state.Deltas = append(p.state.Deltas, delta{seq, rec.Envelope.Trace})
		}
	}
	p.state.cut(p.size)
	p.changed = true
	p.wake()
	return nil
}

// forget leaves out what was added to a reply of a trace. The lock is held.
func (p *Projection) forget(trace domain.TraceID) {
	gone := map[domain.Seq]bool{}
	for _, d := range p.state.Deltas {
		if d.Trace == trace {
			gone[d.Seq] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	p.state.Deltas = slices.DeleteFunc(slices.Clone(p.state.Deltas), func(d delta) bool { return gone[d.Seq] })
	p.state.Frames = slices.DeleteFunc(slices.Clone(p.state.Frames), func(seq domain.Seq) bool { return gone[seq] })
	p.changed = true
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
	ordinary, deltas := len(s.Frames)-len(s.Deltas), len(s.Deltas)
	extra := 0
	for ordinary > size || deltas > mostDeltas {
		if first := len(s.Deltas) - deltas; deltas > 0 && s.Deltas[first].Seq == s.Frames[extra] {
			deltas--
		} else {
			ordinary--
		}
		extra++
	}
	if extra > 0 {
		s.Dropped = s.Frames[extra-1]
		// Cutting the front off instead of moving the rest up: append moves it
		// now and then, when it has to make room anyway.
		s.Frames, s.Deltas = s.Frames[extra:], s.Deltas[len(s.Deltas)-deltas:]
	}
}
