package httpapi

import (
	"cmp"
	"slices"

	"chalie/adapters/api"
	"chalie/domain"
)

// mostVersions bounds how many tools are looked up as they were, for one answer.
const mostVersions = 16

// waitingTools are the tools of an MCP server that wait for the person, beside what they were.
func (x *exchange) waitingTools(i domain.Interface) (out []api.WaitingTool, err error) {
	for n, t := range i.Waiting {
		one := api.WaitingTool{Tool: t, Pin: t.Pin(), New: !i.HasAccepted(t.Name)}
		if !one.New && n < mostVersions {
			if one.Changes, err = x.changesSince(i.ID, t, i.Became[t.Name].At); err != nil {
				return nil, err
			}
		}
		if rules := viewOf[domain.Rulebook](x); rules != nil {
			rules.Read(func(b *domain.Rulebook) {
				if o := (domain.Offer{Tool: t, Interface: &i}); b.Loosens(o) {
					said, _ := b.Said(o.CapabilityID())
					one.Lapses = new(api.TrustOf(said))
				}
			})
		}
		out = append(out, one)
	}
	return out, nil
}

// lapsed is what the person said of an interface's tools and doesn't count in full any more.
func (x *exchange) lapsed(i domain.Interface) (out []api.LapsedTrust, err error) {
	rules := viewOf[domain.Rulebook](x)
	if rules == nil {
		return nil, nil
	}
	for _, t := range i.Tools {
		o := domain.Offer{Name: x.offeredAs(i, t), Tool: t, Interface: &i}
		var said domain.CapabilityChanged
		var at domain.Position
		lapsed := false
		rules.Read(func(b *domain.Rulebook) {
			said, _ = b.Said(o.CapabilityID())
			at, lapsed = b.SaidAt[o.CapabilityID()], b.Manifest(o).Lapsed
		})
		if !lapsed {
			continue
		}
		one := api.LapsedTrust{Tool: o.Name, Said: api.TrustOf(said), Changes: []domain.ToolChange{}}
		if len(out) < mostVersions {
			if one.Changes, err = x.changesSince(i.ID, t, at); err != nil {
				return nil, err
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// offeredAs is the name by which a tool is invoked.
func (x *exchange) offeredAs(i domain.Interface, t domain.Tool) string {
	name := ""
	if x.api.cfg.Tools != nil {
		offers := x.api.cfg.Tools.Offers()
		if at := slices.IndexFunc(offers, func(o domain.Offer) bool { return o.Interface.ID == i.ID && o.Tool.Name == t.Name }); at >= 0 {
			name = offers[at].Name
		}
	}
	return cmp.Or(name, i.Name+"."+t.Name)
}

// changesSince is how a tool differs from what it was at a position; none when that can't be had.
func (x *exchange) changesSince(id domain.ID, is domain.Tool, at domain.Position) ([]domain.ToolChange, error) {
	none := []domain.ToolChange{}
	if x.api.cfg.Past == nil || at == 0 {
		return none, nil
	}
	then, err := x.interfaceAt(id, &api.AsOf{Position: at})
	if err != nil {
		return nil, err
	}
	n := slices.IndexFunc(then.Tools, func(t domain.Tool) bool { return t.Name == is.Name })
	if n < 0 {
		return none, nil
	}
	return domain.ToolChanges(then.Tools[n], is), nil
}
