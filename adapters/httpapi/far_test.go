package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"chalie/commands"
	"chalie/commands/pairing"
	"chalie/commands/signal"
	"chalie/domain"
	"chalie/projections"
)

// connect builds what speaks with interfaces. The monitor doesn't run: it only
// remembers who was heard.
func (b *bench) connect(partners *projections.InMemory[domain.Registry], applied commands.Barrier) {
	b.t.Helper()
	known, err := pairing.New(pairing.Config{
		Env: b.env(), Book: partners, Applied: applied, Peer: b.far,
	})
	b.must(err)
	monitor, err := pairing.NewMonitor(pairing.MonitorConfig{
		Env: b.env(), Book: partners, Applied: applied, Peer: b.far, Refresher: known,
	})
	b.must(err)
	streams, err := signal.NewStreams(signal.StreamsConfig{Env: b.env(), Book: partners, Applied: applied})
	b.must(err)
	b.cfg.Interfaces, b.cfg.Presence, b.cfg.Streams, b.cfg.Peer = known, monitor, streams, b.far
}

// far is every interface there is: what it says of itself, and what it answers.
type far struct {
	mu     sync.Mutex
	tools  []domain.Tool
	meta   *commands.PeerMeta
	result commands.Result
	shown  commands.Rendering
	fail   error // of the next calls
	room   int64 // that the next answers ask for

	intake commands.Intake // of the last one

	calls  []commands.Call
	passed []string
	at     commands.Endpoint // the last one spoken to
}

var _ commands.Peer = (*far)(nil)

func newFar() *far {
	return &far{
		tools: []domain.Tool{{
			Name: "cancel_appointment", Description: "Cancels an appointment.",
			Parameters: []domain.Parameter{{Name: "id", Type: domain.TypeString, Required: true, Description: "which"}},
		}},
		meta: &commands.PeerMeta{
			Version: "2.0", Description: "A hospital.", Author: "Clinic", Raw: json.RawMessage(`{"version":"2.0"}`),
			Scopes: domain.Scopes{Signals: map[string]string{"emergency": "news from the wards"}},
		},
		result: commands.Result{Text: new("cancelled")},
		shown:  commands.Rendering{MediaType: "application/json", Body: []byte(`{"blocks":[{"type":"divider"}],"title":"x"}`)},
	}
}

// set changes what it does from now on.
func (f *far) set(change func(*far)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

func (f *far) Health(_ context.Context, at commands.Endpoint) (commands.PeerHealth, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	return commands.PeerHealth{Name: "hospital", Version: "2.0"}, f.fail
}

func (f *far) Capabilities(context.Context, commands.Endpoint) ([]domain.Tool, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tools, f.fail
}

func (f *far) Meta(context.Context, commands.Endpoint) (*commands.PeerMeta, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.meta, f.fail
}

func (f *far) Execute(_ context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at, f.calls = at, append(f.calls, call)
	return f.result, f.fail
}

func (f *far) Render(ctx context.Context, at commands.Endpoint) (commands.Rendering, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
	if err := f.takes(ctx); err != nil {
		return commands.Rendering{}, err
	}
	return f.shown, f.fail
}

// takes asks for the room that the next answer takes.
func (f *far) takes(ctx context.Context) error {
	f.intake = commands.IntakeOf(ctx)
	if f.room == 0 {
		return nil
	}
	return f.intake.Take(f.room)
}

func (f *far) Pass(ctx context.Context, at commands.Endpoint, body []byte, _ string) (commands.Rendering, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, bounded := ctx.Deadline(); !bounded {
		return commands.Rendering{}, errors.New("the call may last for ever")
	}
	f.at, f.passed = at, append(f.passed, string(body))
	if err := f.takes(ctx); err != nil {
		return commands.Rendering{}, err
	}
	return f.shown, f.fail
}

// away is how a call fails when nothing is there.
func away(code domain.Code) error {
	return &domain.Error{Op: "call interface", Category: domain.Dependency, Code: code, Retriable: true,
		Message: "the interface at 127.0.0.1:9001 could not be reached: is it running?"}
}

// paired is an interface that came with a key.
func (b *bench) paired(name string, port int, signals string) (id, token string) {
	b.t.Helper()
	var key struct {
		PairingKey string `json:"pairing_key"`
	}
	b.socket("POST", "/api/interfaces/pairing-key", "").wants(200).read(&key)
	body, err := json.Marshal(map[string]any{"pairing_key": key.PairingKey, "name": name, "host": "127.0.0.1", "port": port, "signals": json.RawMessage(signals)})
	b.must(err)
	var out struct {
		InterfaceID string `json:"interface_id"`
		SignalToken string `json:"signal_token"`
	}
	b.call("POST", "/api/interfaces/pair", string(body)).wants(201).read(&out)
	return out.InterfaceID, out.SignalToken
}

// portal is what a daemon registers with.
const portal = `{"name":"Portal","version":"1.0.0","description":"A portal","author":"","port":9001,"scopes":{` +
	`"context":{"location":"to find the way","timezone":"t","device":"d","energy":"e","attention":"a"},` +
	`"signals":{"weather_forecast":"rain","context_update":"where you are"},"messages":{"health":"your appointments"}}}`

// registered is a daemon of which some scopes are approved.
func (b *bench) registered(approved string) (id string) {
	b.t.Helper()
	var out struct {
		InterfaceID string `json:"interface_id"`
	}
	b.call("POST", "/register", portal, fromHere).wants(201).read(&out)
	if approved != "" {
		b.socket("PUT", "/api/apps/"+out.InterfaceID+"/scopes", `{"approved_scopes":`+approved+`}`).wants(200)
	}
	return out.InterfaceID
}
