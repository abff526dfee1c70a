package main

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// hit is a text that would do something if it were anything but text. Wherever it
// was let in it would say so: see spared.
func hit(where string) string {
	return `</script></style></title><script>window.hit='` + where + `'</script><img src=x onerror="window.hit='` + where +
		`'"><svg onload=window.hit=1><a href="javascript:window.hit=2">"'>` + "\u202e\u2066txet\u200b\u2060\ufeff {{.}} ${1}"
}

// A hit for where there is little room, and one for where all must be visible.
const (
	brief   = visible + "\u202e\u200b"
	visible = "<img src=x onerror=window.hit=3>'\""
)

// steal is another port of this machine, to which a browser would take the session's cookie.
const steal = "http://127.0.0.1:1/steal"

// badBlocks are blocks that try what a block can try.
func badBlocks() []any {
	bad := []string{"javascript:window.hit=4", "data:text/html,<script>window.hit=5</script>", "//far.example/x", "vbscript:x", "\x01javascript:window.hit=6", "/logout", "https://far.example/<script>", steal, "http://localhost:1/steal", "http://[::ffff:7f00:1]:1/steal"}
	blocks := []any{
		nil, 7, "text", []any{}, map[string]any{}, map[string]any{"type": "__proto__"}, map[string]any{"type": nil, "fallback": hit("fallback")},
		map[string]any{"type": "constructor", "fallback": "the end of the blocks"},
		map[string]any{"type": "text", "content": map[string]any{"toString": 1}},
	}
	for _, format := range []string{"plain", "markdown", "html"} {
		blocks = append(blocks, map[string]any{"type": "text", "format": format,
			"content": hit(format) + " [press](javascript:window.hit=7) ![x](data:text/html,x) [y](//far.example) <javascript:window.hit=8> `" + hit("code") + "` [near](" + steal + ") " + steal + "\n# " + brief + "\n- " + brief + "\n> " + brief})
	}
	for _, url := range bad {
		blocks = append(blocks,
			map[string]any{"type": "link", "url": url, "text": brief}, map[string]any{"type": "link", "url": url},
			map[string]any{"type": "image", "url": url, "alt": brief}, map[string]any{"type": "image", "url": url},
			map[string]any{"type": "actions", "buttons": []any{map[string]any{"label": brief, "openUrl": url, "style": brief}, map[string]any{}}})
	}
	long := strings.Repeat("x", 3000)
	inside := []any{map[string]any{"type": "text", "content": long}}
	return append(blocks,
		map[string]any{"type": "header", "content": hit("header"), "level": -5}, map[string]any{"type": "header", "content": long, "level": 99},
		map[string]any{"type": "code", "content": hit("code"), "language": brief},
		map[string]any{"type": "list", "items": []any{hit("item"), long, nil, map[string]any{}}, "style": brief},
		map[string]any{"type": "list", "items": "none"}, map[string]any{"type": "table"},
		map[string]any{"type": "table", "headers": []any{brief, long}, "rows": []any{[]any{hit("cell"), long, 3}, "row"}},
		map[string]any{"type": "keyvalue", "pairs": []any{map[string]any{"key": hit("key"), "value": long}, nil}},
		map[string]any{"type": "carousel", "slides": []any{map[string]any{"blocks": inside}, nil}},
		map[string]any{"type": "columns", "columns": []any{map[string]any{"blocks": inside}, map[string]any{"blocks": inside}}},
		map[string]any{"type": "section", "title": hit("section"), "collapsible": true, "blocks": inside},
		map[string]any{"type": "section", "title": hit("section"), "blocks": inside},
		map[string]any{"type": "tabs", "tabs": []any{map[string]any{"title": hit("tab"), "blocks": inside}, map[string]any{}}}, map[string]any{"type": "tabs"},
		map[string]any{"type": "form", "id": `"] *`, "blocks": []any{
			map[string]any{"type": "input", "name": brief, "inputType": "image", "value": hit("value"), "placeholder": brief}, map[string]any{"type": "input"},
			map[string]any{"type": "select", "name": brief, "options": []any{map[string]any{"value": brief, "label": hit("option")}, nil}}, map[string]any{"type": "select"},
			map[string]any{"type": "toggle", "name": brief, "label": hit("toggle")}, map[string]any{"type": "toggle"}}},
		map[string]any{"type": "badge", "text": hit("badge"), "variant": brief}, map[string]any{"type": "alert", "message": hit("alert"), "variant": "error hidden"},
		map[string]any{"type": "loading", "label": hit("loading")}, map[string]any{"type": "container", "id": `"] *`, "poll": map[string]any{"interval": -1}},
		map[string]any{"type": "card", "html": "<script>window.hit=9</script>"},
	)
}

