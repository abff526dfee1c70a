package carry

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Letters that are written with other signs: those that look like them or stand for them one
// by one are read as them wherever they stand, and the rest are alphabets of their own.

// lookalike are the Latin letters for signs that look like them, or are them in a style that
// has no compatible form.
var lookalike = letters()

func letters() map[rune]rune {
	out := map[rune]rune{}
	for _, both := range [][2]string{
		{"аеорсухіѕјԁһкмтвнАВЕКМНОРСТХαορνκιτυ", "aeopcyxisjdhkmtbnabekmhopctxaopvkitu"}, // of Cyrillic and Greek
		{"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"},                       // small capitals
		{"ɐɔǝɟƃᵷɥᴉɾʞʅꞁɯɹʇʌʍʎ", "acefgghijkllmrtvwy"},                                     // turned
	} {
		to := []rune(both[1])
		for i, r := range []rune(both[0]) {
			out[r] = to[i]
		}
	}
	for _, first := range []rune{'🄰', '🅐', '🅰', '🇦'} { // squared, negative in circles and squares, flags
		for i := range rune(26) {
			out[first+i] = 'a' + i
		}
	}
	return out
}

// smallQ is a letter with a mark below that stands for a small capital.
const smallQ = "ǫ"

// turned is a text that was put on its head: backwards, and in turned letters.
func turned(text string) string {
	if !strings.ContainsAny(text, "ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ") {
		return ""
	}
	return reversed(strings.Map(func(r rune) rune {
		const these, those = "bdpqnu", "qpdbun"
		if i := strings.IndexRune(these, r); i >= 0 {
			return rune(those[i])
		}
		return r
	}, text))
}

