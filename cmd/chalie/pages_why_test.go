package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// TestWhyPages asks why of what was told and why not of what wasn't, goes from the
// picture to the record.
func TestWhyPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), idling...)
	v.ready()
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/why"))
	r.sees(".empty-box", "Chalie has said nothing yet")
	r.does(chromedp.Navigate(v.address + "/why-not"))
	r.sees(".empty-box", "held nothing back")

	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	heard := v.overhears(v.issueToken())
	if first := v.cycle(heard.Position, 0); first.Shown != domain.ShownNotification {
		t.Fatalf("the first cycle after it ends with %+v", first)
	}
	v.keepsIt(v.cycle(heard.Position, 1), heard.Envelope.ID)

	r.does(chromedp.Navigate(v.address + "/why"))
	r.checks("ask-why")
	r.presses(".choices li:has(.facts) a")
	r.sees(".prose", "because")
	r.sees(`.prose`, "closed tonight")
	r.sees(`.prose a[href^="/traces/"]`, "closed tonight")
	r.sees("figure.live .picture-bar", "Full screen")
	r.presses(".numbers summary")
	r.sees(".numbers td", "salience")
	r.checks("why")
	r.walksThePicture()
	r.touchesThePicture()
	if hidden, err := chromedp.Run(r.ctx, chromedp.Evaluate[int](`[...document.querySelectorAll(".graph .box")].filter((b) => !b.checkVisibility() || b.getBoundingClientRect().width < 5).length`)); err != nil || hidden > 0 {
		t.Errorf("%d boxes can't be seen, %v", hidden, err)
	}
	r.presses(`.tabs a[href$="direction=forward"]`)
	r.sees("h1", "What came of it")
	r.sees("figure.live", "told you")
	r.pressesAndWaits(".graph a.box-target")
	r.sees("main", "As a picture")

	r.forgives("answered 404") // of what isn't there
	r.forgives("status of 404")
	r.does(chromedp.Navigate(v.address + "/why/nothing-like-it"))
	r.sees("#of-wrong", "said nothing with the words")

	r.does(chromedp.Navigate(v.address + "/why-not"))
	r.sees(".choices", "you had been told the same before")
	r.checks("ask-why-not")
	comet := v.awaits("signal.received", len(loud)+1)[1]
	r.writes("#of", comet.Envelope.ID.String())
	r.presses(".asking button")
	r.sees("#answer .prose", "You were not told of")
	r.sees("#answer h2", "Each time it was considered")
	r.sees("#answer .prose a", "looked over what it had in mind")
	r.checks("why-not")
	r.does(chromedp.Navigate(v.address + "/why-not/nothing:like it?"))
	r.sees("#answer [role=alert]", "no tool was ever called so")

	r.complaints()
	v.stop()
}

// look is what of a picture is seen.
func (r *reader) look() string {
	r.t.Helper()
	box, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`document.querySelector("figure.live svg").getAttribute("viewBox")`))
	if err != nil {
		r.t.Fatal(err)
	}
	return box
}

// walksThePicture zooms and moves it, by buttons and by keys.
func (r *reader) walksThePicture() {
	r.t.Helper()
	before := r.look()
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"a button makes it larger", func() { r.presses(".picture-bar button") }},
		{"a key makes it larger", func() { r.does(chromedp.SendKeys(chromedp.CSS("figure .view"), "+")) }},
		{"a key moves it", func() { r.does(chromedp.SendKeys(chromedp.CSS("figure .view"), "\u0302")) }}, // the arrow down
		{"a key shows all", func() { r.does(chromedp.SendKeys(chromedp.CSS("figure .view"), "0")) }},
	} {
		step.do()
		now := r.look()
		if now == before {
			r.t.Errorf("%s: it still shows %s", step.name, now)
		}
		before = now
	}
}

