package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

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

	r.setsUp(v)
	r.presses("main a")
	r.sees("#line", "Connected")
	r.sees("#empty", "Nothing was said yet")
	r.checks("chat-empty")

	r.says("count to 3")
	r.sees(".said", "count to 3")
	r.sees(".approval", "waits for your approval")
	r.checks("chat-approval")
	if p.times("/execute") != 0 {
		t.Error("the tool was called before it was approved")
	}
	r.presses(".decision .primary")
	r.sees(".answer", "Counting came to")
	r.presses(".foot .link")
	r.sees(".reasons", "count")
	r.checks("chat-why")

	r.forgives("net::ERR_")
	v.end()
	r.sees("#line", "Connection lost")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.sees("#line", "Connected")
	r.says("hello")
	r.sees(".answer", "I don't know what you mean.")
	r.keeps("chat-again")

	r.presses(`nav a[href="/now"]`)
	r.sees("h1", "Now")
	r.checks("now")
	r.presses(".rail form button")
	r.sees("h1", "Log in")
	r.does(chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "not this one\r"))
	r.sees("[role=alert]", "Name or password is not right.")
	r.checks("login-refused")
	v.stop()
}
