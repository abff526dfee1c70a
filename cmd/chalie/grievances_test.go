package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// grievances are what pages may not have: errors of scripts, what their policy
// refused, requests that failed, and requests that go elsewhere.
type grievances struct {
	mu       sync.Mutex
	all      []string
	asked    map[network.RequestID]string // where
	open     map[network.RequestID]bool   // what is being loaded
	forgiven []string
}

// waitsForNews is in what a page asks for that is answered when there is something new.
const waitsForNews = "part=tail"

// reportsPolicy tells in the console what a page's policy refused. It stands in a
// world of its own, so that no page's policy holds for it.
const reportsPolicy = `addEventListener("securitypolicyviolation", (e) => console.error("refused by the policy: " + e.effectiveDirective + " of " + (e.blockedURI || "inline") + " " + e.sample), true)`

func listenTo(t *testing.T, ctx context.Context) *grievances { //nolint:revive // t goes first in tests
	t.Helper()
	g := &grievances{asked: map[network.RequestID]string{}, open: map[network.RequestID]bool{}}
	if err := chromedp.Listen(ctx, func(ev any) {
		if _, ok := ev.(*page.EventJavascriptDialogOpening); ok {
			go accept(ctx)
			return
		}
		g.hear(ev)
	}); err != nil {
		t.Fatal(err)
	}
	now := true
	watch := page.AddScriptToEvaluateOnNewDocumentParams{Source: reportsPolicy, WorldName: "grievances", RunImmediately: &now}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, watch); err != nil {
		t.Fatal(err)
	}
	return g
}

// accept says yes when a page asks whether it was meant, with confirm(). Where the
// page is gone meanwhile nothing is asked any more.
func accept(ctx context.Context) {
	_, _ = chromedp.Call(ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: true})
}

// hear takes what the browser tells, in its order.
func (g *grievances) hear(ev any) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		text := d.Text
		if d.Exception != nil {
			text += " " + d.Exception.Description
		}
		g.add("%s: %s", d.URL, text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, strings.Trim(string(a.Value), `"`)+a.Description)
			}
			g.add("the console has: %s", strings.Join(words, " "))
		}
	case *log.EventEntryAdded:
		// What the network failed at is heard below, with more of it.
		if e.Entry.Source != log.EntrySourceNetwork && (e.Entry.Level == log.EntryLevelError || e.Entry.Source == log.EntrySourceSecurity) {
			g.add("%s: %s", e.Entry.URL, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		g.asked[e.RequestID] = e.Request.URL
		// A document's end isn't always told; that it is there is seen in the page.
		if e.Type != network.ResourceTypeDocument && !strings.Contains(e.Request.URL, waitsForNews) {
			g.open[e.RequestID] = true
		}
		g.leaves(e)
	case *network.EventWebSocketCreated:
		g.asked[e.RequestID] = e.URL
		if !isHere(e.URL) {
			g.add("a socket to another host: %s", e.URL)
		}
	case *network.EventResponseReceived:
		if isBroken(e) {
			g.add("%s was answered %d", e.Response.URL, e.Response.Status)
		}
	case *page.EventFrameNavigated:
		// The end of what the page before was loading isn't always told, either.
		if e.Frame.ParentID == "" {
			clear(g.open)
		}
	case *network.EventLoadingFinished:
		delete(g.open, e.RequestID)
	case *network.EventLoadingFailed:
		delete(g.open, e.RequestID)
		// Who leaves a page gives up what it was loading.
		if !e.Canceled && e.ErrorText != "net::ERR_ABORTED" {
			g.add("%s failed: %s %s", g.asked[e.RequestID], e.ErrorText, e.BlockedReason)
		}
	case *network.EventWebSocketFrameError:
		g.add("%s failed: %s", g.asked[e.RequestID], e.ErrorMessage)
	}
}

func (g *grievances) add(format string, args ...any) {
	g.all = append(g.all, fmt.Sprintf(format, args...))
}

// leaves hears requests to anywhere but the page's own server.
func (g *grievances) leaves(e *network.EventRequestWillBeSent) {
	to, err := url.Parse(e.Request.URL)
	if err != nil || to.Scheme == "data" || to.Scheme == "blob" || to.Scheme == "about" {
		return
	}
	from, err := url.Parse(e.DocumentURL)
	if err != nil || !isHere(e.Request.URL) || e.Type != network.ResourceTypeDocument && to.Host != from.Host {
		g.add("a request to another host: %s", e.Request.URL)
	}
}

// isHere reports whether a host is this machine.
func isHere(place string) bool {
	to, err := url.Parse(place)
	if err != nil {
		return false
	}
	ip := net.ParseIP(to.Hostname())
	return to.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// isBroken reports whether an answer is one that no page may cause: a piece of it
// that isn't there, or a call that goes wrong inside. What is refused is shown by
// the page, and so is what an interface fails at; a page that says so is itself
// answered with a status.
func isBroken(e *network.EventResponseReceived) bool {
	status := e.Response.Status
	switch e.Type {
	case network.ResourceTypeDocument:
		return status >= http.StatusInternalServerError
	case network.ResourceTypeFetch, network.ResourceTypeXHR:
		return status == http.StatusNotFound || status >= http.StatusInternalServerError && status != http.StatusBadGateway && status != http.StatusGatewayTimeout
	default:
		return status >= http.StatusBadRequest
	}
}

// take is what there is to complain of since it was asked last.
func (g *grievances) take() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := slices.DeleteFunc(g.all, func(what string) bool {
		return slices.ContainsFunc(g.forgiven, func(some string) bool { return strings.Contains(what, some) })
	})
	g.all = nil
	return all
}

// known is what there is to complain of so far.
func (g *grievances) known() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.all)
}

// quiet reports whether nothing is being loaded.
func (g *grievances) quiet() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.open) == 0
}

// complaints fails the test for all that was heard since it was asked last.
func (r *reader) complaints() {
	r.t.Helper()
	// What the page did before it answers this is heard before the answer.
	r.does(chromedp.Evaluate[chromedp.Void](`undefined`))
	for _, what := range r.heard.take() {
		r.t.Errorf("the page complains: %s", what)
	}
}

// forgives what this walk means to happen: every complaint with these words in it.
// Of what was heard before, too.
func (r *reader) forgives(words string) {
	r.heard.mu.Lock()
	defer r.heard.mu.Unlock()
	r.heard.forgiven = append(r.heard.forgiven, words)
}
