package pebblelog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// storeFormat is the layout of keys and values. A version that doesn't know it
// refuses the folder.
const storeFormat = 1

// Log is a domain.Log in a Pebble store. Make one with Open.
type Log struct {
	cfg  Config
	lock io.Closer

	intake   sync.RWMutex // held for reading while a request is queued
	closed   bool
	requests chan *request

	mu      sync.Mutex // guards what moves when a group is durable or a store is replaced
	store   *store
	counts  map[domain.TypeVersion]uint64
	moved   chan struct{} // closed and replaced when durable moves
	durable atomic.Uint64

	checkpoints checkpoints
	closing     chan struct{}
	supervised  chan struct{} // closed when supervise has ended
}

var _ domain.Log = (*Log)(nil)

// start is what a writer begins from.
type start struct {
	tail       domain.Position
	recordedAt domain.Millis
	maxID      domain.ID
	counts     map[domain.TypeVersion]uint64
}

// Open opens or makes the log in cfg.Dir. It doesn't scan: a log of any length
// opens in the time Pebble needs. Errors: Conflict "locked" with who holds the
// folder, NotFound "no_log" when ReadOnly finds none, Dependency otherwise.
func Open(cfg Config) (*Log, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if !cfg.ReadOnly {
		if err := cfg.FS.MkdirAll(cfg.Dir, 0o700); err != nil {
			return nil, &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
				Message: fmt.Sprintf("can't make %s; check its permissions", cfg.Dir)}
		}
	}
	lock, err := lockFolder(cfg)
	if err != nil {
		return nil, err
	}
	l := &Log{
		cfg: cfg, lock: lock,
		requests:   make(chan *request, cfg.QueueSize),
		moved:      make(chan struct{}),
		closing:    make(chan struct{}),
		supervised: make(chan struct{}),
	}
	l.checkpoints.init()
	s, at, err := l.openAt()
	if err != nil {
		return nil, errors.Join(openFailed(cfg, err), removeHolder(cfg), lock.Close())
	}
	l.store, l.counts = s, cloneCounts(at.counts)
	l.durable.Store(uint64(at.tail))
	go l.supervise(s, at)
	return l, nil
}

func openFailed(cfg Config, err error) error {
	if cfg.ReadOnly && errors.Is(err, pebble.ErrDBDoesNotExist) {
		return &domain.Error{Op: "open log", Category: domain.NotFound, Code: "no_log", Err: err,
			Message: fmt.Sprintf("there is no log in %s; start `chalie serve` once, or name another folder with --data", cfg.Dir)}
	}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	next := "check the disk, its free space and the folder's permissions"
	if pebble.IsCorruptionError(err) {
		next = "the folder is damaged: restore it from a backup"
	}
	return &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: err,
		Message: fmt.Sprintf("can't open the log in %s; %s", cfg.Dir, next)}
}

// openAt opens the store and finds where it ends. What it finds is durable:
// Pebble flushes what it replays from a WAL before Open returns.
func (l *Log) openAt() (*store, start, error) {
	s, err := openStore(l.cfg)
	if err != nil {
		return nil, start{}, err
	}
	at, err := readStart(s.db)
	if err == nil {
		err = l.checkFormat(s)
	}
	if err == nil && at.tail < l.Tail() {
		err = &domain.Error{Op: "open log", Category: domain.Dependency, Code: domain.CodeCorrupt,
			Message: fmt.Sprintf("the disk lost records %d to %d, which it had confirmed; restore the folder from a backup", at.tail+1, l.Tail())}
	}
	if err != nil {
		s.abandon()
		return nil, start{}, err
	}
	return s, at, nil
}

// checkFormat refuses a layout this version doesn't know, and stamps a new store.
func (l *Log) checkFormat(s *store) error {
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
	if !errors.Is(err, pebble.ErrNotFound) || l.cfg.ReadOnly {
		return err
	}
	return s.guarded(func() error {
		if err := s.db.Set(append(key, "format"...), []byte{storeFormat}, pebble.Sync); err != nil {
			return err
		}
		// The first WAL of a new store is begun before its format is raised and
		// lacks the marks that tell damage from an end. A flush begins another.
		return s.db.Flush()
	})
}

