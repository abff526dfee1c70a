package main

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chalie/adapters/watermillbus"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
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

func TestReactor(t *testing.T) {
	passing := &domain.Error{Category: domain.Dependency, Retriable: true, Message: "the disk is full"}
	stopped := &domain.Error{Category: domain.Dependency, Message: "the world has stopped"}
	own := &domain.Error{Category: domain.Validation, Code: domain.CodeUndecodable, Message: "its payload is no payload"}
	for _, c := range []struct {
		name   string
		first  []error
		tried  int // how often the first is tried before the second, at least
		health string
	}{
		{"answered", nil, 1, "answers messages"},
		{"waits for the disk", []error{passing, passing, passing, passing, nil}, 5, "answers messages"},
		{"waits for a fold", []error{stopped, stopped, nil}, 3, "answers messages"},
		{"is passed over", []error{own}, attempts, "passed over 1 that can't be answered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			clock := domaintest.NewClock()
			ids, log := domaintest.NewIDs(clock, 1), domaintest.NewLog(clock)
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
			r := newReactor(reactorConfig{bus: bus, reasoner: a, foreground: foreground, ids: ids, clock: clock, logger: slog.New(slog.DiscardHandler)})
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- r.run(ctx) }()
			tried := 0
			for <-a.tried == "first" {
				tried++
			}
			if tried != c.tried {
				t.Errorf("the first was tried %d times before the second, want %d", tried, c.tried)
			}
			if detail := r.health().Detail; !strings.Contains(detail, c.health) {
				t.Errorf("health says %q", detail)
			}
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if r.health().Ready {
				t.Error("it has ended and says it is ready")
			}
		})
	}
}
