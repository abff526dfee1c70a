package carry

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordsOf are the words of a text in small letters, without accents. What can't be
// seen is no part of them, and where a script without spaces begins or ends, a word
// does.
func wordsOf(text string) []string {
	return strings.FieldsFunc(plainLetters(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// plainLetters is a text in small letters, without accents and invisible signs, and
// with the letters of the Latin alphabet for those of others that look like them.
func plainLetters(text string) string {
	var out strings.Builder
	var last rune
	for _, r := range norm.NFKD.String(text) {
		switch {
		case unicode.Is(unicode.M, r), unicode.Is(unicode.Cf, r):
			continue
		case lookalike[r] != 0:
			r = lookalike[r]
		}
		if isUnspaced(r) != isUnspaced(last) {
			out.WriteByte(' ')
		}
		out.WriteRune(unicode.ToLower(r))
		last = r
	}
	return out.String()
}

// decodings are a text as it is, and what it may stand for, up to so many forms deep and
// so many bytes in all; whole is false when there was more. The first is the text itself.
func decodings(text string, deep, room int) (out []string, whole bool) {
	seen := map[string]bool{text: true}
	out = []string{text}
	for level, from := 0, 0; level < deep; level++ {
		last := len(out)
		for _, t := range out[from:last] {
			for _, next := range undone(t, level == 0) {
				if next == "" || seen[next] {
					continue
				}
				if room -= len(next); room < 0 {
					return out, false
				}
				seen[next] = true
				out = append(out, next)
			}
		}
		from = last
	}
	return out, true
}

// Bounds of the forms of one text. What may be sent, in three forms within each other,
// takes less unless it was made to take more.
const (
	maxDeep  = 3
	maxForms = 4 << 20 // bytes
)

// undone is a text with each of the forms taken back that it may have been put into.
// Forms that are seldom used are looked for in what is sent as it is, and not within others.
func undone(text string, outermost bool) []string {
	var out []string
	if strings.Contains(text, "%") {
		if t, err := url.PathUnescape(text); err == nil {
			out = append(out, t)
		} else {
			out = append(out, percents.ReplaceAllStringFunc(text, func(code string) string { return byteOf(code[1:]) }))
		}
	}
	if strings.Contains(text, "&") {
		out = append(out, html.UnescapeString(text))
	}
	out = append(out, unescaped(text)...)
	out = append(out, numbered(text)...)
	runs := runsOf(text)
	out = append(out, decodedBy(codes, runs)...)
	// Encoded text may have been cut into pieces.
	whole := strings.Join(strings.Fields(text), "")
	if whole != text {
		out = append(out, decodedBy(codes, []string{whole})...)
	}
	out = append(out, reversed(text))
	if outermost {
		out = append(out, seldom(text, whole, runs)...)
		for by := 1; by < 26; by++ {
			out = append(out, shifted(text, by))
		}
	}
	return out
}

// seldom is a text with each of the other forms taken back. whole is it without spaces, and
// runs are its runs of letters and digits.
func seldom(text, whole string, runs []string) []string {
	out := []string{turned(text), digitsForLetters(text), mirrored(text), signsShifted(text), strings.ReplaceAll(text, smallQ, "q"), morse(text), inWords(text)}
	out = append(out, decodedBy(numbers, append(runs, whole))...)
	out = append(out, decodedBy(dense, append(strings.Fields(text), whole))...)
	for _, b := range [][]byte{base45(text), uudecoded(text)} {
		if isText(b) {
			out = append(out, string(b))
		}
	}
	out = append(out, braille(text)...)
	return append(out, unseen(text)...)
}

var percents = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

// A replacer is built when it is first used, and that takes longer than what it does.
var (
	urlSafe = strings.NewReplacer("-", "+", "_", "/")
	joined  = strings.NewReplacer("-", "", "_", "")
	drawn   = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s", "!", "i",
		"+", "t", "€", "e", "|", "l", "£", "l", "¡", "i", "6", "g", "9", "g", "2", "z", "(", "c", "<", "c")
	softBreak = strings.NewReplacer("=\r\n", "", "=\n", "")
)

// leastRun is the signs of a run that may stand for something.
const leastRun = 4

// runsOf are the runs of a text that may stand for something. A sign that is a digit of some
// codes stands between the parts of an address or a name, too, so there are the runs with it,
// and what is on either side of it.
func runsOf(text string) (out []string) {
	seen := map[string]bool{}
	for i, within := range []string{"+/=-_", "+/-_", "+-_", ""} {
		for _, run := range strings.FieldsFunc(text, func(r rune) bool { return (r == '_' || !isCodeSign(r)) && !strings.ContainsRune(within, r) }) {
			digits := strings.TrimRight(run, "=")
			if len(run) >= leastRun && (i == 0 || !seen[digits]) {
				seen[digits] = true
				out = append(out, run)
			}
		}
	}
	return out
}

// isCodeSign reports whether a sign is a letter or digit of ASCII, or a low line.
func isCodeSign(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

func byteOf(code string) string {
	n, _ := strconv.ParseUint(code, 16, 8)
	return string([]byte{byte(n)})
}

// isText reports whether bytes are a text and not chance.
func isText(b []byte) bool {
	if len(b) < 3 || !utf8.Valid(b) {
		return false
	}
	return !slices.ContainsFunc([]rune(string(b)), func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) })
}

// numbered is a text that is written as the numbers of its letters.
func numbered(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !isCodeSign(r) })
	var out []string
	for _, in := range []struct {
		found []string
		base  int
	}{{strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }), 10}, {only(words, hexByte), 16}, {only(words, eightBits), 2}, {only(words, octalByte), 8}} {
		if len(in.found) < leastWord {
			continue
		}
		var codes, places strings.Builder
		for _, word := range in.found {
			n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(word), "0x"), "0o"), in.base, 32)
			if err == nil && n >= ' ' && n < unicode.MaxRune {
				codes.WriteRune(rune(n))
			}
			if err == nil && n >= 1 && n <= 26 {
				places.WriteRune(rune('a' + n - 1))
			}
		}
		out = append(out, codes.String(), places.String())
	}
	return out
}

