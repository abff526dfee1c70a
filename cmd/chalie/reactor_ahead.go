package main

import (
	"context"
	"errors"
	"sync"

	"chalie/commands/background"
	"chalie/domain"
)

// queue is who waits for an answer, as far as this process has heard.
type queue struct {
	foreground *background.Foreground

	mu      sync.Mutex
	waiting map[domain.TraceID]func() // leaves the foreground
	through domain.Position           // the last opening that was answered
	current domain.TraceID            // the episode under way; none between two
	stop    context.CancelCauseFunc   // of its turn
}

func newQueue(foreground *background.Foreground) *queue {
	return &queue{foreground: foreground, waiting: map[domain.TraceID]func(){}}
}

// skip notes that an earlier process is done with everything through a position:
// nobody waits for it, whoever hears of it once more.
func (q *queue) skip(through domain.Position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.through = max(q.through, through)
}

// enter notes that somebody waits. What was answered before it was noticed
// doesn't wait, and what is no opening is somebody's who does already.
func (q *queue) enter(rec domain.Record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if rec.Position <= q.through || !domain.OpensReasoning(rec.Envelope.Type) || q.waiting[rec.Envelope.Trace] != nil {
		return
	}
	q.waiting[rec.Envelope.Trace] = q.foreground.Enter(rec.Envelope.ID)
}

// leave notes that nobody waits for the answer to rec any more.
func (q *queue) leave(rec domain.Record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if domain.OpensReasoning(rec.Envelope.Type) {
		q.through = max(q.through, rec.Position)
	}
	if leave := q.waiting[rec.Envelope.Trace]; leave != nil {
		leave()
		delete(q.waiting, rec.Envelope.Trace)
	}
}

// begin is one turn of answering: its context ends early when the person says
// something to the episode.
func (q *queue) begin(ctx context.Context, trace domain.TraceID) (turn context.Context, end func()) {
	turn, stop := context.WithCancelCause(ctx)
	q.mu.Lock()
	q.current, q.stop = trace, stop
	q.mu.Unlock()
	return turn, func() {
		q.mu.Lock()
		q.current, q.stop = domain.TraceID{}, nil
		q.mu.Unlock()
		stop(nil)
	}
}

// errSpokenTo is why a turn ends early.
var errSpokenTo = errors.New("the person wants something else")

// interrupt ends the turn of an episode, if it is under way.
func (q *queue) interrupt(trace domain.TraceID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stop != nil && q.current == trace {
		q.stop(errSpokenTo)
	}
}

// ahead is the episode that is being answered while rec, which came later, waits;
// false when there is none.
func (q *queue) ahead(rec domain.Record) (domain.TraceID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.current, q.stop != nil && q.current != rec.Envelope.Trace && rec.Position > q.through
}

// lookAhead hears of everything that is said at once, also while an earlier
// message is being answered: whoever waits then is told, background work makes
// room, and what is said to the answer under way reaches it.
func (r *reactor) lookAhead(ctx context.Context, rec domain.Record) (done bool) {
	e := rec.Envelope
	switch e.Type {
	case domain.MessageReceivedType, domain.ActionReceivedType:
		r.queue.enter(rec)
		if before, ok := r.queue.ahead(rec); ok && e.Principal == domain.PrincipalOperator {
			return r.tellItWaits(ctx, e, before)
		}
	case domain.CancelReceivedType:
		r.queue.interrupt(e.Trace)
	}
	return true
}

// tellItWaits records that a message waits for an earlier one, unless either has
// come further meanwhile.
func (r *reactor) tellItWaits(ctx context.Context, e domain.Envelope, before domain.TraceID) bool {
	entry, err := domain.New(domain.Continue(e), r.ids.NewID(), domain.MillisOf(r.clock.Now()), reasoningGroup, domain.MessageQueued{Behind: before.ID})
	if err != nil {
		r.logger.Error("that a message waits can't be told", "trace", e.Trace.String(), "err", err)
		return true
	}
	key := domain.QueuedKey(e.Trace)
	entry.Envelope.Keys = []domain.Key{key}
	_, err = r.bus.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{
		{Key: key}, {Key: domain.ConcludedKey(before)}, {Key: domain.StepKey(e.Trace, 1)},
	}})
	// Whoever waits loses nothing when it isn't told.
	if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed && ctx.Err() == nil {
		r.logger.Warn("that a message waits can't be told", "trace", e.Trace.String(), "err", err)
	}
	return true
}
