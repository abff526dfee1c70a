package concern_test

import (
	"fmt"
	"testing"

	"chalie/domain/language/concern"
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
		{"ok, move it", two, true, "[0 1] which"}, {"move it to 4pm", two, true, "[]"}, {"move it", two, false, "[]"},
		{"yes", two, true, "[]"}, {"the blood test", two, true, "[1]"}, {"yes, the dentist", two, true, "[0]"}, {"move both", two, true, "[0 1]"},
	} {
		taken, which := concern.Taken(c.text, c.choices, c.bare)
		got := fmt.Sprint(taken)
		if which {
			got += " which"
		}
		if got != c.want {
			t.Errorf("%q takes %s, want %s", c.text, got, c.want)
		}
	}
}

// TestTakesOther has what takes the offer to look for another one.
func TestTakesOther(t *testing.T) {
	for _, c := range []struct {
		text string
		bare bool
		want bool
	}{
		{"find another restaurant", false, true}, {"Yes, find another restaurant please.", false, true}, {"look for another table", false, true},
		{"find alternatives", true, true}, {"find alternatives", false, false}, {"ok find me another one", true, true}, {"can you find another restaurant?", false, true},
		{"find a restaurant", true, true}, {"find a restaurant", false, false},
		{"such ein anderes Restaurant", false, true}, {"Ja, such uns bitte Alternativen", true, true}, {"kannst du einen anderen Tisch finden?", false, true},
		{"cherche un autre restaurant", false, true}, {"oui, trouve-nous une autre table", false, true},
		{"busca otro restaurante", false, true}, {"sí, búscame otra mesa", false, true},
		{"find another Thai restaurant", true, false}, {"find another hotel", true, false}, {"cancel the other table", true, false}, {"no, find nothing", true, false}, {"restaurant", true, false}, {"", true, false},
	} {
		if got := concern.TakesOther(c.text, "restaurant table Tisch mesa", c.bare); got != c.want {
			t.Errorf("%q, bare %t: takes it %t, and should %t", c.text, c.bare, got, c.want)
		}
	}
}
