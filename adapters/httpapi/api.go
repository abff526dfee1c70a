package httpapi

import (
	"net/http"
	"sync"

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

	open, trusted http.Handler
}

// New checks the configuration and builds the routes.
func New(cfg Config) (*API, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := bounded(routes()); err != nil {
		return nil, err
	}
	api := &API{cfg: cfg.withDefaults()}
	api.bodies.all = api.cfg.BodyBytes
	api.open = api.guarded(api.router(false))
	api.trusted = api.router(true)
	return api, nil
}

// Handler serves the network.
func (api *API) Handler() http.Handler { return api.open }

// TrustedHandler serves peers whose every request is the operator's.
func (api *API) TrustedHandler() http.Handler { return api.trusted }

// access is who may use a route.
type access int

const (
	anyone     access = iota // no login needed
	callers                  // a session that shows its key, or a token
	operator                 // a session that shows its key
	browsers                 // a session, by its cookie alone: what a web chat needs that isn't Chalie's own
	loaders                  // the same, for what a page loads as an image or a frame, and can send nothing with
	openers                  // the same, for what opens a page and holds nothing
	neighbours               // a program on this machine, or in a network that was let in
	viewers                  // a neighbour, or a session by its cookie alone
)

// alone reports whether a session's cookie is enough. Cookies know no ports: every
// server of this host is sent it when a browser is led there, so what it opens by itself
// has to be little.
func (a access) alone() bool { return a == browsers || a == loaders || a == openers || a == viewers }

type route struct {
	method, path string
	access       access
	handle       func(*exchange) error
}

func routes() []route {
	return append(append(toolRoutes(), logRoutes()...), []route{
		{http.MethodGet, "/health", anyone, (*exchange).health},
		{http.MethodPost, "/health", anyone, (*exchange).checkIn},
		{http.MethodGet, "/ready", anyone, (*exchange).ready},

		{http.MethodGet, "/auth/status", anyone, (*exchange).authStatus},
		{http.MethodPost, "/auth/register", anyone, (*exchange).register},
		{http.MethodPost, "/auth/login", anyone, (*exchange).logIn},
		{http.MethodPost, "/auth/logout", anyone, (*exchange).logOut},
		{http.MethodGet, "/auth/session", openers, (*exchange).aSession},
		{http.MethodGet, "/auth/setup", anyone, (*exchange).setup},

		{http.MethodPost, "/api/signals", callers, (*exchange).submitSignal},
		{http.MethodPost, "/api/signals/batch", callers, (*exchange).submitBatch},

		{http.MethodPost, "/api/messages", callers, (*exchange).submitMessage},
		{http.MethodPost, "/api/messages/:id/cancel", operator, (*exchange).cancelMessage},

		{http.MethodGet, "/ws", browsers, (*exchange).socket},
		{http.MethodGet, "/conversation/recent", browsers, (*exchange).conversation},
		{http.MethodGet, "/api/exchanges/:id", operator, (*exchange).oneExchange},
		{http.MethodPost, "/chat/image", browsers, (*exchange).uploadImage},
		{http.MethodGet, "/chat/image/:id", loaders, (*exchange).image},
		{http.MethodGet, "/chat/image/:id/status", browsers, (*exchange).imageStatus},
		{http.MethodGet, "/api/cards/:seq", loaders, (*exchange).card},
		{http.MethodGet, "/chat/vision-capable", browsers, (*exchange).visionCapable},
		{http.MethodGet, "/voice/health", browsers, (*exchange).voiceHealth},
		{http.MethodGet, "/system/observability/tasks", browsers, (*exchange).tasks},
		{http.MethodGet, "/scheduler", browsers, (*exchange).scheduler},

		{http.MethodPost, "/register", neighbours, (*exchange).registerDaemon},
		{http.MethodPost, "/gw/:id/signals", neighbours, (*exchange).gatewaySignal},
		{http.MethodPost, "/gw/:id/messages", neighbours, (*exchange).gatewayMessage},
		{http.MethodGet, "/gw/:id/context", neighbours, (*exchange).gatewayContext},
		{http.MethodGet, "/gw/:id/render", viewers, (*exchange).gatewayRender},
		{http.MethodPost, "/gw/:id/execute", viewers, (*exchange).gatewayExecute},

		{http.MethodPost, "/api/interfaces/pairing-key", operator, (*exchange).issuePairingKey},
		{http.MethodPost, "/api/interfaces/pair", anyone, (*exchange).pair},
		{http.MethodGet, "/api/interfaces", operator, (*exchange).interfaces},
		{http.MethodGet, "/api/interfaces/:id", operator, (*exchange).oneInterface},
		{http.MethodPost, "/api/interfaces/:id/refresh", operator, (*exchange).refreshInterface},
		{http.MethodDelete, "/api/interfaces/:id", operator, (*exchange).removeInterface},
		{http.MethodGet, "/api/apps", browsers, (*exchange).apps},
		{http.MethodGet, "/api/apps/:id", browsers, (*exchange).app},
		{http.MethodPut, "/api/apps/:id/scopes", browsers, (*exchange).approveScopes},
		{http.MethodPost, "/api/apps/:id/refresh", browsers, (*exchange).refreshApp},
		{http.MethodDelete, "/api/apps/:id", browsers, (*exchange).removeInterface},

		{http.MethodGet, "/api/streams", operator, (*exchange).streams},
		{http.MethodPost, "/api/streams", operator, (*exchange).addStream},
		{http.MethodDelete, "/api/streams/:id", operator, (*exchange).removeStream},

		{http.MethodGet, "/api/spine", operator, (*exchange).spine},
		{http.MethodGet, "/api/system", operator, (*exchange).system},
		{http.MethodGet, "/api/plans", operator, (*exchange).plans},
	}...)
}

