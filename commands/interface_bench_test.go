package commands_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// reception is where interfaces come in, over an in-memory log.
type reception struct {
	*bench
	*commands.Interfaces
	roll *roll
	peer *visitor
}

func newReception(t *testing.T) *reception { return anotherReception(newBench(t), newVisitor()) }

// anotherReception is a new one over the bench's log, as after a restart.
func anotherReception(b *bench, peer *visitor) *reception {
	b.t.Helper()
	known := &roll{log: b.log}
	i, err := commands.NewInterfaces(commands.InterfacesConfig{
		Env: b.env(), Book: known, Applied: known, Peer: peer,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return &reception{bench: b, Interfaces: i, roll: known, peer: peer}
}

// key issues a pairing key.
func (r *reception) key() string {
	r.t.Helper()
	issued, err := r.IssueKey(r.t.Context(), ada)
	if err != nil {
		r.t.Fatal(err)
	}
	return issued.Text
}

// pairAt lets an interface in that listens at a port.
func (r *reception) pairAt(name string, port int) commands.Paired {
	r.t.Helper()
	paired, err := r.Pair(r.t.Context(), commands.PairRequest{Key: r.key(), Name: name, Host: "127.0.0.1", Port: port})
	if err != nil {
		r.t.Fatal(err)
	}
	return paired
}

func hospitalRequest(key string) commands.PairRequest {
	return commands.PairRequest{Key: key, Name: "Hospital", Host: "127.0.0.1", Port: 9000, Signals: []string{"bed"}}
}

// types are the records of topic interfaces from a position on.
func (r *reception) types(from domain.Position) []domain.EventType {
	r.t.Helper()
	out := []domain.EventType{}
	for _, rec := range r.records(domain.TopicInterfaces) {
		if rec.Position >= from {
			out = append(out, rec.Envelope.Type)
		}
	}
	return out
}

// refusals are the attempts that the log says were refused.
func (r *reception) refusals() []domain.PairingRefused {
	r.t.Helper()
	var out []domain.PairingRefused
	for _, rec := range r.records(domain.TopicInterfaces) {
		if rec.Envelope.Type != "pairing.refused" {
			continue
		}
		e, err := domain.Decode[domain.PairingRefused](rec.Envelope)
		if err != nil {
			r.t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// secretFree holds that no secret stands in the log, in any part of any record.
func (r *reception) secretFree(secrets ...string) {
	r.t.Helper()
	for _, rec := range r.records(domain.TopicAll) {
		text, err := json.Marshal(rec)
		if err != nil {
			r.t.Fatal(err)
		}
		for _, s := range secrets {
			bare := s[strings.LastIndex(s, "_")+1:]
			if s == "" || strings.Contains(string(text), s) || len(bare) > 20 && strings.Contains(string(text), bare) {
				r.t.Errorf("the secret %q stands in the log: %s", s, text)
			}
		}
	}
}

// roll folds the log when it is asked, unless it is told to lag.
type roll struct {
	log *domaintest.Log

	mu     sync.Mutex
	lag    bool
	broken error // instead of waiting
	next   domain.Position
	state  domain.Registry
}

func (r *roll) Read(fn func(*domain.Registry)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.lag {
		r.fold()
	}
	fn(&r.state)
}

func (r *roll) WaitFor(context.Context, domain.Position) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return r.broken
	}
	r.fold()
	return nil
}

func (r *roll) fold() {
	records, err := r.log.Select(context.Background(), domain.Selector{}, r.next, 1<<20)
	for _, rec := range records {
		err = errors.Join(err, r.state.Evolve(rec))
		r.next = rec.Position + 1
	}
	if err != nil {
		panic(err)
	}
}

// hold folds everything so far, and then nothing unless somebody waits for it.
func (r *roll) hold() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fold()
	r.lag = true
}

// visitor is a program that answers as it was told.
type visitor struct {
	mu     sync.Mutex
	asked  []string
	before func(step string) error // a failure instead of an answer
	tools  []domain.Tool
	meta   *commands.PeerMeta
}

var _ commands.Peer = (*visitor)(nil)

func newVisitor() *visitor {
	return &visitor{
		tools: []domain.Tool{{Name: "book"}, {Name: "cancel"}},
		meta: &commands.PeerMeta{Version: "1.2", Description: "a portal", Author: "somebody",
			Scopes: domain.Scopes{Signals: map[string]string{"ward": "news"}}, Raw: json.RawMessage(`{"version":"1.2"}`)},
	}
}

func (v *visitor) ask(step string) error {
	v.mu.Lock()
	v.asked = append(v.asked, step)
	before := v.before
	v.mu.Unlock()
	if before == nil {
		return nil
	}
	return before(step)
}

// told makes the visitor answer otherwise.
func (v *visitor) told(change func(*visitor)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change(v)
}

func (v *visitor) Health(context.Context, commands.Endpoint) (commands.PeerHealth, error) {
	return commands.PeerHealth{Name: "visitor", Version: "1.0"}, v.ask("health")
}

func (v *visitor) Capabilities(context.Context, commands.Endpoint) ([]domain.Tool, error) {
	err := v.ask("capabilities")
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.tools, err
}

func (v *visitor) Meta(context.Context, commands.Endpoint) (*commands.PeerMeta, error) {
	err := v.ask("meta")
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.meta, err
}

func (v *visitor) Execute(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
	return commands.Result{}, v.ask("execute")
}

func (v *visitor) Render(context.Context, commands.Endpoint) (commands.Rendering, error) {
	return commands.Rendering{}, v.ask("render")
}

func (v *visitor) Pass(context.Context, commands.Endpoint, []byte, string) (commands.Rendering, error) {
	return commands.Rendering{}, v.ask("pass")
}

func peerFailed(code domain.Code) error {
	return &domain.Error{Op: "ask", Category: domain.Dependency, Code: code, Message: "the interface did " + string(code)}
}

// logFailed is an append that failed.
func logFailed(code domain.Code) error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: code, Retriable: true, Message: "the log said " + string(code)}
}
