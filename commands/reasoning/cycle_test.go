package reasoning_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"chalie/commands/background"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/language"
)

// related is a model that finds what is related, as one that never invents does.
func related(_ context.Context, _ int, p language.Prompt) (language.Reply, error) {
	r := language.Reply{Topic: "world", Mode: domain.ModeRespond, Confidence: domain.One}
	for _, rel := range p.Related {
		r.Findings = append(r.Findings, domain.Finding{
			Blocks: []domain.Block{domain.TextBlock(rel.Signal.Label, domain.FormatPlain)}, Topic: "dinner", Confidence: rel.Score,
			Evidence: []domain.Evidence{{EnvelopeID: rel.Signal.EnvelopeID, Role: "heard", Weight: rel.Score},
				{EnvelopeID: rel.Commitment.EnvelopeID, Role: "planned", Weight: rel.Score}},
		})
	}
	return r, nil
}

// wholeCycle is what an undisturbed cycle leaves in the log that finds what nobody found
// before.
var wholeCycle = []domain.EventType{"spine.signal_emitted", "reasoning.started", "relations.found", "model.called", "model.replied", "reasoning.concluded"}

func TestACycleTellsWhatMatters(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = related
	reserved := s.Remind("dinner reservation at Luigi's", 2*time.Hour)
	for _, noise := range []string{"Traffic jam on the ring road", "Shares fall for the third day", "A concert in the park", "Team wins the cup", "New phone is out"} {
		s.Hear(noise)
	}
	closed := s.Hear("Luigi's is closed tonight")
	rec := s.Notice()
	s.Cycle(rec)
	s.Cycle(rec)
	s.Happened(rec, wholeCycle...)
	end, _ := s.Concluded(rec)
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
	frames := s.Frames(rec)
	if len(frames) != 1 || frames[0].Type != domain.FrameNotification || domain.PlainText(frames[0].Blocks) != "Luigi's is closed tonight" || frames[0].Topic != "dinner" {
		t.Errorf("the person gets %+v", frames)
	}
}

// gatekeeper lets nothing through but what its list says.
type gatekeeper struct {
	allNews
	pass []bool
}

func (g *gatekeeper) Judge(context.Context, reasoning.Notice) (reasoning.Verdict, error) {
	pass := g.pass[0]
	g.pass = g.pass[1:]
	if pass {
		return reasoning.Verdict{}, nil
	}
	return reasoning.Verdict{Gate: "cooldown", By: domain.HeldByCooldown, Since: time.Minute, Within: 30 * time.Minute}, nil
}

// allNews knows of nothing that was told.
type allNews struct{}

func (allNews) Standing(_ context.Context, _ domain.Millis, related []domain.SeenRelation) ([]domain.Gate, error) {
	return make([]domain.Gate, len(related)), nil
}

func TestWhatIsKeptBack(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = related
	s.Remind("dinner reservation at Luigi's", 2*time.Hour)
	s.Hear("Luigi's is closed tonight")
	s.Hear("Luigi's burnt down")
	two := s.Notice()
	s.Notices = &gatekeeper{pass: []bool{false, true}}
	s.Cycle(two)
	if end, _ := s.Concluded(two); end.Outcome != domain.OutcomeSurfaced || !slices.Equal(end.Findings, []int{1}) || len(end.Rejected) != 2 || end.Rejected[0].Gate != "cooldown" || end.Rejected[0].Detail != "told 1 min ago, cooldown 30 min" {
		t.Errorf("concluded %+v", end)
	}
	none := s.Notice()
	s.Notices = &gatekeeper{pass: []bool{false, false}}
	s.Cycle(none)
	if end, _ := s.Concluded(none); end.Outcome != domain.OutcomeHeld || end.Shown != domain.ShownNot || len(s.Frames(none)) != 0 || len(end.Rejected) != 4 {
		t.Errorf("concluded %+v", end)
	}
	s.Model.Says = func(ctx context.Context, n int, p language.Prompt) (language.Reply, error) {
		r, err := related(ctx, n, p)
		r.Findings = r.Findings[:1]
		r.Findings[0].Confidence, r.Findings[0].Evidence[0].Weight, r.Findings[0].Evidence[1].Weight = 900_000, 600_000, 300_000
		return r, err
	}
	weighed := s.Notice()
	s.Notices = &gatekeeper{pass: []bool{false}}
	s.Cycle(weighed)
	if end, _ := s.Concluded(weighed); len(end.Rejected) != 2 || end.Rejected[0].Score != 600_000 || end.Rejected[1].Score != 300_000 {
		t.Errorf("what was kept back has another weight than it had: %+v", end.Rejected)
	}
	s.Notices = &gatekeeper{pass: []bool{false}}
	s.Model.Says = nil
	said := s.Say(commandstest.Station, "news")
	s.Answer(said)
	if end, _ := s.Concluded(said); end.Outcome != domain.OutcomeHeld || len(s.Frames(said)) != 0 || len(end.Rejected) != 1 || end.Rejected[0].EnvelopeID != said.Envelope.ID {
		t.Errorf("concluded %+v", end)
	}
}

