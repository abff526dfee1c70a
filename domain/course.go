package domain

// Course is the fold of one invocation: how far it has come. The zero Course has
// not begun.
type Course struct {
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

// CourseStage is the next need of an invocation.
type CourseStage string

// The stages.
const (
	CourseUnknown    CourseStage = ""           // it hasn't begun
	CourseDenied     CourseStage = "denied"     // to be ended: the policy says no
	CourseWaiting    CourseStage = "waiting"    // for the person
	CourseAllowed    CourseStage = "allowed"    // to be dispatched
	CourseDispatched CourseStage = "dispatched" // under way, or interrupted
	CourseEnded      CourseStage = "ended"
)

// Evolve folds a record of the invocation, in log order. The error is
// CodeUndecodable. An erased step still is one; of an erased decision nobody knows
// what it was, so it counts as a denial.
func (c *Course) Evolve(rec Record) error {
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
func (c *Course) Stage() CourseStage {
	switch {
	case c.Invoked.Position == 0:
		return CourseUnknown
	case c.End != nil:
		return CourseEnded
	case c.dispatched:
		return CourseDispatched
	case c.answered == ApprovalGrantedType, c.decided && c.Decided.Allowed:
		return CourseAllowed
	case !c.Proposed.IsZero() && c.answered == "":
		return CourseWaiting
	}
	return CourseDenied
}

// Answered is the decision on the proposal: approval.granted, approval.refused,
// approval.expired, or "" when it wasn't.
func (c *Course) Answered() EventType { return c.answered }
