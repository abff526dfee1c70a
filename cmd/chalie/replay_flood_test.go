package main

import (
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"chalie/adapters/apiclient"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/replay/player"
)

// TestReplayOfAFlood: what comes in while something is decided, many times in each
// decision, has no part in the replay that it hadn't in the decision.
func TestReplayOfAFlood(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	person := newDevice(t, register(t, v.setup))
	if err := person.connect(v.address); err != nil {
		t.Fatal(err)
	}
	if err := person.attend(); err != nil {
		t.Fatal(err)
	}
	token, enough := v.issueToken(), make(chan struct{})
	var sending sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			s := newSender(v, token, i)
			defer s.close()
			for n := 0; ; n++ {
				select {
				case <-enough:
					return
				default:
					s.send(&post{path: "/api/signals", body: signalText(fmt.Sprintf("sender %d heard the bakery for the %dth time", i, n), 0.5)})
				}
			}
		})
	}
	sending.Go(func() { // and settings change all the while
		api := apiclient.New(unixsocket.Client(data), unixsocket.BaseURL)
		for n := 0; ; n++ {
			select {
			case <-enough:
				return
			default:
			}
			for name, values := range map[string][]string{"capacity": {"20", "100"}, "context": {"2", "5"}, "half_life": {"1h", "6h"}, "memory": {"1", "4"}} {
				if _, err := api.Set(t.Context(), name, values[n%2]); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for i := range 12 {
		for _, text := range []string{"remind me in 3 hours to go to the bakery", "what is on your mind?", "note: the bakery is " + fmt.Sprint(i), "forget that"} {
			if err := person.say(text); err != nil {
				t.Fatal(err)
			}
			if _, err := person.until(isDone); err != nil {
				t.Fatal(err)
			}
		}
	}
	close(enough)
	sending.Wait()
	v.stop()

	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	between := 0
	for _, rec := range recordsOf(t, log) {
		if read := domain.ReadOf(rec.Envelope); read != 0 && read+1 < rec.Position {
			between++
		}
	}
	report := replayed(t, log)
	out, err := player.WhatIf(t.Context(), log, sandboxes(keyframes{}).Open, player.Change{}, player.Scope{}, nil)
	if err != nil || len(out.Outcomes) > 0 || out.Traces == 0 {
		t.Errorf("with nothing changed a branch comes to other ends: %+v, %v", out, err)
	}
	t.Logf("%d records, %d steps, %d of them with records between what they read and themselves, %d unread", log.Tail(), report.Steps, between, report.Unread)
	if err := diverging(report); err != nil {
		t.Error(err)
	}
	if between < 10 {
		t.Error("nearly nothing came in while something was decided: the test shows nothing")
	}
	if report.Unread*10 > report.Steps {
		t.Errorf("%d of %d steps didn't record what they had read", report.Unread, report.Steps)
	}
}
