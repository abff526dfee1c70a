package carry

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// script is one that is written without spaces between words, or with endings that
// stick to them. Where its words begin and end isn't known without a dictionary.
type script struct {
	tables []*unicode.RangeTable
	// row is how many signs in a row count as a word wherever they stand; 0 for a script
	// whose words have spaces between them.
	row int
	// word is how many signs a whole word that is sent has at least to count as a part of
	// a longer one.
	word int
	// everyday are signs of which every text has some; nothing made of these alone counts.
	everyday string
	// endings hold sentences together: nothing that has one counts. They are without the
	// marks that wordsOf leaves out.
	endings []string
}

// longMark makes the sound before it longer, in both of the Japanese syllabaries.
const longMark = 'ー'

// Hangul is taken apart into letters before it is looked at, and is written with spaces.
var scripts = []script{
	{tables: []*unicode.RangeTable{unicode.Han}, row: 2, word: 2,
		everyday: "的了是在有和不我你他她它们這这那个個就也都要会會可以到说說去来來上下中大小人天日月年时時分点點今明昨早晚午周前后後里裡多少好没沒很把给給对對为為与與或什么麼吗嗎呢吧一二三四五六七八九十百千"},
	{tables: []*unicode.RangeTable{unicode.Katakana}, row: 3, word: 3},
	{tables: []*unicode.RangeTable{unicode.Hiragana}, row: 4, word: 3,
		endings: []string{"てす", "ます", "まし", "ませ", "てい", "くた", "てし", "とい", "から", "まて", "のて", "けと", "して", "した", "する", "すれ", "った", "って", "こと", "もの", "よう", "それ", "これ", "あれ", "とこ", "いつ", "たれ", "なに", "わた", "あな"}},
	{tables: []*unicode.RangeTable{unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}, row: 5, word: 4},
	{tables: []*unicode.RangeTable{unicode.Hangul}, word: 5},
}

// scriptOf is the script of a sign; nil for one that is written with spaces.
func scriptOf(r rune) *script {
	if r < firstUnspaced {
		return nil
	}
	for i := range scripts {
		if unicode.In(r, scripts[i].tables...) {
			return &scripts[i]
		}
	}
	return nil
}

// firstUnspaced is the first letter of the scripts above, which is of Thai.
const firstUnspaced = '\u0E01'

func isUnspaced(r rune) bool { return r == longMark || scriptOf(r) != nil }

// signsOf are the rows of signs in a text that count as words, of scripts that have no
// spaces.
func signsOf(text string) []string {
	var out []string
	var row []rune
	var of *script
	for _, r := range text {
		is := scriptOf(r)
		if r == longMark && of != nil {
			is = of
		}
		if is != of {
			row, of = row[:0], is
		}
		if of == nil || of.row == 0 {
			continue
		}
		row = append(row, r)
		if n := len(row); n >= of.row {
			if sign := string(row[n-of.row:]); of.tells(sign) {
				out = append(out, sign)
			}
		}
	}
	return out
}

// tells reports whether a row of signs says anything by itself.
func (s *script) tells(row string) bool {
	for _, ending := range s.endings {
		if strings.Contains(row, ending) {
			return false
		}
	}
	return s.everyday == "" || strings.Trim(row, s.everyday) != ""
}

// mayStandWithin reports whether a word that is sent counts as part of a longer one in a
// private text.
func mayStandWithin(w string) bool {
	n := 0
	var of *script
	for _, r := range w {
		if of = scriptOf(r); of == nil && r != longMark {
			return false
		}
		n++
	}
	return of != nil && n >= of.word && of.tells(w)
}

// startsUnspaced reports whether a word is of an unspaced script: no word has both.
func startsUnspaced(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return isUnspaced(r)
}

// hasSigns reports whether what is sent has signs of a word of an unspaced script, or is
// a part of it, as far as that wasn't said.
func (l looked) hasSigns(w string, allowed said) bool {
	if !startsUnspaced(w) {
		return false
	}
	for _, sign := range signsOf(w) {
		if l.signs[sign] && !allowed.signs[sign] {
			return true
		}
	}
	for _, part := range l.unspaced {
		if strings.Contains(w, part) && !strings.Contains(allowed.text, part) {
			return true
		}
	}
	return false
}
