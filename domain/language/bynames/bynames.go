// Package bynames is how a person names a thing: by the words that tell it from others, by its place on a list, by
// the parts of an identifier. Whoever looks for what is meant compares by it, so that a thing is found under
// the same words wherever it is asked for.
package bynames

import (
	"slices"
	"strings"
	"unicode"

	"chalie/domain/language/tongues"
)

// nothingTold are words that don't tell one thing from another.
var nothingTold = map[string]bool{
	"the": true, "a": true, "an": true, "my": true, "me": true, "to": true, "of": true, "about": true, "for": true, "with": true,
	"that": true, "this": true, "it": true, "reminder": true, "remind": true, "task": true, "and": true, "on": true, "in": true, "at": true,
	"i": true, "is": true, "what": true, "whats": true, "who": true, "s": true, "please": true, "do": true, "you": true, "know": true,
}

// TellingWords are the words of a text by which a person names something, in lower case:
// all but those that tell nothing.
func TellingWords(text string) []string {
	var out []string
	for _, w := range tongues.PlainWords(strings.ToLower(text)) {
		if !nothingTold[w] {
			out = append(out, w)
		}
	}
	return out
}

// HasAll reports whether something with these words may be meant by all that was said of
// it: "tax" is enough for "taxes", and the other way round.
func HasAll(words, said []string) bool {
	words, said = unaccented(words), unaccented(said)
	for _, want := range said {
		found := false
		for _, w := range words {
			found = found || w == want || len(want) > 2 && strings.HasPrefix(w, want) || len(w) > 2 && strings.HasPrefix(want, w) && len(want)-len(w) <= 2
		}
		if !found {
			return false
		}
	}
	return true
}

// SameWords reports whether two texts say the same, whatever their letters' case, spaces and
// punctuation.
func SameWords(a, b string) bool {
	same := strings.EqualFold(LettersOf(a), LettersOf(b))
	return same && (LettersOf(a) != "" || strings.EqualFold(a, b))
}

// LettersOf is a text without its spaces and punctuation, which quoting it may change.
func LettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// unaccented are words as they are typed where a keyboard has no accents: reunion for reunión.
func unaccented(words []string) []string {
	beyond := func(w string) bool {
		return strings.IndexFunc(w, func(r rune) bool { return r > unicode.MaxASCII }) >= 0
	}
	if !slices.ContainsFunc(words, beyond) {
		return words
	}
	out := slices.Clone(words)
	for i, w := range out {
		if beyond(w) {
			out[i] = tongues.Fold(w)
		}
	}
	return out
}

// pairs are things with an "and" in their names.
var pairs = []string{"mac and cheese", "macaroni and cheese", "fish and chips", "peanut butter and jelly", "pork and beans", "rice and beans", "half and half", "cookies and cream", "bread and butter pickles", "sweet and sour", "ham and cheese", "head and shoulders", "arm and hammer", "oil and vinegar dressing", "black and decker", "m and ms"}

// IsOneThing reports whether the words before and behind an "and" name one thing together: mac
// and cheese.
func IsOneThing(before, behind string) bool {
	before, behind = " "+strings.ToLower(before), strings.ToLower(behind)+" "
	for _, p := range pairs {
		left, right, _ := strings.Cut(p, " and ")
		if strings.HasSuffix(before, " "+left) && strings.HasPrefix(behind, right+" ") {
			return true
		}
	}
	return false
}

// SpacedName is an identifier in small letters with a space before what were capitals
// within it: lightSet is two words, as light.set and light_set are.
func SpacedName(name string) string {
	var out strings.Builder
	lower := false
	for _, r := range name {
		if lower && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		lower = unicode.IsLower(r)
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

// sameMeaning are words by which people name the same list.
var sameMeaning = map[string]string{"present": "gift", "groceries": "grocery", "grocerie": "grocery", "xmas": "christmas", "vacation": "holiday"}

// Stems are the words of a list's name, one or many of something alike, without those that
// say nothing.
func Stems(name string) (out []string) {
	for _, w := range TellingWords(name) {
		w = strings.TrimSuffix(w, "s")
		if same, ok := sameMeaning[w]; ok {
			w = same
		}
		if w != "list" {
			out = append(out, w)
		}
	}
	return out
}

// Items splits entries at commas, semicolons and line ends. Only where there are
// several the last may be joined by "and".
func Items(said string) []string {
	var out []string
	for _, text := range strings.FieldsFunc(said, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if text = strings.TrimSpace(text); text != "" {
			out = append(out, text)
		}
	}
	if len(out) < 2 {
		return out
	}
	last := strings.TrimSpace(strings.TrimPrefix(out[len(out)-1], "and "))
	out = out[:len(out)-1]
	whole := ""
	for part := range strings.SplitSeq(last, " and ") {
		switch part = strings.TrimSpace(part); {
		case whole != "" && IsOneThing(whole, part):
			whole = whole + " and " + part
			out[len(out)-1] = whole
		case part != "":
			whole, out = part, append(out, part)
		}
	}
	return out
}
