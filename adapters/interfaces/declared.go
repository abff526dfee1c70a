package interfaces

import (
	"encoding/json"

	"chalie/domain"
)

// declare reads what a tool says of itself beyond the contract: whether it has
// side effects (true, false, or a list of them), whether it wants to be approved,
// how far it is to be trusted, and which capability tells the state it acts on.
// None of it has to be there, and what means nothing counts as not said: then the
// careful default holds.
func (f fields) declare(t *domain.Tool) {
	var yes bool
	var list []json.RawMessage
	switch text := f.members["side_effects"]; {
	case isAbsent(text):
	case json.Unmarshal(text, &yes) == nil:
		t.SideEffects = &yes
	case json.Unmarshal(text, &list) == nil:
		some := len(list) > 0
		t.SideEffects = &some
	}
	if f.has("requires_approval") {
		_ = json.Unmarshal(f.members["requires_approval"], &t.RequiresApproval)
	}
	var level domain.Autonomy
	if f.has("autonomy") && json.Unmarshal(f.members["autonomy"], &level) == nil && level.Known() {
		t.Autonomy = level
	}
	var name string
	if f.has("state_snapshot") && json.Unmarshal(f.members["state_snapshot"], &name) == nil && len(name) <= domain.MaxToolNameBytes {
		t.StateSnapshot = name
	}
}
