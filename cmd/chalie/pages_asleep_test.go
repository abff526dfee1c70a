package main

import (
	"github.com/chromedp/cdproto/network"
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

// beforeModules does something on a page whose modules haven't run, but for the one that
// opens it.
func (r *reader) beforeModules(steps ...chromedp.Action[chromedp.Void]) {
	r.t.Helper()
	const scripts = "http://*:*/assets/"
	late := []*network.BlockPattern{{URLPattern: scripts + "opening.js"}, {URLPattern: scripts + "key.js"}, {URLPattern: scripts + "zone.js"}, {URLPattern: scripts + "*.js", Block: true}}
	r.forgives(".js failed")
	for _, blocked := range [][]*network.BlockPattern{late, {}} {
		if _, err := chromedp.Call(r.ctx, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: blocked}); err != nil {
			r.t.Fatal(err)
		}
		if len(blocked) > 0 {
			r.does(steps...)
		}
	}
}