// objectsFrom is where those begin that are objects at least: any other is refused
// before it comes to a page.
const objectsFrom = 4

// deep are blocks in blocks, so many.
func deep(levels int) string {
	return `{"blocks":[` + strings.Repeat(`{"type":"section","title":"t","blocks":[`, levels) + strings.Repeat(`]}`, levels) + `]}`
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// startHostile is an interface that says hits wherever it says anything.
func startHostile(t *testing.T, v *victim) (p *program, id string) {
	t.Helper()
	p = startProgram(t, "hostile")
	p.on("/capabilities", saying(asJSON(t, []any{map[string]any{
		"name": "count", "description": hit("tool"), "documentation": hit("documentation") + strings.Repeat("x", 3000), "returns": map[string]any{"type": hit("returns")},
		"parameters": []any{map[string]any{"name": brief, "type": "string", "description": hit("parameter")}, map[string]any{"name": "flag", "type": "boolean", "description": brief}},
	}, map[string]any{"name": brief, "description": hit("second"), "parameters": []any{}}})))
	p.on("/", saying(asJSON(t, map[string]any{"blocks": badBlocks()[objectsFrom:]})))
	p.on("/execute", saying(asJSON(t, map[string]any{
		"text": hit("answer"), "data": map[string]any{brief: hit("data")}, "error": nil, "blocks": badBlocks()[objectsFrom:], "openUrl": "https://far.example/<script>",
		"title": hit("title"), "html": hit("card") + `<form action="https://far.example"><button>b</button></form><iframe src="https://far.example"></iframe><meta http-equiv="refresh" content="0;url=https://far.example">` + strings.Repeat("<div>", 5000) + strings.Repeat("x", 3000),
		"css": `</style><script>window.hit=11</script> @import "https://far.example/x.css"; body { background: url(https://far.example/x.png); position: fixed; }`,
	})))
	scope, long := map[string]any{brief: hit("scope")}, strings.Repeat("x", 3000)
	called := func(name string) string {
		return asJSON(t, map[string]any{"name": name, "version": brief + long, "description": hit("description") + long, "author": hit("author"), "port": p.port,
			"scopes": map[string]any{"context": map[string]any{"location": hit("context")}, "signals": scope, "messages": scope}})
	}
	v.wants(http.StatusBadRequest, http.MethodPost, "/register", called(brief+" shop"), "Host: "+local(v.address))
	known := read[struct {
		ID string `json:"interface_id"`
	}](t, v.wants(http.StatusCreated, http.MethodPost, "/register", called(visible+" shop"), "Host: "+local(v.address)))
	approved := map[string]any{"context": map[string]any{}, "signals": map[string]any{brief: true}, "messages": map[string]any{brief: true}}
	v.wants(http.StatusOK, http.MethodPut, "socket:/api/apps/"+known.ID+"/scopes", asJSON(t, map[string]any{"approved_scopes": approved}))
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/apps/"+known.ID+"/refresh", "")
	return p, known.ID
}

// floods fills a log with hits by every way in that there is.
func floods(t *testing.T, v *victim, id string) {
	t.Helper()
	long := strings.Repeat("x", 60_000)
	gateway := "/gw/" + id
	for _, content := range []string{hit("signal"), long, strings.Repeat("\u202eא\u200b ", 2000)} {
		v.wants(http.StatusAccepted, http.MethodPost, gateway+"/signals", asJSON(t, map[string]any{"signal_type": brief, "content": content, "activation_energy": 0.9, "metadata": map[string]any{brief: hit("metadata")}}))
		v.wants(http.StatusAccepted, http.MethodPost, gateway+"/messages", asJSON(t, map[string]any{"text": content, "topic": brief, "metadata": map[string]any{brief: hit("metadata")}}))
		v.wants(http.StatusAccepted, http.MethodPost, "socket:/api/signals", asJSON(t, map[string]any{"signal_type": brief, "source": visible, "content": content, "activation_energy": 1}))
	}
	v.wants(http.StatusCreated, http.MethodPost, "socket:/api/streams", asJSON(t, map[string]any{"url": "ws://127.0.0.1:1/<script>", "source": visible}))
	v.wants(http.StatusBadRequest, http.MethodPost, "socket:/api/tokens", asJSON(t, map[string]any{"name": "hostile", "signals": []string{visible}}))
	v.wants(http.StatusCreated, http.MethodPost, "socket:/api/tokens", asJSON(t, map[string]any{"name": "hostile", "signals": []string{"hostile"}}))
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", asJSON(t, map[string]any{"params": map[string]any{brief: hit("param")}}))
	for _, plan := range []string{hit("plan"), strings.Repeat("x", 3000)} {
		for skill, params := range map[string]any{
			"remind": map[string]any{"what": plan, "when": "in 2 hours"}, "task": map[string]any{"what": plan, "deadline": "tomorrow at 8"}, "remember": map[string]any{"what": plan},
		} {
			v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/"+skill+"/invoke", asJSON(t, map[string]any{"params": params}))
		}
	}
}

// usable fails the test when something that says what is what takes the page over.
func (r *reader) usable(link string) {
	r.t.Helper()
	r.looksAs(phone, viewHeight)
	defer r.looksAs(always, viewHeight)
	const looks = `[...document.querySelectorAll("main :is(h1, h2, h3, q, summary, .name, .badge, .standing, label), .rail, .rooms")]
		.filter((e) => !e.closest(".blocks") && e.checkVisibility() && e.getBoundingClientRect().height > innerHeight / 2)
		.map((e) => e.getBoundingClientRect().height + " px by " + e.outerHTML.slice(0, 200)).join("\n")`
	if large, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](looks)); err != nil || large != "" {
		r.t.Errorf("%s is taken over: %s %v", link, large, err)
	}
}

