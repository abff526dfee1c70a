package guest_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/guest"
)

// here is a machine with a name and an address, where Chalie answers at one port.
var here = guest.Host{
	Is: func(host string) bool {
		return slices.Contains([]string{"chalie.home", "192.168.7.4", "2001:db8::4"}, host)
	},
	Serves: func(authority string) bool { return authority == "chalie.home:8081" || authority == "127.0.0.1:8081" },
}

// local are ways to write an address that a browser takes to this machine.
var local = []string{
	"http://127.0.0.1:18411/", "https://127.0.0.1/", "HTTP://127.0.0.1:18411", "http://127.1.2.3/", "http://127.0.0.1:18411?x", "http://127.0.0.1:18411#x",
	"http://[::1]:18411/", "http://[0:0:0:0:0:0:0:1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[::127.0.0.1]/", "http://[::]/",
	"http://[64:ff9b::127.0.0.1]/", "http://[2002:7f00:1::]/", "http://[64:ff9b:1::7f00:1]/", "http://[2001:0:808:808::80ff:fffe]/", "http://0.0.0.0:18411/", "http://0/", "http://0.0.0.1/",
	"http://localhost:18411/", "http://LOCALHOST/", "http://localhost./", "http://lamp.localhost/", "http://lamp.localhost./", "http://localhost.localdomain/",
	"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://127.0.1/", "http://127.0.0.1./", "http://00000177.1/", "http://0x7F.0x0.0x0.0x1/",
	"http://１２７.0.0.1/", "http://１２７．０．０．１/", "http://127。0。0。1/", "http://ⓛocalhost/", "http://ｌｏｃａｌｈｏｓｔ:18411/", "http://loc\u00adalhost/", "http://local\u200bhost/",
	"http://example.com@127.0.0.1:18411/", "http://example.com:80@127.0.0.1/", "http://127.0.0.1@example.com/", "http://example.com%40127.0.0.1/", "http://%31%32%37.0.0.1/", "http://127.0.0.1%3a18411/",
	`http:\\127.0.0.1:18411\`, `http:/\127.0.0.1/`, `http://example.com\@127.0.0.1/`, "http:127.0.0.1", "http:/127.0.0.1", "http:///127.0.0.1/", "http:////127.0.0.1/",
	"ht\ttp://127.0.0.1/", "http://127.0\n.0.1/", "\thttp://127.0.0.1/", "http://127.0.0.1\r/", "\x00http://127.0.0.1/", "\u00a0http://127.0.0.1/",
	"//127.0.0.1:18411/", `/\127.0.0.1:18411/`, `\\127.0.0.1:18411/`, "/\t/127.0.0.1:18411/", "/.//127.0.0.1:18411/", "/x/..//127.0.0.1/", "/%2e//127.0.0.1/", "///127.0.0.1/",
	"http://chalie.home:18411/", "https://chalie.home/", "http://CHALIE.home.:18411/", "http://chalie.home/", "http://192.168.7.4:18411/", "http://[2001:db8::4]/", "http://[::ffff:192.168.7.4]/",
	"http://127.0.0.1:08081/", "http://127.0.0.1:8081@127.0.0.1:18411/",
}

// elsewhere are addresses that may be followed, with how they are written then.
var elsewhere = map[string]string{
	"https://example.com/": "https://example.com/", "http://example.com": "http://example.com", "HTTPS://Example.COM/A?b=C#d": "https://example.com/A?b=C#d",
	"\x20https://example.com/\x20": "https://example.com/", "https://example.com:8443/x": "https://example.com:8443/x", "https://example.com./": "https://example.com./",
	"https://münchen.de/Köln?ü": "https://xn--mnchen-3ya.de/Köln?ü", "https://r3---sn-a.example.com/": "https://r3---sn-a.example.com/", "https://a_b.example.com/": "https://a_b.example.com/",
	"http://10.0.0.7/": "http://10.0.0.7/", "http://[2001:db8::5]:80/": "http://[2001:db8::5]:80/", "https://localhost.example.com/": "https://localhost.example.com/",
	"https://example.com/?to=http://127.0.0.1/": "https://example.com/?to=http://127.0.0.1/", "https://example.com/@me": "https://example.com/@me",
	"/": "/", "/now": "/now", "/traces/?x=//y": "/traces/?x=//y", "/a.b/c..d": "/a.b/c..d", "/chat#//x": "/chat#//x",
	"http://chalie.home:8081/now?x#y": "/now?x#y", "http://127.0.0.1:8081": "/", "http://127.0.0.1:8081?x": "/?x",
}

