package concern_test

import (
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/concern"
)

// The day on which the messages below come: a Thursday.
var (
	utc = time.UTC
	now = time.Date(2026, time.March, 5, 9, 0, 0, 0, utc)
)

func appointment(text, at string) concern.Plan {
	start, err := time.ParseInLocation("2006-01-02 15:04", at, utc)
	if err != nil {
		panic(err)
	}
	return concern.Plan{Text: text, Kind: domain.ItemAppointment, Start: domain.MillisOf(start), End: domain.MillisOf(start.Add(time.Hour))}
}

// TestAmong has which of several plans a message means. Those that aren't sure stand with a question mark.
func TestAmong(t *testing.T) {
	dinner, cardiology := appointment("dinner at Luigi's", "2026-03-05 20:00"), appointment("cardiology appointment", "2026-03-06 14:00")
	for _, c := range []struct {
		message concern.Message
		plans   []concern.Plan
		want    string
	}{
		{concern.Message{Text: "Your appointment moved to 3pm.", Topic: "health", Sender: "hilltop"}, []concern.Plan{dinner, cardiology}, "cardiology appointment?"},
		{concern.Message{Text: "Your appointment moved to 3pm.", Topic: "health", Sender: "hilltop"}, []concern.Plan{dinner}, ""},
		{concern.Message{Text: "Your appointment moved to 3pm.", Sender: "hilltop"}, []concern.Plan{dinner}, ""},
		{concern.Message{Text: "Your appointment moved to 3pm.", Metadata: []byte(`{"new_time":"2026-03-06T15:00"}`)}, []concern.Plan{appointment("Ada", "2026-03-05 12:00"), cardiology}, "cardiology appointment?"},
		{concern.Message{Text: "Your appointment moved to 3pm.", Metadata: []byte(`{"clinic":"Cardiology"}`)}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "cardiology appointment"},
		{concern.Message{Text: "Your appointment moved to 3pm.", Sender: "cardiology-north"}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "cardiology appointment"},
		{concern.Message{Text: "Your appointment moved to 3pm.", Topic: "cardiology"}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "cardiology appointment"},
		{concern.Message{Text: "Your appointment moved to 3pm.", Topic: "health"}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "Dr Lind?, cardiology appointment?"},
		{concern.Message{Text: "Your appointment on Friday moved to 3pm.", Topic: "health"}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "cardiology appointment?"},
		{concern.Message{Text: "Your appointment at 12:00 moved to 3pm.", Topic: "health"}, []concern.Plan{appointment("Dr Lind", "2026-03-05 12:00"), cardiology}, "Dr Lind?"},
		{concern.Message{Text: "Your appointment on 9 March moved to 3pm.", Topic: "health"}, []concern.Plan{dinner, cardiology}, ""},
		{concern.Message{Text: "Your cardiology appointment is cancelled.", Sender: "hilltop"}, []concern.Plan{dinner, cardiology, appointment("dentist", "2026-03-07 14:00")}, "cardiology appointment"},
		{concern.Message{Text: "Your appointment tomorrow is cancelled.", Sender: "hilltop"}, []concern.Plan{cardiology, appointment("notary", "2026-03-06 16:00"), appointment("Dr Lind", "2026-03-07 14:00")}, "cardiology appointment?, notary?"},
		{concern.Message{Text: "Your table moved to 8:30pm", Sender: "luigis"}, []concern.Plan{dinner, cardiology}, "dinner at Luigi's"},
		{concern.Message{Text: "Your delivery on Friday was cancelled"}, []concern.Plan{cardiology}, ""},
		{concern.Message{Text: "The pottery class on Friday moves to Saturday 11am", Sender: "kiln"}, []concern.Plan{appointment("pottery Nina", "2026-03-06 10:00"), appointment("pottery Max", "2026-03-06 12:00"), appointment("pottery Max", "2026-03-10 12:00")}, "pottery Nina?, pottery Max?"},
		{concern.Message{Text: "Le cours de poterie de vendredi est décalé à samedi 11h", Sender: "four"}, []concern.Plan{appointment("poterie Nina", "2026-03-06 10:00"), appointment("poterie Max", "2026-03-06 12:00")}, "poterie Nina?, poterie Max?"},
		{concern.Message{Text: "Die Töpferstunde am Freitag wird auf Samstag 11 Uhr verschoben", Sender: "ofen"}, []concern.Plan{appointment("Töpferstunde Nina", "2026-03-06 10:00"), appointment("Töpferstunde Max", "2026-03-06 12:00")}, "Töpferstunde Nina?, Töpferstunde Max?"},
		{concern.Message{Text: "La clase de cerámica del viernes pasa al sábado a las 11", Sender: "horno"}, []concern.Plan{appointment("cerámica Nina", "2026-03-06 10:00"), appointment("cerámica Max", "2026-03-06 12:00")}, "cerámica Nina?, cerámica Max?"},

		{concern.Message{Text: "Ihr Termin am Freitag wurde auf 15:30 Uhr verschoben.", Sender: "zahnarztpraxis-wieland"}, []concern.Plan{appointment("Zahnarzt", "2026-03-06 10:00"), appointment("Notar", "2026-03-06 12:00")}, "Zahnarzt"},
		{concern.Message{Text: "Ihr Termin am 3. Juni wurde auf 15 Uhr verlegt.", Sender: "orthopaedie-seeblick"}, []concern.Plan{appointment("Abendessen mit Ben", "2026-03-05 20:00")}, ""},
		{concern.Message{Text: "Ihr Termin morgen fällt leider aus.", Sender: "praxis"}, []concern.Plan{appointment("Abendessen mit Ben", "2026-03-06 20:00"), appointment("Blutabnahme", "2026-03-06 08:00")}, "Blutabnahme?"},
		{concern.Message{Text: "Votre rendez-vous de vendredi passe à 14h", Sender: "tilleuls"}, []concern.Plan{appointment("rendez-vous à la clinique des Tilleuls", "2026-03-06 09:00"), appointment("rendez-vous chez le notaire", "2026-03-06 11:00")}, "rendez-vous à la clinique des Tilleuls"},
		{concern.Message{Text: "Votre rendez-vous de vendredi est annulé.", Sender: "accueil"}, []concern.Plan{appointment("kiné", "2026-03-06 09:00"), appointment("rendez-vous chez le notaire", "2026-03-06 11:00")}, "kiné?, rendez-vous chez le notaire?"},
		{concern.Message{Text: "Su cita del viernes pasa a las 17:15.", Sender: "clinica-dental-robles"}, []concern.Plan{appointment("cita con el dentista", "2026-03-06 12:00"), appointment("cena con Pablo", "2026-03-06 21:00")}, "cita con el dentista"},
		{concern.Message{Text: "Su turno del 8 de octubre se cambia a las 15:00.", Sender: "hospital-san-telmo"}, []concern.Plan{appointment("cena con Lucía", "2026-03-05 21:00")}, ""},
	} {
		c.message.At, c.message.Zone = domain.MillisOf(now), utc
		which, sure := concern.Read(c.message).Among(c.plans, c.message)
		var got []string
		for _, i := range which {
			name := c.plans[i].Text
			if !sure {
				name += "?"
			}
			got = append(got, name)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%q means %q, want %q", c.message.Text, strings.Join(got, ", "), c.want)
		}
	}
}

