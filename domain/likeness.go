package domain

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// look is what a name looks like, read in three ways: as somebody types it who sees it, with what
// looks like a stroke as one, and in small letters as it is written. Names that are equal in one
// of them look alike before a person: with letters of another script or of full width, with accents,
// characters that aren't seen or other white space, in capitals, with one of I, l, 1 and | for
// another, or with rn for m.
//
// A mark counts where it makes another letter of a script that isn't read as
// Latin: か is not が.
type look [3]string

func lookOf(name string) look {
	return look{alike.Replace(typed(name, false)), alike.Replace(typed(name, true)), inSmall(name)}
}

// alike takes what ASCII itself has that is drawn alike.
var alike = strings.NewReplacer("0", "o", "rn", "m")

func (l look) like(other look) bool { return l[0] == other[0] || l[1] == other[1] || l[2] == other[2] }

// passesFor reports whether a name is read as another, or looks like it: also with spaces,
// punctuation and signs between its letters and around them.
func (l look) passesFor(other look) bool { return l.bare().like(other.bare()) }

func (l look) bare() look { return look{bare(l[0]), bare(l[1]), bare(l[2])} }

// bare is the letters and digits of a name.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r) {
			return r
		}
		return -1
	}, name)
}

// hasUnseen reports whether a name has a character that isn't shown, or that turns the
// direction of writing around: it isn't read as it is written. Joiners have their place
// between letters of the scripts that join, and between emoji; what chooses a form of a sign, behind it.
func hasUnseen(name string) bool {
	if strings.IndexFunc(name, func(r rune) bool { return r < ' ' || r > '~' }) < 0 {
		return false
	}
	var base, last rune // what joins and chooses stands behind it; what stands before this character
	for _, r := range name {
		switch {
		case isJoiner(r):
			if !joins(base) || isJoiner(last) {
				return true
			}
		case unicode.Is(unicode.Variation_Selector, r):
			if base <= unicode.MaxASCII || !joins(base) && !unicode.Is(unicode.Han, base) || isJoiner(last) || unicode.Is(unicode.Variation_Selector, last) {
				return true
			}
		case takesNoPlace(r) || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp):
			return true
		case !unicode.Is(unicode.Inherited, r): // a mark belongs to what it stands on
			base = r
		}
		last = r
	}
	return isJoiner(last)
}

// checkSeen refuses what isn't read as it is written.
func checkSeen(op, field, text string) error {
	if hasUnseen(text) {
		return Invalid(op, field, fmt.Sprintf("%s %+q has characters that aren't seen or turn the writing around, so it would be read otherwise than it is written: leave them out", field, clip(text, MaxNameBytes)))
	}
	return nil
}

func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// joins reports whether a joiner behind a character changes how it is drawn: it is of a script
// whose letters join, or a sign as emoji are.
func joins(r rune) bool {
	return r > unicode.MaxASCII && unicode.In(r, unicode.So, unicode.Sk, unicode.Sm, unicode.Po, unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic,
		unicode.Mongolian, unicode.Phags_Pa, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
		unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Tibetan, unicode.Myanmar, unicode.Khmer, unicode.Balinese, unicode.Javanese)
}

// ShowsNothing reports whether a name shows nothing.
func ShowsNothing(name string) bool { return typed(name, false) == "" }

// inSmall is what is seen of a name in small letters, with one way to write each character.
func inSmall(name string) string {
	name = strings.Map(func(r rune) rune {
		if takesNoPlace(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return strings.Join(strings.Fields(strings.ToLower(strings.ToUpper(name))), " ")
}

// typed is a name as somebody types it who sees it: with small Latin letters for whatever is drawn
// like them, without what isn't seen. A capital I is either its small letter or the stroke
// that it looks like.
func typed(name string, strokes bool) string {
	var out strings.Builder
	latin := false // what a mark would stand on
	for _, r := range drawnAlike(norm.NFKD.String(drawnAlike(name))) {
		switch {
		case unicode.Is(unicode.M, r) && latin, takesNoPlace(r):
			continue
		case strokes && (r == 'I' || r == '1' || r == '|'):
			r = 'l'
		}
		if unicode.IsSpace(r) {
			r = ' '
		}
		latin = r < 0x80
		out.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// drawnAlike is a text with ASCII for what is drawn like it and neither falls apart
// into it nor has the same small letter.
func drawnAlike(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0 {
		return text
	}
	var out strings.Builder
	for _, r := range text {
		if ascii, ok := drawn()[r]; ok {
			out.WriteString(ascii)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

//go:embed drawn.txt
var drawnFile string

// drawn is what characters are drawn like, by drawn.txt.
var drawn = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(drawnFile) {
		ascii, signs, _ := strings.Cut(strings.TrimSpace(line), " ")
		if ascii == "#" {
			continue
		}
		for _, r := range signs {
			out[r] = ascii
		}
	}
	return out
})

// takesNoPlace reports whether a character takes no place on a screen.
func takesNoPlace(r rune) bool {
	return unicode.In(r, unicode.Cf, unicode.Cc, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) && !unicode.IsSpace(r) || r == '\u2800'
}
