package reasoning_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/silence"
)

// calm is the stage's model as one that no text moves.
type calm struct{ reasoning.Model }

func (calm) Unmoved() {}

// foreseen is a stage whose emitter thinks ahead, as a process has it after its start.
type foreseen struct {
	*commandstest.Stage
	emitter *background.Emitter
}

func foresee(s *commandstest.Stage) *foreseen {
	s.T.Helper()
	cfg := s.Config()
	cfg.Models = []reasoning.Model{calm{s.Model}}
	r, err := reasoning.New(cfg)
	if err != nil {
		s.T.Fatal(err)
	}
	emitter, err := background.NewEmitter(background.EmitterConfig{Env: commands.Env{Log: screen.Before(s.Door), Reader: s.Memory, Tail: s.Log, Clock: s.Clock, IDs: s.IDs, Logger: slog.New(slog.DiscardHandler)}})
	if err != nil {
		s.T.Fatal(err)
	}
	emitter.ThinkAhead(background.Ahead{Foresight: reasoning.NewForesight(r)})
	return &foreseen{s, emitter}
}

// idle emits a signal that nothing caused, and returns what it recorded.
func (f *foreseen) idle() []domain.Record {
	f.T.Helper()
	from := f.Log.Tail() + 1
	err := f.emitter.Record(context.Background(), domain.Envelope{}, domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: "it is quiet", Energy: domain.One / 2})
	if err != nil {
		f.T.Fatal(err)
	}
	records, err := f.Log.Select(context.Background(), domain.Selector{}, from, 100)
	if err != nil {
		f.T.Fatal(err)
	}
	return records
}

// quietly is one record of a silent cycle, with what it says.
func (f *foreseen) quietly() (domain.Record, domain.SpineSignalEmitted) {
	f.T.Helper()
	records := f.idle()
	if len(records) == 0 || !domain.IsSilent(records[0].Envelope) || len(records) > 2 {
		f.T.Fatalf("a cycle that tells nothing is recorded as %+v", records)
	}
	if len(records) == 2 && (records[1].Envelope.Type != domain.RelationsFoundType || records[1].Envelope.Parent != records[0].Envelope.ID) {
		f.T.Errorf("the reasons are recorded as %+v", records[1])
	}
	p, err := domain.Decode[domain.SpineSignalEmitted](records[0].Envelope)
	if err != nil {
		f.T.Fatal(err)
	}
	return records[0], p
}

func nothing(context.Context, int, language.Prompt) (language.Reply, error) {
	return language.Reply{Topic: "world", Mode: domain.ModeRespond, Confidence: domain.One}, nil
}

func TestACycleThatTellsNothingIsOneRecord(t *testing.T) {
	f := foresee(commandstest.NewStage(t))
	f.Model.Says = nothing
	plan := f.Remind("call ACME about the shares", 48*time.Hour)
	heard := f.Hear("Rain is coming to the harbour")
	rec, first := f.quietly()
	if first.Silent.Rules == nil || !first.Silent.Since.IsZero() || len(first.Silent.Came) != 2 {
		t.Errorf("the first is not in full: %+v", first.Silent)
	}
	if kind, ok := domain.SpineTypeOf(rec.Envelope); !ok || kind != domain.IdleDiscovery {
		t.Errorf("it is %q, and no idle_discovery", kind)
	}
	if ends, err := f.Log.Select(t.Context(), domain.Selector{Trace: rec.Envelope.Trace}, 1, 10); err != nil || len(ends) != 1 {
		t.Errorf("its trace has %d records (%v)", len(ends), err)
	}
	var ep domain.Episode
	if err := ep.Evolve(rec); err != nil || ep.Next() != domain.MoveNone {
		t.Errorf("its episode goes on with %q (%v)", ep.Next(), err)
	}

	f.Clock.Advance(time.Minute)
	if again := f.idle(); len(again) > 0 {
		t.Errorf("a cycle that finds the same is recorded as %+v", again)
	}
	other := f.Hear("The harbour is closed")
	_, second := f.quietly()
	if s := second.Silent; s.Since != rec.Envelope.ID || s.Nth != 1 || s.Rules != nil || len(s.Came) != 1 || s.Came[0].ID != other || len(s.Went) > 0 {
		t.Errorf("the second differs by %+v", s)
	}
	for _, word := range []string{"harbour", "ACME", "Rain"} {
		if text := string(mustPayload(f.Log, second, rec)); strings.Contains(text, word) {
			t.Errorf("a word of what was said is in %s", text)
		}
	}

	// A threshold that time alone crosses is news, and the plan stays.
	f.Clock.Advance(20 * time.Hour)
	faded, third := f.quietly()
	if s := third.Silent; len(s.Came)+len(s.Went)+len(s.Pushed) > 0 {
		t.Errorf("what follows from the time is recorded: %+v", s)
	}
	cycle, err := silence.NewReader(f.Memory).Cycle(t.Context(), faded)
	if err != nil || len(cycle.Started.World.Items) != 1 || cycle.Started.World.Items[0].EnvelopeID != plan {
		t.Fatalf("in mind were %+v (%v)", cycle.Started.World.Items, err)
	}
	if i := slices.IndexFunc(cycle.Started.World.LeftOut, func(s domain.SeenItem) bool { return s.EnvelopeID == heard }); i < 0 || cycle.Started.World.LeftOut[i].Gate != domain.GateBelowThreshold {
		t.Errorf("left out were %+v", cycle.Started.World.LeftOut)
	}

	// One that a time to keep may have taken is not referred to.
	f.Clock.Advance(25 * time.Hour)
	f.Hear("Snow on the hills")
	if _, p := f.quietly(); p.Silent.Rules == nil || !p.Silent.Since.IsZero() {
		t.Errorf("a day later it differs from one that may be gone: %+v", p.Silent)
	}

	// Another process doesn't know what the one before looked at.
	restarted := foresee(f.Stage)
	if _, p := restarted.quietly(); p.Silent.Rules == nil || !p.Silent.Since.IsZero() {
		t.Errorf("the first of a process is not in full: %+v", p.Silent)
	}
}

