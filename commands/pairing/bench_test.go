package pairing_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/pairing"
	"chalie/domain"
)

// reception is where interfaces come in, over an in-memory log.
type reception struct {
	*commandstest.Bench
	*pairing.Interfaces
	roll *commandstest.Roll
	peer *visitor
}

func newReception(t *testing.T) *reception {
	return anotherReception(commandstest.NewBench(t), newVisitor())
}

// anotherReception is a new one over the bench's log, as after a restart.
func anotherReception(b *commandstest.Bench, peer *visitor) *reception {
	b.T.Helper()
	known := &commandstest.Roll{Log: b.Log}
	i, err := pairing.New(pairing.Config{
		Env: b.Env(), Book: known, Applied: known, Peer: peer,
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return &reception{Bench: b, Interfaces: i, roll: known, peer: peer}
}

// key issues a pairing key.
func (r *reception) key() string {
	r.T.Helper()
	issued, err := r.IssueKey(r.T.Context(), commandstest.Ada)
	if err != nil {
		r.T.Fatal(err)
	}
	return issued.Text
}

// pairAt lets an interface in that listens at a port.
func (r *reception) pairAt(name string, port int) pairing.Paired {
	r.T.Helper()
	paired, err := r.Pair(r.T.Context(), pairing.PairRequest{Key: r.key(), Name: name, Host: "127.0.0.1", Port: port})
	if err != nil {
		r.T.Fatal(err)
	}
	return paired
}

func hospitalRequest(key string) pairing.PairRequest {
	return pairing.PairRequest{Key: key, Name: "Hospital", Host: "127.0.0.1", Port: 9000, Signals: []string{"bed"}}
}

// types are the records of topic interfaces from a position on.
func (r *reception) types(from domain.Position) []domain.EventType {
	r.T.Helper()
	out := []domain.EventType{}
	for _, rec := range r.Records(domain.TopicInterfaces) {
		if rec.Position >= from {
			out = append(out, rec.Envelope.Type)
		}
	}
	return out
}

// refusals are the attempts that the log says were refused.
func (r *reception) refusals() []domain.PairingRefused {
	r.T.Helper()
	var out []domain.PairingRefused
	for _, rec := range r.Records(domain.TopicInterfaces) {
		if rec.Envelope.Type != "pairing.refused" {
			continue
		}
		e, err := domain.Decode[domain.PairingRefused](rec.Envelope)
		if err != nil {
			r.T.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// secretFree holds that no secret stands in the log, in any part of any record.
func (r *reception) secretFree(secrets ...string) {
	r.T.Helper()
	for _, rec := range r.Records(domain.TopicAll) {
		text, err := json.Marshal(rec)
		if err != nil {
			r.T.Fatal(err)
		}
		for _, s := range secrets {
			bare := s[strings.LastIndex(s, "_")+1:]
			if s == "" || strings.Contains(string(text), s) || len(bare) > 20 && strings.Contains(string(text), bare) {
				r.T.Errorf("the secret %q stands in the log: %s", s, text)
			}
		}
	}
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
