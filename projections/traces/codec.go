package traces

import (
	"encoding/binary"
	"errors"

	"chalie/domain"
)

var errDamaged = errors.New("a stored trace line is damaged")

// encode appends the line, without its trace's id, which is its key: the root's
// ids, then numbers as varints, then texts behind their lengths.
func (l *Line) encode(out []byte) []byte {
	out = append(out, l.Root.EnvelopeID[:]...)
	out = append(out, l.Root.Parent[:]...)
	failed := uint64(0)
	if l.failed {
		failed = 1
	}
	for _, n := range [...]uint64{
		l.Commands, l.Events, l.Results, l.Streams, l.Errors, uint64(l.First), uint64(l.Last - l.First),
		uint64(l.StartedAt), uint64(l.UpdatedAt - l.StartedAt), l.waiting, failed,
	} {
		out = binary.AppendUvarint(out, n)
	}
	for _, s := range [...]string{string(l.Root.Type), string(l.Root.Source), string(l.Root.Principal)} {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	return out
}

// decode reads what encode wrote.
func decode(trace domain.TraceID, in []byte) (Line, error) {
	l := Line{Trace: trace}
	const ids = len(l.Root.EnvelopeID)
	if len(in) < 2*ids {
		return Line{}, errDamaged
	}
	copy(l.Root.EnvelopeID[:], in[:ids])
	copy(l.Root.Parent[:], in[ids:])
	in = in[2*ids:]
	var n [11]uint64
	for i := range n {
		value, size := binary.Uvarint(in)
		if size <= 0 {
			return Line{}, errDamaged
		}
		n[i], in = value, in[size:]
	}
	l.Commands, l.Events, l.Results, l.Streams, l.Errors = n[0], n[1], n[2], n[3], n[4]
	l.First, l.Last = domain.Position(n[5]), domain.Position(n[5]+n[6])
	l.StartedAt, l.UpdatedAt = domain.Millis(n[7]), domain.Millis(n[7]+n[8])
	l.waiting, l.failed = n[9], n[10] == 1
	var texts [3]string
	for i := range texts {
		length, size := binary.Uvarint(in)
		if size <= 0 || length > uint64(len(in)-size) {
			return Line{}, errDamaged
		}
		texts[i], in = string(in[size:size+int(length)]), in[size+int(length):]
	}
	if len(in) > 0 {
		return Line{}, errDamaged
	}
	l.Root.Type, l.Root.Source, l.Root.Principal = domain.EventType(texts[0]), domain.Source(texts[1]), domain.Principal(texts[2])
	return l, nil
}
