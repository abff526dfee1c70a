package commandstest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/screen"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/projections/transcript"
)

// Stage is a bench on which something can be said and answered.
type Stage struct {
	*Bench
	Mind     *mind
	Memory   *Forgetful
	Model    *oracle
	Messages *message.Messages // writes past the door
	Tools    *toolbox
	Gate     reasoning.ToolCaller // in place of tools
	Further  []reasoning.Model    // after model
	Approves reasoning.Approver
	Notices  reasoning.Notices
	Concerns reasoning.Concerns
	Verifier reasoning.Verifier
}

// NewStage is a stage over a new bench.
func NewStage(t *testing.T) *Stage { return StageOn(t, NewBench(t)) }

// StageOn is a stage over a bench.
func StageOn(t *testing.T, b *Bench) *Stage {
	s := &Stage{Bench: b, Mind: newMind(b.Log), Model: &oracle{}, Tools: newToolbox(b),
		Memory: &Forgetful{Log: b.Log, Erased: map[domain.ID]bool{}, Gone: map[domain.ID]bool{}}}
	var err error
	s.Messages, err = message.New(message.Config{
		Env: commands.Env{Log: screen.Before(b.Log), Reader: s.Memory, Tail: b.Log, Clock: b.Clock, IDs: b.IDs, Logger: slog.New(slog.DiscardHandler)}, Conversation: s.Mind, Applied: s.Mind,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Config is that of the stage's reasoner.
func (s *Stage) Config() reasoning.Config {
	tools := s.Gate
	if tools == nil {
		tools = s.Tools
	}
	return reasoning.Config{Env: commands.Env{Log: screen.Before(s.Door), Reader: s.Memory, Tail: s.Log, Clock: s.Clock, IDs: s.IDs, Logger: slog.New(slog.DiscardHandler)}, Mind: reasoning.NewMind(s.Mind.World, small.Surroundings(), s.Memory), Conversation: s.Mind, Applied: s.Mind,
		Models: append([]reasoning.Model{s.Model}, s.Further...), Tools: tools, Approvals: s.Approves, Notices: s.Notices, Concerns: s.Concerns, Verifier: s.Verifier,
		Rules: rulesNamed, Build: "test"}
}

func rulesNamed(domain.Params) string { return "rules" }

// Reasoner is a new one every time, as after a restart.
func (s *Stage) Reasoner() *reasoning.Reasoner {
	s.T.Helper()
	r, err := reasoning.New(s.Config())
	if err != nil {
		s.T.Fatal(err)
	}
	return r
}

// Say records a message and returns its record.
func (s *Stage) Say(who commands.Caller, text string) domain.Record {
	s.T.Helper()
	id, err := s.Messages.Say(context.Background(), who, domain.MessageReceived{Text: text})
	if err != nil {
		s.T.Fatal(err)
	}
	return s.Find(id)
}

// Find is a record that has to be there.
func (s *Stage) Find(id domain.ID) domain.Record {
	s.T.Helper()
	rec, err := s.Log.Find(context.Background(), id)
	if err != nil {
		s.T.Fatal(err)
	}
	return rec
}

// Answer has the reasoner answer a record.
func (s *Stage) Answer(rec domain.Record) {
	s.T.Helper()
	if err := s.Reasoner().Answer(context.Background(), rec); err != nil {
		s.T.Fatal(err)
	}
}

// Episode is the trace of rec as the log holds it.
func (s *Stage) Episode(rec domain.Record) []domain.Record {
	s.T.Helper()
	records, err := s.Log.Select(context.Background(), domain.Selector{Trace: rec.Envelope.Trace}, 1, 1<<20)
	if err != nil {
		s.T.Fatal(err)
	}
	return records
}

// Happened compares the types of an episode's records, and that no step is there
// twice.
func (s *Stage) Happened(rec domain.Record, want ...domain.EventType) []domain.Record {
	s.T.Helper()
	records := s.Episode(rec)
	var got []domain.EventType
	keys := map[domain.Key]bool{}
	for _, r := range records {
		got = append(got, r.Envelope.Type)
		for _, key := range r.Envelope.Keys {
			if keys[key] && key != domain.SteerKey(rec.Envelope.Trace) && key != domain.UnaskedKey &&
				key != domain.RetractsKey && key != domain.LastPartKey && !strings.HasPrefix(string(key), "invocation/") {
				s.T.Errorf("%s was appended twice", key)
			}
			keys[key] = true
		}
	}
	if !slices.Equal(got, want) {
		s.T.Fatalf("happened\n%v\nwant\n%v", got, want)
	}
	return records
}

// Concluded is the end of an episode, which must have one.
func (s *Stage) Concluded(rec domain.Record) (domain.ReasoningConcluded, domain.Envelope) {
	s.T.Helper()
	records := s.Episode(rec)
	last := records[len(records)-1].Envelope
	c, err := domain.Decode[domain.ReasoningConcluded](last)
	if err != nil {
		s.T.Fatal(err)
	}
	return c, last
}

// Frames are what the person's clients are sent of the end of an episode.
func (s *Stage) Frames(rec domain.Record) []domain.Frame {
	s.T.Helper()
	records := s.Episode(rec)
	frames, err := domain.Frames(records[len(records)-1], func(id domain.ID) (domain.Envelope, error) {
		rec, err := s.Memory.Find(context.Background(), id)
		return rec.Envelope, err
	})
	if err != nil {
		s.T.Fatal(err)
	}
	return frames
}

// FailFrom lets the log fail from the n-th append on: that one before or after it
// was recorded, all later ones before.
func (s *Stage) FailFrom(n int, recorded bool, failure func() error) {
	var mu sync.Mutex
	tries, appended := 0, 0
	s.Door.Set(func(domain.Batch) error {
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

// Steer redirects the answer under way.
func (s *Stage) Steer(text string) {
	s.T.Helper()
	if _, err := s.Messages.Steer(context.Background(), Ada, text); err != nil {
		s.T.Error(err)
	}
}

// AskedAgain is what the model is asked by a process that finds the log as it was
// up to a model.called.
func (s *Stage) AskedAgain(through domain.Position) language.Prompt {
	s.T.Helper()
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	all, err := s.Log.Select(context.Background(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		s.T.Fatal(err)
	}
	for _, r := range all[:slices.IndexFunc(all, func(r domain.Record) bool { return r.Position == through })+1] {
		receipt, err := log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: r.Topic, Envelope: r.Envelope}}})
		if err != nil || receipt.Positions[0] != r.Position {
			s.T.Fatalf("%d went to %+v, %v", r.Position, receipt, err)
		}
	}
	question := make(chan language.Prompt, 1)
	again := &oracle{Says: func(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
		question <- p
		return language.Reply{}, &domain.Error{Category: domain.Dependency, Retriable: true, Message: "enough"}
	}}
	fresh := &mind{log: log, World: small.World(), talk: transcript.New()}
	r, err := reasoning.New(reasoning.Config{Env: commands.Env{Log: log, Reader: log, Tail: s.Log, Clock: clock, IDs: s.IDs, Logger: slog.New(slog.DiscardHandler)}, Mind: reasoning.NewMind(fresh.World, small.Surroundings(), log),
		Conversation: fresh, Applied: fresh, Models: []reasoning.Model{again}, Tools: s.Tools, Verifier: s.Verifier, Rules: rulesNamed, Build: "test"})
	if err != nil {
		s.T.Fatal(err)
	}
	if err := r.Answer(context.Background(), all[through-1]); err == nil || !strings.Contains(err.Error(), "enough") {
		s.T.Fatalf("asked again at %d it says %v", through, err)
	}
	return <-question
}

// Notice appends a signal of the background's, and returns its record.
func (s *Stage) Notice() domain.Record {
	s.T.Helper()
	signal, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: "it is quiet", Energy: domain.One / 2})
	if err != nil {
		s.T.Fatal(err)
	}
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(s.Clock.Now()), "idle", signal)
	if err != nil {
		s.T.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.SpineTypeKey(domain.IdleDiscovery)}
	if _, err := s.Log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.T.Fatal(err)
	}
	return s.Find(id)
}

