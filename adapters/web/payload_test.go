package web

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
)

// read is facts as "label=text", those of a list in brackets.
func read(facts []fact) string {
	var out []string
	for _, f := range facts {
		text := f.Text
		switch {
		case f.Parts != nil:
			text = "[" + read(f.Parts) + "]"
			if f.Many() {
				text = f.Count()
			}
		case f.Start() != "":
			text = fmt.Sprintf("%d of %d", len([]rune(f.Start())), len([]rune(f.Text)))
		}
		if f.Label != "" {
			text = f.Label + "=" + text
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

func TestPayloadsAreFolded(t *testing.T) {
	for in, want := range map[string]string{
		`{"tools":["a","b"],"n":[1,2.50]}`:                 "Tools=a, b; N=1, 2.50",
		`{"long":["` + strings.Repeat("x", 41) + `","y"]}`: "Long=[" + strings.Repeat("x", 41) + "; y]",
		`{"text":"` + strings.Repeat("ä", 240) + `"}`:      "Text=" + strings.Repeat("ä", 240),
		`{"text":"` + strings.Repeat("ä", 300) + `"}`:      "Text=241 of 300",
		`{"items":[{"a":1},{"a":2},{"a":3}]}`:              "Items=[[A=1]; [A=2]; [A=3]]",
		`{"items":[{"a":1},{"a":2},{"a":3},{"a":4}]}`:      "Items=4 entries",
		`{"weight":700000}`:                                "Weight=700000",
	} {
		if got := read(readingOf(domain.Envelope{Type: "tool.completed", Payload: domain.JSONPayload([]byte(in))}).Facts); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
	const started = `{"world":{"items":[{"salience":890903,"bonus":5}]}}`
	if got := read(readingOf(domain.Envelope{Type: "reasoning.started", Payload: domain.JSONPayload([]byte(started))}).Facts); got != "World=[Items=[[Salience=89.1 %; Bonus=0.0 %]]]" {
		t.Errorf("scores are %s", got)
	}
}
