package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// refusal is what the API answered instead of what was asked for.
type refusal struct {
	status  int
	message string
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
// JSON.
func (v *visit) send(method, path string, query url.Values, body any) (*answer, error) {
	var text bytes.Buffer
	if body != nil {
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
	for _, name := range []string{"Cookie", "User-Agent", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "X-Real-Ip"} {
		if values := v.r.Header.Values(name); len(values) > 0 {
			r.Header[name] = values
		}
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	a := &answer{header: http.Header{}}
	v.site.cfg.API.ServeHTTP(a, r)
	return a, nil
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
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(a.body.Bytes(), &said) != nil || said.Error == "" {
		said.Error = http.StatusText(a.status)
	}
	return &refusal{a.status, said.Error}
}
