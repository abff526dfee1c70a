package skill

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chalie/domain"
)

// trustBack says of a tool what the person had said of it before.
func trustBack(ctx context.Context, u *undoing, rec domain.Record) error {
	said, err := domain.Decode[domain.CapabilityChanged](rec.Envelope)
	if err != nil {
		return u.unreadable(err)
	}
	var then, now domain.Rulebook
	var wrong error
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Key: domain.PolicyKey}, 1, maxLooked, func(r domain.Record) {
		if r.Position < rec.Position {
			wrong = cmp.Or(wrong, then.Evolve(r))
		}
		wrong = cmp.Or(wrong, now.Evolve(r))
	})
	if err != nil || wrong != nil {
		return cmp.Or(err, wrong)
	}
	name := u.nameOf(ctx, said.CapabilityID)
	if is, _ := now.Said(said.CapabilityID); !reflect.DeepEqual(is, said) {
		u.staysSo("what you said of "+name, " was changed since", "")
		return nil
	}
	was, _ := then.Said(said.CapabilityID)
	if o, known := u.offerOf(said.CapabilityID); known {
		was, _ = then.SaidOf(o) // what was said of the tool as it was isn't said of it as it is
	}
	u.rests(domain.PolicyKey)
	if _, err := add(u, was, was.Keys()); err != nil {
		return err
	}
	if chosen, before := asking(said), asking(was); chosen != before {
		u.isBack(name, fmt.Sprintf(" is set to “%s” again", before.Words()), "")
		return nil
	}
	u.isBack("what you said of "+name, " is as it was", "")
	return nil
}

// asking is the setting that a statement comes to.
func asking(c domain.CapabilityChanged) domain.Asking {
	if c.Ask == nil {
		return domain.AskAsSaid
	}
	return *c.Ask
}

// offerOf is a tool of an interface by its capability.
func (u *undoing) offerOf(capability string) (o domain.Offer, known bool) {
	whose, name, _ := strings.Cut(capability, "/")
	id, err := domain.ParseID(whose)
	if err != nil || u.cfg.Registry == nil {
		return o, false
	}
	u.cfg.Registry.Read(func(r *domain.Registry) {
		i := r.Interfaces[id]
		if i == nil {
			return
		}
		if at := slices.IndexFunc(i.Tools, func(t domain.Tool) bool { return t.Name == name }); at >= 0 {
			o, known = domain.Offer{Name: name, Tool: i.Tools[at], Interface: i}, true
		}
	})
	return o, known
}

// nameOf is a tool by its capability, and whose it is.
func (u *undoing) nameOf(ctx context.Context, capability string) string {
	at := strings.IndexByte(capability, '/')
	name := fmt.Sprintf("“%s”", capability[at+1:])
	id, err := domain.ParseID(capability[:max(at, 0)])
	if err != nil {
		return name // one of Chalie's own
	}
	return name + u.ofInterface(ctx, id)
}
