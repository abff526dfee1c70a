package gist

import (
	"fmt"
	"strings"
	"time"
	"unicode"

	"chalie/domain"
	"chalie/replay/wording"
)

// Line makes one line of a text from anywhere. Control characters, those that turn the
// writing direction around, and what is no character at all are gone: a signal's
// content must not be able to redraw the screen, or make a picture unreadable.
func Line(s string) string {
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
			return fmt.Sprintf("%d h %02d", d/time.Hour, minutes)
		}
		return fmt.Sprintf("%d h", d/time.Hour)
	default:
		return fmt.Sprintf("%d days", d/(24*time.Hour))
	}
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
func Spelt(name string) string { return wording.Spelt(name) }

// Permitted is which signals a token may send.
func Permitted(signals []string) string {
	if len(signals) == 0 {
		return "signals of every type"
	}
	return Line(strings.Join(signals, ", "))
}

// WithoutQuery leaves out of an address what may be a secret.
func WithoutQuery(url string) string {
	if before, _, cut := strings.Cut(url, "?"); cut {
		return before + "?…"
	}
	return url
}
