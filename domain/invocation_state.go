package domain

// InvocationState is the fold of one invocation: how far it has come. The zero InvocationState has
// not begun.
type InvocationState struct {
	Invoked  Record
	Decided  PolicyDecided
	Proposal ApprovalProposed
	Proposed ID // the envelope of the proposal; none when the policy wanted none
	Last     ID // of the latest step
	Through  Position
	End      *Record // the result that ended it
	Issues   []string

	decided, dispatched bool
	answered            EventType // how the proposal was decided
}

// InvocationStage is the next need of an invocation.
type InvocationStage string

// The stages.
const (
	InvocationUnknown    InvocationStage = ""           // it hasn't begun
	InvocationDenied     InvocationStage = "denied"     // to be ended: the policy says no
	InvocationWaiting    InvocationStage = "waiting"    // for the person
	InvocationAllowed    InvocationStage = "allowed"    // to be dispatched
	InvocationDispatched InvocationStage = "dispatched" // under way, or interrupted
	InvocationEnded      InvocationStage = "ended"
)

// Evolve folds a record of the invocation, in log order. The error is
// CodeUndecodable. An erased step still is one; of an erased decision nobody knows
// what it was, so it counts as a denial.
func (c *InvocationState) Evolve(rec Record) error {
	env := rec.Envelope
	var err error
	switch env.Type {
	case ToolInvokedType:
		c.Invoked = rec
	case PolicyDecidedType:
		c.decided = true
		c.Decided, err = decodeKept[PolicyDecided](env)
	case ApprovalProposedType:
		c.Proposed = env.ID
		c.Proposal, err = decodeKept[ApprovalProposed](env)
	case ApprovalGrantedType, ApprovalRefusedType, ApprovalExpiredType:
		c.answered = env.Type
	case ToolDispatchedType:
		c.dispatched = true
	case ToolCompletedType, ToolFailedType, ToolOutcomeUnknownType:
		c.End = &rec
	case ToolVerifiedType:
		var v ToolVerified
		v, err = decodeKept[ToolVerified](env)
		c.Issues = v.Errors
	}
	if err != nil {
		return err
	}
	c.Last, c.Through = env.ID, rec.Position
	return nil
}

// Stage is the next need of the invocation.
func (c *InvocationState) Stage() InvocationStage {
	switch {
	case c.Invoked.Position == 0:
		return InvocationUnknown
	case c.End != nil:
		return InvocationEnded
	case c.dispatched:
		return InvocationDispatched
	case c.answered == ApprovalGrantedType, c.decided && c.Decided.Allowed:
		return InvocationAllowed
	case !c.Proposed.IsZero() && c.answered == "":
		return InvocationWaiting
	}
	return InvocationDenied
}

// Answered is the decision on the proposal: approval.granted, approval.refused,
// approval.expired, or "" when it wasn't.
func (c *InvocationState) Answered() EventType { return c.answered }
