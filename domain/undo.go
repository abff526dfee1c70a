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

// Change is what one call changed, or one request.
type Change struct {
	ID      ID       // as ChangeOf has it
	Records []Record // oldest first
}

// Last is the position of its last record; 0 of no change.
func (c Change) Last() Position {
	if len(c.Records) == 0 {
		return 0
	}
	return c.Records[len(c.Records)-1].Position
}

// Changes is the fold of what was changed, and of what was taken back. The zero value has none.
type Changes struct {
	All     []Change    // oldest first
	Settled map[ID]bool // those that took another back, and those that were taken back
	Acted   Position    // the last record of what took another back
	isNow   map[ID]ID   // what was made anew by taking something back, by what it had been
	at      map[ID]int  // where a change is in All
}

// Evolve folds one record; whether its type can be taken back at all is for the caller to know. What can't be
// read any more takes nothing back.
func (c *Changes) Evolve(rec Record, undoable bool) {
	if c.at == nil {
		c.Settled, c.isNow, c.at = map[ID]bool{}, map[ID]ID{}, map[ID]int{}
	}
	id := ChangeOf(rec.Envelope)
	if undone, ok := c.takesBack(rec.Envelope); ok {
		c.Settled[id], c.Settled[undone], c.Acted = true, true, rec.Position
	}
	if !undoable {
		return
	}
	at, begun := c.at[id]
	if !begun {
		at = len(c.All)
		c.at[id], c.All = at, append(c.All, Change{ID: id})
	}
	c.All[at].Records = append(c.All[at].Records, rec)
}

// takesBack is the change that an envelope takes back.
func (c *Changes) takesBack(e Envelope) (ID, bool) {
	switch e.Type {
	case ChangeUndoneType:
		undone, err := Decode[ChangeUndone](e)
		for _, one := range undone.Remade {
			c.isNow[one.WasID] = one.IsID
		}
		return undone.ChangeID, err == nil
	case SettingsChangedType:
		set, err := Decode[SettingsChanged](e)
		return set.Undoes, err == nil && !set.Undoes.IsZero()
	}
	return ID{}, false
}

// Now is the id that something has now, by that of then.
func (c *Changes) Now(id ID) ID {
	for range len(c.isNow) {
		if next, anew := c.isNow[id]; anew {
			id = next
		}
	}
	return id
}
