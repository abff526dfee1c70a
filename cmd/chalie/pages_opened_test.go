package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
)

// A page is opened by its key, in the place of a document that tells nothing. It is used
// like any other: one comes back to it, in this tab and in others, and saves what it
// offers.
func TestOpenedPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	for n := range 70 {
		v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/signals", fmt.Sprintf(`{"signal_type":"news","content":"number %d","activation_energy":0.1}`, n))
	}
	r.does(chromedp.Navigate(v.address + "/system/log?type=signal.received"))
	r.sees("#entries li:first-child", "number 69")
	r.pressesAndWaits("a[rel=next]")
	r.sees("#entries li:first-child", "number 19")
	r.does(chromedp.Evaluate[chromedp.Void](`scrollTo(0, 300); undefined`))
	r.presses("#entries li:nth-child(9) summary")
	r.sees("#entries li:nth-child(9) .opened", "number 11") // what is pressed next moves until then
	r.pressesAndWaits("#entries li:nth-child(9) .opened a[href^='/system/log/']")
	r.sees(".prose", "number 11")
	r.goes(`history.back()`)
	r.sees("#entries li:first-child", "number 19")
	if y := r.scrolled(); y < 200 {
		t.Errorf("back at the list one stands at %v and not where one was", y)
	}
	r.goes(`history.back()`)
	r.sees("#entries li:first-child", "number 69")
	r.goes(`history.forward()`)
	r.sees("#entries li:first-child", "number 19")
	r.does(chromedp.Reload())
	r.sees("#entries li:first-child", "number 19")

	r.does(chromedp.Navigate(v.address + "/system/log"))
	r.sees("#entries", "number 69")
	file := r.saves("a[download]")
	if lines := bytes.Count(file, []byte("\n")); lines < 70 || !bytes.Contains(file, []byte("number 42")) {
		t.Errorf("%d lines are saved: %.300s", lines, file)
	}

	other := r.another(v.address + "/system/log?type=operator.registered")
	other.sees("#entries li:first-child", "ada")
	other.presses(".rail a[href='/now']")
	other.sees("h1", "Now")
	r.complaints()
	v.stop()
}

// goes is a way to another page, which it waits for.
func (r *reader) goes(way string) {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`document.body.classList.add("before-it-was-pressed"); setTimeout(() => ` + way + `); undefined`))
	r.sees("body:not(.before-it-was-pressed)", "")
}

// saves presses what saves a file, and returns what is in it.
func (r *reader) saves(selector string) []byte {
	r.t.Helper()
	folder, events := r.t.TempDir(), true
	ended := make(chan *cdpbrowser.EventDownloadProgress, 1)
	if err := chromedp.ListenBrowser(r.ctx, func(ev any) {
		if ev, ok := ev.(*cdpbrowser.EventDownloadProgress); ok && ev.State != cdpbrowser.DownloadProgressStateInProgress {
			select {
			case ended <- ev:
			default:
			}
		}
	}); err != nil {
		r.t.Fatal(err)
	}
	if _, err := chromedp.CallBrowser(r.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: folder, EventsEnabled: &events,
		BrowserContextID: chromedp.FromContext(r.ctx).BrowserContextID,
	}); err != nil {
		r.t.Fatal(err)
	}
	r.presses(selector)
	select {
	case ev := <-ended:
		text, err := os.ReadFile(filepath.Join(folder, ev.GUID))
		if err != nil || ev.State != cdpbrowser.DownloadProgressStateCompleted {
			r.t.Fatalf("it ends %s: %v", ev.State, err)
		}
		return text
	case <-r.ctx.Done():
		r.t.Fatalf("nothing is saved; %s", r.shown())
		return nil
	}
}