// Remind plans something, and hear overhears something.
func (s *Stage) Remind(text string, in time.Duration) domain.ID {
	s.T.Helper()
	id := s.IDs.NewID()
	now := domain.MillisOf(s.Clock.Now())
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, now, "chalie", domain.ReminderSet{Text: text, Due: now.Add(in), Zone: "UTC"})
	if err != nil {
		s.T.Fatal(err)
	}
	if _, err := s.Log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.T.Fatal(err)
	}
	return id
}

// Set sets a parameter.
func (s *Stage) Set(name, value string) {
	s.T.Helper()
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, domain.MillisOf(s.Clock.Now()), "api", domain.SettingsChanged{Name: name, To: value})
	if err != nil {
		s.T.Fatal(err)
	}
	if _, err := s.Log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.T.Fatal(err)
	}
}

// Hear records a signal.
func (s *Stage) Hear(text string) domain.ID {
	s.T.Helper()
	id, err := s.Signals(0).Submit(context.Background(), Station, domain.SignalReceived{SignalType: "news", Content: text, ActivationEnergy: 0.4})
	if err != nil {
		s.T.Fatal(err)
	}
	return id
}

// Cycle has the reasoner think about a record in the background.
func (s *Stage) Cycle(rec domain.Record) {
	s.T.Helper()
	if done, err := s.Reasoner().Cycle(context.Background(), rec); !done || err != nil {
		s.T.Fatalf("done %t, %v", done, err)
	}
}

