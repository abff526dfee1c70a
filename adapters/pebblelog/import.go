package pebblelog

import (
	"encoding/binary"
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
// The records go to a folder beside the log's, which takes its place in Finish.
// So a process that is killed leaves the log as it was, empty, and the next
// import throws away what it left.
type Importer struct {
	cfg     Config // of the log to be
	staging Config
	lock    io.Closer // on the log's folder
	store   *store    // in the staging folder
	writer  writer    // judges ids and counts; it never runs
	at      domain.Millis
	group   *group

	consumers map[string]domain.Position
}

// CodeNotEmpty says that a log holds records already.
const CodeNotEmpty domain.Code = "log_not_empty"

// importGroup bounds the records of one write to the disk. It is less than the
// writer remembers ids, so that those of the group itself are known.
const importGroup = recentHalf / 2

// The folders that stand beside the log's during an import. Both may be removed
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
	if err := cfg.FS.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, openFailed(cfg, err)
	}
	lock, err := lockFolder(cfg)
	if err != nil {
		return nil, err
	}
	im := &Importer{cfg: cfg, staging: cfg, lock: lock, consumers: map[string]domain.Position{}}
	im.staging.Dir += stagingSuffix
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
	if err := im.cfg.FS.MkdirAll(im.staging.Dir, 0o700); err != nil {
		return openFailed(im.staging, err)
	}
	l := &Log{cfg: im.staging}
	s, at, err := l.openAt(nil)
	if err != nil {
		return openFailed(im.staging, err)
	}
	im.store = s
	im.writer = writer{log: l, store: s, next: 1, recent: newRecentIDs(at.maxID), counts: at.counts}
	im.renew()
	return nil
}

// held is how many records the log has now.
func (im *Importer) held() (domain.Position, error) {
	cfg := im.cfg
	cfg.ReadOnly = true
	s, at, err := (&Log{cfg: cfg}).openAt(nil)
	if errors.Is(err, pebble.ErrDBDoesNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, openFailed(cfg, err)
	}
	return at.tail, s.shutdown()
}

// clear removes what an import that was killed left.
func (im *Importer) clear() error {
	for _, dir := range []string{im.staging.Dir, im.cfg.Dir + replacedSuffix} {
		if err := im.cfg.FS.RemoveAll(dir); err != nil {
			return openFailed(im.cfg, err)
		}
	}
	return nil
}

func (im *Importer) renew() {
	im.group = &group{first: im.writer.next, counts: map[domain.TypeVersion]uint64{}}
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
	if len(im.group.entries) == importGroup || im.group.bytes+req.bytes > domain.MaxBatchBytes {
		if err := im.flush(); err != nil {
			return 0, err
		}
	}
	known, err := im.writer.find(rec.Envelope.ID)
	if err != nil {
		return 0, unreadable(err)
	}
	if known > 0 {
		return 0, idReused(rec.Envelope.ID, fmt.Sprintf("stands at position %d already", known))
	}
	im.at, im.group.at, im.group.ahead = rec.RecordedAt, rec.RecordedAt, rec.Ahead
	im.group.bytes += req.bytes
	return im.writer.assign(im.group, &req.entries[0]), nil
}

// flush writes the records that wait, with their index entries. It doesn't sync.
func (im *Importer) flush() error {
	g := im.group
	if len(g.entries) == 0 {
		return nil
	}
	if err := im.writer.log.checkSpace(); err != nil {
		return err
	}
	g.batch = im.store.db.NewBatchWithSize(g.bytes + 128*len(g.entries) + 1024)
	err := im.store.guarded(nil, func() error {
		if err := g.fill(&im.writer.memory); err != nil {
			return err
		}
		return im.store.db.Apply(g.batch, pebble.NoSync)
	})
	if err != nil {
		return im.failed(err)
	}
	_ = g.batch.Close() // returns memory to a pool, nothing else
	im.writer.next += domain.Position(len(g.entries))
	im.renew()
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

// saveConsumers writes the consumers' positions. It doesn't sync.
func (im *Importer) saveConsumers() error {
	batch := im.store.db.NewBatch()
	defer batch.Close()
	for name, pos := range im.consumers {
		pos = min(pos, im.writer.next-1)
		if err := batch.Set(checkpointKey(nil, name), binary.AppendUvarint(nil, uint64(pos)), nil); err != nil {
			return err
		}
	}
	return batch.Commit(pebble.NoSync)
}

// Counts is how many records of each schema came in.
func (im *Importer) Counts() map[domain.TypeVersion]uint64 { return im.writer.counts }

// Finish makes what was imported durable and puts it in the log's place. When it
// fails the log is as it was, or done; a read of it tells.
func (im *Importer) Finish() error {
	err := im.flush()
	if err == nil {
		err = im.store.guarded(nil, func() error { // one sync for all of it
			return firstOf(im.saveConsumers(), im.store.db.LogData(nil, pebble.Sync))
		})
	}
	if err == nil {
		s := im.store
		im.store = nil
		err = s.guarded(nil, s.shutdown)
	}
	if err == nil {
		err = im.settle()
	}
	if err != nil {
		return errors.Join(im.failed(err), im.Abandon())
	}
	return im.replace()
}

// settle opens what was imported once more, which writes what stands in the
// write-ahead file alone to tables. Damage in a table is found; at the first bad byte
// of a write-ahead file all that comes behind it would be lost without a word.
func (im *Importer) settle() error {
	s, _, err := (&Log{cfg: im.staging}).openAt(nil)
	if err != nil {
		return err
	}
	return s.guarded(nil, s.shutdown)
}

// replace changes the empty log for the imported one. The lock is held over
// both renames, so that nobody begins a log in between.
func (im *Importer) replace() error {
	fs, replaced := im.cfg.FS, im.cfg.Dir+replacedSuffix
	err := fs.Rename(im.cfg.Dir, replaced)
	if err == nil {
		if err = fs.Rename(im.staging.Dir, im.cfg.Dir); err != nil {
			err = errors.Join(err, fs.Rename(replaced, im.cfg.Dir))
		}
	}
	if err == nil {
		err = syncFolder(im.cfg, fs.PathDir(im.cfg.Dir))
	}
	if err != nil {
		return errors.Join(im.failed(err), im.lock.Close())
	}
	// An empty log that stays behind harms nobody; the next import removes it.
	_ = fs.RemoveAll(replaced)
	return im.lock.Close()
}

func syncFolder(cfg Config, name string) error {
	dir, err := cfg.FS.OpenDir(name)
	if err != nil {
		return err
	}
	return firstOf(dir.Sync(), dir.Close())
}

// Abandon throws away what was imported and lets go of the folder.
func (im *Importer) Abandon() error {
	if s := im.store; s != nil {
		im.store = nil
		select {
		case <-s.failed:
			s.abandon()
		default:
			// What is thrown away need not close well.
			_ = s.guarded(nil, s.shutdown)
		}
	}
	return firstOf(im.clear(), removeHolder(im.cfg), im.lock.Close())
}

func (im *Importer) failed(cause error) error {
	if known, ok := errors.AsType[*domain.Error](cause); ok {
		return known
	}
	return &domain.Error{Op: "import", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("the disk of %s refused what was imported; nothing was imported; check it and its free space, and import again", im.cfg.Dir)}
}
