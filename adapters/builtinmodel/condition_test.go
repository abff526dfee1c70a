package builtinmodel_test

import (
	"regexp"
	"strings"
	"testing"

	"chalie/domain"
)

// What is to be done when or if something is so that nobody here knows isn't done at once: it asks for a time to
// remind at. A time of day, a plan's time and a courtesy are no such condition, and what is only kept as a text has its
// words.
func TestWhatIsConditionalIsNotDone(t *testing.T) {
	const asks = "? I can't know when or whether that is so: “"
	inTongues := []string{"? Ich kann nicht wissen, wann oder ob das so ist: „", "? Je ne peux pas savoir quand ni si c'est le cas : «", "? No puedo saber cuándo ni si es así: «"}
	for _, c := range []struct {
		said string
		want string // what the reply begins with; "?" for the question about the condition
	}{
		{"If the sun is out on Sunday, cancel the museum visit", "?"},
		{"cancel the museum visit if the sun is out", "?"},
		{"unless Bea calls, cancel the rehearsal", "?"},
		{"if the sitter is ill, move the appointment with Tom to Friday at 9", "?"},
		{"move the appointment with Tom to Friday at 9 if the sitter is ill", "?"},
		{"should the train be late, cancel the rehearsal", "?"},
		{"should there be snow, cancel the rehearsal", "?"},
		{"when everybody is in bed, lock all doors", "?"},
		{"as soon as the bus is here, lock all doors", "?"},
		{"if nobody is home turn the light of the cellar off", "?"},
		{"if there is frost tonight, remind me to cover the roses", "?"},
		{"remind me if there is frost tonight to cover the roses", "?"},
		{"remind me to cover the roses if there is frost tonight", "?"},
		{"if we have no flour, put flour on the shopping list", "?"},
		{"on Sunday, if the sun is out, cancel the museum visit", "?"},
		{"in case of snow, cancel the rehearsal", "?"},
		{"wenn die Sonne scheint, sag den Termin im Museum ab", "?"},
		{"sag den Termin im Museum ab, falls die Sonne scheint", "?"},
		{"falls heute Nacht Frost kommt, erinnere mich an die Rosen", "?"},
		{"sobald alle schlafen, schließ alle Türen ab", "?"},
		{"setz Mehl auf die Einkaufsliste, wenn keins da ist", "?"},
		{"s'il gèle demain, rappelle-moi de couvrir les rosiers", "?"},
		{"quand tout le monde dort, verrouille toutes les portes", "?"},
		{"si Zoé est malade, annule le rendez-vous au musée", "?"},
		{"si hay helada mañana, recuérdame cubrir las rosas", "?"},
		{"cuando duerman todos, cierra con llave todas las puertas", "?"},
		{"si Bea no viene, cancela la cita en el museo", "?"},

		{"if you can, cancel the rehearsal", `appointment {"action":"cancel"`},
		{"if you have a minute, cancel the rehearsal", `appointment {"action":"cancel"`},
		{"wenn du Zeit hast, sag den Termin im Museum ab", `appointment {"action":"cancel"`},
		{"si tu peux, annule le rendez-vous au musée", `appointment {"action":"cancel"`},
		{"si puedes, cancela la cita en el museo", `appointment {"action":"cancel"`},
		{"when it's 5 pm remind me to cover the roses", "remind {"},
		{"remind me tomorrow at 8 to ask Tom if he is coming", "remind {"},
		{"remind me tomorrow at 9 to call Bea if she hasn't called", "remind {"},
		{"remember that the roses die if there is frost", "remember {"},
		{"if there is frost on Sunday, what do I have planned?", "plans {"},
		{"put “umbrellas if it rains” on the shopping list", "list {"},
	} {
		got := outline(reply(t, offers(t, c.said)))
		switch {
		case c.want != "?":
			if !strings.HasPrefix(got, c.want) {
				t.Errorf("%q: got %s, want %s", c.said, got, c.want)
			}
		case !strings.HasPrefix(got, asks) && !strings.HasPrefix(got, inTongues[0]) && !strings.HasPrefix(got, inTongues[1]) && !strings.HasPrefix(got, inTongues[2]):
			t.Errorf("%q: got %s, want the question about its condition", c.said, got)
		}
	}
}

// The answer with a time is a reminder of it, which does nothing itself.
func TestWhatIsConditionalIsRemindedOf(t *testing.T) {
	for _, c := range []struct{ said, answer, want string }{
		{"when everybody is in bed, lock all doors", "tonight at 11", `remind {"what":"when everybody is in bed, lock all doors","when":"tonight at 11"}`},
		{"sobald alle schlafen, schließ alle Türen ab", "heute um 23 Uhr", `remind {"what":"sobald alle schlafen, schließ alle Türen ab","when":"today at 23:00"}`},
		{"if there is frost tonight, remind me to cover the roses", "at 6 pm", `remind {"what":"cover the roses, if there is frost tonight","when":"at 6 pm"}`},
		{"when everybody is in bed, lock all doors", "yes", "? I have asked you nothing just now."},
	} {
		p := offers(t, c.said)
		p.Recent = append(p.Recent, answered(t, p))
		p.Asked.Text = c.answer
		p.Asked.From = domain.PrincipalOperator
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q, %q: got %s, want %s", c.said, c.answer, got, c.want)
		}
	}
}

// Who asks whether something was done, or should be, has nothing done.
func TestAskingDoesNothing(t *testing.T) {
	ends := regexp.MustCompile(`"action":"(?:cancel|move|remove|drop|clear|complete)"|^(?:remove|forget) `)
	for _, said := range []string{
		"Should the rehearsal be cancelled?", "should the appointment with Tom be moved to Friday at 9", "Should flour be removed from the shopping list?",
		"Should I cancel the rehearsal?", "Shall we move the rehearsal to Friday?", "Was the appointment with Tom moved to Friday?",
		"Has the rehearsal been cancelled?", "Must the appointment with Tom be moved?", "did you move the appointment with Tom to Friday at 9?",
		"Soll die Probe abgesagt werden?", "Wurde der Termin mit Tom verschoben?", "Faut-il annuler la répétition ?", "¿Hay que cancelar el ensayo?",
	} {
		if got := outline(reply(t, offers(t, said))); ends.MatchString(got) {
			t.Errorf("%q: got %s", said, got)
		}
	}
	for _, said := range []string{"Can the rehearsal be cancelled?", "could the appointment with Tom be moved to Friday at 9?"} { // asked politely
		if got := outline(reply(t, offers(t, said))); !ends.MatchString(got) {
			t.Errorf("%q: got %s", said, got)
		}
	}
}
