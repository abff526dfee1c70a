package background

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// What a zero field of ConsumerConfig means, and the usual pause between two
// cycles.
const (
	DefaultDepth    = 50
	DefaultDebounce = 30 * time.Second
)

// Feed is the log as consumers of spine signals read it.
type Feed interface {
	domain.Tailer
	domain.Reader
	domain.Checkpoints
}

// ConsumerConfig has the dependencies of a consumer. Depth and Debounce may be zero.
type ConsumerConfig struct {
	commands.Env
	Name     string             // stored, in the name of its checkpoint and in what it drops
	Takes    []domain.SpineType // what it wants to hear of
	Feed     Feed
	Work     Work
	Priority Priority
	Heart    Heart

	Depth    int             // how many signals wait at most
	Debounce time.Duration   // from the end of one cycle to the start of the next at the earliest; 0 for none
	Bounds   commands.Bounds // of an attempt at a cycle; the zero value has the defaults
}

// Validate returns a validation error when something is missing or makes no sense.
func (c ConsumerConfig) Validate() error {
	const op = "configure consumer"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	switch {
	case c.Name == "" || len(c.Name) > domain.MaxNameBytes || len(c.Takes) == 0:
		return domain.Invalid(op, "Name", "a consumer has a name of 1 to 128 bytes, and at least one type that it takes")
	case c.Depth < 0 || c.Debounce < 0:
		return domain.Invalid(op, "Depth", "Depth and Debounce can't be negative: leave them 0 for the usual depth and no pause")
	}
	for _, t := range c.Takes {
		if _, ok := domain.SpineTypeNamed(t); !ok {
			return domain.Invalid(op, "Takes", fmt.Sprintf("%q is no registered type of spine signal", t))
		}
	}
	return nil
}

// Consumer takes up the spine signals it wants to hear of, the oldest first and
// one at a time.
//
// # Its queue
//
// Every consumer has a queue and a durable position of its own, so a slow one
// holds up no other. When more than Depth signals wait, the oldest is dropped, and
// spine.signal_dropped says so in that signal's trace. The queue is only a view of
// the log: a signal that waited or was in work when the process went is taken up
// again by the next start.
//
// # Making room
//
// No cycle begins while a message waits for an answer, and a running one is asked
// to make room as soon as one does: its context ends with ErrPreempted. It is
// taken up again when no message waits. Debounce passes between the end of one
// cycle and the start of the next.
//
// # Failure
//
// A cycle that fails, panics or runs into a bound is tried again. What is the signal's own
// fault is passed over after three times; what runs into a bound so often is ended by Work. Only a log that can't be read ends the consumer.
type Consumer struct {
	cfg   ConsumerConfig
	queue *spineQueue
}

// ConsumerState is the state of a consumer.
type ConsumerState struct {
	Waiting    int       // signals in its queue
	Running    domain.ID // what it works on; none while it rests
	Taken      uint64    // since the start, as are those below
	Yielded    uint64    // cycles that made room
	Dropped    uint64
	PassedOver uint64 // signals it couldn't take up
	Stuck      error  // why it can't go on for now; nil when all is well

	unread error // why the log can't be read for now
}

// NewConsumer checks the configuration. Run does the work.
func NewConsumer(cfg ConsumerConfig) (*Consumer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Depth == 0 {
		cfg.Depth = DefaultDepth
	}
	cfg.Takes = slices.Clone(cfg.Takes)
	return &Consumer{cfg: cfg, queue: newSpineQueue()}, nil
}

// State is the consumer's state now.
func (c *Consumer) State() ConsumerState { return c.queue.now() }

// checkpoint keeps its position.
func (c *Consumer) checkpoint() string { return "spine/" + c.cfg.Name }

// Run takes signals up until ctx ends. An error is one of reading the log that
// doesn't pass.
func (c *Consumer) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reading := make(chan error, 1)
	go func() {
		reading <- c.intake(ctx)
		cancel() // without signals there is nothing to work on
	}()
	c.work(ctx)
	cancel()
	err := <-reading
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// spinePage is the number of records of the topic that are read at a time.
const spinePage = 100

// intake fills the queue from the log.
func (c *Consumer) intake(ctx context.Context) error {
	var from domain.Position
	err := c.insist(ctx, func() error {
		at, err := c.cfg.Feed.Checkpoint(ctx, c.checkpoint())
		from = at + 1
		return err
	})
	for err == nil {
		tail := c.cfg.Feed.Tail()
		var records []domain.Record
		err = c.insist(ctx, func() (err error) {
			records, err = c.cfg.Feed.Select(ctx, domain.Selector{Topic: domain.TopicSpine}, from, spinePage)
			return err
		})
		if err != nil {
			break
		}
		for _, rec := range records {
			c.take(rec)
			from = rec.Position + 1
		}
		if len(records) == spinePage {
			continue // only after everything was read it is known what was dropped before
		}
		from = max(from, tail+1)
		c.queue.read(from - 1)
		if err = c.insist(ctx, func() error { return c.trim(ctx) }); err == nil {
			_, err = c.cfg.Feed.Wait(ctx, from-1)
		}
	}
	return err
}

