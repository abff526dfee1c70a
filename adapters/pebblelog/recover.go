package pebblelog

import (
	"maps"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// supervise runs a writer on the store and, when the store fails, reopens it and
// continues from its new tail.
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
			if w.refused == nil {
				return
			}
			var err error
			if at, err = l.afresh(w, s); err == nil {
				continue
			}
			s.fail(err)
		}
		l.cfg.Logger.Error("the log's store failed; appends are refused until it can be opened again", "error", s.cause)
		s.fence.shut()
		l.leaving.add(s)
		w.abandon(s.cause)
		l.checkpoints.restore()
		next, from, ok := l.reopen(s.cause)
		if !ok {
			return
		}
		l.replace(next, from)
		l.noteMark(l.mark.set(from.tail))
		s.abandon()
		l.cfg.Logger.Info("the log's store is open again", "tail", uint64(from.tail))
		if l.cfg.Failed != nil {
			l.cfg.Failed()
		}
		s, at = next, from
	}
}

// reopen tries to open the store until that works or the log is closed. Appends are
// refused meanwhile: no caller should wait for a disk that may never return.
func (l *Log) reopen(cause error) (*store, start, bool) {
	stop := make(chan struct{})
	refused := make(chan struct{})
	go func() {
		defer close(refused)
		l.refuse(func() error {
			if lost := l.refusal.Load(); lost != nil {
				return *lost
			}
			return diskFailed(cause)
		}, stop)
	}()
	for pause := l.cfg.RetryEvery; ; pause = min(2*pause, 100*l.cfg.RetryEvery) {
		err := probe(l.cfg)
		var s *store
		var at start
		if err == nil {
			s, at, err = l.openAt(l.closing)
		}
		if err == nil {
			close(stop)
			<-refused
			return s, at, true
		}
		switch domain.CodeOf(err) {
		case CodeRecordsLost:
			l.refusal.Store(&err)
		case CodeCopyDamaged:
			l.note(err)
			fallthrough
		default:
			l.refusal.Store(nil)
		}
		l.cfg.Logger.Error("the log's store can't be opened yet", "error", err, "retry_in", pause)
		select {
		case <-time.After(pause):
		case <-l.closing:
			<-refused // the queue is closed, and its remaining requests are answered
			return nil, start{}, false
		}
	}
}

// probe writes and syncs a small file, to find out whether the disk works at all: a store
// that fails to open may leak memory.
func probe(cfg Config) error {
	name := cfg.FS.PathJoin(cfg.Dir, "PROBE")
	file, err := cfg.FS.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, 4096))
	if err := firstOf(err, file.Sync(), file.Close(), cfg.FS.Remove(name)); err != nil {
		return err
	}
	dir, err := cfg.FS.OpenDir(cfg.Dir)
	if err != nil {
		return err
	}
	return firstOf(dir.Sync(), dir.Close())
}

// refuse answers what is queued, for a reason, until stop is closed or the queue is.
func (l *Log) refuse(reason func() error, stop <-chan struct{}) {
	for {
		select {
		case req, ok := <-l.requests:
			if !ok {
				return
			}
			if req.state.CompareAndSwap(queued, taken) {
				req.reply(domain.Receipt{}, reason())
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
	l.store, l.counts, l.retired = s, maps.Clone(at.counts), at.retired
	l.topics.reset(at.tail)
	l.moveLocked(at.tail)
}
