package reckon_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"chalie/domain"
	"chalie/domain/language/reckon"
	"chalie/domain/language/speech"

	"pgregory.net/rapid"
)

// question is one with its answer; "(open) " stands before an answer that tells what is
// missing, and "" is that to what isn't worked out.
type question struct{ said, want string }

// present is Monday 1 March 2027 at 08:30 in New York.
func present(t *testing.T) (domain.Millis, *time.Location) {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return domain.MillisOf(time.Date(2027, time.March, 1, 8, 30, 0, 0, zone)), zone
}

// inEnglish are the words of an answer.
func inEnglish(a reckon.Answer) string { return inWords(a, speech.English()) }

// inWords are the words of an answer in a language.
func inWords(a reckon.Answer, c *speech.Catalogue) string {
	zone, _ := time.LoadLocation("America/New_York")
	return c.Say(a.Says, speech.Voice{Now: domain.MillisOf(time.Date(2027, time.March, 1, 8, 30, 0, 0, zone)), Zone: zone})
}

func asked(t *testing.T, all []question) {
	t.Helper()
	now, zone := present(t)
	for _, q := range all {
		answer, ok := reckon.Read(q.said, now, zone)
		got := inEnglish(answer)
		if answer.Open {
			got = "(open) " + got
		}
		if got != q.want || ok != (q.want != "") {
			t.Errorf("%q\ngot  %s\nwant %s", q.said, got, q.want)
		}
	}
}

// What belongs to others, or can't be worked out.
func TestOthers(t *testing.T) {
	for _, said := range []string{
		"5!",
		"12/15",
		"555-1234",
		"how many meters is the eiffel tower",
		"how much should i tip on 80 dollars",
		"if i have 10 apples and eat 3 how many are left",
		"how many days till my birthday",
		"how long until my flight",
		"how long until the meeting",
		"now",
		"when is my dentist appointment",
		"when is the meeting",
		"when is susan's birthday",
		"what do i have on March 7",
		"what time is my meeting",
		"remind me in 15 minutes",
		"what day is my party",
		"what day is the staff meeting",
		"how many days until the party",
		"what is on friday",
		"what's on my calendar for today",
		"is there anything on monday",
		"am i free on tuesday",
		"what is due today",
		"is today my day off",
		"what's the date of the dinner",
		"when is dinner",
		"when is lunch with ted",
		"what day will my birthday fall on",
		"what time is it on the moon",
		"what time is it on mars",
		"change the time to 5pm",
		"set the time for 6 pm",
		"set an alarm for 5pm london time",
		"call mom when it's 9am in london",
		"what time is sunrise in tokyo",
		"what time does the store open in london",
		"what time is the game in chicago",
		"what time is my flight to london",
		"what time is dinner in new york",
		"what's the weather in london",
		"time to go to london",
		"what is the best time to visit japan",
		"how many hours to paris",
		"how long is the flight to tokyo",
		"what time does the train to boston leave",
		"what time should i leave",
		"how far is the sun",
		"how far is london",
		"how long until dinner",
		"on which day is my birthday this year",
		"when does the sun rise",
		"when is the next full moon",
		"remind me what time it is in Tokyo at 5",
		"set the alarm to London time",
		"what is 5",
		"what time is it going to rain",
		"how many days should I stay in Rome",
		"add milk to the list",
		"add 5 apples to the list",
		"split the party into two events",
		"what is the capital of Japan",
		"how much is a ticket to Boston",
		"how much does a house cost",
		"is Anna free today",
		"is it going to be sunny tomorrow",
		"the dentist is on Friday",
		"move it to Monday",
		"in 3 weeks",
		"5pm",
		"Monday",
	} {
		asked(t, []question{{said, ""}})
	}
}

// Whatever is said, an answer is one line, and there is one exactly when it says so.
func TestReadHoldsForAnyWords(t *testing.T) {
	now, zone := present(t)
	words := strings.Fields(`what is the time date day in London Tokyo Georgia Washington of at 5 12 0 100 % percent plus + - * / ( ) ^ x = times divided by square root half and , to from until since between how many days weeks hours
		miles km f c feet 5'11" a pound cups dollars euros convert if it's 4pm noon here Christmas Easter next last Monday 31st month year week zone difference ahead ! ? . : remind my 1e9 999999999999 two hundred point million split add tip`)
	rapid.Check(t, func(t *rapid.T) {
		said := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 14).Draw(t, "said"), " ")
		answer, ok := reckon.Read(said, now, zone)
		if ok == (answer.Says.IsZero()) || strings.ContainsAny(inEnglish(answer), "\n\r") {
			t.Fatalf("%q: %q, %v", said, inEnglish(answer), ok)
		}
	})
}

// What is worked out is said in each language by its own words, plurals and dates.
func TestReadIsSaidInEachLanguage(t *testing.T) {
	now, zone := present(t)
	for _, q := range []struct{ said, de, fr, es string }{
		{"how many days until friday", "4 Tage bis Freitag, 5. März 2027.", "4 jours avant le vendredi 5 mars 2027.", "4 días hasta el viernes 5 de marzo de 2027."},
		{"how many hours until 5pm", "8 Stunden und 30 Minuten bis 17:00 Uhr am Montag, 1. März 2027.", "8 heures et 30 minutes avant 17:00 le lundi 1 mars 2027.", "8 horas y 30 minutos hasta las 17:00 del lunes 1 de marzo de 2027."},
		{"is 2027 a leap year", "Nein: 2027 ist kein Schaltjahr, das nächste ist 2028.", "Non : 2027 n'est pas une année bissextile, la prochaine est 2028.", "No: 2027 no es un año bisiesto, el próximo es 2028."},
		{"do we have a 31st this month", "Ja: Im März 2027 sind es 31 Tage, und der 31. ist ein Mittwoch.", "Oui : en mars 2027, il y a 31 jours, et le 31 est un mercredi.", "Sí: en marzo de 2027 hay 31 días, y el 31 es miércoles."},
		{"5 miles in km", "5 Meilen sind etwa 8,047 Kilometer.", "5 miles font environ 8,047 kilomètres.", "5 millas son aproximadamente 8,047 kilómetros."},
		{"what is the time difference between denver and london", "In Denver ist es 7 Stunden früher als in London.", "Denver a 7 heures de retard sur London.", "En Denver son 7 horas menos que en London."},
		{"is tomorrow a holiday", "Nein: Dienstag, 2. März 2027 ist kein Feiertag.", "Non : le mardi 2 mars 2027 n'est pas un jour férié.", "No: el martes 2 de marzo de 2027 no es festivo."},
	} {
		answer, _ := reckon.Read(q.said, now, zone)
		if err := answer.Says.Check(); err != nil {
			t.Errorf("%q: %v", q.said, err)
		}
		for tag, want := range map[string]string{"de": q.de, "fr": q.fr, "es": q.es} {
			c, _ := speech.In(tag)
			if got := inWords(answer, c); got != want {
				t.Errorf("%q in %s:\n got %s\nwant %s", q.said, tag, got, want)
			}
		}
	}
}
