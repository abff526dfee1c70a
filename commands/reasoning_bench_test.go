package commands_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections/transcript"
	"chalie/projections/world"
)

// mind is the world state and the conversation, folded when they are waited for
// and no earlier.
type mind struct {
	log   *domaintest.Log
	world *world.Projection
	talk  *transcript.Projection

	mu     sync.Mutex
	next   domain.Position
	broken error
}

func newMind(log *domaintest.Log) *mind {
	return &mind{log: log, world: world.New(domain.DefaultWorldRules()), talk: transcript.New()}
}

func (m *mind) WaitFor(ctx context.Context, pos domain.Position) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.broken != nil {
		return m.broken
	}
	records, err := m.log.Select(ctx, domain.Selector{}, m.next, 1<<20)
	if err != nil {
		return err
	}
	for _, rec := range records {
		if rec.Position > pos {
			break
		}
		if err := m.world.Apply(rec); err != nil {
			return err
		}
		if err := m.talk.Apply(rec); err != nil {
			return err
		}
		m.next = rec.Position + 1
	}
	return nil
}

// nowhere is a person whose surroundings nobody knows.
type nowhere struct{}

func (nowhere) Now() domain.ContextUpdated { return domain.ContextUpdated{} }

func (m *mind) Recent(limit, offset int) ([]domain.Exchange, int, error) {
	return m.talk.Recent(limit, offset)
}

// oracle is a model that says what a test tells it, and remembers what it was
// asked.
type oracle struct {
	reply func(ctx context.Context, n int, p commands.Prompt) (commands.Reply, error) // n counts from 1

	mu    sync.Mutex
	asked []commands.Prompt
}

func (o *oracle) Name() string     { return "oracle" }
func (o *oracle) SeesImages() bool { return false }

func (o *oracle) Reply(ctx context.Context, p commands.Prompt) (commands.Reply, error) {
	o.mu.Lock()
	o.asked = append(o.asked, p)
	n := len(o.asked)
	o.mu.Unlock()
	if o.reply == nil {
		return says(fmt.Sprintf("answer %d", n)), nil
	}
	return o.reply(ctx, n, p)
}

// times is how often the model was asked.
func (o *oracle) times() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.asked)
}

// says is a reply in words.
func says(text string) commands.Reply {
	return commands.Reply{Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, Topic: "general",
		Mode: domain.ModeRespond, Confidence: domain.One / 2}
}

// forgetful is a log some of whose payloads were erased, and some of whose
// envelopes are no longer kept.
type forgetful struct {
	*domaintest.Log
	erased, gone map[domain.ID]bool
}

func (f *forgetful) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	records, err := f.Log.Select(ctx, s, from, limit)
	records = slices.Clone(records)
	for i := range records {
		records[i] = f.forget(records[i])
	}
	return records, err
}

func (f *forgetful) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	if f.gone[id] {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: "it is no longer kept"}
	}
	rec, err := f.Log.Find(ctx, id)
	return f.forget(rec), err
}

func (f *forgetful) forget(rec domain.Record) domain.Record {
	if f.erased[rec.Envelope.ID] {
		rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	}
	return rec
}

// stage is a bench on which something can be said and answered.
type stage struct {
	*bench
	mind     *mind
	memory   *forgetful
	model    *oracle
	messages *commands.Messages // writes past the door
	tools    *toolbox
	gate     commands.ToolCaller // in place of tools
	further  []commands.Model    // after model
	limits   domain.ReasoningLimits
	approves commands.Approver
	notices  commands.Notices
	verifier commands.Verifier
}

// newStage is a stage over a new bench.
func newStage(t *testing.T) *stage { return stageOn(t, newBench(t)) }

