package web

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"path"
	"strings"

	"github.com/julienschmidt/httprouter"

	"chalie/domain"
)

// Site serves the pages, and passes all other paths to the API.
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

// page is one that can be opened.
type page struct {
	path string
	show func(*visit) error
	by   opening
	name string // in the system's navigation; "" for a page that isn't there
}

// opening says which credentials open a page.
type opening bool

// The values of opening.
const (
	cookie opening = false
	key    opening = true
)

// pages are all pages. Those of the system are in the order of its navigation.
func pages() []page {
	return []page{
		{"/", (*visit).home, cookie, ""},
		{"/setup", (*visit).setUpPage, cookie, ""},
		{"/login", (*visit).loginPage, cookie, ""},
		{"/account", (*visit).account, key, ""},
		{"/chat", (*visit).chat, key, ""},
		{"/now", (*visit).now, key, ""},
		{"/what-if", (*visit).whatIf, key, ""},
		{"/interfaces", (*visit).interfaces, key, ""},
		{"/interfaces/:id", (*visit).oneInterface, key, ""},
		{"/traces", (*visit).traces, key, ""},
		{"/traces/:id", (*visit).trace, key, ""},
		{"/why", (*visit).askWhy, key, ""},
		{"/why/:id", (*visit).why, key, ""},
		{"/why-not", (*visit).askWhyNot, key, ""},
		{"/replay", (*visit).replay, key, ""},
		{"/why-not/:id", (*visit).whyNot, key, ""},
		{"/system", (*visit).system, key, "Overview"},
		{"/system/log", (*visit).log, key, "Log"},
		{"/system/projections", (*visit).projections, key, "Projections"},
		{"/system/spine", (*visit).spine, key, "Spine"},
		{"/system/policy", (*visit).policy, key, "Policy"},
		{"/system/settings", (*visit).settings, key, "Settings"},
		{"/system/approvals", (*visit).approvals, key, "Approvals"},
		{"/system/conversations", (*visit).conversations, key, "Conversations"},
		{"/system/verify", (*visit).verify, key, "Verify"},
		{"/system/log/:id", (*visit).logEntry, key, ""},
		{"/cards/:seq", (*visit).card, cookie, ""},
		{phonePath, (*visit).phone, cookie, ""},
	}
}

// systemPlaces are the pages of the system's own navigation. A page has it as
// {{template "system-nav" "/system/…"}}, with its own path.
func systemPlaces() (out []spot) {
	for _, p := range pages() {
		if p.name != "" {
			out = append(out, spot{p.path, p.name})
		}
	}
	return out
}

func (s *Site) route() {
	s.router.RedirectTrailingSlash, s.router.RedirectFixedPath, s.router.HandleMethodNotAllowed = false, false, false
	s.router.HandleOPTIONS = false
	s.router.NotFound = http.HandlerFunc(s.elsewhere)
	for _, p := range pages() {
		if p.by == key {
			p.show = withKey(p.show)
		}
		s.get(p.path, p.show)
	}
	s.get(certificatePath, (*visit).certificate)
	s.post("/setup", (*visit).setUp)
	s.post("/login", (*visit).logIn)
	s.post("/logout", (*visit).logOut)
	s.post("/system/policy", (*visit).considerPolicy)
	s.router.GET("/assets/:name", s.asset)
	s.router.HEAD("/assets/:name", s.asset)
}

// elsewhere passes a request to the API. A followed link to an unknown path gets an error
// page; a program gets the API's own answer.
func (s *Site) elsewhere(w http.ResponseWriter, r *http.Request) {
	if !navigates(r) {
		s.cfg.API.ServeHTTP(w, r)
		return
	}
	if strings.HasPrefix(r.URL.Path, "/api/") && !r.URL.Query().Has("pass") {
		v := &visit{site: s, w: w, r: r}
		if v.opensByKey() {
			v.harden()
			if err := v.opening(); err != nil {
				v.fail(err)
			}
			return
		}
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

// navigates reports whether a browser follows a link. Without TLS from another machine
// only the Accept header shows that.
func navigates(r *http.Request) bool {
	mode := r.Header.Get("Sec-Fetch-Mode")
	return r.Method == http.MethodGet && (mode == "navigate" || mode == "" && strings.Contains(r.Header.Get("Accept"), "text/html"))
}

// orNothing passes an answer on, unless it is a 404.
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

// withKey opens a page with the session's key.
func withKey(show func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.opensByKey() {
			return v.opening()
		}
		return show(v)
	}
}

func (s *Site) get(path string, show func(*visit) error) {
	s.router.GET(path, s.visited(show))
	s.router.HEAD(path, s.visited(show))
}

// post handles a form. Cross-origin forms are refused.
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

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/*
var assetFiles embed.FS

// asset is a file that pages load.
type asset struct {
	text, kind, tag string
}

// assets are by name.
type assets map[string]asset

// kinds are the media types of assets: the machine's own table may differ.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml",
}

func readAssets() (assets, error) {
	out := assets{}
	entries, err := fs.ReadDir(assetFiles, "assets")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := assetFiles.ReadFile("assets/" + e.Name())
		if err != nil {
			return nil, err
		}
		out[e.Name()] = assetOf(e.Name(), text)
	}
	text, err := readSheet()
	if err != nil {
		return nil, err
	}
	out[sheet] = assetOf(sheet, text)
	return out, nil
}

func assetOf(name string, text []byte) asset {
	sum := sha256.Sum256(text)
	return asset{string(text), kinds[path.Ext(name)], `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
}

// asset is GET /assets/:name. A browser keeps it and asks whether it is still the
// same: modules name each other without a version.
func (s *Site) asset(w http.ResponseWriter, r *http.Request, params httprouter.Params) {
	a, ok := s.assets[params.ByName("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", a.tag)
	if r.Header.Get("If-None-Match") == a.tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.kind)
	_, _ = w.Write([]byte(a.text))
}

//go:embed styles/*.css
var styleFiles embed.FS

// sheet is the name under which all styles are served, as one file.
const sheet = "chalie.css"

// styles are the pieces of the sheet. Their order counts: what comes later wins
// over what is as special.
var styles = []string{
	"base", "frame", "controls", "door", "conversation", "blocks", "lists", "traces",
	"pictures", "system", "now", "whatif", "log", "why", "spine", "interfaces",
}

func readSheet() ([]byte, error) {
	var all strings.Builder
	for _, name := range styles {
		text, err := styleFiles.ReadFile("styles/" + name + ".css")
		if err != nil {
			return nil, err
		}
		all.Write(text)
		all.WriteByte('\n')
	}
	return []byte(all.String()), nil
}

// Config is what the pages need. API is required.
type Config struct {
	API     http.Handler // the handler for the network
	Version string       // of the program
	TLS     *Encryption  // nil: none
	Logger  *slog.Logger // for errors of the pages; nil: nothing is logged
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	if c.API == nil {
		return domain.Invalid("configure pages", "API", "API is required")
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}
