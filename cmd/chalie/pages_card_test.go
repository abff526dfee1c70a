package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chalie/domain"
)

// TestCardsInPages reads what was told of two plans at once, as a card each, and answers with
// their buttons: it moves a plan, asks for more, and wants neither that news nor its like again.
func TestCardsInPages(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), idling...)
	v.ready()
	v.chalie("say", "remind me tomorrow at 10:40 of the flight LH402 to Newark")
	v.chalie("say", "remind me tomorrow at 20:00: dinner reservation at Luigi's")
	token := v.issueToken()
	heard := []string{
		`{"signal_type":"flight_status","source":"airport","activation_energy":0.6,"content":"LH402 to Newark now departs at 11:25"}`,
		`{"signal_type":"opening_hours","source":"Luigi's","activation_energy":0.6,"content":"Luigi's is closed tomorrow: the oven broke"}`,
	}
	v.wants(http.StatusOK, http.MethodPost, "/api/signals/batch", "["+strings.Join(heard, ",")+"]", "Authorization: Bearer "+token)
	v.cycle(v.awaits("signal.received", len(heard))[1].Position, 0)
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line", "Connected")
	const heading = "section :is(h2, h3, h4, h5)"
	r.sees(heading, "Your flight now departs at 11:25")
	r.sees(heading, "Luigi's is closed tomorrow: dinner reservation at Luigi's")
	r.shows("section button", 7)
	r.checks("chat-cards")

	// Each card is answered by itself.
	const flight, dinner = "section:has(button:nth-of-type(4)) ", "section:not(:has(button:nth-of-type(4))) "
	r.presses(flight + "button:nth-of-type(1)")
	r.sees(".answer", "the flight LH402 to Newark")
	v.awaits("reminder.changed", 1)
	if plans := v.chalie("plans", "list"); !strings.Contains(plans, "11:25") {
		t.Errorf("the plans are\n%s", plans)
	}
	r.presses(dinner + "button:nth-of-type(1)")
	r.sees(".answer", "What ties them")
	r.presses(dinner + "button:nth-of-type(2)")
	r.sees(".answer", "I won't bring that up again")
	r.presses(dinner + "button:nth-of-type(3)")
	r.sees(".answer", "I won't tell you unasked of “opening hours” from Luigi's any more")
	r.checks("chat-cards-answered")
	r.does(chromedp.Navigate(v.address + "/system/settings"))
	r.sees("[aria-labelledby=silenced]", "opening_hours")
	r.checks("system-settings-silenced")
	r.pressesAndWaits("[aria-labelledby=silenced] button")
	r.sees("[aria-labelledby=silenced]", "Nothing is kept back")
	why := v.chalie("why", v.told().UUID())
	for _, want := range []string{`Chalie told you "`, "Your flight now departs at 11:25", `you pressed "Move it to `, `you pressed "Not this"`} {
		if !strings.Contains(strings.Join(strings.Fields(why), " "), want) {
			t.Errorf("why doesn't tell %q:\n%s", want, why)
		}
	}
}

// told is the conclusion that told something unasked first.
func (v *victim) told() domain.ID {
	v.t.Helper()
	for _, rec := range v.awaits("reasoning.concluded", 1) {
		if c, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope); err == nil && c.Outcome == domain.OutcomeSurfaced {
			return rec.Envelope.ID
		}
	}
	v.t.Fatal("nothing was told")
	return domain.ID{}
}
