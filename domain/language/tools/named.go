package tools

import (
	"encoding/json"
	"slices"

	"chalie/domain/language"
	"chalie/domain/language/deed"
)

// namedBy are the words of a request that name what the tool would do, and those that ask for the
// contrary.
func (f Suited) namedBy() (does deed.Deed, words deed.Words) {
	params, err := json.Marshal(f.Params)
	if err != nil {
		params = nil
	}
	does = deed.Of(f.Offered.Name, f.Offered.Description, f.Offered.Parameters, params)
	all := f.S.Words
	return does, does.In(f.S.Text[all[0].Start:all[len(all)-1].End])
}

// isUnnamed reports whether a tool that changes something would be used by a request that names no deed
// of it, but a value or what it is about.
func (f Suited) isUnnamed() bool {
	if f.Looks || f.Exact {
		return false
	}
	_, words := f.namedBy()
	return len(words.Named) == 0
}

// AreUnnamed reports whether all that was heard would be done by a value alone.
func AreUnnamed(heard []Intent) bool {
	return len(heard) > 0 && !slices.ContainsFunc(heard, func(in Intent) bool { return !in.unnamed })
}

// isContrary reports whether a request asks for the contrary of what a tool does: itself, or in the
// sentence before, of which nothing was understood.
func (f Suited) isContrary() bool {
	if f.Looks || f.Exact {
		return false
	}
	does, words := f.namedBy()
	if len(words.Named) > 0 || len(words.Against) > 0 {
		return len(words.Named) == 0
	}
	last, ok := f.l.Last()
	if !ok || hasActed(last) {
		return false
	}
	before := does.In(last.Prompt)
	return len(before.Named) == 0 && len(before.Against) > 0
}

// hasActed reports whether anything was done in an exchange.
func hasActed(turn language.Turn) bool {
	return slices.ContainsFunc(turn.Done, func(d language.Done) bool { return d.Outcome == Completed })
}
