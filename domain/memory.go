package domain

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

// MemoryForgotten says that a memory is not to be recalled any more.
type MemoryForgotten struct {
	MemoryID ID `json:"memory_id"`
}

// memoriesKey is carried by everything about memories: what corrects another rests
// on it.
const memoriesKey Key = "memories"

// Keys is what the event's envelope carries.
func (m MemoryRemembered) Keys() []Key {
	if m.Replaces.IsZero() {
		return []Key{memoriesKey}
	}
	return []Key{memoriesKey, PlanKey(m.Replaces)}
}

// Keys is what the event's envelope carries.
func (m MemoryForgotten) Keys() []Key { return []Key{memoriesKey, PlanKey(m.MemoryID)} }
