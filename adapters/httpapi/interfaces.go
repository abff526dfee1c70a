package httpapi

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/domain"
)

// Interfaces registers, refreshes and removes interfaces. Its methods are those of
// *pairing.Interfaces, which says their errors.
type Interfaces interface {
	IssueKey(ctx context.Context, c commands.Caller) (pairing.IssuedKey, error)
	Pair(ctx context.Context, r pairing.PairRequest) (pairing.Paired, error)
	Register(ctx context.Context, r pairing.Registration) (pairing.Registered, error)
	Approve(ctx context.Context, c commands.Caller, id domain.ID, approved domain.Approval) (domain.InterfaceStatus, error)
	Refresh(ctx context.Context, c commands.Caller, id domain.ID) (names []string, err error)
	Remove(ctx context.Context, c commands.Caller, id domain.ID) error
	AddMCP(ctx context.Context, c commands.Caller, name string, server domain.MCPServer) (pairing.AddedMCP, error)
	Accept(ctx context.Context, c commands.Caller, id domain.ID, names []string, pins map[string]string) ([]string, error)
	LeftOut(id domain.ID) []pairing.LeftOut
	List() []domain.Interface
	Asking() int
	Get(id domain.ID) (domain.Interface, error)
	Token(text string) (commands.Caller, bool)
}

// Presence knows when interfaces were last heard. Its methods are those of
// *pairing.Monitor.
type Presence interface {
	Seen(id domain.ID)
	Registered(id domain.ID)             // has just registered, and will listen in a moment
	LastSeen(id domain.ID) domain.Millis // 0 for never
}

func interfaceHandlers() handlers {
	return handlers{
		"issuePairingKey": (*exchange).issuePairingKey, "pair": (*exchange).pair,
		"interfaces": (*exchange).interfaces, "oneInterface": (*exchange).oneInterface, "refreshInterface": (*exchange).refreshInterface, "removeInterface": (*exchange).removeInterface,
		"addMCP": (*exchange).addMCP, "acceptTools": (*exchange).acceptTools,
		"apps": (*exchange).apps, "app": (*exchange).app, "approveScopes": (*exchange).approveScopes, "refreshApp": (*exchange).refreshApp, "removeApp": (*exchange).removeInterface,
	}
}