func TestFollow(t *testing.T) {
	for _, address := range local {
		if to, why := here.Follow(address); why == guest.Followed {
			t.Errorf("%q may be followed, to %q", address, to)
		}
	}
	for address, want := range elsewhere {
		if to, why := here.Follow(address); why != guest.Followed || to != want {
			t.Errorf("%q leads to %q, %q; want %q", address, to, why, want)
		}
		// What was written once is written so for ever.
		if to, why := here.Follow(want); why != guest.Followed || to != want {
			t.Errorf("%q, written anew, leads to %q, %q", want, to, why)
		}
	}
	for _, address := range []string{"", " ", "javascript:alert(1)", "data:text/html,x", "mailto:a@example.com", "file:///etc/passwd", "blob:https://example.com/x", "x/y", "?x", "#x",
		"https://", "https:///", "https://:80/", "https://exa mple.com/", "https://example..com/", "https://.example.com/", "https://[::1/", "https://[fe80::1%25eth0]/", "https://example.com:99999999/",
		"https://example.com:/", "https://example.com:x/", "http://1.2.3.4.5/", "http://999.1.1.1/", "https://" + strings.Repeat("a", 9000)} {
		if to, why := here.Follow(address); why != guest.Unclear || to != "" {
			t.Errorf("%q leads to %q, %q", address, to, why)
		}
	}
	for address, want := range map[string]guest.Refusal{"http://127.0.0.1:9/": guest.Here, "http://chalie.home:9/": guest.Here, "http://2130706433/": guest.Unclear} {
		if _, why := here.Follow(address); why != want {
			t.Errorf("%q isn't followed because %q, want %q", address, why, want)
		}
	}
}

// decoded are blocks as JSON has them.
func decoded(t *testing.T, text string) (out []domain.Block) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// everywhere is every way in which blocks carry an address; URL stands for it.
const everywhere = `[
	{"type":"link","url":URL,"text":"docs"}, {"type":"image","url":URL,"alt":"a lamp"},
	{"type":"actions","buttons":[{"label":"Go","openUrl":URL,"execute":"go","payload":{"keep":1}}]},
	{"type":"section","blocks":[{"type":"link","url":URL,"text":"docs"}]}, {"type":"columns","columns":[{"blocks":[{"type":"link","url":URL}]}]},
	{"type":"carousel","slides":[{"blocks":[{"type":"image","url":URL}]}]}, {"type":"tabs","tabs":[{"label":"a","blocks":[{"type":"link","url":URL}]}]},
	{"type":"container","id":"c","blocks":[{"type":"form","id":"f","blocks":[{"type":"link","url":URL}]}]},
	{"type":"unknown","url":URL,"href":URL,"nested":{"src":URL},"list":[{"openUrl":URL}],"fallback":"x"}]`

// addresses are all members of blocks that a client follows or loads.
func addresses(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			out = append(out, addresses(e)...)
		}
	case map[string]any:
		for name, e := range v {
			switch text, ok := e.(string); {
			case ok && slices.Contains([]string{"url", "href", "src", "openUrl"}, name):
				out = append(out, text)
			default:
				out = append(out, addresses(e)...)
			}
		}
	}
	return out
}

