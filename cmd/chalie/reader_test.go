package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// reader is the person in front of the pages. Every page they come to is listened
// to: see complaints, and checks.
type reader struct {
	t     *testing.T
	ctx   context.Context
	heard *grievances
	from  string // the address that the account was made at
	key   string // of the session; "" before there is one
}

// walking is how long one may be on the way, the checks of every page included.
const walking = 10 * time.Minute

// newReader begins a walk. It walks beside others: mostly one waits for the other side.
func newReader(t *testing.T) *reader {
	t.Helper()
	t.Parallel()
	return readerIn(t, browser(t, walking))
}

// readerIn begins a walk in a tab.
func readerIn(t *testing.T, tab context.Context) *reader { //nolint:revive // t goes first in tests
	t.Helper()
	r := &reader{t: t, ctx: tab}
	r.does(chromedp.Navigate("about:blank")) // opens the tab
	r.heard = listenTo(t, r.ctx)
	// It is as if nobody looked at any other, which several at once need for their keys.
	if _, err := chromedp.Call(r.ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	r.looksAs(always, viewHeight)
	return r
}

func (r *reader) does(steps ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	if err := chromedp.Do(r.ctx, steps...); err != nil {
		r.t.Fatal(err)
	}
}

// awaits has a function looked at again and again in the page, until it returns
// something.
func awaits[T any](r *reader, function string, args ...any) (T, error) {
	for end := time.Now().Add(patience); ; {
		found, err := chromedp.Run(r.ctx, chromedp.PollFunction[T](function, chromedp.WithPollingArgs(args...),
			chromedp.WithPollingInterval(20*time.Millisecond), chromedp.WithPollingTimeout(patience)))
		// A look ends with the page it was on, and the next page is looked at.
		if err == nil || errors.Is(err, chromedp.ErrPollingTimeout) || r.ctx.Err() != nil || time.Now().After(end) {
			return found, err
		}
	}
}

// loaded is whether a page is whole: it was opened by its key, and its modules have run.
const loaded = `document.readyState === "complete" && !document.querySelector("#unopened[hidden], [data-opens]")`

// sees waits until the page is loaded, its modules included, and an element that a
// selector names shows a text.
func (r *reader) sees(selector, text string) {
	r.t.Helper()
	const looks = `(selector, text = "") => ` + loaded + ` && !document.querySelector("[data-waits]") && [...document.querySelectorAll(selector)].some((e) => e.checkVisibility() && (e.innerText ?? e.textContent).includes(text))`
	if _, err := awaits[bool](r, looks, selector, text); err != nil {
		r.t.Fatalf("%q shows no %q: %v; %s", selector, text, err, r.shown())
	}
}

// settles waits until the page has loaded what its modules ask for at once: until then the
// focus may move. Some have something open for ever, and get ten seconds.
func (r *reader) settles() {
	r.t.Helper()
	r.sees("body", "")
	for end, still := time.Now().Add(10*time.Second), 0; still < 3 && time.Now().Before(end); {
		r.does(chromedp.Evaluate[chromedp.Void](`new Promise((later) => setTimeout(later, 50))`, chromedp.EvalAwaitPromise))
		if still++; !r.heard.quiet() {
			still = 0
		}
	}
}

// shown is what there is to read, for somebody who wants to know what went wrong.
func (r *reader) shown() string {
	text, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`location.href + " says\n" + document.body.innerText`))
	if err != nil {
		return "the page can't be read: " + err.Error()
	}
	if known := r.heard.known(); len(known) > 0 {
		text += "\nand it complains:\n" + strings.Join(known, "\n")
	}
	return text
}

// presses clicks on an element, as soon as it can be pressed: the page's modules have
// run, it is enabled, it stays where it is, and nothing lies over it.
func (r *reader) presses(selector string) {
	r.t.Helper()
	const stands = `async (selector) => {
		const node = ` + loaded + ` && [...document.querySelectorAll(selector)].find((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled);
		if (!node) return null;
		const middle = () => {
			const box = [...node.getClientRects()].find((b) => b.width > 0 && b.height > 0);
			return box && [box.x + box.width / 2, box.y + box.height / 2];
		};
		const before = middle();
		await new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)));
		const at = middle();
		if (!before || !at || before.join() !== at.join()) return null;
		const top = document.elementFromPoint(...at);
		if (top && (node.contains(top) || top.closest("label")?.control === node)) return at;
		node.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
		return null;
	}`
	at, err := awaits[[]float64](r, stands, selector)
	if err != nil {
		r.t.Fatalf("%q can't be pressed: %v; %s", selector, err, r.shown())
	}
	r.does(chromedp.MouseClickXY(at[0], at[1]))
}

// pressesAndWaits is for what has the page loaded again.
func (r *reader) pressesAndWaits(selector string) {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`document.body.classList.add("before-it-was-pressed"); undefined`))
	r.presses(selector)
	r.sees("body:not(.before-it-was-pressed)", "")
}

func (r *reader) says(text string) {
	r.t.Helper()
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), text+"\r"))
}

// keeps a picture of what is seen, where CHALIE_SCREENSHOTS says.
func (r *reader) keeps(name string) {
	r.t.Helper()
	dir := os.Getenv("CHALIE_SCREENSHOTS")
	if dir == "" {
		return
	}
	quick := true // the packing of a picture costs more than its room
	picture, err := chromedp.Call(r.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{OptimizeForSpeed: &quick})
	if err != nil {
		r.t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, name+".png"), picture.Data, 0o600)); err != nil {
		r.t.Error(err)
	}
}
