package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// startsTalking makes the account, and opens the conversation.
func (r *reader) startsTalking(v *victim) {
	r.t.Helper()
	r.does(chromedp.Navigate(v.setup), chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "longenough1"))
	r.presses("main button")
	r.sees("h1", "Welcome, ada")
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line", "Connected")
}

// reloads loads the page again.
func (r *reader) reloads() {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`document.body.classList.add("before-it-was-pressed"); undefined`), chromedp.Reload())
	r.sees("body:not(.before-it-was-pressed) #line", "Connected")
}

// comesBack has the page try to reach Chalie at once, unless it just did by itself.
func (r *reader) comesBack() {
	r.t.Helper()
	r.inPage(`() => { document.querySelector("#retry").click(); return ""; }`)
	r.sees("#line", "Connected")
}

// TestZoneOfABrowser: a server elsewhere reads and tells times where the person is.
func TestZoneOfABrowser(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	if _, err := chromedp.Call(r.ctx, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"}); err != nil {
		t.Fatal(err)
	}
	r.startsTalking(v)
	r.says("remind me tomorrow at 8pm to call Bob")
	r.sees(".answer", "at 20:00: call Bob")
	if says := v.chalie("plans", "list", "--json"); !strings.Contains(says, `"zone":"Asia/Tokyo"`) {
		t.Errorf("the reminder is %s", says)
	}
}

// TestSeenOnThePage: what Chalie tells unasked has been seen once a page shows it.
func TestSeenOnThePage(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.startsTalking(v)
	v.chalie("tool", "invoke", "remind", "what=stretch", "when=in 1 second")
	r.sees(".notice .answer", "stretch")
	domaintest.Until(t, "it was seen", func() bool { return strings.Contains(v.chalie("log", "--type", "told.seen"), "told.seen") })
}

