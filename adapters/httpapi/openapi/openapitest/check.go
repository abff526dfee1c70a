// Package openapitest holds answers to the contract's document. Wrap a handler with
// Checked, and each answer with a status, a media type or a field that the document
// doesn't declare fails the test, refusals included. Transport does so for who asks a
// program.
//
// What stands between the handler and its client passes through as it is; the check is
// made when the handler has returned. Answers longer than a mebibyte are held to their
// status and media type alone.
package openapitest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"chalie/adapters/api"
	"chalie/adapters/httpapi/openapi"
)

// longest is how much of an answer is read.
const longest = 1 << 20

// contract is the document with its schemas made ready.
type contract struct {
	routes  []api.Route
	paths   map[string]map[string]operation
	schemas *jsonschema.Compiler

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

type operation struct {
	Responses map[string]struct {
		Content map[string]json.RawMessage
		Ref     string `json:"$ref"`
	}
}

const where = "https://chalie.test/openapi.json"

var ready = sync.OnceValues(func() (*contract, error) {
	text, err := openapi.Document(api.Routes(), "test")
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	closed(document)
	c := &contract{routes: api.Routes(), schemas: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	c.schemas.AssertFormat()
	if err := c.schemas.AddResource(where, document); err != nil {
		return nil, err
	}
	var parts struct {
		Paths map[string]map[string]operation
	}
	err = json.Unmarshal(text, &parts)
	c.paths = parts.Paths
	return c, err
})

// closed makes a field that no shape has a mistake. To clients the document says nothing
// of the kind: a later version may have more.
func closed(document any) {
	switch d := document.(type) {
	case map[string]any:
		if _, ok := d["properties"]; ok && d["type"] == "object" && d["additionalProperties"] == nil {
			d["additionalProperties"] = false
		}
		for _, part := range d {
			closed(part)
		}
	case []any:
		for _, part := range d {
			closed(part)
		}
	}
}

// Checked is a handler whose every answer is held to the document.
func Checked(t testing.TB, next http.Handler) http.Handler {
	c, err := ready()
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method, path := r.Method, r.URL.EscapedPath()
		seen := &copied{ResponseWriter: w}
		next.ServeHTTP(seen, r)
		seen.header = w.Header()
		if fault := c.fault(method, path, &seen.answer); fault != "" {
			t.Errorf("%s %s: %s", method, path, fault)
		}
	})
}

// Transport is for clients of a program: it holds every answer of next that is a route's to
// the document, those of pages not. Of an answer that isn't read to its end the status and
// media type alone are.
func Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	c, err := ready()
	if err != nil {
		t.Fatal(err)
	}
	return transport{t, c, next}
}