// unseen is what stands in a text in signs that nobody sees: tag characters, variation
// selectors that number bytes, and two signs without width for the bits of bytes.
func unseen(text string) []string {
	var tags, selectors, bits []byte
	var zero rune
	for _, r := range text {
		switch {
		case r < 0x200b:
		case r > 0xE0000 && r < 0xE0080:
			tags = append(tags, byte(r-0xE0000))
		case r >= 0xFE00 && r <= 0xFE0F:
			selectors = append(selectors, byte(r-0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			selectors = append(selectors, byte(r-0xE0100+16))
		case unicode.Is(unicode.Cf, r):
			if zero == 0 {
				zero = r
			}
			if r == zero {
				bits = append(bits, '0')
			} else {
				bits = append(bits, '1')
			}
		}
	}
	out := []string{string(tags)}
	if isText(selectors) {
		out = append(out, string(selectors))
	}
	return append(out, bitsOf(string(bits), true)...)
}

// bitsOf is what a row of bits stands for, eight or seven of them a letter; the other way
// round, too, when it isn't known which of two signs is the 0.
func bitsOf(row string, either bool) (out []string) {
	if len(row) < leastWord*7 {
		return nil
	}
	rows := []string{row}
	if either {
		rows = append(rows, strings.NewReplacer("0", "1", "1", "0").Replace(row))
	}
	for _, bits := range rows {
		for _, wide := range []int{8, 7} {
			if text := pieces(bits, wide, 2); isText(text) {
				out = append(out, string(text))
			}
		}
	}
	return out
}

// pieces are the bytes that a row of digits stands for, each so wide and to a base.
func pieces(row string, wide, base int) []byte {
	if len(row)%wide != 0 {
		return nil
	}
	var out []byte
	for at := 0; at < len(row); at += wide {
		n, err := strconv.ParseUint(row[at:at+wide], base, 8)
		if err != nil {
			return nil
		}
		out = append(out, byte(n))
	}
	return out
}

// braille is a text in the signs of Braille: letters, digits behind their mark, or the bytes
// that the patterns number.
func braille(text string) []string {
	const first, last, numbers = '\u2800', '\u28ff', '⠼'
	if !strings.ContainsFunc(text, func(r rune) bool { return r > first && r <= last }) {
		return nil
	}
	var said strings.Builder
	var bytes []byte
	counts := false
	for _, r := range text {
		if r < first || r > last {
			counts = false
			said.WriteRune(r)
			continue
		}
		bytes = append(bytes, byte(r-first))
		at := strings.IndexRune(brailleLetters, r) / len("⠁")
		switch {
		case r == numbers:
			counts = true
		case r == first || !strings.ContainsRune(brailleLetters, r):
			said.WriteByte(' ')
			counts = false
		case counts && at < 10:
			said.WriteByte("1234567890"[at])
		default:
			said.WriteByte(byte('a' + at))
		}
	}
	if isText(bytes) {
		return []string{said.String(), string(bytes)}
	}
	return []string{said.String()}
}

const brailleLetters = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"

// morse is a text in Morse's code, with signs between the letters.
func morse(text string) string {
	if !strings.ContainsAny(text, ".·•⋅‧∙*") {
		return ""
	}
	var out strings.Builder
	letters := 0
	for _, word := range strings.FieldsFunc(oneMorse.Replace(text), func(r rune) bool { return r == '/' || r == '|' || r == '\n' || r == '\t' }) {
		for code := range strings.FieldsSeq(word) {
			if sign, ok := morseSigns[code]; ok {
				out.WriteByte(sign)
				letters++
			} else {
				out.WriteByte(' ')
			}
		}
		out.WriteByte(' ')
	}
	if letters < leastNumber {
		return ""
	}
	return out.String()
}

var oneMorse = strings.NewReplacer("·", ".", "•", ".", "⋅", ".", "‧", ".", "∙", ".", "*", ".",
	"–", "-", "—", "-", "−", "-", "_", "-", "‐", "-", "‑", "-", "‒", "-", "   ", "/", ",", " ")

var morseSigns = spelt(".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.."+
	" ----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----.", "abcdefghijklmnopqrstuvwxyz0123456789")

// inWords is a text that is spelt with a word for each letter, as on the telephone, or for each
// digit.
func inWords(text string) string {
	var out strings.Builder
	signs := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if sign, ok := spellingWords[word]; ok {
			out.WriteByte(sign)
			signs++
			continue
		}
		out.WriteByte(' ')
	}
	if signs < leastNumber {
		return ""
	}
	return out.String()
}

var spellingWords = spelt("alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey"+
	" xray yankee zulu alpha juliet whisky zero one two three four five six seven eight nine niner oh", "abcdefghijklmnopqrstuvwxyzajw012345678990")

// spelt are the signs that words stand for.
func spelt(words, signs string) map[string]byte {
	out := map[string]byte{}
	for i, word := range strings.Fields(words) {
		out[word] = signs[i]
	}
	return out
}

// unescaped is a text with the escapes of programming languages and of documents taken back.
func unescaped(text string) []string {
	var out []string
	if strings.Contains(text, `\`) {
		out = append(out, replaced(text, escapes), replaced(text, styleEscapes))
	}
	if strings.Contains(text, "+") {
		out = append(out, replaced(text, codePoints))
	}
	if strings.Contains(text, "=") {
		out = append(out, replaced(softBreak.Replace(text), printable))
	}
	if strings.Contains(text, "xn--") {
		out = append(out, internationalised(text))
	}
	return out
}

// internationalised is a text with the labels of domains as they are shown.
func internationalised(text string) string {
	var out strings.Builder
	for _, label := range strings.FieldsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || !isCodeSign(r) && r != '-' }) {
		if code, ok := strings.CutPrefix(strings.ToLower(label), "xn--"); ok {
			label = punycode(code)
		}
		out.WriteString(label)
		out.WriteByte(' ')
	}
	return out.String()
}

// punycode is RFC 3492; "" for what is none.
func punycode(code string) string {
	const base, least, most, skew, damp, maxLabel = 36, 1, 26, 38, 700, 63
	if len(code) > maxLabel {
		return ""
	}
	out := []rune{}
	if at := strings.LastIndexByte(code, '-'); at >= 0 {
		out, code = []rune(code[:at]), code[at+1:]
	}
	n, i, bias := rune(128), 0, 72
	for code != "" {
		before, weight := i, 1
		for k := base; ; k += base {
			if code == "" {
				return ""
			}
			digit, err := strconv.ParseUint(code[:1], base, 8)
			code = code[1:]
			if err != nil {
				return ""
			}
			value := (int(digit) + 26) % base // a to z, then 0 to 9
			if digit >= 10 {
				value = int(digit) - 10
			}
			i += value * weight
			t := min(max(k-bias, least), most)
			if value < t {
				break
			}
			if weight *= base - t; weight > 1<<30 {
				return ""
			}
		}
		count := len(out) + 1
		delta := (i - before) / 2
		if before == 0 {
			delta = (i - before) / damp
		}
		delta += delta / count
		k := 0
		for ; delta > (base-least)*most/2; k += base {
			delta /= base - least
		}
		bias = k + (base-least+1)*delta/(delta+skew)
		if n += rune(i / count); n > unicode.MaxRune {
			return ""
		}
		i %= count
		out = append(out[:i], append([]rune{n}, out[i:]...)...)
		i++
	}
	return string(out)
}
