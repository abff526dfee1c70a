package httpapi

import (
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

// visitor is who asks to be let in. Of headers only that there are any of a proxy counts:
// what they say, the peer may have made up. A proxy that the operator trusts hasn't.
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
		// By another name than this machine's own it was led here, as by a tunnel.
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

// hops are whom proxies say they were asked by, the first of them first. Forwarded counts
// only where nobody says it in the older way: a proxy that knows that one passes what a
// client wrote in the other.
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

// How long a pass opens something, and how many are out at once.
const (
	passFor   = time.Minute
	maxPasses = 64
)

// passes let one GET through without the key's header, once: a browser saves a file, or
// opens a link in another tab, without letting a page send one. The zero value is ready.
type passes struct {
	mu  sync.Mutex
	out map[domain.SecretHash]pass
}

type pass struct {
	session domain.SecretHash
	target  string // path and query, as the pass was asked for
	expires domain.Millis
}

// issue makes a pass. When too many are out the one that ends first goes.
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

// take uses a pass up, and reports whether it was one for this.
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
	now := domain.MillisOf(x.api.cfg.Clock.Now())
	bare := withoutPass(*to)
	secret := x.api.passes.issue(pass{domain.HashSecret(x.cookie), bare.RequestURI(), now.Add(passFor)}, now)
	query := bare.Query()
	query.Set("pass", secret)
	bare.RawQuery = query.Encode()
	return x.answer(http.StatusCreated, api.Pass{Path: bare.RequestURI(), Expires: int(passFor / time.Second)})
}

// hasPass uses up the pass that the request brings, and takes it from what the route
// reads.
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

// withoutPass is an address as a pass is for it, however its query was written.
func withoutPass(to url.URL) url.URL {
	query := to.Query()
	query.Del("pass")
	to.RawQuery, to.ForceQuery = query.Encode(), false
	return to
}

// Where a session's key is shown. A browser lets a page send no header with a socket, so
// there it stands among the names of protocols, behind the one that is answered.
const (
	socketProtocol = "chalie"
	socketKey      = "chalie.key."
)

// shownKey is the key that the request shows; "" when it shows none.
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

// keyOf finds out whether the session's key was shown, notes how its cookie came, and
// refuses what the cookie alone may not do.
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
		return nil
	}
	x.challenge()
	return &domain.Error{Op: "authorise", Code: api.CodeKeyNeeded,
		Message: "the session's cookie alone may not do this, because every server of this machine may be sent it: open Chalie's own pages and log in there, or " + x.login()}
}

// hasKey reports whether the key of the cookie's session was shown.
func (x *exchange) hasKey() bool {
	return x.api.cfg.Accounts.HasKey(x.sessionSecret(), shownKey(x.r.Header))
}

// noted tells the log of a session's cookie that came from elsewhere: use is how it came
// if not with the key. It has to stand there before anything is answered, or whoever
// fills the disk first would go untold.
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
