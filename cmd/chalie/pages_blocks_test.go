package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// inPage runs a function of the page's modules and returns the text it gives.
func (r *reader) inPage(script string, args ...any) string {
	r.t.Helper()
	given, err := json.Marshal(append([]any{}, args...))
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := chromedp.Run(r.ctx, chromedp.Evaluate[string]("("+script+")(..."+string(given)+")", chromedp.EvalAwaitPromise))
	if err != nil {
		r.t.Fatalf("%s: %v", script, err)
	}
	return text
}

// TestMarkdownInTheConversation holds what is written in Markdown against the elements
// it becomes.
func TestMarkdownInTheConversation(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.startsTalking(v)
	const render = `async (source) => {
		const box = (await import("/assets/markdown.js")).markdown(source);
		for (const e of box.querySelectorAll("*")) for (const name of ["dir", "tabindex", "role", "aria-label", "rel", "target", "title", "class", "type", "scope"]) e.removeAttribute(name);
		return box.innerHTML;
	}`
	for _, c := range []struct{ name, source, want string }{
		{"paragraphs", "one\ntwo\n\nthree", "<p>one<br>two</p><p>three</p>"},
		{"emphasis", "a *b* **c _d_** ~~e~~ f_g_h 2*3*4", "<p>a <em>b</em> <strong>c <em>d</em></strong> <del>e</del> f_g_h 2<em>3</em>4</p>"},
		{"what never closes", "a *b and **c and `d and [e](f", "<p>a *b and **c and `d and [e](f</p>"},
		{"escapes", `\*a\* \[b\]`, "<p>*a* [b]</p>"},
		{"code", "a `b *c*` ``d ` e``", "<p>a <code>b *c*</code> <code>d ` e</code></p>"},
		{"headings", "# One #\n### Three", "<h2>One</h2><h4>Three</h4>"},
		{"lists", "- a\n  - b\n    1. c\n- d\n\n1. e\n2. f", "<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul><ol><li>e</li><li>f</li></ol>"},
		{"items of several paragraphs", "3. a\n\n   b\n4. c", `<ol start="3"><li>a<p>b</p></li><li>c</li></ol>`},
		{"tasks", "- [ ] a\n- [x] b", "<ul><li>☐ a</li><li>☑ b</li></ul>"},
		{"a year is no list", "It was in\n1986. A good year.", "<p>It was in<br>1986. A good year.</p>"},
		{"quotes", "> a\n> > b\n>\n> - c\n\nd", "<blockquote><p>a</p><blockquote><p>b</p></blockquote><ul><li>c</li></ul></blockquote><p>d</p>"},
		{"rules", "a\n\n---\n***", "<p>a</p><hr><hr>"},
		{"tables", "| a | b |\n|---|--:|\n| *c* | 1\\|2 |\n| d |", "<div><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td><em>c</em></td><td>1|2</td></tr><tr><td>d</td><td></td></tr></tbody></table></div>"},
		{"links", "[a *b*](https://x.example/(y) \"t\") <https://z.example> https://w.example/q. [c](/now)",
			`<p><a href="https://x.example/(y)">a <em>b</em></a> <a href="https://z.example/">https://z.example</a> <a href="https://w.example/q">https://w.example/q</a>. <a href="/now">c</a></p>`},
		{"pictures are links", "![a cat](https://x.example/cat.png)", `<p><a href="https://x.example/cat.png">a cat</a></p>`},
		{"bad addresses", "[a](javascript:alert(1)) [b](//evil.example) [c](data:text/html,x) <javascript:alert(1)>",
			"<p><span>a</span> <span>b</span> <span>c</span> &lt;javascript:alert(1)&gt;</p>"},
		{"HTML", "<img src=x onerror=alert(1)> <script>alert(2)</script>", "<p>&lt;img src=x onerror=alert(1)&gt; &lt;script&gt;alert(2)&lt;/script&gt;</p>"},
	} {
		if got := r.inPage(render, c.source); got != c.want {
			t.Errorf("%s: %q becomes\n%s, want\n%s", c.name, c.source, got, c.want)
		}
	}
	if got := r.inPage(render, "```go\nfunc a() {}\n\n```\nb"); !strings.Contains(got, "<code>func a() {}\n</code>") || !strings.HasSuffix(got, "<p>b</p>") || !strings.Contains(got, "go") {
		t.Errorf("code becomes %s", got)
	}
	// Whatever is written, each character is looked for a few times at most, and it never
	// becomes deeper than a page bears.
	const quick = `async (piece, times) => {
		const { markdown } = await import("/assets/markdown.js");
		const { indexOf } = String.prototype, { exec } = RegExp.prototype;
		let looked = 0;
		String.prototype.indexOf = function (what, from = 0) {
			const found = indexOf.call(this, what, from);
			looked += Math.max(0, (found < 0 ? this.length : found) - from);
			return found;
		};
		RegExp.prototype.exec = function (text) {
			const from = this.global ? this.lastIndex : 0;
			const found = exec.call(this, text);
			if (this.global) looked += (found?.index ?? text.length) - from;
			return found;
		};
		const source = piece.repeat(times);
		const box = markdown(source);
		Object.assign(String.prototype, { indexOf });
		Object.assign(RegExp.prototype, { exec });
		let deepest = 0;
		for (const e of box.querySelectorAll("*")) {
			let depth = 0;
			for (let at = e; at !== box; at = at.parentElement) depth++;
			deepest = Math.max(deepest, depth);
		}
		return deepest > 40 || looked > 30 * source.length ? deepest + " deep, " + looked / source.length + " looks at a character" : "";
	}`
	for _, piece := range []string{"[", "*a ", "**", "`a``", "> ", "- ", "_a", "](", "![", "https://", "<http://a", "|a", "1. ", "\\", "*a **b ", "~~a "} {
		if bad := r.inPage(quick, piece, 65536/len(piece)); bad != "" {
			t.Errorf("%q, again and again: %s", piece, bad)
		}
	}
	r.complaints()
	v.stop()
}

