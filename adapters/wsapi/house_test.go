package wsapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"

	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections/catchup"
)

// house is a hub with a log, a buffer that follows it, and someone to talk to.
type house struct {
	log   *memlog.Log
	clock *domaintest.Clock
	ids   *domaintest.IDs
	*catchup.Projection
	hub  *Hub
	stop context.CancelFunc
	done chan error

	gone   atomic.Bool // the session of everyone is over
	mu     sync.Mutex  // appending and applying are one step
	heard  []any       // what was said, in order
	refuse error       // of everything said
}

// newHouse runs a hub until the test ends.
func newHouse(t testing.TB, change ...func(*Config)) *house {
	t.Helper()
	h := idleHouse(t, change...)
	h.run(t)
	return h
}

// idleHouse has a hub that doesn't run.
func idleHouse(t testing.TB, change ...func(*Config)) *house {
	t.Helper()
	clock := domaintest.NewClock()
	h := &house{log: memlog.New(clock), clock: clock, ids: domaintest.NewIDs(clock, 1), Projection: catchup.New(catchup.Frames, catchup.Size)}
	cfg := Config{Buffer: h, Reader: h.log, Tail: h.log, Speaks: &Chat{Talk: h, Tokens: wax{}, Reader: h.log}, Logger: slog.New(slog.DiscardHandler),
		Ready: func(context.Context) error { return nil }}
	for _, c := range change {
		c(&cfg)
	}
	hub, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	h.hub = hub
	return h
}

func (h *house) run(t testing.TB) {
	h.start()
	t.Cleanup(func() {
		if err := h.shut(); err != nil {
			t.Errorf("Run returned %v", err)
		}
	})
}

func (h *house) start() {
	ctx, stop := context.WithCancel(context.Background())
	h.stop, h.done = stop, make(chan error, 1)
	go func() { h.done <- h.hub.Run(ctx) }()
}

// shut stops the hub and returns what Run did, once; nil after that.
func (h *house) shut() error {
	h.stop()
	err, ok := <-h.done
	if ok {
		close(h.done)
	}
	return err
}

// add appends one payload and applies it to the buffer.
func (h *house) add(t testing.TB, lin domain.Lineage, payload func(domain.Lineage, domain.ID) (domain.Entry, error)) domain.Envelope {
	t.Helper()
	e, err := h.append(lin, payload)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (h *house) append(lin domain.Lineage, payload func(domain.Lineage, domain.ID) (domain.Entry, error)) (domain.Envelope, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	entry, err := payload(lin, h.ids.NewID())
	if err != nil {
		return domain.Envelope{}, err
	}
	ctx := context.Background()
	receipt, err := h.log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		return domain.Envelope{}, err
	}
	records, err := h.log.Select(ctx, domain.Selector{}, receipt.Positions[0], 1)
	if err != nil {
		return domain.Envelope{}, err
	}
	return entry.Envelope, h.Apply(records[0])
}

func of[P any](payload P) func(domain.Lineage, domain.ID) (domain.Entry, error) {
	return func(lin domain.Lineage, id domain.ID) (domain.Entry, error) {
		return domain.New(lin, id, id.Millis(), "test", payload)
	}
}

func (h *house) begin(who domain.Principal) domain.Lineage {
	return domain.Begin(h.ids.NewTrace(), who)
}

// status appends a record with one frame.
func (h *house) status(t testing.TB) domain.Seq {
	t.Helper()
	h.add(t, h.begin(domain.PrincipalOperator), of(domain.MessageReceived{Text: "hello", Source: "text", ImageIDs: []domain.ID{}}))
	return domain.SeqOf(h.log.Tail(), 0)
}

// quiet appends a record without frames.
func (h *house) quiet(t testing.TB) {
	t.Helper()
	h.add(t, h.begin("meteo"), of(domain.SignalReceived{SignalType: "rain", Content: "rain", ActivationEnergy: 0.4, Source: "meteo"}))
}

// exchange appends a whole answer: four frames of three records among five.
func (h *house) exchange(t testing.TB, answer string) {
	t.Helper()
	first := h.add(t, h.begin(domain.PrincipalOperator), of(domain.MessageReceived{Text: "hello", Source: "text", ImageIDs: []domain.ID{}}))
	h.answer(t, first, domain.ShownMessage, answer)
}

