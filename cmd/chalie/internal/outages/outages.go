// Package outages keeps a log readable while something that Chalie needs is away: the disk
// or the cluster of the log, a model, an interface. Each request and each attempt fails
// then, for one reason. A [Log] is a handler of package log/slog that lets the first such
// line through, counts the others, and tells when it is over, with how many requests were
// refused.
//
// What counts is the error of a line: a [domain.Error] of a dependency that may work again.
// All that keeps the log from taking records is one outage, and over when [Log.Watch] says
// so; any other is named by its code and words, and over when it wasn't heard for a minute.
package outages

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"chalie/domain"
)

// Log is a handler that tells of each outage twice.
type Log struct {
	slog.Handler
	*kept
}

// kept is what handlers with other attributes share.
type kept struct {
	mu       sync.Mutex
	over     func() bool // whether the log takes records; nil when it can't be asked
	away     map[outage]*spell
	stop     chan struct{}
	stopped  bool
	watching sync.WaitGroup
}

// outage is one thing that is away. The log's has no words: they differ.
type outage struct {
	code  domain.Code
	words string
}

var ofLog = outage{code: "log"}

// spell is an outage while it lasts.
type spell struct {
	to      slog.Handler // of its first line
	since   time.Time
	heard   time.Time // last
	lines   int
	refused int // requests
	last    slog.Record
}

// New passes lines on to a handler. Close it.
func New(to slog.Handler) *Log {
	return &Log{to, &kept{away: map[outage]*spell{}, stop: make(chan struct{})}}
}

// Watch says how to find out that the log takes records again.
func (l *Log) Watch(over func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = over
}

// Close tells what was refused until now, and ends the watch.
func (l *Log) Close() {
	l.mu.Lock()
	if l.stopped {
		l.mu.Unlock()
		return
	}
	l.stopped = true
	close(l.stop)
	l.mu.Unlock()
	l.watching.Wait()
	for _, s := range l.away {
		s.tell("what was away is so until the end")
	}
}

// Handle implements slog.Handler.
func (l *Log) Handle(ctx context.Context, r slog.Record) error {
	which, request, ok := named(r)
	if !ok || l.again(which, request, r) {
		return l.Handler.Handle(ctx, r)
	}
	return nil
}

// WithAttrs implements slog.Handler.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Log{l.Handler.WithAttrs(attrs), l.kept}
}

// WithGroup implements slog.Handler.
func (l *Log) WithGroup(name string) slog.Handler { return &Log{l.Handler.WithGroup(name), l.kept} }

// named is the outage that a line tells of, and whether it is one of a refused request.
func named(r slog.Record) (which outage, request, ok bool) {
	if r.Level < slog.LevelWarn {
		return which, false, false
	}
	r.Attrs(func(a slog.Attr) bool {
		request = request || a.Key == "status"
		if err, is := a.Value.Any().(error); is && !ok {
			which, ok = outageOf(err)
		}
		return true
	})
	return which, request, ok
}

func outageOf(err error) (outage, bool) {
	var first *domain.Error
	for e, ok := errors.AsType[*domain.Error](err); ok; e, ok = errors.AsType[*domain.Error](e.Err) {
		if first == nil {
			first = e
		}
		switch e.Code {
		case domain.CodeClusterAway, domain.CodeDiskLow, domain.CodeOutcomeUnknown:
			return ofLog, true
		case domain.CodeDiskFailed:
			if e.Op == "append" {
				return ofLog, true
			}
		}
	}
	if first == nil || first.Category != domain.Dependency || !first.Retriable {
		return outage{}, false
	}
	return outage{first.Code, first.Message}, true
}

// again notes a line, and reports whether it begins an outage.
func (l *Log) again(which outage, request bool, r slog.Record) (begins bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stopped {
		return true
	}
	s := l.away[which]
	if begins = s == nil; begins {
		if len(l.away) >= maxAway {
			return true
		}
		s = &spell{to: l.Handler, since: r.Time}
		l.away[which] = s
		if len(l.away) == 1 {
			l.watching.Go(l.watch)
		}
	}
	s.heard, s.last = r.Time, r
	s.lines++
	if request {
		s.refused++
	}
	return begins
}

const (
	maxAway   = 100 // outages at a time; what comes then is told each time
	lookEvery = time.Second
	quietFor  = time.Minute // after which what can't be asked counts as over
)

// watch tells what is over, until nothing is away.
func (l *Log) watch() {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-l.stop:
			return
		}
		if !l.look() {
			return
		}
	}
}

// look tells what is over, and reports whether something is away.
func (l *Log) look() bool {
	l.mu.Lock()
	over := l.over
	l.mu.Unlock()
	takes := over != nil && over()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for which, s := range l.away {
		if which == ofLog && takes || (which != ofLog || over == nil) && now.Sub(s.heard) >= quietFor {
			s.tell("what was away is there again")
			delete(l.away, which)
		}
	}
	return len(l.away) > 0
}

// tell says what came of it. One failure that was told is no outage.
func (s *spell) tell(message string) {
	if s.lines == 1 {
		return
	}
	r := slog.NewRecord(time.Now(), slog.LevelInfo, message, 0)
	r.AddAttrs(slog.Int("refused", s.refused), slog.Duration("after", r.Time.Sub(s.since).Round(time.Second)))
	s.last.Attrs(func(a slog.Attr) bool {
		if err, is := a.Value.Any().(error); is {
			r.AddAttrs(slog.String("why", err.Error()))
		}
		return true
	})
	if ctx := context.Background(); s.to.Enabled(ctx, r.Level) {
		_ = s.to.Handle(ctx, r) // who logs can't be told, either
	}
}

var _ slog.Handler = (*Log)(nil)
