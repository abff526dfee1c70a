package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// What came in is asked for by who said it, or when.
func TestWhatWasHeardIsAsked(t *testing.T) {
	for said, want := range map[string]string{
		"what did the bank say?":                                            `heard {"about":"bank"}`,
		"has the school written anything":                                   `heard {"about":"school"}`,
		"what did I miss?":                                                  "heard {}",
		"what did i miss this morning":                                      `heard {"during":"this morning"}`,
		"any news from Anna?":                                               `heard {"about":"Anna"}`,
		"what's the latest on my parcel":                                    `heard {"about":"parcel"}`,
		"what have you heard about the train?":                              `heard {"about":"train"}`,
		"did the bank say why they charged me for two transfers last week?": "-",
	} {
		p := asks(said)
		p.Tools = []language.Offered{{Name: "heard", Interface: "Chalie", Parameters: []domain.Parameter{{Name: "about", Type: domain.TypeString}, {Name: "during", Type: domain.TypeString}}}}
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}

// How all on a list is, or what something stands at, is asked of what was heard; how a person,
// the weather or Chalie is isn't.
func TestValuesAreAsked(t *testing.T) {
	for said, want := range map[string]string{
		"How's my portfolio?":                      `values {"of":"portfolio"}`,
		"How is my portfolio doing today":          `values {"during":"today","of":"portfolio"}`,
		"how are my plants doing?":                 `values {"of":"plants"}`,
		"how's the garden?":                        `values {"of":"garden"}`,
		"what about my packages?":                  `values {"of":"packages"}`,
		"what's my portfolio worth":                `values {"of":"portfolio","worth":true}`,
		"how much are my shares worth now?":        `values {"of":"shares","worth":true}`,
		"any change in my watchlist?":              `values {"of":"watchlist"}`,
		"has anything changed in the watchlist":    `values {"of":"watchlist"}`,
		"did my stock portfolio move this week":    `values {"during":"this week","of":"stock portfolio"}`,
		"is AAPL up?":                              `values {"of":"AAPL"}`,
		"is apple up today?":                       `values {"during":"today","of":"apple"}`,
		"are my stocks down":                       `values {"of":"stocks"}`,
		"how is bitcoin doing?":                    `values {"of":"bitcoin"}`,
		"what's MSFT at?":                          `values {"of":"MSFT"}`,
		"give me an update on my parcels":          `values {"of":"parcels"}`,
		"sum up my watchlist please":               `values {"of":"watchlist"}`,
		"how did my portfolio do yesterday":        `values {"during":"yesterday","of":"portfolio"}`,
		"Wie läuft mein Portfolio heute?":          `values {"during":"today","of":"Portfolio"}`,
		"Wie geht es meinen Pflanzen?":             `values {"of":"Pflanzen"}`,
		"Wie geht es dir?":                         "-",
		"¿Cómo van mis plantas?":                   `values {"of":"plantas"}`,
		"Où en est mon portefeuille ?":             `values {"of":"portefeuille"}`,
		"how's it going":                           "-",
		"how are you":                              "-",
		"how's the weather":                        "-",
		"how is the traffic near me?":              "-",
		"how is my mother":                         "-",
		"how is the stock market doing":            "-",
		"is Bob up?":                               "-",
		"how is your day":                          "-",
		"how are the roads in Broadway":            "-",
		"what is a peso worth in dollars":          "-",
		"how's about a reminder two days from now": "-",
	} {
		p := asks(said)
		p.Tools = []language.Offered{{Name: "values", Interface: "Chalie", Parameters: []domain.Parameter{
			{Name: "of", Type: domain.TypeString, Required: true}, {Name: "during", Type: domain.TypeString}, {Name: "worth", Type: domain.TypeBoolean}}}}
		if got := outline(reply(t, p)); got != want && (want != "-" || strings.Contains(got, "values")) {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
