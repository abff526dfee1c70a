package guard

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// LookAlike reports whether two names pass for one another before a person: with
// letters of another script or of full width, with accents, characters that aren't
// seen or other white space, in capitals, or with one of I, l, 1 and | for
// another. A name looks like itself.
//
// A mark counts where it makes another letter of a script that isn't read as
// Latin: か is not が.
func LookAlike(a, b string) bool {
	return likeness(a, false) == likeness(b, false) || likeness(a, true) == likeness(b, true)
}

// PassesFor reports whether a name is read as another, or looks like it: also with spaces,
// punctuation and signs between its letters and around them.
func PassesFor(name, other string) bool {
	return bare(likeness(name, false)) == bare(likeness(other, false)) || bare(likeness(name, true)) == bare(likeness(other, true))
}

// bare is the letters and digits of a name.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return r
		}
		return -1
	}, name)
}

// HasUnseen reports whether a name has a character that isn't shown, or that turns the
// direction of writing around: it isn't read as it is written. The joiners of some scripts
// and what makes a sign an emoji have their place behind what isn't ASCII.
func HasUnseen(name string) bool {
	var last rune
	for _, r := range name {
		joins := r == '\u200c' || r == '\u200d' || unicode.Is(unicode.Variation_Selector, r)
		if (isUnseen(r) || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp)) && (!joins || last <= unicode.MaxASCII) {
			return true
		}
		last = r
	}
	return false
}

// IsUnseen reports whether a name shows nothing.
func IsUnseen(name string) bool { return likeness(name, false) == "" }

// likeness is the look of a name: equal for names that look alike. A capital I
// is either its small letter or the stroke that it looks like.
func likeness(name string, strokes bool) string {
	var out strings.Builder
	latin := false // what a mark would stand on
	for _, r := range norm.NFKD.String(strings.Map(drawnAlike, name)) {
		switch {
		case unicode.Is(unicode.M, r) && latin, isUnseen(r):
			continue
		case strokes && (r == 'I' || r == '1' || r == '|'):
			r = 'l'
		case r == '0':
			r = 'o'
		}
		if letter := fold(r); letter != 0 {
			r = rune(letter)
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		latin = r < 0x80
		out.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// drawnAlike is the ASCII letter that one is drawn like which neither falls apart
// into it nor has the same small letter.
func drawnAlike(r rune) rune {
	switch r {
	case 'І', 'Ι', 'Ӏ', 'ӏ', 'ǀ', '∣', '׀', 'ا', 'Ꭵ', 'ꓲ':
		return 'I'
	case 'ϲ', 'Ϲ', 'ᴄ', 'Ꮯ', 'ꓚ', 'Ⲥ', 'ⲥ':
		return 'c'
	case 'Η', 'Н', 'Һ', 'ʜ', 'Ꮋ', 'ꓧ', 'Ⲏ':
		return 'h'
	case 'ɑ', 'ᴀ', 'Ꭺ', 'ꓮ', 'Ⲁ':
		return 'a'
	case 'ʟ', 'Ꮮ', 'ꓡ', 'Ⳑ', 'ⳑ':
		return 'l'
	case 'ı', 'ɪ', 'ɩ':
		return 'i'
	case 'ᴇ', 'Ꭼ', 'ꓰ', 'ҽ':
		return 'e'
	case 'Β', 'В', 'ꓐ':
		return 'b'
	case 'Κ', 'К', 'κ', 'к', 'ꓗ':
		return 'k'
	case 'Μ', 'М', 'ꓟ':
		return 'm'
	case 'Ν', 'ꓠ':
		return 'n'
	case 'Τ', 'Т', 'τ', 'т', 'ꓔ':
		return 't'
	case 'Ζ', 'ꓜ':
		return 'z'
	case 'ј', 'Ј':
		return 'j'
	case 'ԛ', 'Ԛ':
		return 'q'
	case 'ԝ', 'Ԝ':
		return 'w'
	case 'ɡ':
		return 'g'
	}
	return r
}

// isUnseen reports whether a character takes no place on a screen.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unicode.IsSpace(r) || r == '\u2800'
}
