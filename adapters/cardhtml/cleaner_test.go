package cardhtml_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"chalie/adapters/cardhtml"
)

const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// inside is what a card without CSS is wrapped in.
func inside(content string) string {
	if content == "" {
		return ""
	}
	return `<div class="card-plain">` + content + `</div>`
}

func TestWhatACardIsForStays(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"text", "two & three < four", "two &amp; three &lt; four"},
		{"layout", `<div class="row wide"><p style="color: Red; margin: 4px">hi <strong>you</strong><br></p></div>`,
			`<div class="c-row c-wide"><p style="color:red;margin:4px">hi <strong>you</strong><br></p></div>`},
		{"a table", `<table><caption>c</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>`,
			`<table><caption>c</caption><thead><tr><th scope="col">a</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>`},
		{"a table without groups", `<table><tr><td>1<td>2<tr><td>3</table>`,
			`<table><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody></table>`},
		{"a list", `<ul><li>1<li>2<ol start="3"><li>x</ol></ul>`, `<ul><li>1</li><li>2<ol start="3"><li>x</li></ol></li></ul>`},
		{"definitions", `<dl><dt>a<dd>b<dt>c</dl>`, `<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>`},
		{"a link", `<a href="https://a.example/b?c=d&amp;e=f" onclick="x()" title="t">go</a>`,
			`<a href="https://a.example/b?c=d&amp;e=f" title="t" rel="nofollow noopener noreferrer" target="_blank">go</a>`},
		{"an image of its own", `<img src="` + pixel + `" alt="a dot" width="10">`, `<img src="` + pixel + `" alt="a dot" width="10">`},
		{"other scripts", `<p lang="el" dir="ltr">Καλημέρα 🌦</p>`, `<p lang="el" dir="ltr">Καλημέρα 🌦</p>`},
	} {
		got, css, scope := cardhtml.New().Clean(c.html, "")
		if got != inside(c.want) || css != "" || scope != "card-plain" {
			t.Errorf("%s: became %s with %q %q, want %s", c.name, got, css, scope, inside(c.want))
		}
	}
}

