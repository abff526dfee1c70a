package relate_test

import (
	"strings"
	"testing"
	"unicode"

	"chalie/domain/relate"
)

// tellingWord is a word that a signal's text or source shares with a plan and that isn't
// everyday speech, as the corpus means it: in the same form, in an inflection, or with
// the same first five letters; "" when there is none. It knows nothing of names, ids and
// senses, which are the business of what is measured.
func tellingWord(signal, plan string) string {
	said := map[string]bool{}
	for _, w := range wordsOf(signal) {
		for _, form := range forms(w) {
			said[form] = true
		}
	}
	for _, w := range wordsOf(plan) {
		for _, form := range forms(w) {
			if said[form] {
				return w
			}
		}
	}
	return ""
}

func wordsOf(text string) []string {
	text = strings.NewReplacer("'s", "", "’s", "").Replace(text)
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// forms are what a word is compared by: none of what is everyday speech or a short number.
func forms(w string) []string {
	letters := []rune(w)
	isNumber := strings.Trim(w, "0123456789") == ""
	stem := relate.Stem(w)
	if len(letters) < 3 || isNumber && len(letters) < 4 || relate.Everyday(w) || len(stem) > 3 && relate.Everyday(stem) {
		return nil
	}
	out := []string{stem}
	if len(letters) >= 5 && !isNumber {
		out = append(out, string(letters[:5])+"~")
	}
	return out
}

// A pair that is marked as a paraphrase shares no telling word. One that shares an id or
// a name that is also a word isn't marked, and the marks say so.
func TestMarks(t *testing.T) {
	for _, s := range readCorpus(t) {
		plans := map[string]planning{}
		for _, p := range s.planned {
			plans[p.ID] = p
		}
		for _, h := range s.heard {
			for _, id := range h.Paraphrases {
				if word := tellingWord(h.Text+" "+h.Source, plans[id].Text); word != "" {
					t.Errorf("%q and %q are marked as a paraphrase and share %q", h.Text, plans[id].Text, word)
				}
			}
		}
	}
}
