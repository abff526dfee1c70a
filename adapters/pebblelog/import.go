package pebblelog

import (
	"errors"
	"fmt"
	"io"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// Importer fills an empty log with the records of another one: it gives them
// the next positions, in the order they come, and keeps the times at which the
// other recorded them. It is for one goroutine. Nothing reads the log meanwhile.
//
// The records go to a folder beside the log's, which replaces it in Finish. So a killed
// process leaves the log as it was, empty, and the next import deletes the unfinished
// folder.
type Importer struct {
	cfg  Config    // of the log to be
	lock io.Closer // on the log's folder
	filling
}

// CodeNotEmpty says that a log holds records already.
const CodeNotEmpty domain.Code = "log_not_empty"

// The folders that are next to the log's during an import. Both may be removed
// when none is under way.
const (
	stagingSuffix  = ".importing"
	replacedSuffix = ".replaced"
)

// BeginImport takes the folder of a log that doesn't exist or is empty. Errors:
// Conflict with CodeNotEmpty, or "locked" with who holds the folder; those of
// Open. End it with Finish or Abandon.
func BeginImport(cfg Config) (*Importer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if err := brokenOff(cfg); err != nil {
		return nil, err
	}
	if err := firstOf(isFolder(cfg), makeFolder(cfg)); err != nil {
		return nil, openFailed(cfg, err)
	}
	lock, err := lockFolder(cfg)
	if err != nil {
		return nil, err
	}
	im := &Importer{cfg: cfg, lock: lock, filling: filling{cfg: cfg}}
	im.filling.cfg.Dir += stagingSuffix
	if err := im.begin(); err != nil {
		return nil, errors.Join(err, im.Abandon())
	}
	return im, nil
}

func (im *Importer) begin() error {
	held, err := im.held()
	if err != nil {
		return err
	}
	if held > 0 {
		return &domain.Error{Op: "import", Category: domain.Conflict, Code: CodeNotEmpty,
			Message: fmt.Sprintf("the log in %s holds %d records, and an import needs an empty one: name another data directory with --data; nothing was changed", im.cfg.Dir, held)}
	}
	if err := im.clear(); err != nil {
		return err
	}
	return im.filling.begin()
}

// held is the number of records in the log before the import.
func (im *Importer) held() (domain.Position, error) {
	cfg := im.cfg
	cfg.ReadOnly = true
	l := &Log{cfg: cfg}
	s, at, err := l.openAt(nil)
	if errors.Is(err, pebble.ErrDBDoesNotExist) {
		return 0, nil
	}
	if loss := l.Loss(); err == nil && loss != nil {
		err = errors.Join(loss.err(cfg), s.shutdown())
	}
	if err != nil {
		return 0, openFailed(cfg, err)
	}
	return at.tail, s.shutdown()
}

// clear removes what an import that was killed left.
func (im *Importer) clear() error {
	for _, dir := range []string{im.filling.cfg.Dir, im.cfg.Dir + replacedSuffix} {
		if err := im.cfg.FS.RemoveAll(dir); err != nil {
			return openFailed(im.cfg, err)
		}
	}
	return nil
}

// Append adds one record and returns its position here. The record's own is not
// looked at. Errors: Validation when its envelope fails its Check or the time
// goes back; Conflict with CodeIDReused; Dependency when the disk refuses. After
// one only Abandon makes sense.
func (im *Importer) Append(rec domain.Record) (domain.Position, error) {
	req, err := prepare(domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}})
	if err != nil {
		return 0, err
	}
	if rec.RecordedAt < im.at {
		return 0, domain.Invalid("import", "recorded_at", fmt.Sprintf("envelope %s was recorded before the one before it", rec.Envelope.ID))
	}
	if rec.Ahead < 0 {
		return 0, domain.Invalid("import", "clock", fmt.Sprintf("envelope %s has a clock that is later than its recorded_at", rec.Envelope.ID))
	}
	known, err := im.find(rec.Envelope.ID)
	if err != nil {
		return 0, err
	}
	if known > 0 {
		return 0, idReused(rec.Envelope.ID, fmt.Sprintf("stands at position %d already", known))
	}
	pos, err := im.add(&req.entries[0], rec.RecordedAt, rec.Ahead)
	if err != nil {
		return 0, im.failed(err)
	}
	return pos, nil
}

