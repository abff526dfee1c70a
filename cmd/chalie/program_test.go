package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/apiclient"
	"chalie/adapters/httpapi/openapi/openapitest"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// program is an interface in this process: it answers as one should, or as a
// test tells it to.
type program struct {
	t     *testing.T
	name  string
	port  int
	close func()              // stops listening; listen may be called again
	watch func(*http.Request) // sees every request first; nil for nobody

	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by path
	asked   map[string]int              // by path
}

// startProgram listens on loopback, until the test ends.
func startProgram(t *testing.T, name string) *program {
	t.Helper()
	p := newProgram(t, name)
	p.listen("127.0.0.1:0")
	return p
}

// newProgram doesn't listen yet.
func newProgram(t *testing.T, name string) *program {
	return &program{t: t, name: name, asked: map[string]int{}, answers: map[string]http.HandlerFunc{
		"/health":       saying(`{"status":"ok","name":"` + name + `","version":"1.0.0"}`),
		"/capabilities": saying(countingTool),
		"/execute":      saying(`{"text":"done","data":{"left":2},"error":null}`),
		"/":             saying(`{"blocks":[{"type":"text","content":"hello"}]}`),
	}}
}

// countingTool is what programs offer unless they are told otherwise.
const countingTool = `[{"name":"count","description":"Counts","parameters":[{"name":"to","type":"integer","required":false,"description":"how far"}]}]`

func (p *program) listen(address string) {
	p.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(p.t.Context(), "tcp", address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.port = listener.Addr().(*net.TCPAddr).Port
	server := &http.Server{Handler: p}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			p.t.Error(err)
		}
	}()
	p.close = func() {
		_ = server.Close() // also closes what is being answered
		<-ended
	}
	p.t.Cleanup(p.close)
}

// ServeHTTP counts, and answers as it was told. What it wasn't told about isn't
// there.
func (p *program) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p.watch != nil {
		p.watch(r)
	}
	p.mu.Lock()
	p.asked[r.URL.Path]++
	answer := p.answers[r.URL.Path]
	p.mu.Unlock()
	if answer == nil {
		http.NotFound(w, r)
		return
	}
	answer(w, r)
}

// on says how a path is answered from now on.
func (p *program) on(path string, answer http.HandlerFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers[path] = answer
}

// times is how often a path was asked for.
func (p *program) times(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// requests is how often it was asked for anything.
func (p *program) requests() (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, times := range p.asked {
		n += times
	}
	return n
}

func saying(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, text)
	}
}

// hanging tells that it was asked, and never answers.
func hanging() (answer http.HandlerFunc, asked chan struct{}) {
	asked = make(chan struct{}, 64)
	return func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // that the peer goes away shows behind the body
		asked <- struct{}{}
		<-r.Context().Done()
	}, asked
}

// pairing is the body of a request to pair.
func (p *program) pairing(key string) string {
	return fmt.Sprintf(`{"pairing_key":%q,"name":%q,"host":"127.0.0.1","port":%d,"signals":["news"]}`, key, p.name, p.port)
}

// paired is the answer to one that paired.
type paired struct {
	ID           domain.ID `json:"interface_id"`
	Token        string    `json:"signal_token"`
	Status       string    `json:"status"`
	Capabilities []string  `json:"capabilities"`
}

// pair lets a program in with a new key.
func (v *victim) pair(p *program) paired {
	v.t.Helper()
	return read[paired](v.t, v.wants(http.StatusCreated, http.MethodPost, "/api/interfaces/pair", p.pairing(v.pairingKey())))
}

func (v *victim) pairingKey() string {
	v.t.Helper()
	object, err := v.api.PairingKey(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	key, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	return key.Key
}

// read is an answer as JSON.
func read[T any](t testing.TB, text string) (out T) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

// overSocket is the operator's client, whose every answer is held to the contract.
func overSocket(t testing.TB, data string) *http.Client {
	client := unixsocket.Client(data)
	client.Transport = openapitest.Transport(t, client.Transport)
	return client
}

// ask sends a request over the network, or as the operator over the socket when
// the path says "socket:". Headers are "Name: value".
func (v *victim) ask(method, path, body string, headers ...string) (status int, answer string, err error) {
	client := &http.Client{Transport: openapitest.Transport(v.t, &http.Transport{DisableKeepAlives: true})}
	target, trusted := strings.CutPrefix(path, "socket:")
	switch {
	case trusted:
		client, target = overSocket(v.t, v.data), unixsocket.BaseURL+target
		defer client.CloseIdleConnections()
	case strings.HasPrefix(path, "/"):
		target = v.address + path
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
		if name == "Host" {
			req.Host = value
		}
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, strings.TrimSpace(string(text)), err
}

// wants asks, and expects a status.
func (v *victim) wants(status int, method, path, body string, headers ...string) string {
	v.t.Helper()
	got, answer, err := v.ask(method, path, body, headers...)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	if got != status {
		v.t.Fatalf("%s %s %.200s was answered %d %s, want %d", method, path, body, got, answer, status)
	}
	return answer
}

// signalled sends a signal with a token and returns the status.
func (v *victim) signalled(token, content string) int {
	v.t.Helper()
	status, _, err := v.ask(http.MethodPost, "/api/signals", fmt.Sprintf(`{"signal_type":"news","content":%q}`, content), "Authorization: Bearer "+token)
	if err != nil {
		v.t.Fatal(err)
	}
	return status
}

// offered are the names of the tools of interfaces that can be invoked now.
func (v *victim) offered() (names []string) {
	v.t.Helper()
	tools, err := v.api.Tools(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	for _, object := range tools {
		tool, err := object.Value()
		if err != nil {
			v.t.Fatal(err)
		}
		if tool.InterfaceID != nil { // what Chalie itself can do is always there
			names = append(names, tool.Name)
		}
	}
	return names
}

// awaits returns the records of a type once there are so many.
func (v *victim) awaits(event domain.EventType, n int) (found []domain.Record) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	from := domain.Position(1)
	for len(found) < n {
		page, err := v.api.Log(ctx, apiclient.LogQuery{Type: string(event), From: from, Wait: patience / 6})
		if err != nil {
			v.t.Fatalf("there are %d %s, want %d: %v", len(found), event, n, err)
		}
		for _, object := range page.Records {
			rec, err := object.Value()
			if err != nil {
				v.t.Fatal(err)
			}
			found = append(found, rec)
		}
		from = page.Next
	}
	return found
}

// decode reads an envelope's payload.
func decode[P any](t testing.TB, e domain.Envelope) P {
	t.Helper()
	p, err := domain.Decode[P](e)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// types are those of a topic's records, in order.
func (v *victim) types(topic domain.Topic) (types []domain.EventType) {
	v.t.Helper()
	for _, rec := range v.records() {
		if rec.Topic == topic {
			types = append(types, rec.Envelope.Type)
		}
	}
	return types
}

// chalie runs a command line on the victim's data and returns what it prints.
func (v *victim) chalie(args ...string) string {
	v.t.Helper()
	cmd := exec.CommandContext(v.t.Context(), "chalie", append(args, "--data", v.data)...)
	cmd.Env = v.cmd.Env
	out, err := cmd.CombinedOutput()
	if err != nil {
		v.t.Fatalf("chalie %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