// In is a moment from now.
func (s *Stage) In(d time.Duration) domain.Millis { return domain.MillisOf(s.Clock.Now().Add(d)) }

// Upload records an image.
func (s *Stage) Upload() domain.Record {
	s.T.Helper()
	id := s.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api",
		domain.ImageUploaded{Hash: "h", MediaType: "image/png", Bytes: 1, Width: 1, Height: 1})
	if err != nil {
		s.T.Fatal(err)
	}
	if _, err := s.Log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.T.Fatal(err)
	}
	return s.Find(id)
}

// FailedBecause answers rec and expects a failure that the person is told of.
func (s *Stage) FailedBecause(rec domain.Record, code domain.Code, says string, parent domain.ID, want ...domain.EventType) {
	s.T.Helper()
	s.Answer(rec)
	s.Happened(rec, want...)
	got, e := s.Concluded(rec)
	if got.Outcome != domain.OutcomeFailed || got.Shown != domain.ShownNot || !got.Reply.IsZero() || len(got.Evidence) != 1 || e.Parent != parent {
		s.T.Errorf("concluded %+v, as a child of %s, want %s", got, e.Parent, parent)
	}
	if len(e.Errors) != 1 || e.Errors[0].Code != code || !strings.Contains(e.Errors[0].Message, says) || e.Errors[0].Retryable {
		s.T.Fatalf("the fault is %+v, want %q and %q", e.Errors, code, says)
	}
	frames := s.Frames(rec)
	if len(frames) != 2 || frames[0].Type != domain.FrameError || !frames[0].Recoverable || frames[0].Message != e.Errors[0].Message || frames[1].Type != domain.FrameDone {
		s.T.Errorf("the person gets %+v", frames)
	}
}

// Types are those of the trace of a record, in order.
func (s *Stage) Types(rec domain.Record) (types []domain.EventType) {
	for _, r := range s.Episode(rec) {
		types = append(types, r.Envelope.Type)
	}
	return types
}

// mind is the world state and the conversation, folded when they are waited for
// and no earlier.
type mind struct {
	log   *memlog.Log
	World *projections.InMemory[domain.World]
	talk  *transcript.Projection

	mu     sync.Mutex
	next   domain.Position
	Broken error
}

func newMind(log *memlog.Log) *mind {
	return &mind{log: log, World: small.World(), talk: transcript.New()}
}

func (m *mind) WaitFor(ctx context.Context, pos domain.Position) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Broken != nil {
		return m.Broken
	}
	records, err := m.log.Select(ctx, domain.Selector{}, m.next, 1<<20)
	if err != nil {
		return err
	}
	for _, rec := range records {
		if rec.Position > pos {
			break
		}
		if err := m.World.Apply(rec); err != nil {
			return err
		}
		if err := m.talk.Apply(rec); err != nil {
			return err
		}
		m.next = rec.Position + 1
	}
	return nil
}

func (m *mind) Recent(of domain.ConversationID, limit, offset int) ([]domain.Exchange, int, error) {
	return m.talk.Recent(of, limit, offset)
}

// oracle is a model that says what a test tells it, and remembers what it was
// asked.
type oracle struct {
	Says func(ctx context.Context, n int, p language.Prompt) (language.Reply, error) // n counts from 1

	mu    sync.Mutex
	Asked []language.Prompt
}

func (o *oracle) Name() string { return "oracle" }

func (o *oracle) SeesImages() bool { return false }

func (o *oracle) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	o.mu.Lock()
	o.Asked = append(o.Asked, p)
	n := len(o.Asked)
	o.mu.Unlock()
	if o.Says == nil {
		return Says(fmt.Sprintf("answer %d", n)), nil
	}
	return o.Says(ctx, n, p)
}

