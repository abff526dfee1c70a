package background_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

func (n *nerves) idle() *background.Idle { return n.idleBy(present{}) }

func (n *nerves) idleBy(clock domain.Clock) *background.Idle {
	n.t.Helper()
	idle, err := background.NewIdle(background.IdleConfig{
		Env: commands.Env{Log: n.log, Reader: n.log, Tail: n.log, Clock: clock, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Emitter: n.emitter, Priority: n.front, Heart: n.hearts,
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return idle
}

// wantIdle expects so many idle discoveries by now, the last with an energy.
func (n *nerves) wantIdle(when string, count int, energy domain.PPM) {
	n.t.Helper()
	synctest.Wait()
	got := n.emitted()
	if len(got) != count {
		n.t.Fatalf("%s: %d idle discoveries, want %d", when, len(got), count)
	}
	if count > 0 && (got[count-1].SignalType != domain.IdleDiscovery || got[count-1].ActivationEnergy != energy.Float()) {
		n.t.Errorf("%s: the last is %+v, want energy %s", when, got[count-1], energy)
	}
}

func TestIdleOncePerSpan(t *testing.T) {
	const news, nothingNew = 500_000, 400_000
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run, n.idle().Run)
		domaintest.Pass(10*time.Minute - time.Millisecond)
		n.wantIdle("before the first span is over", 0, 0)
		domaintest.Pass(time.Millisecond)
		n.wantIdle("after it", 1, nothingNew)
		domaintest.Pass(5 * time.Minute)
		record(n, "lab", domain.SignalReceived{SignalType: "news", Content: "rain"})
		record(n, domain.PrincipalOperator, domain.ContextUpdated{})
		domaintest.Pass(5*time.Minute - time.Millisecond)
		n.wantIdle("signals don't end a span", 1, nothingNew)
		domaintest.Pass(time.Millisecond)
		n.wantIdle("after the second", 2, news)

		domaintest.Pass(9 * time.Minute)
		record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
		domaintest.Pass(time.Minute)
		n.wantIdle("something was said", 2, news)
		domaintest.Pass(9*time.Minute - time.Millisecond)
		n.wantIdle("just before the span after that is over", 2, news)
		domaintest.Pass(time.Millisecond)
		n.wantIdle("after it", 3, news)

		leave := n.front.Enter(domain.ID{1})
		domaintest.Pass(time.Hour)
		n.wantIdle("somebody waits for an answer", 3, news)
		leave()
		domaintest.Pass(10 * time.Minute)
		n.wantIdle("nobody does", 4, nothingNew)
		n.end()
	})
}

// The cycle that follows counts as something done, so the next span begins when it
// has ended.
func TestIdleCountsItsOwnCycle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run, n.idle().Run)
		domaintest.Pass(10*time.Minute + time.Second)
		n.wantIdle("first", 1, 400_000)
		opening := n.all("spine.signal_emitted")[0].Envelope
		domaintest.Pass(2 * time.Minute)
		recordIn(n, domain.Continue(opening), n.ids.NewID(), domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
		domaintest.Pass(10*time.Minute - time.Second)
		n.wantIdle("ten minutes after the first", 1, 400_000)
		domaintest.Pass(time.Second)
		n.wantIdle("ten minutes after the cycle", 2, 400_000)
		n.end()
	})
}

func TestIdleConfig(t *testing.T) {
	if _, err := background.NewIdle(background.IdleConfig{}); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("nothing given: %v", err)
	}
}

// tomorrow is the clock of a log that has seen a machine's clock go back.
type tomorrow struct{}

func (tomorrow) Now() time.Time { return time.Now().Add(24 * time.Hour) }

// A clock that goes back by a day doesn't make Chalie wait for a day.
func TestIdleAfterTheClockWentBack(t *testing.T) {
	const news = 500_000
	synctest.Test(t, func(t *testing.T) {
		n := nervesBeside(t, memlog.New(tomorrow{}))
		n.start(n.emitter.Run, n.idle().Run)
		domaintest.Pass(5 * time.Minute)
		record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
		domaintest.Pass(20 * time.Minute)
		n.wantIdle("when nothing was said for long enough", 1, news)
		n.end()
	})
}

// A clock that is wrong for a while neither stops what idle time begins nor has it begin
// more than once in a span.
func TestIdleAfterTheClockWasWrong(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, off := range []time.Duration{year, time.Hour, -year} {
		t.Run(off.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				clock := &commandstest.Shifted{}
				n := nervesBeside(t, memlog.New(clock))
				n.start(n.emitter.Run, n.idleBy(clock).Run)
				sleepThen := func(d time.Duration, most int) {
					t.Helper()
					before := len(n.emitted())
					domaintest.Pass(d)
					synctest.Wait()
					if got := len(n.emitted()) - before; got > most {
						t.Fatalf("in %v there were %d", d, got)
					}
				}
				sleepThen(5*time.Minute, 0)
				clock.Off.Store(int64(off))
				sleepThen(9*time.Minute, 1)
				record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
				sleepThen(7*time.Minute, 1) // the next span begins with what was said
				clock.Off.Store(0)
				sleepThen(9*time.Minute, 1)
				record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello again"})
				sleepThen(9*time.Minute, 0)
				before := len(n.emitted())
				sleepThen(61*time.Minute, 7)
				if got := len(n.emitted()) - before; got < 5 {
					t.Errorf("in the hour after the clock was right there were %d", got)
				}
				n.end()
			})
		})
	}
}
