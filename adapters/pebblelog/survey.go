package pebblelog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/record"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/wal"
)

// Span is a run of positions, both ends included.
type Span struct {
	From    domain.Position `json:"from"`
	Through domain.Position `json:"through"`
}

func (s Span) String() string {
	if s.From == s.Through {
		return fmt.Sprint(uint64(s.From))
	}
	return fmt.Sprintf("%d to %d", s.From, s.Through)
}

// addTo adds a position or the next to a list of runs that ascend.
func addTo(spans []Span, pos domain.Position) []Span {
	if n := len(spans); n > 0 && pos <= spans[n-1].Through+1 {
		spans[n-1].Through = max(spans[n-1].Through, pos)
		return spans
	}
	return append(spans, Span{pos, pos})
}

// survey is what the files of a log's folder hold, looked at without changing a
// byte and before Pebble does: opening the store for writing moves what the
// write-ahead files hold to tables and deletes them, damaged or not.
type survey struct {
	empty  bool            // there is no store
	marked bool            // the store has had a mark of its end
	of     string          // what the store is a copy of; "" for a log of its own
	tables domain.Position // the last position in tables
	end    domain.Position // where the log ends when Pebble opens it
	holes  []Span          // positions before the end that no file holds
	damage error           // why Pebble would refuse the folder; nil when it wouldn't
}

// look surveys a folder. The error is of a disk that can't be read, not of damage.
func look(cfg Config) (survey, error) {
	var s survey
	var err error
	if err = s.inTables(cfg); err != nil {
		if errors.Is(err, pebble.ErrDBDoesNotExist) {
			err = s.bare(cfg)
		} else if isDamage(err) {
			s.damage, err = err, nil
		}
		if err != nil || s.damage != nil || s.empty {
			return s, err
		}
	}
	s.end = s.tables
	files, err := wal.Scan(wal.Dir{FS: cfg.FS, Dirname: cfg.Dir})
	if err != nil {
		return s, err
	}
	for i, file := range files {
		if err := s.replay(file, i == len(files)-1); err != nil {
			return s, err
		}
	}
	return s, nil
}

// bare judges a folder in which Pebble finds no store: there is none yet, or the file
// that names it is gone.
func (s *survey) bare(cfg Config) error {
	names, err := cfg.FS.List(cfg.Dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".sst") {
			s.damage = fmt.Errorf("the file that names the manifest is missing: %w", pebble.ErrCorruption)
			return nil
		}
	}
	files, err := wal.Scan(wal.Dir{FS: cfg.FS, Dirname: cfg.Dir})
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := s.replay(file, true); err != nil {
			return err
		}
	}
	if s.damage == nil && s.end > 0 {
		s.damage = fmt.Errorf("the file that names the manifest is missing: %w", pebble.ErrCorruption)
	}
	s.empty, s.end, s.holes = s.damage == nil, 0, nil
	return nil
}

// replay reads a write-ahead file as Pebble will. Only the newest may have an uncertain
// end; an older one with such an end matters only if it is still needed, and then there
// are holes.
func (s *survey) replay(file wal.LogicalLog, newest bool) error {
	in := file.OpenForRead()
	defer in.Close()       //nolint:errcheck // it was only read
	var batch bytes.Buffer // of all in turn: there are hundreds of megabytes
	for {
		r, _, err := in.NextRecord()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, record.ErrUnexpectedEOF):
			return nil
		case err != nil && isDamage(err):
			if newest {
				s.damage = err
			}
			return nil
		case err != nil:
			return err
		}
		batch.Reset()
		if _, err := batch.ReadFrom(r); err != nil {
			return err
		}
		eachSet(batch.Bytes(), func(key, value []byte) {
			pos, ok := ofRecord(key)
			if !ok {
				s.stamp(key, value)
				return
			}
			if pos > s.end+1 {
				s.holes = append(s.holes, Span{s.end + 1, pos - 1})
			}
			if g, ok := goneAt(pos, value); ok {
				pos = g.through
			}
			s.end = max(s.end, pos)
		})
	}
}

// stamp notes what the store says of itself.
func (s *survey) stamp(key, value []byte) {
	switch {
	case bytes.Equal(key, markedKey):
		s.marked = true
	case bytes.Equal(key, upstreamKey):
		s.of = string(value)
	}
}

// isDamage tells damaged files from a disk that can't be read. A missing file is damage:
// none vanishes by itself.
func isDamage(err error) bool {
	return pebble.IsCorruptionError(err) || errors.Is(err, record.ErrInvalidChunk) || errors.Is(err, record.ErrZeroedChunk) ||
		errors.Is(err, pebble.ErrDBNotPristine) || errors.Is(err, fs.ErrNotExist)
}

// inTables finds the last position that is in a table. The write-ahead files are
// kept out of Pebble's sight, which makes this quick whatever they hold.
func (s *survey) inTables(cfg Config) error {
	db, err := openTables(cfg)
	if err != nil {
		return err
	}
	err = lastIn(db, []byte{prefixRecord}, func(key, value []byte) error {
		s.tables = positionOf(key)
		if g, ok := goneAt(s.tables, value); ok {
			s.tables = g.through
		}
		return nil
	})
	for _, key := range [][]byte{markedKey, upstreamKey} {
		if err == nil {
			err = eachIn(db, key, func(key, value []byte) error {
				s.stamp(key, value)
				return nil
			})
		}
	}
	return errors.Join(err, db.Close())
}

// openTables opens the store without what is in write-ahead files alone.
func openTables(cfg Config) (*pebble.DB, error) {
	opts := &pebble.Options{
		FS: tablesOnly{cfg.FS}, ReadOnly: true, ErrorIfNotExists: true, CacheSize: 1 << 20, MaxOpenFiles: cfg.OpenTables,
		FormatMajorVersion: pebble.FormatNewest, Logger: quietLogger{},
		// Unless it is listened to, Pebble ends the process over a damaged file.
		EventListener: &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) {}},
	}
	return pebble.Open(cfg.Dir, opts)
}

// tablesOnly is a file system in which no write-ahead file is to be seen.
type tablesOnly struct{ vfs.FS }

func (f tablesOnly) List(dir string) ([]string, error) {
	names, err := f.FS.List(dir)
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, ".log") }), err
}

// Lock takes nothing: the log itself holds the folder's lock.
func (tablesOnly) Lock(string) (io.Closer, error) { return unlocked{}, nil }

func (f tablesOnly) Unwrap() vfs.FS { return f.FS }

// quietLogger logs nothing: its messages are in the error as well.
type quietLogger struct{}

func (quietLogger) Infof(string, ...any)           {}
func (quietLogger) Errorf(string, ...any)          {}
func (quietLogger) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }
