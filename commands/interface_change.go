package commands

import (
	"context"

	"chalie/domain"
)

// Approve is what the person allows an interface, in place of what was allowed
// before; nothing is recorded when that is the same. It returns how the interface
// then stands. Errors: not found, validation when a key wasn't asked for, and what
// domain.Appender returns.
func (i *Interfaces) Approve(ctx context.Context, c Caller, id domain.ID, approved domain.Approval) (domain.InterfaceStatus, error) {
	err := makeChange(ctx, i, change[domain.ScopesApproved]{
		entry: func(e domain.ScopesApproved) (domain.Entry, error) {
			return EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
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
func (i *Interfaces) Refresh(ctx context.Context, c Caller, id domain.ID) ([]string, error) {
	known, err := i.Get(id)
	if err != nil {
		return nil, err
	}
	o, err := i.ask(ctx, Endpoint{Host: known.Host, Port: known.Port})
	if err != nil {
		return nil, err
	}
	err = makeChange(ctx, i, change[domain.CapabilitiesChanged]{
		entry: func(e domain.CapabilitiesChanged) (domain.Entry, error) {
			entry, err := EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
			if err == nil {
				err = fits(entry)
			}
			return entry, err
		},
		decide: func(r *domain.Registry) (domain.CapabilitiesChanged, bool, error) {
			return r.Refresh(id, o.version, o.tools, o.meta.Raw)
		},
	})
	if err != nil {
		return nil, err
	}
	return namesOf(o.tools), nil
}

// Remove ends an interface: its tools are gone and its token and id let nobody in
// when it returns. Errors: not found, and what domain.Appender returns.
func (i *Interfaces) Remove(ctx context.Context, c Caller, id domain.ID) error {
	return makeChange(ctx, i, change[domain.InterfaceRemoved]{
		entry: func(e domain.InterfaceRemoved) (domain.Entry, error) {
			return EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, e)
		},
		decide: func(r *domain.Registry) (domain.InterfaceRemoved, bool, error) {
			e, err := r.Remove(id)
			return e, true, err
		},
	})
}

// changeAttempts bounds how often something is decided again because others
// changed the same meanwhile.
const changeAttempts = 10

// change is a decision about an interface, and how it is recorded.
type change[P Keyed] struct {
	decide func(*domain.Registry) (event P, needed bool, err error)
	entry  func(P) (domain.Entry, error)
	append func(context.Context, domain.Batch) (domain.Receipt, error) // nil: the log's
}

// makeChange decides, appends and waits until the registry knows. When others recorded
// something under a key of the event in the meantime it decides again, on what they
// made of it.
func makeChange[P Keyed](ctx context.Context, i *Interfaces, ch change[P]) error {
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
