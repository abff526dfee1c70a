package skill_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// signals appends a signal with all its words.
func (p *planner) signals(s domain.SignalReceived) {
	p.t.Helper()
	e, err := domain.New(domain.Begin(domain.TraceID{ID: p.ids.NewID()}, "iface"), p.ids.NewID(), p.now(), "test", s)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{e}}); err != nil {
		p.t.Fatal(err)
	}
	p.clock.Advance(10 * time.Minute)
}

func (p *planner) says(name, params string, want ...string) {
	p.t.Helper()
	if said := p.call(name, params); said != strings.Join(want, "\n") {
		p.t.Errorf("%s %s:\n%s\nwant\n%s", name, params, said, strings.Join(want, "\n"))
	}
}

// A portfolio is summed up by what was heard of its names over days, whoever said it in which words.
func TestValuesOfAList(t *testing.T) {
	p := newPlanner(t)
	p.call("list", `{"action":"add","list":"portfolio","item":"AAPL, MSFT, TSLA"}`)
	p.hears("nasdaq", "AAPL 229.00, MSFT 418")
	p.clock.Advance(22 * time.Hour)
	p.hears("nasdaq", "AAPL 230")
	p.hears("paper", "Apple is at $231.40, up 2 %")
	p.signals(domain.SignalReceived{SignalType: "price_update", Content: "a new price", Source: "exchange", ActivationEnergy: 0.3, Metadata: []byte(`{"symbol":"AAPL","price":232.4,"volume":18204331}`)})
	for range 150 { // more than the world remembers
		p.hears("rail", "The train is late")
	}
	want := []string{
		"What I have heard of your list portfolio:",
		"AAPL: 232.4 (exchange, today at 08:30), up 1.00 (0.4 %) from $231.40 today at 08:20, up 2.4 (1 %) since 230 today at 08:10.",
		"MSFT: 418 (nasdaq, on Saturday 21 November at 10:00), with none before to compare.",
		"TSLA: I have heard nothing of it in the last 30 days.",
	}
	p.says("values", `{"of":"portfolio"}`, "What I have heard of your list portfolio:",
		"AAPL: 232.4 (exchange, yesterday at 08:30), up 1.00 (0.4 %) from $231.40 yesterday at 08:20.",
		want[2], want[3])
	p.says("values", `{"of":"my portfolio","during":"yesterday"}`, "What I have heard of your list portfolio:",
		"AAPL: 232.4 (exchange, yesterday at 08:30), up 1.00 (0.4 %) from $231.40 yesterday at 08:20, up 2.4 (1 %) since 230 yesterday at 08:10.",
		strings.TrimSuffix(want[2], ".")+"; nothing yesterday.", want[3])
	p.says("values", `{"of":"watchlist","worth":true,"during":"today"}`, "What I have heard of your list portfolio:",
		"AAPL: 232.4 (exchange, yesterday at 08:30), up 1.00 (0.4 %) from $231.40 yesterday at 08:20; nothing today.",
		strings.TrimSuffix(want[2], ".")+"; nothing today.", want[3],
		"What it is worth in all I don't know: I haven't been told amounts.")
	p.says("values", `{"of":"AAPL"}`, "AAPL: 232.4 (exchange, yesterday at 08:30), up 1.00 (0.4 %) from $231.40 yesterday at 08:20.")
	done := p.ask("values", `{"of":"portfolio"}`)
	if len(done.Quotes) == 0 {
		t.Error("what signals said is foreign words, and isn't quoted as such")
	}
	if again := p.ask("values", `{"of":"portfolio"}`); *again.Result.Text != *done.Result.Text || string(again.Result.Data) != string(done.Result.Data) {
		t.Error("the same question at the same moment has another answer")
	}
}

// What all is worth is known where every name has an amount and a value.
func TestWorth(t *testing.T) {
	p := newPlanner(t)
	p.call("list", `{"action":"add","list":"portfolio","item":"10 AAPL, MSFT x 2"}`)
	p.hears("nasdaq", "AAPL $231.40")
	p.says("values", `{"of":"portfolio","worth":true}`, "What I have heard of your list portfolio:",
		"AAPL: $231.40 (nasdaq, 10 min ago), with none before to compare.", "MSFT: I have heard nothing of it in the last 30 days.",
		"What it is worth in all I don't know: of MSFT I lack the amount or a value.")
	p.hears("nasdaq", "MSFT $418.10")
	if said := p.call("values", `{"of":"portfolio","worth":true}`); !strings.HasSuffix(said, "By these amounts and the last values it is worth $3150.20 in all.") {
		t.Errorf("it says %q", said)
	}
	p.hears("lse", "MSFT 380 €")
	if said := p.call("values", `{"of":"portfolio","worth":true}`); !strings.HasSuffix(said, "the values aren't in one unit.") {
		t.Errorf("it says %q", said)
	}
}

