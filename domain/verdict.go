package domain

import (
	"fmt"
	"slices"
	"strings"
)

// PolicyVerdict is the policy's verdict on an invocation. Names are stored.
type PolicyVerdict string

// The verdicts.
const (
	VerdictAllowed  PolicyVerdict = "allowed"
	VerdictDenied   PolicyVerdict = "denied" // for good
	VerdictApproval PolicyVerdict = "approval_required"
)

// Did is what the policy did, around what it did it with: "left", the tool, "to you". One of a
// newer version allowed nothing.
func (v PolicyVerdict) Did() (before, behind string) {
	switch v {
	case VerdictAllowed:
		return "allowed", ""
	case VerdictApproval:
		return "left", "to you"
	}
	return "denied", ""
}

// Reason codes beside the names of rules. Names are stored.
const (
	ReasonNoRule      = "no_rule_matches"
	ReasonTooDeep     = "nested_too_deep"
	ReasonSideEffects = "has_side_effects"
	ReasonAsksFirst   = "capability_requires_approval"
	ReasonApproval    = "approval_required"
	ReasonUnconfirmed = "not_confirmed" // the caller says that the person hasn't confirmed it
	ReasonNobodyToAsk = "nobody_to_ask"
	reasonAutonomy    = "autonomy_" // and the level
)

// Reason codes of what a call rests on. Names are stored.
const (
	ReasonForeignWords = "foreign_words"         // others' words were read before it
	ReasonCarries      = "carries_private_words" // a parameter has words of memories, plans or the conversation
	ReasonNotMarked    = "not_marked_unasked"    // nobody asked, and the person hasn't marked the tool for that
	ReasonNobodyAsked  = "nobody_asked"          // it changes something that the person didn't ask for
	ReasonNoDeed       = "no_deed_named"         // it changes something, and no word of the person's says to
	ReasonContrary     = "contrary_named"        // they said the contrary
)

// Reason codes of what the person chose for a tool. Names are stored.
const (
	ReasonAskAlways  = "ask_always"
	ReasonMovesMoney = "moves_money"
	ReasonAskNever   = "ask_never"
	ReasonLapsed     = "changed_since_trusted"
)

// reasons has of each code of the policy's own what it means.
var reasons = map[string]string{
	ReasonNoRule:      "no rule allows it",
	ReasonTooDeep:     "too many tools had asked for each other",
	ReasonSideEffects: "it changes something",
	ReasonAsksFirst:   "the tool asks for approval each time",
	ReasonApproval:    "your approval is needed",
	ReasonUnconfirmed: "you hadn't confirmed it",
	ReasonNobodyToAsk: "nobody could be asked",

	ReasonForeignWords: "the model had read other words than yours",
	ReasonCarries:      "it would send words of your memories, plans or conversation",
	ReasonNotMarked:    "you didn't ask, and haven't marked the tool as safe to use unasked",
	ReasonNobodyAsked:  "you didn't ask for it",
	ReasonNoDeed:       "no word of yours names what it does",
	ReasonContrary:     "you said the contrary of what it does",

	ReasonAskAlways:  "you want to be asked each time",
	ReasonMovesMoney: "it may move money, so you are asked",
	ReasonAskNever:   "you said it needn't ask",
	ReasonLapsed:     "it has changed since you said what it is to be taken for",

	reasonAutonomy + string(AutonomyReadonly):   "Chalie may only look",
	reasonAutonomy + string(AutonomySupervised): "what changes something needs your yes",
	reasonAutonomy + string(AutonomyFull):       "Chalie may change things by itself",
}

// ReasonWords is the meaning of a reason code. One that is no code of the policy's own is the name
// of a rule.
func ReasonWords(code string) string {
	if known, ok := reasons[code]; ok {
		return known
	}
	if level, ok := strings.CutPrefix(code, reasonAutonomy); ok {
		return "how far it is trusted: " + Spelt(level)
	}
	return `the rule "` + Spelt(code) + `"`
}

// AutonomyReason is the reason code that names a level.
func AutonomyReason(level Autonomy) string { return reasonAutonomy + string(level) }

// Denial says in words why the policy denied a call. The decision has the regime and all
// reasons.
func (d PolicyDecided) Denial(tool string) string {
	has := func(code string) bool { return slices.Contains(d.ReasonCodes, code) }
	switch {
	case len(d.ReasonCodes) == 0 || has(ReasonNoRule):
		return fmt.Sprintf("no rule of the policy allows %s", tool)
	case has(ReasonContrary):
		return fmt.Sprintf("what was said asks for the contrary of what %s does: to have it done, say so in words that name it", tool)
	case has(ReasonTooDeep):
		return fmt.Sprintf("tools used %s further down than the policy lets them", tool)
	case has(ReasonNobodyToAsk) && has(ReasonNoDeed):
		return fmt.Sprintf("no word of what was said names what %s does, and nobody could be asked", tool)
	case has(ReasonNobodyToAsk):
		return fmt.Sprintf("by the rule “%s” of the policy %s has to be approved first, and nobody could be asked", d.ReasonCodes[0], tool)
	case has(ReasonNotMarked):
		return fmt.Sprintf("nobody asked for it, and %s isn't marked as safe to use unasked", tool)
	case has(ReasonCarries):
		return fmt.Sprintf("nobody asked for it, and %s would have been sent words of memories, plans or the conversation", tool)
	case has(ReasonSideEffects):
		return fmt.Sprintf("by the rule “%s” of the policy nothing may be changed, and %s may change something", d.ReasonCodes[0], tool)
	}
	return fmt.Sprintf("the rule “%s” of the policy forbids %s", d.ReasonCodes[0], tool)
}

// ObligationAsk is that of every decision that requires approval; others are the
// rules' own.
const ObligationAsk = "ask_the_person"

// ObligationWords is an obligation in words.
func ObligationWords(code string) string {
	if code == ObligationAsk {
		return "ask you first"
	}
	return Spelt(code)
}
