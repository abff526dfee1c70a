package main

import (
	"slices"
	"strings"
	"testing"
)

// TestTools says the project's own requests for tools of programs.
func TestTools(t *testing.T) {
	for _, name := range ownToolboxes {
		t.Run(name, func(t *testing.T) { sayToolRequests(t, name) })
	}
}

func sayToolRequests(t *testing.T, name string) {
	dir, text, err := ownToolRequests(name)
	if err != nil {
		t.Fatal(err)
	}
	all, err := readToolRequests(text)
	if err != nil {
		t.Fatal(err)
	}
	const least = 100
	if len(all) < least {
		t.Errorf("there are %d requests, want %d", len(all), least)
	}
	h, err := newToolHouse(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	sum, said := toolTally{}, map[string]int{}
	for _, r := range all {
		plain := strings.ToLower(strings.TrimRight(r.sentence, ".!? "))
		if first, twice := said[plain]; twice {
			t.Errorf("lines %d and %d say the same: %s", first, r.line, r.sentence)
		}
		said[plain] = r.line
		came, err := h.ask(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		sum.add(came)
		if came.verdict == vWrong {
			t.Logf("line %d: %q: %v %q", r.line, r.sentence, came.calls, came.text)
		}
	}
	t.Log(sum)
	if err := sum.holds(); err != nil {
		t.Errorf("%s: %v", sum, err)
	}
}

// What is Chalie's own stays so where tools are offered that speak of the same.
func TestToolsLeaveWhatIsOurs(t *testing.T) {
	all, err := readOwn()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range ownToolboxes {
		t.Run(name, func(t *testing.T) { sayOwnBeside(t, name, all) })
	}
}

func sayOwnBeside(t *testing.T, name string, all []request) {
	dir, _, err := ownToolRequests(name)
	if err != nil {
		t.Fatal(err)
	}
	h, err := newToolHouse(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	said, taken := 0, 0
	for i, r := range all {
		if r.family == "other" || i%3 > 0 {
			continue
		}
		said++
		came, err := h.ask(t.Context(), toolRequest{sentence: r.sentence})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(append(came.calls, came.offers...), h.isForeign) {
			taken++
			t.Logf("%q: %v %v", r.sentence, came.calls, came.offers)
		}
	}
	if 100*taken > said {
		t.Errorf("tools take %d of %d sentences for Chalie's own skills", taken, said)
	}
}

// A wrong call is noticed, and so is a wrong parameter.
func TestJudgeTools(t *testing.T) {
	dir, _, err := ownToolRequests(ownToolboxes[0])
	if err != nil {
		t.Fatal(err)
	}
	h, err := newToolHouse(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	sold := toolCall{"add_to_cart", map[string]any{"product": "soap"}}
	looked := toolCall{"get_quote", map[string]any{"symbol": "AAPL"}}
	own := toolCall{"plans", map[string]any{}}
	for _, c := range []struct {
		want    string
		came    toolOutcome
		verdict string
		changes bool
	}{
		{`get_quote {"symbol":"aapl"}`, toolOutcome{calls: []toolCall{looked}}, vRight, false},
		{`get_quote {"symbol":["apple","AAPL"]}`, toolOutcome{calls: []toolCall{looked}}, vRight, false},
		{`get_quote {"symbol":"TSLA"}`, toolOutcome{calls: []toolCall{looked}}, vWrong, false},
		{`get_quote {"symbol":"AAPL","period":"1d"}`, toolOutcome{calls: []toolCall{looked}}, vWrong, false},
		{`get_quote {"symbol":"AAPL"}`, toolOutcome{calls: []toolCall{looked, sold}}, vWrong, true},
		{`offer get_quote {"symbol":"AAPL"}`, toolOutcome{calls: []toolCall{looked}}, vWrong, false},
		{`offer get_quote {"symbol":"AAPL"}`, toolOutcome{offers: []toolCall{looked}}, vRight, false},
		{`get_quote {"symbol":"AAPL"}`, toolOutcome{offers: []toolCall{looked}}, vAsked, false},
		{"ask", toolOutcome{asks: true}, vRight, false},
		{"ask", toolOutcome{calls: []toolCall{sold}, asks: true}, vWrong, true},
		{"own", toolOutcome{calls: []toolCall{own}}, vRight, false},
		{"own", toolOutcome{calls: []toolCall{looked}}, vWrong, false},
		{"left", toolOutcome{text: "I'm not sure."}, vRight, false},
		{"left || ask", toolOutcome{calls: []toolCall{own}}, vWrong, false},
	} {
		all, err := readToolRequests("shop\tsomething\t" + c.want)
		if err != nil {
			t.Fatal(err)
		}
		h.judge(all[0], &c.came)
		if c.came.verdict != c.verdict || c.came.changes != c.changes {
			t.Errorf("%s, and %v %v came: %s %v", c.want, c.came.calls, c.came.offers, c.came.verdict, c.came.changes)
		}
	}
	for _, bad := range []string{"", "get_quote", "offer", "get_quote {", "ask || "} {
		if _, err := readToolRequests("shop\tsomething\t" + bad); err == nil {
			t.Errorf("%q is taken for an expectation", bad)
		}
	}
}
