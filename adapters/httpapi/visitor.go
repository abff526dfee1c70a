package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

// visitor is the client that logs in. Of proxy headers only their presence counts,
// because the peer may have made them up, unless it is a trusted proxy.
func (x *exchange) visitor() domain.Visitor {
	who := domain.Visitor{UserAgent: x.r.UserAgent(), From: domain.ThisMachine}
	if x.trusted {
		return who
	}
	who.Host = x.r.Host
	peer, client := peerOf(x.r), x.client()
	switch {
	case !client.IsValid():
		who.From = ""
	case client != peer:
		if !client.IsLoopback() {
			who.From = client.String()
		}
	case peer.IsLoopback():
		// A host name that isn't this machine's own means a tunnel or a proxy.
		who.Relayed = forwarded(x.r.Header) || !loopbackHost(x.r.Host)
	default:
		who.From, who.Relayed = peer.String(), forwarded(x.r.Header)
	}
	return who
}

// client is the address that a request comes from: the peer's, or behind trusted proxies
// the last one that they name and that isn't one of them. It is not valid when there is
// none, or when what a trusted proxy names can't be read.
func (x *exchange) client() netip.Addr {
	peer := peerOf(x.r)
	if !x.proxied(peer) {
		return peer
	}
	for _, hop := range slices.Backward(hops(x.r.Header)) {
		addr, ok := addressIn(hop)
		if !ok {
			return netip.Addr{}
		}
		if !x.proxied(addr) {
			return addr
		}
	}
	return peer
}

func (x *exchange) proxied(addr netip.Addr) bool {
	return slices.ContainsFunc(x.api.cfg.Proxies, func(network netip.Prefix) bool { return network.Contains(addr) })
}

// hops are the addresses that proxies were called from, the first one first. Forwarded
// counts only without X-Forwarded-For: a proxy that sets the latter passes on a client's
// own Forwarded.
func hops(h http.Header) (all []string) {
	if older := h.Values("X-Forwarded-For"); len(older) > 0 {
		return strings.Split(strings.Join(older, ","), ",")
	}
	for _, line := range h.Values("Forwarded") {
		for hop := range strings.SplitSeq(line, ",") {
			for part := range strings.SplitSeq(hop, ";") {
				if name, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok && strings.EqualFold(name, "for") {
					all = append(all, strings.Trim(value, `"`))
				}
			}
		}
	}
	return all
}

// addressIn reads an address with or without a port.
func addressIn(hop string) (netip.Addr, bool) {
	hop = strings.TrimSpace(hop)
	if withPort, err := netip.ParseAddrPort(hop); err == nil {
		return withPort.Addr().Unmap().WithZone(""), true
	}
	addr, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]"))
	return addr.Unmap().WithZone(""), err == nil
}

// How long a pass is valid, and how many are valid at once.
const (
	passFor   = time.Minute
	maxPasses = 64
)

// passes let one GET through without the key's header, once: when a browser saves a file,
// or opens a link in another tab, a page can't send one. The zero value is ready.
type passes struct {
	mu  sync.Mutex
	out map[domain.SecretHash]pass
}

type pass struct {
	session domain.SecretHash
	target  string // path and query of the request
	expires domain.Millis
}

// issue makes a pass. When there are too many it drops the one that ends first.
func (p *passes) issue(of pass, now domain.Millis) (secret string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.out == nil {
		p.out = map[domain.SecretHash]pass{}
	}
	var first domain.SecretHash
	for hash, out := range p.out {
		if out.expires <= now {
			delete(p.out, hash)
		} else if at, ok := p.out[first]; !ok || out.expires < at.expires {
			first = hash
		}
	}
	if len(p.out) >= maxPasses {
		delete(p.out, first)
	}
	secret = commands.NewSecret()
	p.out[domain.HashSecret(secret)] = of
	return secret
}

// take uses a pass up, and reports whether it was valid for this request.
func (p *passes) take(secret string, session domain.SecretHash, target string, now domain.Millis) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash := domain.HashSecret(secret)
	out, ok := p.out[hash]
	delete(p.out, hash)
	return ok && now < out.expires && out.session == session && out.target == target
}

