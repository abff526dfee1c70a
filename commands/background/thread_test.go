package background_test

import (
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

func (n *nerves) threads() *background.Threads {
	n.t.Helper()
	threads, err := background.NewThreads(background.ThreadsConfig{
		Env: commands.Env{Log: n.log, Reader: n.log, Tail: n.log, Clock: present{}, IDs: n.ids, Logger: slog.New(slog.DiscardHandler)}, Emitter: n.emitter, Priority: n.front, Heart: n.hearts,
	})
	if err != nil {
		n.t.Fatal(err)
	}
	return threads
}

// wantExpired expects the conversations that ended with these records to have
// expired by now.
func (n *nerves) wantExpired(when string, last ...domain.Record) {
	n.t.Helper()
	synctest.Wait()
	got := n.all("spine.signal_emitted")
	if len(got) != len(last) {
		n.t.Fatalf("%s: %d have expired, want %d", when, len(got), len(last))
	}
	for i, rec := range got {
		if s, err := domain.SpineSignalOf(rec.Envelope); err != nil || s.SignalType != domain.ThreadExpired || s.ActivationEnergy != 0.3 || rec.Envelope.Parent != last[i].Envelope.ID {
			n.t.Errorf("%s: the %dth is %+v of %+v, %v", when, i, s, rec.Envelope, err)
		}
	}
}

func TestThreadExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		n.start(n.emitter.Run, n.threads().Run)
		domaintest.Pass(2 * time.Hour)
		n.wantExpired("nobody ever said anything")

		said := record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
		domaintest.Pass(2 * time.Minute)
		answer := recordIn(n, domain.Continue(said.Envelope), n.ids.NewID(), domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage})
		domaintest.Pass(10 * time.Minute)
		record(n, "lab", domain.MessageReceived{Text: "a result"}) // not the person
		recordIn(n, domain.Continue(said.Envelope), n.ids.NewID(), domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
		domaintest.Pass(20*time.Minute - time.Millisecond)
		n.wantExpired("just before half an hour")
		domaintest.Pass(time.Millisecond)
		n.wantExpired("after half an hour", answer)
		domaintest.Pass(3 * time.Hour)
		n.wantExpired("much later", answer)

		again := record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello again"})
		leave := n.front.Enter(domain.ID{1})
		domaintest.Pass(2 * time.Hour)
		n.wantExpired("while an answer is awaited", answer)
		leave()
		domaintest.Pass(30 * time.Minute)
		n.wantExpired("the second conversation", answer, again)
		n.end()
	})
}

// A conversation that came to rest while nobody watched expires at the next start,
// once; one of long ago doesn't.
func TestThreadExpiresOverRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNerves(t)
		said := record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
		domaintest.Pass(5 * time.Hour)
		for range 3 {
			n.start(n.emitter.Run, n.threads().Run)
			domaintest.Pass(time.Hour)
			n.wantExpired("after a start", said)
			n.end()
		}
		record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "bye"})
		domaintest.Pass(25 * time.Hour)
		n.start(n.emitter.Run, n.threads().Run)
		domaintest.Pass(time.Hour)
		n.wantExpired("a day later", said)
		n.end()
	})
}

// A clock that goes back by a day doesn't keep a conversation open for a day.
func TestThreadExpiresAfterTheClockWentBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := nervesBeside(t, memlog.New(tomorrow{}))
		n.start(n.emitter.Run, n.threads().Run)
		said := record(n, domain.PrincipalOperator, domain.MessageReceived{Text: "hello"})
		domaintest.Pass(2 * time.Hour)
		n.wantExpired("long after it", said)
		n.end()
	})
}
