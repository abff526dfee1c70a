package builtinmodel_test

import (
	"testing"
)

// Who says what they have at a time is asked whether it belongs into the calendar, whatever it is called and with an
// article or without. What one feels or has done is no appointment.
func TestWhatOneHasIsOffered(t *testing.T) {
	for _, c := range []struct {
		language, said string
		offers         bool
	}{
		{"en", "I have physio on Thursday at 11", true},
		{"de", "Ich habe Physio am Donnerstag um 11 Uhr", true},
		{"de", "Am Donnerstag um 11 hab ich Fahrstunde", true},
		{"de", "Wir haben Samstag um 15 Uhr Töpfern mit Nele", true},
		{"fr", "J'ai kiné jeudi à 11h", true},
		{"fr", "jeudi à 11h j'ai le kiné", true},
		{"fr", "On a poterie avec Nina samedi à 15h", true},
		{"es", "Tengo fisio el jueves a las 11:00", true},
		{"es", "el jueves a las 11:00 tengo pilates", true},
		{"es", "Tenemos cerámica con Nina el sábado a las 15:00", true},
		{"de", "ich habe am Donnerstag um 11 keine Lust", false},
		{"de", "ich habe den Friseur am Donnerstag um 11 vergessen", false},
		{"de", "ich habe Kopfschmerzen seit Donnerstag um 11", false},
		{"fr", "j'ai annulé le kiné jeudi à 11h", false},
		{"fr", "j'ai mal au dos depuis jeudi à 11h", false},
		{"es", "tengo frío desde el jueves a las 11:00", false},
		{"es", "¿tengo pilates el jueves a las 11:00?", false},
	} {
		got := answered(t, offers(t, c.said))
		if got.Says("ask.keep") != c.offers {
			t.Errorf("%s %q: got %s, want it offered %t", c.language, c.said, got.Reply, c.offers)
		}
	}
}
