package main

import (
	"testing"
	"time"

	"chalie/domain"
)

// idleSpan is how long nothing has to happen in TestWhyLuigis, on a clock that moves
// when it is told to.
const idleSpan = 50 * time.Millisecond

// TestWhyLuigis is what the person is told when they ask why: with the restaurant's
// signal and the reservation, how much each weighed at that moment, the rules that
// brought them together, and who let the restaurant in, and when.
func TestWhyLuigis(t *testing.T) {
	v := openIdling(t, idleSpan)
	r := v.program("restaurant")
	v.pair(r)
	v.chapter("Dinner is planned.")
	v.clock.Advance(5 * time.Minute)
	v.cycles(1) // it begins by itself, and not while the person speaks
	v.say("remind me: dinner reservation at Luigi's in 2 hours")
	v.chapter("22 minutes later it is looked over, and nothing is to be told.")
	v.clock.Advance(22 * time.Minute)
	v.cycles(2)
	v.chapter("The restaurant says that it is closed.")
	news := r.News
	news.Content, news.Metadata = "Luigi's is closed tonight: the oven broke", nil
	v.came(news.Content, r.Send(t.Context(), "/api/signals", news, nil))
	v.clock.Advance(idleSpan)
	v.frames("notification")
	v.chapter("Why?")
	v.types("why", "last")
	v.chapter("What did it lead to?")
	v.types("effects", v.found("signal.received"))
	v.chapter("And to whom does that go back?")
	v.types("effects", v.found("pairing.key_issued"))
	v.chapter("As a flowchart.")
	v.types("why", "last", "--mermaid")
	v.end("why_luigis")
}

// cycles waits until so many episodes have ended that nobody asked for.
func (v *village) cycles(n int) {
	v.t.Helper()
	v.awaitRecords(func(all []domain.Record) bool {
		ended := 0
		for _, rec := range all {
			if rec.Envelope.Type == "reasoning.concluded" && rec.Envelope.Principal != domain.PrincipalOperator || domain.IsSilent(rec.Envelope) {
				ended++
			}
		}
		return ended >= n
	})
}

// found is the id of the first record of a type.
func (v *village) found(name domain.EventType) string {
	v.t.Helper()
	id := ""
	v.awaitRecords(func(all []domain.Record) bool {
		for _, rec := range all {
			if rec.Envelope.Type == name {
				id = rec.Envelope.ID.UUID()
				return true
			}
		}
		return false
	})
	return id
}

// awaitRecords waits until the log holds what it should.
func (v *village) awaitRecords(fits func(all []domain.Record) bool) {
	v.t.Helper()
	var all []domain.Record
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.Now().Add(patience); ; <-look.C {
		all = append(all, v.records()...)
		if fits(all) {
			v.logged = 0
			return
		}
		if time.Now().After(deadline) {
			v.t.Fatalf("the log doesn't hold what it should: it has %d records", len(all))
		}
	}
}

// types runs a command and tells what it writes.
func (v *village) types(args ...string) {
	v.t.Helper()
	c, out, errOut := testConsole()
	if code := run(c, append(args, "--data", v.data)); code != exitDone {
		v.t.Fatalf("%q ends with %d: %s", args, code, errOut)
	}
	shown := args[0]
	for _, arg := range args[1:] {
		shown += " " + arg
	}
	v.tell("types", "chalie "+shown)
	v.tell("", out.String())
}
