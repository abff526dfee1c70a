package commands_test

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections/invocations"
)

// workshop is tools over an in-memory log, offered by interfaces that do what a
// test tells them.
type workshop struct {
	*bench
	registry *toolShelf
	open     *openBook
	peer     *craftsman
	regime   domain.Regime
	cards    commands.CardCleaner
	skills   []commands.Skill
	formats  commands.Formats
	zone     *time.Location
}

// newWorkshop is a workshop without tools.
func newWorkshop(t *testing.T) *workshop {
	b := newBench(t)
	w := &workshop{bench: b, registry: &toolShelf{}, open: &openBook{log: b.log, fold: invocations.New()},
		peer: &craftsman{calls: map[string]int{}}, regime: &domain.Rulebook{}}
	w.pair("hospital", 9001,
		domain.Tool{Name: "cancel", Description: "cancels", Parameters: []domain.Parameter{
			{Name: "id", Type: domain.TypeString, Required: true}, {Name: "urgent", Type: domain.TypeBoolean}}},
		domain.Tool{Name: "status", Parameters: []domain.Parameter{}})
	return w
}

// pair makes an interface known that offers tools.
func (w *workshop) pair(name string, port int, tools ...domain.Tool) domain.ID {
	w.t.Helper()
	return w.registry.add(w.t, w.ids.NewID(), domain.InterfacePaired{
		Name: name, Host: "127.0.0.1", Port: port, Version: "1.2", TokenHash: domain.HashSecret(name).String(), Tools: tools,
	})
}

// config is that of the workshop's tools.
func (w *workshop) config() commands.ToolsConfig {
	return commands.ToolsConfig{Env: w.env(), Book: w.registry, Invocations: w.open, Applied: w.open,
		Peer: w.peer, Cards: w.cards, Regime: w.regime, Tokens: sealedBy("t/"), Formats: w.formats, Skills: w.skills,
		Zone: func() *time.Location { return w.zone }}
}

// tools is a new one every time, as after a restart.
func (w *workshop) tools() *commands.Tools {
	w.t.Helper()
	tools, err := commands.NewTools(w.config())
	if err != nil {
		w.t.Fatal(err)
	}
	return tools
}

// cancels is an invocation that is in order.
func cancels() commands.Invocation {
	return commands.Invocation{Tool: "cancel", Params: []byte(`{"id":"apt_1"}`)}
}

// happened checks which steps topic tools holds, in order.
func (w *workshop) happened(types ...domain.EventType) []domain.Record {
	w.t.Helper()
	records := w.records(domain.TopicTools)
	got := make([]domain.EventType, len(records))
	for i, rec := range records {
		got[i] = rec.Envelope.Type
	}
	if !slices.Equal(got, types) {
		w.t.Fatalf("topic tools holds %v, want %v", got, types)
	}
	return records
}

// restart is what a new process does first. It is done twice: the second time
// does nothing.
func (w *workshop) restart() {
	w.t.Helper()
	w.door.set(nil, nil)
	var tail domain.Position
	for range 2 {
		tail = w.log.Tail()
		if err := w.tools().Recover(w.t.Context()); err != nil {
			w.t.Fatal(err)
		}
	}
	if w.log.Tail() != tail {
		w.t.Errorf("recovering again appended %d records", w.log.Tail()-tail)
	}
}

// lawfulTools holds every invocation in the log to the law, and returns their ends.
func lawfulTools(t rapid.TB, records []domain.Record, whole bool) map[domain.ID]domain.EventType {
	t.Helper()
	ends := map[domain.ID]domain.EventType{}
	last := map[domain.ID]domain.Envelope{}
	for _, rec := range records {
		e := rec.Envelope
		id, ok := domain.InvocationOf(e)
		if !ok {
			t.Fatalf("%s belongs to no invocation", e.Type)
		}
		before, begun := last[id]
		if begun == (e.Type == "tool.invoked") || begun && e.Parent != before.ID {
			t.Fatalf("%s comes after %s, of %s", e.Type, before.Type, e.Parent)
		}
		if ends[id] != "" && e.Type != "tool.verified" && e.Type != "tool.state_taken" {
			t.Fatalf("invocation %s goes on with %s after %s", id, e.Type, ends[id])
		}
		if e.Kind == domain.KindResult {
			ends[id] = e.Type
		}
		last[id] = e
	}
	if whole && len(ends) != len(last) {
		t.Fatalf("%d of %d invocations have an end", len(ends), len(last))
	}
	return ends
}