func mustPayload(log domain.Reader, p domain.SpineSignalEmitted, first domain.Record) []byte {
	rec, _ := log.Find(context.Background(), p.Silent.Since)
	return append(slices.Clone(first.Envelope.Payload.Bytes), rec.Envelope.Payload.Bytes...)
}

// What a silent cycle comes to is what its steps would have been.
func TestASilentCycleIsWhatItsStepsAre(t *testing.T) {
	for name, says := range map[string]func(context.Context, int, language.Prompt) (language.Reply, error){"nothing": nothing, "held": related} {
		s := commandstest.NewStage(t)
		s.Model.Says = says
		s.Remind("dinner reservation at Luigi's", 2*time.Hour)
		for _, text := range []string{"Luigi's is closed tonight", "Rain is coming", "Luigi's burnt down"} {
			s.Hear(text)
		}
		f := foresee(held(s))
		rec, _ := f.quietly()
		got, err := silence.NewReader(s.Memory).Cycle(t.Context(), rec)
		if err != nil {
			t.Fatal(err)
		}
		stepped := s.Notice()
		held(s).Cycle(stepped)
		var ground domain.ReasoningStarted
		for _, r := range s.Episode(stepped) {
			if p, err := domain.Decode[domain.ReasoningStarted](r.Envelope); err == nil {
				ground = p
			}
		}
		end, _ := s.Concluded(stepped)
		if !slices.Equal(got.Started.World.Items, ground.World.Items) || !slices.Equal(got.Started.World.LeftOut, ground.World.LeftOut) ||
			!slices.Equal(got.Started.Relations, ground.Relations) || !slices.Equal(got.Started.Recent, ground.Recent) || got.Started.Limits != ground.Limits {
			t.Errorf("%s: its ground is %+v, want %+v", name, got.Started, ground)
		}
		if got.Ended.Outcome != end.Outcome || !slices.Equal(got.Ended.Rejected, end.Rejected) || name == "held" && len(end.Rejected) == 0 {
			t.Errorf("%s: it ended with %+v, want %+v", name, got.Ended, end)
		}
	}
}

// held is a stage on which nothing may be told.
func held(s *commandstest.Stage) *commandstest.Stage {
	s.Notices = &gatekeeper{pass: make([]bool, 16)}
	return s
}

