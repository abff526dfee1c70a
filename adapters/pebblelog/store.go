package pebblelog

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// store is one opening of the Pebble store. When the disk fails the store is
// given up and another is opened in its place; readers keep the one they hold
// until they are done.
type store struct {
	db    *pebble.DB
	fence *fence

	opened   atomic.Bool
	writes   sync.RWMutex // held by each write, and while closing is set
	closing  atomic.Bool
	setbacks atomic.Int64 // failures of background work
	trouble  atomic.Bool  // it was told that it fails, and no table was written since
	damaged  sync.Map     // the paths of files that were told to be damaged
	tell     func(error)  // that a file is damaged; once for each
	failOnce sync.Once
	failed   chan struct{} // closed when Pebble would have ended the process
	cause    error         // set before failed is closed

	mu      sync.Mutex
	readers int
	retired bool
	gone    chan struct{} // closed once Pebble's Close returned
	// closeErr is what Pebble's Close said; read it after gone.
	closeErr error
}

// openStore opens the folder. While the disk refuses the records of the WAL it waits and
// tries again: without bound until patient is closed, or a few times when patient is nil.
func openStore(cfg Config, before *leaving, patient <-chan struct{}, damaged func(error)) (*store, error) {
	s := &store{
		tell:   damaged,
		fence:  &fence{FS: cfg.FS, before: before},
		failed: make(chan struct{}),
		gone:   make(chan struct{}),
	}
	s.fence.walClosed, s.fence.dirUnsynced = s.strand, s.hold
	compacting := newCompactions()
	opened := make(chan *pebble.DB, 1)
	err := s.guarded(patient, func() error {
		opts := s.options(cfg, patient != nil)
		opts.FileCache = pebble.NewFileCache(min(runtime.GOMAXPROCS(0), cfg.OpenTables), cfg.OpenTables)
		defer opts.FileCache.Unref() // the store keeps it
		opts.Experimental.CompactionScheduler = compacting
		db, err := pebble.Open(cfg.Dir, opts)
		opened <- db
		return err
	})
	select {
	case s.db = <-opened:
	default: // the operation still runs, and is abandoned
	}
	if err != nil {
		s.abandon()
		return nil, err
	}
	s.opened.Store(true)
	compacting.begin()
	return s, nil
}

func (s *store) options(cfg Config, patient bool) *pebble.Options {
	opts := &pebble.Options{
		FS:                          s.fence,
		ReadOnly:                    cfg.ReadOnly,
		ErrorIfNotExists:            cfg.ReadOnly,
		CacheSize:                   cfg.CacheBytes,
		MemTableSize:                uint64(cfg.MemTableBytes),
		MemTableStopWritesThreshold: 4,
		// Nothing is ever overwritten, so compaction only sorts. Let it come
		// late: early it costs a third of the append throughput and gains reads
		// little.
		L0CompactionThreshold:     24,
		L0StopWritesThreshold:     64,
		L0CompactionFileThreshold: 1000,
		LBaseMaxBytes:             1 << 30,
		// Newer formats mark how far the WAL was synced, which tells a damaged
		// WAL from one that ends where the power went.
		FormatMajorVersion: pebble.FormatNewest,
		Logger:             storeLogger{s, cfg.Logger},
		EventListener: &pebble.EventListener{
			BackgroundError: func(err error) { s.paced(cfg, patient, err) },
			FlushEnd: func(info pebble.FlushInfo) {
				if info.Err == nil {
					s.trouble.Store(false)
				}
			},
			WALCreated: func(info pebble.WALCreateInfo) {
				if info.Err != nil {
					s.strand(info.Err)
				}
			},
			DataCorruption: func(info pebble.DataCorruptionInfo) {
				// Once: each read of the file meets it again.
				if _, known := s.damaged.LoadOrStore(info.Path, true); !known {
					cfg.Logger.Error("the log's folder holds a damaged file", "path", info.Path, "error", info.Details)
					s.tell(info.Details)
				}
			},
		},
	}
	for i := range opts.Levels {
		// The log is mostly read in order, and larger blocks are read faster.
		opts.Levels[i].BlockSize = 16 << 10
	}
	return opts
}

// paced slows down Pebble's endless retries of a failed flush or compaction. It ends the
// goroutine of an abandoned opening, and abandons one after a few failures unless it is
// patient.
func (s *store) paced(cfg Config, patient bool, err error) {
	if s.trouble.CompareAndSwap(false, true) { // it is tried many times a second
		cfg.Logger.Error("the log's background work failed and is tried again until it succeeds", "error", err.Error()) // without its stack
	}
	if n := s.setbacks.Add(1); !s.opened.Load() && !patient && n == impatientAfter {
		s.fail(err)
	}
	if s.closing.Load() {
		return // Close waits for this goroutine
	}
	given := s.failed
	if s.opened.Load() {
		given = nil // Close ends what goes on in the background
	}
	select {
	case <-given:
		runtime.Goexit()
	case <-time.After(cfg.RetryEvery):
	}
}