// A cycle makes room at once, goes on where it was, and is given up in the end.
func TestACycleMakesRoom(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Notice()
	interrupted := func(context.CancelCauseFunc) {}
	run := func() bool {
		t.Helper()
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		s.Model.Says = func(asked context.Context, n int, p language.Prompt) (language.Reply, error) {
			interrupted(cancel)
			if asked.Err() != nil {
				return language.Reply{}, asked.Err()
			}
			return related(asked, n, p)
		}
		done, err := s.Reasoner().Cycle(ctx, rec)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	interrupted = func(cancel context.CancelCauseFunc) { cancel(&background.Preemption{By: domain.ID{9}}) }
	if run() {
		t.Fatal("it didn't make room")
	}
	records := s.Happened(rec, "spine.signal_emitted", "reasoning.started", "model.called", "reasoning.yielded")
	if got := commandstest.Decoded[domain.ReasoningYielded](t, records[3]); got.To != (domain.ID{9}) {
		t.Errorf("it made room for %s", got.To)
	}
	interrupted = func(context.CancelCauseFunc) {}
	if !run() {
		t.Fatal("it made room for nobody")
	}
	s.Happened(rec, "spine.signal_emitted", "reasoning.started", "model.called", "reasoning.yielded", "reasoning.resumed", "model.replied", "reasoning.concluded")

	rec = s.Notice()
	interrupted = func(cancel context.CancelCauseFunc) { cancel(background.ErrPreempted) }
	for range domain.MaxYields {
		if run() {
			t.Fatal("it didn't make room")
		}
	}
	if !run() {
		t.Fatal("it is not given up")
	}
	if end, _ := s.Concluded(rec); end.Outcome != domain.OutcomeYielded || end.Shown != domain.ShownNot {
		t.Errorf("concluded %+v", end)
	}
}

// Before it has begun it makes room, too.
func TestACycleThatHasNotBegunMakesRoom(t *testing.T) {
	s := commandstest.NewStage(t)
	rec := s.Notice()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(background.ErrPreempted)
	if done, err := s.Reasoner().Cycle(ctx, rec); done || err != nil {
		t.Fatalf("done %t, %v", done, err)
	}
	s.Happened(rec, "spine.signal_emitted", "reasoning.yielded")
	s.Cycle(rec)
	s.Happened(rec, "spine.signal_emitted", "reasoning.yielded", "reasoning.resumed", "reasoning.started", "model.called", "model.replied", "reasoning.concluded")
}

// slowly judges while time goes by.
type slowly struct {
	allNews
	clock  *domaintest.Clock
	judged []domain.Millis
}

func (s *slowly) Judge(_ context.Context, n reasoning.Notice) (reasoning.Verdict, error) {
	s.judged = append(s.judged, n.At)
	s.clock.Advance(700 * time.Millisecond)
	return reasoning.Verdict{}, nil
}

// A cycle is judged and recorded by one reading of the clock: a replay has no other.
func TestACycleIsRecordedAsItWasJudged(t *testing.T) {
	s := commandstest.NewStage(t)
	s.Model.Says = related
	s.Remind("dinner reservation at Luigi's", 2*time.Hour)
	s.Hear("Luigi's is closed tonight")
	s.Hear("Luigi's burnt down")
	rec, judge := s.Notice(), &slowly{clock: s.Clock}
	s.Notices = judge
	s.Cycle(rec)
	_, end := s.Concluded(rec)
	for _, at := range judge.judged {
		if len(judge.judged) < 2 || at != end.Timestamp {
			t.Errorf("judged by %v, recorded at %v", judge.judged, end.Timestamp)
		}
	}
}
