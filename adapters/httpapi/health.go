package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

func healthHandlers() handlers {
	return handlers{"health": (*exchange).health, "checkIn": (*exchange).checkIn, "ready": (*exchange).ready}
}

// health is GET /health: one object for all who ask. How attentive the person is,
// only they are told.
func (x *exchange) health() error {
	return x.healthFor(x.visiting(domain.Passing))
}

// visiting is who asks without having to be let in. Where a session's cookie alone can't
// be told of, it counts for nothing.
func (x *exchange) visiting(use domain.Use) commands.Caller {
	caller, _ := x.identify()
	if x.cookie != "" && x.noted(use) != nil {
		return commands.Caller{}
	}
	return caller
}

func (x *exchange) healthFor(caller commands.Caller) error {
	h := x.api.cfg.Health(x.r.Context())
	services, resources := x.advised(h.Services), h.Resources
	if resources == nil {
		resources = map[string]api.Resource{}
	}
	var attention *string
	if caller.Operator {
		attention = x.surroundings().Attention
	}
	return x.answer(http.StatusOK, api.Health{
		Status: "ok", Version: x.api.cfg.Version, Ready: h.Ready, Services: services, Resources: resources, Lost: h.Lost, Attention: attention,
	})
}

// advised are services whose details name commands as who asks types them.
func (x *exchange) advised(services map[string]api.Service) map[string]api.Service {
	out := make(map[string]api.Service, len(services))
	for name, s := range services {
		s.Detail = x.advice(s.Detail)
		out[name] = s
	}
	return out
}

// checkIn is POST /health, by which a client of the operator also says where and
// how they are. A stranger's body is not read.
func (x *exchange) checkIn() error {
	caller := x.visiting(domain.Alone)
	if caller.Operator {
		x.takeSurroundings(caller)
	}
	return x.healthFor(caller)
}

// ready is GET /ready.
func (x *exchange) ready() error {
	h := x.api.cfg.Health(x.r.Context())
	if h.Ready {
		return x.answer(http.StatusOK, api.Ready{Ready: true})
	}
	return x.answer(http.StatusServiceUnavailable, api.NotReady{Reason: x.advice(h.Reason)})
}
