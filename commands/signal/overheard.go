package signal

import (
	"context"
	"slices"

	"chalie/commands"
	"chalie/domain"
)

// StreamCaller is the caller of signals that come from a broadcast.
func StreamCaller(s domain.Stream) commands.Caller {
	return commands.Caller{Name: s.Source, Source: s.Emitter(), Principal: s.Principal()}
}

// Heard is an accepted signal with the envelopes it is stored as.
type Heard struct {
	entry  domain.Entry
	change *change // of the person's context, by the signal; nil for none
}

// Overheard collects the signals of one append and the changes they make. The zero
// Overheard is empty. It is not safe for concurrent use.
type Overheard struct {
	entries []domain.Entry
	changes []*change
	bytes   int
}

// Overhear judges one signal of a broadcast: its id is minted here, so repeating the
// append stores it once. The rate limit is for programs that send signals; a broadcast is
// read as fast as the log takes it.
//
// Errors: validation and policy, as Submit's.
func (s *Signals) Overhear(c commands.Caller, sig domain.SignalReceived) (Heard, error) {
	return s.heard(c, sig)
}

// Add adds a signal; false when the batch would get too large for one append. An empty
// Overheard takes any signal.
func (o *Overheard) Add(h Heard) bool {
	size := storedBytes(&h.entry)
	if h.change != nil {
		size += storedBytes(&h.change.entry)
	}
	if len(o.entries) > 0 && o.bytes+size > domain.MaxBatchBytes {
		return false
	}
	o.bytes += size
	o.put(h)
	return true
}

// put adds a signal, and its change unless an earlier one already made it.
func (o *Overheard) put(h Heard) {
	o.entries = append(o.entries, h.entry)
	if h.change == nil {
		return
	}
	h.change.before = h.change.known
	if n := len(o.changes); n > 0 {
		h.change.before = o.changes[n-1].after()
	}
	if h.change.isOne() {
		o.changes = append(o.changes, h.change)
	}
}

// batch is all entries, the signals first.
func (o *Overheard) batch() domain.Batch {
	entries := slices.Clip(o.entries)
	for _, c := range o.changes {
		entries = append(entries, c.entry)
	}
	return domain.Batch{Entries: entries}
}

// storedBytes is an upper bound for an entry's size in a batch.
func storedBytes(e *domain.Entry) int {
	const fixed = 160 // ids, times, lengths, checksum
	env := &e.Envelope
	return fixed + len(e.Topic) + len(env.Type) + len(env.Source) + len(env.Principal) + len(env.Payload.Bytes)
}

// Len is the number of signals.
func (o *Overheard) Len() int { return len(o.entries) }

// Clear empties it for the next signals. Its memory is reused, so no append of it may be
// under way.
func (o *Overheard) Clear() {
	clear(o.entries)
	o.entries, o.changes, o.bytes = o.entries[:0], nil, 0
}

// Halves splits what one append can't take. A change goes with its signal.
func (o *Overheard) Halves() (first, second Overheard) {
	changes := o.changes
	for i, e := range o.entries {
		half := &first
		if i >= len(o.entries)/2 {
			half = &second
		}
		h := Heard{entry: e}
		if len(changes) > 0 && changes[0].entry.Envelope.Parent == e.Envelope.ID {
			h.change, changes = changes[0], changes[1:]
		}
		half.Add(h)
	}
	return first, second
}

// Take appends all signals or none, and returns the position of the last. Of an empty
// Overheard it does nothing. It may be repeated after every error, and stores each signal
// once. Errors are those of domain.Appender.
func (s *Signals) Take(ctx context.Context, o *Overheard) (domain.Position, error) {
	if len(o.entries) == 0 {
		return 0, nil
	}
	receipt, err := s.cfg.Log.Append(ctx, o.batch())
	if err != nil {
		return 0, err
	}
	s.cfg.Surroundings.emit(ctx, o.changes...)
	return receipt.Positions[len(receipt.Positions)-1], nil
}
