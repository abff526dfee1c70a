package commandstest

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
)

// Workshop is tools over an in-memory log, offered by interfaces that do what a
// test tells them.
type Workshop struct {
	*Bench
	Registry *toolShelf
	Open     *openBook
	Peer     *Craftsman
	Regime   domain.Regime
	Cards    tool.CardCleaner
	Skills   []tool.Skill
	formats  tool.Formats
	Zone     *time.Location
}

// NewWorkshop is a workshop without tools.
func NewWorkshop(t *testing.T) *Workshop {
	b := NewBench(t)
	w := &Workshop{Bench: b, Registry: &toolShelf{}, Open: &openBook{log: b.Log, fold: small.Invocations()},
		Peer: &Craftsman{Calls: map[string]int{}}, Regime: rulebook(nil)}
	w.Pair("hospital", 9001,
		domain.Tool{Name: "cancel", Description: "cancels", Parameters: []domain.Parameter{
			{Name: "id", Type: domain.TypeString, Required: true}, {Name: "urgent", Type: domain.TypeBoolean}}},
		domain.Tool{Name: "status", Parameters: []domain.Parameter{}})
	return w
}

// Pair makes an interface known that offers tools.
func (w *Workshop) Pair(name string, port int, tools ...domain.Tool) domain.ID {
	w.T.Helper()
	return w.Registry.add(w.T, w.IDs.NewID(), domain.InterfacePaired{
		Name: name, Host: "127.0.0.1", Port: port, Version: "1.2", TokenHash: domain.HashSecret(name).String(), Tools: tools,
	})
}

// Config is that of the workshop's tools.
func (w *Workshop) Config() tool.Config {
	return tool.Config{Env: w.Env(), Book: w.Registry, Invocations: w.Open, Applied: w.Open,
		Peer: w.Peer, Cards: w.Cards, Regime: w.Regime, Tokens: sealedBy("t/"), Formats: w.formats, Skills: w.Skills,
		Zone: func() *time.Location { return w.Zone }}
}

// Tools is a new one every time, as after a restart.
func (w *Workshop) Tools() *tool.Tools {
	w.T.Helper()
	tools, err := tool.New(w.Config())
	if err != nil {
		w.T.Fatal(err)
	}
	return tools
}

// Happened checks which steps topic tools holds, in order.
func (w *Workshop) Happened(types ...domain.EventType) []domain.Record {
	w.T.Helper()
	records := w.Records(domain.TopicTools)
	got := make([]domain.EventType, len(records))
	for i, rec := range records {
		got[i] = rec.Envelope.Type
	}
	if !slices.Equal(got, types) {
		w.T.Fatalf("topic tools holds %v, want %v", got, types)
	}
	return records
}

// Restart is what a new process does first. It is done twice: the second time
// does nothing.
func (w *Workshop) Restart() {
	w.T.Helper()
	w.Door.Set(nil, nil)
	var tail domain.Position
	for range 2 {
		tail = w.Log.Tail()
		if err := w.Tools().Recover(w.T.Context()); err != nil {
			w.T.Fatal(err)
		}
	}
	if w.Log.Tail() != tail {
		w.T.Errorf("recovering again appended %d records", w.Log.Tail()-tail)
	}
}

