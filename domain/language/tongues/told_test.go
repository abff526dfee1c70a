package tongues_test

import (
	"strings"
	"testing"

	"chalie/domain/language/tongues"
)

// What Chalie tells, in each language. What is quoted stays as it was said.
func TestTell(t *testing.T) {
	for _, c := range []struct {
		class                            tongues.Class
		english, german, spanish, french string
	}{
		{tongues.Sentence, "Appointment: Termin mit A, B, every month on the first Monday and last day at 09:00, first on Monday 5 April, 09:00 to 10:00, at Luigi's, with A. I'll tell you 1 hour and 30 minutes before. It overlaps with \"x. y\", on Monday 5 April 09:30 to 10:00.",
			"Termin: Termin mit A, B, jeden Monat am ersten Montag und letzten Tag um 09:00 Uhr, zuerst am Montag, 5. April, 09:00 bis 10:00 Uhr, Ort: Luigi's, mit A. Ich sage dir 1 Stunde und 30 Minuten vorher Bescheid. Er überschneidet sich mit \"x. y\", am Montag, 5. April 09:30 bis 10:00 Uhr.",
			"Cita: Termin mit A, B, cada mes el primer lunes y último día a las 09:00, primero el lunes 5 de abril, de 09:00 a 10:00, en Luigi's, con A. Te aviso 1 hora y 30 minutos antes. Coincide con \"x. y\", el lunes 5 de abril de 09:30 a 10:00.",
			"Rendez-vous : Termin mit A, B, chaque mois le premier lundi et dernier jour à 09:00, d'abord le lundi 5 avril, de 09:00 à 10:00, lieu : Luigi's, avec A. Je te préviens 1 heure et 30 minutes avant. Il tombe en même temps que \"x. y\", le lundi 5 avril de 09:30 à 10:00."},
		{tongues.Sentence, "Moved: x, on Monday 20 December to Sunday 2 January, all day. I'll tell you when it begins.", "Verschoben: x, am Montag, 20. Dezember bis Sonntag, 2. Januar, ganztägig. Ich sage dir Bescheid, wenn er beginnt.",
			"Movida: x, el lunes 20 de diciembre hasta el domingo 2 de enero, todo el día. Te aviso cuando empiece.", "Déplacé : x, le lundi 20 décembre jusqu'au dimanche 2 janvier, toute la journée. Je te préviens quand il commence."},
		{tongues.Sentence, "Cancelled: x, every year on 15 March. To leave out one time only, skip it.", "Abgesagt: x, jedes Jahr am 15. März. Um nur einen davon auszulassen, überspring ihn.", "Cancelado: x, cada año el 15 de marzo. Para quitar solo una vez, sáltala.", "Annulé : x, chaque année le 15 mars. Pour n'en laisser qu'un, saute-le."},
		{tongues.Sentence, "That is about 3.333333.", "Das ist etwa 3,333333.", "Son unos 3,333333.", "Cela fait environ 3,333333."},
		{tongues.Sentence, "It is 22:30 on Monday 1 March 2027 in Vienna.", "In Wien ist es 22:30 Uhr am Montag, 1. März 2027.", "En Viena son las 22:30 del lunes 1 de marzo de 2027.", "À Vienne, il est 22:30 le lundi 1 mars 2027."},
		{tongues.Sentence, "What I have heard of your list portfolio:", "Was ich von deiner Liste portfolio gehört habe:", "Lo que he oído de tu lista portfolio:", "Ce que j'ai entendu de ta liste portfolio :"},
		{tongues.Label, "Yes", "Ja", "Sí", "Oui"},
		{tongues.Label, "In my plans", "In meinen Plänen", "En mis planes", "Dans mes plans"},
		{tongues.Label, "At Northfield, the hospital", "Bei Northfield, dem Krankenhaus", "En Northfield, el hospital", "Chez Northfield, l'hôpital"},
		{tongues.Label, "At Hilltop", "Bei Hilltop", "En Hilltop", "Chez Hilltop"},
		{tongues.Sentence, "I have such an appointment in your plans, and “cancel_appointment” of Northfield, for the hospital, may keep it, too. Where should it be cancelled?",
			"Einen solchen Termin habe ich in deinen Plänen, und “cancel_appointment” von Northfield, dem Krankenhaus, führt ihn vielleicht auch. Wo soll er abgesagt werden?",
			"Tengo una cita así en tus planes, y quizá “cancel_appointment” de Northfield, el hospital, también la lleva. ¿Dónde hay que cancelarla?",
			"J'ai un tel rendez-vous dans tes plans, et “cancel_appointment” de Northfield, l'hôpital, l'a peut-être aussi. Où faut-il l'annuler ?"},
		{tongues.Sentence, "Something that no table has: x.", "Something that no table has: x.", "Something that no table has: x.", "Something that no table has: x."},
		{tongues.Sentence, "> Cancelled: x, tomorrow at 08:00.", "> Cancelled: x, tomorrow at 08:00.", "> Cancelled: x, tomorrow at 08:00.", "> Cancelled: x, tomorrow at 08:00."},
	} {
		for l, want := range map[*tongues.Tongue]string{tongues.German: c.german, tongues.Spanish: c.spanish, tongues.French: c.french} {
			got := l.Tell(c.english, c.class)
			if got != want {
				t.Errorf("%s: %q is\n %s, want\n %s", l.Name, c.english, got, want)
			}
			if back := l.Told(got); c.class != tongues.Label && back != c.english {
				t.Errorf("%s: %q is told back as\n %s, want\n %s", l.Name, got, back, c.english)
			}
		}
	}
}

// However a line is made, telling it takes no time that is felt.
func TestTellIsBounded(t *testing.T) {
	for _, long := range []string{"Appointment: " + strings.Repeat("a, today ", 200), strings.Repeat(`"a", `, 300)} {
		if got := tongues.German.Tell(long, tongues.Sentence); got != long {
			t.Errorf("it is %s", got)
		}
	}
}

func TestSum(t *testing.T) {
	for _, c := range []struct {
		in         *tongues.Tongue
		text, want string
	}{
		{tongues.German, "12 mal 12", "12 times 12"}, {tongues.German, "zwanzig Prozent von 80", "20 percent of 80"}, {tongues.German, "3,5 plus zwei", "3.5 + 2"},
		{tongues.German, "1.000 durch 8", "1000 divided by 8"}, {tongues.Spanish, "doce por doce", "12 times 12"}, {tongues.Spanish, "el 20 % de 80", "20 % of 80"},
		{tongues.French, "vingt et un fois deux", "21 times 2"}, {tongues.French, "la moitié de 9", "half of 9"}, {tongues.German, "12 Äpfel", ""}, {tongues.German, "zwölf", ""}, {tongues.French, "deux rendez-vous et demi", ""},
	} {
		got, ok := c.in.Sum(c.text)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q is %q (%t), want %q", c.text, got, ok, c.want)
		}
	}
}
