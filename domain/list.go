package domain

import (
	"slices"
	"strings"
)

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

// Listing is a list, by reference: its name and entries are in the envelopes.
type Listing struct {
	ID    ID   `json:"id"`
	Items []ID `json:"items"` // oldest first
}

// Lists is the fold of lists. The zero value has none.
type Lists struct {
	Through Position  `json:"through"` // of the last record that changed something
	All     []Listing `json:"all"`     // oldest first
}

// Evolve folds one record. It reads no payload but of what says which list it is
// about, and that is in the keys too.
func (l *Lists) Evolve(rec Record) {
	e := rec.Envelope
	switch e.Type {
	case ListCreatedType:
		l.Through = rec.Position
		l.All = append(l.All, Listing{ID: e.ID})
	case ListItemAddedType, ListItemRemovedType, ListRemovedType:
		l.Through = rec.Position
		l.change(e)
	}
}

func (l *Lists) change(e Envelope) {
	id, _ := PlanOf(e)
	i := slices.IndexFunc(l.All, func(x Listing) bool { return x.ID == id })
	switch {
	case i < 0:
	case e.Type == ListItemAddedType:
		l.All[i].Items = append(l.All[i].Items, e.ID)
	case e.Type == ListRemovedType:
		l.All = slices.Delete(l.All, i, i+1)
	default:
		item := itemOf(e)
		l.All[i].Items = slices.DeleteFunc(l.All[i].Items, func(x ID) bool { return x == item })
	}
}

// Find is a list by its id.
func (l *Lists) Find(id ID) (Listing, bool) {
	i := slices.IndexFunc(l.All, func(x Listing) bool { return x.ID == id })
	if i < 0 {
		return Listing{}, false
	}
	return Listing{ID: id, Items: slices.Clone(l.All[i].Items)}, true
}