// Times is how often the model was asked.
func (o *oracle) Times() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.Asked)
}

// Says is a reply in words.
func Says(text string) language.Reply {
	return language.Reply{Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, Topic: "general",
		Mode: domain.ModeRespond, Confidence: domain.One / 2}
}

// Forgetful is a log some of whose payloads were erased, and some of whose
// envelopes are no longer kept.
type Forgetful struct {
	*memlog.Log
	Erased, Gone map[domain.ID]bool
}

// Select leaves out what was forgotten.
func (f *Forgetful) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, err := f.Log.Select(ctx, s, from, limit)
	records = slices.Clone(records)
	for i := range records {
		records[i] = f.forget(records[i])
	}
	return records, err
}

// Find doesn't find what was forgotten.
func (f *Forgetful) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if f.Gone[id] {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: "it is no longer kept"}
	}
	rec, err := f.Log.Find(ctx, id)
	return f.forget(rec), err
}

func (f *Forgetful) forget(rec domain.Record) domain.Record {
	if f.Erased[rec.Envelope.ID] {
		rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	}
	return rec
}

// WholeAnswer is what an undisturbed answer leaves in the log.
var WholeAnswer = []domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied", "reasoning.concluded"}

// toolbox makes tool calls as the gate does, without policy: invoked,
// dispatched, completed. It records through the stage's door, so that it dies with it.
type toolbox struct {
	*Bench
	Offered []string
	Slow    []string // those of Offered that are known to be
	Do      func(tool string) (domain.ToolCompleted, *domain.Fault)

	mu   sync.Mutex
	Done []string // what was called, as it reached the tool
}

func newToolbox(b *Bench) *toolbox { return &toolbox{Bench: b} }

func (b *toolbox) Offers() []domain.Offer {
	var out []domain.Offer
	for _, name := range b.Offered {
		out = append(out, domain.Offer{Name: name, Interface: &domain.Interface{Name: "house"}, Tool: domain.Tool{Name: name, Description: name + "s"}})
	}
	return out
}

func (b *toolbox) Manifest(o domain.Offer) domain.Manifest {
	return domain.Manifest{SideEffects: o.Name != "look", Unasked: true, Ask: domain.AskAsSaid}
}

func (b *toolbox) IsSlow(o domain.Offer) bool { return slices.Contains(b.Slow, o.Name) }

// Call goes on from what the log says of the call.
func (b *toolbox) Call(ctx context.Context, c commands.Caller, in tool.Invocation) (tool.Invoked, error) {
	before, err := b.Log.Select(ctx, domain.Selector{Key: in.CallKey}, 1, 1)
	if err != nil {
		return tool.Invoked{}, err
	}
	if len(before) == 0 {
		switch {
		case !slices.Contains(b.Offered, in.Tool):
			return tool.Invoked{}, &domain.Error{Category: domain.NotFound, Code: domain.CodeNoTool, Message: fmt.Sprintf("there is no tool %q", in.Tool)}
		case string(in.Params) == `{"wrong":true}`:
			return tool.Invoked{}, domain.Invalid("call", "wrong", "wrong is no parameter")
		case string(in.Params) == `{"far":true}`:
			return tool.Invoked{}, tool.Misfits{{Words: "at /far: got boolean, want number", Plain: "“far” has to be a number"}}
		}
	}
	cause, err := b.Log.Find(ctx, in.Parent)
	if err != nil {
		return tool.Invoked{}, err
	}
	id := b.IDs.NewID()
	if len(before) > 0 {
		id = before[0].Envelope.ID
	} else if err := b.add(ctx, domain.Continue(cause.Envelope), id, domain.ToolInvoked{Tool: in.Tool, Params: []byte(`{}`), Actor: c.Name, Channel: in.Channel}, in.CallKey); err != nil {
		return tool.Invoked{ID: id}, err
	}
	steps, err := b.Log.Select(ctx, domain.Selector{Key: domain.InvocationKey(id)}, 1, 10)
	if err != nil {
		return tool.Invoked{ID: id}, err
	}
	return b.goOn(ctx, domain.Lineage{Trace: cause.Envelope.Trace, Parent: id, Principal: c.Principal}, id, in.Tool, steps)
}

