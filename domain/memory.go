package domain

import "slices"

// MemoryRemembered is something about the person or their world that they want
// Chalie to know. Its id is the memory's.
type MemoryRemembered struct {
	Text     string `json:"text"`
	About    string `json:"about"`       // what it answers, such as "dentist"; "" for nothing in particular
	Replaces ID     `json:"replaces_id"` // the memory that it corrects; none otherwise
}

// Check returns a validation error that names the field.
func (m MemoryRemembered) Check() error {
	const op = "remember"
	if m.About != "" {
		if err := checkPlanText(op, "about", m.About); err != nil {
			return err
		}
	}
	return checkPlanText(op, "what", m.Text)
}

// MemoryForgotten says that a memory is no longer to be recalled.
type MemoryForgotten struct {
	MemoryID ID `json:"memory_id"`
}

// memoriesKey is carried by everything about memories: what corrects another rests
// on it.
const memoriesKey Key = "memories"

// Keys go onto the event's envelope.
func (m MemoryRemembered) Keys() []Key {
	if m.Replaces.IsZero() {
		return []Key{memoriesKey}
	}
	return []Key{memoriesKey, PlanKey(m.Replaces)}
}

// Keys go onto the event's envelope.
func (m MemoryForgotten) Keys() []Key { return []Key{memoriesKey, PlanKey(m.MemoryID)} }

// MemoriesKey is carried by what changes what is remembered.
func MemoriesKey() Key { return memoriesKey }

// Memories is the fold of what is remembered, by reference. The zero value has none.
type Memories struct {
	Through Position `json:"through"` // of the last record that changed something
	All     []ID     `json:"all"`     // oldest first
}

// Evolve folds one record. A memory whose payload is erased is forgotten; what it
// had replaced stays so.
func (m *Memories) Evolve(rec Record) {
	e := rec.Envelope
	if e.Type != MemoryRememberedType && e.Type != MemoryForgottenType {
		return
	}
	m.Through = rec.Position
	if gone, ok := PlanOf(e); ok {
		m.All = slices.DeleteFunc(m.All, func(id ID) bool { return id == gone })
	}
	if e.Type == MemoryRememberedType && e.Payload.Encoding != EncodingErased {
		m.All = append(m.All, e.ID)
	}
}
