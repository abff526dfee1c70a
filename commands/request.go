package commands

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"sync"
	"time"

	"chalie/domain"
)

// Remembered is how long the answer to a request with an Idempotency-Key is
// kept, by the writer's clock.
const Remembered = 24 * time.Hour

// MaxRequestKeyBytes bounds an Idempotency-Key.
const MaxRequestKeyBytes = 255

// RepeatWithin is how long a request waits for another with its key that is under way.
const RepeatWithin = 15 * time.Second

// Request is one that may come again: its route, the key its sender chose, and
// the SHA-256 of its body in hex.
type Request struct {
	Route    string
	Key      string
	BodyHash string
}

// Answer is the answer to a request.
type Answer struct {
	Status   int
	Body     []byte
	Repeated bool // it was given before; nothing happened this time
}

// Sealer adds to a batch the envelope that remembers its answer, and the
// condition that it wasn't answered in the meantime.
type Sealer func(domain.Batch, Answer) (domain.Batch, error)

// Requests makes requests with an Idempotency-Key happen once.
//
// The answer is appended in one batch with the effects, so there is never one
// without the other. Repeats that race within this process wait for the first,
// for RepeatWithin; the condition in the log settles races beyond it.
type Requests struct {
	reader domain.Reader
	clock  domain.Clock
	ids    domain.IDs

	mu       sync.Mutex
	underway map[domain.Key]chan struct{} // closed when the one under way ends
}

// NewRequests remembers nothing but what the log has.
func NewRequests(reader domain.Reader, clock domain.Clock, ids domain.IDs) *Requests {
	return &Requests{reader: reader, clock: clock, ids: ids, underway: map[domain.Key]chan struct{}{}}
}

// Once runs do unless the request was answered before. The same key with
// another body is a conflict. What do refuses is not remembered: it may be
// tried again under the same key.
func (r *Requests) Once(ctx context.Context, c Caller, req Request, do func(Sealer) (Answer, error)) (Answer, error) {
	if len(req.Key) > MaxRequestKeyBytes {
		return Answer{}, domain.Invalid("answer request", "Idempotency-Key", fmt.Sprintf(
			"Idempotency-Key has %d bytes, the bound is %d: shorten it", len(req.Key), MaxRequestKeyBytes))
	}
	key := RequestKey(c, req)
	done, err := r.EnterWithin(ctx, key, RepeatWithin)
	if err != nil {
		return Answer{}, err
	}
	defer done()

	now := domain.MillisOf(r.clock.Now())
	since, err := RememberedSince(ctx, r.reader, key, now)
	if err != nil {
		return Answer{}, err
	}
	if a, found, err := r.find(ctx, key, since, req); found || err != nil {
		return a, err
	}
	if a, found, err := r.findFormer(ctx, c, since, req); found || err != nil {
		return a, err
	}
	a, err := do(func(b domain.Batch, a Answer) (domain.Batch, error) {
		return r.seal(c, key, since, req, b, a, now)
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		if a, found, findErr := r.find(ctx, key, since, req); found || findErr != nil {
			return a, findErr
		}
	}
	return a, err
}

// EnterWithin is Enter for a request that gives up after a while: CodeUnderWay, a conflict that may
// be tried again.
func (r *Requests) EnterWithin(ctx context.Context, key domain.Key, within time.Duration) (done func(), err error) {
	bounded, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	mine, err := r.Enter(bounded, key)
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, &domain.Error{Op: "answer request", Category: domain.Conflict, Code: CodeUnderWay, Retriable: true, Err: err,
			Message: "the same request is still under way: send it again in a moment, and you get its answer"}
	case err != nil:
		return nil, err
	}
	return mine, nil
}

// CodeUnderWay says that the first of a request that came again has no answer yet.
const CodeUnderWay domain.Code = "under_way"

