package commands

import (
	"context"

	"chalie/domain"
)

// Registration is what a daemon says of itself when it starts.
type Registration struct {
	Name        string
	Version     string
	Description string
	Author      string
	Host        string // as this machine reaches it
	Port        int
	Scopes      domain.Scopes // what it wants to be allowed
}

// Registered is a daemon that is known. Its id is what lets it in.
type Registered struct {
	ID     domain.ID
	New    bool // it wasn't known before
	Status domain.InterfaceStatus
}

// Register makes a daemon known that came by itself, or records what changed about
// one that came before. It is identified by where it listens. Its id and what was
// approved survive restarts of either side; a scope it newly asks for is not
// approved, and under another name it is pending again. Nothing is recorded when
// nothing changed. One that was removed comes back as a stranger, with a new id.
//
// The daemon is not spoken to: it listens only after it was answered. Refresh, a
// few seconds later, is how its tools become known.
//
// Errors: validation, a conflict when a paired interface listens there, and what
// domain.Appender returns.
func (i *Interfaces) Register(ctx context.Context, reg Registration) (Registered, error) {
	if err := domain.CheckInterface(reg.Name, reg.Host, reg.Port, reg.Version, reg.Description, reg.Author); err != nil {
		return Registered{}, err
	}
	if err := reg.Scopes.Check(); err != nil {
		return Registered{}, err
	}
	fresh := i.newID()
	var out Registered
	err := makeChange(ctx, i, change[domain.InterfaceRegistered]{
		decide: func(r *domain.Registry) (e domain.InterfaceRegistered, changed bool, err error) {
			e, out.New, changed, err = r.Register(domain.InterfaceRegistered{
				Name: reg.Name, Host: reg.Host, Port: reg.Port, Version: reg.Version,
				Description: reg.Description, Author: reg.Author, Scopes: reg.Scopes,
			}, fresh)
			out.ID = e.InterfaceID
			return e, changed, err
		},
		entry: func(e domain.InterfaceRegistered) (domain.Entry, error) {
			trace := fresh
			if e.InterfaceID != fresh {
				trace = i.newID()
			}
			who := domain.Interface{ID: e.InterfaceID}.Principal()
			return entryOf(i, domain.Begin(domain.TraceID{ID: trace}, who), sourceAPI, e)
		},
	})
	if err != nil {
		return Registered{}, err
	}
	known, err := i.Get(out.ID)
	out.Status = known.Status()
	return out, err
}