func TestBlocksLeadAway(t *testing.T) {
	for _, address := range local {
		quoted := encoded(t, address)
		given := decoded(t, strings.ReplaceAll(everywhere, "URL", quoted))
		before := encoded(t, given)
		text := encoded(t, here.Blocks(given))
		var made any
		if err := json.Unmarshal([]byte(text), &made); err != nil {
			t.Fatal(err)
		}
		if left := addresses(made); len(left) > 0 {
			t.Errorf("%q: %q still lead there", address, left)
		}
		if !strings.Contains(text, "not a link: ") || !strings.Contains(text, `"keep":1`) || !strings.Contains(text, `"execute":"go"`) {
			t.Errorf("%q is told as %s", address, text)
		}
		if encoded(t, given) != before {
			t.Errorf("%q: what was given was changed", address)
		}
	}
	good := decoded(t, strings.ReplaceAll(everywhere, "URL", `"https://example.com/x"`))
	if got := here.Blocks(good); !reflect.DeepEqual(got, good) {
		t.Errorf("ordinary blocks become %s", encoded(t, got))
	}
}

func TestWhatIsSaidOfAnAddress(t *testing.T) {
	got := encoded(t, here.Blocks(decoded(t, `[{"type":"link","url":"http://127.0.0.1:9/x","text":"The manual"},{"type":"actions","buttons":[{"label":"Open it","openUrl":"http://localhost:9/"}]}]`)))
	want := encoded(t, decoded(t, `[{"type":"text","format":"plain","content":"The manual: http://127.0.0.1:9/x (not a link: it leads to this machine)"},
		{"type":"actions","buttons":[{"label":"Open it"}]},
		{"type":"text","format":"plain","content":"“Open it” would open http://localhost:9/ (not a link: it leads to this machine)"}]`))
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	const why = " (not a link: it leads to this machine)"
	for _, c := range []struct{ text, want string }{
		{"See [the docs](https://example.com/a) and https://example.com, **now**.", ""},
		{"Open http://localhost:3000 in your browser.", "Open `http://localhost:3000`" + why + " in your browser."},
		{"[press](http://127.0.0.1:1/x \"t\") it", "press: `http://127.0.0.1:1/x`" + why + " it"},
		{"![p](http://127.0.0.1:1/x)", "p: `http://127.0.0.1:1/x`" + why},
		{"<http://127.0.0.1:1/x>, **and** `http://localhost:3` is code", "`http://127.0.0.1:1/x`" + why + ", **and** `http://localhost:3` is code"},
		{"# Start\n\n```sh\ncurl http://localhost:3000\n```\n\nThen [look](http://localhost:3000).", "# Start\n\n```sh\ncurl http://localhost:3000\n```\n\nThen look: `http://localhost:3000`" + why + "."},
		{"```\ncurl http://localhost:3000\n```\n", "```\ncurl http://localhost:3000\n```\n"},
		{"www.lamp.localhost", "`www.lamp.localhost` (not a link: it is no plain web address)"},
	} {
		if c.want == "" {
			c.want = c.text
		}
		got := here.Blocks([]domain.Block{domain.TextBlock(c.text, domain.FormatMarkdown)})
		if want := []domain.Block{domain.TextBlock(c.want, domain.FormatMarkdown)}; !reflect.DeepEqual(got, want) {
			t.Errorf("%q becomes %v\nwant %v", c.text, got, want)
		}
	}
}

