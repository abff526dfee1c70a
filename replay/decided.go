package replay

import (
	"slices"

	"chalie/domain"
	"chalie/replay/narrate"
)

// skillSource is who emits what skills change.
const skillSource domain.Source = "skills"

// isDecision reports whether a record was decided by Chalie's code, as far as it
// says so by itself. Of what a person refused the end follows in the same moment: it
// is part of what they did, and before is the record that stands in front of it.
func isDecision(rec domain.Record, before domain.Record) bool {
	env := rec.Envelope
	switch origin, _ := narrate.OriginOf(env.Type); origin {
	case narrate.OriginDecided:
		switch env.Type {
		case domain.ToolInvokedType:
			_, _, called := domain.CallOf(env)
			return called
		case domain.ToolFailedType:
			return before.Envelope.Type != domain.ApprovalRefusedType || before.Envelope.ID != env.Parent
		}
		return true
	case narrate.OriginSkill:
		return env.Source == skillSource
	}
	return false
}

// bySkills reports whether a skill changes records of a type.
func bySkills(t domain.EventType) bool {
	origin, _ := narrate.OriginOf(t)
	return origin == narrate.OriginSkill
}

// isEnd reports whether an act that a record belongs to is over with it.
func isEnd(env domain.Envelope, act Act) bool {
	if act.Invocation.IsZero() {
		return env.Type == domain.ReasoningConcludedType
	}
	return slices.Contains([]domain.EventType{domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType}, env.Type)
}

// proposalPrefix begins the keys that have the hash of a token.
const proposalPrefix = "proposal/"

// ownReasons are those of a failed call that Chalie gives in its own words; any other
// is told in the words of what was called.
var ownReasons = []string{
	string(domain.CodeDenied), string(domain.CodeNotDispatched), string(domain.CodeInterrupted),
	string(domain.CodeApprovalRefused), string(domain.CodeApprovalExpired), string(domain.CodeConditionFailed), "skill_failed",
}
