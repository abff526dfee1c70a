package pairing

import (
	"context"
	"math"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
)

// Registration is a daemon's request when it starts.
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
// Errors: validation, also when the name passes for another's, a conflict when a paired
// interface listens there or when too many wait for the person already,
// CodeRateLimited, and what domain.Appender returns.
func (i *Interfaces) Register(ctx context.Context, reg Registration) (Registered, error) {
	asked := domain.InterfaceRegistered{
		Name: reg.Name, Host: reg.Host, Port: reg.Port, Version: reg.Version,
		Description: reg.Description, Author: reg.Author, Scopes: reg.Scopes,
	}
	if err := asked.Check(); err != nil {
		return Registered{}, err
	}
	fresh := i.cfg.IDs.NewID()
	var out Registered
	err := makeChange(ctx, i, change[domain.InterfaceRegistered]{
		decide: func(r *domain.Registry) (e domain.InterfaceRegistered, changed bool, err error) {
			if err := i.checkName(r, reg.Name, reg.Host, reg.Port); err != nil {
				return e, false, err
			}
			e, out.New, changed, err = r.Register(asked, fresh)
			out.ID = e.InterfaceID
			return e, changed, err
		},
		entry: func(e domain.InterfaceRegistered) (domain.Entry, error) {
			trace := fresh
			if e.InterfaceID != fresh {
				trace = i.cfg.IDs.NewID()
			}
			who := domain.Interface{ID: e.InterfaceID}.Principal()
			return commands.EntryOf(i.cfg.Env, domain.Begin(domain.TraceID{ID: trace}, who), sourceAPI, e)
		},
		append: i.appendRegistration,
	})
	if err != nil {
		return Registered{}, err
	}
	known, err := i.Get(out.ID)
	out.Status = known.Status()
	return out, err
}

// What may be recorded of registrations within a minute. They come without credentials,
// so they count together. One that changes nothing counts nothing.
const (
	MaxRegistrationsPerMinute     = 30
	maxRegistrationBytesPerMinute = 64 << 10
)

// registrants is the one caller that all registrations count for.
const registrants domain.Principal = "registrations"

// appendRegistration appends one if there is room for it in this minute. What an earlier
// process took in is counted before the first.
func (i *Interfaces) appendRegistration(ctx context.Context, b domain.Batch) (domain.Receipt, error) {
	bytes := limit.Weight(b.Entries...)
	if err := i.registered.know(ctx, i.cfg.Reader, i.cfg.Now()); err != nil {
		return domain.Receipt{}, err
	}
	if err := i.registered.Reserve("register interface", registrants, 1, bytes, i.cfg.Now()); err != nil {
		return domain.Receipt{}, err
	}
	receipt, err := i.cfg.Log.Append(ctx, b)
	i.registered.Settled(registrants, 1, bytes, receipt, err, i.cfg.Now())
	return receipt, err
}

// registrations are counted for all who register together.
type registrations struct {
	limit.Rate
	turn  chan struct{} // holds one while somebody reads what an earlier process took in
	known bool          // guarded by turn
}

func newRegistrations() *registrations {
	return &registrations{Rate: limit.NewRate("registrations", MaxRegistrationsPerMinute, limit.NewLimiter(maxRegistrationBytesPerMinute)), turn: make(chan struct{}, 1)}
}

// know reads the log's last minute, once.
func (r *registrations) know(ctx context.Context, log domain.Reader, now domain.Millis) error {
	select {
	case r.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-r.turn }()
	if r.known {
		return nil
	}
	of := limit.Seeds{Topic: domain.TopicInterfaces, Through: math.MaxUint64,
		Whose: func(rec domain.Record) (domain.Principal, bool) {
			return registrants, rec.Envelope.Type == domain.InterfaceRegisteredType
		}}
	err := r.SeedFrom(ctx, log, of, now)
	r.known = err == nil
	return err
}

// expire ends the interfaces that have waited too long for the person.
func (i *Interfaces) expire(ctx context.Context) error {
	var due []domain.InterfaceExpired
	i.cfg.Book.Read(func(r *domain.Registry) { due = r.Expire(i.cfg.Now()) })
	for _, e := range due {
		err := makeChange(ctx, i, change[domain.InterfaceExpired]{
			decide: func(r *domain.Registry) (domain.InterfaceExpired, bool, error) {
				for _, still := range r.Expire(i.cfg.Now()) {
					if still.InterfaceID == e.InterfaceID {
						return still, true, nil
					}
				}
				return e, false, nil
			},
			entry: func(e domain.InterfaceExpired) (domain.Entry, error) {
				return commands.EntryOf(i.cfg.Env, i.cfg.Begin(domain.PrincipalCore), sourceAPI, e)
			},
		})
		if err != nil {
			return err
		}
	}
	return nil
}
