package commands_test

import (
	"context"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections/transcript"
	"chalie/projections/world"
)

// moveOf is the move that a recorded step is the result of.
var moveOf = map[domain.EventType]domain.Move{
	"reasoning.started": domain.MoveStart, "model.called": domain.MoveCall, "model.replied": domain.MoveAsk, "model.failed": domain.MoveAsk,
	"call.rejected": domain.MoveTool, "tool.invoked": domain.MoveTool, "answer.verified": domain.MoveVerify,
	"reasoning.resumed": domain.MoveResume, "reasoning.concluded": domain.MoveConclude,
}

// A recorded conversation folds again to the decisions that were made: before
// every step the fold of what stands before it asks for that very move, and a
// model is asked the very same question.
func TestRefoldedDecisionsAreTheSame(t *testing.T) {
	s := newHandyStage(t)
	s.verifier = &judge{verdicts: []domain.VerificationOutcome{domain.VerifiedFailure, domain.VerifiedSuccess}}
	s.hear("rain this evening")
	s.answer(s.say(ada, "hello"))
	turn := 0
	s.model.reply = func(ctx context.Context, n int, p commands.Prompt) (commands.Reply, error) {
		turn++
		switch turn {
		case 1:
			s.steer("but quietly")
		case 2:
			return calls("fly", "look"), nil
		}
		if len(p.Issues) > 0 {
			return says("better"), nil
		}
		return threeTools(ctx, n, p)
	}
	rec := s.say(ada, "tidy up")
	s.answer(rec)
	records := s.episode(rec)

	asked := s.model.asked[len(s.model.asked)-countOf(records, "model.replied"):]
	var ep domain.Episode
	for _, r := range records {
		if want, step := moveOf[r.Envelope.Type]; step && ep.Next() != want {
			t.Errorf("before %s at %d the fold asks for %q", r.Envelope.Type, r.Position, ep.Next())
		}
		if err := ep.Evolve(r); err != nil {
			t.Fatal(err)
		}
		if r.Envelope.Type == "model.called" {
			if got := s.askedAgain(r.Position); !reflect.DeepEqual(got, asked[0]) {
				t.Errorf("at %d it is asked\n%+v\nand was\n%+v", r.Position, got, asked[0])
			}
			asked = asked[1:]
		}
	}
	if ep.Next() != domain.MoveNone || len(asked) > 0 {
		t.Errorf("in the end it asks for %q, with %d questions left", ep.Next(), len(asked))
	}
}

func countOf(records []domain.Record, kind domain.EventType) (n int) {
	for _, r := range records {
		if r.Envelope.Type == kind {
			n++
		}
	}
	return n
}

// askedAgain is what the model is asked by a process that finds the log as it was
// up to a model.called.
func (s *stage) askedAgain(through domain.Position) commands.Prompt {
	s.t.Helper()
	clock := domaintest.NewClock()
	log := domaintest.NewLog(clock)
	all, err := s.log.Select(context.Background(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, r := range all[:slices.IndexFunc(all, func(r domain.Record) bool { return r.Position == through })+1] {
		receipt, err := log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{{Topic: r.Topic, Envelope: r.Envelope}}})
		if err != nil || receipt.Positions[0] != r.Position {
			s.t.Fatalf("%d went to %+v, %v", r.Position, receipt, err)
		}
	}
	question := make(chan commands.Prompt, 1)
	again := &oracle{reply: func(_ context.Context, _ int, p commands.Prompt) (commands.Reply, error) {
		question <- p
		return commands.Reply{}, &domain.Error{Category: domain.Dependency, Retriable: true, Message: "enough"}
	}}
	fresh := &mind{log: log, world: world.New(domain.DefaultWorldRules()), talk: transcript.New()}
	r, err := commands.NewReasoner(commands.ReasonerConfig{Env: commands.Env{Log: log, Reader: log, Tail: s.log, Clock: clock, IDs: s.ids, Logger: slog.New(slog.DiscardHandler)}, Mind: commands.NewMind(fresh.world, nowhere{}, log),
		Conversation: fresh, Applied: fresh, Models: []commands.Model{again}, Tools: s.tools, Verifier: s.verifier, Rules: "rules", Build: "test"})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := r.Answer(context.Background(), all[through-1]); err == nil || !strings.Contains(err.Error(), "enough") {
		s.t.Fatalf("asked again at %d it says %v", through, err)
	}
	return <-question
}
