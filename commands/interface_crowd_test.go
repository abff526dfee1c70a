package commands_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// A stranger registers under one name after the other: what is recorded of it within a
// minute is bounded in number and in bytes, over restarts, and the same again costs
// nothing.
func TestRegistrationsAreBounded(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	for n := range commands.MaxRegistrationsPerMinute {
		daemon.Name = fmt.Sprint("name ", n)
		if _, err := r.Register(t.Context(), daemon); err != nil {
			t.Fatal(err)
		}
	}
	tail := r.log.Tail()
	for range 100 {
		if _, err := r.Register(t.Context(), daemon); err != nil {
			t.Fatalf("the same again: %v", err)
		}
	}
	daemon.Name = "one more"
	_, err := r.Register(t.Context(), daemon)
	refused(t, err, "", domain.CodeRateLimited)
	if e := new(domain.Error); !asError(err, &e) || e.RetryAfter <= 0 || !strings.Contains(e.Message, "registrations") {
		t.Errorf("it is refused with %v", err)
	}
	_, err = anotherReception(r.bench, r.peer).Register(t.Context(), daemon)
	refused(t, err, "", domain.CodeRateLimited)
	if r.log.Tail() != tail {
		t.Errorf("%d records came of it", r.log.Tail()-tail)
	}
	r.clock.Advance(time.Minute)
	if _, err := r.Register(t.Context(), daemon); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestRegistrationsAreBoundedInBytes(t *testing.T) {
	r := newReception(t)
	daemon := weatherDaemon()
	daemon.Description, daemon.Author, daemon.Version = strings.Repeat("d", 4000), strings.Repeat("a", 4000), strings.Repeat("1", 4000)
	recorded := 0
	for n := range commands.MaxRegistrationsPerMinute {
		daemon.Name = fmt.Sprint("name ", n)
		if _, err := r.Register(t.Context(), daemon); domain.CodeOf(err) == domain.CodeRateLimited {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		recorded++
	}
	if recorded < 2 || recorded > 5 {
		t.Errorf("%d registrations of 12 KB were recorded within a minute", recorded)
	}
}

// What registers brings little: an interface with more to say is paired with a key.
func TestRegistrationsAreSmall(t *testing.T) {
	r := newReception(t)
	many, long := weatherDaemon(), weatherDaemon()
	many.Scopes.Signals = map[string]string{}
	for n := range domain.MaxRegisteredScopes + 1 {
		many.Scopes.Signals[fmt.Sprint("signal_", n)] = ""
	}
	long.Scopes.Signals = map[string]string{}
	for n := range 20 {
		long.Scopes.Signals[fmt.Sprint("signal_", n)] = strings.Repeat("w", 1000)
	}
	for name, daemon := range map[string]commands.Registration{"many scopes": many, "long ones": long} {
		_, err := r.Register(t.Context(), daemon)
		refused(t, err, domain.Validation, "invalid")
		if len(r.List()) != 0 {
			t.Errorf("%s: it is known", name)
		}
	}
}

// Few may wait for the person at a time. Those that are gone are forgotten soon, those
// that stay in a week, and each end is recorded; what was decided about stays.
func TestPendingExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWatch(t)
		kept := w.admitted("kept", 1)
		w.street.set(1, hanging)
		for port := 2; port < 2+domain.MaxPending; port++ {
			w.register(fmt.Sprint("program ", port), port)
			if port > 2 {
				w.street.set(port, ill)
			}
		}
		newcomer := commands.Registration{Name: "newcomer", Host: "127.0.0.1", Port: 100}
		_, err := w.desk.Register(t.Context(), newcomer)
		refused(t, err, domain.Conflict, domain.CodeTooManyPending)
		if _, err := w.desk.Register(t.Context(), commands.Registration{Name: "program 2", Host: "127.0.0.1", Port: 2}); err != nil {
			t.Errorf("one that waits comes again: %v", err)
		}
		w.start()
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- w.desk.Run(ctx) }()
		pass(12 * time.Minute)
		if left := len(w.desk.List()); left != 2 {
			t.Errorf("%d are known after twelve minutes, want the one that answers and the one that was approved", left)
		}
		if _, err := w.desk.Register(t.Context(), newcomer); err != nil {
			t.Errorf("there is room again: %v", err)
		}
		pass(7 * 24 * time.Hour)
		if known := w.desk.List(); len(known) != 1 || known[0].ID != kept {
			t.Errorf("after a week %d are known", len(known))
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		w.stop()
		expired := 0
		records, err := w.log.Select(t.Context(), domain.Selector{Topic: domain.TopicInterfaces}, 1, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if rec.Envelope.Type == "interface.expired" {
				expired++
				if rec.Envelope.Principal != domain.PrincipalCore {
					t.Errorf("%s answers for it", rec.Envelope.Principal)
				}
			}
		}
		if expired != domain.MaxPending+1 {
			t.Errorf("%d are recorded as forgotten, want %d", expired, domain.MaxPending+1)
		}
	})
}

// After a clock that was a year ahead was put right who waits is forgotten as soon as
// anybody: who registered before, and who does so while the log's times stand still.
func TestPendingExpireAfterAWrongClock(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for name, early := range map[string]int{"all came before it was put right": domain.MaxPending, "all came since": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &shifted{}
				clock.off.Store(int64(year))
				log := domaintest.NewLog(clock)
				w := (&watch{t: t, street: newStreet(), log: log, door: &door{Log: log}, ids: domaintest.NewIDs(bubbleClock{}, 1)}).again(nil)
				w.admitted("kept", 1)
				come := func(from, through int) {
					for n := from; n < through; n++ {
						w.register(fmt.Sprint("program ", n), 2+n)
						w.street.set(2+n, ill)
					}
				}
				come(0, early)
				clock.off.Store(0)
				w.admitted("another", 100)
				come(early, domain.MaxPending)
				w.start()
				ctx, stop := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- w.desk.Run(ctx) }()
				pass(12 * time.Minute)
				if left := len(w.desk.List()); left != 2 {
					t.Errorf("%d are known after twelve minutes, want those that were approved", left)
				}
				stop()
				if err := <-ended; err != nil {
					t.Error(err)
				}
				w.stop()
			})
		})
	}
}
