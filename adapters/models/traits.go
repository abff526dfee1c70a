package models

import (
	"regexp"
	"strings"

	"chalie/domain"
)

// Traits is what a model supports.
type Traits struct {
	Context   int  // tokens it reads and writes in all; 0 when it isn't known
	MaxOutput int  // tokens it is allowed to answer with
	Tools     bool // it can call tools
	Vision    bool // it sees images
	Schema    bool // it can be held to a JSON schema
	Price     Price
}

// Price is in millionths of a US dollar for a million tokens, so a dollar for a
// million tokens is 1,000,000. The zero Price is one that isn't known.
type Price struct{ Input, Output, CacheRead, CacheWrite int64 }

// PricesAsOf is when the prices below were read on the providers' pages. They
// change; the file of models overrides them.
const PricesAsOf = "2026-11-21"

// Cost is what usage costs, rounded up; 0 when the price isn't known.
func (p Price) Cost(u domain.Usage) int64 {
	const million = 1_000_000
	sum := int64(u.InputTokens)*p.Input + int64(u.OutputTokens)*p.Output +
		int64(u.CacheReadTokens)*p.CacheRead + int64(u.CacheWriteTokens)*p.CacheWrite
	return (sum + million - 1) / million
}

// IsKnown reports whether there is a price.
func (p Price) IsKnown() bool { return p != Price{} }

// cents makes a price of US cents for a million tokens. Reading from a cache
// costs a share of input, in percent; writing to it a quarter more than input.
func cents(input, output, cachedPercent int64) Price {
	const perCent = 10_000
	return Price{Input: input * perCent, Output: output * perCent,
		CacheRead: input * perCent * cachedPercent / 100, CacheWrite: input * perCent * 125 / 100}
}

// defaultMaxOutput leaves room for models that think before they answer: their
// thoughts count.
const defaultMaxOutput = 16_000

// claude and gpt are what the models of a provider have in common.
func claude(context int, p Price) Traits {
	return Traits{Context: context, MaxOutput: defaultMaxOutput, Tools: true, Vision: true, Schema: true, Price: p}
}

func gpt(context int, p Price) Traits {
	return Traits{Context: context, MaxOutput: defaultMaxOutput, Tools: true, Vision: true, Schema: true, Price: p}
}

// knownTraits are those of the models that were sold when this was written.
func knownTraits() map[string]Traits {
	const k, m = 1_000, 1_000_000
	older := claude(200*k, cents(1500, 7500, 10))
	older.Schema = false
	sonnet4 := claude(200*k, cents(300, 1500, 10))
	sonnet4.Schema = false
	return map[string]Traits{
		"claude-fable-5-1":  claude(m, cents(1000, 5000, 10)),
		"claude-opus-5-5":   claude(m, cents(400, 2000, 5)),
		"claude-sonnet-5-5": claude(m, cents(200, 1000, 10)),
		"claude-haiku-5-5":  claude(m, Price{}), // its price depends on how it is used
		"claude-opus-5":     claude(m, cents(500, 2500, 10)),
		"claude-sonnet-5":   claude(m, cents(200, 1000, 10)),
		"claude-opus-4-8":   claude(m, cents(500, 2500, 10)),
		"claude-opus-4-7":   claude(m, cents(500, 2500, 10)),
		"claude-opus-4-6":   claude(m, cents(500, 2500, 10)),
		"claude-sonnet-4-6": claude(m, cents(300, 1500, 10)),
		"claude-opus-4-5":   claude(200*k, cents(500, 2500, 10)),
		"claude-sonnet-4-5": claude(200*k, cents(300, 1500, 10)),
		"claude-haiku-4-5":  claude(200*k, cents(100, 500, 10)),
		"claude-opus-4-1":   older,
		"claude-sonnet-4":   sonnet4,

		"gpt-6-astra":   gpt(m, cents(1000, 5000, 10)),
		"gpt-6-sol":     gpt(m, cents(200, 1000, 10)),
		"gpt-6-luna":    gpt(m, cents(10, 50, 10)),
		"gpt-6.1-sol":   gpt(m, cents(200, 1000, 5)),
		"gpt-5.6-sol":   gpt(m, cents(500, 3000, 10)),
		"gpt-5.6-terra": gpt(m, cents(250, 1500, 10)),
		"gpt-5.6-luna":  gpt(m, cents(100, 600, 10)),
		"gpt-5.5":       gpt(m, cents(500, 3000, 10)),
		"gpt-5.4":       gpt(m, cents(250, 1500, 10)),
		"gpt-5.4-mini":  gpt(400*k, cents(75, 450, 10)),
		"gpt-5.4-nano":  gpt(400*k, cents(20, 125, 10)),
		"gpt-5.1":       gpt(400*k, cents(125, 1000, 10)),
		"gpt-5":         gpt(400*k, cents(125, 1000, 10)),
		"gpt-5-mini":    gpt(400*k, cents(25, 200, 10)),
		"gpt-5-nano":    gpt(400*k, cents(5, 40, 10)),
		"gpt-4.1":       gpt(m, cents(200, 800, 25)),
		"gpt-4.1-mini":  gpt(m, cents(40, 160, 25)),
		"gpt-4.1-nano":  gpt(m, cents(10, 40, 25)),
		"gpt-4o":        gpt(128*k, cents(250, 1000, 50)),
		"gpt-4o-mini":   gpt(128*k, cents(15, 60, 50)),
	}
}

// dated is the end of a name that says which day's build of a model is meant.
var dated = regexp.MustCompile(`-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$`)

// traitsOf is what is known of a choice. Of a model that isn't known it takes
// what is common, with no price; of a server of one's own it takes little.
func traitsOf(c Choice) Traits {
	if c.BaseURL == "" {
		if t, ok := knownTraits()[dated.ReplaceAllString(strings.ToLower(c.Model), "")]; ok {
			return t
		}
	}
	unknown := Traits{MaxOutput: 4_096, Tools: true}
	if c.BaseURL == "" {
		unknown.Context, unknown.MaxOutput, unknown.Vision = 128_000, 8_192, true
	}
	return unknown
}
