package concern_test

import (
	"fmt"
	"testing"

	"chalie/domain/concern"
)

// TestTaken has which of what is offered an answer takes.
func TestTaken(t *testing.T) {
	one := []concern.Choice{{Action: "move", About: "Zahnarzt dentist dentista MRI scan"}}
	two := []concern.Choice{{Action: "move", About: "dentist"}, {Action: "move", About: "blood test"}}
	for _, c := range []struct {
		text    string
		choices []concern.Choice
		bare    bool
		want    string
	}{
		{"yes", one, true, "[0]"}, {"yes", one, false, "[]"}, {"ja bitte", one, true, "[0]"},
		{"ok move it in my calendar", one, true, "[0]"}, {"ja, verschieb den zahnarzt", one, true, "[0]"},
		{"ok décale-le dans mon agenda", one, true, "[0]"}, {"sí, mueve la del dentista", one, true, "[0]"},
		{"move the dentist", one, false, "[0]"}, {"move it", one, false, "[]"},
		{"move it to 4pm", one, true, "[]"}, {"cancel it", one, true, "[]"}, {"move my lunch", one, true, "[]"}, {"no", one, true, "[]"},
		{"should I move it?", one, true, "[]"},
		{"yes", two, true, "[]"}, {"the blood test", two, true, "[1]"}, {"yes, the dentist", two, true, "[0]"}, {"move both", two, true, "[0 1]"},
	} {
		if got := fmt.Sprint(concern.Taken(c.text, c.choices, c.bare)); got != c.want {
			t.Errorf("%q takes %s, want %s", c.text, got, c.want)
		}
	}
}