// impatientAfter is how often the first opening of a log may fail to flush its WAL before
// the failure is reported.
const impatientAfter = 5

// hold keeps the goroutine that could not sync the folder. Pebble panics there,
// on goroutines of its own that nobody can recover.
func (s *store) hold(cause error) {
	if s.closing.Load() {
		return
	}
	s.fail(cause)
	select {}
}

// strand keeps the goroutine that changes from one WAL to the next when that
// fails. Going on, Pebble would panic and on the way unlock its lock a second
// time, which ends the process. The goroutine and the store's memory stay; the
// log goes on with another opening.
func (s *store) strand(cause error) {
	if !s.opened.Load() || s.closing.Load() {
		return // opening and closing report it in order
	}
	s.fail(cause)
	select {}
}

// guarded runs an operation that writes. Pebble reports some failures only to
// its logger, by a call that must not return: the goroutine that makes it is
// ended, and others then wait for it for ever. So the operation has a goroutine
// of its own, and is left behind when the store fails or giveUp is closed. One that
// panics has failed the store.
func (s *store) guarded(giveUp <-chan struct{}, op func() error) error {
	result := make(chan error, 1)
	go func() {
		err := errors.New("the store failed")
		defer func() {
			if r := recover(); r != nil {
				// It may have held Pebble's locks: even closing would wait for ever.
				err = fmt.Errorf("the store failed: %v", r)
				s.fail(err)
			}
			result <- err
		}()
		err = op()
	}()
	select {
	case <-giveUp:
		s.fail(closedError())
		return s.cause
	case <-s.failed:
		return s.cause
	case err := <-result:
		select {
		case <-s.failed:
			return errors.Join(s.cause, err)
		default:
			return err
		}
	}
}

// change runs an operation that writes, guarded.
func (s *store) change(op func() error) error {
	return s.guarded(nil, func() error { return s.write(op) })
}

// write runs an operation that writes, unless the store is being closed: closing waits
// for it. A failed operation that never returns keeps the store open for ever; returning,
// it would make Pebble unlock a lock that it doesn't hold.
func (s *store) write(op func() error) error {
	s.writes.RLock()
	defer s.writes.RUnlock()
	if s.closing.Load() {
		return errFenced
	}
	return op()
}

// fail marks the store as one that can't be written any more.
func (s *store) fail(cause error) {
	s.failOnce.Do(func() {
		s.cause = cause
		close(s.failed)
	})
}

// acquire keeps the store open for a reader; false when it is already retired.
func (s *store) acquire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return false
	}
	s.readers++
	return true
}

func (s *store) release() {
	s.mu.Lock()
	s.readers--
	last := s.retired && s.readers == 0
	s.mu.Unlock()
	if last {
		go s.close()
	}
}

// abandon shuts the store off from the disk, lets its readers finish and closes
// it. It doesn't wait: a store whose disk failed may never close in order, and
// then only its memory is lost.
func (s *store) abandon() {
	s.fence.shut()
	if s.retire() {
		go s.close()
	}
}

// retire refuses new readers and reports whether none is left.
func (s *store) retire() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.retired = true
	return s.readers == 0
}

// shutdown waits for the readers, then closes the store in order.
func (s *store) shutdown() error {
	if s.retire() {
		go s.close()
	}
	<-s.gone
	return s.closeErr
}

func (s *store) close() {
	defer close(s.gone)
	// Pebble panics when a broken store is closed. The failure of an abandoned store was
	// already reported.
	defer func() {
		if r := recover(); r != nil {
			s.closeErr = fmt.Errorf("closing the store: %v", r)
		}
	}()
	s.writes.Lock()
	s.closing.Store(true)
	s.writes.Unlock()
	if s.db != nil {
		s.closeErr = s.db.Close()
	}
}

// storeLogger turns Pebble's lines into slog's and its "end the process" into
// the end of one goroutine and a failed store.
type storeLogger struct {
	store *store
	log   *slog.Logger
}

func (l storeLogger) Infof(format string, args ...any) {
	l.log.Debug(fmt.Sprintf(format, args...))
}

func (l storeLogger) Errorf(format string, args ...any) {
	l.log.Error(fmt.Sprintf(format, args...))
}

func (l storeLogger) Fatalf(format string, args ...any) {
	l.store.fail(fmt.Errorf(format, args...))
	runtime.Goexit()
}

var (
	_ vfs.FS        = (*fence)(nil)
	_ vfs.File      = (*fencedFile)(nil)
	_ pebble.Logger = storeLogger{}
)
