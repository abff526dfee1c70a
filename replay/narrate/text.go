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

// OneLine makes one line of an untrusted text. It removes control characters, those that
// turn the writing direction around, and invalid bytes: a signal must not be able to
// redraw the screen, or make a picture unreadable.
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

// Span writes a duration in its largest units.
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

// Spelt writes a stored name in words.
func Spelt(name string) string { return domain.Spelt(name) }

// Permitted tells what a token lets its program do, in one line.
func Permitted(signals []string) string { return strings.Join(Permissions(signals), "; ") }

// Permissions are what a token lets its program do, each to be read behind "may": which signals it
// sends, and its rights in words.
func Permissions(signals []string) []string {
	if len(signals) == 0 {
		return []string{"send signals of every type"}
	}
	var parts []string
	if plain := domain.WithoutRights(signals); len(plain) > 0 {
		parts = append(parts, OneLine("send "+strings.Join(plain, ", ")))
	}
	for _, right := range domain.RightsIn(signals) {
		words, _ := domain.RightInWords(right)
		parts = append(parts, words+" ("+right+")")
	}
	return parts
}

// WithoutQuery is an address without its query, which may hold a secret.
func WithoutQuery(url string) string {
	if before, _, cut := strings.Cut(url, "?"); cut {
		return before + "?…"
	}
	return url
}

// Bounds of texts, in characters.
const (
	MaxLabel = 160 // of a label
	MaxQuote = 120 // of a quotation in a sentence
	MaxName  = 40  // of a name in a label or sentence
)

// Shortened is a text on one line, cut to a number of characters, between two words if
// possible: half a word can neither be read nor be given a pseudonym.
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

// Gone is the text for a payload that can't be read.
func Gone(e domain.Envelope) string { return cmp.Or(Unreadable(e), "(unreadable)") }

// Capital is a text that begins with a capital letter.
func Capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// withDetail appends a detail to a text, if there is one.
func withDetail(text, detail string) string {
	if strings.TrimSpace(detail) == "" {
		return text
	}
	return text + ": " + detail
}

// endsQuoted reports whether a clause ends with a quotation, so that more words can
// follow it.
func endsQuoted(clause Phrase) bool {
	text := clause.String()
	return strings.HasSuffix(text, `"`) && !strings.Contains(text, `: "`) || !strings.ContainsAny(text, ":,")
}

// decoded tells a payload; false when this version can't read it.
func decoded[P any](e domain.Envelope, tell func(P) string) (string, bool) {
	p, err := domain.Decode[P](e)
	if err != nil {
		return "", false
	}
	return tell(p), true
}
