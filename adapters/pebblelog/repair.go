package pebblelog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A repair writes a new store beside the damaged one, from all records that can be read,
// and then exchanges the two:
//
//	log.repairing            the new store while it is written; worth nothing
//	log.repaired             the same once it is whole and durable
//	damaged-DATE/log         what was there before, untouched
//
// Until log.repaired has its name nothing has changed. From then on the log's folder
// is not opened by anybody else, and the repair, run again, goes on where it was.
const (
	repairingSuffix = ".repairing"
	repairedSuffix  = ".repaired"
	// repairFile is in the new store and says what the repair did, until it is done.
	repairFile = "REPAIR"
)

const (
	// CodeSound says that a log needs no repair.
	CodeSound domain.Code = "log_is_sound"
	// CodeRepairBrokenOff says that a repair wasn't finished.
	CodeRepairBrokenOff domain.Code = "repair_broken_off"
)

// Repaired is what a repair did.
type Repaired struct {
	Records uint64 `json:"records"`           // that are as they were written
	Lost    uint64 `json:"lost"`              // positions at which a record now says that the one there is lost
	LostAt  []Span `json:"lost_at"`           // the first runs of them
	Retired uint64 `json:"retired,omitempty"` // positions whose records had gone before, when their time was over
	Copy    string `json:"copy"`              // the folder, beside the log's, with the damaged log
	Resumed bool   `json:"resumed"`           // it continued an unfinished repair
	// Unmarked says that the mark of the log's end was gone: records lost behind the last
	// readable one can't be counted.
	Unmarked bool `json:"unmarked"`
}

// RepairConfig says what to repair. All but Progress is required.
type RepairConfig struct {
	Log Config
	// IDs mints the ids of the records of type record.lost.
	IDs domain.IDs
	// Folded are the folders of projections, which go into the copy with the log, because
	// they were folded from records that are now lost. A missing folder is skipped.
	Folded []string
	// Progress is called now and then with the positions done and their total.
	Progress func(done, total domain.Position)
}

// Repair makes a sound log of a damaged one: it keeps every record that any file of the
// folder still holds, and puts a record of type record.lost in place of each missing one.
// It can be killed at any moment and run again. Errors: Conflict with CodeSound when
// nothing is wrong, CodeIsCopy for a copy, "locked" with who holds the folder; NotFound "no_log"; Dependency
// when the disk can't be read or written, and then nothing was changed.
func Repair(ctx context.Context, cfg RepairConfig) (Repaired, error) {
	if cfg.Log.Of != "" {
		return Repaired{}, noRepair(cfg.Log, cfg.Log.Of)
	}
	if err := cfg.Log.Validate(); err != nil {
		return Repaired{}, err
	}
	cfg.Log = cfg.Log.withDefaults()
	r := &repair{RepairConfig: cfg, fs: cfg.Log.FS, dir: cfg.Log.Dir}
	unlock, err := r.lock()
	if err != nil {
		return Repaired{}, err
	}
	defer unlock()
	if _, err := r.fs.Stat(r.dir + repairedSuffix); err == nil {
		r.done, err = readRepairFile(r.Log)
		if err != nil {
			return Repaired{}, r.failed(err)
		}
		r.done.Resumed = true
	} else if err := r.rescue(ctx); err != nil {
		return Repaired{}, errors.Join(err, r.fs.RemoveAll(r.dir+repairingSuffix))
	}
	if err := r.change(); err != nil {
		return Repaired{}, r.failed(err)
	}
	return r.done, nil
}

// noRepair refuses to repair a copy: what it lacks isn't lost.
func noRepair(cfg Config, of string) error {
	start := "`chalie serve`"
	if cfg.Of == "" { // nothing beside the folder says where the rest of it is
		start = "`chalie serve --log esdb://… --log-stream " + of + "`"
	}
	return &domain.Error{Op: "repair", Category: domain.Conflict, Code: CodeIsCopy,
		Message: fmt.Sprintf("the log in %s is a copy of the stream %s of a cluster, which has all of it, so it isn't repaired; nothing was changed; start %s, which moves a damaged copy aside and makes it anew", cfg.Dir, of, start)}
}

// brokenOff refuses to use a folder whose repair wasn't finished.
func brokenOff(cfg Config) error {
	if cfg.Of != "" && !cfg.ReadOnly {
		return nil // a copy's repair is worth nothing
	}
	if _, err := cfg.FS.Stat(cfg.Dir + repairedSuffix); err != nil {
		return nil //nolint:nilerr // none is under way
	}
	return &domain.Error{Op: "open log", Category: domain.Conflict, Code: CodeRepairBrokenOff,
		Message: fmt.Sprintf("a repair of the log in %s was broken off; run `chalie repair` again, which goes on with it", cfg.Dir)}
}

