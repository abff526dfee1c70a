package pebblestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/domain"
	"chalie/projections/rebuild"
)

// Codes of Open's errors, beside CodeDiskFailed when the machine refuses.
const (
	// CodeNone: there is no store; only OpenReadOnly asks for one to be there.
	CodeNone domain.Code = "no_derived_state"
	// CodeInUse: another process has the store open.
	CodeInUse domain.Code = "derived_state_in_use"
)

// Folder is the name of a projection's folder in Config.Dir: world-1.
func Folder(name string, version int) string { return fmt.Sprintf("%s-%d", name, version) }

// folder is where the store of a projection and version is, in cfg's generation.
func (c Config) folder(name string, version int) string {
	return c.FS.PathJoin(c.Dir, folderOf(name, rebuild.StoreVersion{Version: version, Generation: c.Generation}))
}

// Open opens a projection's store, or begins an empty one. Errors: a Conflict
// with CodeInUse, a Dependency with CodeCorrupt when what is there can't be
// read, or with CodeDiskFailed when the machine refuses.
func Open(name string, version int, cfg Config) (*Store, error) {
	return open(name, version, cfg, false)
}

// OpenReadOnly opens a store that is there already: Update and Reset fail.
// Errors are Open's, and a NotFound with CodeNone.
func OpenReadOnly(name string, version int, cfg Config) (*Store, error) {
	return open(name, version, cfg, true)
}

// Recover opens a store like Open, but deletes one that is damaged and begins
// an empty one. It then returns why as its second result.
func Recover(name string, version int, cfg Config) (store *Store, damage, err error) {
	store, err = Open(name, version, cfg)
	if domain.CodeOf(err) != domain.CodeCorrupt {
		return store, nil, err
	}
	damage = err
	if store, err = discard(name, version, cfg); err != nil {
		return nil, damage, err
	}
	return store, damage, nil
}

// discard holds the lock while it deletes, so that nobody else opens what is
// half deleted.
func discard(name string, version int, cfg Config) (*Store, error) {
	cfg = cfg.withDefaults()
	dir := cfg.folder(name, version)
	lock, err := lockFolder(dir, cfg, false)
	if err != nil {
		return nil, err
	}
	if err := empty(dir, cfg); err != nil {
		return nil, errors.Join(refused(dir, err), lock.Close())
	}
	return openLocked(dir, cfg, lock, false)
}

func open(name string, version int, cfg Config, readOnly bool) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	dir := cfg.folder(name, version)
	lock, err := lockFolder(dir, cfg, readOnly)
	if err != nil {
		return nil, err
	}
	return openLocked(dir, cfg, lock, readOnly)
}

func lockFile(dir string, cfg Config) string { return cfg.FS.PathJoin(dir, "LOCK") }

func lockFolder(dir string, cfg Config, readOnly bool) (*pebble.Lock, error) {
	if readOnly {
		if _, err := cfg.FS.Stat(dir); err != nil {
			return nil, none(dir, err)
		}
	} else if err := cfg.FS.MkdirAll(dir, 0o700); err != nil {
		return nil, refused(dir, err)
	}
	lock, err := pebble.LockDirectory(dir, cfg.FS)
	if readOnly && errors.Is(err, syscall.EROFS) {
		// Nothing can be written there, so nothing needs to be kept from being written.
		lock, err = pebble.LockDirectory(dir, lockless{cfg.FS})
	}
	if _, fromFile := errors.AsType[*fs.PathError](err); fromFile {
		return nil, refused(dir, err)
	}
	if err != nil {
		return nil, inUse(dir, err)
	}
	return lock, nil
}

// lockless is a file system that nobody can write to.
type lockless struct{ vfs.FS }

func (lockless) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

func inUse(dir string, err error) error {
	return &domain.Error{Op: "open derived state", Category: domain.Conflict, Code: CodeInUse, Retriable: true, Err: err,
		Message: fmt.Sprintf("%s is in use by another process; stop it, or speak to it instead", dir)}
}

func openLocked(dir string, cfg Config, lock *pebble.Lock, readOnly bool) (*Store, error) {
	s := &Store{dir: dir, cfg: cfg, readOnly: readOnly, lock: lock, health: newHealth(cfg.Log, dir)}
	opts := s.options()
	opts.FileCache = pebble.NewFileCache(1, cfg.OpenTables)
	defer opts.FileCache.Unref() // the store keeps it
	db, err := pebble.Open(dir, opts)
	if err != nil {
		return nil, errors.Join(s.openFailed(err), lock.Close())
	}
	s.db = db
	if s.flushed, err = s.Checkpoint(); err != nil {
		return nil, errors.Join(err, db.Close(), lock.Close())
	}
	return s, nil
}

func (s *Store) options() *pebble.Options {
	opts := &pebble.Options{
		FS: dirs{s.cfg.FS, s.health}, Lock: s.lock, ReadOnly: s.readOnly, Logger: s.health, EventListener: s.health.listener(),
		// The state can be folded again, so it needs no log of its own.
		DisableWAL:                 true,
		MemTableSize:               uint64(s.cfg.MemTableBytes),
		CacheSize:                  s.cfg.CacheBytes,
		FormatMajorVersion:         pebble.FormatNewest,
		CompactionConcurrencyRange: func() (int, int) { return 1, 1 },
		// A fold writes far more than it reads: what it wrote out may lie unsorted for
		// longer before it is merged, and its writer waits for the disk later.
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       8,
		L0StopWritesThreshold:       24,
	}
	// Most lookups of a fold are for what is not there yet.
	for i := range opts.Levels {
		opts.Levels[i].FilterPolicy = bloom.FilterPolicy(10)
	}
	return opts
}

// openFailed tells what is damaged from what the machine refuses: the first may
// be deleted and folded again.
func (s *Store) openFailed(err error) error {
	errno, fromSystem := errors.AsType[syscall.Errno](err)
	switch {
	case errors.Is(err, pebble.ErrDBDoesNotExist):
		return none(s.dir, err)
	case fromSystem && errno != syscall.ENOENT:
		return refused(s.dir, err)
	}
	return s.corrupt("open derived state", err)
}

func none(dir string, err error) error {
	return &domain.Error{Op: "open derived state", Category: domain.NotFound, Code: CodeNone, Err: err,
		Message: fmt.Sprintf("nothing was folded into %s yet", dir)}
}

func refused(dir string, err error) error {
	if outOfFiles(err) {
		return noDescriptors("open derived state", dir, err)
	}
	return &domain.Error{Op: "open derived state", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
		Message: fmt.Sprintf("can't use %s; check its permissions and the disk's free space", dir)}
}

// outOfFiles reports that the process or the machine may open no more files. That says
// nothing about what is stored, and passes.
func outOfFiles(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

func noDescriptors(op, dir string, err error) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: domain.CodeNoDescriptors, Retriable: true, Err: err,
		Message: fmt.Sprintf("no more files may be opened just now, so %s can't be used; nothing is damaged; try again in a moment, and raise the limit (ulimit -n) when this comes back", dir)}
}
