package replay

import (
	"slices"
	"strings"

	"chalie/domain"
)

// uncompared is a field that a replay doesn't compare.
type uncompared struct {
	types []domain.EventType // none: of all
	path  string             // without the numbers of list entries
	Why   string
}

const (
	whyMeasured = "it was measured"
	whyToken    = "it is the hash of a token, which is derived from a key beside the log"
	whySecret   = "a secret that was taken out isn't there any more to be found again"
	whyCode     = "it names the code, which is told with the divergence"
	whyWords    = "they are the words of something outside"
)

var uncomparedFields = []uncompared{
	{[]domain.EventType{domain.ReasoningStartedType}, "payload.rules", whyCode},
	{[]domain.EventType{domain.ReasoningStartedType}, "payload.build", whyCode},
	{[]domain.EventType{domain.ReasoningConcludedType, domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType}, "payload.duration_ms", whyMeasured},
	{[]domain.EventType{domain.ModelRepliedType}, "payload.usage", whyMeasured},
	{[]domain.EventType{domain.PolicyDecidedType, domain.ApprovalProposedType}, "payload.proposal_token", whyToken},
	{[]domain.EventType{domain.ModelRepliedType}, "payload.tool_calls.withheld", whySecret},
	{nil, "payload.marks.redacted", whySecret},
}

// proposalPrefix begins the keys that have the hash of a token.
const proposalPrefix = "proposal/"

// ownReasons are those of a failed call that Chalie gives in its own words; any other
// is told in the words of what was called.
var ownReasons = []string{
	string(domain.CodeDenied), string(domain.CodeNotDispatched), string(domain.CodeInterrupted),
	string(domain.CodeApprovalRefused), string(domain.CodeApprovalExpired), string(domain.CodeConditionFailed), "skill_failed",
}

// WhyUncompared is why a replay doesn't compare a field of a type, with the path as in
// Divergence.Field; "" for one that it does.
func WhyUncompared(t domain.EventType, path string) string {
	plain := withoutIndexes(path)
	for _, u := range uncomparedFields {
		if plain == u.path && (u.types == nil || slices.Contains(u.types, t)) {
			return u.Why
		}
	}
	return ""
}

// withoutIndexes is a path without the numbers of list entries.
func withoutIndexes(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var out strings.Builder
	for rest := path; rest != ""; {
		before, after, found := strings.Cut(rest, "[")
		out.WriteString(before)
		if !found {
			break
		}
		_, rest, _ = strings.Cut(after, "]")
	}
	return out.String()
}
