package relate

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// fold writes a word the way it is compared: lower case, without accents, and
// with letters that only look different (ß, ø, full-width digits) made plain.
func fold(word string) string {
	if plain, ok := foldASCII(word); ok {
		return plain
	}
	var out strings.Builder
	for _, r := range norm.NFKD.String(word) {
		switch r {
		case 'ß', 'ẞ':
			out.WriteString("ss")
		case 'ø', 'Ø':
			out.WriteByte('o')
		case 'æ', 'Æ':
			out.WriteString("ae")
		case 'œ', 'Œ':
			out.WriteString("oe")
		case 'ł', 'Ł':
			out.WriteByte('l')
		case 'đ', 'Đ', 'ð', 'Ð':
			out.WriteByte('d')
		case 'þ', 'Þ':
			out.WriteString("th")
		case 'ı':
			out.WriteByte('i')
		default:
			if !unicode.Is(unicode.Mn, r) {
				out.WriteRune(unicode.ToLower(r))
			}
		}
	}
	return out.String()
}

// foldASCII folds what nearly every word is made of, without a copy where the
// word is lower case already.
func foldASCII(word string) (string, bool) {
	upper := false
	for i := range len(word) {
		c := word[i]
		if c >= 0x80 {
			return "", false
		}
		upper = upper || 'A' <= c && c <= 'Z'
	}
	if !upper {
		return word, true
	}
	return strings.ToLower(word), true
}

// stem cuts off what inflection added, so that closed, closes and closing are
// one word. It is crude on purpose: both sides are cut the same way, and a rare
// word that loses a letter too many is still rare.
func stem(w string) string {
	if len(w) < 4 || hasDigit(w) {
		return w
	}
	w = singular(w)
	w = withoutEnding(w)
	if n := len(w); n > 3 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if n := len(w); n > 2 && w[n-1] == w[n-2] && isConsonant(w[n-1]) {
		w = w[:n-1]
	}
	if n := len(w); n > 2 && w[n-1] == 'y' {
		w = w[:n-1] + "i"
	}
	return w
}

// singular takes the plural's ending off.
func singular(w string) string {
	n := len(w)
	switch {
	case n < 4 || w[n-1] != 's' || w[n-2] == 's':
		return w
	case n > 4 && strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"),
		strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zes"):
		return w[:n-2]
	}
	return w[:n-1]
}

// withoutEnding takes -ing and -ed off where a whole syllable is left.
func withoutEnding(w string) string {
	for _, ending := range [...]string{"ing", "ed"} {
		if rest, ok := strings.CutSuffix(w, ending); ok && len(rest) >= 3 && strings.ContainsAny(rest, "aeiouy") {
			return rest
		}
	}
	return w
}

func isConsonant(c byte) bool {
	return 'a' <= c && c <= 'z' && strings.IndexByte("aeiou", c) < 0
}

func hasDigit(w string) bool {
	for i := range len(w) {
		if '0' <= w[i] && w[i] <= '9' {
			return true
		}
	}
	return false
}