type repair struct {
	RepairConfig
	fs   vfs.FS
	dir  string
	done Repaired
}

// lock locks the log's folder, wherever the repair has moved it.
func (r *repair) lock() (unlock func(), err error) {
	var locks []io.Closer
	unlock = func() {
		for _, l := range locks {
			_ = l.Close() // the process goes on without it, or ends
		}
	}
	for _, dir := range []string{r.dir, r.dir + repairedSuffix} {
		if _, err := r.fs.Stat(dir); err != nil {
			continue
		}
		cfg := r.Log
		cfg.Dir, cfg.ReadOnly = dir, true // HOLDER would be left in the copy
		l, err := lockFolder(cfg)
		if err != nil {
			unlock()
			return nil, err
		}
		locks = append(locks, l)
	}
	if len(locks) > 0 {
		return unlock, nil
	}
	if r.Log.Known == 0 {
		return nil, noLog(r.Log, nil)
	}
	// The whole folder is gone, but another source knows of the log.
	if err := r.fs.MkdirAll(r.dir, 0o700); err != nil {
		return nil, r.failed(err)
	}
	return r.lock()
}

// rescue writes the new store, and renames it once it is complete.
func (r *repair) rescue(ctx context.Context) error {
	end, err := r.examine(ctx)
	if err != nil {
		return err
	}
	from, err := newSalvage(r.Log)
	if err != nil {
		return r.failed(err)
	}
	err = r.fill(ctx, from, end)
	if err := firstOf(err, from.close()); err != nil {
		return r.failed(err)
	}
	repaired := r.dir + repairedSuffix
	err = firstOf(writeRepairFile(r.Log, r.dir+repairingSuffix, r.done), r.fs.Rename(r.dir+repairingSuffix, repaired))
	if err == nil {
		err = syncFolder(r.Log, r.fs.PathDir(r.dir))
	}
	if err != nil {
		return r.failed(err)
	}
	return nil
}

// examine refuses a sound log, and returns the position that a damaged one is known to
// have reached.
func (r *repair) examine(ctx context.Context) (domain.Position, error) {
	cfg := r.Log
	cfg.ReadOnly = true
	l := &Log{cfg: cfg}
	found, err := look(cfg)
	if err == nil && found.of != "" {
		return 0, noRepair(cfg, found.of)
	}
	known, _ := l.known(false)
	s, at, err := l.openAt(nil)
	if loss := l.Loss(); loss != nil {
		r.done.Unmarked = loss.Mark != ""
	}
	switch {
	case err != nil && unread(err):
		return 0, openFailed(cfg, err)
	case err != nil:
		return known, nil //nolint:nilerr // it is damaged
	case l.Loss() != nil:
		return max(known, at.tail), s.shutdown()
	}
	l.store = s
	l.durable.Store(uint64(at.tail))
	report, err := l.Verify(ctx, r.Progress)
	if err := firstOf(err, s.shutdown()); err != nil {
		return 0, err
	}
	if report.OK() {
		return 0, &domain.Error{Op: "repair", Category: domain.Conflict, Code: CodeSound,
			Message: fmt.Sprintf("the log in %s is sound, so there is nothing to repair; nothing was changed", cfg.Dir)}
	}
	return at.tail, nil
}

// fill copies the readable records into a new store, each to its position.
func (r *repair) fill(ctx context.Context, from *salvage, known domain.Position) error {
	last, err := from.end()
	if err != nil {
		return err
	}
	cfg := r.Log
	cfg.Dir += repairingSuffix
	to := &filling{cfg: cfg}
	if err := to.begin(); err != nil {
		return err
	}
	err = r.bring(ctx, from, to, max(known, last))
	if err == nil {
		to.consumers, err = from.consumers()
	}
	if err != nil {
		return errors.Join(err, to.abandon())
	}
	return to.finish()
}

