package voices

import (
	"strings"
	"testing"
)

// Flite says nothing of a sign that it doesn't know, so that an amount would be lost.
func TestSignsAreSaid(t *testing.T) {
	for text, want := range map[string]string{
		"Add ½ cup of sugar.":     "Add one half cup of sugar.",
		"1½ hours, 2 ¾ cups":      "1 and a half hours, 2 and three quarters cups",
		"⅔ of it":                 "two thirds of it",
		"It costs €5.":            "It costs 5 euros.",
		"€1, €1.50 and 10 €":      "1 euro, 1.50 euros and 10 euros",
		"£20 or ¥300 or ₴50":      "20 pounds or 300 yen or 50 hryvnias",
		"20°C, 68 °F and 5°":      "20 degrees Celsius, 68 degrees Fahrenheit and 5 degrees",
		"10–12 people":            "10 to 12 people",
		"10 – 12":                 "10 to 12",
		"Berlin – Paris — fast":   "Berlin, Paris, fast",
		"−3 degrees and –5":       "minus 3 degrees and minus 5",
		"2 × 3 ÷ 4 ± 1":           "2 times 3 divided by 4 plus or minus 1",
		"≤ 5, ≥ 6, ≈ 7":           "at most 5, at least 6, about 7",
		"20 m² and 3 km²":         "20 square m and 3 square km",
		"CO₂ and x²":              "CO2 and x squared",
		"café, naïve, Łódź, Åse":  "cafe, naive, Lodz, Ase",
		"“Yes” – it’s done…":      `"Yes", it's done...`,
		"10\u202f000 people":      "10000 people",
		"５ｋｇ":                     "5kg",
		"№ 7, § 3":                "number 7, section 3",
		"plain text - 5 < 6 & so": "plain text - 5 < 6 & so",
		"Well done 🎉":             "Well done",
		"❤️ card":                 "card",
	} {
		got, all := inASCII(text)
		if got = strings.ReplaceAll(strings.Join(strings.Fields(got), " "), " ,", ","); strings.ReplaceAll(got, " .", ".") != want || !all {
			t.Errorf("%q is said as %q (all: %t), want %q", text, got, all, want)
		}
	}
	for _, text := range []string{"Say привіт.", "the letter ж", "東京", "⊕"} {
		if got, all := inASCII(text); all {
			t.Errorf("%q is said as %q, and that isn't all", text, got)
		}
	}
}
