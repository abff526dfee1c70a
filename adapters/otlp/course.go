package otlp

import (
	"context"

	"chalie/domain"
	"chalie/projections/traces"
)

// course is how far a trace has come: how it stands, and where it last came to an
// end. It follows from the trace's records alone, so it is the same after a restart.
type course struct {
	line  traces.Line
	ended domain.Position // 0 before the first end
}

// maxCourses bounds those in memory. One that was let go is read again.
const maxCourses = 8192

// follow takes a record in, and returns what came to an end with it; nil when
// nothing did.
func (f *Follower) follow(ctx context.Context, rec domain.Record) (*segment, error) {
	trace := rec.Envelope.Trace
	c := f.courses[trace]
	if c == nil {
		var err error
		if c, err = f.before(ctx, rec); err != nil {
			return nil, err
		}
		if len(f.courses) >= maxCourses {
			clear(f.courses)
		}
		f.courses[trace] = c
	}
	after := c.ended
	if !c.add(rec) {
		return nil, nil
	}
	return &segment{trace: trace, root: c.line.Root.EnvelopeID, after: after, through: rec.Position}, nil
}

// add takes a record in, and reports whether nothing of the trace waits after it.
func (c *course) add(rec domain.Record) bool {
	c.line.Follow(&rec)
	if c.line.Outcome() == traces.Open {
		return false
	}
	c.ended = rec.Position
	return true
}

// before is the course of a record's trace up to that record.
func (f *Follower) before(ctx context.Context, rec domain.Record) (*course, error) {
	c := &course{}
	for from := domain.Position(1); ; {
		records, err := f.cfg.Log.Select(ctx, domain.Selector{Trace: rec.Envelope.Trace}, from, windowPage)
		if err != nil {
			return nil, err
		}
		for _, earlier := range records {
			if earlier.Position >= rec.Position {
				return c, nil
			}
			c.add(earlier)
		}
		if len(records) < windowPage {
			return c, nil
		}
		from = records[len(records)-1].Position + 1
	}
}
