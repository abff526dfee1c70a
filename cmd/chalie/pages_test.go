package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// reader is the person in front of the pages.
type reader struct {
	t       *testing.T
	ctx     context.Context
	console chan chromedp.ConsoleMessage // what the pages complained of
}

func newReader(t *testing.T) *reader {
	r := &reader{t: t, ctx: browser(t), console: make(chan chromedp.ConsoleMessage, 100)}
	r.does(chromedp.Navigate("about:blank")) // starts the browser
	go func() {
		defer close(r.console)
		for m, err := range chromedp.Console(r.ctx) {
			if err != nil {
				return
			}
			r.console <- m
		}
	}()
	return r
}

func (r *reader) does(steps ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	if err := chromedp.Do(r.ctx, steps...); err != nil {
		r.t.Fatal(err)
	}
}

// sees waits until the page is loaded, its modules included, and an element that a
// selector names shows a text.
func (r *reader) sees(selector, text string) {
	r.t.Helper()
	const looks = `(selector, text) => document.readyState === "complete" && [...document.querySelectorAll(selector)].some((e) => e.checkVisibility() && e.innerText.includes(text))`
	for {
		_, err := chromedp.Run(r.ctx, chromedp.PollFunction[bool](looks, chromedp.WithPollingArgs(selector, text), chromedp.WithPollingInterval(20*time.Millisecond)))
		if err == nil {
			return
		}
		// A look ends with the page it was on, and the next page is looked at.
		if errors.Is(err, chromedp.ErrPollingTimeout) || r.ctx.Err() != nil {
			shown, _ := chromedp.Run(r.ctx, chromedp.Evaluate[string](`document.body.innerText`))
			r.t.Fatalf("%q shows no %q: %v; the page says\n%s", selector, text, err, shown)
		}
	}
}

// presses clicks on an element. While a page is being replaced, its elements are
// gone before those of the next are known.
func (r *reader) presses(selector string) {
	r.t.Helper()
	for {
		err := chromedp.Do(r.ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "Could not find node") || r.ctx.Err() != nil {
			r.t.Fatalf("press %q: %v", selector, err)
		}
	}
}

// pressesAndWaits is for what has the page loaded again.
func (r *reader) pressesAndWaits(selector string) {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`document.body.classList.add("before-it-was-pressed"); undefined`))
	r.presses(selector)
	r.sees("body:not(.before-it-was-pressed)", "Chalie")
}

func (r *reader) says(text string) {
	r.t.Helper()
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), text+"\r"))
}

// keeps a picture, where CHALIE_SCREENSHOTS says.
func (r *reader) keeps(name string) {
	r.t.Helper()
	dir := os.Getenv("CHALIE_SCREENSHOTS")
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(r.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)
	}
	if err != nil {
		r.t.Error(err)
	}
}

// complaints are what a page may not have: errors of scripts, and what its policy
// refused. That a server is away is none.
func (r *reader) complaints() {
	r.t.Helper()
	for {
		select {
		case m := <-r.console:
			if m.IsException() || m.Source == "security" || strings.Contains(m.Text, "Content Security Policy") {
				r.t.Errorf("the page complains: %s %s", m.URL, m.Text)
			}
		default:
			return
		}
	}
}

// TestPagesInABrowser walks from the first start to a tool that needs approval,
// asks why, and goes on after the program was killed.
func TestPagesInABrowser(t *testing.T) {
	r := newReader(t)
	model := startMind(t, counting)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	p := startProgram(t, "abacus")
	v.pair(p)
	v.chalie("tool", "trust", "count", "--requires-approval")

	r.does(chromedp.Navigate(v.setup), chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "longenough1"))
	r.presses("main button")
	r.sees("h1", "Welcome, ada")
	r.presses("main a")
	r.sees("#line", "Connected")
	r.sees("#empty", "Nothing was said yet")
	r.keeps("chat-empty")

	r.says("count to 3")
	r.sees(".said", "count to 3")
	r.sees(".answer", "waits for your approval")
	r.keeps("chat-approval")
	if p.times("/execute") != 0 {
		t.Error("the tool was called before it was approved")
	}
	r.presses(".decision .primary")
	r.sees(".answer", "Counting came to")
	r.presses(".foot .link")
	r.sees(".reasons", "count")
	r.keeps("chat-why")

	v.end()
	r.sees("#line", "Connection lost")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.sees("#line", "Connected")
	r.says("hello")
	r.sees(".answer", "I don't know what you mean.")
	r.keeps("chat-again")

	r.presses(`nav a[href="/now"]`)
	r.sees("h1", "Now")
	r.keeps("now")
	r.presses(".rail button")
	r.sees("h1", "Log in")
	r.does(chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "not this one\r"))
	r.sees("[role=alert]", "Name or password is not right.")
	r.keeps("login-refused")
	r.complaints()
	v.stop()
}
