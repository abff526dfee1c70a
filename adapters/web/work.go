package web

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
)

// work has the API do what may take long. Its lines of progress go on to the browser as
// they come; of the last line, the answer, piece makes a part of the page, which goes as
// {"html"}. A refusal goes as {"error"}, with the API's status when nothing was sent
// yet. When the browser goes away the work ends.
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

// someone refuses who isn't logged in, for a page that asks the API for nothing while it
// is made.
func (v *visit) someone() error { return v.ask("/api/account", nil, &struct{}{}) }

// passing takes the API's answer line by line.
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

// end sends what came of it.
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
		// What was sent can't be taken back: the reason goes behind it.
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
