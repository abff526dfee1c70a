package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// TestAnswersOnPages: tables, addresses, buttons and forms of tools' answers in a browser.
func TestAnswersOnPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	asked := startCounter(v)
	r.startsTalking(v)

	r.says("list trades")
	r.sees(".answer th", "price")
	r.sees(".answer tbody", "185.50")
	r.says("open the chart")
	r.sees(`.answer a.button[href="https://charts.example.com/aapl"][target="_blank"][rel~="noopener"]`, "Open https://charts.example.com/aapl")
	r.says("open the router")
	r.sees(".exchange:last-child .answer", "It would open http://127.0.0.1:9999/admin (not a link: it leads to this machine)")
	r.shows(".exchange:last-child .answer a", 0)
	r.says("check the engine")
	r.sees(".exchange:last-child .answer", "Oil is at 2.1 bar.")
	r.sees(".exchange:last-child .answer", "The engine is off")

	// A form of an answer is filled in and sent, also after the page was loaded again.
	r.says("show the pizza menu")
	r.sees(".answer form button", "Order it")
	r.checks("chat-form")
	r.reloads()
	r.sees(".answer form button", "Order it")
	r.inPage(`() => {
		const form = document.querySelector(".answer form");
		form.querySelector("select").value = "l";
		form.querySelector("[name=count]").value = "3";
		form.querySelector("[name=note]").value = "for nobody";
		return "";
	}`)
	r.presses(".answer form button")
	r.sees(".exchange:last-child .said", "You pressed “Order it”")
	r.sees(".exchange:last-child .answer", "Ordered.")
	if got := asked("order"); !slices.Equal(got, []string{`{"count":3,"gift":true,"size":"l"}`}) {
		t.Errorf("it was ordered with %q", got)
	}

	// What waits has its buttons where it is asked, and in the list that asks which one.
	v.chalie("tool", "trust", "check_engine", "--requires-approval")
	r.says("check the engine")
	r.sees(".exchange:last-child .approval", "May I use check_engine of counter?")
	r.says("what can you do?")
	r.says("check the engine")
	r.shows(".approval .decision", 2)
	r.says("yes")
	r.sees(".exchange:last-child .answer", "Which one?")
	r.shows(".exchange:last-child .answer button", 4)
	r.checks("chat-which")
	r.presses(".exchange:last-child .answer .buttons button:nth-child(4)")
	r.sees(".exchange:last-child .said", "You pressed “Refuse 2”")
	r.sees(".exchange:last-child .answer", "Refused, so it isn't done: check_engine of counter.")
	r.shows(".approval .decision", 1)

	// The same texts become the same blocks on an interface's page and in the conversation.
	const blocks = `async (text) => JSON.stringify((await import("/assets/data.js")).textBlocks(text))`
	for _, text := range []string{
		"It is grey.", `[{"day":"Mon","open":true},{"day":"Tue"}]`, `["milk", 3, null, {"a":[1,2]}]`, `{"open_days":["Mon","Tue"],"at":{"lat":35.91}}`,
		`{"total":2,"rows":[{"a":1},{"a":2}]}`, `42`, `[]`, `{}`, `[[],{}]`, strings.Repeat(`{"a":`, 6) + `1` + strings.Repeat(`}`, 6),
		strings.Repeat(`[`, 7) + strings.Repeat(`]`, 7), `{"a":1`, "{\"a\":1}\n{\"a\":2}", `{"a":1,"b":{"a":2,"a":3}}`, `{"a":"\"a\": b","b":"{"}`,
		`[` + strings.Repeat(`{"a":1},`, 21) + `{"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}]`, `[` + strings.Repeat(`1,`, 21) + `1]`, `["a\u202eb\u0007\nc"]`,
	} {
		var got []domain.Block
		if err := json.Unmarshal([]byte(r.inPage(blocks, text)), &got); err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(domain.TextBlocks(text))
		if err != nil {
			t.Fatal(err)
		}
		if same, err := json.Marshal(got); err != nil || !bytes.Equal(same, want) {
			t.Errorf("%.200s becomes\n%s, want\n%s", text, same, want)
		}
	}
	r.complaints()

	// Its tool, tried on the interface's page.
	r.does(chromedp.Navigate(v.address + "/interfaces"))
	r.presses(".name")
	r.sees("h1", "counter")
	for name, sees := range map[string]string{"list_trades": ".result table", "open_chart": `.result a.button[href="https://charts.example.com/aapl"]`} {
		r.inPage(`(name) => {
			const form = [...document.querySelectorAll("form.try")].find((f) => f.dataset.tool === name);
			form.closest("details").open = true;
			form.requestSubmit();
			return "";
		}`, name)
		r.shows(sees, 1)
	}
	r.checks("interface-answers")
	v.stop()
}
