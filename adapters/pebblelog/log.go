package pebblelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"
	"sync/atomic"

	"chalie/domain"
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
	topics  latest
	retired map[domain.TypeVersion]uint64 // how many of counts went
	moved   chan struct{}                 // closed and replaced when durable moves
	durable atomic.Uint64

	retiring    sync.Mutex // held by Retire
	mark        mark
	unmarked    atomic.Bool           // the failure to write the mark was logged
	refusal     atomic.Pointer[error] // of appends, while the store can't be reopened because records are lost
	damage      damage                // of a copy
	loss        atomic.Pointer[Loss]  // what a read-only log lacks; set by each opening of the store
	checkpoints checkpoints
	leaving     leaving
	marking     sync.WaitGroup // the mark is being synced
	closing     chan struct{}
	ending      context.Context // ends when closing is closed
	end         context.CancelFunc
	supervised  chan struct{} // closed when supervise has ended
}

var _ domain.Log = (*Log)(nil)

// Open opens or makes the log in cfg.Dir. It doesn't scan: a log of any length opens in
// the time Pebble needs. Errors: Conflict "locked" with who holds the folder, NotFound
// "no_log" when ReadOnly finds none, Dependency otherwise, with CodeRecordsLost when
// confirmed records are missing. ReadOnly opens such a log, too, as far as it can be
// read, and Loss says what it lacks. A copy that is damaged is moved aside, and an empty one
// is opened in its place; ReadOnly refuses it with CodeCopyDamaged.
func Open(cfg Config) (*Log, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if cfg.Of == "" || cfg.ReadOnly {
		return open(cfg)
	}
	damage := cfg.Damage
	if damage == nil {
		l, err := open(cfg)
		if domain.CodeOf(err) != CodeCopyDamaged {
			return l, err
		}
		damage = err
	}
	if err := setAside(cfg, damage); err != nil {
		return nil, err
	}
	return open(cfg)
}

func open(cfg Config) (*Log, error) {
	if err := brokenOff(cfg); err != nil {
		return nil, err
	}
	if err := isFolder(cfg); err != nil {
		if cfg.Of != "" {
			err = copyDamaged(cfg, err)
		}
		return nil, err
	}
	if !cfg.ReadOnly {
		if err := makeFolder(cfg); err != nil {
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
	l.ending, l.end = context.WithCancel(context.Background())
	l.damage.found = make(chan struct{})
	l.checkpoints.init()
	s, at, err := l.openAt(nil)
	if err != nil {
		return nil, errors.Join(openFailed(cfg, err), removeHolder(cfg), lock.Close())
	}
	l.store, l.counts, l.retired = s, maps.Clone(at.counts), at.retired
	l.topics.reset(at.tail)
	l.durable.Store(uint64(at.tail))
	if !cfg.ReadOnly {
		l.keepMark(at.tail)
	}
	go l.supervise(s, at)
	return l, nil
}

// Loss is what the log lacks, as found when it was opened; nil for nothing. It is always
// nil for a log opened for writing.
func (l *Log) Loss() *Loss { return l.loss.Load() }

// Refusal is the error with which this log would refuse to be opened for writing; nil
// when it wouldn't.
func (l *Log) Refusal() error {
	loss := l.Loss()
	if loss == nil {
		return nil
	}
	return loss.err(l.cfg)
}

// keepMark starts keeping the mark.
func (l *Log) keepMark(tail domain.Position) {
	err := l.mark.open(l.cfg, tail)
	if err == nil {
		err = l.mark.remember(l.store)
		l.marking.Go(func() { l.mark.keep(l.closing, l.noteMark) })
	}
	l.noteMark(err)
}

// noteMark logs that the mark couldn't be written. The log goes on: without a mark a
// damaged end may go unnoticed.
func (l *Log) noteMark(err error) {
	if err != nil && l.unmarked.CompareAndSwap(false, true) {
		l.cfg.Logger.Warn("the mark of the log's end can't be written, so damage at the end may be taken for the end", "err", err)
	}
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
	maps.Copy(l.counts, g.counts)
	if len(g.entries) > 0 {
		l.topics.add(g)
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

// Ending is a log in which nobody waits any more once a context has ended: a long poll
// would hold up the way out of a program. Everything else is the log's.
type Ending struct {
	*Log
	ctx context.Context
}

// Until is the log for those who wait until ctx ends at most.
func (l *Log) Until(ctx context.Context) Ending { return Ending{l, ctx} }

// Wait is the log's, and fails with CodeClosed when the context of Until has ended.
func (e Ending) Wait(ctx context.Context, after domain.Position) (domain.Position, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, cancel)()
	pos, err := e.Log.Wait(ctx, after)
	if err != nil && e.ctx.Err() != nil {
		return 0, &domain.Error{Op: "wait for records", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true,
			Message: "Chalie is shutting down; ask again once it runs"}
	}
	return pos, err
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

// Close stops intake, lets the writer drain the accepted batches, waits for reads under
// way, and syncs and closes the store. A second Close does nothing.
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
	l.end()
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
	l.marking.Wait()
	l.noteMark(l.mark.close())
	return firstOf(err, removeHolder(l.cfg), l.lock.Close())
}
