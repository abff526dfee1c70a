package tongues

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word is a run of letters or of digits, or a single mark.
type Word struct {
	Text       string // in lower case, without accents: fur, manana
	Start, End int    // of the sentence, in bytes
	Quoted     bool   // it stands between quotation marks
}

// IsMark reports whether it is neither letters nor digits.
func (w Word) IsMark() bool {
	r, _ := utf8.DecodeRuneInString(w.Text)
	return !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func (w Word) isNumber() bool { return w.Text != "" && w.Text[0] >= '0' && w.Text[0] <= '9' }

// Words splits a sentence. Apostrophes and hyphens between letters separate words, and are
// none themselves: l'alarme and rappelle-moi are two words.
func Words(text string) []Word { return slices.Collect(wordsIn(text)) }

// wordsIn is Words, one after the other: of a long text only the first may be wanted.
func wordsIn(text string) iter.Seq[Word] {
	return func(yield func(Word) bool) {
		closing := ""          // what ends the quotation that is open
		last := map[rune]int{} // where what ends a quotation stands last, by what opens it
		for at := 0; at < len(text); {
			r, size := utf8.DecodeRuneInString(text[at:])
			end := at + size
			switch {
			case unicode.IsSpace(r):
				at = end
				continue
			case r >= '0' && r <= '9':
				for end < len(text) && text[end] >= '0' && text[end] <= '9' {
					end++
				}
			case unicode.IsLetter(r):
				end = lettersEnd(text, end)
			case isLink(r) && joins(text, at, end):
				at = end
				continue
			}
			w := Word{Text: fold(text[at:end]), Start: at, End: end, Quoted: closing != ""}
			switch marks := quotes[r]; {
			case closing != "" && strings.ContainsRune(closing, r):
				closing = ""
			case closing == "" && marks != "":
				if _, known := last[r]; !known {
					last[r] = strings.LastIndexAny(text, marks)
				}
				if last[r] >= end {
					closing, w.Quoted = marks, true
				}
			}
			if !yield(w) {
				return
			}
			at = end
		}
	}
}

// quotes are the marks that open a quotation, with those that close it.
var quotes = map[rune]string{'"': `"`, '“': "”“", '„': "“”", '«': "»"}

func isLink(r rune) bool { return r == '\'' || r == '’' || r == '-' }

// joins reports whether letters stand on both sides of a mark.
func joins(text string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	behind, _ := utf8.DecodeRuneInString(text[end:])
	return unicode.IsLetter(before) && unicode.IsLetter(behind)
}

func lettersEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			break
		}
		at += size
	}
	return at
}

// bare are letters without their accents.
var bare = strings.NewReplacer(
	"ä", "a", "ö", "o", "ü", "u", "ß", "ss", "à", "a", "â", "a", "á", "a", "ã", "a", "å", "a", "ç", "c", "è", "e", "é", "e", "ê", "e", "ë", "e",
	"í", "i", "î", "i", "ï", "i", "ì", "i", "ñ", "n", "ó", "o", "ô", "o", "ò", "o", "õ", "o", "ú", "u", "ù", "u", "û", "u", "ÿ", "y", "œ", "oe", "æ", "ae",
	"ą", "a", "ć", "c", "ę", "e", "ł", "l", "ń", "n", "ś", "s", "ź", "z", "ż", "z", "ă", "a", "ș", "s", "ț", "t", "ş", "s", "ţ", "t", "ğ", "g", "ı", "i", "i̇", "i",
	"č", "c", "ď", "d", "ě", "e", "ň", "n", "ř", "r", "š", "s", "ť", "t", "ů", "u", "ý", "y", "ž", "z", "ő", "o", "ű", "u", "ø", "o",
	"\u0300", "", "\u0301", "", "\u0302", "", "\u0303", "", "\u0308", "", "\u0327", "",
)

// typed are words as they are typed on a keyboard without umlauts, each followed by how it is
// written. All have an umlaut in two letters.
var typed = []string{"ueber", "uber", "naechst", "nachst", "koenn", "konn", "moecht", "mocht", "taegl", "tagl", "fuenf", "funf",
	"zwoelf", "zwolf", "maerz", "marz", "loesch", "losch", "fuege", "fuge", "hinzufueg", "hinzufug", "frueh", "fruh", "spaet", "spat", "jaehr", "jahr", "jaenner", "janner",
	"woechent", "wochent", "stuend", "stund", "erzaehl", "erzahl", "muess", "muss", "wuerd", "wurd", "aufraeum", "aufraum"}

var written = strings.NewReplacer(typed...)

// Fold is a text in lower case, without accents, with umlauts that were typed as two letters in common
// words: people leave accents out.
func Fold(text string) string {
	text = strings.ToLower(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		text = bare.Replace(text)
	}
	if hasUmlaut(text) {
		text = written.Replace(text)
	}
	return text
}

// hasUmlaut reports whether a text may have an umlaut in two letters.
func hasUmlaut(text string) bool {
	return strings.Contains(text, "ae") || strings.Contains(text, "oe") || strings.Contains(text, "ue")
}

// fold is Fold of a word.
func fold(word string) string {
	switch word = Fold(word); word {
	case "fuer":
		return "fur" // not within a word: fuera
	case "heut":
		return "heute"
	}
	return word
}

// PlainWords are the words of a text, which are letters and digits alone: it's is two.
func PlainWords(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
