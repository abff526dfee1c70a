package httpapi

import (
	"context"
	"log/slog"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

// Surroundings is what is known of where and how the person is. Its methods are
// those of *signal.Surroundings, which says their errors.
type Surroundings interface {
	Tell(ctx context.Context, c commands.Caller, text []byte) error
	Now() domain.ContextUpdated
}

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

// surroundings is what is known; nothing where nothing runs.
func (x *exchange) surroundings() domain.ContextUpdated {
	if x.api.cfg.Surroundings == nil {
		return domain.ContextUpdated{}
	}
	return x.api.cfg.Surroundings.Now()
}

// takeSurroundings takes in what a client of the operator tells with its POST
// /health. Whatever is wrong with it, the client needs its answer: so what can't
// be read is passed over, and what can't be recorded is logged, and will be told
// again in some minutes.
func (x *exchange) takeSurroundings(caller commands.Caller) {
	if x.api.cfg.Surroundings == nil {
		return
	}
	body, err := x.body()
	if err != nil {
		return
	}
	if err := x.api.cfg.Surroundings.Tell(x.r.Context(), caller, body); err != nil && x.r.Context().Err() == nil {
		x.api.cfg.Logger.Warn("what a client told of its surroundings was not taken in", slog.Any("error", err))
	}
}

// ready is GET /ready.
func (x *exchange) ready() error {
	h := x.api.cfg.Health(x.r.Context())
	if h.Ready {
		return x.answer(http.StatusOK, api.Ready{Ready: true})
	}
	return x.answer(http.StatusServiceUnavailable, api.NotReady{Reason: x.advice(h.Reason)})
}
