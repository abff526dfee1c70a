package pebblelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// judge decides one request: new positions, a duplicate or a refusal. It
// changes nothing before it has read all it needs, so that a read that fails
// refuses this request and no other.
func (w *writer) judge(g *group, req *request) (domain.Receipt, error) {
	if req.follows > 0 {
		return domain.Receipt{}, w.follow(g, req)
	}
	known, err := w.known(req)
	if err != nil {
		return domain.Receipt{}, unreadable(err)
	}
	if known != nil {
		return w.compare(g, req, known)
	}
	for _, c := range req.conditions {
		last, err := w.lastWith(g, c.Key)
		if err != nil {
			return domain.Receipt{}, unreadable(err)
		}
		if last > c.After {
			return domain.Receipt{}, &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeConditionFailed,
				Message: fmt.Sprintf("something with key %q was appended at position %d, after position %d; read it and decide again", c.Key, last, c.After)}
		}
	}
	receipt := domain.Receipt{Positions: make([]domain.Position, len(req.entries)), RecordedAt: g.at, Ahead: g.ahead}
	for i := range req.entries {
		receipt.Positions[i] = w.assign(g, &req.entries[i])
	}
	return receipt, nil
}

// assign gives an entry the next position and completes its record.
func (w *writer) assign(g *group, p *prepared) domain.Position {
	pos := g.last() + 1
	p.record = putTrailer(p.record, pos, g.at, g.ahead)
	return w.enter(g, p)
}

// enter adds an entry whose record is complete.
func (w *writer) enter(g *group, p *prepared) domain.Position {
	g.entries = append(g.entries, p)
	pos := g.last()
	w.recent.add(p.envelope.ID, pos)
	for _, k := range p.envelope.Keys {
		if g.keys == nil {
			g.keys = map[domain.Key]domain.Position{}
		}
		g.keys[k] = pos
	}
	tv := domain.TypeVersion{Type: p.envelope.Type, Version: p.envelope.Version}
	w.counts[tv]++
	g.counts[tv] = w.counts[tv]
	return pos
}

// known returns the position of each entry that is in the log already, 0 for
// one that isn't; nil when none is.
func (w *writer) known(req *request) ([]domain.Position, error) {
	var known []domain.Position
	for i := range req.entries {
		pos, err := w.find(req.entries[i].envelope.ID)
		if err != nil {
			return nil, err
		}
		if pos == 0 {
			continue
		}
		if known == nil {
			known = make([]domain.Position, len(req.entries))
		}
		known[i] = pos
	}
	return known, nil
}

// find is the position of an envelope; 0 of one that isn't there, or went.
func (w *writer) find(id domain.ID) (domain.Position, error) {
	pos, certain := w.recent.find(id)
	if !certain {
		return positionOfID(w.store.db, id)
	}
	if pos == 0 {
		return 0, nil
	}
	if _, went, err := covering(w.store.db, pos); err != nil || went {
		return 0, err
	}
	return pos, nil
}

// compare judges a request of which something is known: the same again is a
// duplicate, anything else a conflict.
func (w *writer) compare(g *group, req *request, known []domain.Position) (domain.Receipt, error) {
	receipt := domain.Receipt{Positions: known, Duplicate: true}
	for i := range req.entries {
		p := &req.entries[i]
		if known[i] == 0 {
			return domain.Receipt{}, idReused(p.envelope.ID, "is new, but other envelopes of its batch are in the log already")
		}
		same, at, err := w.same(g, p, known[i])
		if err != nil {
			return domain.Receipt{}, unreadable(err)
		}
		if !same {
			return domain.Receipt{}, idReused(p.envelope.ID, fmt.Sprintf("is in the log at position %d with other content", known[i]))
		}
		if at.at >= receipt.RecordedAt {
			receipt.RecordedAt, receipt.Ahead = at.at, at.ahead
		}
	}
	return receipt, nil
}

func (w *writer) same(g *group, p *prepared, pos domain.Position) (bool, trailer, error) {
	if mine, ok := w.has(g, pos); ok {
		body, at, err := split(mine.record)
		return err == nil && sameBody(body, p.body()), at, err
	}
	value, closer, err := w.store.db.Get(recordKey(nil, pos))
	if err != nil {
		return false, trailer{}, err
	}
	defer closer.Close()
	body, at, err := split(value)
	if err != nil {
		return false, trailer{}, corrupt(pos, err)
	}
	return sameBody(body, p.body()), at, nil
}

// has returns a record that is in no store yet.
func (w *writer) has(g *group, pos domain.Position) (*prepared, bool) {
	for _, before := range w.ahead {
		if mine, ok := before.has(pos); ok {
			return mine, true
		}
	}
	return g.has(pos)
}

func (w *writer) lastWith(g *group, key domain.Key) (domain.Position, error) {
	if pos, ok := g.keys[key]; ok {
		return pos, nil
	}
	for _, before := range slices.Backward(w.ahead) {
		if pos, ok := before.keys[key]; ok {
			return pos, nil
		}
	}
	return lastPosting(w.store.db, domain.Selector{Key: key})
}

func unreadable(cause error) error {
	if err := refused("append", "what the batch is judged by", cause); err != nil {
		return err
	}
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: "the log can't be read to judge the batch; nothing was appended; run `chalie verify`"}
}

func idReused(id domain.ID, what string) error {
	return &domain.Error{Op: "append", Category: domain.Conflict, Code: domain.CodeIDReused,
		Message: fmt.Sprintf("envelope %s %s; give a new envelope a new id", id, what)}
}

// positionOfID looks an id up in the index: 0 when it isn't there.
func positionOfID(db pebble.Reader, id domain.ID) (domain.Position, error) {
	value, closer, err := db.Get(idKey(nil, id))
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer closer.Close()
	if len(value) != 8 {
		return 0, fmt.Errorf("the index entry of envelope %s has %d bytes instead of 8", id, len(value))
	}
	return domain.Position(binary.BigEndian.Uint64(value)), nil
}