// Next is the position that the next record gets.
func (im *Importer) Next() domain.Position { return im.next() }

// Lost puts a record of type record.lost at each position up to one, where the imported
// log had lost its record. at is the latest time at which it can have been recorded.
func (im *Importer) Lost(through domain.Position, at domain.Millis, ids domain.IDs) error {
	if err := im.lost(through, at, ids, domain.RecordLost{Reason: domain.LostToAnother}); err != nil {
		return im.failed(err)
	}
	return nil
}

// Retired leaves the positions up to one to records that the imported log had retired. at is
// when the last of them can have been recorded at the latest.
func (im *Importer) Retired(through domain.Position, at domain.Millis) error {
	if err := im.gone(through, at); err != nil {
		return im.failed(err)
	}
	return nil
}

// SaveCheckpoint makes pos the position of a consumer in the log to be, or its
// tail when that is less. It returns a validation error for a bad name.
func (im *Importer) SaveCheckpoint(name string, pos domain.Position) error {
	if err := checkConsumer(name); err != nil {
		return err
	}
	im.consumers[name] = pos
	return nil
}

// Counts is how many records of each schema came in.
func (im *Importer) Counts() map[domain.TypeVersion]uint64 { return im.writer.counts }

// Finish makes the import durable and puts it in the log's place. After an error the log
// is either as before or complete; reading it tells which.
func (im *Importer) Finish() error {
	if err := im.finish(); err != nil {
		return errors.Join(im.failed(err), im.Abandon())
	}
	return im.replace()
}

// replace changes the empty log for the imported one. The lock is held over
// both renames, so that nobody begins a log in between.
func (im *Importer) replace() error {
	fs, replaced := im.cfg.FS, im.cfg.Dir+replacedSuffix
	err := fs.Rename(im.cfg.Dir, replaced)
	if err == nil {
		if err = fs.Rename(im.filling.cfg.Dir, im.cfg.Dir); err != nil {
			err = errors.Join(err, fs.Rename(replaced, im.cfg.Dir))
		}
	}
	if err == nil {
		err = syncFolder(im.cfg, fs.PathDir(im.cfg.Dir))
	}
	if err != nil {
		return errors.Join(im.failed(err), im.lock.Close())
	}
	// An empty log that stays behind does no harm; the next import removes it.
	_ = fs.RemoveAll(replaced)
	return im.lock.Close()
}

// makeFolder makes the log's folder and those above it, durably.
func makeFolder(cfg Config) error {
	var parents []string // of those that are made
	for dir := cfg.Dir; ; dir = cfg.FS.PathDir(dir) {
		parent := cfg.FS.PathDir(dir)
		if _, err := cfg.FS.Stat(dir); err == nil || parent == dir {
			break
		}
		parents = append(parents, parent)
	}
	if err := cfg.FS.MkdirAll(cfg.Dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := syncFolder(cfg, parent); err != nil {
			return err
		}
	}
	return nil
}

func syncFolder(cfg Config, name string) error {
	dir, err := cfg.FS.OpenDir(name)
	if err != nil {
		return err
	}
	return firstOf(dir.Sync(), dir.Close())
}

// Abandon deletes the import and unlocks the folder.
func (im *Importer) Abandon() error {
	return firstOf(im.abandon(), im.clear(), removeHolder(im.cfg), im.lock.Close())
}

func (im *Importer) failed(cause error) error {
	if known, ok := errors.AsType[*domain.Error](cause); ok {
		return known
	}
	return &domain.Error{Op: "import", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("the disk of %s refused what was imported; nothing was imported; check it and its free space, and import again", im.cfg.Dir)}
}
