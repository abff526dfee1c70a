package carry

import (
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// The codes that bytes are written in as text.

// decodedBy is what runs of signs stand for in each of some codes: what is a text in it, one
// behind the other.
func decodedBy(codes []code, runs []string) []string {
	var out []string
	for _, code := range codes {
		var text strings.Builder
		for _, run := range runs {
			if b := code(run); isText(b) {
				text.Write(b)
				text.WriteByte(' ')
			}
		}
		out = append(out, text.String())
	}
	return out
}

// code reads a run in a code; nil when it is none.
type code func(run string) []byte

// codes are those that are used most, of letters and digits.
var codes = []code{
	func(run string) []byte {
		return sound(base64.RawStdEncoding.DecodeString(urlSafe.Replace(strings.TrimRight(run, "="))))
	},
	func(run string) []byte {
		return sound(base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(run, "="))))
	},
	func(run string) []byte {
		return sound(base32.HexEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimRight(run, "="))))
	},
	func(run string) []byte {
		return sound(hex.DecodeString(joined.Replace(strings.TrimPrefix(run, "0x"))))
	},
}

// numbers are those in which a run is one number, or the numbers of letters in a row.
var numbers = []code{
	oneNumber("0123456789"),
	oneNumber("0123456789abcdefghijklmnopqrstuvwxyz"),
	oneNumber("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
	oneNumber("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
	oneNumber("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
	oneNumber("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
	func(run string) []byte {
		return digitsOf(run, "01", func(row string) []byte { return pieces(row, 8, 2) })
	},
	func(run string) []byte {
		return digitsOf(run, "01", func(row string) []byte { return pieces(row, 7, 2) })
	},
	func(run string) []byte {
		return digitsOf(run, "01234567", func(row string) []byte { return pieces(row, 3, 8) })
	},
	func(run string) []byte {
		return digitsOf(run, "0123456789", func(row string) []byte { return pieces(row, 3, 10) })
	},
	func(run string) []byte { return digitsOf(run, "0123456789", decimals) },
}

// dense are those of signs as well, between which there are spaces.
var dense = []code{
	func(run string) []byte { return ascii85Bytes(strings.TrimSuffix(strings.TrimPrefix(run, "<~"), "~>")) },
	func(run string) []byte { return ascii85Bytes(translated(run, z85)) },
	func(run string) []byte { return ascii85Bytes(translated(run, base85)) },
}

func sound(b []byte, err error) []byte {
	if err != nil {
		return nil
	}
	return b
}

// mostDigits bounds a run that is read as one number: reading it takes the square of that.
const (
	leastNumberRun = 6 // for four letters
	mostDigits     = 512
)

// oneNumber reads a run as one number, with these digits, whose bytes are a text.
func oneNumber(digits string) code {
	base := big.NewInt(int64(len(digits)))
	return func(run string) []byte {
		if len(run) < leastNumberRun || len(run) > mostDigits {
			return nil
		}
		var number, value big.Int
		for i := range len(run) {
			at := strings.IndexByte(digits, run[i])
			if at < 0 {
				return nil
			}
			number.Mul(&number, base).Add(&number, value.SetInt64(int64(at)))
		}
		return number.Bytes()
	}
}

// digitsOf reads a run of some digits, which signs may separate.
func digitsOf(run, digits string, read func(row string) []byte) []byte {
	row := joined.Replace(run)
	if len(row) < leastWord*2 || strings.Trim(row, digits) != "" {
		return nil
	}
	return read(row)
}

// decimals reads the numbers of letters of ASCII that stand in a row without zeros before
// them: those of three digits begin with 1.
func decimals(row string) []byte {
	var out []byte
	for row != "" {
		wide := 2
		if row[0] == '1' {
			wide = 3
		}
		if len(row) < wide {
			return nil
		}
		n, err := strconv.ParseUint(row[:wide], 10, 8)
		if err != nil {
			return nil
		}
		out, row = append(out, byte(n)), row[wide:]
	}
	return out
}

func ascii85Bytes(run string) []byte {
	if run == "" {
		return nil
	}
	out := make([]byte, 4*len(run))
	n, _, err := ascii85.Decode(out, []byte(run), true)
	if err != nil {
		return nil
	}
	return out[:n]
}

// The digits of codes to the base of 85, in order, for those of ASCII85.
var (
	z85    = digits85("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#")
	base85 = digits85("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~")
)

func digits85(digits string) (out [128]byte) {
	for i := range len(digits) {
		out[digits[i]] = byte('!' + i)
	}
	return out
}

// translated is a run with other signs; "" when it has one that has none.
func translated(run string, to [128]byte) string {
	out := make([]byte, len(run))
	for i := range len(run) {
		if run[i] >= 128 || to[run[i]] == 0 {
			return ""
		}
		out[i] = to[run[i]]
	}
	return string(out)
}

// base45 is RFC 9285, in which a space is a digit.
func base45(text string) []byte {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
	var out []byte
	for at := 0; at < len(text); at += 3 {
		three := text[at:min(at+3, len(text))]
		n := 0
		for i := len(three) - 1; i >= 0; i-- {
			digit := strings.IndexByte(digits, three[i])
			if digit < 0 {
				return nil
			}
			n = n*len(digits) + digit
		}
		switch {
		case len(three) == 3 && n <= 0xffff:
			out = append(out, byte(n>>8), byte(n))
		case len(three) == 2 && n <= 0xff:
			out = append(out, byte(n))
		default:
			return nil
		}
	}
	return out
}

// uudecoded is what lines in the code of uuencode stand for.
func uudecoded(text string) []byte {
	var out []byte
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] <= ' ' || line[0] > '`' {
			continue
		}
		n := int(line[0]-' ') & 0x3f
		signs := line[1:]
		if most := (n + 2) / 3 * 4; n == 0 || len(signs) > most || len(signs)+3 < most {
			continue
		}
		var read []byte
		for len(signs) < (n+2)/3*4 {
			signs += " " // at the end of a line they get lost
		}
		for at := 0; at < len(signs); at += 4 {
			var four uint32
			for i := range 4 {
				four = four<<6 | uint32(signs[at+i]-' ')&0x3f
			}
			read = append(read, byte(four>>16), byte(four>>8), byte(four))
		}
		out = append(out, read[:n]...)
	}
	return out
}

// Escapes of letters, each with the number of the letter among its groups.
type escape struct {
	is   *regexp.Regexp
	base int
}

var (
	// Of programming languages: \x51, \u0051, \U00000051, \u{51} and, to the base of eight, \121.
	escapes      = []escape{{regexp.MustCompile(`\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[uxN]\{(?:U\+)?([0-9a-fA-F]{1,6})\})`), 16}, {regexp.MustCompile(`\\o?\{?([0-7]{2,3})\}?`), 8}}
	styleEscapes = []escape{{regexp.MustCompile(`\\([0-9a-fA-F]{1,6}) ?`), 16}} // of style sheets
	codePoints   = []escape{{regexp.MustCompile(`[uU]\+([0-9a-fA-F]{2,6})[ ,;]*`), 16}}
	printable    = []escape{{regexp.MustCompile(`=([0-9a-fA-F]{2})`), 16}} // of mail
)

// replaced is a text with the letters that escapes stand for.
func replaced(text string, escapes []escape) string {
	for _, e := range escapes {
		text = e.is.ReplaceAllStringFunc(text, func(code string) string {
			for _, group := range e.is.FindStringSubmatch(code)[1:] {
				if n, err := strconv.ParseUint(group, e.base, 32); err == nil {
					return string(rune(n))
				}
			}
			return code
		})
	}
	return text
}
