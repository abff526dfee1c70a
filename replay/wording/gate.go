package wording

import "chalie/domain"

// gate is what a gate means: as a clause, to stand behind "because" or a colon, and
// as few words as fit a column.
type gate struct{ clause, brief string }

// gates are those of the world state and of notices, and those of package replay,
// which names them: its tests hold the two to each other.
var gates = map[domain.Gate]gate{
	"": {"you were told", "told"},

	domain.GateBelowThreshold: {"it weighed too little by then", "weighs too little"},
	domain.GateNotInFive:      {"other things weighed more", "others weigh more"},
	domain.GateExpired:        {"it had been over for too long", "over for too long"},
	domain.GateOverCapacity:   {"newer signals had pushed it out of mind", "pushed out by newer ones"},
	domain.GateCooldown:       {"you had been told something like it a short time before", "something like it was told"},
	domain.GateAlreadyTold:    {"you had been told the same before", "told before"},
	domain.GateAttention:      {"you were focused on something, and it could wait", "you were focused"},

	"unrelated":     {"it has nothing to do with what you have planned", "nothing to do with plans"},
	"not_brought":   {"it has to do with a plan, and the model left it out", "the model left it out"},
	"not_used":      {"the answer did not rest on it", "the answer did without"},
	"nothing_found": {"there was nothing to tell", "nothing to tell"},
	"under_way":     {"it hasn't come to an end yet", "still under way"},
	"waits":         {"its turn hasn't come yet", "waits its turn"},
	"dropped":       {"too much waited, and the oldest had to go", "too much waited"},
	"yielded":       {"it was given up to make room for you", "made room for you"},
	"cancelled":     {"you stopped it", "you stopped it"},
	"failed":        {"it did not work out", "did not work out"},
	"erased":        {"what was decided can't be read any more", "erased"},

	"not_due":     {"its time hasn't come yet", "not due yet"},
	"no_deadline": {"it has no deadline", "no deadline"},
	"ended":       {"it was done or dropped before it was due", "ended before"},
	"late":        {"its time came, and nobody looked", "nobody looked in time"},

	"policy":           {"the policy said no", "the policy said no"},
	"approval":         {"it waits for your approval", "waits for your approval"},
	"approval_refused": {"you did not approve it", "you said no"},
	"approval_expired": {"you did not answer in time", "no answer in time"},
	"scope":            {"you haven't decided yet what its interface may do", "its interface isn't approved"},
	"offline":          {"its interface doesn't answer", "its interface is away"},
	"no_tool":          {"nobody offers it", "nobody offers it"},
	"ambiguous_tool":   {"more than one interface offers a tool of that name", "several have that name"},
	"tool_failed":      {"it was called, and gave no good answer", "the call failed"},
	"call_rejected":    {"the model called it wrongly", "called wrongly"},
	"not_chosen":       {"the model could have called it, and didn't", "the model didn't choose it"},
}

// Gate is what a gate means, as a clause.
func Gate(g domain.Gate) string {
	if known, ok := gates[g]; ok {
		return known.clause
	}
	return Spelt(string(g))
}

// GateBrief is what a gate means, in as few words as fit a column.
func GateBrief(g domain.Gate) string {
	if known, ok := gates[g]; ok {
		return known.brief
	}
	return Spelt(string(g))
}

// KnowsGate reports whether a gate has words of its own.
func KnowsGate(g domain.Gate) bool {
	_, ok := gates[g]
	return ok
}
