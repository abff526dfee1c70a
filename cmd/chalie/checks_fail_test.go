package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// badPage has one of each thing that no page may have.
const badPage = `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Bad</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/bad.css"><script type="module" src="/bad.js"></script></head><body>
<main><h1>Bad</h1>
<p style="color: red">An inline style</p>
<img src="http://far.example/pixel.png" alt="">
<img src="/missing.png" alt="">
<input name="nameless">
<button type="button" disabled data-waits="nobody">Lost</button>
<pre>A line that is far too long for a phone, which nobody told to scroll or to break it, so it goes on</pre>
<p class="in-the-dark">Words that are hard to read in the dark</p>
<div class="on-a-phone"><button>a</button><button>b</button></div>
<script>window.hit = 1</script>
</main></body></html>`

const badStyle = `body { background: white; color: black; }
@media (prefers-color-scheme: dark) { body { background: black; color: white; } .in-the-dark { color: #333; } }
.on-a-phone button { width: 40px; height: 40px; padding: 0; font-size: 8px; }
@media (max-width: 500px) { .on-a-phone button { width: 10px; height: 10px; } }
`

const badModule = `console.error("a bad", { thing: 1 });
fetch("/wrong");
fetch("/refused");
fetch("/absent");
setTimeout(() => { throw new Error("nobody caught it"); });
Promise.reject(new Error("nobody waited for it"));
new WebSocket("ws://far.example/");
`

// TestChecksFail has the checks look at a page that is bad in every way they know.
func TestChecksFail(t *testing.T) {
	r := newReader(t)
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/bad":
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src *; img-src * data:")
			_, _ = io.WriteString(w, badPage)
		case "/bad.css":
			w.Header().Set("Content-Type", "text/css")
			_, _ = io.WriteString(w, badStyle)
		case "/bad.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, badModule)
		case "/good":
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Good</title><link rel="icon" href="data:,"></head><body><main><h1>Good</h1></main></body></html>`)
		case "/wrong":
			http.Error(w, "", http.StatusInternalServerError)
		case "/refused":
			http.Error(w, "", http.StatusConflict)
		default:
			http.NotFound(w, q)
		}
	}))
	defer served.Close()

	r.does(chromedp.Navigate(served.URL + "/good"))
	if found := r.findings("good", views...); len(found) != 0 {
		t.Errorf("the good page has %q", found)
	}
	r.does(chromedp.Navigate(served.URL + "/bad"))
	r.awaitsGrievance("ws://far.example/ failed")
	found := strings.Join(r.findings("bad", views...), "\n")
	want := []string{
		"Lost waits for nobody, which doesn't wake it",
		"at 390-light it is wider than the screen", "the console has: a bad Object",
		"refused by the policy: style-src-attr of inline", "refused by the policy: script-src-elem of inline", "Executing inline script violates",
		"nobody caught it", "nobody waited for it",
		"request to another host: http://far.example/pixel.png", "socket to another host: ws://far.example/", "far.example/pixel.png failed",
		"/missing.png was answered 404", "/wrong was answered 500", "/absent was answered 404",
	}
	if r.axe() != "" {
		want = append(want, "at 1280-light: axe-core finds critical label: ", "at 1280-dark: axe-core finds serious color-contrast: ", "at 390-light: axe-core finds serious target-size: ")
	}
	for _, what := range want {
		if !strings.Contains(found, what) {
			t.Errorf("nobody complained of %q", what)
		}
	}
	if strings.Contains(found, "/refused") {
		t.Error("a refusal is complained of")
	}
	if t.Failed() {
		t.Logf("complained of was\n%s", found)
	}
	if again := r.heard.take(); len(again) != 0 {
		t.Errorf("it complains again of %q", again)
	}
	r.forgives("far.example")
	r.does(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`new Promise((later) => { const i = new Image(); i.onerror = later; i.src = %q })`, "http://far.example/again.png"), chromedp.EvalAwaitPromise))
	r.complaints()
}

// awaitsGrievance waits until something was complained of.
func (r *reader) awaitsGrievance(words string) {
	r.t.Helper()
	for {
		known := strings.Join(r.heard.known(), "\n")
		if strings.Contains(known, words) {
			return
		}
		if r.ctx.Err() != nil {
			r.t.Fatalf("nobody complained of %q, but of\n%s", words, known)
		}
		r.does(chromedp.Evaluate[chromedp.Void](`new Promise((later) => setTimeout(later, 20))`, chromedp.EvalAwaitPromise))
	}
}
