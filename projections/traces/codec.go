package traces

import (
	"encoding/binary"
	"errors"

	"chalie/domain"
)

var errDamaged = errors.New("a stored trace line is damaged")

// encode appends the line: ids, then numbers as varints, then texts behind their
// lengths.
func (l *Line) encode(out []byte) []byte {
	out = append(out, l.Trace.ID[:]...)
	out = append(out, l.Root.EnvelopeID[:]...)
	out = append(out, l.Root.Parent[:]...)
	failed := uint64(0)
	if l.failed {
		failed = 1
	}
	for _, n := range [...]uint64{
		l.Commands, l.Events, l.Results, l.Streams, l.Errors, uint64(l.First), uint64(l.Last - l.First),
		uint64(l.StartedAt), uint64(l.UpdatedAt - l.StartedAt), l.waiting, failed,
		l.Tokens, l.CostMicros, uint64(l.Concluded),
	} {
		out = binary.AppendUvarint(out, n)
	}
	for _, s := range [...]string{string(l.Root.Type), string(l.Root.Source), string(l.Root.Principal), string(l.Tools), string(l.Ended)} {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	return out
}

// decodeBlock reads lines, in the order they began.
func decodeBlock(in []byte) ([]Line, error) {
	out := make([]Line, 0, 1<<blockBits)
	for len(in) > 0 {
		line, rest, err := decode(in)
		if err != nil {
			return nil, err
		}
		out, in = append(out, line), rest
	}
	return out, nil
}

// decode reads what encode wrote, and returns what follows it.
func decode(in []byte) (Line, []byte, error) {
	var l Line
	const size = len(l.Trace.ID)
	if len(in) < 3*size {
		return Line{}, nil, errDamaged
	}
	copy(l.Trace.ID[:], in)
	copy(l.Root.EnvelopeID[:], in[size:])
	copy(l.Root.Parent[:], in[2*size:])
	in = in[3*size:]
	var n [14]uint64
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
	l.waiting, l.failed = n[9], n[10] == 1
	l.Tokens, l.CostMicros, l.Concluded = n[11], n[12], domain.Position(n[13])
	var texts [5]string
	for i := range texts {
		length, size := binary.Uvarint(in)
		if size <= 0 || length > uint64(len(in)-size) {
			return Line{}, nil, errDamaged
		}
		texts[i], in = string(in[size:size+int(length)]), in[size+int(length):]
	}
	l.Root.Type, l.Root.Source, l.Root.Principal = domain.EventType(texts[0]), domain.Source(texts[1]), domain.Principal(texts[2])
	l.Tools, l.Ended = ToolNames(texts[3]), domain.Outcome(texts[4])
	return l, in, nil
}
