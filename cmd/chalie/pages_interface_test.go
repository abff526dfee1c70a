package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// hostilePage is what an interface must not get away with.
const hostilePage = `{"blocks":[
	{"type":"header","content":"<img src=x onerror=\"window.hit=1\">","level":1},
	{"type":"text","format":"markdown","content":"<script>window.hit=2</script> [press](javascript:window.hit=3)"},
	{"type":"link","url":"javascript:window.hit=4","text":"a bad link"},
	{"type":"link","url":"//evil.example","text":"another"},
	{"type":"image","url":"data:text/html,<script>window.hit=5</script>","alt":"no picture"},
	{"type":"image","url":"https://evil.example/pixel.png","alt":"elsewhere"},
	{"type":"text","format":"plain","content":"\u202etxet thgir-ot-tfel"},
	{"type":"constructor","fallback":"a type of no name"},
	{"type":"keyvalue","pairs":[{"key":"Open","value":"until late"}]},
	{"type":"form","id":"f","blocks":[{"type":"input","name":"symbol","value":"ACME"},
		{"type":"actions","buttons":[{"label":"Ask","execute":"quote","collect":"f","target":"answer","openUrl":"javascript:window.hit=6"}]}]},
	{"type":"container","id":"answer","blocks":[]}]}`

// TestInterfacePages approves what an interface asks for, tries its tool, and looks
// at its own page, which is hostile.
func TestInterfacePages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	d := newDaemon(t, "stocks")
	d.on("/", saying(hostilePage))

	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.sees(".empty-box", "No interface yet")
	r.checks("interfaces-empty")
	r.presses("#pair")
	r.sees("#left", "9:5")
	r.checks("interfaces-key")
	names, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("#key [data-copy]")].map((b) => b.textContent).join()`))
	if err != nil || names != "Copy the address,Copy the key,Copy the command" {
		t.Errorf("what is copied is called %q, %v", names, err)
	}
	r.presses(`[data-copy="#address"]`)
	r.sees(`[data-copy="#address"]`, "Copied")
	r.sees(`[role=status]`, "Copied")

	d.start(v, http.StatusCreated)
	r.sees("h1", "stocks") // the page looks by itself, and leads there
	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.sees(".badge", "6 to approve")
	r.checks("interfaces")

	// What is wrong with a field is told in the page's words for it, as long as it is so.
	r.forgives("status of 400")
	r.writes(`[name="url"]`, "ws://127.0.0.1:1/feed")
	r.writes(`[name="source"]`, strings.Repeat("x", 240))
	r.presses(`[data-call="POST /api/streams"] button`)
	r.sees(".fault", "Name for it has 240 bytes")
	r.keeps("interfaces-wrong")
	r.writes(`[name="source"]`, "exchange")
	r.shows(".fault", 0)
	r.presses(".name")
	r.sees("h1", "stocks")
	for _, scope := range []string{"location", "quote", "stocks"} {
		r.presses(`#scopes [name="` + scope + `"]`)
	}
	r.pressesAndWaits("#scopes button")
	r.sees(".standing", "online")
	r.pressesAndWaits(`.head [data-call$="/refresh"]`) // fetch its tools now
	r.sees(".tool summary", "A price")
	r.presses(".tool summary")
	r.does(chromedp.SendKeys(chromedp.CSS(`.try [name="symbol"]`), "ACME"))
	r.does(chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; undefined`))
	r.presses(".try button")
	r.sees(".result", "185.5")
	r.sees(".history", "scopes approved")
	r.checks("interface-tool")

	r.sees("#page", "a type of no name")
	r.sees("#page", "until late")
	r.presses(`#page [data-form] button`)
	r.sees(`[data-container="answer"]`, "185.5")
	r.checks("interface-page")
	const found = `[window.hit ?? "", ...[...document.querySelectorAll("#page img, #page script, #page iframe, #page [onerror]")].map((e) => e.outerHTML),
		...[...document.querySelectorAll("#page a")].map((a) => a.href)].join(" ").trim()`
	bad, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](found))
	if err != nil || bad != "https://evil.example/pixel.png" { // a link to it, nothing loaded
		t.Errorf("the page has %q, %v", bad, err)
	}
	// What programs that were let in ask to do beyond signals is answered once for all of them.
	for name, rights := range map[string]string{"hall": `"voice"`, "phone": `"voice","context_update"`} {
		p := startProgram(t, name)
		v.wants(http.StatusCreated, http.MethodPost, "/api/interfaces/pair", fmt.Sprintf(`{"pairing_key":%q,"name":%q,"host":"127.0.0.1","port":%d,"signals":[%s]}`, v.pairingKey(), name, p.port, rights))
	}
	r.does(chromedp.Navigate(v.address + "/now"))
	r.sees("[data-asking]", "2")
	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.sees("#rights", "may say where and how you are")
	r.checks("interfaces-rights")
	r.presses(`#rights [name="context_update"]`)
	r.pressesAndWaits("#rights button")
	r.shows("#rights", 0)
	var given []string
	for _, rec := range v.awaits("interface.scopes_approved", 3)[1:] {
		p, err := domain.Decode[domain.ScopesApproved](rec.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, p.Approved.Signals...)
	}
	if !slices.Equal(given, []string{"context_update"}) {
		t.Errorf("%q were given, want what was ticked", given)
	}
	v.stop()
}

