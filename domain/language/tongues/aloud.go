package tongues

import (
	"html"
	"regexp"
	"strings"
	"unicode"
)

// Aloud is a text as it is read aloud: the words of its Markdown without the marks. What is no
// Markdown stays as it is, and so does a text of which nothing would be left.
func Aloud(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	out := make([]string, 0, len(lines))
	fenced := false
	for _, line := range lines {
		if fence.MatchString(line) {
			fenced = !fenced
			continue
		}
		if !fenced {
			if ruled.MatchString(line) {
				continue
			}
			line = inline(block(line))
		}
		out = append(out, line)
	}
	said := strings.Join(out, "\n")
	if !strings.ContainsFunc(said, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return text
	}
	return said
}

var (
	fence = regexp.MustCompile("^ {0,3}(?:```|~~~)")
	// ruled are lines that are drawn: rules, underlines of headings, and the second line of a table.
	ruled   = regexp.MustCompile(`^\s*(?:(?:[-*_]\s*){3,}|=+|\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?)\s*$`)
	quote   = regexp.MustCompile(`^\s{0,3}(?:>\s?)+`)
	heading = regexp.MustCompile(`^\s{0,3}#{1,6}\s+`)
	closed  = regexp.MustCompile(`\s+#+\s*$`)
	bullet  = regexp.MustCompile(`^\s*[-*+•]\s+(?:\[[ xX]\]\s+)?`)
	table   = regexp.MustCompile(`^\s*\|(.+)\|\s*$`)
)

// block takes off what a line begins with.
func block(line string) string {
	line = quote.ReplaceAllString(line, "")
	if heading.MatchString(line) {
		line = closed.ReplaceAllString(heading.ReplaceAllString(line, ""), "")
	}
	line = bullet.ReplaceAllString(line, "")
	if cells := table.FindStringSubmatch(line); cells != nil {
		parts := strings.Split(cells[1], "|")
		for i, p := range parts {
			parts[i] = strings.TrimSpace(p)
		}
		line = strings.Join(parts, ", ")
	}
	return line
}

// inner are the marks within a line, and what is left of it. A mark is beside a word: 2 * 3 and
// snake_case are none.
var inner = []struct {
	form *regexp.Regexp
	by   string
}{
	{regexp.MustCompile("(`+)([^`]+)(`+)"), "$2"},
	{regexp.MustCompile(`!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+"[^"]*")?\)`), "$1"},
	{regexp.MustCompile(`!?\[([^\[\]]+)\]\[[^\[\]]*\]`), "$1"},
	{regexp.MustCompile(`<((?:https?://|mailto:)[^<>\s]+)>`), "$1"},
	{regexp.MustCompile(`(?i)</?(?:a|b|br|code|del|div|em|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|q|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>`), " "},
	{regexp.MustCompile(`\*{3}([^\s*](?:[^*]*[^\s*])?)\*{3}`), "$1"},
	{regexp.MustCompile(`\*\*([^\s*](?:.*?[^\s*])?)\*\*`), "$1"},
	{regexp.MustCompile(`\*([^\s*](?:[^*]*[^\s*])?)\*`), "$1"},
	{regexp.MustCompile(`(^|[^\pL\pN_])___([^\s_](?:[^_]*[^\s_])?)___([^\pL\pN_]|$)`), "$1$2$3"},
	{regexp.MustCompile(`(^|[^\pL\pN_])__([^\s_](?:.*?[^\s_])?)__([^\pL\pN_]|$)`), "$1$2$3"},
	{regexp.MustCompile(`(^|[^\pL\pN_])_([^\s_](?:[^_]*[^\s_])?)_([^\pL\pN_]|$)`), "$1$2$3"},
	{regexp.MustCompile(`~~([^\s~](?:[^~]*[^\s~])?)~~`), "$1"},
}

// escaped is a mark that is meant as it is.
var escaped = regexp.MustCompile(`\\([\\!#()*+\-.>\[\]_` + "`" + `{|}~])`)

// inline takes the marks off the words of a line.
func inline(line string) string {
	// What is escaped is put aside, where no text has characters.
	const aside = '\uE000'
	line = escaped.ReplaceAllStringFunc(line, func(found string) string { return string(aside + rune(found[1])) })
	for _, m := range inner {
		for range 3 { // one mark may share a blank with the next, or hold another
			next := m.form.ReplaceAllString(line, m.by)
			if next == line {
				break
			}
			line = next
		}
	}
	line = strings.Map(func(r rune) rune {
		if r >= aside && r < aside+unicode.MaxASCII {
			return r - aside
		}
		return r
	}, line)
	return html.UnescapeString(line)
}
