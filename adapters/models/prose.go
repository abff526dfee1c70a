package models

import (
	"regexp"
	"strings"
	"unicode"
)

// prose is the text of an answer as it comes, without what asking.reply takes out of the whole:
// references to items, closing lines, and the blanks around. What may yet become one of these
// is held. All that it gives comes to the beginning of that text, and with its rest to all.
type prose struct {
	raw       string // may become a reference, with what is behind it
	line      string // may become a closing line, with what is behind it
	inLine    bool   // the line has more before that, which was given
	begun     bool
	blank     string // may be the end
	finishing bool
}

// openMark is a reference at the end of a text that isn't whole. A blank before one goes with it.
var openMark = regexp.MustCompile(` ?(?:\[(?:#[\d:%,; #]*)?)?$`)

// openClosing is what a closing line may begin with.
var openClosing = regexp.MustCompile(`^[ \t>*_]*(?:@|@@.*)?$`)

// add is what can be shown after more was added.
func (p *prose) add(text string) string {
	p.raw += text
	end := len(p.raw)
	if !p.finishing {
		end = openMark.FindStringIndex(p.raw)[0]
	}
	p.line += mark.ReplaceAllString(p.raw[:end], "")
	p.raw = p.raw[end:]
	return p.trim(p.lines())
}

// rest is what is left at the end.
func (p *prose) rest() string {
	p.finishing = true
	return p.add("")
}

// lines takes from the text what is no closing line, and can't become one.
func (p *prose) lines() string {
	var out strings.Builder
	for p.line != "" {
		line, more, whole := strings.Cut(p.line, "\n")
		if !whole && !p.finishing && !p.inLine && openClosing.MatchString(line) {
			break
		}
		isClosing := !p.inLine && line != "" && closing.ReplaceAllString(line, "") == ""
		if whole {
			line += "\n"
		}
		if !isClosing {
			out.WriteString(line)
		}
		p.line, p.inLine = more, !whole
	}
	return out.String()
}

// trim leaves out the blanks before the text, and those that may be behind it.
func (p *prose) trim(text string) string {
	text = p.blank + text
	if !p.begun {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
	out := strings.TrimRightFunc(text, unicode.IsSpace)
	p.blank = text[len(out):]
	p.begun = p.begun || out != ""
	return out
}