func TestWhatACardMustNotHaveGoes(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"nothing", "", ""},
		{"only space", " \n\t", ""},
		{"only tags", "<div><p></p></div>", ""},
		{"a script", "a<script>alert(1)</script>b", "ab"},
		{"a script in capitals", "a<ScRiPt src=//x>alert(1)</sCrIpT >b", "ab"},
		{"a script that isn't ended", "a<script>alert(1)", "a"},
		{"a script in pieces", "a<scr<script>ipt>alert(1)</scr</script>ipt>b", "aipt&gt;alert(1)ipt&gt;b"},
		{"a comment", "a<!-- <script>alert(1)</script> -->b", "ab"},
		{"a conditional comment", "a<!--[if IE]><script>alert(1)</script><![endif]-->b", "ab"},
		{"a handler", `<p onclick="alert(1)" ONMOUSEOVER=alert(1)>a</p>`, "<p>a</p>"},
		{"a handler behind a slash", `<img/src="` + pixel + `"/onerror=alert(1)>`, `<img src="` + pixel + `">`},
		{"an image that loads", `a<img src="https://evil.example/x.png">`, "a"},
		{"an image without a scheme", `a<img src="//evil.example/x.png"><img src="/x.png">`, "a"},
		{"an image that is SVG", `a<img src="data:image/svg+xml;base64,PHN2Zz4=">`, "a"},
		{"an image that is a page", `a<img src="data:text/html,x">`, "a"},
		{"a set of images", `<img src="` + pixel + `" srcset="https://evil.example/x 2x">`, `<img src="` + pixel + `">`},
		{"javascript:", `<a href="javascript:alert(1)">a</a>`, "<a>a</a>"},
		{"javascript: in disguise", `<a href=" java&#10;script&colon;alert(1)">a</a><a href="&#106;avascript:x">b</a><a href="JaVaScRiPt:x">c</a>`, "<a>a</a><a>b</a><a>c</a>"},
		{"other schemes", `<a href="data:text/html,x">a</a><a href="` + pixel + `">b</a><a href="vbscript:x">c</a><a href="http://x.example">d</a><a href="file:///etc/passwd">e</a>`,
			"<a>a</a><a>b</a><a>c</a><a>d</a><a>e</a>"},
		{"relative links", `<a href="/api/logout">a</a><a href="//evil.example">b</a><a href="https:evil">c</a><a href="?x">d</a>`, "<a>a</a><a>b</a><a>c</a><a>d</a>"},
		{"a rel of its own", `<a href="https://a.example/" rel="opener" target="_top">a</a>`, `<a href="https://a.example/" rel="nofollow noopener noreferrer" target="_blank">a</a>`},
		{"a form", `<form action="https://evil.example"><input name="password"><button>go</button><textarea>x</textarea></form>a`, "goa"},
		{"a frame", `<iframe src="https://evil.example">x</iframe><object data="x">y</object><embed src="x">a`, "a"},
		{"SVG", `<svg><a xlink:href="javascript:x"><text>y</text></a><script>z</script></svg>a`, "a"},
		{"MathML", `<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>a`, "a"},
		{"a base", `<base href="https://evil.example/"><link rel="stylesheet" href="x"><meta http-equiv="refresh" content="0;url=x">a`, "a"},
		{"a style that loads", `<p style="background: url(https://evil.example/x); color: red">a</p>`, `<p style="color:red">a</p>`},
		{"styles in disguise", `<p style="background:u\72l(x);color:expression(alert(1));width:calc(1px*-9);-moz-binding:x;behavior:url(x);--a:url(x);color:var(--a);font-family:'x'">a</p>`, "<p>a</p>"},
		{"a style that leaves its place", `<p style="position:fixed;top:0;z-index:9;margin-left:-90px;transform:scale(9);padding:3px">a</p>`, `<p style="padding:3px">a</p>`},
		{"a style element", `<style>@import 'https://evil.example'</style>a`, "a"},
		{"ids and names", `<p id="csrf" name="cookie" is="x" slot="y" data-x="z">a</p>`, "<p>a</p>"},
		{"the classes of the page", `<p class="fixed inset-0 a&quot;b">a</p>`, `<p class="c-fixed c-inset-0">a</p>`},
		{"an end that isn't its own", `</div></div><p>a</p></body></html>`, "<p>a</p>"},
		{"what isn't ended", `<div><b>a`, "<div><b>a</b></div>"},
		{"crossed", `<b><i>a</b>b</i>`, "<b><i>a</i></b>b"},
		{"blocks in a paragraph", `<p>a<div>b</div>c</p>`, "<p>a</p><div>b</div>c"},
		{"a link in a link", `<a href="https://a.example/">a<a href="https://b.example/">b</a></a>`,
			`<a href="https://a.example/" rel="nofollow noopener noreferrer" target="_blank">a</a><a href="https://b.example/" rel="nofollow noopener noreferrer" target="_blank">b</a>`},
		{"text in a table", `<table>x<tr>y<td>z</td></tr><b>w</b></table>`, "<table><tbody><tr><td>z</td></tr></tbody></table>"},
		{"cells without a table", `<tr><td>a</td></tr><li>b</li><caption>c</caption>`, "abc"},
		{"a huge cell", `<table><tr><td colspan="1000000" rowspan="-1">a</td></tr></table>`, "<table><tbody><tr><td>a</td></tr></tbody></table>"},
		{"a template", `<template><script>x</script></template>a<noscript><p title="</noscript><img src=x onerror=alert(1)>">b</noscript>`, "a&#34;&gt;b"},
		{"noscript that ends in an attribute", `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, "&#34;&gt;"},
		{"listing and plaintext", `a<listing>&lt;img onerror=alert(1)&gt;</listing>b<plaintext><script>x`, "a&lt;img onerror=alert(1)&gt;b"},
		{"a foreign name", `<foreignObject>a</foreignObject><x-y>b</x-y>`, "ab"},
		{"attributes that end early", `<p title="a&quot; onclick=&quot;alert(1)">b</p>`, `<p title="a&#34; onclick=&#34;alert(1)">b</p>`},
		{"a null", "<p>a\x00b</p><scr\x00ipt>c</scr\x00ipt>", "<p>ab</p>c"},
		{"too much of it", strings.Repeat("a", cardhtml.MaxHTML+1), ""},
	} {
		if got, _, _ := cardhtml.New().Clean(c.html, ""); got != inside(c.want) {
			t.Errorf("%s: became %s, want %s", c.name, got, inside(c.want))
		}
	}
}

// mutants are texts that became something else when a browser read what a cleaner
// wrote.
var mutants = []string{
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
	`<svg><p><style><g title="</style><img src=x onerror=alert(1)>">`,
	`<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>`,
	`<svg><desc><noscript>&lt;/noscript>&lt;img src=x onerror=alert(1)></noscript></desc></svg>`,
	`<table><td><form><table></form><svg onload=alert(1)></table>`,
	`<p title="&lt;/p&gt;&lt;script&gt;x">a</p>`, "<img alt=\"`><script>x</script>\" src=" + pixel + ">",
	`<a href="https://x.example/"><table><a href="https://y.example/"><tr><td>a`, `<b><p><b><p><b><p>x`, `<h1><h2><h3>a</h1></h2></h3>`,
	`<table><caption><table><caption>a`, `<ul><li><table><tr><td><li>a</ul>`, "<p>a\x00b</p><scr\x00ipt>c</scr\x00ipt>", `<p><table><p>a</table></p>`,
	`<dl><dt><p><dd>a</dl>`, `<td><th>a`, `<figcaption>a</figcaption><figure><figcaption>b</figure>`, `<i><div></i>a</div>`, `<pre>` + "\n\n" + `a</pre>`, `<a><div><a>x`, `<p><b><i>a</p><p>b</p>`,
}

