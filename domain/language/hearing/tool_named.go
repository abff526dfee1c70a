package hearing

import (
	"encoding/json"
	"slices"

	"chalie/domain/language"
	"chalie/domain/language/deed"
)

// namedBy are the words of a request that name what the tool would do, and those that ask for the
// contrary.
func (f suited) namedBy() (does deed.Deed, words deed.Words) {
	params, err := json.Marshal(f.params)
	if err != nil {
		params = nil
	}
	does = deed.Of(f.offered.Name, f.offered.Description, f.offered.Parameters, params)
	all := f.s.words
	return does, does.In(f.s.text[all[0].start:all[len(all)-1].end])
}

// isUnnamed reports whether a tool that changes something would be used by a request that names no deed
// of it, but a value or what it is about.
func (f suited) isUnnamed() bool {
	if f.looks || f.exact {
		return false
	}
	_, words := f.namedBy()
	return len(words.Named) == 0
}

// areUnnamed reports whether all that was heard would be done by a value alone.
func areUnnamed(heard []intent) bool {
	return len(heard) > 0 && !slices.ContainsFunc(heard, func(in intent) bool { return !in.unnamed })
}

// isContrary reports whether a request asks for the contrary of what a tool does: itself, or in the
// sentence before, of which nothing was understood.
func (f suited) isContrary() bool {
	if f.looks || f.exact {
		return false
	}
	does, words := f.namedBy()
	if len(words.Named) > 0 || len(words.Against) > 0 {
		return len(words.Named) == 0
	}
	last, ok := f.l.last()
	if !ok || hasActed(last) {
		return false
	}
	before := does.In(last.Prompt)
	return len(before.Named) == 0 && len(before.Against) > 0
}

// withWords are the parameters behind the name of the tool, for a question; "" for none.
func (f suited) withWords() string {
	if words := f.inWords(); words != "" {
		return " with " + words
	}
	return ""
}

// hasActed reports whether anything was done in an exchange.
func hasActed(turn language.Turn) bool {
	return slices.ContainsFunc(turn.Done, func(d language.Done) bool { return d.Outcome == completed })
}