// touchesThePicture zooms and moves it with fingers, on a phone; one that goes up or
// down scrolls the page, or nobody could get past it.
func (r *reader) touchesThePicture() {
	r.t.Helper()
	r.looksAs(phone, viewHeight)
	r.touchable(true)
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector("figure .view").scrollIntoView({ block: "center", behavior: "instant" })`))
	if hint, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](`document.querySelector(".picture-hint").checkVisibility()`)); err != nil || !hint {
		r.t.Errorf("nothing says that it takes two fingers: %v", err)
	}
	start, scrolled := r.frame(), r.scrolled()
	r.slides(finger{150, 380, 110, 340}, finger{230, 460, 270, 500})
	near := r.frame()
	if near.w >= start.w*0.9 {
		r.t.Errorf("two fingers that part don't make it larger: it showed %+v, and shows %+v", start, near)
	}
	r.slides(finger{150, 380, 210, 320}, finger{230, 460, 290, 400})
	moved := r.frame()
	if moved.x >= near.x || moved.y <= near.y || math.Abs(moved.w-near.w) > near.w/20 {
		r.t.Errorf("two fingers don't move it: it showed %+v, and shows %+v", near, moved)
	}
	r.slides(finger{150, 400, 250, 402})
	aside := r.frame()
	if aside.x >= moved.x {
		r.t.Errorf("a finger doesn't move it aside: it showed %+v, and shows %+v", moved, aside)
	}
	if now := r.scrolled(); now != scrolled {
		r.t.Errorf("the page scrolled meanwhile from %v to %v", scrolled, now)
	}
	r.slides(finger{200, 520, 200, 320})
	if _, err := awaits[bool](r, `(before) => scrollY > before`, scrolled); err != nil {
		r.t.Errorf("a finger that goes up doesn't scroll the page from %v: %v", scrolled, err)
	}
	if now := r.frame(); now != aside {
		r.t.Errorf("a finger that scrolls the page moved the picture from %+v to %+v", aside, now)
	}
	// The page goes on rolling by itself, unless it is told where to be.
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector(".picture-bar").scrollIntoView({ block: "center", behavior: "instant" })`))
	r.fillsTheScreen()
	full := r.frame()
	r.slides(finger{200, 300, 200, 500})
	if now := r.frame(); now.y >= full.y {
		r.t.Errorf("on the full screen a finger doesn't move it: it showed %+v, and shows %+v", full, now)
	}
	r.presses(".picture-bar button:last-child")
	r.sees(".picture-bar button:last-child", "Full screen")
	r.touchable(false)
	r.looksAs(always, viewHeight)
}

// fillsTheScreen presses as a person does: once more where nothing happens. A browser
// takes a press right behind a finger's scroll for the end of it now and then.
func (r *reader) fillsTheScreen() {
	r.t.Helper()
	const full = `new Promise((done) => {
		const end = performance.now() + 2000;
		const look = () => (document.fullscreenElement || performance.now() > end ? done(!!document.fullscreenElement) : setTimeout(look, 50));
		look();
	})`
	for range 5 {
		r.presses(".picture-bar button:last-child")
		if filled, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](full, chromedp.EvalAwaitPromise)); err == nil && filled {
			break
		}
	}
	r.sees(".picture-bar", "Leave full screen")
}

// finger goes from one place of the screen to another.
type finger struct{ x, y, toX, toY float64 }

// slides puts fingers down, moves them and takes them away.
func (r *reader) slides(fingers ...finger) {
	r.t.Helper()
	const steps = 8
	touch := func(kind input.DispatchTouchEventType, points []*input.TouchPoint) {
		if _, err := chromedp.Call(r.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points}); err != nil {
			r.t.Fatal(err)
		}
	}
	at := func(step float64) (points []*input.TouchPoint) {
		for i, f := range fingers {
			points = append(points, &input.TouchPoint{X: f.x + (f.toX-f.x)*step, Y: f.y + (f.toY-f.y)*step, ID: new(float64(i))})
		}
		return points
	}
	touch(input.DispatchTouchEventTypeTouchStart, at(0))
	for step := range steps {
		touch(input.DispatchTouchEventTypeTouchMove, at(float64(step+1)/steps))
	}
	touch(input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{})
	r.does(chromedp.Evaluate[chromedp.Void](`new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)))`, chromedp.EvalAwaitPromise))
}

