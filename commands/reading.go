package commands

import (
	"slices"

	"chalie/domain"
)

// Reading is what one right lets the program read whose token names it. Whatever else comes back to a
// program goes by this table: what its words put before a model, answers, errors, and whether
// something was found.
type Reading struct {
	Right string // "" of a token without any
	Mind  bool   // what its person plans, remembers, lists, hears and says
	Reads string // for people
}

// Readings are all rights, the least first.
func Readings() []Reading {
	return []Reading{
		{"", false, "its own conversation, notes and calls, which tools there are, and the answer to what you approve"},
		{domain.ContextUpdate, false, "the same"},
		{ScopeVoice, false, "the same, and what was heard in its own recordings, by a language model of Chalie's skills alone"},
		{ScopeMCP, true, "what is in mind, planned and remembered, every episode, and why: all that Chalie would show you"},
		{ScopeConsole, true, "what is answered to you and told you, as you would"},
	}
}

// ScopeVoice is what a token has to name among its types to have recordings heard and texts spoken.
const ScopeVoice = domain.RightVoice

// ReadsMind reports whether the caller may be told what the person plans, remembers, lists, hears and says.
// An interface may not, whatever it was approved for.
func (c Caller) ReadsMind() bool {
	if c.Operator || c.Principal == domain.PrincipalOperator {
		return true
	}
	return c.Issued && slices.ContainsFunc(Readings(), func(r Reading) bool { return r.Mind && c.Has(r.Right) })
}