// TestMarkdownWithATrick is text of which readers of Markdown make different things,
// or hide where it leads: none is left to be read as Markdown.
func TestMarkdownWithATrick(t *testing.T) {
	for _, text := range []string{
		"~~~\n```\n~~~\n[x](http://127.0.0.1:1)\n```\n", "<div>\n```\n<a href=http://127.0.0.1:1>x</a>\n```\n", "a ` b\n` [x](http://127.0.0.1:1) `",
		"| ` | [x](http://127.0.0.1:1) | ` |", "``` `\nhttp://127.0.0.1:1\n```", "- ```\n  x\n[x](http://127.0.0.1:1)\n  ```", "`` ` `` http://localhost `` ` ``",
		`\` + "`http://127.0.0.1:1`", "```\nhttp://127.0.0.1:1", "<a href='//127.0.0.1:1'>x</a>", "<!-- \n\n```\n-->\nhttp://localhost:1\n```",
		"<p title=\"\n\n[x](http://127.0.0.1:1)\">", "```\r[x](http://127.0.0.1:1)\r```",
	} {
		got := here.Blocks([]domain.Block{domain.TextBlock(text, domain.FormatMarkdown)})
		if got[0]["format"] != "plain" || got[0]["content"] != text {
			t.Errorf("%q becomes %v", text, got)
		}
	}
	for _, text := range []string{
		"[x]: http://127.0.0.1:1\n\n[x]", "[x](http&#58;//127.0.0.1:1)", "[x](http&colon;&sol;&sol;127.0.0.1:1)", `[x](http\://127.0.0.1:1)`, `[x](http:\\\\127.0.0.1:1)`, `[x](http:/\127.0.0.1:1)`,
		"[x](//127.0.0.1:1)", `[x](\/\/127.0.0.1:1)`, `[x](/\127.0.0.1:1)`, "[x](http:/&#9;/127.0.0.1:1)", "[x](http://example.com@127.0.0.1:1)", "[x](http://%31%32%37.0.0.1)",
		"[a [b]](http://127.0.0.1:1)", "[x](<http://127.0.0.1:1>)", "[x]( http://127.0.0.1:1 )", "http://2130706433/", "http://0x7f.1", "http://[::1]:1/", "[x](http://[::ffff:127.0.0.1]/)",
		"http://example.com)@127.0.0.1:1/", "[x](http://１２７.0.0.1/)", "[http://127.0.0.1:1](https://example.com)", "HTTP://LOCALHOST", "[x][y]\n\n[y]:\nhttp://chalie.home:9", "[x](http://127.0.0.1:1",
		"**http://localhost:1**", "_http://localhost:1_", "(http://localhost:1)", "[x](https://example.com),[y](http://localhost:1)", "> http://localhost:1", "|a|\n|-|\n|http://localhost:1|",
	} {
		got := here.Blocks([]domain.Block{domain.TextBlock(text, domain.FormatMarkdown)})
		content := got[0]["content"].(string)
		if got[0]["format"] == "plain" && content == text {
			continue
		}
		// Else what would lead there stands as code.
		rest := ""
		for i, part := range strings.Split(content, "`") {
			if i%2 == 0 {
				rest += part + " "
			}
		}
		again := here.Blocks([]domain.Block{domain.TextBlock(rest, domain.FormatMarkdown)})
		if !strings.Contains(content, "not a link: ") || again[0]["content"] != rest {
			t.Errorf("%q becomes %v", text, got)
		}
	}
}

func TestNoFieldHidesWhatIsTyped(t *testing.T) {
	for _, c := range []struct {
		block string
		asks  bool
		name  string
	}{
		{`{"type":"input","name":"field1","inputType":"password"}`, true, "field1.typed-password"},
		{`{"type":"input","name":"field1","inputType":"PassWord"}`, true, "field1.typed-password"},
		{`{"type":"input","name":"field1","placeholder":"Password"}`, true, "field1.typed-password"},
		{`{"type":"input","name":"field1","placeholder":"Your API key, please"}`, true, "field1.typed-password"},
		{`{"type":"input","name":"password"}`, true, "password.typed-password"},
		{`{"type":"input","name":"field1","inputType":"file"}`, false, "field1"},
		{`{"type":"input","name":"field1","inputType":7}`, false, "field1"},
		{`{"type":"input","name":"symbol","placeholder":"ACME"}`, false, "symbol"},
	} {
		for _, wrap := range []string{`%`, `{"type":"form","id":"f","blocks":[%]}`} {
			given := decoded(t, "["+strings.Replace(wrap, "%", c.block, 1)+"]")
			for typed, made := range map[bool][]domain.Block{false: here.Blocks(given), true: here.Page(given)} {
				text := encoded(t, made)
				want := c.name
				if !typed {
					want = strings.TrimSuffix(want, ".typed-password")
				}
				if strings.Contains(strings.ToLower(text), `"inputtype":"password"`) || strings.Contains(text, "file") || strings.Contains(text, "asks for a secret") != c.asks || !strings.Contains(text, `"name":"`+want+`"`) {
					t.Errorf("%s becomes %s", c.block, text)
				}
			}
		}
	}
	// What stands over a field is what it is called.
	text := encoded(t, here.Page(decoded(t, `[{"type":"text","content":"Your session has ended. Enter your password:"},{"type":"input","name":"field1"},{"type":"input","name":"field2"}]`)))
	if !strings.Contains(text, `"field1.typed-password"`) || !strings.Contains(text, `"field2.typed-password"`) {
		t.Errorf("a field below its label becomes %s", text)
	}
	sent, renamed := guest.Typed(json.RawMessage(`{"field1.typed-password":"hunter2","other":1.50}`))
	if string(sent) != `{"field1":"hunter2","other":1.50}` || !renamed {
		t.Errorf("sent %s", sent)
	}
	const plain = `{ "a": 1 }`
	if sent, renamed := guest.Typed(json.RawMessage(plain)); string(sent) != plain || renamed {
		t.Errorf("sent %s", sent)
	}
}

