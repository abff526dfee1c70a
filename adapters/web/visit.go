package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"

	"chalie/adapters/api"
	"chalie/domain"
)

// visit is one request for a page, and its answer.
type visit struct {
	site   *Site
	w      http.ResponseWriter
	r      *http.Request
	params httprouter.Params

	// From the API's latest answer; nil when it had no such header.
	waiting   *int // for the person's approval
	asking    *int // interfaces, for rights
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
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), display-capture=(), geolocation=(), microphone=(self), payment=(), usb=()")
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
	Asking  int  // interfaces, for rights
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
	if v.asking != nil {
		f.Asking = *v.asking
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
	if v.asking != nil {
		v.w.Header().Set(api.AskingHeader, strconv.Itoa(*v.asking))
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

// refusal is the API's refusal. All fields but status and message may be missing.
type refusal struct {
	status     int
	message    string
	code       domain.Code
	field      string        // of the form, that has to be changed
	retryAfter time.Duration // how long to wait before it is worth trying again
}

func (r *refusal) Error() string { return fmt.Sprintf("the API answered %d: %s", r.status, r.message) }

// ask makes a GET request to the API with the page's credentials, and reads the answer. A
// refusal is a *refusal.
func (v *visit) ask(path string, query url.Values, into any) error {
	a, err := v.send(http.MethodGet, path, query, nil)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.refused()
	}
	if err := json.Unmarshal(a.body.Bytes(), into); err != nil {
		return fmt.Errorf("read the answer to %s: %w", path, err)
	}
	return nil
}

// send makes a request of the same peer, with the same cookies. A body is sent as
// JSON; bytes are sent as they are.
func (v *visit) send(method, path string, query url.Values, body any) (*answer, error) {
	r, err := v.request(method, path, query, body)
	if err != nil {
		return nil, err
	}
	a := &answer{header: http.Header{}}
	v.site.cfg.API.ServeHTTP(a, r)
	if n, err := strconv.Atoi(a.header.Get(api.WaitingHeader)); err == nil {
		v.waiting = &n
	}
	if n, err := strconv.Atoi(a.header.Get(api.AskingHeader)); err == nil {
		v.asking = &n
	}
	if n, err := strconv.Atoi(a.header.Get(api.ElsewhereHeader)); err == nil {
		v.elsewhere = &n
	}
	if n, err := strconv.Atoi(a.header.Get(api.ElsewhereOpenHeader)); err == nil {
		v.elsewhereOpen = n
	}
	return a, nil
}

func (v *visit) request(method, path string, query url.Values, body any) (*http.Request, error) {
	var text bytes.Buffer
	if as, ok := body.([]byte); ok {
		text.Write(as)
	} else if body != nil {
		if err := json.NewEncoder(&text).Encode(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(v.r.Context(), method, path, &text)
	if err != nil {
		return nil, err
	}
	r.URL.RawQuery = query.Encode()
	r.RequestURI = r.URL.RequestURI()
	r.Host, r.RemoteAddr, r.TLS = v.r.Host, v.r.RemoteAddr, v.r.TLS
	for name, values := range v.r.Header {
		if !ofThePage(name) {
			r.Header[name] = values
		}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	return r, nil
}

// ofThePage reports whether a header is about the page's own request. The others,
// credentials and proxy headers, are passed to the API.
func ofThePage(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Authorization", "Connection", "Content-Length", "Content-Type", "Idempotency-Key", "Origin", "Range", "Referer", "Upgrade":
		return true
	}
	return strings.HasPrefix(name, "If-") || strings.HasPrefix(name, "Sec-")
}

// answer is the API's response.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

var _ http.ResponseWriter = (*answer)(nil)

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status = status
	}
}

func (a *answer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(text)
}

// refused reads the error that every refusal of the API carries.
func (a *answer) refused() *refusal {
	var said api.Refusal
	if json.Unmarshal(a.body.Bytes(), &said) != nil || said.Error == "" {
		said.Error = http.StatusText(a.status)
	}
	seconds, _ := strconv.Atoi(a.header.Get("Retry-After"))
	return &refusal{a.status, said.Error, said.Code, said.Field, time.Duration(seconds) * time.Second}
}

// work makes a long request to the API. Its lines of progress are passed to the browser
// at once; of the last line, the answer, piece makes a part of the page, which is sent as
// {"html"}. A refusal goes as {"error"}, with the API's status when nothing was sent yet.
// When the browser goes away the work ends.
func (v *visit) work(method, path string, query url.Values, body any, piece func(answer []byte) ([]byte, error)) error {
	r, err := v.request(method, path, query, body)
	if err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "application/x-ndjson")
	p := &passing{v: v, header: http.Header{}, piece: piece}
	v.site.cfg.API.ServeHTTP(p, r)
	return p.end()
}

