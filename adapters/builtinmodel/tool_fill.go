package builtinmodel

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// filling gives a tool's parameters what was said, and nothing else. A word is
// used once.
type filling struct {
	l      listener
	s      said
	c      candidate
	used   []bool
	params map[string]any
	moment string // the parameter that a time was given to
	free   string // the one that took what was left
}

// fill is the call of a tool, or a question for what it lacks.
func (l listener) fill(s said, c candidate) (intent, bool) {
	f := &filling{l: l, s: s, c: c, used: make([]bool, len(s.words)), params: map[string]any{}}
	f.named()
	f.numbers()
	timed, at := f.times()
	f.switches()
	f.quotes()
	f.codes()
	f.messages()
	f.places()
	f.fillLastString()
	out := intent{tool: c.offered.Name, params: f.params, subject: f.free, moment: f.moment, whole: s.all()}
	missing := f.missing()
	left := f.left()
	switch {
	case len(missing) > 0:
		out.missing, out.ask = missing[0].Name, f.lacks(missing)
	case timed && f.moment == "" && !c.offered.SideEffects:
		out.ask = fmt.Sprintf("%s takes no time: I can't ask it about %s. Say it without that.", c.name(), mention(at))
	case timed && f.moment == "":
		out.ask = fmt.Sprintf("%s does it at once: I can't tell it %s. Say it without the time, or let me remind you then.", c.name(), mention(at))
	case len(left) > 0 && c.offered.SideEffects && !c.exact:
		out.ask = fmt.Sprintf("I would use %s, but I don't know what %s means for it. Say it without that.", c.name(), mention(strings.Join(left, " ")))
	case len(left) > maxLeft && !c.exact:
		return intent{}, false // it speaks of more than the tool is for
	}
	return out, true
}

// maxLeft bounds the telling words of a question that a tool has no use for.
const maxLeft = 2

// open are the parameters without a value, of a type.
func (f *filling) open(required bool, types ...domain.ParameterType) []domain.Parameter {
	var out []domain.Parameter
	for _, p := range f.c.offered.Parameters {
		if _, filled := f.params[p.Name]; filled || required && !p.Required {
			continue
		}
		for _, t := range types {
			if p.Type == t {
				out = append(out, p)
			}
		}
	}
	return out
}

func (f *filling) missing() []domain.Parameter {
	return f.open(true, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject)
}

// lacks asks for what is missing, and shows how it can be said.
func (f *filling) lacks(missing []domain.Parameter) string {
	names, example := make([]string, len(missing)), f.c.offered.Name
	for i, p := range missing {
		names[i] = cut(oneLine(p.Name), maxNameBytes)
		if about := cut(oneLine(p.Description), maxLabelBytes); about != "" {
			names[i] += " (" + strings.TrimRight(about, ".") + ")"
		}
		if p.Type == domain.TypeObject {
			return fmt.Sprintf("%s needs %s, which can't be said in words: invoke it with its parameters.", f.c.name(), names[i])
		}
		example += fmt.Sprintf(" %s: …", cut(oneLine(p.Name), maxNameBytes))
	}
	return fmt.Sprintf("I would use %s, and need to know: %s. Say it again with that, such as: use %s", f.c.name(), strings.Join(names, ", "), cut(oneLine(example), maxLabelBytes))
}

// take marks words as used.
func (f *filling) take(from, to int) {
	for i := from; i < to; i++ {
		f.used[i] = true
	}
}

// isTaken reports whether a word is used, or is one of the tool's own or one that
// only holds the sentence together.
func (f *filling) isTaken(i int) bool {
	return f.used[i] || !f.s.words[i].quoted && (isFiller(f.s.words[i].lower) && !isNumber(f.s.words[i].lower) || f.isToolWord(i, true))
}

// isToolWord reports whether a word is one of the tool's own. A name in the middle
// of a sentence is none: a tool may describe itself with one.
func (f *filling) isToolWord(i int, described bool) bool {
	w := f.s.words[i]
	if strings.EqualFold(w.lower, f.c.offered.Name) {
		return true
	}
	for _, part := range nameWords(w.lower) {
		worth := f.c.terms[stem(part)]
		switch {
		case isGeneric(stem(part)):
			if worth == 0 && i > 0 {
				return false
			}
		case worth == inName:
		case worth == 0 || !described || isNameLike(f.s, i):
			return false
		}
	}
	return true
}

// isNameLike reports whether a word is written as a name within a sentence.
func isNameLike(s said, i int) bool {
	if i == 0 {
		return false
	}
	first := s.text[s.words[i].start]
	return first >= 'A' && first <= 'Z'
}

// left are the telling words that nothing was made of.
func (f *filling) left() []string {
	var out []string
	for i, w := range f.s.words {
		if !f.isTaken(i) && !isSwitch(w.lower) {
			out = append(out, w.lower)
		}
	}
	return out
}
