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
	if s.pages, err = parsePages(); err != nil {
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
	s.router.NotFound = s.cfg.API
	s.get("/", (*visit).home)
	s.get("/login", (*visit).loginPage)
	s.post("/login", (*visit).logIn)
	s.post("/logout", (*visit).logOut)
	s.get("/chat", (*visit).chat)
	s.get("/now", (*visit).now)
	s.get("/interfaces", (*visit).interfaces)
	s.get("/interfaces/:id", (*visit).oneInterface)
	s.get("/traces", (*visit).traces)
	s.get("/traces/:id", (*visit).trace)
	s.get("/why/:id", (*visit).why)
	s.get("/why-not/:id", (*visit).whyNot)
	s.get("/cards/:seq", (*visit).card)
	s.router.GET("/assets/:name", s.asset)
	s.router.HEAD("/assets/:name", s.asset)
}

func (s *Site) get(path string, show func(*visit) error) {
	s.router.GET(path, s.visited(show))
	s.router.HEAD(path, s.visited(show))
}

// post takes a form. What another site's page makes a browser send is refused.
func (s *Site) post(path string, take func(*visit) error) {
	protection := http.NewCrossOriginProtection()
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
