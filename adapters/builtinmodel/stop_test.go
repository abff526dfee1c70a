package builtinmodel_test

import (
	"context"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// asked is a context that ends when it was asked so often whether it has.
type asked struct {
	context.Context
	left, times int
}

func (c *asked) Err() error {
	if c.times++; c.times > c.left {
		return context.Canceled
	}
	return nil
}

// A reply that nobody waits for any more ends in its midst, wherever it is, and answers nothing.
func TestAReplyIsGivenUpInItsMidst(t *testing.T) {
	const (
		ever   = 1 << 30
		behind = 24 // looks on the way out, at each of which nothing more is read
	)
	for _, c := range []struct {
		name, text string
		steers     []string
	}{
		{"a list", strings.Repeat("milk, eggs, ", 30), nil},
		{"several requests", strings.Repeat("remind me to call Bob, and ", 12), nil},
		{"what was added", "remind me to call Bob", []string{"no, Anna", "and put milk on the list", "and eggs, too"}},
		{"in German", "Erinnere mich morgen um 8 an den Zahnarzt und setz Milch auf die Einkaufsliste", nil},
	} {
		p := offers(t, c.text)
		p.Steers, p.Recent = c.steers, []language.Turn{{Prompt: c.text, Reply: "Hello.", RecordedAt: noon - 60_000}}
		whole := &asked{Context: t.Context(), left: ever}
		if _, err := model.Reply(whole, p); err != nil {
			t.Fatal(err)
		}
		if whole.times < 5 {
			t.Errorf("%s: it looks %d times whether it is given up", c.name, whole.times)
		}
		for left := range whole.times {
			ctx := &asked{Context: t.Context(), left: left}
			r, err := model.Reply(ctx, p)
			if domain.CodeOf(err) != "cancelled" || len(r.ToolCalls)+len(r.Blocks) > 0 {
				t.Fatalf("%s, given up at look %d of %d: %v, %v", c.name, left, whole.times, r, err)
			}
			if more := ctx.times - left; more > behind {
				t.Fatalf("%s, given up at look %d of %d: it goes on for %d more", c.name, left, whole.times, more)
			}
		}
	}
}
