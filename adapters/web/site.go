package web

import (
	"html/template"
	"net/http"

	"github.com/julienschmidt/httprouter"
)

// Site is the pages. What is none of them is the API's.
type Site struct {
	cfg    Config
	pages  map[string]*template.Template // by the name of the page
	parts  map[string]*template.Template // the same, for pieces of a page that is open
	assets assets
	router *httprouter.Router
}

// New checks the configuration and reads the templates.
func New(cfg Config) (*Site, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Site{cfg: cfg.withDefaults(), router: httprouter.New()}
	var err error
	if s.pages, err = parsePages(asleep); err != nil {
		return nil, err
	}
	if s.parts, err = parsePages(awake); err != nil {
		return nil, err
	}
	if s.assets, err = readAssets(); err != nil {
		return nil, err
	}
	s.route()
	return s, nil
}

// Handler serves pages and, on every other path, the API.
func (s *Site) Handler() http.Handler { return s.router }

func (s *Site) route() {
	s.router.RedirectTrailingSlash, s.router.RedirectFixedPath, s.router.HandleMethodNotAllowed = false, false, false
	s.router.HandleOPTIONS = false
	s.router.NotFound = http.HandlerFunc(s.elsewhere)
	s.get("/", (*visit).home)
	s.get("/setup", (*visit).setUpPage)
	s.post("/setup", (*visit).setUp)
	s.get("/login", (*visit).loginPage)
	s.post("/login", (*visit).logIn)
	s.post("/logout", (*visit).logOut)
	s.get("/account", (*visit).account)
	s.get("/chat", (*visit).chat)
	s.get("/now", (*visit).now)
	s.get("/what-if", (*visit).whatIf)
	s.get("/interfaces", (*visit).interfaces)
	s.get("/interfaces/:id", (*visit).oneInterface)
	s.get("/traces", (*visit).traces)
	s.get("/traces/:id", (*visit).trace)
	s.get("/why", (*visit).askWhy)
	s.get("/why/:id", (*visit).why)
	s.get("/why-not", (*visit).askWhyNot)
	s.get("/replay", (*visit).replay)
	s.get("/why-not/:id", (*visit).whyNot)
	s.get("/system", (*visit).system)
	s.get("/system/projections", (*visit).projections)
	s.get("/system/policy", (*visit).policy)
	s.post("/system/policy", (*visit).considerPolicy)
	s.get("/system/approvals", (*visit).approvals)
	s.get("/system/verify", (*visit).verify)
	s.get("/system/log", (*visit).log)
	s.get("/system/log/:id", (*visit).logEntry)
	s.get("/system/spine", (*visit).spine)
	s.get("/cards/:seq", (*visit).card)
	s.router.GET("/assets/:name", s.asset)
	s.router.HEAD("/assets/:name", s.asset)
}

// elsewhere is the API's. Somebody who follows a link to nothing gets a page that
// leads back; a program gets the API's own answer.
func (s *Site) elsewhere(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		s.cfg.API.ServeHTTP(w, r)
		return
	}
	found := &orNothing{ResponseWriter: w}
	s.cfg.API.ServeHTTP(found, r)
	if found.nothing {
		v := &visit{site: s, w: w, r: r}
		v.harden()
		v.w.Header().Del("Content-Length")
		v.fail(&refusal{status: http.StatusNotFound, message: "Nothing is at " + r.URL.Path + "."})
	}
}

// orNothing passes an answer on, unless it is that there is nothing.
type orNothing struct {
	http.ResponseWriter
	nothing bool
}

// WriteHeader implements http.ResponseWriter.
func (n *orNothing) WriteHeader(status int) {
	if n.nothing = status == http.StatusNotFound; !n.nothing {
		n.ResponseWriter.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (n *orNothing) Write(text []byte) (int, error) {
	if n.nothing {
		return len(text), nil
	}
	return n.ResponseWriter.Write(text)
}

// Unwrap lets an answer be sent piece by piece.
func (n *orNothing) Unwrap() http.ResponseWriter { return n.ResponseWriter }

func (s *Site) get(path string, show func(*visit) error) {
	s.router.GET(path, s.visited(show))
	s.router.HEAD(path, s.visited(show))
}

// post takes a form. What another site's page makes a browser send is refused.
func (s *Site) post(path string, take func(*visit) error) {
	protection := http.NewCrossOriginProtection()
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &visit{site: s, w: w, r: r}
		v.harden()
		v.fail(&refusal{status: http.StatusForbidden, code: codeCrossOrigin})
	}))
	handle := s.visited(take)
	s.router.POST(path, func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		protection.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handle(w, r, params) })).ServeHTTP(w, r)
	})
}

func (s *Site) visited(show func(*visit) error) httprouter.Handle {
	return func(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
		v := &visit{site: s, w: w, r: r, params: params}
		v.harden()
		if err := show(v); err != nil {
			v.fail(err)
		}
	}
}
