package commands

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
)

// rate bounds what callers send within a sliding minute in two ways: how much it is,
// and how many bytes it takes. What is sent is counted by either or by neither.
type rate struct {
	count, bytes *limiter
	what         string // is sent
}

// newRate has no bound where one is 0.
func newRate(what string, perMinute, bytesPerMinute int) rate {
	bytes := newLimiter(bytesPerMinute)
	bytes.weigh = func(rec domain.Record) int { return len(rec.Envelope.Payload.Bytes) }
	return rate{newLimiter(perMinute), bytes, what}
}

// weight is what the bytes of some entries count.
func weight(entries ...domain.Entry) (bytes int) {
	for _, e := range entries {
		bytes += len(e.Envelope.Payload.Bytes)
	}
	return bytes
}

// reserve takes n places and so many bytes, or refuses both.
func (r rate) reserve(op string, who domain.Principal, n, bytes int, now domain.Millis) error {
	if granted, wait := r.count.reserve(who, n, now); granted < n {
		r.count.release(who, granted)
		return r.count.tooMany(op, r.what, wait)
	}
	if granted, wait := r.bytes.reserve(who, bytes, now); granted < bytes {
		r.bytes.release(who, granted)
		r.count.release(who, n)
		seconds := int((wait + time.Second - 1) / time.Second)
		return &domain.Error{Op: op, Code: domain.CodeRateLimited, Retriable: true, RetryAfter: wait,
			Message: fmt.Sprintf("these %d bytes and the %s accepted in the last minute are over %d bytes, which is the limit: try again in %d s, or send less", bytes, r.what, r.bytes.limit, seconds)}
	}
	return nil
}

// release gives back what was reserved.
func (r rate) release(who domain.Principal, n, bytes int) {
	r.count.release(who, n)
	r.bytes.release(who, bytes)
}

// settled settles or releases what was reserved by what came of its append.
func (r rate) settled(who domain.Principal, n, bytes int, receipt domain.Receipt, err error, now domain.Millis) {
	r.count.settled(who, n, receipt, err, now)
	r.bytes.settled(who, bytes, receipt, err, now)
}

// charge appends a batch that takes one place, or refuses it.
func (r rate) charge(ctx context.Context, op string, log domain.Appender, who domain.Principal, b domain.Batch, bytes int, now func() domain.Millis) error {
	if err := r.reserve(op, who, 1, bytes, now()); err != nil {
		return err
	}
	receipt, err := log.Append(ctx, b)
	r.settled(who, 1, bytes, receipt, err, now())
	return err
}

// clear forgets everything, before anything is reserved.
func (r rate) clear() {
	r.count.clear()
	r.bytes.clear()
}

// seedFrom counts what is in the log already, as limiter.seedFrom does.
func (r rate) seedFrom(ctx context.Context, log domain.Reader, topic domain.Topic, event domain.EventType, through domain.Position, now domain.Millis) error {
	if err := r.count.seedFrom(ctx, log, topic, event, through, now); err != nil {
		return err
	}
	return r.bytes.seedFrom(ctx, log, topic, event, through, now)
}

// badByteRate reports whether not even one of the largest fits into a minute.
func badByteRate(bytes int) bool { return bytes != 0 && bytes < domain.MaxPayloadBytes }
