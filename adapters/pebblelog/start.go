package pebblelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// start is what a writer begins from.
type start struct {
	tail       domain.Position
	recordedAt domain.Millis
	maxID      domain.ID
	counts     map[domain.TypeVersion]uint64
	retired    map[domain.TypeVersion]uint64
}

func openFailed(cfg Config, err error) error {
	if cfg.ReadOnly && errors.Is(err, pebble.ErrDBDoesNotExist) {
		return noLog(cfg, err)
	}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	if domain.CodeOf(refused("open log", "", err)) == domain.CodeNoDescriptors {
		return refused("open log", "the log in "+cfg.Dir, err)
	}
	next := "check the disk, its free space and the folder's permissions"
	if pebble.IsCorruptionError(err) || otherSize(err) {
		next = "the folder is damaged: run `chalie repair`, which keeps a copy, or restore it from a backup"
	}
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: err,
		Message: fmt.Sprintf("can't open the log in %s; %s", cfg.Dir, next)}
}

// otherSize reports whether a table is longer or shorter than it was written. Pebble has no
// error of its own for that.
func otherSize(err error) bool { return strings.Contains(err.Error(), "object size mismatch") }

// CodeBrokenOff says that instead of a log there is an unfinished import.
const CodeBrokenOff domain.Code = "import_broken_off"

// noLog is of a folder without a log.
func noLog(cfg Config, err error) error {
	e := &domain.Error{Op: "open log", Category: domain.NotFound, Code: "no_log", Err: err,
		Message: fmt.Sprintf("there is no log in %s; start `chalie serve` once, or name another folder with --data", cfg.Dir)}
	if _, gone := cfg.FS.Stat(cfg.Dir + stagingSuffix); gone == nil {
		e.Code = CodeBrokenOff
		e.Message = fmt.Sprintf("there is no log in %s: an import was broken off, and left nothing; run `chalie import` again", cfg.Dir)
	}
	return e
}

// openAt opens the store and finds where it ends. What it finds is durable: Pebble
// flushes what it replays from a WAL before Open returns. That deletes the WAL, so
// missing records are looked for before.
func (l *Log) openAt(patient <-chan struct{}) (*store, start, error) {
	s, at, err := l.openSound(patient)
	if err != nil && l.cfg.Of != "" && isOfFiles(err) {
		err = copyDamaged(l.cfg, err)
	}
	return s, at, err
}

func (l *Log) openSound(patient <-chan struct{}) (*store, start, error) {
	loss, err := l.missing()
	if err != nil {
		return nil, start{}, err
	}
	l.loss.Store(loss)
	if loss != nil && (!l.cfg.ReadOnly || loss.Damage != "") {
		return nil, start{}, loss.err(l.cfg)
	}
	return l.openStores(patient)
}

func (l *Log) openStores(patient <-chan struct{}) (*store, start, error) {
	s, err := openStore(l.cfg, &l.leaving, patient, l.note)
	if err != nil {
		return nil, start{}, err
	}
	// The first WAL of a new store is begun before its format is raised and
	// lacks the marks that tell damage from an end. Another opening begins another.
	if fresh(s.db) && !l.cfg.ReadOnly {
		if err := s.shutdown(); err != nil {
			return nil, start{}, err
		}
		if s, err = openStore(l.cfg, &l.leaving, patient, l.note); err != nil {
			return nil, start{}, err
		}
	}
	at, err := readStart(s.db)
	if err == nil {
		err = firstOf(l.checkFormat(s, at.tail), l.checkUpstream(s, at.tail))
	}
	if through, witness := l.known(l.cfg.Upstream != nil); err == nil && !l.cfg.ReadOnly && at.tail < through {
		err = (&Loss{Spans: []Span{{at.tail + 1, through}}, Through: through, Witness: witness}).err(l.cfg)
	}
	if err != nil {
		s.abandon()
		return nil, start{}, err
	}
	return s, at, nil
}

// checkFormat refuses a layout this version doesn't know, and stamps a new store.
func (l *Log) checkFormat(s *store, tail domain.Position) error {
	key := []byte{prefixMeta}
	value, closer, err := s.db.Get(append(key, "format"...))
	if err == nil {
		defer closer.Close()
		if len(value) != 1 || value[0] != storeFormat {
			return &domain.Error{Op: "open log", Category: domain.Conflict, Code: "unknown_format",
				Message: fmt.Sprintf("the log in %s has store format %v, this version knows %d; run the version that wrote it, or a newer one", l.cfg.Dir, value, storeFormat)}
		}
		return nil
	}
	if !errors.Is(err, pebble.ErrNotFound) {
		return err
	}
	if tail > 0 {
		return fmt.Errorf("the stamp of its format is missing, which was written before the first record: %w", pebble.ErrCorruption)
	}
	if l.cfg.ReadOnly {
		return nil
	}
	return s.change(func() error { return s.db.Set(append(key, "format"...), []byte{storeFormat}, pebble.Sync) })
}

// fresh reports whether nothing was ever written to a store.
func fresh(db *pebble.DB) bool {
	iter, err := db.NewIter(nil)
	if err != nil {
		return false
	}
	defer iter.Close()
	return !iter.First() && iter.Error() == nil
}

func readStart(db *pebble.DB) (start, error) {
	at := start{counts: map[domain.TypeVersion]uint64{}, retired: map[domain.TypeVersion]uint64{}}
	if err := lastIn(db, []byte{prefixRecord}, func(key, value []byte) error {
		at.tail = positionOf(key)
		if g, ok := goneAt(at.tail, value); ok {
			at.tail, at.recordedAt = g.through, g.at
			return nil
		}
		var rec domain.Record
		err := new(decoder).record(&rec, at.tail, value)
		at.recordedAt = rec.RecordedAt
		return err
	}); err != nil {
		return at, err
	}
	if err := lastIn(db, []byte{prefixID}, func(key, _ []byte) error {
		copy(at.maxID[:], key[1:])
		return nil
	}); err != nil {
		return at, err
	}
	return at, firstOf(readCounts(db, prefixCount, at.counts), readCounts(db, prefixRetired, at.retired))
}

// readCounts reads the counts under a prefix.
func readCounts(db *pebble.DB, prefix byte, into map[domain.TypeVersion]uint64) error {
	return eachIn(db, []byte{prefix}, func(key, value []byte) error {
		tv, ok := countOf(key)
		n, size := binary.Uvarint(value)
		if !ok || size <= 0 || size != len(value) {
			what := fmt.Sprintf("%q", key[1:])
			if ok {
				what = fmt.Sprintf("%s v%d", tv.Type, tv.Version)
			}
			return &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeCorrupt,
				Message: fmt.Sprintf("the log's count of %s is damaged, so nobody knows what it holds; run `chalie repair`, which counts again, or restore the folder from a backup", what)}
		}
		into[tv] = n
		return nil
	})
}
