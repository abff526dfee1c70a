package httpapi

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/julienschmidt/httprouter"

	"chalie/adapters/api"
	"chalie/domain"
)

// apps is GET /api/apps?at=.
func (x *exchange) apps() error {
	then, listed, err := x.listed("list apps")
	if err != nil {
		return err
	}
	out := make([]api.App, len(listed))
	for n, i := range listed {
		if out[n] = x.appBody(i); then != nil {
			out[n].LastSeenAt = nil
		}
	}
	if then != nil {
		return x.answer(http.StatusOK, api.PastApps{AsOf: *then, Apps: out})
	}
	return x.answer(http.StatusOK, out)
}

// app is GET /api/apps/:id?at=.
func (x *exchange) app() error {
	i, then, err := x.namedThen("show an app")
	if err != nil {
		return err
	}
	out := api.OneApp{AsOf: then, App: x.appBody(i), Capabilities: i.Tools}
	if out.Waiting, err = x.waitingTools(i); err != nil {
		return err
	}
	if then != nil {
		out.LastSeenAt = nil
	} else if out.Lapsed, err = x.lapsed(i); err != nil {
		return err
	}
	if then == nil && x.api.cfg.Interfaces != nil {
		out.LeftOut = leftOut(x.api.cfg.Interfaces.LeftOut(i.ID))
	}
	if out.Capabilities == nil {
		out.Capabilities = []domain.Tool{}
	}
	return x.answer(http.StatusOK, out)
}

// refreshApp is POST /api/apps/:id/refresh.
func (x *exchange) refreshApp() error {
	names, err := x.refresh()
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OfferedNow{OK: true, Offered: api.Offered{Capabilities: names, Count: len(names)}})
}

// approveScopes is PUT /api/apps/:id/scopes.
func (x *exchange) approveScopes() error {
	known, err := x.known("approve scopes")
	if err != nil {
		return err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if _, err := known.Get(id); err != nil {
		return err
	}
	approved, err := x.approval()
	if err != nil {
		return err
	}
	status, err := known.Approve(x.r.Context(), x.caller, id, approved)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.ApprovedNow{OK: true, Status: status})
}

// approval reads the permissions: a key's presence grants, unless its value is false or
// null.
func (x *exchange) approval() (domain.Approval, error) {
	var in api.Approval
	if err := x.read(&in); err != nil {
		return domain.Approval{}, err
	}
	if in.Scopes == nil {
		return domain.Approval{}, domain.Invalid("approve scopes", "approved_scopes",
			`approved_scopes is required: send {"approved_scopes": {"context": {…}, "signals": {…}, "messages": {…}}}, with a key for each thing allowed`)
	}
	return approved(in), nil
}

func approved(in api.Approval) domain.Approval {
	if in.Scopes == nil {
		return domain.Approval{}
	}
	keys := func(of map[string]json.RawMessage) (keys []string) {
		for key, says := range of {
			if text := string(says); text != "false" && text != "null" {
				keys = append(keys, key)
			}
		}
		return keys
	}
	return domain.NewApproval(keys(in.Scopes.Context), keys(in.Scopes.Signals), keys(in.Scopes.Messages))
}

func (x *exchange) appBody(i domain.Interface) api.App {
	asks := i.Requested()
	out := api.App{
		ID: api.UUID{ID: i.ID}, Name: i.Name, Host: i.Host, Port: i.Port, Status: i.Status(), Origin: i.Origin,
		Version: i.Version, Description: i.Description, Author: i.Author,
		Requested:      api.Requested{Context: keyed(asks.Context), Signals: keyed(asks.Signals), Messages: keyed(asks.Messages)},
		ApprovedScopes: api.Approved{Context: granted(i.Approved.Context), Signals: granted(i.Approved.Signals), Messages: granted(i.Approved.Messages)},
		PairedAt:       api.TimestampOf(i.Since), LastSeenAt: x.lastSeen(i.ID), GatewayURL: x.gatewayURL(i.ID), OfflineReason: i.OfflineWhy,
		FlaggedTools: []string{}, Server: i.Server,
	}
	for _, right := range i.AskedRights() {
		if out.AskedRights == nil {
			out.AskedRights = map[string]string{}
		}
		out.AskedRights[right], _ = domain.RightInWords(right)
	}
	for _, t := range i.Waiting {
		out.WaitingTools = append(out.WaitingTools, t.Name)
	}
	for _, t := range slices.Concat(i.Tools, i.Waiting) {
		if len(t.Flags) > 0 {
			out.FlaggedTools = append(out.FlaggedTools, t.Name)
		}
	}
	if i.Origin == domain.OriginPaired {
		out.Signals = namesOrNone(i.Signals)
		permittedByToken(out.ApprovedScopes, i)
	}
	return out
}

// permittedByToken adds the permissions that a paired interface asks for and its token
// includes. Others of its token are left out, so that an answer can be sent back as an
// approval.
func permittedByToken(b api.Approved, i domain.Interface) {
	waits := i.Unapproved().Signals
	for key := range i.Scopes.Signals {
		if _, asked := waits[key]; !asked && (len(i.Signals) == 0 || slices.Contains(i.Signals, key)) {
			b.Signals[key] = true
		}
	}
	for key := range i.Scopes.Messages {
		b.Messages[key] = true
	}
}

// keyed is a map that is never null.
func keyed[V any](of map[string]V) map[string]V {
	if of == nil {
		return map[string]V{}
	}
	return of
}

func granted(keys []string) map[string]bool {
	out := make(map[string]bool, len(keys))
	for _, key := range keys {
		out[key] = true
	}
	return out
}

// API is the handlers.
type API struct {
	cfg     Config
	buffers sync.Pool // of *bytes.Buffer, for bodies
	bodies  bodies
	guesses guesses
	passes  passes
	damage  damage
	limits  addressLimits

	document func() ([]byte, error) // of the contract, made at the first request

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
	a := &API{cfg: cfg.withDefaults(), limits: newAddressLimits()}
	a.bodies.all = a.cfg.BodyBytes
	a.document = sync.OnceValues(drawn(a.cfg.Version))
	a.open = a.guarded(a.router(routes, false))
	a.trusted = a.router(routes, true)
	return a, nil
}

// Handler serves requests from the network.
func (a *API) Handler() http.Handler { return a.open }

// TrustedHandler serves the operator's requests, without credentials.
func (a *API) TrustedHandler() http.Handler { return a.trusted }

// handlers are the routes' handlers by the routes' names.
type handlers map[string]func(*exchange) error

func allHandlers() handlers {
	out := handlers{}
	for _, some := range []handlers{
		healthHandlers(), authHandlers(), accountHandlers(), signalHandlers(), conversationHandlers(), imageHandlers(), voiceHandlers(), consoleHandlers(), mcpHandlers(), startupHandlers(),
		gatewayHandlers(), interfaceHandlers(), streamHandlers(), toolHandlers(), approvalHandlers(), policyHandlers(), settingHandlers(), planHandlers(), worldHandlers(),
		logHandlers(), traceHandlers(), whyHandlers(), replayHandlers(), projectionHandlers(), systemHandlers(), modelHandlers(), moveHandlers(), backupHandlers(),
	} {
		maps.Copy(out, some)
	}
	return out
}

// route is a route of the contract with its handler.
type route struct {
	*api.Route
	handle func(*exchange) error
}

// bound gives each route its handler. A route without a handler, or a handler without a
// route, is an error.
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

// guarded refuses cross-origin requests.
func (a *API) guarded(next http.Handler) http.Handler {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(a.refusing(crossOrigin))
	return protection.Handler(next)
}

// handle admits a caller and calls the route's handler.
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
