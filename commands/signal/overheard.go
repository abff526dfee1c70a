package signal

import (
	"context"

	"chalie/commands"
	"chalie/domain"
)

// StreamCaller is a broadcast that Chalie listens to.
func StreamCaller(s domain.Stream) commands.Caller {
	return commands.Caller{Name: s.Source, Source: s.Emitter(), Principal: s.Principal()}
}

// Overheard collects what one broadcast says until it is taken in with one
// append. The zero Overheard is empty. It is not safe for concurrent use.
type Overheard struct {
	entries []domain.Entry
	bytes   int
}

// Overhear judges one signal of a broadcast and makes what the log keeps of it:
// its id is minted here, so repeating the append takes it in once. The rate limit
// is for those who come of their own accord; a broadcast is listened to as fast
// as the log takes it.
//
// Errors: validation and policy, as Submit's.
func (s *Signals) Overhear(c commands.Caller, sig domain.SignalReceived) (domain.Entry, error) {
	return s.entry(c, sig)
}

// Add puts an entry to the others; false when one append can't take it with
// them. An empty Overheard takes any entry that Overhear made.
func (o *Overheard) Add(e domain.Entry) bool {
	size := storedBytes(&e)
	if len(o.entries) > 0 && o.bytes+size > domain.MaxBatchBytes {
		return false
	}
	o.entries, o.bytes = append(o.entries, e), o.bytes+size
	return true
}

// storedBytes is at least what an entry takes in a batch.
func storedBytes(e *domain.Entry) int {
	const fixed = 160 // ids, times, lengths, checksum
	env := &e.Envelope
	return fixed + len(e.Topic) + len(env.Type) + len(env.Source) + len(env.Principal) + len(env.Payload.Bytes)
}

// Len is how many signals there are.
func (o *Overheard) Len() int { return len(o.entries) }

// Clear empties it for the next ones. Its memory is used again, so nothing may
// be appending it.
func (o *Overheard) Clear() {
	clear(o.entries)
	o.entries, o.bytes = o.entries[:0], 0
}

// Halves splits what can't be taken whole.
func (o *Overheard) Halves() (first, second Overheard) {
	for i, e := range o.entries {
		half := &first
		if i >= len(o.entries)/2 {
			half = &second
		}
		half.entries, half.bytes = append(half.entries, e), half.bytes+storedBytes(&e)
	}
	return first, second
}

// Take appends all of it, or nothing, and returns the position of the last. With
// none there is nothing to do. It may be repeated after every error, and takes
// everything in once. Errors are those of domain.Appender.
func (s *Signals) Take(ctx context.Context, o *Overheard) (domain.Position, error) {
	if len(o.entries) == 0 {
		return 0, nil
	}
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{Entries: o.entries})
	if err != nil {
		return 0, err
	}
	return receipt.Positions[len(receipt.Positions)-1], nil
}
