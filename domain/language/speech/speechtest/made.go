// Package speechtest is for tests of what is said: a language that nobody speaks, whose sentences share no
// word with English. What works in it reads none of them.
package speechtest

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"chalie/domain/language/speech"
)

// MadeUp is the catalogue of that language: English with every word turned around behind a letter that
// English hasn't, with other quotation marks, and with all sentences begun by a word of their own.
func MadeUp(t testing.TB) *speech.Catalogue {
	t.Helper()
	const unknown = "qaa" // a language that CLDR doesn't have
	return madeOf(t, "en", unknown)
}

// Changed are the catalogues of all languages, English first, with no sentence as it was: each word is made up.
func Changed(t testing.TB) []*speech.Catalogue {
	t.Helper()
	var out []*speech.Catalogue
	for _, c := range speech.All() {
		out = append(out, madeOf(t, c.Language, c.Language))
	}
	return out
}

// madeOf is the catalogue of a language with made-up words, as that of another.
func madeOf(t testing.TB, of, as string) *speech.Catalogue {
	t.Helper()
	var out strings.Builder
	section := ""
	for line := range strings.Lines(speech.Tables(of)) {
		line = strings.TrimSuffix(line, "\n")
		name, opens := strings.CutPrefix(line, "== ")
		key, text, _ := strings.Cut(line, ":")
		word, forms, hasForms := strings.Cut(line, "=")
		switch {
		case opens:
			section, line = name, "== "+name
		case section == "language" && line != "":
			line = as
		case section == "says" && text != "":
			line = key + ": Ŋo" + MadeUpWords(text)
		case section == "times" && text != "":
			line = key + ":" + MadeUpWords(text)
		case hasForms && strings.TrimSpace(word) != "":
			line = word + "=" + MadeUpWords(forms)
		}
		out.WriteString(line + "\n")
	}
	c, err := speech.Read(out.String())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// MadeUpWords is a template with its words made up; what names its arguments and chooses among plurals
// stays.
func MadeUpWords(text string) string {
	var out, word strings.Builder
	depth := 0
	end := func() {
		if w := word.String(); w != "" && depth%2 == 0 {
			out.WriteString("ŋ")
			for _, r := range slices.Backward([]rune(w)) {
				out.WriteRune(r)
			}
		} else {
			out.WriteString(w)
		}
		word.Reset()
	}
	for _, r := range text {
		if unicode.IsLetter(r) || r == '\'' || depth%2 == 1 && (unicode.IsDigit(r) || r == '_') {
			word.WriteRune(r)
			continue
		}
		end()
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case '"':
			r = '°'
		case '“':
			r = '<'
		case '”':
			r = '>'
		}
		out.WriteRune(r)
	}
	end()
	return out.String()
}
