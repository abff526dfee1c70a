package httpapi

import (
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// registerDaemon is POST /register. A daemon starts listening only when it has the
// answer, so nothing is asked of it here; Presence is told that it may be soon.
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
	return x.answer(status, struct {
		GatewayURL  string                 `json:"gateway_url"`
		InterfaceID string                 `json:"interface_id"`
		Status      domain.InterfaceStatus `json:"status"`
	}{x.gatewayURL(out.ID), out.ID.UUID(), out.Status})
}

func (x *exchange) registration() (commands.Registration, error) {
	in := commands.Registration{Host: x.daemonHost()}
	var name, version, description, author, scopes, port value
	err := x.fields(map[string]*value{"name": &name, "version": &version, "description": &description,
		"author": &author, "scopes": &scopes, "port": &port})
	if err != nil {
		return in, err
	}
	for _, text := range []struct {
		field string
		value value
		into  *string
	}{{"name", name, &in.Name}, {"version", version, &in.Version}, {"description", description, &in.Description}, {"author", author, &in.Author}} {
		if *text.into, err = text.value.text(text.field); err != nil {
			return in, err
		}
	}
	if in.Name == "" {
		return in, domain.Invalid("register", "name", "name is required: say what the interface is called")
	}
	if in.Port, err = port.whole("port"); err != nil {
		return in, err
	}
	in.Scopes, err = scopesOf(scopes)
	return in, err
}

// daemonHost is where a daemon listens: where it comes from. This machine has one
// name, whether it was reached over IPv4 or IPv6, because the id of an interface
// hangs on it.
func (x *exchange) daemonHost() string {
	if peer := peerOf(x.r); !x.trusted && peer.IsValid() && !peer.IsLoopback() {
		return peer.String()
	}
	return "127.0.0.1"
}

func scopesOf(v value) (domain.Scopes, error) {
	var out domain.Scopes
	if !v.given() {
		return out, nil
	}
	var context, signals, messages value
	err := v.fields("scopes", map[string]*value{"context": &context, "signals": &signals, "messages": &messages})
	if err != nil {
		return out, err
	}
	if out.Context, err = context.textMap("scopes.context", domain.MaxScopes); err != nil {
		return out, err
	}
	if out.Signals, err = signals.textMap("scopes.signals", domain.MaxScopes); err != nil {
		return out, err
	}
	out.Messages, err = messages.textMap("scopes.messages", domain.MaxScopes)
	return out, err
}
