package relate_test

import (
	"testing"

	"chalie/domain/relate"
)

// What news may answer is asked of the world, and neither of Chalie nor of a clock.
func TestAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"is there petrol at the Shell on Ngong Road?": true,
		"when is the strike over?":                    true,
		"is the U4 running again":                     true,
		"what did the bank say?":                      true,
		"Any news of the ferry":                       true,
		"did Borussia win?":                           true,
		"where is the spare key?":                     true,
		"¿cuándo acaba la huelga?":                    true,

		"buy milk":                         false,
		"remind me to call Bob at 5":       false,
		"can you remind me to call Bob?":   false,
		"could you turn the lights off?":   false,
		"what time is it in Tokyo?":        false,
		"what's the date":                  false,
		"what’s the time in Nairobi?":      false,
		"what's 15% of 80?":                false,
		"how many ounces in a pound?":      false,
		"who is Bob?":                      false,
		"what's on my shopping list?":      false,
		"when is my dentist appointment?":  false,
		"what is next?":                    false,
		"how are you?":                     false,
		"am I free on Friday":              false,
		"what do I have planned for June?": false,
		"":                                 false,
		"?":                                true,
	} {
		if got := relate.Asks(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
