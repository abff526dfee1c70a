package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// TestAskingInPages chooses on the page of an interface when a tool asks, and says yes by a
// button to a question that is asked once.
func TestAskingInPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	p := startProgram(t, "Board")
	p.on("/capabilities", saying(`[{"name":"list_shapes","description":"List the shapes on the board.","parameters":[]},
		{"name":"pay","description":"Pays for the board.","parameters":[]}]`))
	id := v.pair(p).ID
	r.setsUp(v)

	// The page says what it comes to, and three buttons change it.
	r.does(chromedp.Navigate(v.address + "/interfaces/" + id.UUID()))
	r.presses("#tool-1 summary")
	r.sees("#tool-1 .choosing", "Asked each time: it may move money.")
	r.sees("#tool-1 .choosing [aria-pressed=true]", "As I say it")
	r.sees("#tool-1 .badge", "asks you first")
	r.checks("interface-asking")
	r.pressesAndWaits("#tool-1 .choosing button:last-child")
	r.sees("#tool-1[open] .choosing", "Done when you say it: you said it needn't ask.")
	r.sees("#tool-1 .choosing [aria-pressed=true]", "Don't ask")
	if said := v.trusts(id, "pay"); said == nil || said.Ask == nil || *said.Ask != domain.AskNever {
		t.Errorf("of the tool is said %+v", said)
	}
	r.pressesAndWaits("#tool-1 .choosing button:first-child")
	r.sees("#tool-1[open] .choosing", "Asked each time: you chose that.")
	r.pressesAndWaits("#tool-1 .choosing button:nth-child(2)")
	r.sees("#tool-1[open] .choosing", "Asked each time: it may move money.")
	if said := v.trusts(id, "pay"); said != nil {
		t.Errorf("of the tool is said %+v", said)
	}

	// The button is a yes for the future, too.
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line", "Connected")
	r.says("which shapes are there?")
	r.sees(".answer", "May I ask Board this from now on? Say yes.")
	if p.times("/execute") != 0 || v.trusts(id, "list_shapes") != nil {
		t.Error("it was asked before anybody said yes")
	}
	r.presses(".answer button")
	r.sees(".pressed-it", "You pressed “Ask Board?”")
	r.shows(".pressed-it dd", 0)
	r.sees(".exchange:last-child .answer", "done")
	r.does(chromedp.Navigate(v.address + "/interfaces/" + id.UUID()))
	r.presses("#tool-0 summary")
	r.sees("#tool-0 .choosing", "Done when you say it: you said it needn't ask.")
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line", "Connected")
	r.says("which shapes are there?")
	r.sees(".exchange:last-child .answer", "“list_shapes” of Board answers:")
	if p.times("/execute") != 2 {
		t.Errorf("it was asked %d times", p.times("/execute"))
	}
	r.does(chromedp.Navigate(v.address + "/system/policy"))
	r.sees("main", strings.ReplaceAll("You say of ID/list_shapes: it needn't ask.", "ID", id.UUID()))
	v.stop()
}
