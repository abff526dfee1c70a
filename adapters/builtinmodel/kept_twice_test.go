package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// TestKeptTwice asks where an appointment is to be cancelled that is in the plans and that a program may
// keep, too.
func TestKeptTwice(t *testing.T) {
	department := text("department", true, "Department")
	schema := []byte(`{"type":"object","properties":{"department":{"type":"string","description":"Department","enum":["cardiology","radiology"]}},"required":["department"]}`)
	hospital := language.Offered{Name: "cancel_appointment", Interface: "Northfield", Description: "Cancel the patient's appointment at Northfield Hospital.", SideEffects: true, Parameters: []domain.Parameter{department}, Schema: schema}
	for _, c := range []struct {
		said string
		has  domain.ItemKind
		want string
	}{
		{"cancel my cardiology appointment", domain.ItemAppointment, "? I have such an appointment in your plans, and “cancel_appointment” of Northfield, for the hospital, may keep it, too. Where should it be cancelled?"},
		{"cancel my cardiology appointment", domain.ItemTask, `cancel_appointment {"department":"cardiology"}`},
		{"cancel my cardiology appointment at the hospital", domain.ItemAppointment, `cancel_appointment {"department":"cardiology"}`},
		{"cancel the cardiology appointment in my calendar", domain.ItemAppointment, `appointment {"action":"cancel","which":"cardiology"}`},
	} {
		p := offers(t, c.said)
		p.Tools = append(skillsOffered(t), hospital)
		p.Out = []domain.SeenItem{{Kind: c.has, Phase: domain.PhasePending, Gate: domain.GateBelowThreshold}}
		if got := outline(reply(t, p)); got != c.want {
			t.Errorf("%q beside a %s: got %s, want %s", c.said, c.has, got, c.want)
		}
	}
	p := offers(t, "cancel my cardiology appointment")
	p.Tools = append(skillsOffered(t), hospital)
	p.Out = []domain.SeenItem{{Kind: domain.ItemAppointment, Phase: domain.PhasePending, Gate: domain.GateBelowThreshold}}
	if b := domain.PressablesIn(reply(t, p).Blocks); len(b) != 2 || b[0].Label != "In my plans" || b[1].Label != "At Northfield, the hospital" {
		t.Errorf("its buttons are %+v", b)
	}
	p = offers(t, "Cancel my appointment.")
	p.Tools = append(skillsOffered(t), hospital)
	p.World = []language.ContextItem{{SeenItem: domain.SeenItem{Kind: domain.ItemAppointment, Phase: domain.PhasePending, Salience: domain.One}, Label: "dinner at Luigi's"}}
	if got, want := outline(reply(t, p)), "? I would use “cancel_appointment” of Northfield, and need to know: department"; !strings.HasPrefix(got, want) {
		t.Errorf("beside a dinner it says %s, want %s", got, want)
	} // So it is where the tool lacks nothing, and with no appointment in the plans.
	free := hospital
	free.Parameters, free.Schema = nil, nil
	p.Tools = append(skillsOffered(t), free)
	for range 2 {
		if got := outline(reply(t, p)); got != "cancel_appointment {}" {
			t.Errorf("beside %d plans it says %s", len(p.World), got)
		}
		p.World = nil
	}
}

// TestKeptTwiceInAllLanguages has it asked, and answered by the words of a button, in each of them.
func TestKeptTwiceInAllLanguages(t *testing.T) {
	hospital := language.Offered{Name: "cancel_appointment", Interface: "Northfield", Description: "Cancel the patient's appointment at Northfield Hospital.", SideEffects: true}
	here := `appointment {"action":"cancel"}`
	for _, c := range []struct {
		said, ask    string
		mine, theirs string // the words of the buttons
		there, at    string // what says it at once, and the other's kind of house
	}{
		{"cancel my appointment", "I have such an appointment in your plans, and “cancel_appointment” of Northfield, for the hospital, may keep it, too. Where should it be cancelled?",
			"In my plans", "At Northfield, the hospital", "cancel my appointment at the hospital", "at the hospital, please"},
		{"Sag meinen Termin ab", "Einen solchen Termin habe ich in deinen Plänen, und „cancel_appointment“ von Northfield, dem Krankenhaus, führt ihn vielleicht auch. Wo soll er abgesagt werden?",
			"In meinen Plänen", "Bei Northfield, dem Krankenhaus", "Sag meinen Termin im Krankenhaus ab", "im Krankenhaus bitte"},
		{"Annule mon rendez-vous", "J'ai un tel rendez-vous dans tes plans, et «cancel_appointment» de Northfield, l'hôpital, l'a peut-être aussi. Où faut-il l'annuler ?",
			"Dans mes plans", "Chez Northfield, l'hôpital", "Annule mon rendez-vous à l'hôpital", "à l'hôpital"},
		{"Cancela mi cita", "Tengo una cita así en tus planes, y quizá «cancel_appointment» de Northfield, el hospital, también la lleva. ¿Dónde hay que cancelarla?",
			"En mis planes", "En Northfield, el hospital", "Cancela mi cita en el hospital", "en el hospital"},
	} {
		p := offers(t, c.said)
		p.Tools = append(skillsOffered(t), hospital)
		p.World = []language.ContextItem{{SeenItem: domain.SeenItem{Kind: domain.ItemAppointment, Phase: domain.PhasePending, Salience: domain.One}, Label: "cardiology"}}
		asked := reply(t, p)
		buttons := domain.PressablesIn(asked.Blocks)
		if got := outline(asked); got != "? "+c.ask || len(buttons) != 2 || buttons[0].Label != c.mine || buttons[1].Label != c.theirs {
			t.Errorf("%q: got %s with %+v", c.said, got, buttons)
		}
		p.Recent = []language.Turn{answered(t, p)}
		for text, want := range map[string]string{c.mine: here, c.theirs: "cancel_appointment {}", c.at: "cancel_appointment {}"} {
			if p.Asked.Text = text; outline(reply(t, p)) != want {
				t.Errorf("%q behind %q: got %s, want %s", text, c.said, outline(reply(t, p)), want)
			}
		}
		p.Recent, p.Asked.Text = nil, c.there
		if got := outline(reply(t, p)); got != "cancel_appointment {}" {
			t.Errorf("%q: got %s", c.there, got)
		}
	}
	p := offers(t, "Sag meinen Termin beim Zahnarzt ab")
	p.Tools = append(skillsOffered(t), hospital)
	if got := outline(reply(t, p)); got != `appointment {"action":"cancel","which":"Zahnarzt"}` {
		t.Errorf("the dentist's: %s", got)
	}
}
