package pebblelog

import (
	"encoding/binary"
	"fmt"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// filling is a new store that an import or a repair fills with records before it is read.
// It is for one goroutine.
type filling struct {
	cfg       Config // whose folder is the new store's
	store     *store
	writer    writer // checks ids and counts; its loop doesn't run
	at        domain.Millis
	group     *group
	consumers map[string]domain.Position
	cause     *domain.Envelope // of the lost records that follow it
}

// fillGroup bounds the records of one write to the disk. It is less than the
// writer remembers ids, so that those of the group itself are known.
const fillGroup = recentHalf / 2

// begin makes the store, in place of whatever is in its folder.
func (f *filling) begin() error {
	if err := f.cfg.FS.RemoveAll(f.cfg.Dir); err != nil {
		return openFailed(f.cfg, err)
	}
	if err := f.cfg.FS.MkdirAll(f.cfg.Dir, 0o700); err != nil {
		return openFailed(f.cfg, err)
	}
	f.cfg.Known = 0 // it is a position of the old store
	l := &Log{cfg: f.cfg}
	s, at, err := l.openAt(nil)
	if err != nil {
		return openFailed(f.cfg, err)
	}
	f.store = s
	f.writer = writer{log: l, store: s, next: 1, recent: newRecentIDs(at.maxID), counts: at.counts}
	f.consumers = map[string]domain.Position{}
	f.renew()
	return nil
}

func (f *filling) renew() {
	f.group = &group{first: f.writer.next, counts: map[domain.TypeVersion]uint64{}}
}

// next is the position that the next record gets.
func (f *filling) next() domain.Position { return f.group.last() + 1 }

// find is the position that an envelope has, of those added; 0 for none.
func (f *filling) find(id domain.ID) (domain.Position, error) {
	pos, err := f.writer.find(id)
	if err != nil {
		return 0, unreadable(err)
	}
	return pos, nil
}

// add gives a record the next position. ahead is how far its time of recording was
// ahead of the writer's clock.
func (f *filling) add(p *prepared, at, ahead domain.Millis) (domain.Position, error) {
	if len(f.group.entries) == fillGroup || f.group.bytes+len(p.record) > domain.MaxBatchBytes {
		if err := f.flush(); err != nil {
			return 0, err
		}
	}
	f.at, f.group.at, f.group.ahead = at, at, ahead
	f.group.bytes += len(p.record)
	return f.writer.assign(f.group, p), nil
}

// lost puts a record of type record.lost at each position up to one.
func (f *filling) lost(through domain.Position, at domain.Millis, ids domain.IDs, why domain.RecordLost) error {
	for f.next() <= through {
		id := ids.NewID()
		lineage := domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore)
		if f.cause != nil {
			lineage = domain.Continue(*f.cause)
		}
		entry, err := domain.New(lineage, id, domain.MillisOf(f.cfg.Clock.Now()), "chalie", why)
		if err != nil {
			return err
		}
		if f.cause == nil {
			f.cause = &entry.Envelope
		}
		req, err := prepare(domain.Batch{Entries: []domain.Entry{entry}})
		if err != nil {
			return err
		}
		if _, err := f.add(&req.entries[0], at, 0); err != nil {
			return err
		}
	}
	return nil
}

// gone leaves the positions through one to records that were retired.
func (f *filling) gone(through domain.Position, at domain.Millis) error {
	if err := f.flush(); err != nil {
		return err
	}
	from := f.writer.next
	if through < from {
		return nil
	}
	f.at = max(f.at, at)
	err := f.store.change(func() error {
		return f.store.db.Set(recordKey(nil, from), gone{from, through, f.at}.encode(), pebble.NoSync)
	})
	if err != nil {
		return err
	}
	f.writer.next = through + 1
	f.renew()
	return nil
}

// flush writes the records that wait, with their index entries. It doesn't sync.
func (f *filling) flush() error {
	g := f.group
	if len(g.entries) == 0 {
		return nil
	}
	if err := f.writer.log.checkSpace(); err != nil {
		return err
	}
	g.batch = f.store.db.NewBatchWithSize(g.bytes + 128*len(g.entries) + 1024)
	err := f.store.change(func() error {
		if err := g.fill(&f.writer.memory); err != nil {
			return err
		}
		return f.store.db.Apply(g.batch, pebble.NoSync)
	})
	if err != nil {
		return err
	}
	_ = g.batch.Close() // returns memory to a pool, nothing else
	f.writer.next += domain.Position(len(g.entries))
	f.renew()
	return nil
}

// saveConsumers writes the consumers' positions. It doesn't sync.
func (f *filling) saveConsumers() error {
	batch := f.store.db.NewBatch()
	defer batch.Close()
	for name, pos := range f.consumers {
		pos = min(pos, f.writer.next-1)
		if err := batch.Set(checkpointKey(nil, name), binary.AppendUvarint(nil, uint64(pos)), nil); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.NoSync)
}

// finish makes all of it durable, and closes the store.
func (f *filling) finish() error {
	err := f.flush()
	tail := f.writer.next - 1
	if err == nil {
		err = f.store.change(func() error { // one sync for all of it
			return firstOf(f.saveConsumers(), f.store.db.LogData(nil, pebble.Sync))
		})
	}
	if err == nil {
		s := f.store
		f.store = nil
		err = s.guarded(nil, s.shutdown)
	}
	if err == nil {
		err = f.settle(tail)
	}
	return err
}

// settle opens the store once more, so that records only in the write-ahead file move to
// tables, where all damage is found; and marks the end.
func (f *filling) settle(tail domain.Position) error {
	s, at, err := (&Log{cfg: f.cfg}).openAt(nil)
	if err != nil {
		return err
	}
	if err := s.guarded(nil, s.shutdown); err != nil {
		return err
	}
	if at.tail != tail {
		return fmt.Errorf("of %d records the disk kept %d", tail, at.tail)
	}
	var m mark
	return firstOf(m.open(f.cfg, tail), m.close())
}

// abandon deletes the store.
func (f *filling) abandon() error {
	if s := f.store; s != nil {
		f.store = nil
		select {
		case <-s.failed:
			s.abandon()
		default:
			// A store that is deleted need not close without errors.
			_ = s.guarded(nil, s.shutdown)
		}
	}
	return f.cfg.FS.RemoveAll(f.cfg.Dir)
}
