package traces

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"chalie/domain"
	"chalie/projections"
)

const (
	blockPrefix = 'b'
	indexPrefix = 'x'
	strayPrefix = 't'

	blockBits  = 6  // of a position: lines that begin at 64 positions share a block
	indexBlock = 64 // traces in one block of the index
)

// disk is the stored lines.
type disk struct {
	store   projections.Snapshot
	highest domain.TraceID // no stored trace has a greater id
	newest  uint64         // no stored block has a greater number
}

func idKey(prefix byte, trace domain.TraceID) []byte {
	return append(append(make([]byte, 0, 18), prefix), trace.ID[:]...)
}

func blockKey(number uint64) []byte {
	return binary.BigEndian.AppendUint64(append(make([]byte, 0, 9), blockPrefix), number)
}

func blockOf(first domain.Position) uint64 { return uint64(first) >> blockBits }

func compareIDs(a, b domain.TraceID) int { return bytes.Compare(a.ID[:], b.ID[:]) }

// openDisk finds the ends of what is stored.
func openDisk(store projections.Snapshot) (disk, error) {
	d := disk{store: store}
	damaged := error(nil)
	err := store.Scan([]byte{indexPrefix}, true, func(_, value []byte) bool {
		damaged = eachTrace(value, func(trace domain.TraceID, _ domain.Position) { d.highest = trace })
		return false
	})
	if err == nil {
		err = damaged
	}
	if err != nil {
		return disk{}, err
	}
	err = store.Scan([]byte{blockPrefix}, true, func(key, _ []byte) bool {
		d.newest = binary.BigEndian.Uint64(key[1:])
		return false
	})
	return d, err
}

// get reads the line of a trace. Trace ids mostly rise with time, so most new
// ones need no look.
func (d *disk) get(trace domain.TraceID) (Line, bool, error) {
	if compareIDs(trace, d.highest) > 0 {
		return Line{}, false, nil
	}
	first, found, err := d.locate(trace)
	if err != nil || !found {
		return Line{}, false, err
	}
	lines, err := d.block(blockOf(first))
	if err != nil {
		return Line{}, false, err
	}
	for _, line := range lines {
		if line.Trace == trace {
			return line, true, nil
		}
	}
	return Line{}, false, fmt.Errorf("%w: trace %s is not in its block", errDamaged, trace)
}

// locate finds a trace's first position.
func (d *disk) locate(trace domain.TraceID) (first domain.Position, found bool, err error) {
	value, found, err := d.store.Get(idKey(strayPrefix, trace))
	if err != nil {
		return 0, false, err
	}
	if found {
		pos, size := binary.Uvarint(value)
		if size != len(value) {
			return 0, false, errDamaged
		}
		return domain.Position(pos), true, nil
	}
	damaged := error(nil)
	upTo := append(idKey(indexPrefix, trace), 0)
	err = d.store.Range([]byte{indexPrefix}, upTo, true, func(_, value []byte) bool {
		damaged = eachTrace(value, func(id domain.TraceID, pos domain.Position) {
			if id == trace {
				first, found = pos, true
			}
		})
		return false
	})
	if err == nil {
		err = damaged
	}
	return first, found, err
}

// eachTrace walks through a block of the index.
func eachTrace(value []byte, fn func(domain.TraceID, domain.Position)) error {
	for len(value) > 0 {
		var trace domain.TraceID
		if len(value) < len(trace.ID) {
			return errDamaged
		}
		copy(trace.ID[:], value)
		pos, size := binary.Uvarint(value[len(trace.ID):])
		if size <= 0 {
			return errDamaged
		}
		value = value[len(trace.ID)+size:]
		fn(trace, domain.Position(pos))
	}
	return nil
}

// block reads the lines of a block, in the order they began.
func (d *disk) block(number uint64) ([]Line, error) {
	value, found, err := d.store.Get(blockKey(number))
	if err != nil || !found {
		return nil, err
	}
	return decodeBlock(value)
}

