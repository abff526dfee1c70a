package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/domain"
)

// Interfaces are the programs Chalie speaks with. Its methods are those of
// *pairing.Interfaces, which says their errors.
type Interfaces interface {
	IssueKey(ctx context.Context, c commands.Caller) (pairing.IssuedKey, error)
	Pair(ctx context.Context, r pairing.PairRequest) (pairing.Paired, error)
	Register(ctx context.Context, r pairing.Registration) (pairing.Registered, error)
	Approve(ctx context.Context, c commands.Caller, id domain.ID, approved domain.Approval) (domain.InterfaceStatus, error)
	Refresh(ctx context.Context, c commands.Caller, id domain.ID) (names []string, err error)
	Remove(ctx context.Context, c commands.Caller, id domain.ID) error
	List() []domain.Interface
	Get(id domain.ID) (domain.Interface, error)
	Token(text string) (commands.Caller, bool)
}

// Presence is when interfaces were heard. Its methods are those of
// *pairing.Monitor.
type Presence interface {
	Seen(id domain.ID)
	Registered(id domain.ID)             // has just started, and listens in a moment
	LastSeen(id domain.ID) domain.Millis // 0 for never
}

func interfaceHandlers() handlers {
	return handlers{
		"issuePairingKey": (*exchange).issuePairingKey, "pair": (*exchange).pair,
		"interfaces": (*exchange).interfaces, "oneInterface": (*exchange).oneInterface, "refreshInterface": (*exchange).refreshInterface, "removeInterface": (*exchange).removeInterface,
		"apps": (*exchange).apps, "app": (*exchange).app, "approveScopes": (*exchange).approveScopes, "refreshApp": (*exchange).refreshApp, "removeApp": (*exchange).removeInterface,
	}
}

// interfaces is GET /api/interfaces?at=.
func (x *exchange) interfaces() error {
	then, before, err := x.registryThen()
	switch {
	case err != nil:
		return err
	case then != nil:
		return x.interfacesThen(*then, before)
	}
	known, err := x.known("list interfaces")
	if err != nil {
		return err
	}
	out := []api.Interface{}
	for _, i := range known.List() {
		out = append(out, x.interfaceBody(i))
	}
	return x.answer(http.StatusOK, out)
}

// oneInterface is GET /api/interfaces/:id?at=.
func (x *exchange) oneInterface() error {
	i, then, err := x.namedThen("show an interface")
	if err != nil {
		return err
	}
	out := api.OneInterface{AsOf: then, Interface: x.interfaceBody(i), Tools: []api.NamedTool{}}
	if then != nil {
		out.LastSeenAt = nil
	}
	for _, t := range i.Tools {
		out.Tools = append(out.Tools, api.NamedTool{Name: t.Name, Manifest: t})
	}
	return x.answer(http.StatusOK, out)
}

// refreshInterface is POST /api/interfaces/:id/refresh.
func (x *exchange) refreshInterface() error {
	names, err := x.refresh()
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.Offered{Capabilities: names, Count: len(names)})
}

// refresh asks an interface again what it offers.
func (x *exchange) refresh() ([]string, error) {
	i, err := x.named("ask an interface what it offers")
	if err != nil {
		return nil, err
	}
	names, err := x.api.cfg.Interfaces.Refresh(x.r.Context(), x.caller, i.ID)
	if err != nil {
		return nil, err
	}
	x.heard(i.ID)
	return namesOrNone(names), nil
}

// removeInterface is DELETE /api/interfaces/:id and DELETE /api/apps/:id.
func (x *exchange) removeInterface() error {
	known, err := x.known("remove an interface")
	if err != nil {
		return err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := known.Remove(x.r.Context(), x.caller, id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}

// known is the interfaces as the log has them now, where anybody speaks with them.
func (x *exchange) known(what string) (Interfaces, error) {
	if x.api.cfg.Interfaces == nil {
		return nil, notRunning(what)
	}
	x.catchUp()
	return x.api.cfg.Interfaces, nil
}

// named is the interface that the path names.
func (x *exchange) named(what string) (domain.Interface, error) {
	known, err := x.known(what)
	if err != nil {
		return domain.Interface{}, err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return domain.Interface{}, err
	}
	return known.Get(id)
}

func (x *exchange) interfaceBody(i domain.Interface) api.Interface {
	return api.Interface{
		ID: api.UUID{ID: i.ID}, Name: i.Name, Host: i.Host, Port: i.Port, Status: i.Status(),
		LastSeenAt: x.lastSeen(i.ID), PairedAt: api.TimestampOf(i.Since), Metadata: i.Meta, ToolCount: len(i.Tools),
	}
}

// heard notes that an interface has spoken.
func (x *exchange) heard(id domain.ID) {
	if x.api.cfg.Presence != nil {
		x.api.cfg.Presence.Seen(id)
	}
}

// lastSeen is when an interface was heard, null when it never was.
func (x *exchange) lastSeen(id domain.ID) *api.Timestamp {
	if x.api.cfg.Presence == nil {
		return nil
	}
	return api.TimestampOf(x.api.cfg.Presence.LastSeen(id))
}

func namesOrNone(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
