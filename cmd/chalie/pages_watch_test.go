package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// hears sends a signal that has to be accepted.
func (v *victim) hears(token, content string) {
	v.t.Helper()
	if status := v.signalled(token, content); status != http.StatusAccepted {
		v.t.Fatalf("%q was answered with %d", content, status)
	}
}

// counts is how many elements there are.
func (r *reader) counts(selector string) int {
	r.t.Helper()
	n, err := chromedp.Run(r.ctx, chromedp.Evaluate[int](fmt.Sprintf(`document.querySelectorAll(%q).length`, selector)))
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}

// TestLogPage watches what comes, reads one of it while more comes, stops watching,
// and goes on when Chalie was away.
func TestLogPage(t *testing.T) {
	const first = "#entries li:first-child"
	r := newReader(t)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	token := v.issueToken()
	r.setsUp(v)

	v.hears(token, "the tram is late")
	r.does(chromedp.Navigate(v.address + "/system/log"))
	r.sees("#line", "Live")
	r.sees(first, "the tram is late")
	v.hears(token, "it begins to rain")
	r.sees(first, "it begins to rain")
	r.checks("log")

	r.presses(first + " summary")
	r.sees(first+" .opened", "Activation energy")
	v.hears(token, "the rain stops")
	r.sees("#line", "Waits while you read")
	r.sees("#fresh", "1 new")
	r.sees(first+" .opened", "it begins to rain")
	r.presses(first + " .whole summary")
	r.sees(first+" pre", `"content": "it begins to rain"`)
	r.checks("log-open")
	r.presses("#fresh")
	r.sees(first, "the rain stops")
	r.sees("#line", "Live")

	r.presses("#pause")
	r.sees("#line", "Paused")
	v.hears(token, "the sun is out")
	if r.sees(first, "the rain stops"); r.has("#fresh:not([hidden])") {
		t.Error("something new is told while it is paused")
	}
	r.sees("#line", "recorded since")
	r.presses("#pause")
	r.sees(first, "the sun is out")
	const counted = `document.querySelector("#holds").textContent === document.querySelector("#entries li:first-child summary .number").textContent`
	if same, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](counted)); err != nil || !same {
		t.Errorf("what the log is said to hold is not the newest position: %v", err)
	}

	r.forgives("net::ERR_")
	r.forgives("503")
	v.end()
	r.sees(".away", "Chalie doesn't answer")
	r.sees("#line[data-state=offline]", "Chalie doesn't answer")
	r.checks("log-away")
	r.presses(".away button")
	r.sees(".away button", "Try now")
	v = startVictim(t, data, "--addr", strings.TrimPrefix(v.address, "http://"))
	// The page looks by itself too, and may have found it back before this.
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector(".away button")?.click()`))
	r.sees("#entries", "system started")
	v.ready()
	v.hears(token, "a new day")
	r.sees(first, "a new day")
	r.sees("#line", "Live")
	r.complaints()
	v.stop()
}

// A flood leaves the page to who looks at it: what can't be shown is passed by, with a
// way to read it, and buttons answer meanwhile.
func TestLogPageInAFlood(t *testing.T) {
	const flood, most = 5000, 301 // a line may say what was passed by
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	token := v.issueToken()
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/system/log"))
	r.sees("#line", "Live")

	half, rest := make(chan error, 1), make(chan error, 1)
	send := func(from, to int, done chan<- error) {
		for n := from; n < to; n += 50 {
			items := make([]string, 50)
			for i := range items {
				items[i] = fmt.Sprintf(`{"signal_type":"news","content":"number %d","activation_energy":0.1}`, n+i)
			}
			status, answer, err := v.ask(http.MethodPost, "/api/signals/batch", "["+strings.Join(items, ",")+"]", "Authorization: Bearer "+token)
			if err == nil && status != http.StatusOK {
				err = fmt.Errorf("%d %s", status, answer)
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}
	go send(0, flood/2, half)
	r.sees("#entries", "number ")
	r.presses("#pause")
	r.sees("#line", "Paused")
	if err := <-half; err != nil {
		t.Fatal(err)
	}
	go send(flood/2, flood, rest)
	r.presses("#pause")
	if err := <-rest; err != nil {
		t.Fatal(err)
	}
	r.sees("#entries li:first-child", fmt.Sprintf("number %d", flood-1))
	r.sees("#entries .passed", "more went by. Read them")
	if n := r.counts("#entries > li"); n > most {
		t.Errorf("%d lines are kept", n)
	}
	r.keeps("log-flood")
	r.pressesAndWaits("#entries .passed a")
	r.sees("#entries", "number ")
	r.sees(".log-bar", "Newer")
	r.complaints()
	v.stop()
}

// TestLogPageFinds narrows the log, jumps in it, and turns its pages.
func TestLogPageFinds(t *testing.T) {
	r := newReader(t)
	s := nowadays(t, t.TempDir())
	s.hear("the first of all", 0.5)
	for n := range 120 {
		s.hear(fmt.Sprintf("number %d", n), 0.5)
	}
	r.enters(s)

	r.opens(s, "/system/log")
	r.sees("#entries li:first-child", "operator logged in")
	r.writes("#type", "signal.received")
	r.pressesAndWaits(".log-filter .primary")
	r.sees("#entries li:first-child", "number 119")
	r.checks("log-filtered")
	r.pressesAndWaits("a[rel=next]")
	r.sees("#entries li:first-child", "number 69")
	r.pressesAndWaits("a[rel=next]")
	r.sees("#entries li:last-child", "the first of all")
	if r.has("a[rel=next]") {
		t.Error("there is a way further back than the first")
	}
	r.pressesAndWaits("a[rel=prev]")
	r.sees("#entries li:first-child", "number 69")

	r.writes("#to", "2026-01-01 12:00") // before anything: the first after it
	r.pressesAndWaits(".log-jump button")
	r.sees("#entries .found .opened", "Revision")
	r.writes("#to", "2")
	r.pressesAndWaits(".log-jump button")
	r.sees("#entries .found .opened", "the first of all")
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector("#entries .found .opened").id = "found"; undefined`))
	r.pressesAndWaits("#found a[href^='/system/log/']")
	r.sees(".prose", "the first of all")
	r.checks("log-envelope")
	r.pressesAndWaits("main a[href*='around=']")
	r.sees("#entries .found", "the first of all")

	r.writes("#to", "the day before yesterday")
	r.pressesAndWaits(".log-jump button")
	r.sees("#jump-fail", "no position, no id and no time")
	r.checks("log-jump-fail")
	r.writes("#to", "999,999")
	r.pressesAndWaits(".log-jump button")
	r.sees("#jump-fail", "the log ends at")
	r.forgives("404")
	r.opens(s, "/system/log?source=nobody")
	r.sees("#nothing", "Nothing fits")
	r.checks("log-nothing")
	s.stop()
}

