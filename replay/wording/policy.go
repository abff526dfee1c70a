package wording

import (
	"slices"
	"strings"

	"chalie/domain"
)

// autonomy begins the reason codes that name a level.
const autonomy = "autonomy_"

// Reasons are the policy's reason codes: the rule that matched, by the name that the
// person gave it, and what else counted.
func Reasons(p domain.PolicyDecided) string {
	var out []string
	for _, code := range p.ReasonCodes {
		switch {
		case code == domain.ReasonApproval && len(p.ReasonCodes) > 1: // what the others come to: alone it is one itself
		case code == autonomy+string(domain.AutonomyFull) && !p.Allowed: // speaks for it, and something else decided
		default:
			out = append(out, reason(code))
		}
	}
	return strings.Join(out, ", ")
}

func reason(code string) string {
	switch code {
	case domain.ReasonNoRule:
		return "no rule allows it"
	case domain.ReasonTooDeep:
		return "too many tools had asked for each other"
	case domain.ReasonSideEffects:
		return "it changes something"
	case domain.ReasonAsksFirst:
		return "the tool asks for approval each time"
	case domain.ReasonApproval:
		return "your approval is needed"
	case domain.ReasonNobodyToAsk:
		return "nobody could be asked"
	case domain.ReasonForeignWords:
		return "the model had read other words than yours"
	case domain.ReasonCarries:
		return "it would send words of your memories, plans or conversation"
	case domain.ReasonNotMarked:
		return "you didn't ask, and haven't marked the tool as safe to use unasked"
	case domain.ReasonNobodyAsked:
		return "you didn't ask for it"
	}
	if level, ok := strings.CutPrefix(code, autonomy); ok {
		switch domain.Autonomy(level) {
		case domain.AutonomyReadonly:
			return "Chalie may only look"
		case domain.AutonomySupervised:
			return "what changes something needs your yes"
		case domain.AutonomyFull:
			return "Chalie may change things by itself"
		}
		return "how far it is trusted: " + Spelt(level)
	}
	return `the rule "` + Spelt(code) + `"`
}

// Obligations are what a decision asks for beside its verdict, without the question to
// the person, which every verdict that needs it says already; "" for none.
func Obligations(codes []string) string {
	rest := slices.DeleteFunc(slices.Clone(codes), func(code string) bool { return code == domain.ObligationAsk })
	for i := range rest {
		rest[i] = Obligation(rest[i])
	}
	return strings.Join(rest, ", ")
}

// Obligation is one of them.
func Obligation(code string) string {
	if code == domain.ObligationAsk {
		return "ask you first"
	}
	return Spelt(code)
}

// Verdict is what the policy did with something, named or not: "allowed the tool book",
// "left it to you", "denied".
func Verdict(p domain.PolicyDecided, what string) string {
	if what != "" {
		what = " " + what
	}
	switch {
	case p.Allowed:
		return "allowed" + what
	case p.Verdict == domain.VerdictApproval:
		return "left" + what + " to you"
	}
	return "denied" + what
}

// Decision is a verdict with all that it came of: "denied it: no rule allows it".
func Decision(p domain.PolicyDecided, what string) string {
	out := Verdict(p, what)
	if reasons := Reasons(p); reasons != "" {
		out += ": " + reasons
	}
	if duties := Obligations(p.Obligations); duties != "" {
		out += "; it asks for: " + duties
	}
	return out
}

// Codes are what stands in the log where Decision has words: the reasons, the
// obligations, and the rules of then.
func Codes(p domain.PolicyDecided) []string {
	out := slices.Concat([]string{string(p.Verdict)}, p.ReasonCodes, p.Obligations, []string{p.RegimeID})
	return slices.Compact(slices.DeleteFunc(out, func(code string) bool { return code == "" }))
}

// Spelt is a stored name in words.
func Spelt(name string) string { return strings.ReplaceAll(name, "_", " ") }