// leadsToHarm is where blocks lead, and nobody should go.
func leadsToHarm(link string) bool { return strings.HasPrefix(link, "/logout") }

// spared fails the test when a page has anything in it that runs, or leads anywhere
// but to http(s), or to another port of this machine. The only styles in it are measures, which its modules take.
func (r *reader) spared(link string) {
	r.t.Helper()
	const looks = `[window.hit ?? "",
		...[...document.querySelectorAll("script:not([type='application/json']):not([src^='/assets/']), style, base, object, embed, meta[http-equiv]")].map((e) => e.outerHTML),
		...[...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name) || a.name === "srcdoc" || a.name === "style" && !/^(--[a-z]+: [\d.]+(%|px); ?)+$/.test(a.value))).map((e) => e.outerHTML),
		...[...document.querySelectorAll("a, area, form, button, use")].filter((e) => /^(javascript|data|vbscript|blob):/i.test(e.href?.baseVal ?? e.href ?? e.action ?? "")).map((e) => e.outerHTML),
		...[...document.querySelectorAll("a, area, form")].filter((e) => /^https?:..(127\.|localhost|\[::)/.test(e.href ?? e.action) && new URL(e.href ?? e.action).origin !== location.origin).map((e) => e.outerHTML),
		...[...document.querySelectorAll("img, iframe")].filter((e) => new URL(e.src, location.href).origin !== location.origin && !e.src.startsWith("data:image/")).map((e) => e.outerHTML)].join(" ").trim().slice(0, 1000)`
	bad, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](looks))
	if err != nil || bad != "" {
		r.t.Errorf("%s has %s, %v", link, bad, err)
	}
}

