package pairing

import (
	"context"
	"errors"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
	"chalie/domain/guard"
)

// Config has the dependencies of the interface commands. All but Servers and Accounts are required.
type Config struct {
	commands.Env
	Book     commands.View[domain.Registry]
	Applied  commands.Barrier // of the registry
	Peer     commands.Peer
	Servers  Servers                        `optional:"yes"` // nil: no server of the Model Context Protocol is reached
	Accounts commands.View[domain.Accounts] `optional:"yes"` // nil: no program has a name that an interface mustn't have
}

// Interfaces lets programs of the outside world in: paired with a key, or
// registered by themselves and approved by the person. Either way they are
// domain.Interface, and everything else is the same for both.
//
// What a command answered holds for the very next request: it waits until the
// registry knows.
type Interfaces struct {
	cfg        Config
	registered *registrations
	refused    map[domain.Code]*limit.Refusals // of attempts to pair without a valid key
}

// New checks the configuration.
func New(cfg Config) (*Interfaces, error) {
	if err := commands.Complete("configure interfaces", cfg); err != nil {
		return nil, err
	}
	i := &Interfaces{cfg: cfg, registered: newRegistrations(), refused: map[domain.Code]*limit.Refusals{}}
	for code := range refusedPairings {
		i.refused[code] = &limit.Refusals{}
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

// Asking is how many interfaces declared rights for themselves that the person hasn't decided about.
func (i *Interfaces) Asking() (n int) {
	i.cfg.Book.Read(func(r *domain.Registry) {
		for _, known := range r.Interfaces {
			if len(known.AskedRights()) > 0 {
				n++
			}
		}
	})
	return n
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

// Token is the caller of a paired interface's token; false when there is no such token.
func (i *Interfaces) Token(text string) (commands.Caller, bool) {
	hash := domain.HashSecret(text)
	var known *domain.Interface
	var ok bool
	// Found by hash, as Accounts.Token is: timing tells nothing of the text.
	i.cfg.Book.Read(func(r *domain.Registry) { known, ok = r.Token(hash) })
	if !ok {
		return commands.Caller{}, false
	}
	return commands.InterfaceCaller(*known), true
}

// Run records once a minute how many attempts to pair were refused and which interfaces
// have waited too long for the person, until ctx ends, and then what is left of the
// former. It returns the error of that last record. Run it before the log closes, and
// wait for it to return.
func (i *Interfaces) Run(ctx context.Context) error {
	return limit.EveryMinute(ctx, func(ctx context.Context, always bool) error {
		err := i.recordRefused(ctx, always)
		if always {
			return err
		}
		return errors.Join(err, i.expire(ctx))
	})
}

// Approve allows an interface scopes, in place of those allowed
// before; nothing is recorded when they are the same. It returns how the interface
// then stands. Errors: not found, validation when a key wasn't asked for, and what
// domain.Appender returns.
func (i *Interfaces) Approve(ctx context.Context, c commands.Caller, id domain.ID, approved domain.Approval) (domain.InterfaceStatus, error) {
	err := makeChange(ctx, i, change[domain.ScopesApproved]{
		entry: func(e domain.ScopesApproved) (domain.Entry, error) {
			return commands.EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
		},
		decide: func(r *domain.Registry) (domain.ScopesApproved, bool, error) { return r.Approve(id, approved) },
	})
	if err != nil {
		return "", err
	}
	known, err := i.Get(id)
	return known.Status(), err
}

// Refresh asks an interface what it offers now, records it when that is something
// else than was known, and returns the names of its tools. For one that registered
// by itself this is how its tools become known. What it may send and read stays as
// it was declared or approved. Errors: not found, those of Peer, and what
// domain.Appender returns.
func (i *Interfaces) Refresh(ctx context.Context, c commands.Caller, id domain.ID) ([]string, error) {
	known, err := i.Get(id)
	if err != nil {
		return nil, err
	}
	o, err := i.ask(ctx, commands.EndpointOf(&known))
	if err != nil {
		return nil, err
	}
	if err := i.changeOffer(ctx, c, id, o); err != nil {
		return nil, err
	}
	return namesOf(o.tools), nil
}

// changeOffer records what an interface offers, when that is something else than was known.
func (i *Interfaces) changeOffer(ctx context.Context, c commands.Caller, id domain.ID, o offered) error {
	return makeChange(ctx, i, change[domain.CapabilitiesChanged]{
		entry: func(e domain.CapabilitiesChanged) (domain.Entry, error) {
			entry, err := commands.EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
			if err == nil {
				err = fits(entry)
			}
			return entry, err
		},
		decide: func(r *domain.Registry) (domain.CapabilitiesChanged, bool, error) {
			return r.Refresh(id, o.version, o.tools, o.meta.Raw)
		},
	})
}

// Remove ends an interface: its tools are gone and its token and id are refused
// when it returns. Errors: not found, and what domain.Appender returns.
func (i *Interfaces) Remove(ctx context.Context, c commands.Caller, id domain.ID) error {
	err := makeChange(ctx, i, change[domain.InterfaceRemoved]{
		entry: func(e domain.InterfaceRemoved) (domain.Entry, error) {
			return commands.EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
		},
		decide: func(r *domain.Registry) (domain.InterfaceRemoved, bool, error) {
			e, err := r.Remove(id)
			return e, true, err
		},
	})
	if err == nil && i.cfg.Servers != nil {
		i.cfg.Servers.Dismiss(id)
	}
	return err
}

// changeAttempts bounds how often something is decided again because others
// changed the same meanwhile.
const changeAttempts = 10

// change is a decision about an interface, and how it is recorded.
type change[P commands.Keyed] struct {
	decide func(*domain.Registry) (event P, needed bool, err error)
	entry  func(P) (domain.Entry, error)
	append func(context.Context, domain.Batch) (domain.Receipt, error) // nil: the log's
}

// makeChange decides, appends and waits until the registry knows. When others recorded
// something under a key of the event in the meantime it decides again, on what they
// made of it.
func makeChange[P commands.Keyed](ctx context.Context, i *Interfaces, ch change[P]) error {
	var seen domain.Position // everything under the event's keys through here is folded
	for range changeAttempts {
		var event P
		var needed bool
		var err error
		after := seen
		i.cfg.Book.Read(func(r *domain.Registry) {
			after = max(after, r.Through)
			event, needed, err = ch.decide(r)
		})
		if err != nil || !needed {
			return err
		}
		entry, err := ch.entry(event)
		if err != nil {
			return err
		}
		into := ch.append
		if into == nil {
			into = i.cfg.Log.Append
		}
		receipt, err := into(ctx, domain.Batch{
			Entries:    []domain.Entry{entry},
			Conditions: unchangedSince(after, event.Keys()),
		})
		if err == nil {
			return i.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
		}
		if domain.CodeOf(err) != domain.CodeConditionFailed {
			return err
		}
		if seen, err = i.catchUp(ctx, event.Keys(), after); err != nil {
			return err
		}
	}
	return &domain.Error{Op: "change interface", Category: domain.Conflict, Code: "interface_changed", Retriable: true,
		Message: "the interface was changed again and again at the same moment: look at it, and try once more"}
}

func unchangedSince(after domain.Position, keys []domain.Key) []domain.Condition {
	out := make([]domain.Condition, len(keys))
	for n, key := range keys {
		out[n] = domain.Condition{Key: key, After: after}
	}
	return out
}

// catchUp waits until the registry knows everything under the keys, and returns the
// last position of that.
func (i *Interfaces) catchUp(ctx context.Context, keys []domain.Key, after domain.Position) (domain.Position, error) {
	const page = 1000
	last := after
	for _, key := range keys {
		for from, n := after+1, page; n == page; from = last + 1 {
			records, err := i.cfg.Reader.Select(ctx, domain.Selector{Key: key}, from, page)
			if err != nil {
				return 0, err
			}
			if n = len(records); n > 0 {
				last = max(last, records[n-1].Position)
			}
		}
	}
	return last, i.cfg.Applied.WaitFor(ctx, last)
}

// checkName refuses a name that passes for Chalie's own or for a program's, or for the one of an
// interface elsewhere without being the same. Two interfaces of one name are told apart
// wherever a name stands, by where they listen and by their ids; nobody looks for a
// second one behind a name that seems to be there once. What listens at the place
// already may go on under its name.
func (i *Interfaces) checkName(r *domain.Registry, name, host string, port int) error {
	const op = "check interface"
	switch here, known := r.At(host, port); {
	case domain.ShowsNothing(name):
		return domain.Invalid(op, "name", "name is required: say what the interface is called, with something that can be seen")
	case guard.HasSecret(name):
		return domain.Invalid(op, "name", "that name looks like a secret, and names are kept in clear: choose another")
	case known && here.Name == name:
		return nil
	default:
		return domain.CheckNaming(op, "name", name, i.otherNames(r, name, here)...)
	}
}

// otherNames are those that what is to be called so mustn't look like: of programs, and of interfaces elsewhere
// that are called otherwise.
func (i *Interfaces) otherNames(r *domain.Registry, name string, here *domain.Interface) (names []string) {
	for _, other := range r.Interfaces {
		if other.Name != name && (here == nil || other.ID != here.ID) {
			names = append(names, other.Name)
		}
	}
	if i.cfg.Accounts != nil {
		i.cfg.Accounts.Read(func(a *domain.Accounts) {
			for _, t := range a.Tokens {
				names = append(names, t.Name)
			}
		})
	}
	return names
}
