package hearing

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
)

// filling gives a tool's parameters what was said, and nothing else. A word is
// used once.
type filling struct {
	l         listener
	s         said
	c         *candidate
	used      []bool
	params    map[string]any
	moment    string          // the parameter that a time was given to
	free      string          // the one that took what was left
	isNamed   bool            // the request has what the tool's name is about
	exact     bool            // the request has the tool's very name
	timed     bool            // a time was said
	sinceThen bool            // it is since when
	at        string          // in these words
	shaped    bool            // an id was said that looks like those of the tool
	addressed bool            // an e-mail address was said for the parameter for one
	repeats   bool            // a value was said for how often
	switched  bool            // something is turned on or off
	strange   bool            // the request begins with a verb that nobody knows
	measured  bool            // a number was said in the unit that its parameter is counted in
	beside    bool            // a value was said that the tool lists, beside the parameter's name
	labels    []labelledValue // those that were said by a name and a colon
	unread    []unread        // what was said so, or with the parameter's name, and is none of its values
	unknown   string          // a name before a colon that is no parameter's
	worth     int             // what the values tell about whether the tool is meant
}

// What values tell about a tool that takes them.
const (
	aChoice = 15
	anID    = 25
	aUnit   = 12
)

// fill fills a tool's parameters.
func (l listener) fill(s said, c *candidate, h heard, isNamed, strange bool) *filling {
	f := &filling{l: l, s: s, c: c, isNamed: isNamed, strange: strange, used: make([]bool, len(s.words)), params: map[string]any{}}
	if len(h.toldBy(c)) > 0 {
		for _, i := range h.asking {
			f.take(i, i+1)
		}
	}
	f.compounds()
	f.named()
	f.messages()
	f.shapes()
	f.addresses()
	f.conversion()
	f.periods()
	f.choose()
	f.colors()
	f.languages()
	f.reasons()
	f.numbers()
	f.numbersMeant()
	f.times()
	f.switches()
	f.titles()
	f.quotes()
	f.codes()
	f.places()
	f.several()
	f.fillLast()
	f.checkLabelled()
	f.checkFormats()
	return f
}

// open are the parameters without a value, of a type.
func (f *filling) open(required bool, types ...domain.ParameterType) []slot {
	var out []slot
	for _, p := range f.c.slots {
		if _, filled := f.params[p.Name]; filled || required && !p.Required {
			continue
		}
		if slices.Contains(types, p.Type) {
			out = append(out, p)
		}
	}
	return out
}

