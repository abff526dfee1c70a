package replay

import (
	"context"

	"chalie/domain"
)

// Change is one thing that could have been otherwise.
type Change struct {
	Kind     ChangeKind          `json:"kind"`
	Words    string              `json:"words"`             // "if its energy had been 0.62 instead of 0.40"
	Edit     *Edit               `json:"edit,omitempty"`    // of what came in
	Without  domain.ID           `json:"without,omitzero"`  // that came in, and wouldn't have
	Set      map[string]string   `json:"set,omitempty"`     // parameters by name
	Policy   *domain.PolicyRules `json:"policy,omitempty"`  // in place of the one in force
	Decision domain.ID           `json:"decision,omitzero"` // the one it is about
	Trace    domain.TraceID      `json:"trace_id,omitzero"`
	Verified bool                `json:"verified"`            // replaying that decision with it tells the person
	NotTried string              `json:"not_tried,omitempty"` // why it was not replayed
}

// Edit is a field of the payload of something that came in, with another value.
type Edit struct {
	ID    domain.ID `json:"envelope_id"`
	Field string    `json:"field"`
	Value string    `json:"value"` // as it is written in JSON
}

// ChangeKind is what would be otherwise.
type ChangeKind string

// Trial replays decisions.
type Trial interface {
	// Surfaces replays a decision with a change and reports whether the person would
	// have been told of the target, or the tool been called.
	Surfaces(ctx context.Context, c Change, target domain.ID) (bool, error)
}

func (s *silent) change(context.Context) error { return nil }

func (s *silent) changed() []string { return nil }