// bring copies the records up to a position.
func (r *repair) bring(ctx context.Context, from *salvage, to *filling, end domain.Position) error {
	r.done.Copy = r.fs.PathBase(damagedFolder(r.Log))
	why := domain.RecordLost{Reason: domain.LostToDamage, Copy: r.done.Copy}
	missing := domain.Position(0) // the last position without a record
	for pos := domain.Position(1); pos <= end; pos++ {
		if pos%1024 == 0 {
			if r.Progress != nil {
				r.Progress(pos, end)
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		g, went, err := from.gone(pos)
		if err != nil {
			return err
		}
		if went {
			if to.at == 0 {
				to.at = g.at
			}
			if err := firstOf(to.lost(missing, to.at, r.IDs, why), to.gone(g.through, g.at)); err != nil {
				return err
			}
			r.done.Retired += uint64(g.through-pos) + 1
			pos = g.through
			continue
		}
		p, rec, err := r.take(from, to, pos)
		if err != nil {
			return err
		}
		if p == nil {
			missing = pos
			r.done.Lost++
			if n := len(r.done.LostAt); n < maxLostAt || pos == r.done.LostAt[n-1].Through+1 {
				r.done.LostAt = addTo(r.done.LostAt, pos)
			}
			continue
		}
		// A lost record gets the time of the record before it, or of the first one left
		// when there is none before: times never go back.
		if to.next() == 1 && to.at == 0 {
			to.at = rec.RecordedAt
		}
		if err := to.lost(missing, to.at, r.IDs, why); err != nil {
			return err
		}
		if _, err := to.add(p, rec.RecordedAt, rec.Ahead); err != nil {
			return err
		}
		r.done.Records++
	}
	return to.lost(end, to.at, r.IDs, why)
}

// take reads the record at a position from the damaged log; nil when there is none that
// fits.
func (r *repair) take(from *salvage, to *filling, pos domain.Position) (*prepared, domain.Record, error) {
	rec, stored, ok, err := from.at(pos)
	if err != nil || !ok {
		return nil, rec, err
	}
	known, err := to.find(rec.Envelope.ID)
	if err != nil || known > 0 || rec.RecordedAt < to.at {
		return nil, rec, err
	}
	body, _, err := split(stored)
	if err != nil {
		return nil, rec, err
	}
	// The trailer is rebuilt with the same position and times.
	record := slices.Concat(body, emptyTrailer[:])
	record[0] = formatPlain
	return &prepared{topic: rec.Topic, envelope: &rec.Envelope, record: record}, rec, nil
}

// damagedFolder is an unused path, beside the log's, for what is damaged.
func damagedFolder(cfg Config) string {
	return free(cfg.FS, cfg.FS.PathDir(cfg.Dir), "damaged-"+cfg.Clock.Now().UTC().Format("20060102-150405"))
}

// free is an unused path in a folder: a name, with a number if it is taken.
func free(disk vfs.FS, dir, name string) string {
	path := disk.PathJoin(dir, name)
	for n := 2; ; n++ {
		if _, err := disk.Stat(path); err != nil {
			return path
		}
		path = disk.PathJoin(dir, fmt.Sprintf("%s-%d", name, n))
	}
}

// beside is a path in the folder that holds the log's.
func (r *repair) beside(name string) string { return r.fs.PathJoin(r.fs.PathDir(r.dir), name) }

// change replaces the damaged log by the repaired one, and moves it into the copy with
// the projections. Each step may have been done by an earlier run.
func (r *repair) change() error {
	aside := r.beside(r.done.Copy)
	if err := r.fs.MkdirAll(aside, 0o700); err != nil {
		return err
	}
	// Projections are moved first: beside the repaired log they would be wrong.
	for _, dir := range append(slices.Clone(r.Folded), r.dir) {
		if _, err := r.fs.Stat(dir); err != nil {
			continue // it went already, or wasn't there
		}
		if err := r.fs.Rename(dir, free(r.fs, aside, r.fs.PathBase(dir))); err != nil {
			return err
		}
	}
	parent := r.fs.PathDir(r.dir)
	if err := firstOf(syncFolder(r.Log, aside), syncFolder(r.Log, parent)); err != nil {
		return err
	}
	if err := r.fs.Rename(r.dir+repairedSuffix, r.dir); err != nil {
		return err
	}
	return firstOf(syncFolder(r.Log, parent), r.fs.Remove(r.fs.PathJoin(r.dir, repairFile)))
}

func (r *repair) failed(cause error) error {
	if known, ok := errors.AsType[*domain.Error](cause); ok || errors.Is(cause, context.Canceled) {
		if ok {
			return known
		}
		return cause
	}
	return &domain.Error{Op: "repair", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: cause,
		Message: fmt.Sprintf("the disk of %s can't be read or written, so the log was not repaired and nothing was lost; check the disk and its free space, and run `chalie repair` again. A disk that fails for good is copied to another one first, and repaired there", r.dir)}
}

func writeRepairFile(cfg Config, dir string, done Repaired) error {
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	file, err := cfg.FS.Create(cfg.FS.PathJoin(dir, repairFile), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return firstOf(err, file.Sync(), file.Close(), syncFolder(cfg, dir))
}

// readRepairFile reads the result of a repair from its folder.
func readRepairFile(cfg Config) (done Repaired, err error) {
	file, err := cfg.FS.Open(cfg.FS.PathJoin(cfg.Dir+repairedSuffix, repairFile))
	if err != nil {
		return done, err
	}
	defer file.Close()
	return done, json.NewDecoder(io.LimitReader(file, 1<<20)).Decode(&done)
}
