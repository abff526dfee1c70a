package tongues_test

import (
	"testing"

	"chalie/domain/language/tongues"
)

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