// stageOn is a stage over a bench.
func stageOn(t *testing.T, b *bench) *stage {
	s := &stage{bench: b, mind: newMind(b.log), model: &oracle{}, tools: newToolbox(b),
		memory: &forgetful{Log: b.log, erased: map[domain.ID]bool{}, gone: map[domain.ID]bool{}}}
	var err error
	s.messages, err = commands.NewMessages(context.Background(), commands.MessagesConfig{
		Env: commands.Env{Log: b.log, Reader: s.memory, Tail: b.log, Clock: b.clock, IDs: b.ids, Logger: slog.New(slog.DiscardHandler)}, Conversation: s.mind, Applied: s.mind,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// config is that of the stage's reasoner.
func (s *stage) config() commands.ReasonerConfig {
	tools := s.gate
	if tools == nil {
		tools = s.tools
	}
	return commands.ReasonerConfig{Env: commands.Env{Log: s.door, Reader: s.memory, Tail: s.log, Clock: s.clock, IDs: s.ids, Logger: slog.New(slog.DiscardHandler)}, Mind: commands.NewMind(s.mind.world, nowhere{}, s.memory), Conversation: s.mind, Applied: s.mind,
		Models: append([]commands.Model{s.model}, s.further...), Tools: tools, Approvals: s.approves, Notices: s.notices, Verifier: s.verifier,
		Limits: s.limits, Rules: "rules", Build: "test"}
}

// reasoner is a new one every time, as after a restart.
func (s *stage) reasoner() *commands.Reasoner {
	s.t.Helper()
	r, err := commands.NewReasoner(s.config())
	if err != nil {
		s.t.Fatal(err)
	}
	return r
}

// say records a message and returns its record.
func (s *stage) say(who commands.Caller, text string) domain.Record {
	s.t.Helper()
	id, err := s.messages.Say(context.Background(), who, domain.MessageReceived{Text: text})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.find(id)
}

// find is a record that has to be there.
func (s *stage) find(id domain.ID) domain.Record {
	s.t.Helper()
	rec, err := s.log.Find(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return rec
}

// answer has the reasoner answer a record.
func (s *stage) answer(rec domain.Record) {
	s.t.Helper()
	if err := s.reasoner().Answer(context.Background(), rec); err != nil {
		s.t.Fatal(err)
	}
}

// episode is the trace of rec as the log holds it.
func (s *stage) episode(rec domain.Record) []domain.Record {
	s.t.Helper()
	records, err := s.log.Select(context.Background(), domain.Selector{Trace: rec.Envelope.Trace}, 1, 1<<20)
	if err != nil {
		s.t.Fatal(err)
	}
	return records
}

// happened compares the types of an episode's records, and that no step is there
// twice.
func (s *stage) happened(rec domain.Record, want ...domain.EventType) []domain.Record {
	s.t.Helper()
	records := s.episode(rec)
	var got []domain.EventType
	keys := map[domain.Key]bool{}
	for _, r := range records {
		got = append(got, r.Envelope.Type)
		for _, key := range r.Envelope.Keys {
			if keys[key] && key != domain.SteerKey(rec.Envelope.Trace) && key != domain.UnaskedKey && !strings.HasPrefix(string(key), "invocation/") {
				s.t.Errorf("%s was appended twice", key)
			}
			keys[key] = true
		}
	}
	if !slices.Equal(got, want) {
		s.t.Fatalf("happened\n%v\nwant\n%v", got, want)
	}
	return records
}

// concluded is the end of an episode, which must have one.
func (s *stage) concluded(rec domain.Record) (domain.ReasoningConcluded, domain.Envelope) {
	s.t.Helper()
	records := s.episode(rec)
	last := records[len(records)-1].Envelope
	c, err := domain.Decode[domain.ReasoningConcluded](last)
	if err != nil {
		s.t.Fatal(err)
	}
	return c, last
}

// frames are what the person's clients are sent of the end of an episode.
func (s *stage) frames(rec domain.Record) []domain.Frame {
	s.t.Helper()
	records := s.episode(rec)
	frames, err := domain.Frames(records[len(records)-1], func(id domain.ID) (domain.Envelope, error) {
		rec, err := s.memory.Find(context.Background(), id)
		return rec.Envelope, err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return frames
}

// wholeAnswer is what an undisturbed answer leaves in the log.
var wholeAnswer = []domain.EventType{"message.received", "reasoning.started", "model.called", "model.replied", "reasoning.concluded"}
