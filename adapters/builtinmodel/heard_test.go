package builtinmodel_test

import (
	"testing"

	"chalie/commands/reasoning"
	"chalie/domain"
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
		p.Tools = []reasoning.Offered{{Name: "heard", Interface: "Chalie", Parameters: []domain.Parameter{{Name: "about", Type: domain.TypeString}, {Name: "during", Type: domain.TypeString}}}}
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
