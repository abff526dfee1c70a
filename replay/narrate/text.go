package narrate

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// OneLine makes one line of a text from anywhere. Control characters, those that turn the
// writing direction around, and what is no character at all are gone: a signal's
// content must not be able to redraw the screen, or make a picture unreadable.
func OneLine(s string) string {
	var out strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = out.Len() > 0
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Co, r), r == unicode.ReplacementChar, r >= 0xFFFE && r <= 0xFFFF:
		default:
			if space {
				out.WriteByte(' ')
				space = false
			}
			out.WriteRune(r)
		}
	}
	return out.String()
}

// Span writes how long something took or is ago, in its largest units.
func Span(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min", d/time.Minute)
	case d < 48*time.Hour:
		if minutes := d % time.Hour / time.Minute; minutes > 0 && d < 10*time.Hour {
			return fmt.Sprintf("%d h %d min", d/time.Hour, minutes)
		}
		return fmt.Sprintf("%d h", d/time.Hour)
	default:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
}

// Duration is a length of time in whole words, in its two largest units.
func Duration(d time.Duration) string {
	several := func(n time.Duration, what string) string {
		if n == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	switch {
	case d < time.Minute:
		return several(max(0, d)/time.Second, "second")
	case d < time.Hour:
		return several(d/time.Minute, "minute")
	case d < 24*time.Hour:
		if rest := d % time.Hour / time.Minute; rest > 0 {
			return several(d/time.Hour, "hour") + " " + several(rest, "minute")
		}
		return several(d/time.Hour, "hour")
	}
	if rest := d % (24 * time.Hour) / time.Hour; rest > 0 && d < 10*24*time.Hour {
		return several(d/(24*time.Hour), "day") + " " + several(rest, "hour")
	}
	return several(d/(24*time.Hour), "day")
}

// Counted writes a number with its noun.
func Counted[N int | uint64 | domain.Position](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Grouped(uint64(n)) + " " + many
}

// Grouped writes a number with its thousands apart.
func Grouped(n uint64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Spelt is a stored name in words.
func Spelt(name string) string { return domain.Spelt(name) }

// Permitted is which signals a token may send.
func Permitted(signals []string) string {
	if len(signals) == 0 {
		return "signals of every type"
	}
	return OneLine(strings.Join(signals, ", "))
}

// WithoutQuery leaves out of an address what may be a secret.
func WithoutQuery(url string) string {
	if before, _, cut := strings.Cut(url, "?"); cut {
		return before + "?…"
	}
	return url
}

// Bounds of what is told, in characters.
const (
	MaxLabel = 160 // of a label
	MaxQuote = 120 // of what is quoted in a sentence
	MaxName  = 40  // of a name in a label or sentence
)

// Shortened is a text on one line, cut to so many characters. It is cut between two words
// where it can be: half a word is no word, neither to a person nor under a pseudonym.
func Shortened(text string, most int) string {
	var out []rune
	for word := range strings.FieldsSeq(OneLine(text)) {
		whole := len(out)
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(out, []rune(word)...)
		if len(out) > most && whole > most/2 {
			return strings.TrimRight(string(out[:whole]), " ") + "…"
		}
		if len(out) > most {
			return strings.TrimRight(string(out[:most-1]), " ") + "…"
		}
	}
	return string(out)
}

// Quoted is a text in quotation marks, bounded.
func Quoted(text string) string { return `"` + Shortened(text, MaxQuote) + `"` }

// Gone stands for a payload that can't be read any more.
func Gone(e domain.Envelope) string { return cmp.Or(Unreadable(e), "(unreadable)") }

// Capital is a text that begins with a capital letter.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// with is a text and what it is about, if there is anything.
func with(text, detail string) string {
	if strings.TrimSpace(detail) == "" {
		return text
	}
	return text + ": " + detail
}

// endsQuoted reports whether what a clause says is in quotation marks, so that something can
// stand behind it.
func endsQuoted(clause Phrase) bool {
	text := clause.String()
	return strings.HasSuffix(text, `"`) && !strings.Contains(text, `: "`) || !strings.ContainsAny(text, ":,")
}

// decoded tells a payload by its fields; false when this version can't read it.
func decoded[P any](e domain.Envelope, tell func(P) string) (string, bool) {
	p, err := domain.Decode[P](e)
	if err != nil {
		return "", false
	}
	return tell(p), true
}
