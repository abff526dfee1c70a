package tools

import (
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
)

// Filling gives a tool's parameters what was said, and nothing else. A word is
// used once.
type Filling struct {
	l         Chooser
	S         sentences.Said
	c         *Candidate
	used      []bool
	Params    map[string]any
	moment    string          // the parameter that a time was given to
	free      string          // the one that took what was left
	isNamed   bool            // the request has what the tool's name is about
	Exact     bool            // the request has the tool's very name
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

// Fill fills a tool's parameters.
func (l Chooser) Fill(s sentences.Said, c *Candidate, h Heard, isNamed, strange bool) *Filling {
	f := &Filling{l: l, S: s, c: c, isNamed: isNamed, strange: strange, used: make([]bool, len(s.Words)), Params: map[string]any{}}
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
func (f *Filling) open(required bool, types ...domain.ParameterType) []Slot {
	var out []Slot
	for _, p := range f.c.slots {
		if _, filled := f.Params[p.Name]; filled || required && !p.Required {
			continue
		}
		if slices.Contains(types, p.Type) {
			out = append(out, p)
		}
	}
	return out
}

// texts are the open strings of some kinds, those that are required first.
func (f *Filling) texts(kinds ...kind) []Slot {
	out := slices.DeleteFunc(f.open(false, domain.TypeString), func(p Slot) bool { return !slices.Contains(kinds, p.kind) || p.closed })
	slices.SortStableFunc(out, func(a, b Slot) int {
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

// Missing are the required parameters without a value.
func (f *Filling) Missing() []Slot {
	return f.open(true, domain.TypeString, domain.TypeNumber, domain.TypeInteger, domain.TypeBoolean, domain.TypeObject, domain.TypeArray, domain.TypeAny)
}

// lacks asks for what is missing, and shows how it can be said.
func (f *Filling) lacks(missing []Slot) speech.Message {
	var needs speech.List
	example := f.c.Offered.Name
	for _, p := range missing {
		need := f.c.explained(p)
		if !p.isSayable() {
			return say("tool.needs_unsayable", args{"tool": f.c.called(), "needs": need})
		}
		value := "…"
		if len(p.choices) > 0 {
			value = sentences.Cut(sentences.OneLine(p.choices[0]), sentences.MaxNameBytes)
		}
		needs = append(needs, need)
		example += fmt.Sprintf(" %s: %s", sentences.Cut(sentences.OneLine(p.Name), sentences.MaxNameBytes), value)
	}
	example = sentences.Cut(sentences.OneLine(example), sentences.MaxLabelBytes)
	return say("tool.lacks", args{"tool": f.c.called(), "needs": needs, "example": speech.Text{Words: example, Theirs: f.c.Offered.Interface}})
}

// explained is a parameter with what it is for, and which values it takes, where its description doesn't say
// that.
func (c *Candidate) explained(p Slot) speech.Message {
	out := args{"name": c.theirs(p.Name)}
	about := strings.TrimRight(sentences.Cut(sentences.OneLine(p.Description), sentences.MaxLabelBytes), ".")
	if about != "" {
		out["about"] = speech.Text{Words: about, Theirs: c.Offered.Interface}
	}
	lower := strings.ToLower(about)
	if p.closed && slices.ContainsFunc(p.choices, func(c string) bool { return !strings.Contains(lower, strings.ToLower(c)) }) {
		out[map[bool]string{true: "values", false: "only"}[about != ""]] = c.theirsAll(p.choices)
	}
	return say("tool.parameter", out)
}

// theirsAll are several words of the tool's interface, as many as can be read.
func (c *Candidate) theirsAll(words []string) speech.Value {
	const most = 40
	var out speech.List
	for _, w := range words[:min(len(words), most)] {
		out = append(out, c.theirs(w))
	}
	if out == nil {
		return nil
	}
	return out
}

// take marks words as used.
func (f *Filling) take(from, to int) {
	for i := from; i < to; i++ {
		f.used[i] = true
	}
}

// compounds marks two words that say one thing of the tool: "watch list", "how much".
func (f *Filling) compounds() {
	for i := 0; i+1 < len(f.S.Words); i++ {
		a, b := f.S.Words[i], f.S.Words[i+1]
		if a.Quoted || b.Quoted || a.Stop {
			continue
		}
		if one := compounds[[2]string{a.Lower, b.Lower}]; one != "" && f.c.Terms[one] > asGeneric || len(a.Lower) > 2 && len(b.Lower) > 2 && f.c.Terms[TermOf(a.Lower+b.Lower)] >= inName {
			f.take(i, i+2)
		}
	}
}

// isTaken reports whether a word is used, or is one of the tool's own or one that
// only holds the sentence together.
func (f *Filling) isTaken(i int) bool {
	return f.used[i] || !f.S.Words[i].Quoted && (IsFiller(f.S.Words[i].Lower) && !IsNumber(f.S.Words[i].Lower) || f.isToolWord(i, true))
}

// isToolWord reports whether a word is one of the tool's own. A name in the middle
// of a sentence is none: a tool may describe itself with one.
func (f *Filling) isToolWord(i int, described bool) bool {
	w := f.S.Words[i]
	if strings.EqualFold(w.Lower, f.c.Offered.Name) {
		return true
	}
	if f.c.Looks && !IsNameLike(f.S, i) && !(f.S.Is(i, "new") && f.isPreposition(i-1)) && f.S.Is(i, "new", "current", "newest", "first", "last", "details", "top", "best", "full", "whole", "entire", "complete", "most", "next", "upcoming", "live", "connected", "available", "existing", "active") || f.c.Looks && !f.S.Words[i].Quoted && qualities[f.S.Words[i].Lower] {
		return true
	}
	if _, isVerb := Verbs[w.Lower]; isVerb && i == 0 && !w.Quoted {
		return true
	}
	if w.Lower == "new" && !w.Quoted && f.c.deeds&toAdd != 0 && f.S.Is(i-1, articles...) {
		return true
	}
	parts := NameWords(w.Lower)
	for _, part := range parts {
		worth := f.c.Terms[TermOf(part)]
		switch {
		case slices.Contains(f.c.Whose, part):
		case i > 0 && IsNameLike(f.S, i) && i+1 < len(f.S.Words) && IsNameLike(f.S, i+1), f.S.Is(i, "new") && f.isPreposition(i-1):
			return false // New York
		case isGeneric(TermOf(part)):
			if worth == 0 && i > 0 && !f.c.Looks {
				return false
			}
		case worth == inName:
		case worth == 0 || !described || IsNameLike(f.S, i) && !f.c.speaksOf(w.Lower):
			return false
		}
	}
	return len(parts) > 0
}

// IsNameLike reports whether a word is written as a name within a sentence; at its beginning,
// whether it is all in capitals.
func IsNameLike(s sentences.Said, i int) bool {
	text := s.Text[s.Words[i].Start:s.Words[i].End]
	if i == 0 {
		return len(text) > 1 && strings.ToUpper(text) == text && strings.ToLower(text) != text
	}
	return text != "" && text[0] >= 'A' && text[0] <= 'Z'
}

// left are the telling words that nothing was made of.
func (f *Filling) left() []string {
	return slices.DeleteFunc(f.untold(), func(w string) bool {
		return f.l.Known.describes(f.c.Offered.Interface, TermOf(w)) || chalieNouns[w] && f.c.isOurs() && (f.c.Looks || f.l.Known.names(f.c, TermOf(w)))
	})
}

// untold are those, and the words that tell nothing here: by which the other tools of the interface
// describe themselves, or for what Chalie keeps where the tool tells of that.
func (f *Filling) untold() []string {
	var out []string
	for i, w := range f.S.Words {
		if !f.isTaken(i) && !isSwitch(w.Lower) {
			out = append(out, w.Lower)
		}
	}
	return out
}