// TestRead has what a message says is to be otherwise.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		text, to string
		off      bool
	}{
		{"Your appointment on Monday has been moved to 3pm", "3pm", false},
		{"Your appointment with Dr. Okafor is at 15:00 tomorrow, not at 14:00", "15:00 tomorrow", false},
		{"The appointment was not cancelled", "", false},
		{"Your appointment was cancelled", "", true},
		{"If you cancel or move your appointment, call us", "", false},
		{"Ihr Termin am Dienstag, 10. März, wurde auf 15:30 Uhr verschoben.", "at 15:30", false},
		{"Ihr Termin ist jetzt am Mittwoch um 9 Uhr", "on Wednesday at 9", false},
		{"Ihr Termin wurde nicht verschoben", "", false},
		{"Ihr Termin wurde storniert", "", true},
		{"Die Besprechung findet nicht statt", "", true},
		{"Wir freuen uns auf Ihren Termin um 15 Uhr", "", false},
		{"Votre rendez-vous de jeudi passe à 14h", "at 14:00", false},
		{"Votre rendez-vous est reporté au vendredi 13 mars à 10h", "on Friday 13 March at 10", false},
		{"Votre rendez-vous n'aura pas lieu", "", true},
		{"Votre rendez-vous n'est pas annulé", "", false},
		{"Su cita del miércoles pasa a las 17:15.", "at 17:15", false},
		{"Su cita se ha aplazado al jueves a las 10:00", "on Thursday at 10:00", false},
		{"Su cita ha sido cancelada", "", true},
		{"Su cita no ha sido cancelada", "", false},
	} {
		said := concern.Read(concern.Message{Text: c.text, At: domain.MillisOf(now), Zone: utc})
		to := ""
		if len(said.Whens) > 0 {
			to = said.Whens[0]
		}
		if said.Cancelled != c.off || to != c.to {
			t.Errorf("%q says %q and cancelled %v", c.text, said.Whens, said.Cancelled)
		}
	}
}
