package web

import (
	"bytes"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"chalie/adapters/api"

	"github.com/julienschmidt/httprouter"
)

// visit is one request for a page, and its answer.
type visit struct {
	site   *Site
	w      http.ResponseWriter
	r      *http.Request
	params httprouter.Params

	// As the API said last; nil when it didn't.
	waiting   *int // for the person's approval
	elsewhere *int // uses of their sessions that they haven't seen

	elsewhereOpen int // those of sessions that haven't ended
}

// pagePolicy lets a page load what is this program's own, and nothing else. The
// WebSocket of the same origin is 'self', too.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (v *visit) harden() {
	h := v.w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", pagePolicy)
}

// frame is what every page has around it.
type frame struct {
	Title   string
	Here    string // the path of the page in the navigation
	Scripts []string
	Version string
	Bare    bool // without navigation: nobody is logged in
	Opening bool // another page comes in its place; a module that ran here doesn't run again there
	Waiting int  // for the person's approval
	Used    int  // uses of their sessions elsewhere that they haven't seen
	InUse   int  // those of sessions that haven't ended
	Page    any  // the page's own
}

// show writes a page.
func (v *visit) show(status int, name string, f frame) error {
	f.Version = v.site.cfg.Version
	if v.waiting != nil {
		f.Waiting = *v.waiting
	}
	if v.elsewhere != nil {
		f.Used, f.InUse = *v.elsewhere, v.elsewhereOpen
	}
	var out bytes.Buffer
	if err := v.site.pages[name].ExecuteTemplate(&out, "frame", f); err != nil {
		return err
	}
	v.write(status, out.Bytes())
	return nil
}

// part writes a piece of a page, for a module that renews it.
func (v *visit) part(name, part string, page any) error {
	var out bytes.Buffer
	if err := v.site.parts[name].ExecuteTemplate(&out, part, page); err != nil {
		return err
	}
	v.write(http.StatusOK, out.Bytes())
	return nil
}

func (v *visit) write(status int, text []byte) {
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if v.waiting != nil {
		v.w.Header().Set(api.WaitingHeader, strconv.Itoa(*v.waiting))
	}
	if v.elsewhere != nil {
		v.w.Header().Set(api.ElsewhereHeader, strconv.Itoa(*v.elsewhere))
		v.w.Header().Set(api.ElsewhereOpenHeader, strconv.Itoa(v.elsewhereOpen))
	}
	v.w.WriteHeader(status)
	// A peer that is gone is no error of ours.
	_, _ = v.w.Write(text)
}

// goTo sends the browser elsewhere on this site.
func (v *visit) goTo(path string) error {
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}

// asleep has a control of a whole page wait for the module that makes it do something:
// see ready.js. awake is for parts: the module that asks for one listens already.
func asleep(module string) template.HTMLAttr {
	return template.HTMLAttr(`disabled data-waits="` + template.HTMLEscapeString(module) + `"`)
}

func awake(string) template.HTMLAttr { return "" }

// parsePages reads every page with the frame around it. Templates write {{waits "m"}}
// into what does nothing before the module m.js has run.
func parsePages(waits func(module string) template.HTMLAttr) (map[string]*template.Template, error) {
	names, err := fs.Glob(templateFiles, "templates/page_*.html")
	if err != nil {
		return nil, err
	}
	shared, err := template.New("shared").Funcs(words).Funcs(template.FuncMap{"waits": waits}).ParseFS(templateFiles, "templates/frame.html", "templates/shared_*.html")
	if err != nil {
		return nil, err
	}
	pages := make(map[string]*template.Template, len(names))
	for _, name := range names {
		page, err := shared.Clone()
		if err == nil {
			page, err = page.ParseFS(templateFiles, name)
		}
		if err != nil {
			return nil, err
		}
		pages[strings.TrimSuffix(strings.TrimPrefix(path.Base(name), "page_"), ".html")] = page
	}
	return pages, nil
}
