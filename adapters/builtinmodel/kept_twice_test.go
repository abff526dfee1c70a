package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/commands/reasoning"
	"chalie/domain"
)

// TestKeptTwice asks where an appointment is to be cancelled that is in the plans and that a program may
// keep, too.
func TestKeptTwice(t *testing.T) {
	department := text("department", true, "Department")
	schema := []byte(`{"type":"object","properties":{"department":{"type":"string","description":"Department","enum":["cardiology","radiology"]}},"required":["department"]}`)
	hospital := reasoning.Offered{Name: "cancel_appointment", Interface: "Northfield", Description: "Cancel the patient's appointment at Northfield Hospital.", SideEffects: true, Parameters: []domain.Parameter{department}, Schema: schema}
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
	p.World = []reasoning.ContextItem{{SeenItem: domain.SeenItem{Kind: domain.ItemAppointment, Phase: domain.PhasePending, Salience: domain.One}, Label: "dinner at Luigi's"}}
	if got, want := outline(reply(t, p)), "? I would use “cancel_appointment” of Northfield, and need to know: department"; !strings.HasPrefix(got, want) {
		t.Errorf("beside a dinner it says %s, want %s", got, want)
	}
}
