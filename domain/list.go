package domain

import "strings"

// ListCreated begins a list. Its id is the list's: entries refer to that, so that
// the name is in one envelope.
type ListCreated struct {
	Name string `json:"name"`
}

// Check returns a validation error that names the field.
func (l ListCreated) Check() error { return checkPlanText("create list", "list", l.Name) }

// ListItemAdded puts an entry on a list. Its id is the entry's.
type ListItemAdded struct {
	ListID ID     `json:"list_id"`
	Text   string `json:"text"`
}

// Check returns a validation error that names the field.
func (l ListItemAdded) Check() error { return checkPlanText("add to list", "items", l.Text) }

// ListItemRemoved takes an entry off its list.
type ListItemRemoved struct {
	ListID ID `json:"list_id"`
	ItemID ID `json:"item_id"`
}

// ListRemoved removes a list with all that is on it.
type ListRemoved struct {
	ListID ID `json:"list_id"`
}

// listsKey makes the names of lists something to decide about: no two lists with
// one name.
const listsKey Key = "lists"

const itemPrefix = "item/"

// itemOf is the entry that a list.item_removed takes off, by its keys.
func itemOf(e Envelope) ID {
	for _, key := range e.Keys {
		if text, ok := strings.CutPrefix(string(key), itemPrefix); ok {
			id, _ := ParseID(text)
			return id
		}
	}
	return ID{}
}

// ListsKey is carried by what changes which lists there are.
func ListsKey() Key { return listsKey }

// Keys go onto the event's envelope.
func (ListCreated) Keys() []Key { return []Key{listsKey} }

// Keys go onto the event's envelope.
func (l ListItemAdded) Keys() []Key { return []Key{PlanKey(l.ListID)} }

// Keys go onto the event's envelope.
func (l ListItemRemoved) Keys() []Key {
	return []Key{PlanKey(l.ListID), itemPrefix + Key(l.ItemID.String())}
}

// Keys go onto the event's envelope.
func (l ListRemoved) Keys() []Key { return []Key{PlanKey(l.ListID), listsKey} }
