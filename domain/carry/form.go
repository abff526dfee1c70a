package carry

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
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

// lookalike are letters of other alphabets that look like Latin ones.
var lookalike = pairs("аaеeоoрpсcуyхxіiѕsјjԁdһhкkмmтtвbнnАaВbЕeКkМmНhОoРpСcТtХxαaοoρpνvκkιiτtυu")

func pairs(both string) map[rune]rune {
	out := map[rune]rune{}
	runes := []rune(both)
	for i := 0; i+1 < len(runes); i += 2 {
		out[runes[i]] = runes[i+1]
	}
	return out
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
func undone(text string, alphabets bool) []string {
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
	if strings.Contains(text, `\`) {
		out = append(out, escapes.ReplaceAllStringFunc(text, func(code string) string {
			n, _ := strconv.ParseUint(code[2:], 16, 32)
			return string(rune(n))
		}))
	}
	out = append(out, numbered(text)...)
	out = append(out, decoded(only(strings.FieldsFunc(text, func(r rune) bool { return !isCodeSign(r) && !strings.ContainsRune("+/=-", r) }), func(run string) bool { return len(run) >= leastRun }))...)
	// Encoded text may have been cut into pieces.
	if whole := strings.Join(strings.Fields(text), ""); whole != text {
		out = append(out, decoded([]string{whole})...)
	}
	if back := reversed(text); alphabets {
		out = append(out, back, digitsForLetters(text))
		for by := 1; by < 26; by++ {
			out = append(out, shifted(text, by))
		}
		out = append(out, mirrored(text))
	} else {
		out = append(out, back)
	}
	return out
}

var (
	percents = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	escapes  = regexp.MustCompile(`\\[ux][0-9a-fA-F]{2,6}`)
)

// A replacer is built when it is first used, and that takes longer than what it does.
var (
	urlSafe = strings.NewReplacer("-", "+", "_", "/")
	joined  = strings.NewReplacer("-", "", "_", "")
	drawn   = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "8", "b", "@", "a", "$", "s", "!", "i")
)

// leastRun is the signs of a run that may stand for something.
const leastRun = 4

// isCodeSign reports whether a sign is a letter or digit of ASCII, or a low line.
func isCodeSign(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}

func byteOf(code string) string {
	n, _ := strconv.ParseUint(code, 16, 8)
	return string([]byte{byte(n)})
}

// decoded is what runs of signs stand for in each of the codes that bytes are written
// in: what is a text in it, one behind the other.
func decoded(runs []string) []string {
	var out []string
	for _, code := range codes {
		var text strings.Builder
		for _, run := range runs {
			if b, err := code(run); err == nil && isText(b) {
				text.Write(b)
				text.WriteByte(' ')
			}
		}
		out = append(out, text.String())
	}
	return out
}

// codes read the codes that bytes are written in.
var codes = []func(run string) ([]byte, error){
	func(run string) ([]byte, error) {
		return base64.RawStdEncoding.DecodeString(urlSafe.Replace(strings.TrimRight(run, "=")))
	},
	func(run string) ([]byte, error) {
		return base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(run, "=")))
	},
	func(run string) ([]byte, error) {
		return base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(run, "=")))
	},
	func(run string) ([]byte, error) {
		return hex.DecodeString(joined.Replace(strings.TrimPrefix(run, "0x")))
	},
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
	}{{strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }), 10}, {only(words, hexByte), 16}, {only(words, eightBits), 2}} {
		if len(in.found) < leastWord {
			continue
		}
		var codes, places strings.Builder
		for _, word := range in.found {
			n, err := strconv.ParseUint(strings.TrimPrefix(strings.ToLower(word), "0x"), in.base, 32)
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