// FailAt lets the log fail at the n-th append: before or after it was recorded.
// Later ones fail, too, until the door is set anew.
func (w *Workshop) FailAt(n int, recorded bool, failure func() error) {
	var mu sync.Mutex
	tries, appended := 0, 0
	w.Door.Set(func(domain.Batch) error {
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

func (w *Workshop) signal(key domain.Key) {
	w.T.Helper()
	entry, err := domain.New(domain.Begin(w.IDs.NewTrace(), domain.PrincipalOperator), w.IDs.NewID(), 1, "test", domain.SignalReceived{SignalType: "other", Content: "x", Source: "y"})
	entry.Envelope.Keys = []domain.Key{key}
	if err == nil {
		_, err = w.Log.Append(w.T.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// Hears remembers what a tool is sent.
func (w *Workshop) Hears(sent *[]string) {
	w.Peer.Do = func(_ context.Context, _ commands.Endpoint, c commands.Call) (commands.Result, error) {
		*sent = append(*sent, string(c.Params))
		return Answered("ok"), nil
	}
}

// Approvals is a desk over the workshop's tools.
func (w *Workshop) Approvals(tools *tool.Tools) *tool.Approvals {
	w.T.Helper()
	desk, err := tool.NewApprovals(tool.ApprovalsConfig{Env: w.Env(), Invocations: w.Open, Applied: w.Open,
		Tokens: sealedBy("t/"), Tools: tools})
	if err != nil {
		w.T.Fatal(err)
	}
	return desk
}

// sealedBy is Tokens for tests.
type sealedBy string

func (s sealedBy) Token(id domain.ID) string { return string(s) + id.String() }

// Counter is a workshop where everything waits for the person.
type Counter struct {
	*Workshop
	Desk *tool.Approvals
}

// NewCounter is a counter with a rule that asks for everything.
func NewCounter(t *testing.T) *Counter {
	w := NewWorkshop(t)
	rules := domain.DefaultPolicy()
	rules.Rules = []domain.PolicyRule{{Name: "ask", Verdict: domain.VerdictApproval}}
	w.Regime = rulebook(&rules)
	return &Counter{w, w.Approvals(w.Tools())}
}

// Pending are the proposals as a caught-up fold has them.
func (c *Counter) Pending() []tool.Proposal {
	c.T.Helper()
	if err := c.Open.WaitFor(c.T.Context(), c.Log.Tail()); err != nil {
		c.T.Fatal(err)
	}
	out, err := c.Desk.Pending(c.T.Context())
	if err != nil {
		c.T.Fatal(err)
	}
	return out
}

// Propose invokes a tool, which waits, and returns its proposal.
func (c *Counter) Propose() tool.Proposal {
	c.T.Helper()
	return c.ProposeBy(Ada, "")
}

// ProposeBy is propose of somebody, through a channel.
func (c *Counter) ProposeBy(who commands.Caller, channel string) tool.Proposal {
	c.T.Helper()
	return c.ProposeFor(who, channel, domain.ID{})
}

// ProposeFor is ProposeBy of what an envelope caused.
func (c *Counter) ProposeFor(who commands.Caller, channel string, cause domain.ID) tool.Proposal {
	c.T.Helper()
	calls := c.Peer.Times()
	in := Cancels()
	in.Channel, in.Parent = channel, cause
	got, err := c.Tools().Invoke(c.T.Context(), who, in)
	if err != nil || got.Outcome != "approval.proposed" || got.ExpiresAt != domain.MillisOf(c.Clock.Now()).Add(15*time.Minute) || c.Peer.Times() != calls {
		c.T.Fatalf("told %+v, %v", got, err)
	}
	for _, p := range c.Pending() {
		if p.InvocationID == got.ID {
			return p
		}
	}
	c.T.Fatalf("%s isn't pending", got.ID)
	return tool.Proposal{}
}

// Follow gives the service every record of the topic.
func (c *Counter) Follow() {
	c.T.Helper()
	for _, rec := range c.Records(domain.TopicTools) {
		if err := c.Approvals(c.Tools()).Follow(c.T.Context(), rec); err != nil {
			c.T.Fatal(err)
		}
	}
}

// Waiting is what is recorded of a call that waits for the person, who says Yes or No.
var (
	Waiting = []domain.EventType{"tool.invoked", "policy.decided", "approval.proposed"}
	Yes     = tool.Deciding{Granted: true, Channel: "api", Correlator: domain.ByApprovalToken}
	No      = tool.Deciding{Channel: "api", Correlator: domain.ByApprovalToken}
)

// Says records a message of the person.
func (c *Counter) Says(text, metadata string) domain.Record {
	c.T.Helper()
	id := c.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api", domain.MessageReceived{Text: text, Metadata: []byte(metadata)})
	if err == nil {
		_, err = c.Log.Append(c.T.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		c.T.Fatal(err)
	}
	rec, err := c.Log.Find(c.T.Context(), id)
	if err != nil {
		c.T.Fatal(err)
	}
	return rec
}

// Ask asks twice: a repeat says the same.
func (c *Counter) Ask(msg domain.Record, text string) (bool, string) {
	c.T.Helper()
	var first string
	for n := range 2 {
		out, err := c.Approvals(c.Tools()).Ask(c.T.Context(), Ada, msg, text)
		if err != nil {
			c.T.Fatal(err)
		}
		said := domain.PlainText(out.Blocks)
		if n == 0 {
			first = said
		}
		if said != first || out.Handled != (said != "") {
			c.T.Errorf("%q is answered with %q, then with %+v", text, first, out)
		}
	}
	return first != "", first
}

// Happens records something in an exchange of the person's: a new one, when of is none. It
// returns the record.
func Happens[P any](c *Counter, of domain.TraceID, payload P, keys ...domain.Key) domain.Record {
	c.T.Helper()
	id := c.IDs.NewID()
	if of.IsZero() {
		of = domain.TraceID{ID: id}
	}
	entry, err := domain.New(domain.Begin(of, domain.PrincipalOperator), id, 1, "reasoning", payload)
	if err == nil {
		entry.Envelope.Keys = keys
		_, err = c.Log.Append(c.T.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		c.T.Fatal(err)
	}
	rec, err := c.Log.Find(c.T.Context(), id)
	if err != nil {
		c.T.Fatal(err)
	}
	return rec
}

// Concludes records that an exchange ended, and what was shown.
func (c *Counter) Concludes(of domain.TraceID, end domain.ReasoningConcluded) {
	c.T.Helper()
	Happens(c, of, end, end.ShownKey())
}

// Answers records the answer to a message that says yes or no.
func (c *Counter) Answers(msg domain.Record, text string) {
	c.T.Helper()
	out, err := c.Desk.Ask(c.T.Context(), Ada, msg, text)
	if err != nil || !out.Handled {
		c.T.Fatalf("%q is answered with %+v, %v", text, out, err)
	}
	asked := domain.Evidence{EnvelopeID: msg.Envelope.ID, Role: "asked", Weight: domain.One}
	c.Concludes(msg.Envelope.Trace, domain.ReasoningConcluded{Shown: domain.ShownMessage, Blocks: out.Blocks, Evidence: append([]domain.Evidence{asked}, out.Evidence...)})
}

// Cancels is an invocation that is in order.
func Cancels() tool.Invocation {
	return tool.Invocation{Tool: "cancel", Params: []byte(`{"id":"apt_1"}`)}
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
	Shelve(t, s, id, paired)
	return id
}

// Shelve folds an event that is in no log.
func Shelve[P any](t testing.TB, s *toolShelf, id domain.ID, payload P) {
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
	log  *memlog.Log
	fold *projections.InMemory[domain.Invocations]

	mu     sync.Mutex
	next   domain.Position
	Broken error
}

func (o *openBook) Read(fn func(*domain.Invocations)) { o.fold.Read(fn) }

func (o *openBook) WaitFor(ctx context.Context, pos domain.Position) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Broken != nil {
		return o.Broken
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

// Craftsman executes what a test tells it to, and counts.
type Craftsman struct {
	commands.Peer // whatever else is asked of it is a nil pointer's panic

	Do func(ctx context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error)

	mu    sync.Mutex
	Calls map[string]int // by key
}

// Execute does what was asked for, as the test says.
func (c *Craftsman) Execute(ctx context.Context, at commands.Endpoint, call commands.Call) (commands.Result, error) {
	c.mu.Lock()
	c.Calls[call.Key]++
	c.mu.Unlock()
	if c.Do == nil {
		return Answered("done"), nil
	}
	return c.Do(ctx, at, call)
}

// Times is how often something was done.
func (c *Craftsman) Times() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for times := range maps.Values(c.Calls) {
		n += times
	}
	return n
}

// Answered is a result in words.
func Answered(text string) commands.Result { return commands.Result{Text: &text} }

// PeerFails is how an interface fails to answer.
func PeerFails(code domain.Code, message string) error {
	return &domain.Error{Op: "execute", Category: domain.Dependency, Code: code, Message: message}
}

// wantsAt is a checker that wants the word "at" in what is answered, and that what is "heavy"
// is too much work for.
type wantsAt struct{}

func (wantsAt) Check(_ context.Context, schema, value json.RawMessage) (wrong []tool.Misfit, checked bool, err error) {
	switch {
	case !strings.Contains(string(schema), "type"):
		return nil, false, nil
	case strings.Contains(string(value), `"heavy"`):
		return nil, true, &domain.Error{Op: "check", Category: domain.Validation, Code: domain.CodeSchemaTooLarge, Message: "it takes too many steps"}
	case strings.Contains(string(value), `"at"`):
		return nil, true, nil
	}
	return []tool.Misfit{{Words: "at is missing in " + string(value), Plain: "“at” is missing"}}, true, nil
}

// Booking is a workshop whose tool says what it returns and tells its state.
func Booking(t *testing.T, returns, snapshot string) *Workshop {
	w := NewWorkshop(t)
	w.formats = wantsAt{}
	w.Pair("desk", 9005, domain.Tool{Name: "book", Parameters: []domain.Parameter{}, Returns: []byte(returns), StateSnapshot: snapshot})
	return w
}

// Noter is a skill that notes something down, once for every call.
type Noter struct {
	W    *Workshop
	Zone string

	Asked    int
	Rests    domain.Key // its conditions' key; "" for none
	Fails    error
	TooLarge bool
	Asks     []tool.Answer // to what it asks besides
}

// Tool is a skill that notes something.
func (*Noter) Tool() domain.Tool {
	return domain.Tool{Name: "note", Description: "notes it", Parameters: []domain.Parameter{{Name: "text", Type: domain.TypeString, Required: true}}}
}

// SideEffects reports that a note is one.
func (*Noter) SideEffects() bool { return true }

// Do notes something, or fails as the test says.
func (n *Noter) Do(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	n.Asked++
	n.Zone = call.Zone.String()
	if n.Fails != nil {
		return tool.SkillDone{}, n.Fails
	}
	entry, err := domain.New(call.Lineage, n.W.IDs.NewID(), call.Now, "skills", domain.SignalReceived{SignalType: "note", Content: string(call.Params), Source: call.By.Name})
	if err != nil {
		return tool.SkillDone{}, err
	}
	done := tool.SkillDone{Result: Answered("noted"), Entries: []domain.Entry{entry}, Answers: n.Asks}
	if n.TooLarge {
		done.Result = Answered(strings.Repeat("x", domain.MaxPayloadBytes))
	}
	if n.Rests != "" {
		done.Entries[0].Envelope.Keys = []domain.Key{n.Rests}
		seen, err := n.W.Log.Select(ctx, domain.Selector{Key: n.Rests}, 1, 100)
		if err != nil {
			return done, err
		}
		if n.Asked == 1 { // somebody else is quicker
			n.W.signal(n.Rests)
		}
		after := domain.Position(0)
		if len(seen) > 0 {
			after = seen[len(seen)-1].Position
		}
		done.Conditions = []domain.Condition{{Key: n.Rests, After: after}}
	}
	return done, nil
}

// Able is a workshop in which Chalie can note something down.
func Able(t *testing.T) (*Workshop, *Noter) {
	w := NewWorkshop(t)
	n := &Noter{W: w}
	w.Skills = []tool.Skill{n}
	return w, n
}
