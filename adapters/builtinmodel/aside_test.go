package builtinmodel_test

import (
	"strings"
	"testing"

	"chalie/domain/language"
)

// What people tell of themselves beside a request to end or move something changes nothing of it.
func TestAsides(t *testing.T) {
	for said, plainly := range map[string]string{
		"cancel my thursday appointment, i can't make it":          "cancel my thursday appointment",
		"cancel the dentist im sick":                               "cancel the dentist",
		"sorry, I'm stuck. move the dentist to Friday at 3":        "move the dentist to Friday at 3",
		"cancel the dentist because we're still away":              "cancel the dentist",
		"ich bin krank, sag den Zahnarzttermin ab":                 "sag den Zahnarzttermin ab",
		"sag den Zahnarzttermin ab, ich kann leider nicht":         "sag den Zahnarzttermin ab",
		"je suis fatiguée, annule le rendez-vous chez le kiné":     "annule le rendez-vous chez le kiné",
		"annule le rendez-vous chez le kiné, je ne peux pas venir": "annule le rendez-vous chez le kiné",
		"cancela la cita con el médico, estoy enferma":             "cancela la cita con el médico",
		"just got back, what's on my calendar tomorrow?":           "what's on my calendar tomorrow?",
		"ich bin wieder da, was habe ich verpasst?":                "was habe ich verpasst?",
	} {
		got, want := outline(reply(t, offers(t, said))), outline(reply(t, offers(t, plainly)))
		if got != want || strings.HasPrefix(want, "?") || want == "-" {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
	for said, never := range map[string]string{
		"remind me tomorrow at 8 to tell Anna i can't make it": "remind me tomorrow at 8 to tell Anna",
		"cancel the dentist if i can't make it":                "cancel the dentist",
		"I'm ill on Friday, cancel the dentist":                "cancel the dentist",
	} {
		if got := outline(reply(t, offers(t, said))); got == outline(reply(t, offers(t, never))) {
			t.Errorf("%q is taken as %q: %s", said, never, got)
		}
	}
}

// Why somebody takes both stands behind a comma, and what may say which of them is no reason.
func TestAnswersAndWhy(t *testing.T) {
	lamp := toolIn(t, "allumer_lampe", "Allume une lampe.", `{"type":"object","properties":{"lampe":{"type":"string","description":"Quelle lampe","enum":["salon","cave"]}},"required":["lampe"]}`)
	both := `allumer_lampe {"lampe":"salon"}; allumer_lampe {"lampe":"cave"}`
	for said, want := range map[string]string{
		"les deux":                         both,
		"les deux, je rentre":              both,
		"les deux, il fait nuit":           both,
		"les deux, non attends":            "",
		"les deux, je veux dire cave":      "",
		"les deux, mais pas tout de suite": "",
		"les deux, je suis à la cave":      "",
	} {
		p := offers(t, said)
		p.Tools = append(skillsOffered(t), lamp)
		asking := p
		asking.Asked.Text, asking.Recent = "allume la lampe", nil
		p.Recent = []language.Turn{answered(t, asking)}
		got := outline(reply(t, p))
		if want != "" && got != want || want == "" && !strings.HasPrefix(got, "?") {
			t.Errorf("%q: %s, want %s", said, got, want)
		}
	}
}
