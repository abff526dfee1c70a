package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// ears are a browser whose microphone plays a file, anew whenever it is opened.
type ears struct {
	t    *testing.T
	file string
	chromium
}

// newEars starts one, whose user allows the microphone, or with deny doesn't.
func newEars(t *testing.T, answer any) *ears {
	t.Helper()
	hasEngines(t)
	path := chromiumPath(t)
	e := &ears{t: t, file: filepath.Join(t.TempDir(), "spoken.wav")}
	e.start(path, chromedp.Flag("use-fake-ui-for-media-stream", answer), chromedp.Flag("use-fake-device-for-media-stream", true), chromedp.Flag("use-file-for-fake-audio-capture", e.file))
	t.Cleanup(e.end)
	return e
}

// hear has the microphone hear a text, which Flite speaks, and then silence.
func (e *ears) hear(text string) {
	e.t.Helper()
	const rate, beforehand, after = 16_000, 16_000, 30 * 16_000 // in bytes: half a second, and 15
	sound := voice.Sound{Rate: rate, PCM: make([]byte, beforehand)}
	if text != "" {
		spoken := filepath.Join(e.t.TempDir(), "flite.wav")
		if out, err := exec.Command("flite", "-voice", "slt", "-t", text, "-o", spoken).CombinedOutput(); err != nil {
			e.t.Fatalf("%v: %s", err, out)
		}
		content, err := os.ReadFile(spoken)
		if err != nil {
			e.t.Fatal(err)
		}
		read, err := voice.ReadWAV(content)
		if err != nil || read.Rate != rate {
			e.t.Fatalf("Flite speaks at %d a second: %v", read.Rate, err)
		}
		sound.PCM = append(sound.PCM, read.PCM...)
	}
	sound.PCM = append(sound.PCM, make([]byte, after)...)
	if err := os.WriteFile(e.file, sound.WAV(), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

// watchesSound notes each sound that is played, and whether a microphone was on or could be
// turned on when it began.
const watchesSound = `(() => {
	const streams = [];
	globalThis.played = [];
	globalThis.asked = [];
	const open = MediaDevices.prototype.getUserMedia;
	MediaDevices.prototype.getUserMedia = async function (...wanted) {
		const stream = await open.apply(this, wanted);
		streams.push(stream);
		return stream;
	};
	globalThis.recording = () => streams.some((s) => s.getTracks().some((t) => t.readyState === "live"));
	const start = AudioBufferSourceNode.prototype.start;
	AudioBufferSourceNode.prototype.start = function (...at) {
		const one = { seconds: this.buffer.duration, loud: this.buffer.getChannelData(0).some((s) => s > 0.05), muted: !recording() && document.querySelector("#hold").ariaDisabled === "true", caption: document.querySelector("#caption").textContent };
		const began = this.context.currentTime;
		this.addEventListener("ended", () => (one.heard = this.context.currentTime - began));
		played.push(one);
		return start.apply(this, at);
	};
	const real = fetch;
	globalThis.fetch = (to, options) => {
		if (String(to).startsWith("/api/voice/")) asked.push({ to, type: options.headers["Content-Type"], text: typeof options.body === "string" ? JSON.parse(options.body).text : "" });
		return real(to, options);
	};
})()`

// newListener is somebody in front of such a browser, at the conversation.
func (e *ears) newListener(v *victim) *reader {
	e.t.Helper()
	r := readerIn(e.t, e.tab(e.t, walking))
	if _, err := chromedp.Call(r.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watchesSound}); err != nil {
		e.t.Fatal(err)
	}
	if v.setup != "" {
		r.startsTalking(v)
		v.setup = ""
		return r
	}
	r.logsIn(v.address, "ada", "longenough1")
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line", "Connected")
	return r
}

// mouse presses or lets go over an element.
func (r *reader) mouse(kind input.DispatchMouseEventType, selector string) {
	r.t.Helper()
	at := r.inPage(`(selector) => { const b = document.querySelector(selector).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2].join(" "); }`, selector)
	var x, y float64
	if _, err := fmt.Sscan(at, &x, &y); err != nil {
		r.t.Fatal(err)
	}
	if _, err := chromedp.Call(r.ctx, input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: input.MouseButtonLeft, ClickCount: 1}); err != nil {
		r.t.Fatal(err)
	}
}