// someone refuses a visitor without a session, for a page that makes no other request.
func (v *visit) someone() error { return v.ask("/api/account", nil, &struct{}{}) }

// passing reads the API's answer line by line.
type passing struct {
	v      *visit
	header http.Header
	status int
	piece  func([]byte) ([]byte, error)
	rest   []byte // behind the last end of a line
	answer []byte // the line that is no progress
}

var _ http.ResponseWriter = (*passing)(nil)

func (p *passing) Header() http.Header { return p.header }

// Unwrap lets the API set deadlines, and send what was written.
func (p *passing) Unwrap() http.ResponseWriter { return p.v.w }

func (p *passing) WriteHeader(status int) {
	if p.status == 0 && status >= http.StatusOK {
		p.status = status
	}
}

func (p *passing) Write(text []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	p.rest = append(p.rest, text...)
	for p.status == http.StatusOK {
		line, rest, whole := bytes.Cut(p.rest, []byte("\n"))
		if !whole {
			break
		}
		if p.rest = rest; !isProgress(line) {
			p.answer = line
			continue
		}
		if _, err := p.v.w.Write(append(line, '\n')); err != nil {
			return 0, err
		}
	}
	return len(text), nil
}

// isProgress tells a line on the way from the answer behind it.
func isProgress(line []byte) bool {
	var told struct {
		Tail   *uint64 `json:"tail"`
		Trying *string `json:"trying"`
	}
	return json.Unmarshal(line, &told) == nil && (told.Tail != nil || told.Trying != nil)
}

// end sends the last line.
func (p *passing) end() error {
	type said struct {
		HTML  string `json:"html,omitempty"`
		Error string `json:"error,omitempty"`
	}
	text := p.answer
	if text == nil {
		text = p.rest
	}
	if p.status != http.StatusOK {
		refused := (&answer{status: p.status, body: *bytes.NewBuffer(text)}).refused()
		p.v.w.WriteHeader(p.status)
		return json.NewEncoder(p.v.w).Encode(said{Error: sentence(refused.message)})
	}
	var failed struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(text, &failed) == nil && failed.Error != "" {
		return json.NewEncoder(p.v.w).Encode(said{Error: sentence(failed.Error)})
	}
	html, err := p.piece(text)
	if err != nil {
		// The status is already sent, so the error is the last line.
		p.v.site.cfg.Logger.Error("an answer could not be shown", slog.String("path", p.v.r.URL.Path), slog.Any("error", err))
		return json.NewEncoder(p.v.w).Encode(said{Error: "The answer could not be shown. Chalie's own log says why."})
	}
	return json.NewEncoder(p.v.w).Encode(said{HTML: string(html)})
}

// piece fills a part of a page with an answer of the API.
func piece[T any](v *visit, name, part string, text []byte) ([]byte, error) {
	return v.fill(name, part, text, new(T))
}

// fill is piece for what already holds something that the answer doesn't have.
func (v *visit) fill(name, part string, text []byte, into any) ([]byte, error) {
	if err := json.Unmarshal(text, into); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err := v.site.parts[name].ExecuteTemplate(&out, part, into)
	return out.Bytes(), err
}
