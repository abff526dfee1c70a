package voices

import (
	"strconv"
	"strings"
	"unicode"
)

// spokenWords is a text as it is said, in lower case without marks: numbers are words, and
// letters have no accents. What has no Latin letters isn't said in English.
func spokenWords(text string) []string {
	var out []string
	for word := range strings.FieldsFuncSeq(accents.Replace(strings.ToLower(text)), func(r rune) bool {
		return r != '\'' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	}) {
		out = append(out, saidAs(strings.Trim(word, "'"))...)
	}
	return out
}

// accents are the letters with accents that names have most, without them.
var accents = strings.NewReplacer("’", "'", "ä", "a", "á", "a", "à", "a", "â", "a", "ã", "a", "å", "a", "ą", "a", "æ", "ae", "ç", "c", "ć", "c", "č", "c", "ď", "d",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "ę", "e", "ě", "e", "ğ", "g", "í", "i", "ì", "i", "î", "i", "ï", "i", "ı", "i", "ł", "l", "ñ", "n", "ń", "n", "ň", "n",
	"ö", "o", "ó", "o", "ò", "o", "ô", "o", "õ", "o", "ø", "o", "ő", "o", "œ", "oe", "ř", "r", "ś", "s", "š", "s", "ş", "s", "ș", "s", "ß", "ss", "ť", "t", "ț", "t",
	"ü", "u", "ú", "u", "ù", "u", "û", "u", "ů", "u", "ű", "u", "ý", "y", "ź", "z", "ż", "z", "ž", "z")

// saidAs is a word in letters: 9pm is nine p m, 21st is twenty first.
func saidAs(word string) (out []string) {
	for word != "" {
		digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
		if digits == 0 {
			letters := strings.IndexAny(word, "0123456789")
			if letters < 0 {
				letters = len(word)
			}
			part := word[:letters]
			if part == "am" || part == "pm" {
				if len(out) > 0 {
					out = append(out, part[:1], part[1:])
					part = ""
				}
			}
			if part != "" {
				out = append(out, part)
			}
			word = word[letters:]
			continue
		}
		rest := word[digits:]
		ordinal := strings.HasPrefix(rest, "st") || strings.HasPrefix(rest, "nd") || strings.HasPrefix(rest, "rd") || strings.HasPrefix(rest, "th")
		if ordinal {
			rest = rest[2:]
		}
		out = append(out, numberWords(word[:digits], ordinal)...)
		word = rest
	}
	return out
}

var (
	small = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
	tens  = strings.Fields("zero ten twenty thirty forty fifty sixty seventy eighty ninety")
	nths  = map[string]string{"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth", "twelve": "twelfth"}
)

// numberWords says a number up to 9999, and longer ones digit by digit, as codes are.
func numberWords(digits string, ordinal bool) (out []string) {
	n, err := strconv.Atoi(digits)
	if err != nil || n > 9999 || len(digits) > 1 && digits[0] == '0' {
		for _, d := range digits {
			out = append(out, small[d-'0'])
		}
		return out
	}
	if n == 0 {
		return []string{small[0]}
	}
	if n >= 1000 && n%1000 >= 100 && n < 2000 || n >= 2010 && n < 2100 { // as years are said
		out, n = append(out, belowHundred(n/100)...), n%100
	} else {
		if n >= 1000 {
			out = append(out, small[n/1000], "thousand")
			n %= 1000
		}
		if n >= 100 {
			out = append(out, small[n/100], "hundred")
			n %= 100
		}
	}
	out = append(out, belowHundred(n)...)
	if last := len(out) - 1; ordinal {
		switch word := out[last]; {
		case nths[word] != "":
			out[last] = nths[word]
		case strings.HasSuffix(word, "y"):
			out[last] = strings.TrimSuffix(word, "y") + "ieth"
		default:
			out[last] += "th"
		}
	}
	return out
}

func belowHundred(n int) []string {
	switch {
	case n == 0:
		return nil
	case n < len(small):
		return []string{small[n]}
	case n%10 == 0:
		return []string{tens[n/10]}
	}
	return []string{tens[n/10], small[n%10]}
}