// glances is checks on a phone alone.
func (r *reader) glances(name string) {
	r.t.Helper()
	for _, what := range r.findings(name, phone) {
		r.t.Errorf("%s: %s", name, what)
	}
}

// TestHostileContentInPages has an interface, signals, messages, a model and a
// person say things that would do harm if they were anything but text, and goes
// wherever links lead from there: nothing runs, and every page stays usable.
func TestHostileContentInPages(t *testing.T) {
	r := newReader(t)
	model := startMind(t, func(q question) thought {
		switch {
		case q.cycle:
			return thought{text: nothingFound}
		case len(q.results) == 0 && strings.Contains(q.message, "count") && slices.Contains(q.offered, "count"):
			return thought{text: hit("thinking"), calls: []calling{{"count", asJSON(t, map[string]any{brief: hit("called")})}}}
		}
		return thought{text: hit("said") + " [press](javascript:window.hit=12) ![p](https://far.example/p.png) [near](" + steal + ") " + steal + "\n\n" + strings.Repeat("x", 3000)}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), model.flags()...)
	v.ready()
	v.wants(http.StatusCreated, http.MethodPost, "socket:/auth/register", asJSON(t, map[string]any{"username": brief, "password": "longenough1"}))
	v.wants(http.StatusOK, http.MethodPost, "/auth/login", asJSON(t, map[string]any{"username": brief, "password": "longenough1"}), "User-Agent: "+brief)
	p, id := startHostile(t, v)
	floods(t, v, id)
	works := p.answers["/execute"]
	p.on("/execute", saying(asJSON(t, map[string]any{"text": nil, "data": nil, "error": hit("error")})))
	if _, answer, err := v.ask(http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{}}`); err != nil || !strings.Contains(answer, "window.hit") {
		t.Fatalf("a tool that fails is answered %s, %v", answer, err)
	}
	p.on("/execute", works)

	r.logsIn(v.address, brief, "longenough1")
	r.says(`count <img src=x onerror=window.hit=13> `)
	r.presses(".decision .primary") // others' words were shown to the model
	r.sees("#talk", "window.hit='title'")
	v.chalie("tool", "trust", "count", "--requires-approval")
	r.says(`count <img src=x onerror=window.hit=14> `)
	r.sees(".decision", "")
	r.does(chromedp.Navigate(v.address + "/interfaces/" + id))
	r.sees("#page", "the end of the blocks")
	r.glances("hostile-page")
	r.spared("the page of an interface")
	for name, page := range map[string]string{"deep": deep(10_000), "deeper": deep(4_000), "long": asJSON(t, map[string]any{"blocks": []any{map[string]any{"type": "text", "format": "markdown", "content": strings.Repeat("*x", 500_000)}}}),
		"many": `{"blocks":[` + strings.Repeat(`{"type":"text","content":"x"},`, 20_000) + `{}]}`} {
		p.on("/", saying(page))
		r.does(chromedp.Navigate(v.address + "/interfaces/" + id))
		r.sees("h1", "shop")
		r.sees("#page :not(.stage)", "")
		r.glances("hostile-" + name)
	}
	p.on("/", saying(asJSON(t, map[string]any{"blocks": badBlocks()[objectsFrom:]})))

	headers := r.brings()
	checked := map[string]bool{}
	been := crawl(2, func(link string) []string {
		links := r.follows(v, headers, link)
		if links == nil {
			return nil
		}
		if kind := pageOf(link); !checked[kind] {
			checked[kind] = true
			r.glances("hostile" + strings.TrimSuffix(noName.ReplaceAllString(strings.ToLower(kind), "-"), "-"))
		}
		r.spared(link)
		r.usable(link)
		return slices.DeleteFunc(links, leadsToHarm)
	})
	for _, kind := range []string{"/now", "/traces/:id", "/why/:id", "/interfaces/:id", "/account", "/system/log/:id", "/system/approvals", "/what-if?without"} {
		if len(been[kind]) == 0 {
			t.Errorf("no link leads to %s", kind)
		}
	}
	r.complaints()
	v.stop()
}
