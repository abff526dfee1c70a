package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// shows expects how many elements a selector finds.
func (r *reader) shows(selector string, want int) {
	r.t.Helper()
	got, err := chromedp.Run(r.ctx, chromedp.Evaluate[int](fmt.Sprintf(`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).length`, selector)))
	if err != nil || got != want {
		r.t.Errorf("there are %d of %q, %v; want %d", got, selector, err, want)
	}
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
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), startMind(t, counting).flags()...)
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
	r.sees(".steps", "Using count")
	r.sees(".approval", "waits for your approval")
	r.sees("#busy", "Stop")
	if p.times("/execute") != 0 {
		t.Error("the tool was called before it was approved")
	}
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

	r.says("count to 4")
	r.sees(".approval dl", "4")
	r.presses(".exchange:last-child .decision button:not(.primary)")
	r.sees(".approval", "You refused this. Nothing was done.")
	r.sees(".exchange:last-child .answer", "Counting came to")
	if p.times("/execute") != 1 {
		t.Errorf("the tool was called %d times", p.times("/execute"))
	}

	// As it was when the first waited: nothing can be decided there, and the slider leads
	// through what came of it back to now.
	r.does(chromedp.Navigate(fmt.Sprintf("%s/chat?at=pos:%d", v.address, v.awaits("approval.proposed", 1)[0].Position)))
	r.sees(".approval", "May I use count of abacus?")
	r.sees(".approval", "This waited for your approval.")
	r.sees("#view", "count to 3")
	r.lacks("#view", "Counting came to")
	r.shows("#view .decision, #composer", 0)
	r.checks("chat-past")
	r.does(chromedp.Evaluate[chromedp.Void](`{ const slider = document.querySelector("#pos"); slider.value = slider.max - 1; slider.dispatchEvent(new Event("input")); } undefined`))
	r.sees(".answer", "Counting came to")
	r.does(chromedp.SendKeys(chromedp.CSS("#pos"), kb.End))
	r.sees("#line", "Connected")
	r.complaints()
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
	other.sees("#stop", "Stop")
	other.presses("#stop")
	r.sees(".answer", "Stopped.")
	r.sees(".steps", "You stopped it.")
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
	r.forgives("ERR_CONNECTION_REFUSED") // while nothing runs
	v.end()
	r.sees("#line", "Connection lost")
	r.says("are you there?")
	r.sees("#banner", "There is no connection now.")
	v = startVictim(t, data, append(model.flags(), "--addr", strings.TrimPrefix(v.address, "http://"))...)
	r.presses("#retry")
	r.sees("#line", "Connected")
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
	r.forgives("ERR_CONNECTION_REFUSED") // while nothing runs
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
	r.presses("#retry")
	r.sees("#line", "Connected")
	r.sees(".said", "thing 69 of many")
	r.sees(".said", "thing 0 of many")
	r.shows(".said", 71)
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
	const choose = `async (how, name, type, bytes) => {
		const canvas = document.createElement("canvas");
		canvas.width = canvas.height = 40;
		canvas.getContext("2d").fillRect(5, 5, 20, 20);
		const blob = bytes ? new Blob([new Uint8Array(bytes)]) : await new Promise((done) => canvas.toBlob(done, "image/png"));
		const data = new DataTransfer();
		data.items.add(new File([blob], name, { type }));
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
	r.presses("[name=send]")
	r.sees(".answer", "A picture.")
	r.shows(".thumb", 0)
	r.shows(".pictures img", 1)
	r.reloads()
	r.sees(".said", "what is this?")
	r.shows(".pictures img", 1)
	r.complaints()
	v.stop()
}

// TestChatButtons presses buttons of an answer: what comes of one is shown, and why one
// does nothing is said beside it.
func TestChatButtons(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.startsTalking(v)
	// Answers of models have no buttons; those of tools do, and act in the same way.
	const button = `async (label, payload) => {
		const { render } = await import("/assets/blocks.js");
		const { does } = await import("/assets/chat.js");
		document.querySelector(".answer").append(render([{ type: "actions", buttons: [{ label, payload }] }], does));
		[...document.querySelectorAll(".answer button")].find((b) => b.textContent === label).click();
		return "";
	}`
	r.says("hello")
	r.sees(".answer", "Hello.")
	r.inPage(button, "Remind", map[string]any{"skill": "remind", "text": "call Anna in 2 hours"})
	r.sees(".exchange:last-child .answer", "call Anna")
	r.shows(".pressed", 0)
	r.inPage(button, "Wrong", map[string]any{"skill": 7})
	r.sees(".pressed", "skill")
	r.inPage(button, "Unknown", map[string]any{"skill": "somersault"})
	r.sees(".exchange:last-child .answer", "somersault")
	r.complaints()
	v.stop()
}
