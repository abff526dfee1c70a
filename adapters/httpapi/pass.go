package httpapi

import (
	"net/http"
	"net/url"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

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
