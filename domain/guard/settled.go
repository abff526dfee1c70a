package guard

import (
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Settled is the beginning of Redact's result that stays the same whatever is added to
// the text. What may yet turn out to be a secret, or a part of one, is left out: so a text
// can be shown while it is being written, and nothing is shown that is taken out of it
// once it is whole.
//
// It leaves out the last word, and more only where a secret may have blanks in it: the
// number of a card, a value in quotation marks, a private key. Of a text that goes on it
// never takes back anything.
func Settled(text string) string {
	text = wholeRunes(text)
	f := flatten(text)
	if f.from == nil {
		n, found := settled(text)
		return splice(text[:n], found)
	}
	n, found := settled(f.text)
	return splice(text[:f.before(n)], f.back(found))
}

// wholeRunes is a text without what there is of a character at its end, which may yet become
// any.
func wholeRunes(text string) string {
	for at := len(text) - 1; at >= 0 && len(text)-at < utf8.UTFMax; at-- {
		if utf8.RuneStart(text[at]) {
			if !utf8.FullRuneInString(text[at:]) {
				return text[:at]
			}
			break
		}
	}
	return text
}

// settled is how much of a text is settled, and the secrets in that.
func settled(text string) (n int, found []Secret) {
	n = lastBreak(text)
	n = min(n, cardBefore(text, n))
	run := 0 // where the latest run ends
	for i := 0; i < n; i++ {
		switch text[i] {
		case ':', '=':
			n = min(n, openAddress(text, i), openValue(text, i))
		case '-':
			n = min(n, openKey(text, i))
		default:
			if i >= run && isAlnum.has(text[i]) {
				run = i + inRun.span(text[i:], len(text))
				n = min(n, openStated(text, i, run))
			}
		}
	}
	found = secrets(text, nil)
	for i, s := range found {
		if s.End > n {
			n, found = min(n, s.Start), found[:i]
			break
		}
	}
	return n, found
}

// lastBreak is where the last word of a text begins that isn't whole yet: behind the last
// white space, or behind the last character that no key is made of.
func lastBreak(text string) int {
	for i := len(text); i > 0; {
		c := text[i-1]
		if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			return i
		}
		if c >= utf8.RuneSelf {
			if r, size := utf8.DecodeLastRuneInString(text[:i]); r != utf8.RuneError || size > 1 {
				return i
			}
			// What there is of a character is held until the rest has come.
		}
		i--
	}
	return 0
}

// longestCard is a card's number with its separators, in bytes, and one behind it.
const longestCard = mostCard + 5

// cardBefore is where the digits begin that end at a place and may be the first groups of
// a card's number.
func cardBefore(text string, at int) int {
	if at < len(text) && !isDigit(text[at]) {
		return at
	}
	start := at
	for start > 0 && at-start < longestCard {
		c := text[start-1]
		separates := (c == ' ' || c == '-') && start > 1 && isDigit(text[start-2]) && (start == at || isDigit(text[start]))
		if !isDigit(c) && !separates {
			break
		}
		start--
	}
	for start < at && (!isDigit(text[start]) || start > 0 && inRun.has(text[start-1])) {
		start++
	}
	return start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// openAddress is where the password of an address may begin whose host hasn't come yet;
// behind the text for none.
func openAddress(text string, at int) int {
	const scheme = "://"
	if !strings.HasPrefix(text[at:], scheme) {
		return len(text)
	}
	from := at + len(scheme)
	for i := from; i < len(text) && i-from < maxKey; i++ {
		if c := text[i]; c == '/' || c == '?' || c == '#' || c <= ' ' || c == '"' || c == '<' || c == '>' {
			return len(text)
		}
	}
	if len(text)-from >= maxKey {
		return len(text)
	}
	return from
}

// openValue is where the value behind a separator begins, if its name announces a secret
// and it isn't known yet where it ends, and whether it is one; behind the text otherwise.
func openValue(text string, at int) int {
	if _, ok := nameOf(nameBefore(text, at)); !ok {
		return len(text)
	}
	start, end, quoted := valueAfter(text, at)
	if !quoted && isScheme(text[start:end]) && end < len(text) && text[end] == ' ' {
		from := end + 1
		if end = from + inAuth.span(text[from:], maxValue); end+1 < len(text) {
			return len(text)
		}
		return from
	}
	return openWord(text, start, quoted, func(c byte) bool { return endsValue(c, text[at]) })
}

// openStated is openValue of a statement that begins with the run text[at:end].
func openStated(text string, at, end int) int {
	s, ok := stating(text, at, end)
	if !ok {
		return len(text)
	}
	start, _, quoted := s.value(text)
	return openWord(text, start, quoted, endsStated)
}

// openWord is the start of a value unless its end is there. Whether a bare word is a password
// depends on the character behind the next one, too.
func openWord(text string, start int, quoted bool, ends func(c byte) bool) int {
	rest := text[start:]
	if len(rest) > maxValue+1 {
		return len(text)
	}
	for i := range len(rest) {
		switch {
		case quoted && (rest[i] == text[start-1] || rest[i] == '\n'):
			return len(text)
		case !quoted && ends(rest[i]) && i+1 < len(rest):
			return len(text)
		}
	}
	return start
}

// openKey is where a private key begins that isn't at its end yet; behind the text for none.
func openKey(text string, at int) int {
	const begin, dashes, key = "-----BEGIN ", "-----", "PRIVATE KEY"
	rest := text[at:]
	if len(rest) < len(begin) {
		if strings.HasPrefix(begin, rest) {
			return at
		}
		return len(text)
	}
	if !strings.HasPrefix(rest, begin) {
		return len(text)
	}
	const mostLabel = 64
	label, _, ok := strings.Cut(clip(rest[len(begin):], mostLabel), dashes)
	switch {
	case !ok && len(rest) < len(begin)+mostLabel:
		return at
	case !ok || !strings.Contains(label, key):
		return len(text)
	case len(rest) >= maxPEM+mostLabel:
		return len(text)
	}
	_, last, ended := strings.Cut(rest, "-----END ")
	if !ended || len(last) < mostLabel && !strings.Contains(last, dashes) {
		return at
	}
	return len(text)
}

// SettledJSON is Settled for the text of a JSON object: its beginning through the last
// member that is whole, as RedactJSON gives it; "" before one is. An object that has ended
// is given with its end.
func SettledJSON(text string) string {
	n, closed := lastMember(text)
	if n == 0 {
		return ""
	}
	whole := text[:n] + "}"
	if !gjson.Valid(whole) {
		return ""
	}
	clean, _ := RedactJSON([]byte(whole))
	if closed {
		return string(clean)
	}
	return strings.TrimSuffix(string(clean), "}")
}

// lastMember is where the last whole member of an object ends, and whether the object does,
// too; 0 for none.
func lastMember(text string) (end int, closed bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringLen(text[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i, true
			}
		case ',':
			if depth == 1 {
				end = i
			}
		}
	}
	return end, false
}
