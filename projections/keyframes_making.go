package projections

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"chalie/domain"
)

// makingStep is how many records are folded at a time on the way to a keyframe.
const makingStep = 1024

// making is the way to the next keyframe.
type making struct {
	folds  []Projection
	last   domain.Position // of the last keyframe, or 0
	at     domain.Position // through which they are folded
	passed tally
}

// tally is a projection that counts what it passes.
type tally struct {
	bytes int
	last  frame // of the last record
}

// Name implements Projection, like the others.
func (t *tally) Name() string        { return "tally" }
func (t *tally) Version() int        { return 1 }
func (t *tally) Load(Snapshot) error { return nil }
func (t *tally) Save(Batch) error    { return nil }
func (t *tally) Apply(rec domain.Record) error {
	t.bytes, t.last = t.bytes+rec.Size(), frame{rec.Position, rec.Envelope.ID}
	return nil
}

// CodeKeyframesFull says that keyframes have reached their bound, though thinned out.
const CodeKeyframesFull domain.Code = "keyframes_full"

// Run makes the keyframes that are missing, and those behind them as the log grows, until
// ctx ends or the log closes. Feed decides how fast: it may be a Throttled one. What may
// pass, such as a full disk, is tried again later; the error is of what doesn't, and the
// next start tries again.
func (k *Keyframes) Run(ctx context.Context) error {
	for {
		err := k.follow(ctx)
		switch {
		case ctx.Err() != nil || domain.CodeOf(err) == domain.CodeClosed:
			return nil //nolint:nilerr // it was told to end
		case err != nil && !domain.IsRetriable(err) && !k.isLost():
			return err
		case err != nil:
			k.cfg.Log.Warn("no keyframes are made just now, and looks back take longer; it is tried again", "err", err)
			pause(ctx, k.cfg.RetryAfter)
		}
	}
}

// follow goes on from the last keyframe, until something fails or all are lost.
func (k *Keyframes) follow(ctx context.Context) error {
	m, err := k.begin(ctx)
	for err == nil && !k.isLost() {
		if next := m.at + k.step(); k.cfg.Feed.Tail() < next { // a Throttled feed takes a wait for a rest
			if _, err := k.cfg.Feed.Wait(ctx, next-1); err != nil {
				return err
			}
		}
		err = k.advance(ctx, m)
	}
	return err
}

// makeThrough makes the keyframes that are missing on the way to a position. The error is
// ctx's: what else fails makes the question take longer.
func (k *Keyframes) makeThrough(ctx context.Context, at domain.Position) error {
	select {
	case <-k.turn:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { k.turn <- struct{}{} }()
	if k.failed || at < k.Newest()+2*k.cfg.Spacing {
		return nil
	}
	m, err := k.begin(ctx)
	for from := m.at; err == nil && m.at+k.step() <= at && !k.isLost(); {
		if err = k.advance(ctx, m); err == nil {
			tell(ctx, m.at-from, at-from)
		}
	}
	if err != nil && ctx.Err() == nil {
		k.failed = true
		k.cfg.Log.Warn("no more is kept of the past, and looks back take longer", "last", uint64(k.Newest()), "err", err)
	}
	return ctx.Err()
}

// begin stands at the last keyframe.
func (k *Keyframes) begin(ctx context.Context) (*making, error) {
	m := &making{folds: k.cfg.Anew()}
	err := k.renew()
	if err == nil {
		m.at, err = k.load(ctx, k.Newest(), m.folds)
	}
	m.last = m.at
	return m, err
}

// step is how many records are folded at a time.
func (k *Keyframes) step() domain.Position { return min(makingStep, k.cfg.Spacing) }

// advance folds the next records, and makes a keyframe when it is time.
func (k *Keyframes) advance(ctx context.Context, m *making) error {
	next := m.at + k.step()
	if err := Fold(ctx, k.cfg.Feed, m.at, next, append(slices.Clone(m.folds), &m.passed)...); err != nil {
		return err
	}
	m.at = next
	if due := m.at-m.last >= k.cfg.Spacing || m.passed.bytes >= k.cfg.SpacingBytes; !due || m.passed.last.at == 0 {
		return nil
	}
	return k.keep(ctx, m)
}

func (k *Keyframes) isLost() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lost
}

// renew throws away what is lost.
func (k *Keyframes) renew() error {
	if !k.isLost() {
		return nil
	}
	if err := k.store.Reset(); err != nil {
		return err
	}
	k.mu.Lock()
	about, err := json.Marshal(k.set)
	k.mu.Unlock()
	if err != nil {
		return err
	}
	if err := k.store.Update(0, func(b Batch) error { return b.Set(frameSetKey, about) }); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.frames, k.bytes, k.lost = nil, 0, false
	return nil
}