func TestPending(t *testing.T) {
	shown := here.Pending("From Lamp, which hasn't been let in", decoded(t, `[{"type":"header","content":"Hello","level":1},{"type":"text","format":"markdown","content":"[x](https://example.com)"},
		{"type":"link","url":"https://example.com/","text":"docs"},{"type":"image","url":"https://example.com/a.png","alt":"a lamp"},
		{"type":"container","id":"c","poll":{"capability":"tick","interval":1000},"blocks":[{"type":"badge","text":"on","onclick":"x"}]},
		{"type":"form","id":"f","blocks":[{"type":"input","name":"a","inputType":"password","placeholder":"Password"},{"type":"select","name":"b","options":[]},{"type":"toggle","name":"c","label":"Night"},
		{"type":"actions","buttons":[{"label":"Log in","execute":"steal","openUrl":"https://example.com"}]}]},
		{"type":"columns","columns":[{"blocks":[{"type":"input","name":"d"}]}]},{"type":"odd","fallback":"words","blocks":[{"type":"input"}]}]`))
	text := encoded(t, shown)
	for _, never := range []string{`"input"`, `"select"`, `"toggle"`, `"actions"`, `"buttons"`, `"poll"`, `"form"`, `"container"`, `"link"`, `"image"`, `"url"`, `openUrl`, `markdown`, "steal", "onclick"} {
		if strings.Contains(text, never) {
			t.Errorf("%s is in %s", never, text)
		}
	}
	for _, there := range []string{"hasn't been let in", "Hello", "docs: https://example.com/", "[A button] Log in", "[A field] Password", "[A switch] Night", "[A picture] a lamp", `"on"`, "words"} {
		if !strings.Contains(text, there) {
			t.Errorf("%s is not in %s", there, text)
		}
	}
}

