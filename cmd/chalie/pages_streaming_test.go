package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// TestAnswersInABrowserAsTheyAreMade: the page shows an answer while it is made, as text and
// read out once, takes back what doesn't count, and shows a stopped one as far as it came.
func TestAnswersInABrowserAsTheyAreMade(t *testing.T) {
	r := newReader(t)
	h := &halting{pieces: []string{"Take the <b>bus</b> to ", "town at seven. ", "Then walk."}, goOn: make(chan struct{})}
	first := true
	model := startMind(t, func(q question) thought {
		if q.cycle || !first {
			return h.think(q)
		}
		first = false
		return thought{aloud: func(say func(string)) {
			say("Take the train at eight.")
			<-h.goOn
			panic(http.ErrAbortHandler)
		}}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	r.startsTalking(v)
	r.says("how do I get there?")
	r.sees(".making", "Take the train at")
	h.goOn <- struct{}{}
	r.sees(".making", "Take the <b>bus</b>") // it is text
	if got := r.inPage(`() => document.querySelector(".making").textContent + document.querySelector(".making").getAttribute("aria-live")`); strings.Contains(got, "train") || !strings.HasSuffix(got, "off") {
		t.Errorf("it shows %q", got)
	}
	r.checks("chat-making")
	h.goOn <- struct{}{}
	r.sees(".making", "town at")
	h.goOn <- struct{}{}
	h.goOn <- struct{}{}
	r.sees(".answer", "Then walk.")
	r.shows(".making", 0)

	r.says("and back?")
	r.sees(".exchange:last-child .making", "Take the")
	r.presses("#stop")
	r.sees(".exchange:last-child .answer", "Stopped.")
	r.sees(".exchange:last-child .answer", "Take the")
}
