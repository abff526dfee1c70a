package reasoning

import (
	"context"
	"errors"
	"sync"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
)

// Group is the consumer group that answers. Its position is durable: a
// message that was not answered yet is delivered again after a restart.
const Group = "reasoning"

// Answerer continues the episode of a record; it is *Reasoner.
type Answerer interface {
	// Answer returns when the episode has ended or waits for the person's approval. Asked
	// again it goes on where it was.
	Answer(ctx context.Context, rec domain.Record) error
	// BrokeOff records that the attempt to answer ran into a bound. An episode with so many
	// of them ends with the next Answer.
	BrokeOff(ctx context.Context, trace domain.TraceID, why *commands.Broken) error
}

// Faults know by what the process before this one ended.
type Faults interface {
	// Trying notes which episode is read, until what it returns is called.
	Trying(trace domain.TraceID) (done func())
	// Died is the episode that was read when a fault of its reading ended the process before,
	// such as a stack that overflowed, and how; false when it ended otherwise.
	Died() (domain.TraceID, string, bool)
}

var _ Answerer = (*Reasoner)(nil)

// Feed delivers messages to durable groups.
type Feed interface {
	commands.Listener
	// Reached is the position through which a group is done with a topic; 0 before it
	// was given anything.
	Reached(ctx context.Context, group string, topic domain.Topic) (domain.Position, error)
}

// Loop delivers messages to the reasoner, one after the other, and
// acks it when its episode has ended or waits for the person's approval. What the
// person decides then is handed on, too.
type Loop struct {
	cfg   LoopConfig
	queue *queue

	one sync.Mutex // one episode at a time

	mu    sync.Mutex
	state LoopState
}

// LoopState is the state of a loop.
type LoopState struct {
	Ended  bool
	Stuck  error          // what it waits for; nil when all is well
	Missed int            // messages that can't be answered
	Last   domain.TraceID // of those, the last
	Why    error          // it can't
}

// LoopConfig has the dependencies of a loop. All but Bounds and Faults are required.
type LoopConfig struct {
	commands.Env
	Feed       Feed
	Reasoner   Answerer
	Foreground *background.Foreground
	Bounds     commands.Bounds // of an attempt; the zero value has the defaults
	Faults     Faults          `optional:"yes"` // nil: how an earlier process ended isn't known
}

// attempts is how often a message is tried whose answer fails for a reason of its
// own. After them it is passed over: it must not hold up the others for ever.
const attempts = 3

// NewLoop checks the configuration. Run does the work.
func NewLoop(cfg LoopConfig) (*Loop, error) {
	if err := commands.Complete("configure answering", cfg); err != nil {
		return nil, err
	}
	return &Loop{cfg: cfg, queue: newQueue(cfg.Foreground)}, nil
}

