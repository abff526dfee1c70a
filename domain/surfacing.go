package domain

import "strings"

// Gate is the rule that kept something back. Names are stored. "" is none: it was told.
type Gate string

// The gates of the world state.
const (
	GateBelowThreshold Gate = "below_threshold" // salience under WorldRules.Threshold
	GateNotInFive      Gate = "not_in_five"     // more salient items took the slots
	GateExpired        Gate = "expired"         // fired or completed too long ago
	GateOver           Gate = "over"            // it was done, or told and seen
	GateOverCapacity   Gate = "over_capacity"   // newer signals pushed it out
)

// The gates of what Chalie tells unprompted.
const (
	GateCooldown    Gate = "cooldown"     // something about the plan was told a short time ago, or of the source on the topic when it is about none
	GateAlreadyTold Gate = "already_told" // the same was told before
	GateAttention   Gate = "attention"    // the person is focused, and it can wait
	GateDismissed   Gate = "dismissed"    // the person said "not this" of it
	GateSilenced    Gate = "silenced"     // the person wants nothing of this kind from this sender
)

// The gates that an episode has before and beside those.
const (
	GateUnrelated    Gate = "unrelated"     // it was in mind, and bears on nothing planned
	GateNotBrought   Gate = "not_brought"   // it bears on something planned, and the model brought nothing up
	GateNotUsed      Gate = "not_used"      // the answer did not rest on it
	GateNothingFound Gate = "nothing_found" // nothing in mind bore on anything planned
	GateUnderWay     Gate = "under_way"     // the decision hasn't ended
	GateWaits        Gate = "waits"         // it is not its turn yet
	GateDropped      Gate = "dropped"       // too much waited
	GateYielded      Gate = "yielded"       // the cycle made room for the person, too often
	GateCancelled    Gate = "cancelled"     // the person stopped it
	GateFailed       Gate = "failed"        // it came to no end, or to an error
	GateErased       Gate = "erased"        // what was decided can no longer be read
)

// The gates of a plan.
const (
	GateNotDue     Gate = "not_due"     // its time hasn't come
	GateNoDeadline Gate = "no_deadline" // it has no time at which it would be told
	GateEnded      Gate = "ended"       // it was done, dropped or cancelled before
	GateLate       Gate = "late"        // its time came, and nobody looked
)

// The gates of a tool.
const (
	GatePolicy          Gate = "policy"           // a rule denied it
	GateApproval        Gate = "approval"         // it waits for the person
	GateApprovalRefused Gate = "approval_refused" // they said no
	GateApprovalExpired Gate = "approval_expired" // they said nothing in time
	GateScope           Gate = "scope"            // its interface waits for its scopes to be approved
	GateOffline         Gate = "offline"          // its interface doesn't answer
	GateNoTool          Gate = "no_tool"          // nobody offers it
	GateAmbiguousTool   Gate = "ambiguous_tool"   // more than one does, by that name
	GateToolFailed      Gate = "tool_failed"      // it was called, and gave no good answer
	GateCallRejected    Gate = "call_rejected"    // the model called it wrongly
	GateNotChosen       Gate = "not_chosen"       // it was offered to the model, which didn't call it
)

// gates has of each what it means: as a clause, to follow "because" or a colon, and
// in as few words as fit a column.
var gates = map[Gate]struct{ clause, brief string }{
	"": {"you were told", "told"},

	GateBelowThreshold: {"it weighed too little by then", "weighs too little"},
	GateNotInFive:      {"other things weighed more", "others weigh more"},
	GateExpired:        {"it had been over for too long", "over for too long"},
	GateOver:           {"it was over: done, or told and seen", "over"},
	GateOverCapacity:   {"newer signals had pushed it out of mind", "pushed out by newer ones"},

	GateCooldown:    {"you had been told something like it a short time before", "something like it was told"},
	GateAlreadyTold: {"you had been told the same before", "told before"},
	GateAttention:   {"you were focused on something, and it could wait", "you were focused"},
	GateDismissed:   {"you had said that you don't want to be told of it", "you said “not this”"},
	GateSilenced:    {"you had said that you want nothing of this kind from this sender", "not wanted from this sender"},

	GateUnrelated:    {"it has nothing to do with what you had planned", "nothing to do with plans"},
	GateNotBrought:   {"it has to do with a plan, and the model left it out", "the model left it out"},
	GateNotUsed:      {"the answer did not rest on it", "the answer did without"},
	GateNothingFound: {"there was nothing to tell", "nothing to tell"},
	GateUnderWay:     {"it hasn't come to an end yet", "still under way"},
	GateWaits:        {"its turn hasn't come yet", "waits its turn"},
	GateDropped:      {"too much waited, and the oldest had to go", "too much waited"},
	GateYielded:      {"it was given up to make room for you", "made room for you"},
	GateCancelled:    {"you stopped it", "you stopped it"},
	GateFailed:       {"it failed", "failed"},
	GateErased:       {"what was decided can't be read any more", "erased"},

	GateNotDue:     {"its time hasn't come yet", "not due yet"},
	GateNoDeadline: {"it has no deadline", "no deadline"},
	GateEnded:      {"it was done or dropped before it was due", "ended before"},
	GateLate:       {"its time came, and nobody looked", "nobody looked in time"},

	GatePolicy:          {"the policy said no", "the policy said no"},
	GateApproval:        {"it waits for your approval", "waits for your approval"},
	GateApprovalRefused: {"you did not approve it", "you said no"},
	GateApprovalExpired: {"you did not answer in time", "no answer in time"},
	GateScope:           {"you haven't decided yet what its interface may do", "its interface isn't approved"},
	GateOffline:         {"its interface doesn't answer", "its interface is away"},
	GateNoTool:          {"nobody offers it", "nobody offers it"},
	GateAmbiguousTool:   {"more than one interface offers a tool of that name", "several have that name"},
	GateToolFailed:      {"it was called, and gave no good answer", "the call failed"},
	GateCallRejected:    {"the model called it wrongly", "called wrongly"},
	GateNotChosen:       {"the model could have called it, and didn't", "the model didn't choose it"},
}

// Gates are all that this version knows, in no order.
func Gates() []Gate {
	out := make([]Gate, 0, len(gates))
	for gate := range gates {
		out = append(out, gate)
	}
	return out
}

// Clause is the gate's meaning, to follow "because" or a colon. One of a newer version
// is spelt out.
func (g Gate) Clause() string {
	if known, ok := gates[g]; ok {
		return known.clause
	}
	return Spelt(string(g))
}

// Brief is the gate's meaning in a few words, for a column.
func (g Gate) Brief() string {
	if known, ok := gates[g]; ok {
		return known.brief
	}
	return Spelt(string(g))
}

// Spelt is a stored name in words: for a code that has none of its own, as it may be that of
// a newer version, or the name of a rule of the person's own.
func Spelt(name string) string { return strings.ReplaceAll(name, "_", " ") }
