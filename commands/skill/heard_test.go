package skill_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// hears appends a signal, and moves the clock on.
func (p *planner) hears(source, content string) {
	p.t.Helper()
	e, err := domain.New(domain.Begin(domain.TraceID{ID: p.ids.NewID()}, "iface"), p.ids.NewID(), p.now(), "test",
		domain.SignalReceived{SignalType: "news", Content: content, Source: source, ActivationEnergy: 0.4})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
		p.t.Fatal(err)
	}
	p.clock.Advance(10 * time.Minute)
}

func TestHeard(t *testing.T) {
	p := newPlanner(t)
	if said := p.call("heard", `{}`); said != "I have heard nothing." {
		t.Errorf("at first: %q", said)
	}
	p.hears("bank", "Your card was\ndeclined at “Luigi's”")
	p.hears("rail", "The 9:15 train is late")
	for _, c := range []struct{ params, want string }{
		{`{}`, "rail, 10 min ago: “The 9:15 train is late”\nbank, 20 min ago: “Your card was declined at \"Luigi's\"”"},
		{`{"about":"the bank"}`, "bank, 20 min ago: “Your card was declined at \"Luigi's\"”"},
		{`{"about":"train","during":"today"}`, "rail, 10 min ago: “The 9:15 train is late”"},
		{`{"during":"yesterday"}`, "I have heard nothing yesterday."},
		{`{"about":"my doctor"}`, `I have heard nothing about or from "my doctor".`},
	} {
		done := p.ask("heard", c.params)
		if said := *done.Result.Text; said != c.want {
			t.Errorf("%s: %q, want %q", c.params, said, c.want)
		}
		if quotes := len(done.Quotes) > 0; quotes != strings.Contains(c.want, "“") {
			t.Errorf("%s quotes %v", c.params, done.Quotes)
		}
	}
	for range 20 {
		p.hears("ticker", "tick")
	}
	if said := p.call("heard", `{}`); !strings.HasSuffix(said, "and 14 more") || strings.Count(said, "\n") != 8 {
		t.Errorf("of many it tells %q", said)
	}
}

// What programs told within a day stands among what was heard, and in the status, with its sender.
func TestMessagesAreTold(t *testing.T) {
	p := newPlanner(t)
	p.sends("hilltop", "Your appointment moved to 3pm.")
	want := "hilltop, just now: “Your appointment moved to 3pm.”"
	if got := p.call("heard", `{}`); got != want {
		t.Errorf("heard is %q", got)
	}
	if got := p.call("heard", `{"about":"hilltop"}`); got != want {
		t.Errorf("from hilltop it heard %q", got)
	}
	if got := p.call("status", `{}`); !strings.HasPrefix(got, "Messages: "+want) {
		t.Errorf("the status is %q", got)
	}
}

// A program that sends more in a day than is read of it is told by the latest.
func TestTheLatestMessagesAreTold(t *testing.T) {
	p := newPlanner(t)
	for i := range 1100 {
		p.clock.Advance(time.Minute)
		p.sends("hilltop", fmt.Sprintf("The sauna has %d degrees.", i))
	}
	if got := p.call("heard", `{"about":"hilltop"}`); !strings.Contains(got, "1099 degrees") {
		t.Errorf("it heard %q", got)
	}
}

// sends has a program send a message.
func (p *planner) sends(name, text string) {
	p.t.Helper()
	e, err := domain.New(domain.Begin(domain.TraceID{ID: p.ids.NewID()}, "iface"), p.ids.NewID(), p.now(), domain.Source("interface/"+name), domain.MessageReceived{Text: text, Source: name})
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
		p.t.Fatal(err)
	}
}
