package pebblelog

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// salvage reads every record that the files of a damaged folder still hold, each
// proved by its own checksum, which covers its position. It looks first in the
// tables that Pebble knows, then in the write-ahead files, also behind damage, and
// then in tables that Pebble doesn't know any more. For one goroutine; it changes
// nothing.
type salvage struct {
	cfg    Config
	db     *pebble.DB // nil when Pebble can't open the tables
	tables domain.Position
	known  *source // the tables that Pebble knows; nil without db
	files  []*source
	opened bool // files are

	wal  map[domain.Position][]byte // from here on
	from domain.Position
	dec  decoder
}

// newSalvage opens what can be opened. The error is of a disk that can't be read.
func newSalvage(cfg Config) (*salvage, error) {
	s := &salvage{cfg: cfg}
	db, err := openTables(cfg)
	if err != nil {
		if unread(err) {
			return nil, err
		}
	} else {
		s.db, s.known = db, &source{}
		s.known.open = func() (cursorAt, error) { return newTablesCursor(db) }
		if s.tables, err = s.known.last(); err != nil {
			return nil, errors.Join(err, s.close())
		}
	}
	if err := s.readWAL(s.tables + 1); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *salvage) close() error {
	var failures []error
	for _, src := range append(slices.Clone(s.files), s.known) {
		if src != nil {
			failures = append(failures, src.close())
		}
	}
	if s.db != nil {
		failures = append(failures, s.db.Close())
	}
	return errors.Join(failures...)
}

// unread reports whether reading was refused rather than the bytes damaged: a repair must
// not count as lost a record that may be readable later.
func unread(err error) bool {
	return refused("", "", err) != nil || errors.Is(err, fs.ErrPermission)
}

// end is the last position of which any file holds a record.
func (s *salvage) end() (domain.Position, error) {
	end := s.tables
	for pos := range s.wal {
		end = max(end, pos)
	}
	if err := s.openFiles(); err != nil {
		return 0, err
	}
	for _, f := range s.files {
		end = max(end, f.ends)
	}
	return end, nil
}

// at is the record at a position; false when no file holds it. Call it with ascending
// positions.
func (s *salvage) at(pos domain.Position) (rec domain.Record, stored []byte, ok bool, err error) {
	read := func(value []byte) bool {
		rec = domain.Record{}
		stored = slices.Clone(value) // what is read shares it
		return value != nil && s.dec.record(&rec, pos, stored) == nil
	}
	if s.known != nil {
		value, err := s.known.at(pos)
		if err != nil || read(value) {
			return rec, stored, err == nil, err
		}
	}
	if pos < s.from {
		if err := s.readWAL(pos); err != nil {
			return rec, nil, false, err
		}
	}
	if read(s.wal[pos]) {
		return rec, stored, true, nil
	}
	if err := s.openFiles(); err != nil {
		return rec, nil, false, err
	}
	for _, f := range s.files {
		if f.ends > 0 && pos > f.ends {
			continue
		}
		value, err := f.at(pos)
		if err != nil || read(value) {
			return rec, stored, err == nil, err
		}
	}
	return domain.Record{}, nil, false, nil
}

// gone is the run of retired records that begins at a position; false when a record stands
// there, or nothing. Where a file that is newer than the tables says so alone, the records are
// there still, and are retired again. Call it before at.
func (s *salvage) gone(pos domain.Position) (gone, bool, error) {
	if s.known != nil {
		value, err := s.known.at(pos)
		if err != nil || value != nil {
			g, went := goneAt(pos, value)
			return g, went, err
		}
	}
	g, went := goneAt(pos, s.wal[pos])
	return g, went && pos >= s.from, nil
}

// readWAL collects the records from a position on that are in write-ahead files.
//
// Behind the end of a file a power loss may leave unconfirmed records whose positions
// were given again in the next file. Pebble's sequence numbers tell them apart: they rise
// with every batch, and the later records reuse the numbers of those they replaced.
func (s *salvage) readWAL(from domain.Position) error {
	files, err := walFiles(s.cfg)
	if err != nil {
		return err
	}
	s.wal, s.from = map[domain.Position][]byte{}, from
	var dec decoder
	var rec domain.Record
	below := ^uint64(0) // the first sequence number of the files after this one
	for _, file := range slices.Backward(files) {
		first := below
		err := file.each(func(batch []byte) {
			h, ok := batchrepr.ReadHeader(batch)
			if !ok || h.Count == 0 || uint64(h.SeqNum) >= below {
				return
			}
			first = min(first, uint64(h.SeqNum))
			eachRecord(batch, func(pos domain.Position, value []byte) {
				rec = domain.Record{}
				_, went := goneAt(pos, value)
				if pos >= from && (went || dec.record(&rec, pos, value) == nil) {
					s.wal[pos] = slices.Clone(value)
				}
			})
		})
		if err != nil {
			return err
		}
		below = first
	}
	return nil
}