// texts are the open strings of some kinds, those that are required first.
func (f *filling) texts(kinds ...kind) []slot {
	out := slices.DeleteFunc(f.open(false, domain.TypeString), func(p slot) bool { return !slices.Contains(kinds, p.kind) || p.closed })
	slices.SortStableFunc(out, func(a, b slot) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	return out
}

func (f *filling) missing() []slot {
	return f.open(true, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject, domain.TypeArray, domain.TypeAny)
}

// lacks asks for what is missing, and shows how it can be said.
func (f *filling) lacks(missing []slot) string {
	names, example := make([]string, len(missing)), f.c.offered.Name
	for i, p := range missing {
		names[i] = cut(oneLine(p.Name), maxNameBytes)
		if about := p.explained(); about != "" {
			names[i] += " (" + about + ")"
		}
		if !p.isSayable() {
			return fmt.Sprintf("%s needs %s, which can't be said in words: invoke it with its parameters.", f.c.called(), names[i])
		}
		value := "…"
		if len(p.choices) > 0 {
			value = cut(oneLine(p.choices[0]), maxNameBytes)
		}
		example += fmt.Sprintf(" %s: %s", cut(oneLine(p.Name), maxNameBytes), value)
	}
	return fmt.Sprintf("I would use %s, and need to know: %s. What should it be? Say it alone, or all of it, such as: use %s", f.c.called(), strings.Join(names, ", "), cut(oneLine(example), maxLabelBytes))
}

// explained is what a parameter is for, and which values it takes, where its description doesn't say
// that.
func (p slot) explained() string {
	about := strings.TrimRight(cut(oneLine(p.Description), maxLabelBytes), ".")
	lower := strings.ToLower(about)
	if !p.closed || !slices.ContainsFunc(p.choices, func(c string) bool { return !strings.Contains(lower, strings.ToLower(c)) }) {
		return about
	}
	values := cut("one of: "+oneLine(strings.Join(p.choices, ", ")), maxLabelBytes)
	if about == "" {
		return values
	}
	return about + "; " + values
}

// take marks words as used.
func (f *filling) take(from, to int) {
	for i := from; i < to; i++ {
		f.used[i] = true
	}
}

// compounds marks two words that say one thing of the tool: "watch list", "how much".
func (f *filling) compounds() {
	for i := 0; i+1 < len(f.s.words); i++ {
		a, b := f.s.words[i], f.s.words[i+1]
		if a.quoted || b.quoted || a.stop {
			continue
		}
		if one := compounds[[2]string{a.lower, b.lower}]; one != "" && f.c.terms[one] > asGeneric || len(a.lower) > 2 && len(b.lower) > 2 && f.c.terms[termOf(a.lower+b.lower)] >= inName {
			f.take(i, i+2)
		}
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
	if f.c.looks && !isNameLike(f.s, i) && !(f.s.is(i, "new") && f.isPreposition(i-1)) && f.s.is(i, "new", "current", "newest", "first", "last", "details", "top", "best", "full", "whole", "entire", "complete", "most", "next", "upcoming", "live", "connected", "available", "existing", "active") || f.c.looks && !f.s.words[i].quoted && qualities[f.s.words[i].lower] {
		return true
	}
	if _, isVerb := verbs[w.lower]; isVerb && i == 0 && !w.quoted {
		return true
	}
	if w.lower == "new" && !w.quoted && f.c.deeds&toAdd != 0 && f.s.is(i-1, articles...) {
		return true
	}
	parts := nameWords(w.lower)
	for _, part := range parts {
		worth := f.c.terms[termOf(part)]
		switch {
		case slices.Contains(f.c.whose, part):
		case i > 0 && isNameLike(f.s, i) && i+1 < len(f.s.words) && isNameLike(f.s, i+1), f.s.is(i, "new") && f.isPreposition(i-1):
			return false // New York
		case isGeneric(termOf(part)):
			if worth == 0 && i > 0 && !f.c.looks {
				return false
			}
		case worth == inName:
		case worth == 0 || !described || isNameLike(f.s, i) && !f.c.speaksOf(w.lower):
			return false
		}
	}
	return len(parts) > 0
}

// isNameLike reports whether a word is written as a name within a sentence; at its beginning,
// whether it is all in capitals.
func isNameLike(s said, i int) bool {
	text := s.text[s.words[i].start:s.words[i].end]
	if i == 0 {
		return len(text) > 1 && strings.ToUpper(text) == text && strings.ToLower(text) != text
	}
	return text != "" && text[0] >= 'A' && text[0] <= 'Z'
}

// left are the telling words that nothing was made of.
func (f *filling) left() []string {
	return slices.DeleteFunc(f.untold(), func(w string) bool {
		return f.l.known.describes(f.c.offered.Interface, termOf(w)) || ours[w] && f.c.isOurs() && (f.c.looks || f.l.known.names(f.c, termOf(w)))
	})
}

// untold are those, and the words that tell nothing here: by which the other tools of the interface
// describe themselves, or for what Chalie keeps where the tool tells of that.
func (f *filling) untold() []string {
	var out []string
	for i, w := range f.s.words {
		if !f.isTaken(i) && !isSwitch(w.lower) {
			out = append(out, w.lower)
		}
	}
	return out
}
