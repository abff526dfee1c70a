package commands

import (
	"context"
	"time"

	"chalie/domain"
)

// activity finds out when something last happened in a topic, by reading on from
// where it last looked. It belongs to one goroutine.
type activity struct {
	reader domain.Reader
	counts func(domain.Record) bool // what is something
	topics []domain.Topic
	from   map[domain.Topic]domain.Position
}

// newActivity looks at what comes after a position.
func newActivity(reader domain.Reader, after domain.Position, counts func(domain.Record) bool, topics ...domain.Topic) *activity {
	a := &activity{reader: reader, counts: counts, topics: topics, from: map[domain.Topic]domain.Position{}}
	for _, t := range topics {
		a.from[t] = after + 1
	}
	return a
}

// latest is the latest record that counts since it last looked; false when there
// is none.
func (a *activity) latest(ctx context.Context) (last domain.Record, found bool, err error) {
	for _, topic := range a.topics {
		for {
			records, err := a.reader.Select(ctx, domain.Selector{Topic: topic}, a.from[topic], spinePage)
			if err != nil {
				return last, found, err
			}
			for _, rec := range records {
				a.from[topic] = rec.Position + 1
				if rec.Position > last.Position && a.counts(rec) {
					last, found = rec, true
				}
			}
			if len(records) < spinePage {
				break
			}
		}
	}
	return last, found, nil
}

// until sleeps until a moment, and reports false when ctx ended first.
func until(ctx context.Context, clock domain.Clock, moment time.Time) bool {
	for {
		left := moment.Sub(clock.Now())
		if left <= 0 {
			return ctx.Err() == nil
		}
		if !sleep(ctx, left) {
			return false
		}
	}
}

// timeOf is a moment of the log as a time.
func timeOf(at domain.Millis) time.Time { return time.UnixMilli(int64(at)) }