// consumers are the readable positions of consumers: those in tables, and later ones in
// write-ahead files.
func (s *salvage) consumers() (map[string]domain.Position, error) {
	out := map[string]domain.Position{}
	note := func(key, value []byte) {
		if pos, ok := consumerAt(value); ok && key[0] == prefixCheckpoint {
			out[string(key[1:])] = max(out[string(key[1:])], pos)
		}
	}
	var err error
	if s.db != nil {
		err = eachIn(s.db, []byte{prefixCheckpoint}, func(key, value []byte) error {
			note(key, value)
			return nil
		})
	} else if err = s.openFiles(); err == nil {
		for _, f := range s.files {
			f.eachCheckpoint(note)
		}
	}
	if unread(err) {
		return nil, err
	}
	return out, eachBatch(s.cfg, func(batch []byte) {
		eachSet(batch, func(key, value []byte) {
			if len(key) > 1 {
				note(key, value)
			}
		})
	})
}

// openFiles looks at every table file, newest first, whether Pebble knows it or not.
func (s *salvage) openFiles() error {
	if s.opened {
		return nil
	}
	names, err := s.cfg.FS.List(s.cfg.Dir)
	if err != nil {
		return err
	}
	slices.Sort(names)
	for _, name := range slices.Backward(names) {
		if !strings.HasSuffix(name, ".sst") {
			continue
		}
		path := s.cfg.FS.PathJoin(s.cfg.Dir, name)
		src := &source{open: func() (cursorAt, error) { return newFileCursor(s.cfg, path) }}
		if src.ends, err = src.last(); err != nil {
			return err
		}
		_ = src.close() // until it is needed
		s.files = append(s.files, src)
	}
	s.opened = true
	return nil
}

// cursorAt moves over records in ascending order. It is empty behind the last one,
// and after an error, which a new cursor gets past.
type cursorAt interface {
	seek(pos domain.Position) (domain.Position, []byte, error) // the first at a position or later; 0 for none
	next() (domain.Position, []byte, error)
	last() (domain.Position, error)
	eachCheckpoint(fn func(key, value []byte))
	close() error
}

// source finds the records of one cursor. It skips damaged ones.
type source struct {
	open  func() (cursorAt, error)
	in    cursorAt
	pos   domain.Position // under the cursor; 0 for none
	value []byte
	begun bool
	dead  bool            // it can't be opened
	ends  domain.Position // of a file: its last record; 0 when that can't be read
}

func (s *source) ready() error {
	if s.in != nil || s.dead {
		return nil
	}
	in, err := s.open()
	if unread(err) {
		return err
	}
	if err != nil {
		s.dead = true
		return nil //nolint:nilerr // damage counts as absent
	}
	s.in, s.begun = in, false
	return nil
}

func (s *source) close() error {
	if s.in == nil {
		return nil
	}
	in := s.in
	s.in = nil
	return in.close()
}

// last is the position of the last record; 0 when there is none or it can't be read.
func (s *source) last() (domain.Position, error) {
	if err := s.ready(); err != nil || s.dead {
		return 0, err
	}
	pos, err := s.in.last()
	if err != nil {
		if unread(err) {
			return 0, err
		}
		_ = s.close() // it is damaged, and opened anew
		return 0, nil
	}
	s.begun = false
	return pos, nil
}

// at is the record at a position; nil for none.
func (s *source) at(pos domain.Position) ([]byte, error) {
	if err := s.ready(); err != nil || s.dead {
		return nil, err
	}
	if s.begun && (s.pos == 0 || s.pos > pos) {
		return nil, nil
	}
	var err error
	if s.begun && s.pos+1 == pos {
		s.pos, s.value, err = s.in.next()
	} else if !s.begun || s.pos < pos {
		s.pos, s.value, err = s.in.seek(pos)
	}
	s.begun = true
	if err != nil {
		if unread(err) {
			return nil, err
		}
		_ = s.close() // records behind the damage need another cursor
		return nil, nil
	}
	if s.pos != pos {
		return nil, nil
	}
	return s.value, nil
}