// toolShelf is the fold of the interfaces.
type toolShelf struct {
	mu       sync.RWMutex
	position domain.Position
	state    domain.Registry
}

func (s *toolShelf) Read(fn func(*domain.Registry)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	fn(&s.state)
}

func (s *toolShelf) add(t testing.TB, id domain.ID, paired domain.InterfacePaired) domain.ID {
	t.Helper()
	shelve(t, s, id, paired)
	return id
}

// shelve folds an event that stands in no log.
func shelve[P any](t testing.TB, s *toolShelf, id domain.ID, payload P) {
	t.Helper()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.position++
	if err := s.state.Evolve(domain.Record{Position: s.position, Topic: entry.Topic, RecordedAt: domain.Millis(s.position), Envelope: entry.Envelope}); err != nil {
		t.Fatal(err)
	}
}

// openBook folds the open invocations when it is waited for, and no earlier.
type openBook struct {
	log  *domaintest.Log
	fold *invocations.Projection

	mu     sync.Mutex
	next   domain.Position
	broken error
}

func (o *openBook) Read(fn func(*domain.Invocations)) { o.fold.Read(fn) }

func (o *openBook) WaitFor(ctx context.Context, pos domain.Position) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken != nil {
		return o.broken
	}
	records, err := o.log.Select(ctx, domain.Selector{}, o.next, 1<<20)
	if err != nil {
		return err
	}
	for _, rec := range records {
		if rec.Position > pos {
			break
		}
		if err := o.fold.Apply(rec); err != nil {
			return err
		}
		o.next = rec.Position + 1
	}
	return nil
}

// craftsman executes what a test tells it to, and counts.
type craftsman struct {
	commands.Peer // whatever else is asked of it is a nil pointer's panic

	do func(ctx context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error)

	mu    sync.Mutex
	calls map[string]int // by key
}

func (c *craftsman) Execute(ctx context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error) {
	c.mu.Lock()
	c.calls[call.Key]++
	c.mu.Unlock()
	if c.do == nil {
		return answered("done"), nil
	}
	return c.do(ctx, at, call)
}

// times is how often something was done.
func (c *craftsman) times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for times := range maps.Values(c.calls) {
		n += times
	}
	return n
}

// answered is a result in words.
func answered(text string) commands.Result { return commands.Result{Text: &text} }

// peerFails is how an interface fails to answer.
func peerFails(code domain.Code, message string) error {
	return &domain.Error{Op: "execute", Category: domain.Dependency, Code: code, Message: message}
}

// failAt lets the log fail at the n-th append: before or after it was recorded.
// Later ones fail, too, until the door is set anew.
func (w *workshop) failAt(n int, recorded bool, failure func() error) {
	var mu sync.Mutex
	tries, appended := 0, 0
	w.door.set(func(domain.Batch) error {
		mu.Lock()
		defer mu.Unlock()
		if tries++; tries > n || tries == n && !recorded {
			return failure()
		}
		return nil
	}, func(domain.Receipt) error {
		mu.Lock()
		defer mu.Unlock()
		if appended++; appended == n {
			return failure()
		}
		return nil
	})
}

// refusingRegime is a regime that denies everything.
type refusingRegime struct {
	domain.Rulebook
	because []string // beside the rule
}

func (r *refusingRegime) Decide(in domain.Invoking) domain.PolicyDecided {
	d := r.Rulebook.Decide(in)
	d.RegimeID, d.Verdict, d.Allowed, d.ReasonCodes = "closed/1", domain.VerdictDenied, false, append([]string{"nobody_asked"}, r.because...)
	return d
}

func orNone(s *string) string {
	if s == nil {
		return "(none)"
	}
	return *s
}

func millis(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// holed is a log that no longer has one record.
type holed struct {
	*domaintest.Log
	gone domain.Position
}

func (h *holed) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if from == h.gone {
		from++
	}
	return h.Log.Select(ctx, s, from, limit)
}
