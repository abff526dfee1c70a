package main

import (
	"strings"
	"testing"

	"chalie/domain/domaintest"
)

// A person who waits sees that something waits, and for what.
func TestFollowingHasItsHeaderAtOnce(t *testing.T) {
	for _, c := range []struct {
		args      []string
		told, err string
	}{
		{[]string{"--type", "token.revoked"}, "POSITION  RECORDED UTC", ""},
		{[]string{"--topic", "nosuch"}, "POSITION  RECORDED UTC", "there is no topic nosuch; the nearest are "},
	} {
		s := begin(t, t.TempDir(), domaintest.NewClock(), 0)
		console, out, told := testConsole()
		ended := make(chan int, 1)
		go func() { ended <- run(console, append([]string{"log", "--follow", "--data", s.data}, c.args...)) }()
		comes(t, out, c.told)
		comes(t, told, c.err)
		s.stop()
		if code := <-ended; code != exitFailed {
			t.Errorf("%v: following a program that stopped ended with %d: %s", c.args, code, told)
		}
		if strings.Contains(s.logs.String(), "level=ERROR") {
			t.Errorf("%v: a follower made stopping look like a failure: %s", c.args, s.logs)
		}
	}
}
