package domain

// ChangeUndone says that a change of plans, memories or settings was taken back. What
// makes it good is in the same batch, as events of the usual types.
type ChangeUndone struct {
	ChangeID ID       `json:"change_id"` // as ChangeOf has it
	Remade   []Remade `json:"remade"`
}

// Remade is something that had been removed and was made anew, with another id.
type Remade struct {
	WasID ID `json:"was_id"`
	IsID  ID `json:"is_id"`
}

// undoneKey is carried by everything that was taken back: no change is taken back twice.
const undoneKey Key = "undone"

// UndoneKey is carried by what takes a change back.
func UndoneKey() Key { return undoneKey }

// Keys go onto the event's envelope.
func (ChangeUndone) Keys() []Key { return []Key{undoneKey} }

// ChangeOf is the change that an envelope is a part of: all that one call appended has its
// parent in common, and what nothing caused is a change of its own.
func ChangeOf(e Envelope) ID {
	if e.Parent.IsZero() {
		return e.ID
	}
	return e.Parent
}
