package httpapi

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/domain"

	"github.com/julienschmidt/httprouter"
)

// API is the handlers.
type API struct {
	cfg     Config
	buffers sync.Pool // of *bytes.Buffer, for bodies
	bodies  bodies
	guesses guesses
	passes  passes
	damage  damage

	document func() ([]byte, error) // of the contract, drawn when it is first asked for

	open, trusted http.Handler
}

// New checks the configuration and builds the routes.
func New(cfg Config) (*API, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	routes, err := bound(api.Routes(), allHandlers())
	if err != nil {
		return nil, err
	}
	a := &API{cfg: cfg.withDefaults()}
	a.bodies.all = a.cfg.BodyBytes
	a.document = sync.OnceValues(drawn(a.cfg.Version))
	a.open = a.guarded(a.router(routes, false))
	a.trusted = a.router(routes, true)
	return a, nil
}

// Handler serves the network.
func (a *API) Handler() http.Handler { return a.open }

// TrustedHandler serves peers whose every request is the operator's.
func (a *API) TrustedHandler() http.Handler { return a.trusted }

// handlers are what answers routes, by the routes' names.
type handlers map[string]func(*exchange) error

func allHandlers() handlers {
	out := handlers{}
	for _, some := range []handlers{
		healthHandlers(), authHandlers(), accountHandlers(), signalHandlers(), conversationHandlers(), imageHandlers(), startupHandlers(),
		gatewayHandlers(), interfaceHandlers(), streamHandlers(), toolHandlers(), approvalHandlers(), policyHandlers(), planHandlers(), worldHandlers(),
		logHandlers(), traceHandlers(), whyHandlers(), replayHandlers(), projectionHandlers(), systemHandlers(),
	} {
		maps.Copy(out, some)
	}
	return out
}

// route is an entry of the contract with what answers it.
type route struct {
	*api.Route
	handle func(*exchange) error
}

// bound gives each route its handler, and refuses a route or a handler that is alone.
func bound(routes []api.Route, handlers handlers) ([]route, error) {
	const op = "configure http api"
	out := make([]route, 0, len(routes))
	for i := range routes {
		handle := handlers[routes[i].Name]
		if handle == nil {
			return nil, domain.Invalid(op, "", routes[i].Name+" is a route, and nothing handles it: bind it beside its handler")
		}
		out = append(out, route{&routes[i], handle})
		delete(handlers, routes[i].Name)
	}
	if len(handlers) > 0 {
		names := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
		return nil, domain.Invalid(op, "", "there are handlers for no route: name "+names+" in package api")
	}
	return out, nil
}

// guarded refuses what a page of another site makes a browser send.
func (a *API) guarded(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(a.refusing(crossOrigin))
	return protection.Handler(next)
}

// handle lets a request through to its route if its caller may use it.
func (a *API) handle(route route, trusted bool) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		x := &exchange{api: a, w: w, r: r, params: unescaped(r, params), trusted: trusted, who: route.Who, route: route.Route}
		if a.cfg.Metrics != nil {
			x.out.ResponseWriter, x.w = w, &x.out
			began := time.Now()
			defer func() { a.cfg.Metrics.Answered(route.Method, route.Path, x.out.answered(), time.Since(began)) }()
		}
		x.harden()
		err := x.admit()
		if err == nil {
			err = route.handle(x)
		}
		x.release()
		if err != nil {
			x.refuse(err)
		}
	}
}

// refusing answers every request with one error.
func (a *API) refusing(why func(*http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{api: a, w: w, r: r, who: api.Anyone, route: &api.Route{}}
		x.harden()
		x.refuse(why(r))
	})
}