// holds presses a key, or lets go of it.
func (r *reader) holds(kind input.DispatchKeyEventType, key string, code int64) {
	r.t.Helper()
	if _, err := chromedp.Call(r.ctx, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: key, WindowsVirtualKeyCode: code}); err != nil {
		r.t.Fatal(err)
	}
}

const (
	keySpace  = 32
	keyF2     = 113
	keyEscape = 27
)

// until waits for something to be true in the page's own world.
func (r *reader) until(is string) {
	r.t.Helper()
	said := false
	defer func() {
		if !said {
			r.t.Logf("the page has played %s and asked %s; %s", r.inPage(`() => JSON.stringify(played)`), r.inPage(`() => JSON.stringify(asked)`), r.shown())
		}
	}()
	domaintest.Until(r.t, is, func() bool {
		said = r.inPage(`() => String(Boolean(`+is+`))`) == "true"
		return said
	})
}

// TestTalkingInABrowser holds the button, is heard, and hears the answer, while the
// microphone is off; by mouse and by keys, on one page, in plain words where it can't be.
func TestTalkingInABrowser(t *testing.T) {
	t.Parallel()
	e := newEars(t, true)
	mind := startMind(t, func(q question) thought {
		if q.cycle {
			return thought{text: nothingFound}
		}
		return thought{text: "Milk is on the list. " + strings.Repeat("There is a good deal more to say about milk than anybody wants to hear. ", 12)}
	})
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), mind.flags()...)
	v.ready()
	e.hear("Add milk to the shopping list.")
	r := e.newListener(v)
	r.does(chromedp.SendKeys(chromedp.CSS("#composer textarea"), "a draft"))

	r.presses("#hold") // and lets go at once
	r.sees("#captioned", "Hold the button while you speak")
	r.until(`!recording()`)
	r.mouse(input.DispatchMouseEventTypeMousePressed, "#hold")
	r.sees("#held", "0:03")
	r.checks("voice-listening")
	r.mouse(input.DispatchMouseEventTypeMouseReleased, "#hold")
	r.sees("#captioned", "Heard: “add milk to the shopping list”.")
	r.sees(".said", "add milk to the shopping list")
	r.sees(".answer", "Milk is on the list.")
	r.until(`played[1]?.caption.startsWith("There is a good deal more")`)
	r.checks("voice-speaking")
	r.mouse(input.DispatchMouseEventTypeMousePressed, "#hold")
	r.sees("#captioned", "The microphone is off while Chalie speaks.")
	r.mouse(input.DispatchMouseEventTypeMouseReleased, "#hold")
	r.until(`!recording() && played[0].caption === "Milk is on the list." && played[0].heard >= played[0].seconds * 0.9`)
	r.until(`played.length > 0 && played.every((p) => p.muted && p.loud && p.seconds > 0.5)`)
	r.until(`asked.filter((a) => a.to === "/api/voice/stt").length === 1 && asked[0].type === "audio/webm"`)
	r.until(`asked.slice(1).every((a) => a.to === "/api/voice/tts" && a.text.length <= 500) && asked[1].text === "Milk is on the list."`)
	r.holds(input.DispatchKeyEventTypeKeyDown, "Escape", keyEscape)
	r.until(`document.querySelector("#voice").dataset.state === "idle" && document.querySelector("#hush").hidden`)
	said := played(r)
	r.until(`document.querySelector("#composer textarea").value === "a draft" && document.querySelector("#aloud").checked`)
	r.presses(".foot .link")
	r.sees(".reasons", "by voice")

	// By keys: held on the button, and anywhere but where one writes.
	r.reloads()
	r.until(`document.querySelector("#aloud").checked`)
	r.inPage(`() => { document.querySelector("#composer textarea").focus(); return ""; }`)
	r.holds(input.DispatchKeyEventTypeKeyDown, "F2", keyF2)
	r.holds(input.DispatchKeyEventTypeKeyUp, "F2", keyF2)
	r.inPage(`() => { document.querySelector("#hold").focus(); return ""; }`)
	r.until(`document.querySelector("#captioned").textContent === ""`)
	r.holds(input.DispatchKeyEventTypeKeyDown, " ", keySpace)
	r.sees("#hold", "Listening")
	r.holds(input.DispatchKeyEventTypeKeyDown, "Escape", keyEscape)
	r.sees("#captioned", "Nothing was sent.")
	r.holds(input.DispatchKeyEventTypeKeyUp, " ", keySpace)
	r.until(`!recording() && document.querySelector("#hold").textContent === "Hold to talk"`)
	r.holds(input.DispatchKeyEventTypeKeyDown, " ", keySpace)
	r.sees("#held", "0:03")
	r.holds(input.DispatchKeyEventTypeKeyUp, " ", keySpace)
	r.shows(".said", 2)
	r.until(`played[0]?.muted`)
	r.presses("#hush")
	r.sees("#hold:focus", "Hold to talk")
	r.presses("label:has(#aloud)")
	r.inPage(`() => { document.activeElement.blur(); return ""; }`)
	r.holds(input.DispatchKeyEventTypeKeyDown, "F2", keyF2)
	r.sees("#held", "0:03")
	r.holds(input.DispatchKeyEventTypeKeyUp, "F2", keyF2)
	r.shows(".answer", 3)
	if now := played(r); said == 0 || now != 1 {
		t.Errorf("it spoke %d pieces, and after it was silenced %d", said, now)
	}

	// A browser that makes no WebM sends a WAV.
	r.inPage(`() => { MediaRecorder.isTypeSupported = () => false; return ""; }`)
	r.holds(input.DispatchKeyEventTypeKeyDown, "F2", keyF2)
	r.sees("#held", "0:03")
	r.holds(input.DispatchKeyEventTypeKeyUp, "F2", keyF2)
	r.shows(".said", 4)
	r.sees(".exchange:last-child .said, .outgoing", "add milk to the shopping list")
	r.until(`asked.at(-1).type === "audio/wav"`)

	// What isn't heard surely is said, with what to do.
	e.hear("")
	r.holds(input.DispatchKeyEventTypeKeyDown, "F2", keyF2)
	r.sees("#held", "0:01")
	r.holds(input.DispatchKeyEventTypeKeyUp, "F2", keyF2)
	r.sees("#captioned", "Nothing was sent.")
	r.checks("voice-repeat")
	r.inPage(`() => { Object.defineProperty(window, "isSecureContext", { value: false }); return ""; }`)
	r.presses("#hold")
	r.sees("#captioned", "chalie serve --tls")
	r.complaints()

	deaf := newEars(t, "deny").newListener(v)
	deaf.presses("#hold")
	deaf.sees("#captioned", "This page may not use the microphone. Allow it in the browser")
	deaf.checks("voice-denied")
	deaf.complaints()
	if heard := v.awaits(domain.MessageReceivedType, 4); len(heard) != 4 {
		t.Errorf("there are %d messages", len(heard))
	}
	v.stop()
}

// played is how many pieces the page has begun to speak.
func played(r *reader) (n int) {
	r.t.Helper()
	if _, err := fmt.Sscan(r.inPage(`() => String(played.length)`), &n); err != nil {
		r.t.Fatal(err)
	}
	return n
}

// TestTalkingWithoutEngines says how they come.
func TestTalkingWithoutEngines(t *testing.T) {
	t.Parallel()
	e := newEars(t, true)
	program, err := exec.LookPath("chalie")
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	cmd := exec.Command("env", append([]string{"PATH=" + filepath.Dir(program), program}, append(serving(data), keptBy(t, data)...)...)...)
	v := startVictimBy(t, data, cmd)
	v.ready()
	e.hear("Add milk to the shopping list.")
	r := e.newListener(v)
	r.forgives("503")
	r.mouse(input.DispatchMouseEventTypeMousePressed, "#hold")
	r.sees("#held", "0:01")
	r.mouse(input.DispatchMouseEventTypeMouseReleased, "#hold")
	r.sees("#captioned", "apt-get install")
	r.presses("label:has(#aloud)")
	r.says("hello")
	r.sees("#captioned", "This can't be read aloud.")
	r.checks("voice-no-engine")
	r.complaints()
	v.stop()
}
