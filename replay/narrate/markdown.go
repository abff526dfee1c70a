package narrate

import (
	"regexp"
	"strings"
)

// What Markdown marks with, at the beginning of a line and within one. A mark within a
// line stands at a word, or it is none.
var (
	fences   = regexp.MustCompile("(?m)^ {0,3}(```|~~~)[^\n]*\n?")
	lineMark = regexp.MustCompile(`(?m)^[ \t]*(?:>[ \t]?|#{1,6}[ \t]+|[-*+][ \t]+)+`)
	links    = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\s]*\)`)
	strong   = regexp.MustCompile(`\*\*(\S(?:[^\n]*?\S)?)\*\*|\b__(\S(?:[^\n]*?\S)?)__\b`)
	emphasis = regexp.MustCompile(`\*([^\s*](?:[^*\n]*[^\s*])?)\*|\b_([^\s_](?:[^_\n]*[^\s_])?)_\b`)
	code     = regexp.MustCompile("`([^`\n]+)`")
)

// Plain is a text without the marks of Markdown, for where it is told in a line.
func Plain(text string) string {
	text = fences.ReplaceAllString(text, "")
	text = lineMark.ReplaceAllString(text, "")
	text = links.ReplaceAllString(text, "$1")
	text = strong.ReplaceAllString(text, "$1$2")
	text = emphasis.ReplaceAllString(text, "$1$2")
	return strings.TrimRight(code.ReplaceAllString(text, "$1"), "\n")
}
