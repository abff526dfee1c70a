package reasoning_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// answers is a reasoner that fails as a test says: a list of errors for each
// text, the last of them for ever.
type answers struct {
	t     *testing.T
	fails map[string][]error
	tried chan string
}

func (a *answers) Answer(_ context.Context, rec domain.Record) error {
	msg, err := domain.Decode[domain.MessageReceived](rec.Envelope)
	if err != nil {
		a.t.Error(err)
	}
	a.tried <- msg.Text
	left := a.fails[msg.Text]
	if len(left) == 0 {
		return nil
	}
	if len(left) > 1 {
		a.fails[msg.Text] = left[1:]
	}
	return left[0]
}

func (a *answers) BrokeOff(context.Context, domain.TraceID, *commands.Broken) error { return nil }

func newLoop(t *testing.T, cfg reasoning.LoopConfig) *reasoning.Loop {
	t.Helper()
	r, err := reasoning.NewLoop(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLoop(t *testing.T) {
	passing := &domain.Error{Category: domain.Dependency, Retriable: true, Message: "the disk is full"}
	stopped := &domain.Error{Category: domain.Dependency, Message: "the world has stopped"}
	own := &domain.Error{Category: domain.Validation, Code: domain.CodeUndecodable, Message: "its payload is no payload"}
	for _, c := range []struct {
		name  string
		first []error
		tried int   // how often the first is tried before the second
		why   error // it was passed over
	}{
		{"answered", nil, 1, nil},
		{"waits for the disk", []error{passing, passing, passing, passing, nil}, 5, nil},
		{"waits for a fold", []error{stopped, stopped, nil}, 3, nil},
		{"is passed over", []error{own}, 3, own},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := domaintest.NewClock()
			ids, log := domaintest.NewIDs(clock, 1), memlog.New(clock)
			bus, err := watermillbus.New(watermillbus.Config{Log: log, IDs: ids, Clock: clock, RedeliverAfter: time.Millisecond, RedeliverAtMost: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{"first", "second"} {
				id := ids.NewID()
				entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "test", domain.MessageReceived{Text: text, ImageIDs: []domain.ID{}})
				if err == nil {
					_, err = bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			a := &answers{t: t, fails: map[string][]error{"first": c.first}, tried: make(chan string, 64)}
			foreground := &background.Foreground{}
			r := newLoop(t, reasoning.LoopConfig{Env: commands.Env{Log: bus, Reader: log, Tail: log, Clock: clock, IDs: ids, Logger: slog.New(slog.DiscardHandler)}, Feed: bus, Reasoner: a, Foreground: foreground})
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- r.Run(ctx) }()
			tried := 0
			for <-a.tried == "first" {
				tried++
			}
			if tried != c.tried {
				t.Errorf("the first was tried %d times before the second, want %d", tried, c.tried)
			}
			if s := r.State(); s.Ended || s.Stuck != nil || s.Missed > 0 != (c.why != nil) || !errors.Is(s.Why, c.why) {
				t.Errorf("its state is %+v", s)
			}
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if !r.State().Ended {
				t.Error("it has ended and doesn't say so")
			}
		})
	}
}
