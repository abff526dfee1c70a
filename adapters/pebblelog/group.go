package pebblelog

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// group is what one group commit writes: the batches that were waiting, judged
// in order.
type group struct {
	requests []*request
	answers  []answer
	entries  []*prepared // those that are new, in order of position
	first    domain.Position
	at       domain.Millis
	ahead    domain.Millis // of the clock, which may have been put back
	bytes    int
	follows  bool                           // its records are upstream already
	low      bool                           // the disk has no room for more
	keys     map[domain.Key]domain.Position // last position of each key in this group
	counts   map[domain.TypeVersion]uint64  // new totals of the schemas it touches
	batch    *pebble.Batch                  // nil when there is nothing to write
	synced   bool                           // it is to be on the disk when it is answered
	put      chan struct{}                  // closed when it can be read in the store; only with an upstream
}

// last is the last new position; first-1 when there is none.
func (g *group) last() domain.Position { return g.first + domain.Position(len(g.entries)) - 1 }

// has returns the record of a position that this group gives.
func (g *group) has(pos domain.Position) (*prepared, bool) {
	if pos < g.first || pos > g.last() {
		return nil, false
	}
	return g.entries[pos-g.first], true
}

// fill writes the group's records and index entries to its batch, one index
// after the other and each in ascending order: Pebble inserts a key next to the
// one before it far faster than anywhere else.
func (g *group) fill(scratch *scratch) error {
	for i, p := range g.entries {
		op := g.batch.SetDeferred(recordKeyBytes, len(p.record))
		recordKey(op.Key[:0], g.first+domain.Position(i))
		copy(op.Value, p.record)
		if err := op.Finish(); err != nil {
			return err
		}
	}
	if err := g.fillIDs(scratch); err != nil {
		return err
	}
	scratch.refs = scratch.refs[:0]
	for i, p := range g.entries {
		if !namesTrace(p.envelope) {
			scratch.refs = append(scratch.refs, ref{p.envelope.Trace.ID, g.first + domain.Position(i)})
		}
	}
	if err := g.fillRefs(scratch, prefixTrace); err != nil {
		return err
	}
	scratch.refs = scratch.refs[:0]
	for i, p := range g.entries {
		if !p.envelope.Parent.IsZero() {
			scratch.refs = append(scratch.refs, ref{p.envelope.Parent, g.first + domain.Position(i)})
		}
	}
	if err := g.fillRefs(scratch, prefixParent); err != nil {
		return err
	}
	return g.fillNames()
}

// namesTrace reports whether an envelope has its trace's id. The index of ids
// then finds it by its trace, too.
func namesTrace(e *domain.Envelope) bool { return e.ID == e.Trace.ID }

// ref is one entry of an index whose keys are ids.
type ref struct {
	id  domain.ID
	pos domain.Position
}

// scratch is memory that the writer uses again for each group.
type scratch struct {
	refs []ref
}

func (s *scratch) sort() {
	slices.SortFunc(s.refs, func(a, b ref) int {
		return cmp.Or(bytes.Compare(a.id[:], b.id[:]), cmp.Compare(a.pos, b.pos))
	})
}

func (g *group) fillIDs(scratch *scratch) error {
	scratch.refs = scratch.refs[:0]
	for i, p := range g.entries {
		scratch.refs = append(scratch.refs, ref{p.envelope.ID, g.first + domain.Position(i)})
	}
	scratch.sort()
	for _, r := range scratch.refs {
		op := g.batch.SetDeferred(idKeyBytes, 8)
		idKey(op.Key[:0], r.id)
		binary.BigEndian.PutUint64(op.Value, uint64(r.pos))
		if err := op.Finish(); err != nil {
			return err
		}
	}
	return nil
}

// fillRefs writes the postings of an index whose keys are ids.
func (g *group) fillRefs(scratch *scratch, prefix byte) error {
	scratch.sort()
	refs := scratch.refs
	for len(refs) > 0 {
		n := 1
		p := postings{first: refs[0].pos, last: refs[0].pos}
		for n < len(refs) && refs[n].id == refs[0].id {
			p.add(refs[n].pos)
			n++
		}
		op := g.batch.SetDeferred(idKeyBytes+8, len(p.gaps))
		op.Key[0] = prefix
		copy(op.Key[1:], refs[0].id[:])
		binary.BigEndian.PutUint64(op.Key[idKeyBytes:], uint64(p.first))
		copy(op.Value, p.gaps)
		if err := op.Finish(); err != nil {
			return err
		}
		refs = refs[n:]
	}
	return nil
}

// fillNames writes the postings by topic and by key, and the counts. There are
// few of each in a group.
func (g *group) fillNames() error {
	topics := map[domain.Topic]*postings{}
	keys := map[domain.Key]*postings{}
	for i, p := range g.entries {
		pos := g.first + domain.Position(i)
		collect(topics, p.topic, pos)
		for _, k := range p.envelope.Keys {
			collect(keys, k, pos)
		}
	}
	var key []byte
	for topic, p := range topics {
		key = binary.BigEndian.AppendUint64(indexKey(key[:0], domain.Selector{Topic: topic}), uint64(p.first))
		if err := g.batch.Set(key, p.gaps, nil); err != nil {
			return err
		}
	}
	for k, p := range keys {
		key = binary.BigEndian.AppendUint64(indexKey(key[:0], domain.Selector{Key: k}), uint64(p.first))
		if err := g.batch.Set(key, p.gaps, nil); err != nil {
			return err
		}
	}
	for tv, n := range g.counts {
		if err := g.batch.Set(countKey(key[:0], tv), binary.AppendUvarint(nil, n), nil); err != nil {
			return err
		}
	}
	return nil
}

func collect[K comparable](into map[K]*postings, name K, pos domain.Position) {
	p := into[name]
	if p == nil {
		p = &postings{}
		into[name] = p
	}
	p.add(pos)
}
