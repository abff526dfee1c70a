package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// startLuigis is a program that has told, by itself, of what spoils a plan.
func startLuigis(t *testing.T) (v *victim, before domain.Position, heard domain.Record) {
	t.Helper()
	v = startVictim(t, filepath.Join(t.TempDir(), "data"), idling...)
	v.ready()
	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	heard = v.overhears(v.issueToken())
	if first := v.cycle(heard.Position, 0); first.Outcome != domain.OutcomeSurfaced {
		t.Fatalf("it ends with %+v", first)
	}
	before = v.awaits("signal.received", 1)[0].Position - 1
	v.stop()
	// From here on nothing happens by itself.
	v = startVictim(t, v.data)
	v.ready()
	return v, before, heard
}

// setsUp makes the account of a program, and is logged in then.
func (r *reader) setsUp(v *victim) {
	r.t.Helper()
	r.opensSetup(v.setup)
}

func (r *reader) opensSetup(link string) {
	r.t.Helper()
	r.does(chromedp.Navigate(link), chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "longenough1"))
	r.presses("main button")
	r.sees("h1", "Welcome, ada")
	r.from, _, _ = strings.Cut(link, "/setup")
	r.key = r.brings().Get("Chalie-Key")
}

// lacks expects that nothing that a selector names shows a text.
func (r *reader) lacks(selector, text string) {
	r.t.Helper()
	const found = `[...document.querySelectorAll(%q)].some((e) => e.innerText.includes(%q))`
	if there, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](fmt.Sprintf(found, selector, text))); err != nil || there {
		r.t.Errorf("%q shows %q, %v; %s", selector, text, err, r.shown())
	}
}

// TestNowPages looks at what is in mind, and back to before it was.
func TestNowPages(t *testing.T) {
	r := newReader(t)
	v, before, heard := startLuigis(t)
	item := `[data-key="item-` + heard.Envelope.ID.String() + `"]`
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/now"))
	r.sees("h1", "Now")
	r.sees(".item", "closed tonight")
	r.sees(".item", "It bears on dinner reservation at Luigi's, so it goes first.")
	if hours, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`[...document.querySelector("svg.plot").querySelectorAll(".plot-hour")].map((t) => t.textContent).join()`)); err != nil || hours != "now,3 h,6 h,9 h,12 h" {
		t.Errorf("the axis says %q, %v", hours, err)
	}
	r.sees(".group summary", "Other things matter more")
	r.sees(".plain-list", "dinner reservation")
	r.presses(item + " details summary")
	r.sees(item+" details p", "Half of that is gone every 6 hours")

	// What comes in shows by itself, and what was opened stays open.
	v.chalie("say", "add a task: answer the letter")
	r.sees("#view", "answer the letter")
	r.sees(item+" details[open] p", "Half of that is gone every 6 hours")
	r.checks("now-items")

	// To the beginning with the keyboard, then to just before it was heard.
	r.does(chromedp.SendKeys(chromedp.CSS("#pos"), kb.Home))
	r.sees("#past", "what Chalie knew after record 1 of its log")
	r.sees("#view", "Nothing was in mind")
	r.does(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{ const slider = document.querySelector("#pos"); slider.value = %d; slider.dispatchEvent(new Event("input")); } undefined`, before)))
	r.sees("#past", fmt.Sprintf("record %d of", before))
	r.sees(".item", "dinner reservation")
	r.lacks("#view", "closed tonight")
	for section, says := range map[string]string{
		"conversation": "You: remind me: dinner reservation", "plans": "dinner reservation", "interfaces": "Chalie spoke with no interface.",
		"approvals": "Nothing waited for your approval.", "policy": "By itself:",
	} {
		r.presses(`[data-section="` + section + `"] summary`)
		r.sees(`[data-section="`+section+`"] .section-body`, says)
	}
	r.checks("now-past")

	// What is to come isn't the past, and there was no hour before this log began.
	r.does(chromedp.Navigate(v.address + "/now?at=+6h"))
	r.sees("h1", "As it will be")
	r.sees("#past", "if nothing happens until then")
	r.sees("#pointed", "still to come")
	r.presses("#later-hour")
	r.sees("#pointed", "still to come")
	r.keeps("now-ahead")
	r.presses("[data-now]")
	r.sees("h1", "Now")
	r.shows("#earlier-hour[aria-disabled=true]", 1)

	// The address keeps the moment, and what can't be looked at is told.
	r.does(chromedp.Navigate(v.address + fmt.Sprintf("/now?at=pos:%d", before)))
	r.sees("h1", "As it was")
	r.sees(".item", "dinner reservation")
	r.presses("[data-now]")
	r.sees("h1", "Now")
	r.sees(".item", "closed tonight")
	r.forgives("status of 400")
	r.does(chromedp.Navigate(v.address + "/now?at=pos:99999999"))
	r.sees("#wrong", "the log ends at position")
	r.complaints()
	v.stop()
}

// TestWhatIfPages asks what would have come of other things than came.
func TestWhatIfPages(t *testing.T) {
	r := newReader(t)
	v, _, heard := startLuigis(t)
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/what-if"))
	r.sees("h1", "What if")
	r.sees(".alert", "Nothing is done while you try")
	r.presses("#ask")
	r.sees("#refused", "Nothing is otherwise yet")
	r.checks("whatif-empty")

	// From what is in mind to what would have come without it.
	r.does(chromedp.Navigate(v.address + "/now"))
	id := heard.Envelope.ID.String()
	r.presses(`[data-key="item-` + id + `"] details summary`)
	r.pressesAndWaits(`.item a[href="/what-if?without=` + id + `"]`)
	r.sees(".chips", "closed tonight")
	r.sees(".end .badge", "gone")
	r.sees(".end", "Would not have told you")
	r.sees("#answer", "had not come in")
	r.presses(".end details summary")
	r.sees(".end .columns", "Chalie thought, and told you nothing")
	r.checks("whatif-without")

	// The question is in the address, also with other numbers.
	r.does(chromedp.Navigate(v.address + "/what-if?set=surfaces%3D1"))
	r.sees(".end .badge", "gone")
	r.checks("whatif-numbers")
	r.does(chromedp.Navigate(v.address + "/what-if?set=capacity%3D99"))
	r.sees("#answer", "Nothing would change")
	r.keeps("whatif-same")

	// What can't be is told beside what it is about.
	r.forgives("status of 400")
	r.does(chromedp.Navigate(v.address + "/what-if?set=half_life%3Dfast"))
	r.sees(".setting .refused", `half_life can't be "fast"`)

	r.complaints()
	v.stop()
}