// TestSpinePage sees a service die while it is looked at, and that it is back after
// the next start.
func TestSpinePage(t *testing.T) {
	r := newReader(t)
	m := startMortal(t)
	r.enters(m.story)
	r.opens(m.story, "/system/spine")
	r.sees("#spine", "Every service that runs is alive.")
	r.sees("#service-plans .spine-standing", "alive")
	r.sees("#service-plans", "last sign of life")
	r.checks("spine")

	m.kill(domain.ServicePlans)
	r.sees("#spine [role=status]", "Plans is dead.")
	r.sees("#spine [role=status]", errKilled.Error())
	r.sees("#spine [role=status]", "what happens to tasks and memories is recorded, and not thought about")
	r.sees("#service-plans .spine-standing", "dead")
	r.sees("#service-idle .spine-standing", "alive")
	r.sees(".plain-lines", "plans")
	if !r.has(".spine-box.dead") || !r.has(".spine-way.dead") {
		t.Error("the picture shows no death")
	}
	r.checks("spine-dead")

	r.forgives("net::ERR_")
	m.story.stop()
	m = startMortalIn(t, m.story.data)
	r.opens(m.story, "/system/spine")
	r.sees("#spine", "Every service that runs is alive.")
	r.sees(".plain-lines", "plans")
	m.story.stop()
}
