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
		{tongues.Sentence, "That is about 3.333333.", "Das ist etwa 3,333333.", "Son unos 3,333333.", "Cela fait environ 3,333333."},
		{tongues.Sentence, "It is 22:30 on Monday 1 March 2027 in Vienna.", "In Wien ist es 22:30 Uhr am Montag, 1. März 2027.", "En Viena son las 22:30 del lunes 1 de marzo de 2027.", "À Vienne, il est 22:30 le lundi 1 mars 2027."},
		{tongues.Label, "Yes", "Ja", "Sí", "Oui"},
		{tongues.Sentence, "Something that no table has: x.", "Something that no table has: x.", "Something that no table has: x.", "Something that no table has: x."},
		{tongues.Sentence, "> Next: x, tomorrow at 08:00.", "> Next: x, tomorrow at 08:00.", "> Next: x, tomorrow at 08:00.", "> Next: x, tomorrow at 08:00."},
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
	for _, long := range []string{"There is time from " + strings.Repeat("a, today ", 200), strings.Repeat(`"a", `, 300)} {
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
