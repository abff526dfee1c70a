package gauge

import (
	"regexp"
	"slices"
	"strings"

	"chalie/domain/language/bynames"
)

// consists are words between what a memory is about and the names in it.
var consists = regexp.MustCompile(`(?i)^\s*(?:(?:is|are|has|have|contains?|holds?|includes?|consists? of|is made up of|:|=|-)\s*)+(?:(?:the|these|following|names|shares|stocks|of)\b[\s:]*)*`)

// maxSubject bounds the words that something is called by.
const maxSubject = 6

// NamesIn are the names that a memory has under what it is called by, in its text or by what it is about: "my
// portfolio is AAPL and MSFT". stated is what the text says of its subject, or all of it.
func NamesIn(text, stated, about, called string) []string {
	words := strings.Fields(text)
	want := bynames.Stems(called)
	for end := 1; end <= min(len(words)-1, maxSubject); end++ {
		subject := strings.Join(words[:end], " ")
		if !slices.Equal(bynames.Stems(subject), want) {
			continue
		}
		rest := text[strings.Index(text, words[end-1])+len(words[end-1]):]
		if strings.HasSuffix(words[end-1], ":") {
			rest = ":" + rest
		}
		if link := consists.FindString(rest); link != "" {
			return bynames.Items(strings.ReplaceAll(strings.TrimRight(rest[len(link):], ". !"), " and ", ", "))
		}
	}
	if about != "" && slices.Equal(bynames.Stems(about), want) && !strings.ContainsAny(text, ".!?") {
		if several := bynames.Items(strings.ReplaceAll(stated, " and ", ", ")); len(several) > 1 {
			return several
		}
	}
	return nil
}

// sorts are words that people use for the same sort of thing, and that signals of it have.
var sorts = [][]string{
	{"portfolio", "watchlist", "stocks", "shares", "investments", "holdings", "tickers"},
	{"garden", "plants", "flowers", "pots", "herbs"},
	{"packages", "parcels", "deliveries", "shipments", "orders"},
	{"crypto", "coins", "cryptocurrencies"},
	{"home", "house", "rooms"},
}

// heardAs are the words that signals of a sort have besides, by its first word.
var heardAs = map[string][]string{
	"portfolio": {"portfolio", "watchlist", "stock", "stocks", "share", "shares", "price", "prices", "quote", "quotes", "ticker", "market", "markets"},
	"garden":    {"garden", "plant", "plants", "soil", "moisture", "pot"},
	"packages":  {"package", "packages", "parcel", "parcels", "delivery", "shipment", "tracking", "courier"},
	"crypto":    {"crypto", "coin", "coins"},
}

// SameSort are other words for what something is called.
func SameSort(of string) []string {
	for _, sort := range sorts {
		for _, w := range sort {
			if slices.Equal(bynames.Stems(w), bynames.Stems(of)) {
				return slices.DeleteFunc(slices.Clone(sort), func(o string) bool { return o == w })
			}
		}
	}
	return nil
}

// Senses are the words of which a signal of the sort has one.
func Senses(of string) [][]string {
	out := [][]string{bynames.TellingWords(of)}
	for _, sort := range sorts {
		if !slices.ContainsFunc(sort, func(w string) bool { return slices.Equal(bynames.Stems(w), bynames.Stems(of)) }) {
			continue
		}
		for _, w := range heardAs[sort[0]] {
			out = append(out, []string{w})
		}
	}
	return out
}
