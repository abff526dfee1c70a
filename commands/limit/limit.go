package limit

import (
	"context"
	"fmt"
	"time"

	"chalie/domain"
)

// Volume bounds the bytes that are recorded of each caller within a sliding minute: its
// signals, its messages, and the calls of tools that it makes, with what they answer. All
// that record for callers share one, so that nobody has more by sending it in several
// ways. The person's messages and calls don't count. nil has no bound.
//
// Signals and messages count over restarts, calls don't.
type Volume struct{ Bytes *Limiter }

// NewVolume returns a validation error when not even one of the largest signals fits into
// a minute. 0 is no bound.
func NewVolume(perMinute int) (*Volume, error) {
	if perMinute != 0 && perMinute < domain.MaxPayloadBytes {
		return nil, domain.Invalid("configure volume", "", fmt.Sprintf("the bytes a minute are %d: give 0 for no limit, or %d at least, which one of the largest takes", perMinute, domain.MaxPayloadBytes))
	}
	return &Volume{NewLimiter(perMinute)}, nil
}

// Limiter counts the bytes, none for no Volume.
func (v *Volume) Limiter() *Limiter {
	if v == nil {
		return NewLimiter(0)
	}
	return v.Bytes
}

// Rate bounds what callers send within a sliding minute in two ways: how much it is,
// and how many bytes it takes. What is sent is counted by either or by neither.
type Rate struct {
	count, bytes *Limiter
	what         string // is sent
}

// NewRate has no bound where one is 0. Others may count the same bytes.
func NewRate(what string, perMinute int, bytes *Limiter) Rate {
	return Rate{NewLimiter(perMinute), bytes, what}
}

// Weight is the bytes that entries count.
func Weight(entries ...domain.Entry) (bytes int) {
	for _, e := range entries {
		bytes += len(e.Envelope.Payload.Bytes)
	}
	return bytes
}

// Reserve takes n places and so many bytes, or refuses both.
func (r Rate) Reserve(op string, who domain.Principal, n, bytes int, now domain.Millis) error {
	if granted, wait := r.count.Reserve(who, n, now); granted < n {
		r.count.Release(who, granted)
		return r.count.TooMany(op, r.what, wait)
	}
	if err := r.bytes.ReserveBytes(op, who, bytes, now); err != nil {
		r.count.Release(who, n)
		return err
	}
	return nil
}

// ReserveBytes takes so many, or refuses all of them.
func (l *Limiter) ReserveBytes(op string, who domain.Principal, bytes int, now domain.Millis) error {
	granted, wait := l.Reserve(who, bytes, now)
	if granted == bytes {
		return nil
	}
	l.Release(who, granted)
	seconds := int((wait + time.Second - 1) / time.Second)
	return &domain.Error{Op: op, Code: domain.CodeRateLimited, Retriable: true, RetryAfter: wait,
		Message: fmt.Sprintf("these %d bytes and what was accepted in the last minute are over %d bytes, which is the limit: try again in %d s, or send less", bytes, l.Limit, seconds)}
}

// Release gives back what was reserved.
func (r Rate) Release(who domain.Principal, n, bytes int) {
	r.count.Release(who, n)
	r.bytes.Release(who, bytes)
}

// Settled settles what was reserved when its append succeeded, and releases it otherwise.
func (r Rate) Settled(who domain.Principal, n, bytes int, receipt domain.Receipt, err error, now domain.Millis) {
	r.count.settled(who, n, receipt, err, now)
	r.bytes.settled(who, bytes, receipt, err, now)
}

// Seeds are the records of earlier processes that count.
type Seeds struct {
	Topic   domain.Topic
	Through domain.Position
	Whose   func(domain.Record) (who domain.Principal, counts bool)
}

// SeedFrom counts what is in the log already, so that the limits hold over restarts: all
// of it, or with an error nothing.
func (r Rate) SeedFrom(ctx context.Context, log domain.Reader, s Seeds, now domain.Millis) error {
	const batch = 1000
	if r.count.Limit == 0 && r.bytes.Limit == 0 {
		return nil
	}
	from, err := log.Since(ctx, now.Add(-signalWindow))
	if err != nil {
		return err
	}
	count, bytes := map[domain.Principal]*window{}, map[domain.Principal]*window{}
	for more := true; more && from <= s.Through; {
		records, cut, err := domain.SelectWithin(ctx, log, domain.Selector{Topic: s.Topic}, from, batch, domain.PageBytes)
		if err != nil {
			return err
		}
		for _, rec := range records {
			at := rec.Clock()
			who, counts := s.Whose(rec)
			if !counts || rec.Position > s.Through || now.Sub(at) >= signalWindow || at.Sub(now) >= signalWindow {
				continue
			}
			if count[who] == nil {
				count[who], bytes[who] = &window{}, &window{}
			}
			count[who].add(at, 1)
			bytes[who].add(at, len(rec.Envelope.Payload.Bytes))
		}
		if more = cut || len(records) == batch; more {
			from = records[len(records)-1].Position + 1
		}
	}
	r.count.seed(count)
	r.bytes.seed(bytes)
	return nil
}