func TestAnswer(t *testing.T) {
	const far, near, told = "https://example.com/x", "http://127.0.0.1:9/x", "It would open http://127.0.0.1:9/x (not a link: it leads to this machine)"
	note := func(text string) domain.Block { return domain.TextBlock(text, domain.FormatPlain) }
	for name, c := range map[string]struct{ given, want guest.Said }{
		"nothing to open":    {guest.Said{Text: new("a")}, guest.Said{Text: new("a")}},
		"far":                {guest.Said{Text: new("a"), Open: new(far)}, guest.Said{Text: new("a"), Open: new(far)}},
		"near":               {guest.Said{Text: new("a"), Open: new(near)}, guest.Said{Text: new("a\n" + told)}},
		"near, and no words": {guest.Said{Open: new(near)}, guest.Said{Text: new(told)}},
		"near, with results": {guest.Said{Text: new(`{"a":1}`), Open: new(near)}, guest.Said{Text: new(`{"a":1}`), Blocks: []domain.Block{note(`{"a":1}`), note(told)}}},
		"near, with blocks":  {guest.Said{Text: new("a"), Blocks: []domain.Block{note("b")}, Open: new(near)}, guest.Said{Text: new("a"), Blocks: []domain.Block{note("b"), note(told)}}},
	} {
		if got := here.Answer(c.given); encoded(t, got) != encoded(t, c.want) {
			t.Errorf("%s becomes %s", name, encoded(t, got))
		}
	}
	frame := here.Frame(domain.Frame{Type: domain.FrameMessage, Open: []string{far, near}, Blocks: []domain.Block{note("a")}})
	want := []domain.Block{note("a"), {"type": "actions", "buttons": []any{map[string]any{"label": "Open " + far, "openUrl": far}}}, note(told)}
	if encoded(t, frame.Blocks) != encoded(t, want) {
		t.Errorf("a frame has %s", encoded(t, frame.Blocks))
	}
	long := here.Open(far + strings.Repeat("/a", 100))["buttons"].([]any)[0].(map[string]any)
	if label := long["label"].(string); !strings.HasPrefix(label, "Open "+far) || len(label) > 100 || long["openUrl"] != far+strings.Repeat("/a", 100) {
		t.Errorf("a long address is opened by %v", long)
	}

	// In the conversation nothing is executed on a page: a button's payload asks for its tool.
	invocation := domain.ID{7}
	made := domain.ButtonsOf([]domain.Block{{"type": "form", "id": "f", "blocks": []any{map[string]any{"type": "actions", "buttons": []any{
		map[string]any{"label": "Order", "execute": "order", "collect": "f", "payload": map[string]any{"size": "l", "skill": "other"}},
		map[string]any{"label": "Menu", "execute": "menu", "openUrl": near},
	}}}}}, invocation)
	frame = here.Frame(domain.Frame{Type: domain.FrameMessage, Blocks: made})
	of := `"chalie_invocation":"` + invocation.String() + `"`
	if got, want := encoded(t, frame.Blocks), `[{"blocks":[{"buttons":[{"collect":"f","label":"Order","payload":{`+of+`,"size":"l","skill":"order"}},{"label":"Menu","payload":{`+of+`,"skill":"menu"}}],"type":"actions"},`+
		`{"content":"“Menu” would open http://127.0.0.1:9/x (not a link: it leads to this machine)","format":"plain","type":"text"}],"id":"f","type":"form"}]`; got != want {
		t.Errorf("buttons become\n%s, want\n%s", got, want)
	}
	if !strings.Contains(encoded(t, made), `"execute":"menu"`) {
		t.Errorf("who shows a page can't execute it: %s", encoded(t, made))
	}
}

func TestCard(t *testing.T) {
	const rel = ` rel="nofollow noopener noreferrer" target="_blank"`
	for _, c := range []struct{ html, want string }{
		{`<div class="c"><a href="https://example.com/"` + rel + `>x</a> y</div>`, ""},
		{`<div><a class="c-b" href="https://127.0.0.1:9/?a=1&amp;b=2"` + rel + `>Pay <b>now</b></a> y</div>`, `<div><span>Pay <b>now</b></span> (https://127.0.0.1:9/?a=1&amp;b=2 (not a link: it leads to this machine)) y</div>`},
		{`<p>a <a>b</a></p>`, ""},
		{`<abbr title="x">a</abbr>`, ""},
		{`<a href="https://localhost/">x`, `<span>x</span> (https://localhost/ (not a link: it leads to this machine))`},
	} {
		if c.want == "" {
			c.want = c.html
		}
		if got := here.Card(domain.Card{HTML: c.html}); got.HTML != c.want {
			t.Errorf("%s becomes\n%s", c.html, got.HTML)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("[x](http://127.0.0.1:1) `y`")
	f.Add("\fhttp:0")
	f.Add("a | http://127.0.0.1:1 \\ b")
	f.Add("http:0\\")
	f.Add("a`b`http:0")
	f.Fuzz(func(t *testing.T, text string) {
		once := here.Blocks([]domain.Block{domain.TextBlock(text, domain.FormatMarkdown)})
		if twice := here.Blocks(once); !reflect.DeepEqual(once, twice) {
			t.Errorf("%q becomes %v, and again %v", text, once, twice)
		}
	})
}
