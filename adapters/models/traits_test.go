package models_test

import (
	"testing"

	"pgregory.net/rapid"

	"chalie/adapters/models"
	"chalie/domain"
)

func TestWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		choice string
		known  bool
		input  int64
	}{
		{"anthropic:claude-opus-5-5", true, 4_000_000},
		{"anthropic:claude-sonnet-4-5-20250929", true, 3_000_000},
		{"openai:gpt-5-2025-08-07", true, 1_250_000},
		{"openai:gpt-5-mini", true, 250_000},
		{"openai:gpt-5-pro", false, 0}, // not the price of gpt-5
		{"openai:gpt-4o-latest", true, 2_500_000},
		{"anthropic:claude-next", false, 0},
		{"openai:gpt-5@http://proxy.example", false, 0}, // it may be anything
		{"ollama:gpt-5", false, 0},
	} {
		got, err := models.ParseChoice(c.choice)
		if err != nil {
			t.Fatal(err)
		}
		if got.Traits.Price.IsKnown() != c.known || got.Traits.Price.Input != c.input || got.Traits.MaxOutput == 0 || !got.Traits.Tools {
			t.Errorf("of %s is known %+v", c.choice, got.Traits)
		}
	}
}

func TestCost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count, price := rapid.IntRange(0, 2_000_000), rapid.Int64Range(0, 200_000_000)
		p := models.Price{Input: price.Draw(t, "input"), Output: price.Draw(t, "output"), CacheRead: price.Draw(t, "read"), CacheWrite: price.Draw(t, "write")}
		u := domain.Usage{InputTokens: count.Draw(t, "in"), OutputTokens: count.Draw(t, "out"), CacheReadTokens: count.Draw(t, "cached"), CacheWriteTokens: count.Draw(t, "kept")}
		more := u
		more.OutputTokens++
		got := p.Cost(u)
		if got < 0 || p.Cost(more) < got || (models.Price{}).Cost(u) != 0 {
			t.Fatalf("it costs %d, and %d with a token more", got, p.Cost(more))
		}
		exact := int64(u.InputTokens)*p.Input + int64(u.OutputTokens)*p.Output + int64(u.CacheReadTokens)*p.CacheRead + int64(u.CacheWriteTokens)*p.CacheWrite
		if got*1_000_000 < exact || got*1_000_000 >= exact+1_000_000 {
			t.Fatalf("it costs %d, of exactly %d millionths", got, exact)
		}
	})
}