// keep makes a keyframe at the last record, and has the folds go on from it.
func (k *Keyframes) keep(ctx context.Context, m *making) error {
	f := m.passed.last
	k.mu.Lock()
	size, generation := k.bytes, k.generation
	k.mu.Unlock()
	if err := k.store.Update(f.at, func(b Batch) error {
		for _, p := range m.folds {
			if err := guard(func() error { return p.Save(frameBatch{b, stateOf(p.Name()), f.at, &size}) }); err != nil {
				return foldFailed(p, "into a keyframe", err)
			}
		}
		return errors.Join(b.Set(frameKey(f.at), f.id[:]), setFrameBytes(b, size))
	}); err != nil {
		k.doubt(generation, err)
		return err
	}
	for _, p := range m.folds {
		if c, ok := p.(Committer); ok {
			c.Saved()
		}
	}
	k.mu.Lock()
	if k.generation == generation && !k.lost {
		k.frames, k.bytes = append(k.frames, f), size
	}
	k.mu.Unlock()
	m.last, m.passed = m.at, tally{}
	if at, err := k.load(ctx, f.at, m.folds); err != nil || at != f.at {
		return err // when it can't be read, all are lost
	}
	return k.thinOut(ctx)
}

func frameKey(at domain.Position) []byte {
	return binary.BigEndian.AppendUint64([]byte{framePrefix}, uint64(at))
}

func setFrameBytes(b Batch, size int64) error {
	return b.Set(frameBytesKey, binary.BigEndian.AppendUint64(nil, uint64(size)))
}

// thinOut drops a quarter of the keyframes when all together are too large. Those that
// queries still read stay. When that doesn't help, no more are made.
func (k *Keyframes) thinOut(ctx context.Context) error {
	k.mu.Lock()
	over := k.bytes > k.cfg.Bytes
	var dropped []frame
	if over {
		k.frames, dropped = sparser(k.frames, len(k.frames)*3/4, func(at domain.Position) bool { return k.inUse[at] > 0 })
	}
	frames := slices.Clone(k.frames)
	k.mu.Unlock()
	if !over {
		return nil
	}
	newest := frames[len(frames)-1].at
	// The index first: should it end midway, what is left is held by no keyframe, and goes
	// with the next.
	index := make([][]byte, len(dropped))
	for i, f := range dropped {
		index[i] = frameKey(f.at)
	}
	if err := k.store.Update(newest, deleting(index)); err != nil {
		return err
	}
	size, err := k.sweep(ctx, frames)
	if err != nil {
		return err
	}
	k.mu.Lock()
	k.bytes = size
	k.mu.Unlock()
	if size > k.cfg.Bytes {
		return &domain.Error{Op: "make keyframes", Category: domain.Dependency, Code: CodeKeyframesFull,
			Message: fmt.Sprintf("what is kept of the past takes %d MiB and can't be thinned out: no more is kept behind position %d, and looks back behind that take longer", size>>20, newest)}
	}
	return nil
}

// sparser drops keyframes where they are densest, the oldest first, until no more are left
// than wanted. The last one stays, and those in use.
func sparser(all []frame, most int, inUse func(domain.Position) bool) (kept, dropped []frame) {
	kept = all
	for width := domain.Position(2); len(kept) > most && width/4 <= all[len(all)-1].at; width *= 2 {
		var before domain.Position
		left, some := len(kept), make([]frame, 0, len(kept))
		for i, f := range kept {
			if i+1 < len(kept) && left > most && kept[i+1].at-before <= width && !inUse(f.at) {
				dropped, left = append(dropped, f), left-1
				continue
			}
			some, before = append(some, f), f.at
		}
		kept = some
	}
	return kept, dropped
}

// sweepStep is how many keys are deleted in one Update.
const sweepStep = 4096

// sweep deletes what no keyframe holds, and returns the bytes of the rest.
func (k *Keyframes) sweep(ctx context.Context, frames []frame) (size int64, err error) {
	newest := frames[len(frames)-1].at
	var gone [][]byte
	var last []byte
	var until domain.Position // where the next value of the key was written
	var failed error
	err = k.store.Scan([]byte{statePrefix}, false, func(key, value []byte) bool {
		of, at := parted(key)
		if !bytes.Equal(of, last) {
			last, until = append(last[:0], of...), ^domain.Position(0)
		}
		i, _ := findFrame(frames, at) // the first that would read it
		if i < len(frames) && frames[i].at < until {
			size += int64(len(key) + len(value))
		} else if gone = append(gone, slices.Clone(key)); len(gone) == sweepStep {
			failed = k.store.Update(newest, deleting(gone))
			gone = gone[:0]
		}
		until = at
		return failed == nil && ctx.Err() == nil
	})
	if err := errors.Join(err, failed, ctx.Err()); err != nil {
		return 0, err
	}
	return size, k.store.Update(newest, func(b Batch) error {
		return errors.Join(deleting(gone)(b), setFrameBytes(b, size))
	})
}

func deleting(keys [][]byte) func(Batch) error {
	return func(b Batch) error {
		for _, key := range keys {
			if err := b.Delete(key); err != nil {
				return err
			}
		}
		return nil
	}
}