// issuePass is POST /api/passes: {"path"} of a GET, with its query, that a browser is to
// make by itself. The answer's path is the one to go to, once, within a minute.
func (x *exchange) issuePass() error {
	var in api.PassRequest
	if err := x.read(&in); err != nil {
		return err
	}
	to, err := url.Parse(in.Path)
	if err != nil || in.Path == "" || to.IsAbs() || to.Host != "" || to.Path == "" || to.Path[0] != '/' {
		return domain.Invalid("issue pass", "path", "path must be a path of Chalie's API with its query, such as /api/export?format=jsonl")
	}
	for _, r := range api.Routes() {
		if r.Method == http.MethodGet && r.Path == to.Path {
			if err := x.freshFor(&r); err != nil {
				return err // here, where a page can ask for a login
			}
		}
	}
	now := domain.MillisOf(x.api.cfg.Clock.Now())
	bare := withoutPass(*to)
	secret := x.api.passes.issue(pass{domain.HashSecret(x.cookie), bare.RequestURI(), now.Add(passFor)}, now)
	query := bare.Query()
	query.Set("pass", secret)
	bare.RawQuery = query.Encode()
	return x.answer(http.StatusCreated, api.Pass{Path: bare.RequestURI(), Expires: int(passFor / time.Second)})
}

// hasPass uses up the request's pass, and removes it from the query.
func (x *exchange) hasPass() bool {
	secret := x.r.URL.Query().Get("pass")
	if secret == "" || x.r.Method != http.MethodGet {
		return false
	}
	to := withoutPass(*x.r.URL)
	if !x.api.passes.take(secret, domain.HashSecret(x.cookie), to.RequestURI(), domain.MillisOf(x.api.cfg.Clock.Now())) {
		return false
	}
	asked := *x.r
	asked.URL = &to
	x.r = &asked
	return true
}

// withoutPass is an address without its pass, with a normalised query.
func withoutPass(to url.URL) url.URL {
	query := to.Query()
	query.Del("pass")
	to.RawQuery, to.ForceQuery = query.Encode(), false
	return to
}

// The carriers of a session's key. A page can't send a header with a socket, so there the
// key is among the subprotocols, after the one that is answered.
const (
	socketProtocol = "chalie"
	socketKey      = "chalie.key."
)

// shownKey is the request's key; "" when it has none.
func shownKey(h http.Header) string {
	if key := h.Get(api.KeyHeader); key != "" {
		return key
	}
	for _, line := range h.Values("Sec-Websocket-Protocol") {
		for name := range strings.SplitSeq(line, ",") {
			if key, ok := strings.CutPrefix(strings.TrimSpace(name), socketKey); ok {
				return key
			}
		}
	}
	return ""
}

// keyOf checks the session's key, records a cookie that came from elsewhere, and refuses
// a cookie alone where the route needs the key.
func (x *exchange) keyOf() error {
	x.keyed = x.hasKey() || x.hasPass()
	use := domain.Alone
	switch {
	case x.who == api.Openers:
		use = domain.Opening
	case x.who == api.Loaders || x.who == api.Viewers && x.r.Method != http.MethodPost:
		use = domain.Passing
	}
	if err := x.noted(use); err != nil {
		return err
	}
	if x.keyed || x.who.Alone() {
		return x.freshFor(x.route)
	}
	x.challenge()
	return &domain.Error{Op: "authorise", Code: api.CodeKeyNeeded,
		Message: "the session's cookie alone may not do this, because every server of this machine may be sent it: " +
			x.login() + "; " + api.LogInDoc + " has the shapes"}
}

// freshFor refuses a session of an earlier login what takes one of just now: whoever finds a
// browser open, or has taken its cookie and key, is to get no rights that outlive the session.
func (x *exchange) freshFor(route *api.Route) error {
	if !route.Fresh || x.api.cfg.Accounts.Fresh(x.cookie) {
		return nil
	}
	x.challenge()
	return &domain.Error{Op: "authorise", Code: api.CodeLoginNeeded,
		Message: fmt.Sprintf("this takes a login of the last %d minutes, and this session's is older: log in again with POST /auth/login, and send this once more with the new session; `chalie` on this machine needs no login",
			int(domain.SessionFresh/time.Minute))}
}

// hasKey reports whether the request has the key of the cookie's session.
func (x *exchange) hasKey() bool {
	return x.api.cfg.Accounts.HasKey(x.sessionSecret(), shownKey(x.r.Header))
}

// noted records a session's cookie that came from elsewhere: use is how it came without
// the key. It is recorded before the answer; otherwise a thief who first fills the disk
// would go unnoticed.
func (x *exchange) noted(use domain.Use) error {
	if x.keyed || x.hasKey() {
		use = domain.Keyed
	}
	err := x.api.cfg.Accounts.Used(x.r.Context(), x.sessionSecret(), use, x.visitor())
	if err != nil {
		x.api.cfg.Logger.ErrorContext(x.r.Context(), "the use of a session elsewhere could not be recorded", slog.Any("error", err))
	}
	return err
}