func (s *source) eachCheckpoint(fn func(key, value []byte)) {
	if s.ready() == nil && !s.dead {
		s.in.eachCheckpoint(fn)
		s.begun = false
	}
}

// tablesCursor goes over the tables that Pebble knows.
type tablesCursor struct {
	db   *pebble.DB
	iter *pebble.Iterator
}

func newTablesCursor(db *pebble.DB) (cursorAt, error) {
	iter, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte{prefixRecord}, UpperBound: []byte{prefixRecord + 1}})
	if err != nil {
		return nil, err
	}
	return &tablesCursor{db, iter}, nil
}

func (c *tablesCursor) here(ok bool) (domain.Position, []byte, error) {
	if !ok {
		return 0, nil, c.iter.Error()
	}
	value, err := c.iter.ValueAndErr()
	return positionOf(c.iter.Key()), value, err
}

func (c *tablesCursor) seek(pos domain.Position) (domain.Position, []byte, error) {
	return c.here(c.iter.SeekGE(recordKey(nil, pos)))
}

func (c *tablesCursor) next() (domain.Position, []byte, error) { return c.here(c.iter.Next()) }

func (c *tablesCursor) last() (domain.Position, error) {
	pos, _, err := c.here(c.iter.Last())
	return pos, err
}

func (c *tablesCursor) eachCheckpoint(func(key, value []byte)) {}

func (c *tablesCursor) close() error {
	_ = c.iter.Close() // says once more what it said before
	return nil
}

// fileCursor goes over one table file.
type fileCursor struct {
	reader *sstable.Reader
	iter   sstable.Iterator
}

func newFileCursor(cfg Config, path string) (cursorAt, error) {
	file, err := cfg.FS.Open(path)
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(file)
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	opts := &pebble.Options{}
	opts.EnsureDefaults()
	reader, err := sstable.NewReader(context.Background(), readable, opts.MakeReaderOptions())
	if err != nil {
		return nil, errors.Join(err, readable.Close())
	}
	iter, err := reader.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return nil, errors.Join(err, reader.Close())
	}
	return &fileCursor{reader, iter}, nil
}

func (c *fileCursor) seek(pos domain.Position) (domain.Position, []byte, error) {
	kv := c.iter.SeekGE(recordKey(nil, pos), 0)
	if kv == nil {
		return 0, nil, c.iter.Error()
	}
	value, _, err := kv.Value(nil)
	return recordAtKey(kv.K.UserKey), value, err
}

func (c *fileCursor) next() (domain.Position, []byte, error) {
	kv := c.iter.Next()
	if kv == nil {
		return 0, nil, c.iter.Error()
	}
	value, _, err := kv.Value(nil)
	return recordAtKey(kv.K.UserKey), value, err
}

func (c *fileCursor) last() (domain.Position, error) {
	kv := c.iter.SeekLT([]byte{prefixRecord + 1}, 0)
	if kv == nil {
		return 0, c.iter.Error()
	}
	return recordAtKey(kv.K.UserKey), nil
}

func (c *fileCursor) eachCheckpoint(fn func(key, value []byte)) {
	for kv := c.iter.SeekGE([]byte{prefixCheckpoint}, 0); kv != nil && kv.K.UserKey[0] == prefixCheckpoint; kv = c.iter.Next() {
		if value, _, err := kv.Value(nil); err == nil {
			fn(kv.K.UserKey, value)
		}
	}
}

func (c *fileCursor) close() error {
	_ = c.iter.Close() // says once more what it said before
	return c.reader.Close()
}

// recordAtKey is the position of a record's key; 0 of any other.
func recordAtKey(key []byte) domain.Position {
	if len(key) != recordKeyBytes || key[0] != prefixRecord {
		return 0
	}
	return positionOf(key)
}

// consumerAt reads a stored position of a consumer.
func consumerAt(value []byte) (domain.Position, bool) {
	pos, n := binary.Uvarint(value)
	return domain.Position(pos), n > 0
}
