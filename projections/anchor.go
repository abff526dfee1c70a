package projections

import (
	"context"
	"encoding/binary"
	"fmt"

	"chalie/domain"
)

// reserved is how the keys begin that a runner writes into a projection's store
// for itself. They come before all of the projection's, whose keys begin otherwise.
const reserved = 0x00

// anchorKey holds which record the state was folded through. It is written with
// every save, so a reader of the store learns from its first key which state
// the others are.
var anchorKey = []byte{reserved, 'a', 'n', 'c', 'h', 'o', 'r'}

// anchor names the record that a stored state was folded through: the position,
// which every log has, and the envelope, which only one log has there.
type anchor struct {
	Position domain.Position
	Envelope domain.ID
}

const anchorSize = 8 + len(domain.ID{})

func (o anchor) encode() []byte {
	out := binary.BigEndian.AppendUint64(make([]byte, 0, anchorSize), uint64(o.Position))
	return append(out, o.Envelope[:]...)
}

func decodeAnchor(value []byte) (o anchor, err error) {
	if len(value) != anchorSize {
		return anchor{}, fmt.Errorf("what says which log it was folded from has %d bytes, not %d", len(value), anchorSize)
	}
	o.Position = domain.Position(binary.BigEndian.Uint64(value))
	copy(o.Envelope[:], value[8:])
	return o, nil
}

// firstOwn comes after all keys of runners, and before all of projections.
var firstOwn = []byte{reserved + 1}

// checkAnchor proves that the state stored through pos was folded from this log.
// What is no longer there, or can't be read now, proves nothing against it.
func checkAnchor(ctx context.Context, feed Feed, store Snapshot, pos domain.Position) error {
	value, found, err := store.Get(anchorKey)
	switch {
	case err != nil:
		return err
	case pos == 0 && !found:
		return nil // nothing was folded yet
	case !found:
		return fmt.Errorf("it doesn't say which log it was folded from")
	}
	o, err := decodeAnchor(value)
	if err != nil {
		return err
	}
	if o.Position != pos {
		return fmt.Errorf("its checkpoint is %d, and its state is that of %d", pos, o.Position)
	}
	recs, err := feed.Select(ctx, domain.Selector{}, pos, 1)
	if err == nil && len(recs) == 1 && recs[0].Position == pos && recs[0].Envelope.ID != o.Envelope {
		return fmt.Errorf("it was folded from another log: at position %d that had envelope %s, and this one has %s", pos, o.Envelope, recs[0].Envelope.ID)
	}
	return nil
}