// A cycle that tells something, or does something, is left to the consumer, and nothing was done.
func TestACycleWithAnEffectIsLeft(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Remind("dinner reservation at Luigi's", 2*time.Hour)
	s.Hear("Luigi's is closed tonight")
	s.Tools.Offered = []string{"look"}
	f := foresee(s)
	for name, says := range map[string]func(context.Context, int, language.Prompt) (language.Reply, error){
		"a finding": related,
		"a call": func(context.Context, int, language.Prompt) (language.Reply, error) {
			return language.Reply{Topic: "world", Mode: domain.ModeAct, Confidence: domain.One, ToolCalls: []domain.ToolCall{{ID: "1", Tool: "look", Params: []byte("{}")}}}, nil
		},
		"a failure": func(context.Context, int, language.Prompt) (language.Reply, error) {
			return language.Reply{}, &domain.Error{Op: "ask", Category: domain.Validation, Code: "nonsense", Message: "it says nothing"}
		},
	} {
		s.Model.Says = says
		records := f.idle()
		if len(records) != 1 || domain.IsSilent(records[0].Envelope) || records[0].Envelope.Type != domain.SpineSignalEmittedType {
			t.Errorf("%s is recorded as %+v", name, records)
		}
		if len(s.Tools.Done) > 0 {
			t.Fatalf("%s called %v", name, s.Tools.Done)
		}
	}
	cfg := s.Config()
	r, err := reasoning.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	asked := s.Model.Times()
	opening := s.Notice().Envelope
	opening.ID = s.IDs.NewID() // it isn't recorded
	opening.Trace.ID = opening.ID
	recorded, done, err := reasoning.NewForesight(r).Silently(t.Context(), domain.Batch{Entries: []domain.Entry{{Topic: domain.TopicSpine, Envelope: opening}}})
	if recorded || done || err != nil || s.Model.Times() != asked {
		t.Errorf("another model was asked ahead: %t, %t, %v", recorded, done, err)
	}
}

// A full one stands so often that one that can't be read breaks no more than those up to the next.
func TestFullCyclesStandBetween(t *testing.T) {
	f := foresee(commandstest.NewStage(t))
	f.Model.Says = nothing
	var all []domain.Record
	full := []int{}
	for i := range 2*domain.FullEvery + 3 {
		f.Hear("News of the day")
		rec, p := f.quietly()
		all = append(all, rec)
		if p.Silent.Since.IsZero() {
			full = append(full, i)
		}
	}
	if !slices.Equal(full, []int{0, domain.FullEvery, 2 * domain.FullEvery}) {
		t.Fatalf("full are %v", full)
	}
	f.Memory.Erased[all[5].Envelope.ID] = true
	reader := silence.NewReader(f.Memory)
	for i, rec := range all {
		rec, err := f.Memory.Find(t.Context(), rec.Envelope.ID)
		if err != nil {
			t.Fatal(err)
		}
		cycle, err := reader.Cycle(t.Context(), rec)
		if broken := i >= 5 && i < domain.FullEvery; broken != (domain.CodeOf(err) == domain.CodeErased) || !broken && (err != nil || len(cycle.Started.World.Items)+len(cycle.Started.World.LeftOut) != i+1 || !reader.Agrees(rec, &cycle)) {
			t.Fatalf("cycle %d: %v", i, err)
		}
	}
}

// Who couldn't learn whether a cycle was recorded, such as at the end of the program, asks again:
// it is there once, and the next stands in full.
func TestASilentCycleIsRecordedOnce(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = nothing
	cfg := s.Config()
	cfg.Models = []reasoning.Model{calm{s.Model}}
	r, err := reasoning.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	f := reasoning.NewForesight(r)
	s.Hear("Rain is coming to the harbour")
	payload, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: "it is quiet", Energy: domain.One / 2})
	if err != nil {
		t.Fatal(err)
	}
	id := s.IDs.NewID()
	opening, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.Principal(domain.ServiceIdle)), id, domain.MillisOf(s.Clock.Now()), domain.Source(domain.ServiceIdle), payload)
	if err != nil {
		t.Fatal(err)
	}
	for again := range 2 {
		recorded, done, err := f.Silently(t.Context(), domain.Batch{Entries: []domain.Entry{opening}})
		if err != nil || !recorded || !done {
			t.Fatalf("asked %d times more it is recorded %t, done %t, %v", again, recorded, done, err)
		}
		s.Clock.Advance(time.Second)
		s.Hear("The harbour is closed")
	}
	there, err := s.Log.Select(t.Context(), domain.Selector{Trace: opening.Envelope.Trace}, 1, 10)
	if err != nil || len(there) != 1 || !domain.IsSilent(there[0].Envelope) {
		t.Errorf("the log has %+v (%v)", there, err)
	}
}