// TestPairingTheRestaurant brings the key of the page to the program that the page
// names, approves one of its tools, and lets it go again.
func TestPairingTheRestaurant(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.presses("#pair")
	r.presses("#key summary")
	r.sees("#command", " demo restaurant --key chalie_pair_")
	command, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`document.querySelector("#command").textContent`))
	if err != nil {
		t.Fatal(err)
	}
	restaurant := chalieProcess(t, strings.Fields(command)[1:]...)
	enter, err := restaurant.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := restaurant.Start(); err != nil {
		t.Fatal(err)
	}
	r.sees("h1", "Luigi's")
	r.sees(".standing", "online")
	r.sees("#page", "res_801")
	r.sees(".history", "interface paired")
	r.presses(".tool:nth-of-type(1) summary")
	r.presses(".tool:nth-of-type(1) .try button") // without what it needs
	r.sees(".field .refused", "It needs this.")
	r.does(chromedp.Evaluate[chromedp.Void](`window.confirm = (text) => text.includes("Luigi's"); undefined`))
	r.does(chromedp.SendKeys(chromedp.CSS(`.try [name="reservation_id"]`), "res_801\r"))
	r.sees(".result", "The table for tonight is given back.") // who presses it has said yes
	r.checks("interface-tried")
	r.presses(".result a[href*='direction=forward']")
	r.sees("main", "cancel_reservation")

	if _, err := enter.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	r.does(chromedp.Navigate(v.address + "/now"))
	r.sees("main", "no dinner tonight")

	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.presses(".name")
	r.sees("h1", "Luigi's")
	r.does(chromedp.Evaluate[chromedp.Void](`window.confirm = () => true; undefined`))
	r.presses(".head .danger")
	r.sees(".empty-box", "No interface yet")
	r.sees("[role=status]", "It is shut out")

	// It is there where one looks back.
	r.does(chromedp.Navigate(fmt.Sprintf("%s/interfaces?at=pos:%d", v.address, v.awaits("interface.removed", 1)[0].Position-1)))
	r.sees(".entry", "Luigi's")
	r.checks("interfaces-past")
	r.presses(".name")
	r.sees("h1", "Luigi's as of")
	r.sees("#view", "cancel_reservation")
	r.sees(".history", "interface paired")
	r.shows("#view button", 0)
	r.checks("interface-past")
	r.complaints()
	if err := errors.Join(restaurant.Process.Signal(os.Interrupt), restaurant.Wait()); err != nil {
		t.Errorf("the restaurant ended with %v", err)
	}
	v.stop()
}
