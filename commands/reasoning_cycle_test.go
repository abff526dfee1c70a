package commands_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// notice appends a signal of the background's, and returns its record.
func (s *stage) notice() domain.Record {
	s.t.Helper()
	signal, err := domain.NewSpineSignal(domain.SpineSignal{Type: domain.IdleDiscovery, Source: domain.ServiceIdle, Content: "it is quiet", Energy: domain.One / 2})
	if err != nil {
		s.t.Fatal(err)
	}
	id := s.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore), id, domain.MillisOf(s.clock.Now()), "idle", signal)
	if err != nil {
		s.t.Fatal(err)
	}
	entry.Envelope.Keys = []domain.Key{domain.SpineTypeKey(domain.IdleDiscovery)}
	if _, err := s.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.t.Fatal(err)
	}
	return s.find(id)
}

// remind plans something, and hear overhears something.
func (s *stage) remind(text string, in time.Duration) domain.ID {
	s.t.Helper()
	id := s.ids.NewID()
	now := domain.MillisOf(s.clock.Now())
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, now, "chalie", domain.ReminderSet{Text: text, Due: now.Add(in), Zone: "UTC"})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		s.t.Fatal(err)
	}
	return id
}

// hear records a signal.
func (s *stage) hear(text string) domain.ID {
	s.t.Helper()
	id, err := s.signals(0).Submit(context.Background(), station, domain.SignalReceived{SignalType: "news", Content: text, ActivationEnergy: 0.4})
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// related is a model that finds what is related, as one that never invents does.
func related(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
	r := commands.Reply{Topic: "world", Mode: domain.ModeRespond, Confidence: domain.One}
	for _, rel := range p.Related {
		r.Findings = append(r.Findings, domain.Finding{
			Blocks: []domain.Block{domain.TextBlock(rel.Signal.Label, domain.FormatPlain)}, Topic: "dinner", Confidence: rel.Score,
			Evidence: []domain.Evidence{{EnvelopeID: rel.Signal.EnvelopeID, Role: "heard", Weight: rel.Score},
				{EnvelopeID: rel.Commitment.EnvelopeID, Role: "planned", Weight: rel.Score}},
		})
	}
	return r, nil
}

// wholeCycle is what an undisturbed cycle leaves in the log.
var wholeCycle = []domain.EventType{"spine.signal_emitted", "reasoning.started", "model.called", "model.replied", "reasoning.concluded"}

// cycle has the reasoner think about a record in the background.
func (s *stage) cycle(rec domain.Record) {
	s.t.Helper()
	if done, err := s.reasoner().Cycle(context.Background(), rec); !done || err != nil {
		s.t.Fatalf("done %t, %v", done, err)
	}
}

func TestACycleTellsWhatMatters(t *testing.T) {
	s := newStage(t)
	s.model.reply = related
	reserved := s.remind("dinner reservation at Luigi's", 2*time.Hour)
	for _, noise := range []string{"Traffic jam on the ring road", "Shares fall for the third day", "A concert in the park", "Team wins the cup", "New phone is out"} {
		s.hear(noise)
	}
	closed := s.hear("Luigi's is closed tonight")
	rec := s.notice()
	s.cycle(rec)
	s.cycle(rec)
	s.happened(rec, wholeCycle...)
	end, _ := s.concluded(rec)
	if end.Outcome != domain.OutcomeSurfaced || end.Shown != domain.ShownNotification || !slices.Equal(end.Findings, []int{0}) {
		t.Fatalf("concluded %+v", end)
	}
	var ids []domain.ID
	for _, e := range end.Evidence {
		ids = append(ids, e.EnvelopeID)
	}
	if !slices.Equal(ids, []domain.ID{rec.Envelope.ID, closed, reserved}) {
		t.Errorf("it rests on %v", ids)
	}
	frames := s.frames(rec)
	if len(frames) != 1 || frames[0].Type != domain.FrameNotification || domain.PlainText(frames[0].Blocks) != "Luigi's is closed tonight" || frames[0].Topic != "dinner" {
		t.Errorf("the person gets %+v", frames)
	}
}

// gatekeeper lets nothing through but what its list says.
type gatekeeper struct{ pass []bool }

func (g *gatekeeper) Judge(context.Context, commands.Notice) (commands.Verdict, error) {
	pass := g.pass[0]
	g.pass = g.pass[1:]
	if pass {
		return commands.Verdict{}, nil
	}
	return commands.Verdict{Gate: "cooldown", Detail: "told 1 min ago"}, nil
}

func TestWhatIsKeptBack(t *testing.T) {
	s := newStage(t)
	s.model.reply = related
	s.remind("dinner reservation at Luigi's", 2*time.Hour)
	s.hear("Luigi's is closed tonight")
	s.hear("Luigi's burnt down")
	two := s.notice()
	s.notices = &gatekeeper{pass: []bool{false, true}}
	s.cycle(two)
	if end, _ := s.concluded(two); end.Outcome != domain.OutcomeSurfaced || !slices.Equal(end.Findings, []int{1}) || len(end.Rejected) != 2 || end.Rejected[0].Gate != "cooldown" || end.Rejected[0].Detail != "told 1 min ago" {
		t.Errorf("concluded %+v", end)
	}
	none := s.notice()
	s.notices = &gatekeeper{pass: []bool{false, false}}
	s.cycle(none)
	if end, _ := s.concluded(none); end.Outcome != domain.OutcomeHeld || end.Shown != domain.ShownNot || len(s.frames(none)) != 0 || len(end.Rejected) != 4 {
		t.Errorf("concluded %+v", end)
	}
	s.model.reply = func(ctx context.Context, n int, p commands.Prompt) (commands.Reply, error) {
		r, err := related(ctx, n, p)
		r.Findings = r.Findings[:1]
		r.Findings[0].Confidence, r.Findings[0].Evidence[0].Weight, r.Findings[0].Evidence[1].Weight = 900_000, 600_000, 300_000
		return r, err
	}
	weighed := s.notice()
	s.notices = &gatekeeper{pass: []bool{false}}
	s.cycle(weighed)
	if end, _ := s.concluded(weighed); len(end.Rejected) != 2 || end.Rejected[0].Score != 600_000 || end.Rejected[1].Score != 300_000 {
		t.Errorf("what was kept back has another weight than it had: %+v", end.Rejected)
	}
	s.notices = &gatekeeper{pass: []bool{false}}
	s.model.reply = nil
	said := s.say(station, "news")
	s.answer(said)
	if end, _ := s.concluded(said); end.Outcome != domain.OutcomeHeld || len(s.frames(said)) != 0 || len(end.Rejected) != 1 || end.Rejected[0].EnvelopeID != said.Envelope.ID {
		t.Errorf("concluded %+v", end)
	}
}

// A cycle makes room at once, goes on where it was, and is given up in the end.
func TestACycleMakesRoom(t *testing.T) {
	s := newStage(t)
	rec := s.notice()
	interrupted := func(context.CancelCauseFunc) {}
	run := func() bool {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		s.model.reply = func(asked context.Context, n int, p commands.Prompt) (commands.Reply, error) {
			interrupted(cancel)
			if asked.Err() != nil {
				return commands.Reply{}, asked.Err()
			}
			return related(asked, n, p)
		}
		done, err := s.reasoner().Cycle(ctx, rec)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	interrupted = func(cancel context.CancelCauseFunc) { cancel(&commands.Preemption{By: domain.ID{9}}) }
	if run() {
		t.Fatal("it didn't make room")
	}
	records := s.happened(rec, "spine.signal_emitted", "reasoning.started", "model.called", "reasoning.yielded")
	if got := decoded[domain.ReasoningYielded](t, records[3]); got.To != (domain.ID{9}) {
		t.Errorf("it made room for %s", got.To)
	}
	interrupted = func(context.CancelCauseFunc) {}
	if !run() {
		t.Fatal("it made room for nobody")
	}
	s.happened(rec, "spine.signal_emitted", "reasoning.started", "model.called", "reasoning.yielded", "reasoning.resumed", "model.replied", "reasoning.concluded")

	rec = s.notice()
	interrupted = func(cancel context.CancelCauseFunc) { cancel(commands.ErrPreempted) }
	for range domain.MaxYields {
		if run() {
			t.Fatal("it didn't make room")
		}
	}
	if !run() {
		t.Fatal("it is not given up")
	}
	if end, _ := s.concluded(rec); end.Outcome != domain.OutcomeYielded || end.Shown != domain.ShownNot {
		t.Errorf("concluded %+v", end)
	}
}

// Before it has begun it makes room, too.
func TestACycleThatHasNotBegunMakesRoom(t *testing.T) {
	s := newStage(t)
	rec := s.notice()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(commands.ErrPreempted)
	if done, err := s.reasoner().Cycle(ctx, rec); done || err != nil {
		t.Fatalf("done %t, %v", done, err)
	}
	s.happened(rec, "spine.signal_emitted", "reasoning.yielded")
	s.cycle(rec)
	s.happened(rec, "spine.signal_emitted", "reasoning.yielded", "reasoning.resumed", "reasoning.started", "model.called", "model.replied", "reasoning.concluded")
}
