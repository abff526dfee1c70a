package domain

import "slices"

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

// Plans is the fold of all plans.
type Plans struct {
	Commitments Commitments `json:"commitments"`
	Lists       Lists       `json:"lists"`
}

// Evolve folds one record. The error is CodeUndecodable.
func (p *Plans) Evolve(rec Record) error {
	p.Lists.Evolve(rec)
	return p.Commitments.Evolve(rec)
}
