package repro

import (
	"strings"
	"testing"
	"unicode"

	"chalie/domain"
	"chalie/domain/relate"

	"pgregory.net/rapid"
)

func TestPseudonyms(t *testing.T) {
	p := NewPseudonyms([]byte("a key"))
	p.learn([]byte(`{"tool":"thermostat","params":{"brightness":3},"capabilities":[{"name":"dim"}],"name":"Bjorn"}`))
	for _, text := range []string{
		"remind me to buy the milk on Tuesday at 17:30", "80% on 2026-12-01 at 7pm, 21st", "01KB2V7WYQC3V8P0J6R4T5N9XE", "Europe/Lisbon",
		"thermostat brightness dim", "a3f0c9d17b2e4f60", "sha256:e8d33942a1b2c3d4", "", "reasoning.started", string(domain.OverToday),
	} {
		if got := p.text(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, name := range []string{"Zelenka", "Anna", "Luigi", "Bjorn", "Ponte Vecchio", "JÖRG", "Мария", "田中"} {
		got := p.text(name)
		if got == name || len([]rune(got)) != len([]rune(name)) || p.text(name) != got {
			t.Errorf("%q became %q", name, got)
		}
		if lower := p.text(strings.ToLower(name)); lower != strings.ToLower(lower) || !strings.EqualFold(got, lower) {
			t.Errorf("%q became %q, and in small letters %q", name, got, lower)
		}
	}
	for text, stays := range map[string]string{
		"transfer to DE89370400440532013000": "DE", "to DE89 3704 0044 0532 0130 00 please": " ", "GB29NWBK60161331926819": "GB", "see https://www.example.org/news": ".org/",
		"mail rose@example.org": ".org", "news.weather.co.uk": ".uk", "the.house.com": ".com",
	} {
		got := p.text(text)
		for _, secret := range []string{"370400440532013000", "3704 0044", "NWBK", "60161331926819", "example", "rose", "weather", "house"} {
			if strings.Contains(got, secret) {
				t.Errorf("%q became %q", text, got)
			}
		}
		if !strings.Contains(got, stays) || len(got) != len(text) || p.text(text) != got {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, text := range []string{"DE89370400440532013001", "thermostat.dim"} {
		if got := p.text(text); got != text && strings.Contains(text, "dim") || !strings.Contains(got, text[2:]) && !strings.Contains(text, "dim") {
			t.Errorf("%q became %q", text, got)
		}
	}
	if one, many := p.text("Zelenka"), p.text("ZELENKA's, Zelenkas"); many != strings.ToUpper(one)+"'s, "+one+"s" {
		t.Errorf("Zelenka became %q, and its forms %q", one, many)
	}
	if other := NewPseudonyms([]byte("another key")).text("Zelenka"); other == p.text("Zelenka") {
		t.Errorf("another key gave the same: %s", other)
	}
}

// Two words are one to the code that relates them exactly when their pseudonyms are,
// and they are of one family when those are.
func TestPseudonymsKeepWhatBelongsTogether(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := NewPseudonyms([]byte("a key"))
		word := rapid.StringMatching(`[A-Z]?[a-z]{2,9}(s|es|ies|ed|ing|y|e|ss|)`)
		a := word.Draw(rt, "a")
		b := word.Draw(rt, "b")
		if rapid.Bool().Draw(rt, "related") {
			b = a + rapid.SampledFrom([]string{"s", "ing", "ed", ""}).Draw(rt, "ending")
		}
		x, y := p.word(a), p.word(b)
		for _, c := range [][2]string{{a, x}, {b, y}} {
			if len(c[0]) != len(c[1]) || unicode.IsUpper(rune(c[0][0])) != unicode.IsUpper(rune(c[1][0])) {
				rt.Errorf("%s became %s", c[0], c[1])
			}
		}
		if (relate.Stem(a) == relate.Stem(b)) != (relate.Stem(x) == relate.Stem(y)) {
			rt.Errorf("%s and %s became %s and %s: stems %s, %s, then %s, %s", a, b, x, y, relate.Stem(a), relate.Stem(b), relate.Stem(x), relate.Stem(y))
		}
		if vocabulary().has(a) || vocabulary().has(b) {
			return
		}
		if family(relate.Stem(a), relate.Stem(b)) != family(relate.Stem(x), relate.Stem(y)) {
			rt.Errorf("%s and %s became %s and %s, another family", a, b, x, y)
		}
	})
}

func family(a, b string) bool {
	const n = relate.FamilySize
	return len(a) > n && len(b) > n && a[:n] == b[:n]
}