// touchable has the screen be one that takes fingers, or not.
func (r *reader) touchable(on bool) {
	r.t.Helper()
	_, err := chromedp.Call(r.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: on, MaxTouchPoints: 5})
	if err != nil {
		r.t.Fatal(err)
	}
}

// frame is what of a picture is seen, in its own measure.
type frame struct{ x, y, w, h float64 }

func (r *reader) frame() (f frame) {
	r.t.Helper()
	if _, err := fmt.Sscan(r.look(), &f.x, &f.y, &f.w, &f.h); err != nil {
		r.t.Fatal(err)
	}
	return f
}

func (r *reader) scrolled() float64 {
	r.t.Helper()
	at, err := chromedp.Run(r.ctx, chromedp.Evaluate[float64](`scrollY`))
	if err != nil {
		r.t.Fatal(err)
	}
	return at
}

// cancels a replay that never ends, and begins it again.
func (r *reader) cancels() {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`{
		const real = window.fetch;
		window.fetch = (url, { signal } = {}) => {
			window.fetch = real;
			const text = new TextEncoder().encode('{"position":1200,"tail":4800,"rate":600}\n');
			return Promise.resolve(new Response(new ReadableStream({ start(c) { c.enqueue(text); signal.addEventListener("abort", () => c.error(signal.reason)); } })));
		};
	}`))
	r.presses("#replay .primary")
	r.sees("#report .working", "At position 1,200 of 4,800, 600 a second, about 6 s left")
	r.checks("replay-working")
	r.presses("#report .working button")
	r.sees("#report .empty-box", "Stopped.")
	r.presses("#report .empty-box button")
	r.sees("#report .success", "Identical")
}

// TestReplayPage decides all again, cancels it, shows where a log isn't what is decided, and accepts that.
func TestReplayPage(t *testing.T) {
	r := newReader(t)
	dir := t.TempDir()
	v := startVictim(t, filepath.Join(dir, "data"))
	v.ready()
	r.setsUp(v)
	v.chalie("say", "remind me: dinner at Luigi's in 2 hours")
	v.chalie("say", "what is on my mind?")
	file, other := filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "other")
	v.chalie("export", "--out", file)
	r.does(chromedp.Navigate(v.address + "/replay"))
	r.presses(`[name=what][value=all]`)
	r.presses("#replay .primary")
	r.sees("#report .success", "Identical")
	r.cancels()
	v.stop()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.ReplaceAll(string(text), `"outcome":"responded"`, `"outcome":"held"`)
	edited = regexp.MustCompile(`,"amendments":\d+`).ReplaceAllString(edited, "") // as an older build wrote it
	if err := os.WriteFile(file, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "chalie", "import", file, "--data", other, "--unverified").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := nowadays(t, other) // whose log has the session, too
	r.opens(s, "/replay?what=all")
	r.sees("#report h2", "differently in 2 of 2 traces")
	r.sees("#report", "payload.outcome")
	r.sees("#report section:first-child mark", "held")
	r.sees("#report section:last-child mark", "responded")
	r.checks("replay-divergence")
	r.presses(`#report [data-accepts] button`)
	r.sees("#report h2", "as is known")
	r.sees("#report td:nth-child(3)", "You accepted it on")
	r.checks("replay-known")
	r.pressesAndWaits(`#report td a[href^="/replay"]`)
	r.sees("#report h2", "It is decided differently today")
	r.presses(`form[action="/logout"] button`)
	r.sees("h1", "Log in")
	r.opens(s, "/replay?trace=last")
	r.sees("h1", "Log in")
	r.complaints()
	s.end() // and not stop, which expects that nothing diverges
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}
