package web

import (
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"rsc.io/qr"
)

// Encryption is what the pages tell about TLS.
type Encryption struct {
	// Root is the certificate of Chalie's own authority in DER, to be installed on other
	// devices; nil when the server's certificate is from somewhere else.
	Root        []byte
	Media       string // its media type
	Name        string // as phones list it
	Fingerprint string // as phones show it
	// Reached are the hosts with their ports under which other devices may reach Chalie,
	// the likeliest first; none when it listens to this machine alone.
	Reached func() []string
}

// The page about phones, and what it has to download: both need no login, and are served
// without TLS, too, because a phone doesn't trust the authority before.
const (
	phonePath       = "/phone"
	certificatePath = "/phone/chalie.crt"
)

// phonePage is the steps by which a phone comes to trust Chalie.
type phonePage struct {
	settingUp

	TLS    bool
	Own    bool     // by an authority of Chalie's own
	Here   bool     // it is read on Chalie's machine, and not on the phone
	At     string   // the host and port for the phone; "" when it can't reach Chalie
	Others []string // further ones
	Name   string
	Print  string
	Code   template.HTML // leads to this page on the phone
}

// phone is GET /phone.
func (v *visit) phone() error {
	page := phonePage{Here: isLoopback(v.r.Host)}
	if err := v.ask("/auth/setup", nil, &page.settingUp); err != nil {
		return err
	}
	page.At = v.r.Host
	if t := v.site.cfg.TLS; t != nil {
		page.TLS, page.Own, page.Name, page.Print = true, t.Root != nil, t.Name, t.Fingerprint
		if page.Here {
			page.At = ""
			if all := t.Reached(); len(all) > 0 {
				page.At, page.Others = all[0], all[1:]
			}
		}
		var err error
		if page.At != "" && page.Here {
			page.Code, err = quickResponse("http://" + page.At + phonePath)
		}
		if err != nil {
			return err
		}
	}
	return v.show(http.StatusOK, "phone", frame{Title: "On a phone", Bare: true, Page: page})
}

// Path leads to a page of Chalie's on the phone.
func (p phonePage) Path(path string) template.URL {
	return template.URL((&url.URL{Scheme: "https", Host: p.At, Path: path}).String()) //nolint:gosec // it is escaped
}

// certificate is GET /phone/chalie.crt. It has no Content-Disposition: an iPhone would
// keep a file, and offer no installation.
func (v *visit) certificate() error {
	t := v.site.cfg.TLS
	if t == nil || t.Root == nil {
		return &refusal{status: http.StatusNotFound, message: "Chalie has no authority of its own here: start it with chalie serve --tls."}
	}
	v.w.Header().Set("Content-Type", t.Media)
	_, _ = v.w.Write(t.Root)
	return nil
}

// Unencrypted serves what came without TLS from another machine: the steps by which it
// comes to trust Chalie. Nothing else is answered, so no password and no token is asked
// for there; a followed link leads to the same place under https.
func (s *Site) Unencrypted() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reading := r.Method == http.MethodGet || r.Method == http.MethodHead
		switch path := r.URL.Path; {
		case reading && (path == phonePath || path == certificatePath || strings.HasPrefix(path, "/assets/")):
			s.router.ServeHTTP(w, r)
		case navigates(r) && path == "/":
			http.Redirect(w, r, phonePath, http.StatusSeeOther)
		case navigates(r) && r.Host != "":
			to := url.URL{Scheme: "https", Host: r.Host, Path: r.URL.Path, RawPath: r.URL.RawPath, RawQuery: r.URL.RawQuery}
			http.Redirect(w, r, to.String(), http.StatusTemporaryRedirect)
		default:
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Connection", "close")
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprintf(w, `{"error":"Chalie speaks to other machines over TLS alone: use https, with the authority's certificate that GET %s has","code":%q}`+"\n", certificatePath, codeTLSNeeded)
		}
	})
}

// codeTLSNeeded is the refusal of a program that came without TLS.
const codeTLSNeeded = "tls_needed"

// isLoopback reports whether a Host header is that of a browser on Chalie's own machine.
func isLoopback(hostport string) bool {
	host := hostport
	if name, _, err := net.SplitHostPort(hostport); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

// quickResponse draws a QR code of an address: dark on light, whatever the page's colours,
// or a camera doesn't find it.
func quickResponse(text string) (template.HTML, error) {
	code, err := qr.Encode(text, qr.M)
	if err != nil {
		return "", fmt.Errorf("draw the code of %s: %w", text, err)
	}
	const margin = 4 // of light around it, as the standard asks
	var dark strings.Builder
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&dark, "M%d %dh1v1h-1z", x+margin, y+margin)
			}
		}
	}
	size := code.Size + 2*margin
	return template.HTML(fmt.Sprintf(`<svg class="code" role="img" aria-label='A QR code that leads to %s' viewBox="0 0 %d %d" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h%dv%dH0z"/><path fill="#000" d='%s'/></svg>`, //nolint:gosec // what is put in is escaped
		template.HTMLEscapeString(text), size, size, size, size, dark.String())), nil
}