// TestWhatIfPageNumbers asks for another half-life. What comes with an activation energy of
// 0.4 has a salience of 0.8 at first. Two minutes later that is 0.8 × 2^-2 = 0.20 with a
// half-life of one minute, which is enough; three minutes later it is 0.8 × 2^-3 = 0.10,
// below the 0.15 that is.
func TestWhatIfPageNumbers(t *testing.T) {
	r := newReader(t)
	clock := domaintest.NewClock()
	clock.Set(time.Now()) // a browser keeps no cookie of another year
	s := beginWith(t, t.TempDir(), clock, func(*Config) {})
	s.hear("Heavy rain", 0.4)
	var asked []string
	for _, later := range []time.Duration{2 * time.Minute, time.Minute} {
		clock.Advance(later)
		id, err := s.api.Say(t.Context(), "what is on your mind?", "")
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, id.String())
		s.answered(len(asked))
	}
	r.enters(s)
	r.opens(s, "/what-if?set=half_life%3D1m")
	r.sees("#answer", "If half_life had been 1m instead of 6h")
	r.sees("#answer .lead", "1 trace of 2 would have come otherwise: 1 different.")
	r.sees(`.end a[href="/traces/`+asked[1]+`"]`, "")
	r.presses(".end summary")
	r.sees(".end .columns > :first-child", "Heavy rain")
	r.sees(".end .columns > :last-child", "1 because it has faded")
	r.keeps("whatif-half-life")
	r.complaints()
	s.stop()
}

// answered waits until so many episodes have ended.
func (s *story) answered(n int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), patience)
	defer cancel()
	for from, found := domain.Position(1), 0; found < n; {
		page, err := s.api.Log(ctx, apiclient.LogQuery{Type: "reasoning.concluded", From: from, Wait: patience / 6})
		if err != nil {
			s.t.Fatalf("%d have ended, want %d: %v", found, n, err)
		}
		from, found = page.Next, found+len(page.Records)
	}
}
