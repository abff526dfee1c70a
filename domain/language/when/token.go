package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is a run of letters, a run of digits, or a single mark.
type token struct {
	text       string // in lower case
	start, end int    // of the original, in bytes
	joined     bool   // nothing stands between it and the token before
	upper      bool   // it begins with a capital letter
	quoted     bool   // it stands between quotation marks, with something outside of them
}

// tokensOf splits a sentence, as far as one more token than is read: a text may be an article
// that has times everywhere, and what looks for them goes back and forth in it. An apostrophe between letters belongs to the word.
func tokensOf(text string) []token {
	var out []token
	for at := 0; at < len(text) && len(out) <= maxTokens; {
		first, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(first) {
			at += size
			continue
		}
		end := at + size
		switch {
		case isDigit(first):
			for end < len(text) && isDigit(rune(text[end])) {
				end++
			}
		case unicode.IsLetter(first):
			end = wordEnd(text, end)
		}
		out = append(out, token{
			text: withoutSlip(strings.ToLower(text[at:end])), start: at, end: end, upper: unicode.IsUpper(first),
			joined: len(out) > 0 && out[len(out)-1].end == at,
		})
		at = end
		if n := len(out) - 1; n > 0 && out[n].joined && out[n-1].text == "2" && !out[n-1].joined && withDigit[out[n].text] != "" {
			out[n-1].text, out[n-1].end = withDigit[out[n].text], end
			out = out[:n]
		}
	}
	return quoting(out)
}

// slips are words as they are often written by mistake.
var slips = map[string]string{
	"untill": "until", "begining": "beginning", "febuary": "february", "feburary": "february", "tomorow": "tomorrow", "tommorow": "tomorrow", "tommorrow": "tomorrow", "tomoro": "tomorrow", "tomorro": "tomorrow", "tomrrow": "tomorrow", "tmw": "tomorrow", //nolint:misspell // that is what they are
	"wensday": "wednesday", "wendesday": "wednesday", "thrusday": "thursday", "tuesay": "tuesday", "wednsday": "wednesday", "thursady": "thursday", "thurday": "thursday", "saterday": "saturday", "satruday": "saturday", "minuts": "minutes", //nolint:misspell // that is what they are
}

// withDigit are words that are written with a digit, by what is behind it.
var withDigit = map[string]string{"moro": "tomorrow", "morrow": "tomorrow", "morow": "tomorrow", "nite": "tonight"}

func withoutSlip(word string) string {
	if right, ok := slips[word]; ok {
		return right
	}
	return word
}

// quoting marks what stands between quotation marks: it is said as it is, and no time.
func quoting(tokens []token) []token {
	open := -1
	for i, t := range tokens {
		switch {
		case t.text != `"` && t.text != "“" && t.text != "”":
		case open < 0:
			open = i
		default:
			if open > 0 || i < len(tokens)-1 {
				for n := open; n <= i; n++ {
					tokens[n].quoted = true
				}
			}
			open = -1
		}
	}
	return tokens
}

// wordEnd is where the letters end that go on at a place.
func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == '\'' || r == '’' {
			next, more := utf8.DecodeRuneInString(text[at+size:])
			if !unicode.IsLetter(next) {
				return at
			}
			at += size + more
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			return at
		}
		at += size
	}
	return at
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isWord reports whether a token has letters or digits.
func (t token) isWord() bool {
	r, _ := utf8.DecodeRuneInString(t.text)
	return unicode.IsDigit(r) || unicode.IsLetter(r)
}

func (t token) isNumber() bool { return t.text != "" && isDigit(rune(t.text[0])) }