// A memory has names, too, and what has no number has a state.
func TestValuesOfAMemory(t *testing.T) {
	p := newPlanner(t)
	p.call("remember", `{"what":"my plants are basil, mint and the fig"}`)
	p.signals(domain.SignalReceived{SignalType: "soil", Content: "moisture 34 %", Source: "basil-sensor", ActivationEnergy: 0.3})
	p.hears("garden", "basil: moisture 31 %, light 540 lux")
	p.hears("garden", "The mint looks dry")
	p.hears("garden", "The mint was watered")
	p.says("values", `{"of":"plants"}`, "What I have heard of what you told me, “my plants are basil, mint and the fig”:",
		"basil: moisture 31 %, light 540 lux (garden, 30 min ago), moisture down 3 points from 34 % 40 min ago, light with none before to compare.",
		"mint: “watered” (garden, 10 min ago), before “looks dry” 20 min ago.",
		"the fig: I have heard nothing of it in the last 30 days.")
	p.says("values", `{"of":"garden"}`, strings.Split(p.call("values", `{"of":"plants"}`), "\n")...)
	p.call("remember", `{"what":"AAPL and MSFT","about":"portfolio"}`)
	p.says("values", `{"of":"portfolio"}`, "What I have heard of what you told me, “AAPL and MSFT”:",
		"AAPL: I have heard nothing of it in the last 30 days.", "MSFT: I have heard nothing of it in the last 30 days.")
}

// Without a list or a memory it is told what senders of such signals said last.
func TestValuesOfASort(t *testing.T) {
	p := newPlanner(t)
	p.says("values", `{"of":"portfolio"}`, "There is no list or memory called “portfolio”, and I have heard nothing of it in the last 30 days.")
	p.hears("stock ticker", "AAPL 230, MSFT 418")
	p.hears("stock ticker", "AAPL 231.40, up 2 %")
	p.signals(domain.SignalReceived{SignalType: "price_update", Content: `{"symbol":"SAP","price":"201.50","currency":"EUR"}`, Source: "xetra", ActivationEnergy: 0.3})
	p.hears("rail", "The 9:15 train is late")
	p.says("values", `{"of":"portfolio"}`, "There is no list or memory called “portfolio”. What was said last of the sort:",
		"SAP: 201.50 (xetra, 20 min ago), with none before to compare.",
		"AAPL: 231.40 (stock ticker, 30 min ago), up 1.40 (0.6 %) from 230 40 min ago.",
		"MSFT: 418 (stock ticker, 40 min ago), with none before to compare.")
	p.says("values", `{"of":"train"}`, "train: “late” (rail, 10 min ago).")
	p.says("values", `{"of":""}`, "Of what should I tell the values? Name a list, a memory or a thing.")
}

// It reads five thousand signals back and says so, however many records are between them.
func TestValuesAreBounded(t *testing.T) {
	p := newPlanner(t)
	p.call("list", `{"action":"add","list":"portfolio","item":"AAPL, MSFT"}`)
	p.hears("nasdaq", "MSFT 418")
	var batch domain.Batch
	for i := range 5_010 {
		e, err := domain.New(domain.Begin(domain.TraceID{ID: p.ids.NewID()}, "iface"), p.ids.NewID(), p.now(), "test",
			domain.SignalReceived{SignalType: "price", Content: fmt.Sprintf("AAPL %d", i+1), Source: "nasdaq", ActivationEnergy: 0.3})
		if err != nil {
			t.Fatal(err)
		}
		if batch.Entries = append(batch.Entries, e); len(batch.Entries) == 501 {
			if _, err := p.log.Append(t.Context(), batch); err != nil {
				t.Fatal(err)
			}
			batch = domain.Batch{}
			p.clock.Advance(time.Minute)
		}
	}
	p.says("values", `{"of":"portfolio"}`, "What I have heard of your list portfolio:",
		"AAPL: 5010 (nasdaq, 1 min ago), up 1 (less than 0.1 %) from 5009 1 min ago, up 4999 (45445.5 %) since 11 10 min ago.",
		"MSFT: I have heard nothing of it in the last 30 days.",
		"I read back 5000 signals, to today at 10:10: what was said before isn't in this.")
	p.clock.Advance(31 * 24 * time.Hour)
	p.says("values", `{"of":"portfolio"}`, "What I have heard of your list portfolio:",
		"AAPL: I have heard nothing of it in the last 30 days.", "MSFT: I have heard nothing of it in the last 30 days.")
}
