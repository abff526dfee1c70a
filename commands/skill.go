package commands

import (
	"context"
	"encoding/json"
	"time"

	"chalie/domain"
)

// Skill is something that Chalie itself can do. It is offered and invoked like a
// tool of an interface, and passes the same policy.
//
// Do decides and appends nothing: what it changes are the entries it returns,
// which are appended in one batch with the tool.completed of the invocation, so
// that they happen exactly once, however often the process dies. It may therefore
// be asked again for the same call. It is safe for concurrent use.
type Skill interface {
	// Tool is how it is offered. Its name is stable.
	Tool() domain.Tool
	// SideEffects reports whether it changes anything at all.
	SideEffects() bool
	// Do decides a call whose parameters have passed Tool().CheckParams. A refusal
	// that the person or the model can do something about (there is no such list) is
	// a Result with an Error; an error is for what may pass: it ends the invocation
	// as failed.
	Do(ctx context.Context, call SkillCall) (SkillDone, error)
}

// SkillCall is what a skill is asked to do.
type SkillCall struct {
	Params  json.RawMessage // an object
	By      Caller
	Lineage domain.Lineage // of the entries: children of tool.dispatched
	Now     domain.Millis
	Zone    *time.Location // the person's; UTC when it isn't known. Never nil
}

// SkillDone is what a skill did.
type SkillDone struct {
	Result     Result
	Entries    []domain.Entry
	Conditions []domain.Condition // on which the entries rest; when one fails, Do is asked again
	Quotes     []domain.ID        // envelopes whose words the Result may have in it
}
