package main

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
)

// rawPebble is Pebble with nothing on top: records under ascending numbers.
// It has the options of the log's own store where they matter to writing.
type rawPebble struct {
	db   *pebble.DB
	next atomic.Uint64
}

const rawKeyBytes = 9

func openRawPebble(dir string) (*rawPebble, error) {
	db, err := pebble.Open(dir, &pebble.Options{
		MemTableSize:                64 << 20,
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       24,
		L0StopWritesThreshold:       64,
		L0CompactionFileThreshold:   1000,
		LBaseMaxBytes:               1 << 30,
		FormatMajorVersion:          pebble.FormatNewest,
		Logger:                      silent{},
	})
	if err != nil {
		return nil, err
	}
	return &rawPebble{db: db}, nil
}

// set stores n records in one synced batch; one record is a plain Set. It
// writes a number into the record each time, as every envelope has its own ids.
func (p *rawPebble) set(record []byte, n int) error {
	if n == 1 {
		return p.db.Set(p.key(record), record, pebble.Sync)
	}
	batch := p.db.NewBatchWithSize(n * (len(record) + rawKeyBytes + 8))
	defer batch.Close()
	for range n {
		if err := batch.Set(p.key(record), record, nil); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.Sync)
}

// key is the next one. It marks the record with it.
func (p *rawPebble) key(record []byte) []byte {
	n := p.next.Add(1)
	binary.BigEndian.PutUint64(record[8:], n)
	binary.BigEndian.PutUint64(record[24:], n)
	return binary.BigEndian.AppendUint64([]byte{'r'}, n)
}

// scan reads every record and returns how many there are.
func (p *rawPebble) scan() (int, error) {
	it, err := p.db.NewIter(nil)
	if err != nil {
		return 0, err
	}
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Error(); err != nil {
		_ = it.Close() // the first error is the one to tell
		return 0, err
	}
	return n, it.Close()
}

func (p *rawPebble) close() error { return p.db.Close() }

// silent is a logger for stores that live for a second.
type silent struct{}

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}
func (silent) Fatalf(string, ...any) {}
