package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/domain"
)

// looks runs a line of script in the page.
func (r *reader) looks(script string) {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](script + "; undefined"))
}

// TestTracePages looks for a trace in the list while more come, follows one while it
// goes on, and opens a step, its picture, and its replay.
func TestTracePages(t *testing.T) {
	r := newReader(t)
	mind := &pondering{answers: make(chan thought)}
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), startMind(t, mind.think).flags()...)
	v.ready()
	r.startsTalking(v)
	token := v.issueToken()
	hear := func(content string) {
		t.Helper()
		if status := v.signalled(token, content); status != http.StatusAccepted {
			t.Fatalf("%q was answered %d", content, status)
		}
	}
	r.says("when does the ferry leave?")
	r.sees("#doing", "Working on")

	r.presses(`nav a[href="/traces"]`)
	r.sees(".episode", "You said: when does the ferry leave?")
	r.sees(".episode", "It is still going on.")
	hear("the ferries are late")
	r.sees(".episode:first-child", "Sender signalled: news: the ferries are late")
	r.sees(".episode:first-child", "keeps it in mind")
	for n := range 20 {
		hear(fmt.Sprintf("rumour %d", n))
	}
	r.sees(".episode:first-child", "rumour 19")
	r.checks("traces")
	r.looks(`scrollTo(0, document.body.scrollHeight)`)
	hear("a last rumour")
	r.sees("#fresh", "1 new")
	r.shows(".episode:first-child bdi", 1)
	r.presses("#fresh")
	r.sees(".episode:first-child", "a last rumour")

	r.does(chromedp.SendKeys(chromedp.CSS("#q"), "FERRY\r"))
	r.sees(".look .facts", "Clear")
	r.shows(".episode", 1)
	r.does(chromedp.SetValue(chromedp.CSS("#outcome"), "failed"))
	r.pressesAndWaits(".look .primary")
	r.sees(".empty-box", "Nothing like it")
	r.checks("traces-none")
	r.presses(`.empty-box a[href="/traces"]`)
	r.sees(".episode", "a last rumour")

	r.does(chromedp.Navigate(v.address + "/traces?root=message"))
	r.presses(".episode a")
	r.sees("#about", "It is still going on.")
	r.sees(".waterfall", "model called")
	r.checks("trace-open")
	mind.answers <- thought{text: "The ferry leaves at nine."}
	r.sees("#about", "Chalie answered: The ferry leaves at nine.")
	r.sees(".waterfall", "reasoning concluded")
	r.presses(".waterfall li:first-child summary")
	r.sees(".waterfall li:first-child dl", "when does the ferry leave?")
	r.presses(".waterfall li:first-child .as-json")
	r.sees("pre.json", `"text": "when does the ferry leave?"`)
	r.looks(`document.querySelector("#picture").scrollIntoView()`)
	r.sees("#picture .graph", "message.received")
	r.checks("trace")
	r.looks(`[...document.querySelectorAll("#picture a.box")].find((b) => b.textContent.includes("reasoning.started")).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }))`)
	r.sees(".waterfall li dl", "Zone")
	r.pressesAndWaits(`.head a[href^="/replay"]`)
	r.sees("#report", "as it was")
	r.complaints()
	v.stop()
}

// TestTraceOfMany shows a trace with a thousand like steps as a few rows, opens them
// page by page, and finds one of them by its place in the log.
func TestTraceOfMany(t *testing.T) {
	r := newReader(t)
	s := nowadays(t, t.TempDir())
	r.enters(s)
	begun, at := s.records(1200)
	r.opens(s, "/traces?q="+begun.String())
	r.sees("h1", "Redirection")
	r.sees(".waterfall summary", "× 1,199")
	r.shows(".waterfall li", 4)
	r.presses(".waterfall li:nth-child(2) summary")
	r.sees(".waterfall .waterfall li:nth-child(50)", "step 49")
	r.presses(".waterfall .more-rows")
	r.sees(".waterfall .waterfall li:nth-child(51)", "step 50")
	r.shows(".waterfall .waterfall > li", 100)
	r.checks("trace-of-many")
	r.opens(s, fmt.Sprintf("/traces/pos:%d", at+700))
	r.sees(".waterfall details[open]", "step 699")
	r.shows(".waterfall > li", 6)
	r.complaints()
	s.stop()
}

// records writes a trace of so many like steps, and one that follows from the first. It
// returns the trace and where it begins.
func (s *story) records(like int) (domain.TraceID, domain.Position) {
	s.t.Helper()
	ids := ulids.New(sysclock.Clock{})
	trace := domain.TraceID{ID: ids.NewID()}
	var entries []domain.Entry
	add := func(lin domain.Lineage, text string) domain.Envelope {
		id := trace.ID
		if len(entries) > 0 {
			id = ids.NewID()
		}
		entry, err := domain.New(lin, id, 1, "bench", domain.SteerReceived{Text: text})
		if err != nil {
			s.t.Fatal(err)
		}
		entries = append(entries, entry)
		return entry.Envelope
	}
	first := add(domain.Lineage{Trace: trace, Principal: domain.PrincipalOperator}, "go on")
	for n := range like {
		add(domain.Continue(first), fmt.Sprintf("step %d", n))
	}
	add(domain.Continue(entries[len(entries)-1].Envelope), "the end")
	appended, err := s.app.log.Append(s.t.Context(), domain.Batch{Entries: entries})
	if err != nil {
		s.t.Fatal(err)
	}
	return trace, appended.Positions[0]
}