type transport struct {
	t    testing.TB
	c    *contract
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (h transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := h.next.RoundTrip(r)
	if err != nil || resp.StatusCode == http.StatusSwitchingProtocols {
		return resp, err
	}
	if _, ours := h.c.route(r.Method, r.URL.EscapedPath()); !ours {
		return resp, nil
	}
	resp.Body = &readAnswer{ReadCloser: resp.Body, of: h, method: r.Method, path: r.URL.EscapedPath(),
		answer: answer{status: resp.StatusCode, header: resp.Header, cut: true}}
	return resp, nil
}

// CloseIdleConnections is what http.Client looks for.
func (h transport) CloseIdleConnections() {
	if c, ok := h.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// readAnswer keeps a copy of what is read of an answer, and checks it when it is closed.
type readAnswer struct {
	io.ReadCloser
	answer
	of           transport
	method, path string
	over         bool // the copy would be longer than it may
	once         sync.Once
}

// Read implements io.Reader.
func (a *readAnswer) Read(p []byte) (int, error) {
	n, err := a.ReadCloser.Read(p)
	a.over = a.over || a.body.Len()+n > longest
	if !a.over {
		a.body.Write(p[:n])
	}
	if errors.Is(err, io.EOF) {
		a.cut = a.over
	}
	return n, err
}

// Close implements io.Closer.
func (a *readAnswer) Close() error {
	a.once.Do(func() {
		if a.cut && a.body.Len() == 0 {
			return // nobody looked at it
		}
		if fault := a.of.c.fault(a.method, a.path, &a.answer); fault != "" {
			a.of.t.Errorf("%s %s: %s", a.method, a.path, fault)
		}
	})
	return a.ReadCloser.Close()
}

// fault is what is wrong with an answer, or "".
func (c *contract) fault(method, path string, seen *answer) string {
	if seen.taken {
		return ""
	}
	head := method == http.MethodHead
	if head {
		method = http.MethodGet
	}
	route, ok := c.route(method, path)
	if seen.status == 0 {
		if route.Name == "socket" { // a test's own, which writes nothing
			return ""
		}
		seen.status = http.StatusOK
	}
	if seen.status == http.StatusMethodNotAllowed && head {
		return ""
	}
	if !ok {
		if seen.status == http.StatusOK && method == http.MethodOptions {
			return ""
		}
		return c.mismatch("/components/responses/Refusal/content/application~1json/schema", seen.body.Bytes())
	}
	response, ok := c.paths[route.Path][strings.ToLower(method)].Responses[fmt.Sprint(seen.status)]
	if !ok {
		return fmt.Sprintf("status %d is not declared: %.300s", seen.status, seen.body.String())
	}
	if head || seen.body.Len() == 0 && response.Ref == "" {
		return ""
	}
	media, _, err := mime.ParseMediaType(seen.header.Get("Content-Type"))
	if err != nil {
		return fmt.Sprintf("Content-Type is %q: %v", seen.header.Get("Content-Type"), err)
	}
	at := "/paths/" + escaped(route.Path) + "/" + strings.ToLower(method) + fmt.Sprintf("/responses/%d", seen.status)
	declared, ok := response.Content[media]
	if response.Ref != "" {
		at, ok, declared = strings.TrimPrefix(response.Ref, "#"), media == "application/json", json.RawMessage(`{"schema":`)
	}
	switch {
	case !ok:
		return fmt.Sprintf("status %d with %s is not declared", seen.status, media)
	case !bytes.Contains(declared, []byte(`"schema":`)) || bytes.Contains(declared, []byte(`"schema":{}`)) || seen.cut:
		return ""
	}
	at += "/content/" + escaped(media) + "/schema"
	if media != "application/x-ndjson" {
		return c.mismatch(at, seen.body.Bytes())
	}
	for line := range bytes.Lines(seen.body.Bytes()) {
		if fault := c.mismatch(at, line); fault != "" {
			return fault
		}
	}
	return ""
}

// route is the one that serves a path, a fixed one before a pattern.
func (c *contract) route(method, path string) (found api.Route, ok bool) {
	parts := strings.Split(path, "/")
	for _, r := range c.routes {
		if r.Method != method {
			continue
		}
		if r.Path == path {
			return r, true
		}
		pattern := strings.Split(r.Path, "/")
		fits := len(pattern) == len(parts)
		for i := 0; fits && i < len(parts); i++ {
			fits = pattern[i] == parts[i] || strings.HasPrefix(pattern[i], "{") && parts[i] != ""
		}
		if fits && !c.fixed(path) {
			found, ok = r, true
		}
	}
	return found, ok
}

// fixed reports whether a path is that of a route by any method.
func (c *contract) fixed(path string) bool {
	return c.paths[path] != nil
}

func escaped(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

// mismatch holds a JSON text to a schema of the document.
func (c *contract) mismatch(at string, text []byte) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	schema := c.compiled[at]
	if schema == nil {
		var err error
		if schema, err = c.schemas.Compile(where + "#" + at); err != nil {
			return err.Error()
		}
		c.compiled[at] = schema
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		return fmt.Sprintf("%v\nin %.600s", err, text)
	}
	return ""
}

// answer is one that is checked.
type answer struct {
	status int
	header http.Header
	body   bytes.Buffer // a copy
	cut    bool         // the copy isn't whole
	taken  bool         // the connection is no answer's any more
}

// copied passes an answer on, and keeps a copy.
type copied struct {
	http.ResponseWriter
	answer
}

// Unwrap lets a http.ResponseController reach what is below.
func (c *copied) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Hijack implements http.Hijacker.
func (c *copied) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(c.ResponseWriter).Hijack()
	c.taken = err == nil
	return conn, buffered, err
}

// WriteHeader implements http.ResponseWriter.
func (c *copied) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *copied) Write(text []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	if c.body.Len()+len(text) > longest {
		c.cut = true
	} else if !c.cut {
		c.body.Write(text)
	}
	return c.ResponseWriter.Write(text)
}
