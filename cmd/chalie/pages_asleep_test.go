package main

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// asleep are the controls that wait for a module which never wakes them.
func (r *reader) asleep() (found []string) {
	r.t.Helper()
	found, err := chromedp.Run(r.ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll("[data-waits]")].map((e) => e.textContent.trim() + " waits for " + e.dataset.waits + ", which doesn't wake it")`))
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

// beforeModules does something on a page whose modules haven't run.
func (r *reader) beforeModules(steps ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	for _, off := range []bool{true, false} {
		if _, err := chromedp.Call(r.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: off}); err != nil {
			r.t.Fatal(err)
		}
		if off {
			r.does(steps...)
		}
	}
}