func (b *toolbox) goOn(ctx context.Context, lin domain.Lineage, id domain.ID, name string, steps []domain.Record) (tool.Invoked, error) {
	key := domain.InvocationKey(id)
	last := domain.EventType("")
	if len(steps) > 0 {
		last = steps[len(steps)-1].Envelope.Type
	}
	switch last {
	case "":
		if err := b.add(ctx, lin, b.IDs.NewID(), domain.ToolDispatched{InvocationID: id}, key); err != nil {
			return tool.Invoked{ID: id}, err
		}
		return b.finish(ctx, lin, id, name)
	case "tool.dispatched":
		err := b.add(ctx, lin, b.IDs.NewID(), domain.ToolOutcomeUnknown{InvocationID: id, Reason: domain.CodeInterrupted}, key)
		return tool.Invoked{ID: id, Outcome: "tool.outcome_unknown"}, err
	}
	return tool.Invoked{ID: id, Outcome: last}, nil
}

func (b *toolbox) finish(ctx context.Context, lin domain.Lineage, id domain.ID, name string) (tool.Invoked, error) {
	b.mu.Lock()
	b.Done = append(b.Done, name)
	b.mu.Unlock()
	text := name + " done"
	answer, fault := domain.ToolCompleted{Text: &text}, (*domain.Fault)(nil)
	if b.Do != nil {
		answer, fault = b.Do(name)
	}
	answer.InvocationID, answer.Data, answer.Blocks = id, []byte("null"), append([]domain.Block{}, answer.Blocks...)
	entry, err := domain.New(lin, b.IDs.NewID(), domain.MillisOf(b.Clock.Now()), "tools", answer)
	if err != nil {
		return tool.Invoked{ID: id}, err
	}
	if fault != nil {
		entry.Envelope.Errors = []domain.Fault{*fault}
	}
	entry.Envelope.Keys = []domain.Key{domain.InvocationKey(id)}
	_, err = b.Door.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return tool.Invoked{ID: id, Outcome: "tool.completed"}, err
}

func (b *toolbox) add(ctx context.Context, lin domain.Lineage, id domain.ID, payload any, keys ...domain.Key) error {
	entry, err := newOf(lin, id, domain.MillisOf(b.Clock.Now()), payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = keys
	_, err = b.Door.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

func newOf(lin domain.Lineage, id domain.ID, at domain.Millis, payload any) (domain.Entry, error) {
	switch p := payload.(type) {
	case domain.ToolInvoked:
		return domain.New(lin, id, at, "tools", p)
	case domain.ToolDispatched:
		return domain.New(lin, id, at, "tools", p)
	case domain.ToolOutcomeUnknown:
		return domain.New(lin, id, at, "tools", p)
	}
	return domain.Entry{}, fmt.Errorf("%T is no payload of a toolbox", payload)
}

// Dead is the end of the process at an append.
func Dead() error {
	return &domain.Error{Op: "append", Category: domain.Dependency, Code: domain.CodeClosed, Retriable: true, Message: "killed"}
}

// Decoded is the payload of a record.
func Decoded[P any](t *testing.T, rec domain.Record) P {
	t.Helper()
	p, err := domain.Decode[P](rec.Envelope)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ThreeTools is a model that looks, then moves and tells at once, and then
// answers with their results. What it says follows from the prompt alone.
func ThreeTools(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
	switch len(p.Done) {
	case 0:
		return Calls("look"), nil
	case 1:
		return Calls("move", "tell"), nil
	}
	var said []string
	for _, d := range p.Done {
		said = append(said, fmt.Sprintf("%s: %s%s", d.Call.Tool, d.Text, d.Error))
	}
	r := Says(strings.Join(said, "; "))
	r.Used = []domain.Evidence{{EnvelopeID: p.Done[0].End, Role: "used", Weight: domain.One}}
	return r, nil
}

// Calls is a reply that asks for tools.
func Calls(tools ...string) language.Reply {
	r := language.Reply{Topic: "house", Mode: domain.ModeAct, Confidence: domain.One}
	for i, tool := range tools {
		r.ToolCalls = append(r.ToolCalls, domain.ToolCall{ID: fmt.Sprint(i), Tool: tool, Params: []byte(`{}`)})
	}
	return r
}

// ToolSteps is what an undisturbed call leaves in the log.
var ToolSteps = []domain.EventType{"tool.invoked", "tool.dispatched", "tool.completed"}

// NewHandyStage is a stage whose tools may be used.
func NewHandyStage(t *testing.T) *Stage {
	s := NewStage(t)
	s.Tools.Offered = []string{"look", "move", "tell"}
	s.Model.Says = ThreeTools
	return s
}