// check holds what was cleaned to what a browser makes of it: exactly the tags
// that stand there, all of them known and none with a way to run or to load.
func check(t *testing.T, from, clean string) {
	t.Helper()
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(clean), context)
	if err != nil {
		t.Fatalf("%q became %q: %v", from, clean, err)
	}
	var read strings.Builder
	for _, n := range nodes {
		inspect(t, from, n)
		if err := html.Render(&read, n); err != nil {
			t.Fatal(err)
		}
	}
	canon := strings.NewReplacer("<br/>", "<br>", "<hr/>", "<hr>", "/>", ">")
	if got := canon.Replace(read.String()); got != clean && !strings.Contains(clean, "<pre>") {
		t.Fatalf("%q became\n%q, which a browser reads as\n%q", from, clean, got)
	}
}

// has reports whether a word is in a list with a space around each.
func has(list, word string) bool { return strings.Contains(list, " "+word+" ") }

func inspect(t *testing.T, from string, n *html.Node) {
	t.Helper()
	if n.Type == html.ElementNode {
		if n.Namespace != "" || !has(" div section article header footer aside p blockquote pre figure figcaption hr br h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th span strong b em i u s small sub sup mark code kbd samp q cite abbr time a img ", n.Data) {
			t.Fatalf("%q keeps <%s>", from, n.Data)
		}
		for _, a := range n.Attr {
			ok := has(" class style title lang dir alt width height datetime span colspan rowspan scope start rel target ", a.Key) ||
				a.Key == "href" && strings.HasPrefix(strings.ToLower(a.Val), "https://") || a.Key == "src" && strings.HasPrefix(a.Val, "data:image/")
			if !ok || a.Key == "style" && strings.ContainsAny(a.Val, "\\@<'\"") || strings.Contains(a.Val, "url(") && a.Key == "style" {
				t.Fatalf("%q keeps %s=%q", from, a.Key, a.Val)
			}
		}
	}
	for c := range n.ChildNodes() {
		inspect(t, from, c)
	}
}

func TestABrowserReadsWhatWasWritten(t *testing.T) {
	for _, text := range mutants {
		clean, _, _ := cardhtml.New().Clean(text, "")
		check(t, text, clean)
	}
}

func TestTheSameCardIsCleanedTheSame(t *testing.T) {
	c := cardhtml.New()
	for _, text := range mutants {
		once, _, _ := c.Clean(text, "")
		again, _, _ := c.Clean(text, "")
		if once != again {
			t.Errorf("%q is cleaned in two ways", text)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range mutants {
		f.Add(text, ".a{color:red}")
	}
	f.Add("<p>a", `@media (min-width:10px){p,.a>b:hover{color:red;background:url(x)}}`)
	c := cardhtml.New()
	f.Fuzz(func(t *testing.T, text, css string) {
		clean, rules, scope := c.Clean(text, css)
		check(t, text, clean)
		if strings.ContainsAny(rules, "\\<'\"") || strings.Contains(rules, "url") && strings.Contains(rules, "url(") || strings.Contains(rules, "@import") {
			t.Fatalf("%q became %q", css, rules)
		}
		if strings.Count(rules, "{") != strings.Count(rules, "}") || rules != "" && !strings.Contains(rules, "."+scope+" ") {
			t.Fatalf("%q became %q", css, rules)
		}
	})
}

// What cleans one of these in quadratic time outlasts go test's own limit.
func TestHostileCardsTakeLittleTime(t *testing.T) {
	c := cardhtml.New()
	for _, unit := range []string{"<b>", "<b class=x>", "<p>", "<div>", "</div>", "<table>", "<tr>", "<td>", "<a href='https://x.example'>", "<li>", "<ul><li>", "<b><p>", "<!--", "<", "&", "\"", "<svg>", "<p style='", "<p style='a:b;'>", "<p class='a b c'>"} {
		clean, _, _ := c.Clean(strings.Repeat(unit, cardhtml.MaxHTML/len(unit)), strings.Repeat(unit, cardhtml.MaxCSS/len(unit)))
		if len(clean) > 16*cardhtml.MaxHTML {
			t.Errorf("%q grows to %d bytes", unit, len(clean))
		}
	}
	for _, unit := range []string{"{", "}", "a{", "a{b:c}", "@media a{", "/*", ",", "a ", ".a", ":", ";", "("} {
		c.Clean("a", strings.Repeat(unit, cardhtml.MaxCSS/len(unit)))
	}
}

func TestDeepTagsKeepTheirText(t *testing.T) {
	clean, _, _ := cardhtml.New().Clean(strings.Repeat("<div>", 1000)+"deep"+strings.Repeat("</div>", 1000), "")
	if !strings.Contains(clean, "deep") || strings.Count(clean, "<div") > 65 {
		t.Errorf("%d tags are left of it", strings.Count(clean, "<div"))
	}
	check(t, "deep", clean)
}