// State is the loop's state now.
func (r *Loop) State() LoopState {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Run answers until ctx ends or the log can no longer be read. What is under
// way then is taken up again by the next start.
func (r *Loop) Run(ctx context.Context) error {
	done, err := r.cfg.Feed.Reached(ctx, Group, domain.TopicMessages)
	if err != nil {
		r.over()
		return err
	}
	r.queue.skip(done)
	if err := r.died(ctx); err != nil {
		r.over()
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failures := make(chan error, 3)
	var running sync.WaitGroup
	for _, part := range []struct {
		group   string
		topic   domain.Topic
		concern func(domain.EventType) bool
		handle  func(context.Context, domain.Record) bool
	}{
		{Group, domain.TopicMessages, concernsAnAnswer, r.answer},
		{Group + "/ahead", domain.TopicMessages, everything, r.lookAhead},
		{Group + "/decided", domain.TopicTools, isDecision, r.answer},
	} {
		running.Go(func() {
			failures <- r.react(ctx, part.group, part.topic, part.concern, part.handle)
			cancel() // none of them is of use without the others
		})
	}
	running.Wait()
	r.over()
	for range cap(failures) {
		if e := <-failures; err == nil {
			err = e
		}
	}
	return err
}

// died counts the attempt that ended the process before this one.
func (r *Loop) died(ctx context.Context) error {
	if r.cfg.Faults == nil {
		return nil
	}
	trace, how, ok := r.cfg.Faults.Died()
	if !ok {
		return nil
	}
	r.cfg.Logger.Error("reading a message had ended Chalie, and counts as an attempt at it", "trace", trace.String(), "how", how)
	return r.cfg.Reasoner.BrokeOff(ctx, trace, &commands.Broken{Bound: domain.BoundPanic, Value: how})
}

func (r *Loop) over() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Ended = true
}

func everything(domain.EventType) bool { return true }

// concernsAnAnswer reports whether an episode may go on because of it.
func concernsAnAnswer(t domain.EventType) bool {
	return domain.OpensReasoning(t) || t == domain.SteerReceivedType || t == domain.CancelReceivedType
}

// isDecision reports whether an episode that waited for approval can go on.
func isDecision(t domain.EventType) bool {
	return t == domain.ApprovalGrantedType || t == domain.ApprovalRefusedType || t == domain.ApprovalExpiredType
}

// errAgain has a record delivered again.
var errAgain = errors.New("it isn't done with")

// react hands the records of a topic on, as far as they concern it, until ctx
// ends. A record that isn't done with is delivered again after a pause.
func (r *Loop) react(ctx context.Context, group string, topic domain.Topic, concern func(domain.EventType) bool, handle func(context.Context, domain.Record) bool) error {
	return r.cfg.Feed.Listen(ctx, group, topic, func(_ context.Context, rec domain.Record) error {
		if !concern(rec.Envelope.Type) || handle(ctx, rec) {
			return nil
		}
		return errAgain
	})
}

// answer reports whether a record is done with. What may pass, and what the
// program depends on, is waited for: the bus delivers the record again after a
// pause.
func (r *Loop) answer(ctx context.Context, rec domain.Record) (done bool) {
	r.one.Lock()
	defer r.one.Unlock()
	trace := rec.Envelope.Trace
	r.queue.enter(rec)
	var err error
	for try := 0; try < attempts && ctx.Err() == nil; {
		turn, stop := r.queue.begin(ctx, trace)
		err = r.attempt(turn, rec)
		interrupted := turn.Err() != nil && ctx.Err() == nil
		stop()
		if interrupted {
			continue // the person said something to it
		}
		if broken, ok := errors.AsType[*commands.Broken](err); ok {
			if err = r.broke(ctx, trace, broken); err == nil {
				continue // it is on record, and so counts
			}
		}
		if err == nil || !domain.IsPermanent(err) {
			break
		}
		try++
	}
	if err == nil || domain.IsPermanent(err) {
		r.queue.leave(rec)
	}
	return r.judge(ctx, rec, err)
}

// attempt is one at an answer: whatever it does, it ends at its bounds and with ctx.
func (r *Loop) attempt(ctx context.Context, rec domain.Record) error {
	if r.cfg.Faults != nil {
		defer r.cfg.Faults.Trying(rec.Envelope.Trace)()
	}
	return r.cfg.Bounds.Try(ctx, func(ctx context.Context) error { return r.cfg.Reasoner.Answer(ctx, rec) })
}

// broke records an attempt that ran into a bound.
func (r *Loop) broke(ctx context.Context, trace domain.TraceID, why *commands.Broken) error {
	r.cfg.Logger.Error("an attempt to answer a message was ended", "trace", trace.String(), "err", why, "stack", string(why.Stack))
	return r.cfg.Reasoner.BrokeOff(ctx, trace, why)
}

// judge notes how it went, and reports whether the record is done with.
func (r *Loop) judge(ctx context.Context, rec domain.Record, err error) (done bool) {
	trace := rec.Envelope.Trace
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Stuck = nil
	switch {
	case err == nil:
		return true
	case ctx.Err() != nil:
		return false
	case domain.IsPermanent(err):
		r.cfg.Logger.Error("a message can't be answered and is passed over", "position", uint64(rec.Position), "trace", trace.String(), "err", err)
		r.state.Missed, r.state.Last, r.state.Why = r.state.Missed+1, trace, err
		return true
	}
	r.cfg.Logger.Warn("an answer has to wait", "position", uint64(rec.Position), "trace", trace.String(), "err", err)
	r.state.Stuck = err
	return false
}

// queue is the messages that wait for an answer, as far as this process knows.
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
// a record that is delivered again doesn't count as waiting.
func (q *queue) skip(through domain.Position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.through = max(q.through, through)
}

// enter notes that a message waits. One that was answered before it was noticed
// doesn't wait, and a record that opens no episode belongs to one that waits already.
func (q *queue) enter(rec domain.Record) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if rec.Position <= q.through || !domain.OpensReasoning(rec.Envelope.Type) || q.waiting[rec.Envelope.Trace] != nil {
		return
	}
	q.waiting[rec.Envelope.Trace] = q.foreground.Enter(rec.Envelope.ID)
}

// leave notes that rec no longer waits for an answer.
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

// interrupt ends the turn of an episode, if it is under way.
func (q *queue) interrupt(trace domain.TraceID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.stop != nil && q.current == trace {
		q.stop(commands.ErrCancelled)
	}
}

// ahead is the episode that is being answered while rec, which came later, waits;
// false when there is none.
func (q *queue) ahead(rec domain.Record) (domain.TraceID, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.current, q.stop != nil && q.current != rec.Envelope.Trace && rec.Position > q.through
}

// lookAhead reads new records at once, also while an earlier message is being answered:
// the sender of a waiting message is told, background work makes room, and a cancel
// reaches the answer under way.
func (r *Loop) lookAhead(ctx context.Context, rec domain.Record) (done bool) {
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
func (r *Loop) tellItWaits(ctx context.Context, e domain.Envelope, before domain.TraceID) bool {
	entry, err := domain.New(domain.Continue(e), r.cfg.IDs.NewID(), r.cfg.Now(), Group, domain.MessageQueued{Behind: before.ID})
	if err != nil {
		r.cfg.Logger.Error("that a message waits can't be told", "trace", e.Trace.String(), "err", err)
		return true
	}
	key := domain.QueuedKey(e.Trace)
	entry.Envelope.Keys = append(domain.ConversationOf(e).Keys(), key)
	_, err = r.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{
		{Key: key}, {Key: domain.ConcludedKey(before)}, {Key: domain.StepKey(e.Trace, 1)},
	}})
	// Whoever waits loses nothing when it isn't told.
	if err != nil && domain.CodeOf(err) != domain.CodeConditionFailed && ctx.Err() == nil {
		r.cfg.Logger.Warn("that a message waits can't be told", "trace", e.Trace.String(), "err", err)
	}
	return true
}