// take puts a signal into the queue.
func (c *Consumer) take(rec domain.Record) {
	if name, signal, dropped := domain.DroppedOf(rec.Envelope); dropped {
		if name == c.cfg.Name {
			c.queue.forget(signal)
		}
		return
	}
	if t, ok := domain.SpineTypeOf(rec.Envelope); !ok || !slices.Contains(c.cfg.Takes, t) || domain.IsSilent(rec.Envelope) {
		return
	}
	header := rec.Envelope
	header.Payload, header.Errors = domain.Payload{}, nil
	c.queue.add(queued{id: rec.Envelope.ID, header: header, position: rec.Position})
}

// trim drops the oldest until no more wait than may.
func (c *Consumer) trim(ctx context.Context) error {
	for {
		oldest, full := c.queue.over(c.cfg.Depth)
		if !full {
			return nil
		}
		if err := c.recordDrop(ctx, oldest); err != nil {
			c.queue.back(oldest)
			return err
		}
	}
}

func (c *Consumer) recordDrop(ctx context.Context, s queued) error {
	entry, err := domain.New(domain.Continue(s.header), c.cfg.IDs.NewID(), c.cfg.Now(), domain.Source(c.cfg.Name),
		domain.SpineSignalDropped{Consumer: c.cfg.Name, Signal: s.id, Reason: domain.DroppedForOverflow})
	if err != nil {
		return err
	}
	key := domain.DroppedKey(c.cfg.Name, s.id)
	entry.Envelope.Keys = []domain.Key{key}
	_, err = c.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: key}}})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // an earlier start recorded it
	}
	return err
}

// insist repeats what fails for a reason that may pass, until ctx ends.
func (c *Consumer) insist(ctx context.Context, do func() error) error {
	pause := againAfter
	for {
		err := do()
		switch {
		case err == nil:
			c.queue.tell(func(s *ConsumerState) { s.unread = nil })
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !domain.IsRetriable(err) || domain.CodeOf(err) == domain.CodeClosed:
			return err
		}
		c.queue.tell(func(s *ConsumerState) { s.unread = err })
		if !commands.Sleep(ctx, pause) {
			return ctx.Err()
		}
		pause = min(2*pause, againAtMost)
	}
}

// queued is a spine signal that waits for a consumer: a reference.
type queued struct {
	id       domain.ID
	header   domain.Envelope // without its payload
	position domain.Position
}

// spineQueue is the waiting signals of one consumer. It holds what the log holds behind
// the consumer's checkpoint, so losing it costs reading that again.
type spineQueue struct {
	mu      sync.Mutex
	waiting []queued        // oldest first
	running queued          // zero while nothing is
	last    domain.Position // of the latest that was added
	through domain.Position // the topic was read
	state   ConsumerState
	arrived chan struct{} // holds one token when something came
	whole   chan struct{} // closed when all earlier records were read: only then it is known what was dropped
	once    sync.Once
}

func newSpineQueue() *spineQueue {
	return &spineQueue{arrived: make(chan struct{}, 1), whole: make(chan struct{})}
}

// add puts a signal at the end. Adding the last one again does nothing.
func (q *spineQueue) add(s queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if s.position <= q.last {
		return
	}
	q.last = s.position
	q.waiting = append(q.waiting, s)
	select {
	case q.arrived <- struct{}{}:
	default:
	}
}

// over takes out the oldest of those that wait when there are more than depth: what
// is to be dropped can't be taken up meanwhile. The first of a start may have been in
// work when the process went, and counts as it then did.
func (q *spineQueue) over(depth int) (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.state.Taken == 0 {
		depth++
	}
	if len(q.waiting) <= depth {
		return queued{}, false
	}
	oldest := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.state.Dropped++
	return oldest, true
}

// back puts in front again what was not dropped after all.
func (q *spineQueue) back(s queued) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.Insert(q.waiting, 0, s)
	q.state.Dropped--
}

// forget takes out a signal that was dropped before.
func (q *spineQueue) forget(id domain.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(s queued) bool { return s.id == id })
}

// empty reports whether nothing waits.
func (q *spineQueue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) == 0
}

// next takes the oldest out, to be worked on.
func (q *spineQueue) next() (queued, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		return queued{}, false
	}
	q.running, q.waiting = q.waiting[0], q.waiting[1:]
	q.state.Taken++
	return q.running, true
}

// done says that the signal in work is finished, and returns the position through
// which nothing is left to do.
func (q *spineQueue) done() domain.Position {
	q.mu.Lock()
	defer q.mu.Unlock()
	through := q.running.position
	q.running = queued{}
	if len(q.waiting) == 0 {
		through = max(through, q.through)
	}
	return through
}

// read notes how far the topic was read.
func (q *spineQueue) read(through domain.Position) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.through = max(q.through, through)
	q.once.Do(func() { close(q.whole) })
}

// tell changes the consumer's state.
func (q *spineQueue) tell(change func(*ConsumerState)) {
	q.mu.Lock()
	defer q.mu.Unlock()
	change(&q.state)
}

// now is the consumer's state.
func (q *spineQueue) now() ConsumerState {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := q.state
	s.Waiting, s.Running = len(q.waiting), q.running.id
	if s.Stuck == nil {
		s.Stuck = s.unread
	}
	return s
}