// logRoutes are those of the log, of what is folded of it, and of what it explains.
func logRoutes() []route {
	return []route{
		{http.MethodGet, "/api/world", operator, (*exchange).world},
		{http.MethodGet, "/api/as-of", operator, (*exchange).lookBack},
		{http.MethodGet, "/api/what-if", operator, (*exchange).supposable},
		{http.MethodGet, "/api/log", operator, (*exchange).log},
		{http.MethodGet, "/api/log/:id", operator, (*exchange).entry},
		{http.MethodGet, "/api/traces", operator, (*exchange).traces},
		{http.MethodGet, "/api/traces/:id", operator, (*exchange).trace},
		{http.MethodGet, "/api/traces/:id/steps", operator, (*exchange).steps},
		{http.MethodGet, "/api/why", operator, (*exchange).askable},
		{http.MethodGet, "/api/why/:id", operator, (*exchange).why},
		{http.MethodGet, "/api/why-not/:id", operator, (*exchange).whyNot},
		{http.MethodGet, "/api/account", operator, (*exchange).account},
		{http.MethodPut, "/api/account/password", operator, (*exchange).changePassword},
		{http.MethodGet, "/api/sessions", operator, (*exchange).sessions},
		{http.MethodDelete, "/api/sessions", operator, (*exchange).endOtherSessions},
		{http.MethodDelete, "/api/sessions/:id", operator, (*exchange).endSession},
		{http.MethodGet, "/api/sessions-elsewhere", operator, (*exchange).usedElsewhere},
		{http.MethodDelete, "/api/sessions-elsewhere/:id", operator, (*exchange).seeElsewhere},
		{http.MethodPost, "/api/passes", operator, (*exchange).issuePass},
		{http.MethodGet, "/api/tokens", operator, (*exchange).tokens},
		{http.MethodPost, "/api/tokens", operator, (*exchange).issueToken},
		{http.MethodDelete, "/api/tokens/:name", operator, (*exchange).revokeToken},
		{http.MethodGet, "/api/projections", operator, (*exchange).projections},
		{http.MethodPost, "/api/projections/rebuild", operator, (*exchange).rebuildAll},
		{http.MethodPost, "/api/projections/:name/rebuild", operator, (*exchange).rebuildOne},
		{http.MethodDelete, "/api/projections/:name/rebuild", operator, (*exchange).cancelRebuild},
		{http.MethodPost, "/api/projections/:name/rollback", operator, (*exchange).rollbackProjection},
		{http.MethodGet, "/api/verify", operator, (*exchange).verify},
		{http.MethodPost, "/api/replay", operator, (*exchange).replay},
		{http.MethodGet, "/api/export", operator, (*exchange).export},
	}
}

// toolRoutes are those of tools and of what may be done with them.
func toolRoutes() []route {
	return []route{
		{http.MethodGet, "/api/tools", operator, (*exchange).tools},
		{http.MethodPost, "/api/tools/:name/invoke", callers, (*exchange).invokeTool},
		{http.MethodPut, "/api/tools/:name/manifest", operator, (*exchange).trustTool},
		{http.MethodGet, "/api/approvals", operator, (*exchange).approvals},
		{http.MethodGet, "/api/approvals/decided", operator, (*exchange).decided},
		{http.MethodPost, "/api/approvals/:token", callers, (*exchange).decideApproval},
		{http.MethodGet, "/api/policy", operator, (*exchange).policy},
		{http.MethodPut, "/api/policy", operator, (*exchange).changePolicy},
		{http.MethodPost, "/api/policy/check", operator, (*exchange).checkPolicy},
		{http.MethodGet, "/api/policy/history", operator, (*exchange).policyHistory},
	}
}

// guarded refuses what a page of another site makes a browser send.
func (api *API) guarded(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(api.refusing(crossOrigin))
	return protection.Handler(next)
}

// handle lets a request through to its route if its caller may use it.
func (api *API) handle(route route, trusted bool) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		x := &exchange{api: api, w: w, r: r, params: unescaped(r, params), trusted: trusted, access: route.access, route: route}
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
func (api *API) refusing(why func(*http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{api: api, w: w, r: r}
		x.harden()
		x.refuse(why(r))
	})
}
