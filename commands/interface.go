package commands

import (
	"context"
	"errors"

	"chalie/domain"
)

// InterfacesConfig is what the interface commands need. All fields are required.
type InterfacesConfig struct {
	Env
	Book    View[domain.Registry]
	Applied Applied // of the registry
	Peer    Peer
}

// Interfaces lets programs of the outside world in: paired with a key, or
// registered by themselves and approved by the person. Either way they are
// domain.Interface, and everything else is the same for both.
//
// What a command answered holds for the very next request: it waits until the
// registry knows.
type Interfaces struct {
	cfg        InterfacesConfig
	registered *registrations
	refused    map[domain.Code]*refusals // of attempts to pair without a valid key
}

// NewInterfaces checks the configuration.
func NewInterfaces(cfg InterfacesConfig) (*Interfaces, error) {
	if err := Complete("configure interfaces", cfg); err != nil {
		return nil, err
	}
	i := &Interfaces{cfg: cfg, registered: newRegistrations(), refused: map[domain.Code]*refusals{}}
	for code := range refusedPairings {
		i.refused[code] = &refusals{}
	}
	return i, nil
}

// List is every interface, in the order they became known.
func (i *Interfaces) List() []domain.Interface {
	var out []domain.Interface
	i.cfg.Book.Read(func(r *domain.Registry) {
		for _, known := range r.Listed() {
			out = append(out, *known)
		}
	})
	return out
}

// Get is one interface, or domain.NoInterface.
func (i *Interfaces) Get(id domain.ID) (domain.Interface, error) {
	var known *domain.Interface
	i.cfg.Book.Read(func(r *domain.Registry) { known = r.Interfaces[id] })
	if known == nil {
		return domain.Interface{}, domain.NoInterface(id)
	}
	return *known, nil
}

// Token is the caller that a paired interface's token lets in; false when it is
// none, or not any more.
func (i *Interfaces) Token(text string) (Caller, bool) {
	hash := domain.HashSecret(text)
	var known *domain.Interface
	var ok bool
	// Found by hash, as Accounts.Token is: timing tells nothing of the text.
	i.cfg.Book.Read(func(r *domain.Registry) { known, ok = r.Token(hash) })
	if !ok {
		return Caller{}, false
	}
	return InterfaceCaller(*known), true
}

// InterfaceCaller is an interface that speaks of its own accord: accountable under
// its id. A registered one may send the signal types that were approved; ask
// Interface.Approved first when none may be, since a caller without types may send
// any.
func InterfaceCaller(i domain.Interface) Caller {
	signals := i.Signals
	if i.Origin == domain.OriginRegistered {
		signals = i.Approved.Signals
	}
	return Caller{Name: i.Name, Source: i.Source(), Principal: i.Principal(), Signals: signals}
}

// Run records once a minute how many attempts to pair were refused and which interfaces
// have waited too long for the person, until ctx ends, and then what is left of the
// former. It returns the error of that last record. Run it before the log closes, and
// wait for it to return.
func (i *Interfaces) Run(ctx context.Context) error {
	return everyMinute(ctx, func(ctx context.Context, always bool) error {
		err := i.recordRefused(ctx, always)
		if always {
			return err
		}
		return errors.Join(err, i.expire(ctx))
	})
}
