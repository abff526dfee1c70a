package guest

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// markdown is a text in Markdown in which nothing leads to this machine. Addresses
// that would stand as code, with the reason. Where it can't be told for certain what
// every reader of Markdown would make of it, it is as it came and to be shown as
// plain text.
func (h Host) markdown(text string) (safe string, readable bool) {
	if !h.reaches(text) {
		return text, true
	}
	pieces, ok := withoutCode(text)
	if !ok {
		return text, false
	}
	var out, left strings.Builder // left is what isn't code, to be looked at once more
	for _, p := range pieces {
		if p.code {
			out.WriteString(p.text)
			left.WriteString(" x ")
			continue
		}
		h.defuse(p.text, &out, &left)
	}
	if h.reaches(left.String()) {
		return text, false
	}
	if _, ok = withoutCode(out.String()); !ok {
		return text, false // the new code could run into what is next to it
	}
	return out.String(), true
}

// address finds what readers of Markdown make links of. In a link of its own text,
// the text is the first group and the address the second; between angle brackets it
// is the third.
var address = regexp.MustCompile("!?\\[([^\\[\\]\\n]*)\\]\\([ ]*<?([^\\s()<>]+)>?(?:[ ]+\"[^\"\\n]*\")?[ ]*\\)|<((?i:https?:)[^\\s<>]+)>|(?i:https?:|\\bwww\\.)[^\\s<>]+")

// trailing has the signs that end a sentence, and no address.
const trailing = ".,;:!?'\"*_~)]}"

// defuse writes a piece of Markdown without code, and the rest of it to be judged.
func (h Host) defuse(text string, out, left *strings.Builder) {
	at := 0
	for _, m := range address.FindAllStringSubmatchIndex(text, -1) {
		var label, to, rest string
		switch {
		case m[2] >= 0:
			label, to = text[m[2]:m[3]], text[m[4]:m[5]]
		case m[6] >= 0:
			to = text[m[6]:m[7]]
		default:
			whole := text[m[0]:m[1]]
			to = strings.TrimRight(whole, trailing)
			rest = whole[len(to):]
		}
		if !h.reaches(" "+to+" ") || strings.ContainsAny(to, "`|\\") {
			continue
		}
		out.WriteString(text[at:m[0]])
		left.WriteString(text[at:m[0]])
		_, why := h.Follow(to)
		if why == Followed {
			why = Unclear
		}
		if label != "" && label != to {
			out.WriteString(label + ": ")
			left.WriteString(label + ": ")
		}
		out.WriteString("`" + to + "` (not a link: " + string(why) + ")" + rest)
		left.WriteString(" x " + rest)
		at = m[1]
	}
	out.WriteString(text[at:])
	left.WriteString(text[at:])
}

type piece struct {
	text string
	code bool
}

// withoutCode splits a text where it is certain what is code: fences of three
// backticks at the beginning of a line, and spans within a line. Every reader of
// Markdown agrees about those as long as nothing else in the text could make them
// something else; false where it could.
func withoutCode(text string) (out []piece, ok bool) {
	if strings.Contains(text, "~~~") || strings.ContainsAny(text, "\r\v\f") || tag.MatchString(text) {
		return nil, false
	}
	if !strings.ContainsRune(text, '`') {
		return []piece{{text: text}}, true
	}
	fenced := false
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, " \t\n")
		if strings.HasPrefix(strings.TrimLeft(bare, " \t>-*+0123456789.)"), "```") {
			info, isFence := strings.CutPrefix(bare, "```")
			if !isFence || strings.ContainsRune(info, '`') || fenced && info != "" {
				return nil, false
			}
			fenced = !fenced
			out = append(out, piece{line, true})
			continue
		}
		if fenced {
			out = append(out, piece{line, true})
			continue
		}
		parts := strings.Split(line, "`")
		if len(parts) == 1 {
			out = append(out, piece{text: line})
			continue
		}
		if len(parts)%2 == 0 || strings.Contains(line, "``") || strings.Contains(line, "\\`") {
			return nil, false
		}
		for i, part := range parts {
			if i%2 == 1 {
				if strings.ContainsAny(part, `\|`) {
					return nil, false // an escape to some, and the end of a table's cell
				}
				out = append(out, piece{"`" + part + "`", true})
			} else {
				out = append(out, piece{text: part})
			}
		}
	}
	return out, !fenced
}

// tag matches what may be HTML.
var tag = regexp.MustCompile(`<(?:[!?/]|[A-Za-z][^\s<>:]*[\s/>])`)

// begins is where an address of a host may begin.
var begins = regexp.MustCompile(`(?i)https?:/*|//+|\bwww\.`)

// mayBegin is false where begins finds nothing, which most texts show at a glance, and
// for which the pattern is slow.
func mayBegin(text string) bool {
	return strings.Contains(text, ":") || strings.Contains(text, "//") || strings.Contains(strings.ToLower(text), "www.")
}

// reaches reports whether any reader of a text could make a link of it that leads to
// this machine. Markdown knows references of HTML and escapes; browsers take a
// backslash for a slash.
func (h Host) reaches(text string) bool {
	for _, form := range [...]string{strings.ReplaceAll(text, `\`, "/"), plainOf(text)} {
		if !mayBegin(form) {
			continue
		}
		for _, m := range begins.FindAllStringIndex(form, -1) {
			rest := form[m[1]:]
			if strings.EqualFold(form[m[0]:m[1]], "www.") {
				rest = form[m[0]:]
			}
			end := strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/?#<>\"", r) })
			if end < 0 {
				end = len(rest)
			}
			if h.suspects(rest[:end]) {
				return true
			}
		}
	}
	return false
}

// plainOf is a text as a reader of Markdown takes its addresses.
func plainOf(text string) string {
	decoded := html.UnescapeString(text)
	var out strings.Builder
	for i := 0; i < len(decoded); i++ {
		c := decoded[i]
		switch {
		case c == '\\' && i+1 < len(decoded) && isPunctuation(decoded[i+1]):
			i++ // the next stands for itself
			if c = decoded[i]; c == '\\' {
				c = '/'
			}
		case c == '\\':
			c = '/'
		case c == '\t' && len(decoded) != len(text):
			continue // browsers pass over it within an address
		}
		out.WriteByte(c)
	}
	return out.String()
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}

// suspects reports whether what stands where a host would may be this machine,
// wherever a reader of Markdown takes the address to end.
func (h Host) suspects(authority string) bool {
	if strings.ContainsRune(authority, '%') {
		return true
	}
	for _, part := range strings.FieldsFunc(authority, func(r rune) bool { return strings.ContainsRune("@()'`*~,;!|{}=&$^\\", r) }) {
		part = strings.TrimRight(part, ".:_]")
		if strings.HasPrefix(part, "[") {
			part, _, _ = strings.Cut(part, "]")
			part += "]"
		} else {
			part, _, _ = strings.Cut(part, ":")
			part, _, _ = strings.Cut(part, "]")
		}
		if part == "" {
			continue
		}
		switch _, why := h.judge(part); {
		case why == Here:
			return true
		case why == Unclear && endsInNumber(strings.ToLower(strings.TrimRight(part, "."))):
			return true
		}
	}
	return false
}
