package main

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hangs has what the page asks for next never answered, until it gives up.
const hangs = `window.fetch = (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason)))`

// comesAlong has what the page asks for next say how far it is, and no more.
const comesAlong = `window.fetch = async (_, { signal }) => new Response(new ReadableStream({ start(c) {
	c.enqueue(new TextEncoder().encode('{"position":1200,"tail":4800,"rate":600}\n'));
	signal.addEventListener("abort", () => c.error(signal.reason));
} }))`

// enter presses an element by the key for it.
func (r *reader) enter(selector string) {
	r.t.Helper()
	r.sees(selector, "")
	r.looks(`document.querySelector(` + strconv.Quote(selector) + `).focus()`)
	r.isAt(selector)
	r.keys(kb.Enter)
}

// TestFocusStays presses by keys what is gone when it was pressed: the focus is at what
// took its place then, and not at the top of the page.
func TestFocusStays(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "abacus")
	id := v.pair(p).ID.String()
	r.setsUp(v)
	goes := func(path string) {
		t.Helper()
		r.does(chromedp.Navigate(v.address + path))
	}

	goes("/replay")
	r.sees("#replay", "")
	r.looks(comesAlong)
	r.enter("#replay .primary")
	r.sees("#report[aria-live=polite] .working [aria-live=off]", "At position 1,200") // heard once, and not with each step
	r.isAt("#replay .primary")
	r.enter("#report .working button")
	r.sees("#report .empty-box", "Stopped")
	r.isAt("#report .empty-box button")

	goes("/system/verify")
	r.enter("#verify")
	r.sees("#result", "The log is sound.")
	r.isAt("#verify")

	goes("/interfaces/" + id)
	r.sees("#page", "hello")
	r.enter(".tool summary")
	r.looks(hangs)
	r.enter(".try button")
	r.enter(".try .result button")
	r.sees(".try .result", "You stopped waiting")
	r.isAt(".try > button")
	p.close()
	goes("/interfaces/" + id)
	r.sees("#page button", "Ask it again")
	r.looks(`document.querySelector("#page button").before(Object.assign(document.createElement("i"), { id: "before" }))`)
	r.enter("#page button")
	r.sees("#page:not(:has(#before)) button", "Ask it again")
	r.isAt("#page")
	r.complaints()
	v.stop()
}