// answer appends what follows an opening.
func (h *house) answer(t testing.TB, first domain.Envelope, shown domain.Showing, answer string) {
	t.Helper()
	started := h.add(t, domain.Continue(first), of(domain.ReasoningStarted{Models: []string{"built-in"}}))
	called := h.add(t, domain.Continue(started), of(domain.ModelCalled{Model: "built-in"}))
	replied := h.add(t, domain.Continue(called), of(domain.ModelReplied{Model: "built-in", Mode: domain.ModeRespond, Topic: "weather",
		Confidence: 850_000, Blocks: []domain.Block{domain.HeaderBlock("Now <&>", 2), domain.TextBlock(answer, domain.FormatMarkdown)}}))
	h.add(t, domain.Continue(replied), of(domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: shown,
		Reply: replied.ID, DurationMS: 1234}))
}

// followed waits until the ring has what the buffer has.
func (h *house) followed(t testing.TB) {
	t.Helper()
	domaintest.Until(t, "the ring has followed the buffer", func() bool {
		r := h.hub.ring.Load()
		frames, dropped := h.After(0)
		return r != nil && r.dropped == dropped && len(r.after(0)) == len(frames)
	})
}

// Say records what was said, as the real one does.
func (h *house) SayHeard(_ context.Context, c commands.Caller, msg domain.MessageReceived, _ message.Heard) (domain.ID, error) {
	if err := h.note(msg); err != nil {
		return domain.ID{}, err
	}
	if err := msg.Check(); err != nil {
		return domain.ID{}, err
	}
	e, err := h.append(h.begin(c.Principal), of(msg))
	return e.ID, err
}

// Act notes the action.
func (h *house) Act(_ context.Context, _ commands.Caller, action domain.ActionReceived) (domain.ID, error) {
	if err := h.note(action); err != nil {
		return domain.ID{}, err
	}
	return h.ids.NewID(), action.Check()
}

// Steer notes the text.
func (h *house) Steer(_ context.Context, _ commands.Caller, text string) (domain.ID, error) {
	return h.ids.NewID(), h.note(text)
}

// Cancel notes the exchange.
func (h *house) Cancel(_ context.Context, _ commands.Caller, exchange domain.ID) (domain.ID, error) {
	return exchange, h.note(exchange)
}

// Seen notes the exchanges.
func (h *house) Seen(_ context.Context, _ commands.Caller, exchanges []domain.ID) error {
	return h.note(exchanges)
}

func (h *house) note(what any) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refuse != nil {
		return h.refuse
	}
	h.heard = append(h.heard, what)
	return nil
}

func (h *house) said() []any {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]any(nil), h.heard...)
}

func (h *house) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = nil
}

func (h *house) refusing(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.refuse = err
}

func (h *house) alive() bool { return !h.gone.Load() }

func operator() commands.Caller { return commands.OperatorCaller("chat") }

// serve answers on a loopback port, until the test ends.
func (h *house) serve(t testing.TB) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h.handler(t))
	t.Cleanup(srv.Close)
	return srv
}

func (h *house) handler(t testing.TB) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "chalie_session", Value: "renewed"})
		if err := h.hub.Upgrade(w, r, operator(), h.alive); err != nil {
			status := http.StatusBadRequest
			if domain.CategoryOf(err) == domain.Dependency {
				status = http.StatusServiceUnavailable
			}
			var e *domain.Error
			if !errors.As(err, &e) {
				t.Errorf("Upgrade returned %v, which is no domain error", err)
				return
			}
			w.WriteHeader(status)
			if err := json.NewEncoder(w).Encode(map[string]any{"error": e.Message, "code": e.Code, "field": e.Field}); err != nil {
				t.Error(err)
			}
		}
	})
}

// join lets a connection in that came without HTTP.
func (h *house) join(t testing.TB, conn net.Conn, tail domain.Position) {
	t.Helper()
	if err := h.hub.reserve(); err != nil {
		t.Fatal(err)
	}
	h.hub.join(conn, nil, start{cursor: domain.EndOf(tail)}, operator(), h.alive)
}
