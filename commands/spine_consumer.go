package commands

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"chalie/domain"
)

// What a zero field of ConsumerConfig means, and the usual pause between two
// cycles.
const (
	DefaultSpineDepth = 50
	DefaultDebounce   = 30 * time.Second
)

// SpineFeed is the log as consumers of spine signals read it.
type SpineFeed interface {
	domain.Tailer
	domain.Reader
	domain.Checkpoints
}

// ConsumerConfig is what a consumer needs. Depth and Debounce may be zero.
type ConsumerConfig struct {
	Env
	Name     string             // stored, in the name of its checkpoint and in what it drops
	Takes    []domain.SpineType // what it wants to hear of
	Feed     SpineFeed
	Work     Background
	Priority Priority
	Heart    Heart

	Depth    int           // how many signals wait at most
	Debounce time.Duration // from the end of one cycle to the start of the next at the earliest; 0 for none
}

// Validate returns a validation error when something is missing or makes no sense.
func (c ConsumerConfig) Validate() error {
	const op = "configure consumer"
	if err := Complete(op, c); err != nil {
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
// No cycle begins while somebody waits for an answer, and a running one is asked
// to make room as soon as somebody does: its context ends with ErrPreempted. It is
// taken up again when nobody waits any more. Debounce passes between the end of one
// cycle and the start of the next.
//
// # Failure
//
// A cycle that panics or fails is tried again; what is the signal's own fault is
// passed over after three times. Only a log that can't be read ends the consumer.
type Consumer struct {
	cfg   ConsumerConfig
	queue *spineQueue
}

// ConsumerState is how a consumer is.
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
		cfg.Depth = DefaultSpineDepth
	}
	cfg.Takes = slices.Clone(cfg.Takes)
	return &Consumer{cfg: cfg, queue: newSpineQueue()}, nil
}

// State is how it is now.
func (c *Consumer) State() ConsumerState { return c.queue.now() }

// checkpoint is where its position is kept.
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
