package main

import (
	"context"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// chromium is the one browser that the tests share: each has a context of its own in
// it, with cookies and storage of its own. The first who needs it starts it, and it
// ends when all tests have.
type chromium struct {
	once sync.Once
	ctx  context.Context // of the browser
	err  error
}

var shared chromium

// tests are all tests, and what they share ends after them.
type tests struct{ *testing.M }

// Run implements testscript.TestingM.
func (m tests) Run() int {
	defer shared.end()
	return m.M.Run()
}

func (c *chromium) start(path string, more ...chromedp.ExecAllocatorOption) {
	options := append(append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		// Without the browser's own buttons, which every window would load beforehand.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,PreloadTopChromeWebUI"),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Nothing is asked of anything beyond this machine, not even for an address.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost")), more...)
	ctx, _ := chromedp.NewExecAllocator(context.Background(), options...) // end ends it
	c.ctx, _ = chromedp.NewContext(ctx)
	c.err = chromedp.Do(c.ctx)
}

func (c *chromium) end() {
	if c.ctx != nil {
		_ = chromedp.Cancel(c.ctx) // which waits, and there is nobody left to tell
	}
}

// browser is a tab in a context of its own, for as long as the test runs and within at
// most.
func browser(t *testing.T, within time.Duration) context.Context {
	t.Helper()
	path := chromiumPath(t)
	shared.once.Do(func() { shared.start(path) })
	return shared.tab(t, within)
}

// chromiumPath is the browser's program. Without one the test is skipped.
func chromiumPath(t *testing.T) (path string) {
	t.Helper()
	// The first draws pages and nothing around them, in half the time.
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		without(t, "Chromium", "none of its names is on the PATH")
	}
	return path
}

// tab is one in a context of its own.
func (c *chromium) tab(t *testing.T, within time.Duration) context.Context {
	t.Helper()
	if c.err != nil {
		t.Fatal(c.err)
	}
	ctx, stop := context.WithTimeout(c.ctx, within)
	t.Cleanup(stop)
	ctx, _ = chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // the next test begins when it is gone
	return ctx
}
