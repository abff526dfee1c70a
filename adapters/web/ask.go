package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// refusal is what the API answered instead of what was asked for. Beside status and
// message the rest may be missing.
type refusal struct {
	status     int
	message    string
	code       domain.Code
	field      string        // of the form, that has to be changed
	retryAfter time.Duration // how long to wait before it is worth trying again
}

func (r *refusal) Error() string { return fmt.Sprintf("the API answered %d: %s", r.status, r.message) }

// ask has the API answer a GET of the same person, and reads the answer. The
// error is a *refusal when it said no.
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

// ofThePage reports whether a header is about the page's own request. The others say
// who asks and what stands between, which the API judges by.
func ofThePage(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Authorization", "Connection", "Content-Length", "Content-Type", "Idempotency-Key", "Origin", "Range", "Referer", "Upgrade":
		return true
	}
	return strings.HasPrefix(name, "If-") || strings.HasPrefix(name, "Sec-")
}

// answer is what the API writes.
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
