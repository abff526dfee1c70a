package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/commands/pairing"
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

// daemonHost is where a daemon listens: where it comes from. This machine has one
// name, whether it was reached over IPv4 or IPv6, because the id of an interface
// hangs on it.
func (x *exchange) daemonHost() string {
	if peer := peerOf(x.r); !x.trusted && peer.IsValid() && !peer.IsLoopback() {
		return peer.String()
	}
	return "127.0.0.1"
}
