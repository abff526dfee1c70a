package traces

import (
	"encoding/binary"
	"errors"

	"chalie/domain"
)

var errDamaged = errors.New("a stored trace line is damaged")

// What a line's first byte tells.
const (
	flagFailed = 1 << iota
	flagOwnID  // its first envelope's id is the trace's, as of all that comes from outside
	flagParent // its first envelope has a parent
	flagsEnd   // above all flags
)

// again replaces a text's length, plus one, where it is that of the line
// before.
const again = 0

// encode appends the line, which follows before in its block; nil is the block's
// first: flags, ids, then numbers as varints, then texts behind their lengths.
func (l *Line) encode(out []byte, before *Line) []byte {
	flags := byte(0)
	if l.failed {
		flags |= flagFailed
	}
	if l.Root.EnvelopeID == l.Trace.ID {
		flags |= flagOwnID
	}
	if l.Root.Parent != (domain.ID{}) {
		flags |= flagParent
	}
	out = append(out, flags)
	out = append(out, l.Trace.ID[:]...)
	if flags&flagOwnID == 0 {
		out = append(out, l.Root.EnvelopeID[:]...)
	}
	if flags&flagParent != 0 {
		out = append(out, l.Root.Parent[:]...)
	}
	for _, n := range [...]uint64{
		l.Commands, l.Events, l.Results, l.Streams, l.Errors, uint64(l.First), uint64(l.Last - l.First),
		uint64(l.StartedAt), uint64(l.UpdatedAt - l.StartedAt), l.waiting,
		l.Tokens, l.CostMicros, uint64(l.Concluded),
	} {
		out = binary.AppendUvarint(out, n)
	}
	known := before.texts()
	for i, s := range l.texts() {
		if before != nil && s == known[i] {
			out = append(out, again)
			continue
		}
		out = binary.AppendUvarint(out, uint64(len(s))+1)
		out = append(out, s...)
	}
	return out
}

// texts are the line's; those of no line are empty.
func (l *Line) texts() [5]string {
	if l == nil {
		return [5]string{}
	}
	return [5]string{string(l.Root.Type), string(l.Root.Source), string(l.Root.Principal), string(l.Tools), string(l.Ended)}
}

// decodeBlock reads lines, in the order they began.
func decodeBlock(in []byte) ([]Line, error) {
	out := make([]Line, 0, 1<<blockBits)
	var before *Line
	for len(in) > 0 {
		line, rest, err := decode(in, before)
		if err != nil {
			return nil, err
		}
		out, in = append(out, line), rest
		before = &out[len(out)-1]
	}
	return out, nil
}

// decode reads what encode wrote behind the same line, and returns what follows it.
func decode(in []byte, before *Line) (Line, []byte, error) {
	var l Line
	if len(in) == 0 || in[0] >= flagsEnd {
		return Line{}, nil, errDamaged
	}
	flags, in := in[0], in[1:]
	l.failed = flags&flagFailed != 0
	ids := []*domain.ID{&l.Trace.ID}
	if flags&flagOwnID == 0 {
		ids = append(ids, &l.Root.EnvelopeID)
	}
	if flags&flagParent != 0 {
		ids = append(ids, &l.Root.Parent)
	}
	for _, id := range ids {
		if len(in) < len(id) {
			return Line{}, nil, errDamaged
		}
		in = in[copy(id[:], in):]
	}
	if flags&flagOwnID != 0 {
		l.Root.EnvelopeID = l.Trace.ID
	}
	var n [13]uint64
	for i := range n {
		value, size := binary.Uvarint(in)
		if size <= 0 {
			return Line{}, nil, errDamaged
		}
		n[i], in = value, in[size:]
	}
	l.Commands, l.Events, l.Results, l.Streams, l.Errors = n[0], n[1], n[2], n[3], n[4]
	l.First, l.Last = domain.Position(n[5]), domain.Position(n[5]+n[6])
	l.StartedAt, l.UpdatedAt = domain.Millis(n[7]), domain.Millis(n[7]+n[8])
	l.waiting, l.Tokens, l.CostMicros, l.Concluded = n[9], n[10], n[11], domain.Position(n[12])
	texts := before.texts()
	for i := range texts {
		length, size := binary.Uvarint(in)
		if size <= 0 || length > uint64(len(in)-size)+1 {
			return Line{}, nil, errDamaged
		}
		in = in[size:]
		if length == again {
			if before == nil {
				return Line{}, nil, errDamaged
			}
			continue
		}
		texts[i], in = string(in[:length-1]), in[length-1:]
	}
	l.Root.Type, l.Root.Source, l.Root.Principal = domain.EventType(texts[0]), domain.Source(texts[1]), domain.Principal(texts[2])
	l.Tools, l.Ended = ToolNames(texts[3]), domain.Outcome(texts[4])
	return l, in, nil
}
