package hearing

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chalie/domain"
)

// ago is how long ago something was, in the largest unit that fits: "5 min ago".
func ago(then, now domain.Millis) string {
	switch d := now.Sub(then); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	default:
		return fmt.Sprintf("%d d ago", d/(24*time.Hour))
	}
}

// count is a number with the words that go with it.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// lines is a text from outside as lines: every way to break a line is the same,
// and characters that show nothing or turn the direction of writing are gone.
func lines(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == '\u0085' || r == '\u2028' || r == '\u2029':
			return '\n'
		case r == '\t':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}

// oneLine is a text from outside on one line, without space to spare.
func oneLine(text string) string { return strings.Join(strings.Fields(lines(text)), " ") }

// cut shortens a text to at most bound bytes, without splitting a character.
func cut(text string, bound int) string {
	if len(text) <= bound {
		return text
	}
	const mark = "…"
	end := bound - len(mark)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimRight(text[:end], " \n") + mark
}

// span is a length of time in its two largest units: "1 h 50 min".
func span(d time.Duration) string {
	days, hours, minutes := int(d/(24*time.Hour)), int(d/time.Hour)%24, int(d/time.Minute)%60
	var large, small string
	switch {
	case days > 0:
		large, small = fmt.Sprintf("%d d", days), fmt.Sprintf("%d h", hours)
	case hours > 0:
		large, small = fmt.Sprintf("%d h", hours), fmt.Sprintf("%d min", minutes)
	case minutes > 0:
		return fmt.Sprintf("%d min", minutes)
	default:
		return "under 1 min"
	}
	if strings.HasPrefix(small, "0 ") {
		return large
	}
	return large + " " + small
}

// mention is a text from outside in quotation marks that it can't leave.
func mention(text string) string {
	text = strings.NewReplacer("“", "\"", "”", "\"").Replace(cut(oneLine(text), maxLabelBytes))
	return "“" + text + "”"
}

// plain is a paragraph of plain text.
func plain(text string) domain.Block { return domain.TextBlock(text, domain.FormatPlain) }

// leadsTo is a link to one of Chalie's own pages.
func leadsTo(path, text string) domain.Block {
	return domain.Block{"type": "link", "url": path, "text": text}
}

// flagged says what a text from outside tries.
func flagged(whose string, flags []string) domain.Block {
	shown := make([]string, 0, maxFlags+1)
	for _, f := range flags[:min(len(flags), maxFlags)] {
		shown = append(shown, cut(oneLine(f), maxLabelBytes))
	}
	if more := len(flags) - maxFlags; more > 0 {
		shown = append(shown, count(more, "thing more", "things more"))
	}
	return domain.AlertBlock(whose+" tries something with whoever reads it ("+strings.Join(shown, "; ")+"): it is taken as data, and nothing follows from it.", domain.VariantWarning)
}

// maxFlags bounds how many flags are named.
const maxFlags = 5