// shows waits until a selector finds so many elements that can be seen.
func (r *reader) shows(selector string, want int) {
	r.t.Helper()
	domaintest.Until(r.t, fmt.Sprintf("there are %d of %q", want, selector), func() bool {
		got, err := chromedp.Run(r.ctx, chromedp.Evaluate[int](fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).length`, selector)))
		if err != nil {
			r.t.Fatalf("counting %q: %v", selector, err)
		}
		return got == want
	})
}

// pondering is a model that answers when it is told to.
type pondering struct {
	mu      sync.Mutex
	answers chan thought
}

func (p *pondering) think(q question) thought {
	if q.cycle {
		return thought{text: nothingFound}
	}
	p.mu.Lock()
	answers := p.answers
	p.mu.Unlock()
	select {
	case t := <-answers:
		return t
	case <-q.Context().Done():
		return thought{}
	}
}

// TestChatApprovalInPlace decides what waits where it is asked, after the page was
// loaded again, and finds everything there when it is loaded once more.
func TestChatApprovalInPlace(t *testing.T) {
	r := newReader(t)
	model, data := startMind(t, counting), filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	p := startProgram(t, "abacus")
	v.pair(p)
	p.on("/execute", saying(`{"text":"three","html":"<b>Three</b><script>window.top.hit=1</script>","css":"b{color:red}","title":"The sum","accent_color":"#2a6a5d"}`))
	v.chalie("tool", "trust", "count", "--requires-approval")
	r.startsTalking(v)

	r.says("count to 3")
	r.sees(".approval", "May I use count of abacus?")
	r.sees(".approval dl", "3")
	r.sees("#doing", "Waits for your decision on “count to 3”")
	r.checks("chat-asked")
	r.reloads()
	r.sees(".said", "count to 3")
	r.sees(".approval", "waits for your approval")
	r.sees("#busy", "Stop")
	if p.times("/execute") != 0 {
		t.Error("the tool was called before it was approved")
	}

	// While nothing runs no decision arrives, and that is said for no longer than it holds.
	r.forgives("net::ERR_")
	v.end()
	r.sees("#line", "Connection lost")
	r.presses(".approval .primary")
	r.sees(".approval .refused", "Chalie can't be reached now.")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.comesBack()
	r.shows(".approval .refused", 0)
	r.sees(".approval", "waits for your approval")

	r.presses(".approval .primary")
	r.sees(".approval", "You approved this.")
	r.sees(".answer", "Counting came to")
	r.shows("#busy", 0)
	r.sees(".card figcaption", "The sum")
	r.reloads()
	r.sees(".card figcaption", "The sum")
	const card = `async () => {
		const frame = document.querySelector(".card iframe");
		const text = await (await fetch(frame.src)).text();
		return [frame.getAttribute("sandbox"), text.includes("<b>Three</b>"), text.includes("<script"), window.hit ?? "unharmed"].join(" ");
	}`
	if got := r.inPage(card); got != " true false unharmed" {
		t.Errorf("the card is %q", got)
	}
	r.sees(".approval", "You approved this.")
	r.sees(".answer", "Counting came to")
	r.shows(".decision", 0)
	r.presses(".foot .link")
	r.sees(".reasons", "count")

	// Refused by keyboard alone: from where one writes, back to the button.
	other := r.another(v.address + "/chat")
	other.sees("#line", "Connected")
	r.says("count to 4")
	r.sees(".approval dl", "4")
	other.sees(".approval dl", "4")
	for tabs := 0; r.inPage(`() => document.activeElement.textContent`) != "Refuse"; tabs++ {
		if tabs == 40 {
			t.Fatalf("no way by keyboard to the button: %s", r.shown())
		}
		r.does(chromedp.KeyEvent("\t", chromedp.KeyModifiers(chromedp.ModifierShift)))
	}
	r.inPage(`() => {
		const real = window.fetch;
		window.fetch = async (...asked) => {
			const answer = await real(...asked);
			for (let frames = 0; frames < 3; frames++) await new Promise(requestAnimationFrame); // the page is drawn meanwhile
			return answer;
		};
		return "";
	}`)
	r.does(chromedp.KeyEvent("\r"))
	r.sees(".approval", "You refused this. Nothing was done.")
	r.sees(".approval [role=status]:focus", "You refused this.")
	other.sees(".approval", "You refused this. Nothing was done.")
	r.sees(".exchange:last-child .answer", "Counting came to")
	if p.times("/execute") != 1 {
		t.Errorf("the tool was called %d times", p.times("/execute"))
	}

	// Approved in the other tab; and while the tool runs redirected here, and stopped there.
	p.on("/execute", func(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() })
	r.says("count to 5")
	r.sees(".approval dl", "5")
	other.presses(".exchange:last-child .decision .primary")
	r.sees(".exchange:last-child .approval", "You approved this.")
	r.shows(".decision", 0)
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), "only the odd ones"))
	r.presses("#redirect")
	other.sees(".steer", "You: only the odd ones")
	r.shows(".steer", 1)
	other.presses("#stop")
	r.sees(".exchange:last-child .answer", "Stopped.") // the call is broken off
	other.sees(".exchange:last-child .answer", "Stopped.")
	r.shows(".exchange:last-child .until-told:not(.refused)", 0) // the answer says it
	r.shows("#busy", 0)
	v.awaits("tool.outcome_unknown", 1) // which may be before the page is told the rest, or behind it
	r.reloads()
	r.sees(".exchange:last-child .answer", "Stopped.")
	r.sees(".exchange:last-child .until-told.refused", "the call was given up here; it may have been done: look before you ask for it again")
	r.shows(".exchange:last-child .until-told", 1)

	// Stopped while it waits: that is no refusal, and said once.
	r.says("count to 6")
	r.sees(".exchange:last-child .approval dl", "6")
	r.presses("#stop")
	r.sees(".exchange:last-child .answer", "Stopped.")
	r.sees(".exchange:last-child .approval", "You stopped this before you decided. Nothing was done.")
	r.shows(".exchange:last-child .until-told", 0)
	r.checks("chat-withdrawn")

	// As it was when the first waited: nothing can be decided there, and the slider leads
	// through what came of it back to now.
	r.does(chromedp.Navigate(fmt.Sprintf("%s/chat?at=pos:%d", v.address, v.awaits("approval.proposed", 1)[0].Position)))
	r.sees(".approval", "May I use count of abacus?")
	r.sees(".approval", "This waited for your approval.")
	r.sees("#view", "count to 3")
	r.lacks("#view", "Counting came to")
	r.shows("#view .decision, #composer", 0)
	r.checks("chat-past")

	// The same where the page comes before the answer.
	const before = `new MutationObserver((_, watch) => {
		const view = document.querySelector("#view");
		if (!view) return;
		watch.disconnect();
		view.replaceChildren();
		view.dataset.wants ??= view.dataset.at; // a slow answer has come so by itself
		for (const name of ["at", "position", "time"]) delete view.dataset[name];
	}).observe(document, { childList: true, subtree: true })`
	early, err := chromedp.Call(r.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: before})
	if err != nil {
		t.Fatal(err)
	}
	r.does(chromedp.Reload())
	r.sees("#view", "count to 3")
	if _, err := chromedp.Call(r.ctx, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams(early)); err != nil {
		t.Fatal(err)
	}

	r.does(chromedp.Evaluate[chromedp.Void](`{ const slider = document.querySelector("#pos"); slider.value = slider.max - 1; slider.dispatchEvent(new Event("input")); } undefined`))
	r.sees(".answer", "Counting came to")
	r.does(chromedp.SendKeys(chromedp.CSS("#pos"), kb.End))
	r.sees("#line", "Connected")
	r.complaints()
	other.complaints()
	v.stop()
}

// TestChatSteersAndStops redirects an answer and stops one, with a second tab beside.
func TestChatSteersAndStops(t *testing.T) {
	r := newReader(t)
	mind := &pondering{answers: make(chan thought)}
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), startMind(t, mind.think).flags()...)
	v.ready()
	r.startsTalking(v)
	other := r.another(v.address + "/chat")
	other.sees("#line", "Connected")

	r.says("plan my evening")
	r.sees("#doing", "Working on “plan my evening”")
	other.sees(".said", "plan my evening")
	other.sees(".stage", "Thinking")
	r.presses("#redirect")
	r.sees("#banner", "Write what to do differently")
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), "without the cinema"))
	r.presses("#redirect")
	r.sees(".steer", "You: without the cinema")
	other.sees(".steer", "You: without the cinema") // before there is an answer
	other.reloads()
	other.sees(".steer", "You: without the cinema")
	other.sees(".stage", "Thinking")
	r.checks("chat-steered")
	mind.answers <- thought{text: "Dinner, then the cinema."}
	mind.answers <- thought{text: "Dinner, then a walk."}
	r.sees(".answer", "Dinner, then a walk.")
	other.sees(".answer", "Dinner, then a walk.")
	other.sees(".steer", "You: without the cinema")
	r.shows(".steer", 1)
	r.reloads()
	r.sees(".steer", "You: without the cinema")
	r.shows(".exchange", 1)

	r.says("count the stars")
	r.sees("#doing", "Working on “count the stars”")
	r.reloads() // in the middle of it
	r.sees(".said", "count the stars")
	r.sees(".stage", "Thinking")
	// More steps than are told at once: the page says so, and brings them.
	const steers = `(n) => new Promise((done) => {
		const line = new WebSocket(location.origin.replace("http", "ws") + "/ws");
		let heard = 0;
		line.onmessage = (e) => JSON.parse(e.data).type === "exchange" && ++heard === n && (line.close(), done(""));
		line.onopen = () => { for (let i = 1; i <= n; i++) line.send(JSON.stringify({ type: "act_steer", text: "star " + i })); };
	})`
	r.inPage(steers, 230)
	other.sees(".steer", "You: star 230")
	r.reloads()
	r.sees(".rest", "This took more steps than are shown here.")
	r.lacks(".steer", "You: star 225")
	r.inPage(steers, 1)
	r.presses(".rest button")
	r.sees(".steer", "You: star 225")
	r.shows(".rest", 0)
	r.shows(".exchange:last-child .steer", 231)
	other.sees("#stop", "Stop")
	other.presses("#stop")
	r.sees(".answer", "Stopped.")
	r.shows(".until-told", 0)
	r.shows("#busy", 0)
	r.shows(".outgoing", 0)
	r.complaints()
	v.stop()
}

// another opens a page in a second tab.
func (r *reader) another(url string) *reader {
	r.t.Helper()
	ctx, stop := chromedp.NewContext(r.ctx)
	r.t.Cleanup(stop)
	other := &reader{t: r.t, ctx: ctx}
	other.does(chromedp.Navigate("about:blank"))
	other.heard = listenTo(r.t, ctx)
	other.does(chromedp.Navigate(url))
	return other
}

// TestChatOverARestart kills the program in the middle of an answer: it comes, once.
// What was sent just then and didn't arrive can be sent again.
func TestChatOverARestart(t *testing.T) {
	r := newReader(t)
	mind := &pondering{answers: make(chan thought)}
	model := startMind(t, mind.think)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	r.startsTalking(v)
	r.says("what is the weather?")
	r.sees(".stage", "Thinking")
	r.forgives("net::ERR_") // while nothing runs
	v.end()
	r.sees("#line", "Connection lost")
	r.says("are you there?")
	r.sees("#banner", "There is no connection now.")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.comesBack()
	r.shows("#banner", 0)
	mind.answers <- thought{text: "Rain until six."}
	r.sees(".answer", "Rain until six.")
	r.shows(".answer", 1)
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), "\r"))
	mind.answers <- thought{text: "I am."}
	r.sees(".answer", "I am.")
	r.reloads()
	r.sees(".answer", "I am.")
	r.shows(".answer", 2)

	// Sent to one that hears nothing any more, and is killed before it does.
	if err := v.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	r.says("and now?")
	r.sees(".outgoing .stage", "Sending")
	v.end()
	r.sees(".outgoing .refused", "it isn't known whether this arrived")
	r.checks("chat-unsure")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.comesBack()
	r.reloads()
	r.sees(".outgoing .refused", "You left while this was on its way")
	r.presses(".outgoing .decision button")
	r.sees(".stage", "Thinking")
	r.shows(".outgoing", 0)

	// Killed when it has the message, and before it could say so.
	r.inPage(`() => {
		const real = window.fetch;
		window.fetch = async (where, ...more) => {
			const answer = await real(where, ...more);
			if (where !== "/api/messages") return answer;
			await new Promise((cut) => (window.cut = cut));
			throw new TypeError("the connection was cut");
		};
		return "";
	}`)
	r.says("and then?")
	v.awaits("message.received", 4)
	v.end()
	r.inPage(`() => { window.cut?.(); return ""; }`)
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.comesBack()
	mind.answers <- thought{text: "Now it is."}
	mind.answers <- thought{text: "Then it will be."}
	r.sees(".answer", "Then it will be.")
	r.shows(".outgoing", 0)
	r.shows(".answer", 4)
	r.shows(".said", 4)
	if said := v.awaits("message.received", 4); len(said) != 4 {
		t.Errorf("the log has %d messages", len(said))
	}
	r.complaints()
	v.stop()
}

// TestChatGap has more said than can be sent again while a page is away: it loads what
// was said, and nothing is missing.
func TestChatGap(t *testing.T) {
	r := newReader(t)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	r.startsTalking(v)
	r.says("the first thing")
	r.sees(".said", "the first thing")
	r.sees(".answer", "I'm not sure")
	address := strings.TrimPrefix(v.address, "http://")
	r.forgives("net::ERR_") // while nothing runs
	v.end()
	r.sees("#line", "Connection lost")

	elsewhere := startVictim(t, data)
	elsewhere.ready()
	for i := range 70 {
		elsewhere.wants(202, "POST", "socket:/api/messages", fmt.Sprintf(`{"text":"thing %d of many"}`, i))
	}
	elsewhere.awaits("reasoning.concluded", 71)
	elsewhere.end()

	v = startVictim(t, data, "--addr", address)
	r.comesBack()
	r.sees(".said", "thing 69 of many")
	r.sees(".said", "thing 0 of many")
	r.shows(".said", 71)
	if order := r.inPage(`() => [...document.querySelectorAll(".said")].slice(1).every((said, i) => said.textContent === "thing " + i + " of many") + ""`); order != "true" {
		t.Errorf("they are out of order: %s", r.shown())
	}

	// No word is too long for the page, and a text that is too long for Chalie stays.
	const write = `(text) => {
		const field = document.querySelector("#composer textarea");
		field.value = text;
		field.dispatchEvent(new Event("input"));
		return "";
	}`
	long := "https://luigis.example/" + strings.Repeat("antipasti", 60)
	r.says("remember that the menu is at " + long)
	r.sees(".exchange:last-child .answer", long)
	r.inPage(write, strings.Repeat("a", 1000))
	r.checks("chat-long")
	r.inPage(write, strings.Repeat("ä", domain.MaxTextBytes/2)+"ä")
	r.sees("#banner", "it has 64.1 KB, and 64 KB is the most.")
	r.presses("#composer [name=send]")
	r.inPage(write, strings.Repeat("a", 200_000))
	r.reloads()
	r.presses("#composer [name=send]")
	r.sees("#banner", "it has 195.4 KB, and 64 KB is the most.")
	if left := r.inPage(`() => document.querySelector("#composer textarea").value.length + ""`); left != "200000" {
		t.Errorf("%s characters are left of what was written", left)
	}
	r.inPage(write, "shorter")
	r.shows("#banner", 0)
	r.complaints()
	v.stop()
}

// TestChatImages sends images along: chosen, pasted, refused and removed again.
func TestChatImages(t *testing.T) {
	r := newReader(t)
	model := startMind(t, func(q question) thought {
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{text: "A picture."}
	})
	data := t.TempDir()
	choice := fmt.Sprintf(`{"models":[{"model":"openai:scripted@%s/v1","vision":true}]}`, model.server.URL)
	if err := os.WriteFile(filepath.Join(data, "models.json"), []byte(choice), 0o600); err != nil {
		t.Fatal(err)
	}
	v := startVictim(t, data)
	v.ready()
	r.startsTalking(v)
	// choose makes a picture as the browser does, and has it chosen or pasted.
	const choose = `async (how, name, type, bytes, more = 0) => {
		const canvas = document.createElement("canvas");
		canvas.width = canvas.height = 40;
		canvas.getContext("2d").fillRect(5, 5, 20, 20);
		const blob = bytes ? new Blob([new Uint8Array(bytes)]) : await new Promise((done) => canvas.toBlob(done, "image/png"));
		const data = new DataTransfer();
		data.items.add(new File([blob, new Uint8Array(more)], name, { type }));
		const [field, input] = [document.querySelector("#composer textarea"), document.querySelector("#images")];
		if (how === "paste") field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
		else if (how === "drop") document.querySelector(".chat").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
		else { input.files = data.files; input.dispatchEvent(new Event("change")); }
		return "";
	}`
	r.inPage(choose, "choose", "first.png", "image/png", 0)
	r.sees(".thumb", "Ready")
	r.inPage(choose, "paste", "second.png", "image/png", 0)
	r.inPage(choose, "drop", "broken.png", "image/png", 100)
	r.sees(".thumb:nth-child(2)", "Ready")
	r.sees(".thumb:nth-child(3) .refused", "image")
	r.checks("chat-images")
	r.inPage(choose, "drop", "fourth.png", "image/png", 0)
	r.sees("#banner", "Three images at most")
	r.inPage(choose, "drop", "notes.txt", "text/plain", 10)
	r.sees("#banner", "notes.txt is no image")
	r.says("what is this?")
	r.sees("#banner", "An image could not be sent: try it again, or remove it.")
	r.presses(`.thumb:nth-child(3) [aria-label="Remove broken.png"]`)
	r.presses(`.thumb:nth-child(2) [aria-label="Remove second.png"]`)

	// One whose way is slow says how far it is; one that Chalie didn't get is sent again.
	slow := func(bytes float64) {
		all := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: bytes}}}
		if _, err := chromedp.Call(r.ctx, network.EmulateNetworkConditionsByRule, all); err != nil {
			t.Fatal(err)
		}
	}
	slow(60_000)
	r.inPage(`() => {
		window.far = [];
		const look = (seen) => seen.forEach(({ target }) => target.matches("progress") && window.far.push(target.value));
		new MutationObserver(look).observe(document.querySelector("#attached"), { attributes: true, subtree: true, attributeFilter: ["value"] });
		return "";
	}`)
	r.inPage(choose, "choose", "large.png", "image/png", 0, 90_000)
	r.sees(".thumb:nth-child(2)", "Ready")
	slow(-1)
	if far := r.inPage(`() => [window.far.some((v) => v > 0 && v < 1), window.far.every((v, i) => i === 0 || v >= window.far[i - 1])].join()`); far != "true,true" {
		t.Errorf("on the way it told %s", r.inPage(`() => window.far.join()`))
	}
	r.presses(`[aria-label="Remove large.png"]`)
	r.forgives("net::ERR_")
	v.end()
	r.sees("#line", "Connection lost")
	r.inPage(choose, "paste", "again.png", "image/png", 0)
	r.sees(".thumb:nth-child(2) .refused", "there is no connection")
	v = startVictim(t, data, "--addr", strings.TrimPrefix(v.address, "http://"))
	r.comesBack()
	r.presses(".thumb:nth-child(2) .thumb-does button")
	r.sees(".thumb:nth-child(2)", "Ready")
	r.reloads()
	r.sees(".thumb:nth-child(2)", "again.png")
	r.sees("#composer textarea", "")
	r.presses("[name=send]")
	r.sees(".answer", "A picture.")
	r.shows(".thumb", 0)
	r.shows(".pictures img", 2)
	r.reloads()
	r.sees(".said", "what is this?")
	r.shows(".pictures img", 2)
	r.shows(".thumb", 0)
	r.complaints()
	v.stop()
}

// TestChatButtons presses buttons of an answer: what comes of one is shown, and one that names
// nothing can't be pressed.
func TestChatButtons(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.startsTalking(v)
	// Answers of models have no buttons; those of tools do, and act in the same way.
	const button = `async (label, payload, fields = []) => {
		const { render } = await import("/assets/blocks.js");
		const { does } = await import("/assets/chat.js");
		const form = { type: "form", id: "f", blocks: [...fields, { type: "actions", buttons: [{ label, payload }] }] };
		document.querySelector(".answer").append(render([form], does));
		[...document.querySelectorAll(".answer button")].find((b) => b.textContent === label).click();
		return "";
	}`
	r.says("hello")
	r.sees(".answer", "Hello.")
	other := r.another(v.address + "/chat")
	other.sees("#line", "Connected")
	r.inPage(button, "Remind", map[string]any{"skill": "remind", "text": "call Anna in 2 hours"})
	r.sees(".exchange:last-child .answer", "call Anna")
	r.shows(".pressed", 0)
	r.inPage(button, "Plan it", map[string]any{"skill": "task"}, []any{map[string]any{"type": "input", "name": "what", "value": "tax return"}})
	for _, tab := range []*reader{r, other} {
		tab.sees(".pressed-it", "You pressed “Remind”")
		tab.sees(".pressed-it", "call Anna in 2 hours")
		tab.sees(".pressed-it", "You pressed “Plan it”")
		tab.sees(".pressed-it dd", "tax return")
		tab.sees(".exchange:last-child .answer", "tax return")
	}
	other.complaints()
	r.inPage(button, "Wrong", map[string]any{"skill": 7})
	r.shows(".answer button:disabled", 1) // it names no skill
	r.shows(".pressed", 0)
	r.inPage(button, "Unknown", map[string]any{"skill": "somersault"})
	r.sees(".exchange:last-child .answer", "somersault")
	r.reloads()
	r.sees(".exchange:last-child .pressed-it", "You pressed “Unknown”")
	r.shows(".exchange", 4)
	r.sees(".pressed-it dd", "tax return")
	r.checks("chat-pressed")

	// Logged out elsewhere: what was said just then, and what was begun, is there afterwards.
	// The page leaves as soon as it hears of it, so it happens while the message is sent.
	r.forgives("401")
	r.forgives("/ws")
	r.inPage(`() => {
		const real = window.fetch;
		window.fetch = async (where, ...more) => {
			if (where === "/api/messages") await real("/auth/logout", { method: "POST" });
			return real(where, ...more);
		};
		return "";
	}`)
	r.says("put milk on the shopping list")
	r.sees("h1", "Log in to Chalie")
	r.types("#username", "ada")
	r.types("#password", "longenough1")
	r.presses("main form button")
	r.sees("#line", "Connected")
	r.sees(".outgoing .refused", "You left while this was on its way")
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), "and butter"))
	r.presses(".outgoing .decision button")
	r.sees(".exchange:last-child .answer", "milk")
	r.shows(".outgoing", 0)
	r.reloads()
	if text := r.inPage(`() => document.querySelector("#composer textarea").value`); text != "and butter" {
		t.Errorf("what was begun is now %q", text)
	}
	r.complaints()
	v.stop()
}

// behind is a clock that is as far from the machine's as it is told.
type behind struct{ by atomic.Int64 }

func (b *behind) Now() time.Time { return time.Now().Add(-time.Duration(b.by.Load())) }

// TestChatApprovalLapses looks at what waits for approval until its time is over.
func TestChatApprovalLapses(t *testing.T) {
	r := newReader(t)
	clock := &behind{}
	s := beginWith(t, t.TempDir(), domaintest.NewClock(), func(c *Config) { c.Clock = clock })
	v := &victim{t: t, api: s.api, data: s.data, address: "http://" + s.app.Addr(), setup: s.app.SetupLink()}
	r.startsTalking(v)
	v.wants(200, "PUT", "socket:/api/policy", `{"autonomy":"supervised","max_depth":4,"approval_minutes":15,"rules":[{"name":"ask","verdict":"approval_required"}]}`)
	clock.by.Store(int64(15*time.Minute - 4*time.Second)) // so it lapses in four seconds
	r.says("remind me: call Anna in 2 hours")
	r.sees(".approval", "waits for your approval")
	r.inPage(`() => { document.querySelector(".approval .primary").focus(); return ""; }`)
	clock.by.Store(0)
	r.sees(".approval [role=status]:focus", "Nobody decided in time. Nothing was done.")
	r.shows(".decision", 0)
	r.reloads()
	r.sees(".approval", "Nobody decided in time. Nothing was done.")

	// What the policy forbids is told once, in words, with the way to the policy.
	v.wants(200, "PUT", "socket:/api/policy", `{"autonomy":"supervised","max_depth":4,"approval_minutes":15,"rules":[{"name":"no_reminders","verdict":"denied"}]}`)
	r.says("remind me: call Bea in 2 hours")
	r.sees(".exchange:last-child .answer", "That isn't allowed: the rule “no_reminders” of the policy forbids remind; nothing was sent.")
	r.sees(`.exchange:last-child .answer a[href="/system/policy"]`, "What the policy allows")
	r.reloads()
	r.sees(".exchange:last-child .answer", "That isn't allowed")
	r.shows(".until-told", 0)
	r.complaints()
	s.stop()
}