// write adds lines to a batch, and takes out those that went.
func (d *disk) write(b projections.Batch, lines []*entry, gone gone) error {
	slices.SortFunc(lines, func(a, b *entry) int { return cmp.Compare(a.First, b.First) })
	if err := d.dropIndex(b, gone); err != nil {
		return err
	}
	var value []byte
	changed := gone.blocks()
	for rest := lines; len(rest) > 0; {
		number := blockOf(rest[0].First)
		n := 1
		for n < len(rest) && blockOf(rest[n].First) == number {
			n++
		}
		changed[number] = rest[:n]
		rest = rest[n:]
	}
	for _, number := range slices.Sorted(maps.Keys(changed)) {
		var err error
		if value, err = d.merge(value[:0], number, changed[number], gone); err != nil {
			return err
		}
		if err := put(b, blockKey(number), value); err != nil {
			return err
		}
	}
	return d.writeIndex(b, lines)
}

// put stores a block, or nothing where nothing is left of it.
func put(b projections.Batch, key, value []byte) error {
	if len(value) == 0 {
		return b.Delete(key)
	}
	return b.Set(key, value)
}

// dropIndex takes traces out of the index.
func (d *disk) dropIndex(b projections.Batch, gone gone) error {
	left := map[string][]byte{} // the index's blocks that change
	for trace := range gone {
		if err := b.Delete(idKey(strayPrefix, trace)); err != nil {
			return err
		}
		err := d.store.Range([]byte{indexPrefix}, append(idKey(indexPrefix, trace), 0), true, func(key, value []byte) bool {
			if _, known := left[string(key)]; !known {
				left[string(key)] = bytes.Clone(value)
			}
			return false
		})
		if err != nil {
			return err
		}
	}
	for key, value := range left {
		var out []byte
		if err := eachTrace(value, func(trace domain.TraceID, first domain.Position) {
			if !gone.has(trace, first) {
				out = binary.AppendUvarint(append(out, trace.ID[:]...), uint64(first))
			}
		}); err != nil {
			return err
		}
		if err := put(b, []byte(key), out); err != nil {
			return err
		}
	}
	return nil
}

// merge encodes a block of lines as it stands with some of them changed, and without those that
// went.
func (d *disk) merge(out []byte, number uint64, changed []*entry, gone gone) ([]byte, error) {
	var stored []Line
	if number <= d.newest {
		var err error
		if stored, err = d.block(number); err != nil {
			return nil, err
		}
		stored = slices.DeleteFunc(stored, func(l Line) bool { return gone.has(l.Trace, l.First) })
	}
	var before *Line
	for len(stored)+len(changed) > 0 {
		var line *Line
		switch {
		case len(changed) == 0 || (len(stored) > 0 && stored[0].First < changed[0].First):
			line, stored = &stored[0], stored[1:]
		default:
			if len(stored) > 0 && stored[0].First == changed[0].First {
				stored = stored[1:]
			}
			line, changed = &changed[0].Line, changed[1:]
		}
		out = line.encode(out, before)
		before = line
	}
	return out, nil
}

// writeIndex makes the fresh traces found by their ids.
func (d *disk) writeIndex(b projections.Batch, lines []*entry) error {
	fresh := slices.DeleteFunc(slices.Clone(lines), func(l *entry) bool { return !l.fresh })
	slices.SortFunc(fresh, func(a, b *entry) int { return compareIDs(a.Trace, b.Trace) })
	var value []byte
	for len(fresh) > 0 && compareIDs(fresh[0].Trace, d.highest) <= 0 {
		value = binary.AppendUvarint(value[:0], uint64(fresh[0].First))
		if err := b.Set(idKey(strayPrefix, fresh[0].Trace), value); err != nil {
			return err
		}
		fresh = fresh[1:]
	}
	for len(fresh) > 0 {
		n := min(indexBlock, len(fresh))
		value = value[:0]
		for _, line := range fresh[:n] {
			value = append(value, line.Trace.ID[:]...)
			value = binary.AppendUvarint(value, uint64(line.First))
		}
		if err := b.Set(idKey(indexPrefix, fresh[0].Trace), value); err != nil {
			return err
		}
		fresh = fresh[n:]
	}
	return nil
}

// wrote notes that a line is stored.
func (d *disk) wrote(l *Line) {
	if compareIDs(l.Trace, d.highest) > 0 {
		d.highest = l.Trace
	}
	d.newest = max(d.newest, blockOf(l.First))
}