// hostileBlocks are what an interface must not get away with in the conversation.
func hostileBlocks() string {
	nested := strings.Repeat(`{"type":"section","title":"deeper","blocks":[`, 1000) + strings.Repeat(`]}`, 1000)
	rows := strings.Repeat(`["a","b"],`, 20000) + `["a","b"]`
	return strings.TrimSuffix(hostilePage, "]}") + `,
		{"type":"text","format":"plain","content":"> quoted\n> lines\nand mine"},
		{"type":"code","content":"</code></pre><script>window.hit=7</script>","language":"\"><img src=x onerror=window.hit=8>"},
		{"type":"table","headers":["<b>x</b>"],"rows":[` + rows + `]},
		{"type":"text","format":"plain","content":"שלום עולם"},
		{"type":"actions","buttons":[{"label":"go","payload":{"skill":"x"},"openUrl":"javascript:window.hit=9"}]},
		{"type":"tabs","tabs":[{"label":"<i>a</i>","blocks":[{"type":"badge","text":"b","variant":"error\" onclick=\"window.hit=10"}]}]},
		{"type":"__proto__","fallback":"no type"}, null, 7, [], "text",
		{"type":"image","url":"/logout","alt":"a picture of this site"},
		` + nested + `]}`
}

// TestHostileBlocks shows what is hostile harmlessly, whoever sends it.
func TestHostileBlocks(t *testing.T) {
	r := newReader(t)
	mind := startMind(t, func(q question) thought {
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{text: "<script>window.hit=11</script> [x](javascript:window.hit=12) \u202ertl ![y](https://evil.example/pixel.png)"}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), mind.flags()...)
	v.ready()
	r.startsTalking(v)
	r.says(`<img src=x onerror="window.hit=13">`)
	r.sees(".said", "<img src=x onerror")
	r.sees(".answer", "<script>window.hit=11</script>")

	const show = `async (page) => {
		const { render } = await import("/assets/blocks.js");
		const box = render(page.blocks, { act() {} });
		document.querySelector(".answer").append(box);
		for (const b of box.querySelectorAll("button")) b.click();
		await new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)));
		let deepest = 0;
		for (const e of box.querySelectorAll("*")) {
			let depth = 0;
			for (let at = e; at !== box; at = at.parentElement) depth++;
			deepest = Math.max(deepest, depth);
		}
		return JSON.stringify({
			hit: window.hit ?? "", deep: deepest > 60 ? deepest : 0, rows: box.querySelectorAll("tr").length > 2100,
			loads: [...box.querySelectorAll("img, script, iframe, object, embed, style, link, [onerror], [onclick], [style]")].map((e) => e.outerHTML),
			leads: [...document.querySelectorAll(".exchange a")].map((a) => a.href).filter((h) => !h.startsWith(location.origin + "/why") && !h.startsWith(location.origin + "/traces")),
			quote: box.querySelector("blockquote")?.innerText, proto: {}.fallback ?? "",
		});
	}`
	var page any
	if err := json.Unmarshal([]byte(hostileBlocks()), &page); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Hit   any
		Deep  int
		Rows  bool
		Loads []string
		Leads []string
		Quote string
		Proto string
	}
	if err := json.Unmarshal([]byte(r.inPage(show, page)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Hit != "" || got.Deep > 0 || got.Rows || len(got.Loads) > 0 || got.Proto != "" || got.Quote != "quoted\nlines" {
		t.Errorf("the page has %+v", got)
	}
	for _, to := range got.Leads {
		if !strings.HasPrefix(to, "https://evil.example/") && !strings.HasSuffix(to, "/logout") {
			t.Errorf("a link leads to %q", to)
		}
	}
	r.sees(".answer", "more than can be shown.")
	r.checks("chat-hostile")
	v.stop()
}
