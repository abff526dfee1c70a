package replay

import "chalie/domain"

// recent keeps the latest records that a walk came by: what code reads by its id is
// mostly among them, such as the signals that are in mind.
type recent struct {
	records map[domain.ID]domain.Record
	order   []domain.ID // a ring, once it is full
	oldest  int
}

// mostRecent bounds the records that are kept: a few times what a world remembers.
const mostRecent = 1024

func newRecent() *recent { return &recent{records: make(map[domain.ID]domain.Record, mostRecent)} }

func (r *recent) add(rec domain.Record) {
	id := rec.Envelope.ID
	if len(r.order) < mostRecent {
		r.order = append(r.order, id)
	} else {
		delete(r.records, r.order[r.oldest])
		r.order[r.oldest] = id
		r.oldest = (r.oldest + 1) % mostRecent
	}
	r.records[id] = rec
}