func only(words []string, is func(string) bool) (out []string) {
	for _, w := range words {
		if is(w) {
			out = append(out, w)
		}
	}
	return out
}

// hexByte reports whether a word is the number of a letter in hex: 4a or 0x4a.
func hexByte(w string) bool {
	if len(w) == 4 && w[0] == '0' && w[1]|' ' == 'x' {
		w = w[2:]
	}
	return len(w) == 2 && strings.Trim(w, "0123456789abcdefABCDEF") == ""
}

func eightBits(w string) bool { return (len(w) == 7 || len(w) == 8) && strings.Trim(w, "01") == "" }

// octalByte reports whether a word is the number of a letter to the base of eight: 121 or 0o121.
func octalByte(w string) bool {
	w = strings.TrimPrefix(w, "0o")
	return len(w) >= 2 && len(w) <= 4 && strings.Trim(w, "01234567") == ""
}

func reversed(text string) string {
	runes := []rune(text)
	slices.Reverse(runes)
	return string(runes)
}

// shifted is a text with each letter moved on in the alphabet.
func shifted(text string, by int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+rune(by))%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+rune(by))%26
		}
		return r
	}, text)
}

// signsShifted is a text with each sign of ASCII moved on by half of them.
func signsShifted(text string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r <= '~' {
			return '!' + (r-'!'+47)%94
		}
		return r
	}, text)
}

// mirrored is a text with the alphabet the other way round.
func mirrored(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'z' - (r - 'a')
		case r >= 'A' && r <= 'Z':
			return 'Z' - (r - 'A')
		}
		return r
	}, text)
}

// digitsForLetters is a text with letters for the digits and signs that look like them.
func digitsForLetters(text string) string {
	return drawn.Replace(text)
}