func readStart(db *pebble.DB) (start, error) {
	at := start{counts: map[domain.TypeVersion]uint64{}}
	if err := lastIn(db, []byte{prefixRecord}, func(key, value []byte) error {
		at.tail = positionOf(key)
		rec, err := decodeRecord(at.tail, value, names{})
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
	return at, eachIn(db, []byte{prefixCount}, func(key, value []byte) error {
		tv, ok := countOf(key)
		n, size := binary.Uvarint(value)
		if !ok || size <= 0 {
			return fmt.Errorf("the count %q can't be read", key)
		}
		at.counts[tv] = n
		return nil
	})
}

// supervise runs a writer on the store and, when the store fails, opens another
// and goes on from what that one holds.
func (l *Log) supervise(s *store, at start) {
	defer close(l.supervised)
	for {
		w := newWriter(l, s, at)
		go w.run()
		select {
		case <-w.ended: // closing, or failing
		case <-s.failed:
		}
		select {
		case <-s.failed:
		default:
			return
		}
		l.cfg.Logger.Error("the log's store failed; appends are refused until it can be opened again", "error", s.cause)
		s.fence.shut()
		w.abandon(s.cause)
		l.checkpoints.restore()
		next, from, ok := l.reopen(s.cause)
		if !ok {
			return
		}
		l.replace(next, from)
		s.abandon()
		l.cfg.Logger.Info("the log's store is open again", "tail", uint64(from.tail))
		s, at = next, from
	}
}

// reopen tries to open the store until that works or the log is closed. Appends
// are refused meanwhile: nobody should wait for a disk that may never return.
func (l *Log) reopen(cause error) (*store, start, bool) {
	stop := make(chan struct{})
	refused := make(chan struct{})
	go func() {
		defer close(refused)
		l.refuse(cause, stop)
	}()
	for pause := l.cfg.RetryEvery; ; pause = min(2*pause, 100*l.cfg.RetryEvery) {
		s, at, err := l.openAt()
		if err == nil {
			close(stop)
			<-refused
			return s, at, true
		}
		l.cfg.Logger.Error("the log's store can't be opened yet", "error", err, "retry_in", pause)
		select {
		case <-time.After(pause):
		case <-l.closing:
			<-refused // the queue is closed; what is left in it gets its answer
			return nil, start{}, false
		}
	}
}

// refuse answers what is queued until stop is closed or the queue is.
func (l *Log) refuse(cause error, stop <-chan struct{}) {
	for {
		select {
		case req, ok := <-l.requests:
			if !ok {
				return
			}
			if req.state.CompareAndSwap(queued, taken) {
				req.reply(domain.Receipt{}, diskFailed(cause))
			}
		case <-stop:
			return
		}
	}
}

// replace makes readers use another opening of the store.
func (l *Log) replace(s *store, at start) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.store, l.counts = s, cloneCounts(at.counts)
	l.moveLocked(at.tail)
}

// advance makes a synced group visible. It reports false when its store has
// been given up: then the store opened in its place says what is in the log.
func (l *Log) advance(s *store, g *group) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-s.failed:
		return false
	default:
	}
	for tv, n := range g.counts {
		l.counts[tv] = n
	}
	if len(g.entries) > 0 {
		l.moveLocked(g.last())
	}
	return true
}

func (l *Log) moveLocked(tail domain.Position) {
	l.durable.Store(uint64(tail))
	close(l.moved)
	l.moved = make(chan struct{})
}

// Tail implements domain.Tailer.
func (l *Log) Tail() domain.Position { return domain.Position(l.durable.Load()) }

// Wait implements domain.Tailer.
func (l *Log) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	for {
		l.mu.Lock()
		moved := l.moved
		l.mu.Unlock()
		if tail := l.Tail(); tail > after {
			return tail, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-l.closing:
			return 0, closedError()
		}
	}
}

// pin returns the store for one read; call release when done.
func (l *Log) pin() (*store, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.store == nil || !l.store.acquire() {
		return nil, closedError()
	}
	return l.store, nil
}

// Close stops intake, lets the writer drain what was accepted, syncs and closes
// the store. Reads under way are waited for. A second Close does nothing.
func (l *Log) Close() error {
	l.intake.Lock()
	if l.closed {
		l.intake.Unlock()
		<-l.supervised
		return nil
	}
	l.closed = true
	close(l.requests)
	l.intake.Unlock()
	close(l.closing)
	<-l.supervised

	l.mu.Lock()
	s := l.store
	l.store = nil
	l.mu.Unlock()
	var err error
	select {
	case <-s.failed:
		s.abandon()
		err = diskFailed(s.cause)
	default:
		err = firstOf(l.checkpoints.flush(l.cfg, s), s.shutdown())
	}
	return firstOf(err, removeHolder(l.cfg), l.lock.Close())
}

func cloneCounts(in map[domain.TypeVersion]uint64) map[domain.TypeVersion]uint64 {
	out := make(map[domain.TypeVersion]uint64, len(in))
	for tv, n := range in {
		out[tv] = n
	}
	return out
}