// interfaces is GET /api/interfaces?at=.
func (x *exchange) interfaces() error {
	then, listed, err := x.listed("list interfaces")
	if err != nil {
		return err
	}
	out := make([]api.Interface, len(listed))
	for n, i := range listed {
		if out[n] = x.interfaceBody(i); then != nil {
			out[n].LastSeenAt = nil
		}
	}
	if then != nil {
		return x.answer(http.StatusOK, api.PastInterfaces{AsOf: *then, Interfaces: out})
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

// refresh fetches an interface's capabilities again.
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

// addMCP is POST /api/mcp. Whoever may have a command started may do on this machine what
// Chalie may, and whoever may name a variable for a header may have any secret of its
// environment sent anywhere. So both take more than a session: the right to write in its
// data directory.
func (x *exchange) addMCP() error {
	known, err := x.known("add an MCP server")
	if err != nil {
		return err
	}
	var in api.MCPRequest
	if err := x.read(&in); err != nil {
		return err
	}
	server := domain.MCPServer{Command: in.Command, Env: in.Env, URL: in.URL, Headers: in.Headers}
	if !x.trusted || !x.caller.Operator {
		if err := fromTerminal(server); err != nil {
			return err
		}
	}
	if in.Memory != nil {
		server.Memory = *in.Memory
	}
	if in.Processes != nil {
		server.Processes = *in.Processes
	}
	added, err := known.AddMCP(x.r.Context(), x.caller, in.Name, server)
	if err != nil {
		return err
	}
	x.heard(added.ID)
	return x.answer(http.StatusCreated, api.MCPAdded{InterfaceID: api.UUID{ID: added.ID}, New: added.New, Tools: append([]domain.Tool{}, added.Tools...), LeftOut: leftOut(added.LeftOut)})
}

func leftOut(tools []pairing.LeftOut) (out []api.LeftOut) {
	for _, t := range tools {
		out = append(out, api.LeftOut{Name: t.Name, Why: t.Why})
	}
	return out
}

// fromTerminal refuses what of a server only a terminal on this machine may say.
func fromTerminal(s domain.MCPServer) error {
	refused := func(field, what string) error {
		return &domain.Error{Op: "add MCP server", Category: domain.Policy, Code: "terminal_only", Field: field,
			Message: what + " is taken from a terminal on this machine only, never over HTTP: add it there, with chalie tool add mcp"}
	}
	switch {
	case len(s.Command) > 0:
		return refused("command", "a command")
	case len(s.Env) > 0:
		return refused("env", "the name of a variable of Chalie's environment")
	case slices.ContainsFunc(s.Headers, domain.MCPHeader.NamesVariable):
		return refused("headers", "a header with $, which stands for a variable of Chalie's environment,")
	}
	return nil
}

// acceptTools is POST /api/interfaces/:id/accept.
func (x *exchange) acceptTools() error {
	i, err := x.named("accept tools")
	if err != nil {
		return err
	}
	var in api.Acceptance
	if err := x.read(&in); err != nil {
		return err
	}
	names, err := x.api.cfg.Interfaces.Accept(x.r.Context(), x.caller, i.ID, in.Tools, in.Pins)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.Accepted{Accepted: namesOrNone(names)})
}

// known is the configured Interfaces; an error when the log is only read.
func (x *exchange) known(what string) (Interfaces, error) {
	if x.api.cfg.Interfaces == nil {
		return nil, notRunning(what)
	}
	x.catchUp()
	return x.api.cfg.Interfaces, nil
}

// named is the interface of the path's id.
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

// lastSeen is when an interface was last heard; null for never.
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

// registryThen is the registry at the moment "at"; nil without the parameter.
func (x *exchange) registryThen() (*api.AsOf, commands.View[domain.Registry], error) {
	then, err := x.asOf(x.query())
	if err != nil || then == nil {
		return nil, nil, err
	}
	book, err := x.api.cfg.Past.Registry(x.r.Context(), then.Position)
	return then, book, err
}

// namedThen is the interface of the path's id, now or at the moment "at".
func (x *exchange) namedThen(what string) (domain.Interface, *api.AsOf, error) {
	then, book, err := x.registryThen()
	if err != nil {
		return domain.Interface{}, nil, err
	}
	if then == nil {
		i, err := x.named(what)
		return i, nil, err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return domain.Interface{}, nil, err
	}
	var known *domain.Interface
	book.Read(func(r *domain.Registry) { known = r.Interfaces[id] })
	if known == nil {
		return domain.Interface{}, nil, domain.NoInterface(id)
	}
	return *known, then, nil
}

// listed are the interfaces, now or at the moment "at". When each was last heard then is
// not in the log.
func (x *exchange) listed(what string) (then *api.AsOf, out []domain.Interface, err error) {
	then, book, err := x.registryThen()
	if err != nil {
		return nil, nil, err
	}
	if then == nil {
		known, err := x.known(what)
		if err != nil {
			return nil, nil, err
		}
		return nil, known.List(), nil
	}
	book.Read(func(r *domain.Registry) {
		for _, i := range r.Listed() {
			out = append(out, *i)
		}
	})
	return then, out, nil
}

func (x *exchange) streamsThen(then api.AsOf, book commands.View[domain.Registry]) error {
	out := api.Streams{AsOf: &then, Streams: []api.Stream{}}
	book.Read(func(r *domain.Registry) {
		for _, s := range r.ListedStreams() {
			out.Streams = append(out.Streams, api.Stream{ID: api.UUID{ID: s.ID}, URL: s.URL, Source: s.Source, Since: s.Since})
		}
	})
	return x.answer(http.StatusOK, out)
}

// issuePairingKey is POST /api/interfaces/pairing-key. The key's text is in this answer
// only, with the URL to pair at.
func (x *exchange) issuePairingKey() error {
	known, err := x.known("issue a pairing key")
	if err != nil {
		return err
	}
	key, err := known.IssueKey(x.r.Context(), x.caller)
	if err != nil {
		return err
	}
	host, port := x.endpoint()
	return x.answer(http.StatusOK, api.PairingKey{Key: key.Text, Host: host, Port: port, Seconds: int(domain.PairingKeyLifetime.Seconds())})
}

// pair is POST /api/interfaces/pair. The key is the credential, so anyone may ask.
//
// A failed attempt is a 400, even when the interface's answers are at fault, because the
// program that pairs can change them. Only Chalie's own failures keep their status.
func (x *exchange) pair() error {
	known, err := x.known("pair")
	if err != nil {
		return err
	}
	req, err := x.pairRequest()
	if err != nil {
		return err
	}
	paired, err := known.Pair(x.r.Context(), req)
	switch status := statusOf(err); {
	case err == nil:
	case status == http.StatusInternalServerError || status == http.StatusServiceUnavailable:
		return err
	default:
		x.refuseAs(http.StatusBadRequest, err)
		return nil
	}
	x.heard(paired.ID)
	return x.answer(http.StatusCreated, api.Paired{
		InterfaceID: api.UUID{ID: paired.ID}, SignalToken: paired.Token, Status: paired.Status, Capabilities: namesOrNone(paired.Capabilities),
	})
}

func (x *exchange) pairRequest() (pairing.PairRequest, error) {
	var in api.Pairing
	err := x.read(&in)
	switch {
	case err != nil:
	case in.Key == "":
		err = domain.Invalid("pair", "pairing_key", "pairing_key is required: generate one with: chalie interfaces key")
	case in.Name == "":
		err = domain.Invalid("pair", "name", "name is required: say what the interface is called")
	}
	return pairing.PairRequest(in), err
}

// registerDaemon is POST /register. A daemon starts listening only when it has the
// answer, so it isn't called here; Presence is told that it will listen soon.
func (x *exchange) registerDaemon() error {
	known, err := x.known("register an interface")
	if err != nil {
		return err
	}
	in, err := x.registration()
	if err != nil {
		return err
	}
	out, err := known.Register(x.r.Context(), in)
	if err != nil {
		return err
	}
	x.heard(out.ID)
	if x.api.cfg.Presence != nil {
		x.api.cfg.Presence.Registered(out.ID)
	}
	status := http.StatusOK
	if out.New {
		status = http.StatusCreated
	}
	return x.answer(status, api.Registered{GatewayURL: x.gatewayURL(out.ID), InterfaceID: api.UUID{ID: out.ID}, Status: out.Status})
}

func (x *exchange) registration() (pairing.Registration, error) {
	var in api.Registration
	err := x.read(&in)
	if err == nil && in.Name == "" {
		err = domain.Invalid("register", "name", "name is required: say what the interface is called")
	}
	out := pairing.Registration{Host: x.daemonHost(), Name: in.Name, Version: in.Version, Description: in.Description, Author: in.Author, Port: in.Port}
	if in.Scopes != nil {
		out.Scopes = domain.Scopes(*in.Scopes)
	}
	return out, err
}

// daemonHost is a daemon's host: the address its request came from. Loopback has one name
// for IPv4 and IPv6, because an interface's id depends on it.
func (x *exchange) daemonHost() string {
	if peer := peerOf(x.r); !x.trusted && peer.IsValid() && !peer.IsLoopback() {
		return peer.String()
	}
	return "127.0.0.1"
}

// senders are the sources and principals that a person may mean by a name: Chalie's own
// name for them, and the names under which interfaces and broadcasts are shown, in any
// case of letters. Nil means any sender.
type senders map[string]bool

func (a *API) senders(name string) senders {
	if name == "" {
		return nil
	}
	out := senders{name: true}
	if id, err := domain.ParseID(name); err == nil {
		out[id.String()], out[id.UUID()] = true, true
	}
	if a.cfg.Interfaces != nil {
		for _, i := range a.cfg.Interfaces.List() {
			if strings.EqualFold(i.Name, name) {
				out[string(i.Principal())] = true
			}
		}
	}
	if a.cfg.Streams != nil {
		for _, s := range a.cfg.Streams.List() {
			if strings.EqualFold(s.Source, name) {
				out[string(s.Principal())] = true
			}
		}
	}
	return out
}

// sent reports whether an envelope has one of them as its source or principal.
func (s senders) sent(source domain.Source, principal domain.Principal) bool {
	return s == nil || s[string(source)] || s[string(principal)]
}
