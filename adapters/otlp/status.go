package otlp

import (
	"fmt"
	"time"

	"chalie/domain"
)

// Status is how the export goes.
type Status struct {
	Collector string          // host and port
	Position  domain.Position // everything that ended up to here was sent
	Sent      uint64          // spans, since the start
	Refused   uint64          // spans that the collector will never take, since the start
	Err       error           // what it waits for to get better; nil when all is well
	Since     time.Time       // of Err
}

// Status is safe for concurrent use.
func (f *Follower) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

func (f *Follower) tell(change func(*Status)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.status)
}

// sent notes that spans were taken, and logs that what was wrong is over.
func (f *Follower) sent(spans int, partial error) {
	var was error
	f.tell(func(s *Status) {
		was, s.Err = s.Err, nil
		s.Sent += uint64(spans)
	})
	if was != nil {
		f.cfg.Logger.Info("telemetry is exported again", "collector", f.cfg.Target.host())
	}
	if partial != nil {
		f.cfg.Logger.Warn("the collector didn't take every span", "collector", f.cfg.Target.host(), "err", inShort(partial))
	}
}

// refused notes that spans are passed over.
func (f *Follower) refused(spans int, err error) {
	f.tell(func(s *Status) {
		s.Err = nil
		s.Refused += uint64(spans)
	})
	f.cfg.Logger.Warn("the collector refuses spans, and they are passed over", "collector", f.cfg.Target.host(), "spans", spans, "err", inShort(err))
}

// troubled notes a failure that may pass. It is logged once.
func (f *Follower) troubled(err error, wait time.Duration) {
	trouble := &domain.Error{Op: "export telemetry", Category: domain.Dependency, Code: "no_collector", Retriable: true, RetryAfter: wait,
		Message: fmt.Sprintf("the collector at %s takes nothing (%s); it is tried again, and the log waits for it. See that it runs, and that --otlp or the OTEL_EXPORTER_OTLP_ variables are right",
			f.cfg.Target.host(), inShort(err))}
	first := false
	f.tell(func(s *Status) {
		first = s.Err == nil
		if first {
			s.Since = f.cfg.Clock.Now()
		}
		s.Err = trouble
	})
	if first {
		f.cfg.Logger.Warn("telemetry isn't exported", "err", trouble)
	}
}