// Enter waits until no other request with the key is under way, or the other was left behind. It is for
// those whose other is bounded itself.
func (r *Requests) Enter(ctx context.Context, key domain.Key) (done func(), err error) {
	for {
		r.mu.Lock()
		other := r.underway[key]
		if other == nil {
			mine := make(chan struct{})
			r.underway[key] = mine
			r.mu.Unlock()
			end := sync.OnceFunc(func() {
				r.mu.Lock()
				delete(r.underway, key)
				r.mu.Unlock()
				close(mine)
			})
			keep := WhenLeft(ctx, end)
			return func() { keep(); end() }, nil
		}
		r.mu.Unlock()
		back := Outside(ctx)
		select {
		case <-other:
			back()
		case <-ctx.Done():
			back()
			return nil, &domain.Error{Op: "answer request", Category: domain.Dependency, Code: "cancelled", Retriable: true,
				Message: "the wait for the same request ended", Err: ctx.Err()}
		}
	}
}

// RememberedSince is the position from which uses of a key count at now. What was used by
// a clock that was ahead may stand far behind where its time would be looked for.
func RememberedSince(ctx context.Context, log domain.Reader, key domain.Key, now domain.Millis) (domain.Position, error) {
	from, err := log.Since(ctx, now.Add(-Remembered))
	for err == nil {
		uses, err := log.Select(ctx, domain.Selector{Key: key}, from, 1)
		if err != nil || len(uses) == 0 {
			return from, err
		}
		since, err := domain.CountsSince(ctx, log, uses[0], math.MaxInt64, now)
		if err != nil || now.Sub(since) <= Remembered {
			return from, err
		}
		from = uses[0].Position + 1
	}
	return 0, err
}

// find looks for an answer given at position since or later.
func (r *Requests) find(ctx context.Context, key domain.Key, since domain.Position, req Request) (Answer, bool, error) {
	records, err := r.reader.Select(ctx, domain.Selector{Key: key}, since, 1)
	if err != nil || len(records) == 0 {
		return Answer{}, false, err
	}
	given, err := domain.Decode[domain.RequestAnswered](records[0].Envelope)
	if err != nil && domain.CodeOf(err) != domain.CodeErased {
		return Answer{}, true, err
	}
	// An erased answer can't be given again, and can't be told from another body's.
	if err != nil || given.BodyHash != req.BodyHash {
		return Answer{}, true, &domain.Error{Op: "answer request", Category: domain.Conflict, Code: "key_reused", Field: "Idempotency-Key",
			Message: "this Idempotency-Key came with another body within the last 24 hours: use a new key for a new request"}
	}
	return Answer{Status: given.Status, Body: []byte(given.Body), Repeated: true}, true, nil
}

// findFormer looks for an answer that an earlier build gave, which knew the caller otherwise.
func (r *Requests) findFormer(ctx context.Context, c Caller, since domain.Position, req Request) (Answer, bool, error) {
	was, after, known := c.Former()
	if !known {
		return Answer{}, false, nil
	}
	return r.find(ctx, RequestKey(was, req), max(since, after+1), req)
}

// seal remembers the answer as a result of the batch's first envelope.
func (r *Requests) seal(c Caller, key domain.Key, since domain.Position, req Request, b domain.Batch, a Answer, now domain.Millis) (domain.Batch, error) {
	lineage := domain.Continue(b.Entries[0].Envelope)
	entry, err := domain.New(lineage, r.ids.NewID(), now, c.Source, domain.RequestAnswered{
		Route: req.Route, BodyHash: req.BodyHash, Status: a.Status, Body: string(a.Body),
	})
	if err != nil {
		return domain.Batch{}, err
	}
	entry.Envelope.Keys = []domain.Key{key}
	b.Entries = append(b.Entries, entry)
	var after domain.Position
	if since > 0 {
		after = since - 1
	}
	b.Conditions = append(b.Conditions, domain.Condition{Key: key, After: after})
	return b, nil
}

// RequestKey is a pseudonym: keys are in the log in clear, and a sender may
// put anything into an Idempotency-Key.
func RequestKey(c Caller, req Request) domain.Key {
	sum := sha256.Sum256([]byte(string(c.Principal) + "\x00" + req.Route + "\x00" + req.Key))
	return "request/" + domain.Key(hex.EncodeToString(sum[:]))
}

// BodyHash is the hash Request wants.
func BodyHash(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}
