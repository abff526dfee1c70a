package reasoning_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/guard"
	"chalie/domain/language"
)

// speaker is a model that says what a test wants, piece by piece.
type speaker struct {
	name  string
	says  func(ctx context.Context, n int, f reasoning.Follower) (language.Reply, error)
	mu    sync.Mutex
	asked int
}

func (s *speaker) Name() string { return s.name }

func (s *speaker) SeesImages() bool { return false }

func (s *speaker) Reply(context.Context, language.Prompt) (language.Reply, error) {
	return language.Reply{}, fmt.Errorf("somebody waits, and %s isn't listened to", s.name)
}

func (s *speaker) Stream(ctx context.Context, _ language.Prompt, f reasoning.Follower) (language.Reply, error) {
	s.mu.Lock()
	s.asked++
	n := s.asked
	s.mu.Unlock()
	return s.says(ctx, n, f)
}

// spell says a text by pieces of a few bytes, each after a while.
func spell(f reasoning.Follower, text string, each time.Duration) {
	for text != "" {
		n := min(3, len(text))
		f.Heard(domain.StreamEvent{Type: domain.StreamText, Delta: text[:n]})
		text = text[n:]
		domaintest.Pass(each)
	}
}

// listening is a stage whose models are the given ones.
func listening(t *testing.T, s *commandstest.Stage, models ...reasoning.Model) *reasoning.Reasoner {
	t.Helper()
	cfg := s.Config()
	cfg.Models = models
	r, err := reasoning.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// parts are those of a trace, in order.
func parts(t *testing.T, s *commandstest.Stage, rec domain.Record) (out []domain.ModelStreamed) {
	t.Helper()
	for _, r := range s.Episode(rec) {
		if r.Envelope.Type != domain.ModelStreamedType {
			continue
		}
		p, err := domain.Decode[domain.ModelStreamed](r.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		if p.Withdrawn != "" != slices.Contains(r.Envelope.Keys, domain.RetractsKey) {
			t.Errorf("%+v carries %v", p, r.Envelope.Keys)
		}
		out = append(out, p)
	}
	return out
}

func textOf(parts []domain.ModelStreamed) string {
	var out strings.Builder
	for _, p := range parts {
		for _, e := range p.Events {
			if e.Type == domain.StreamText {
				out.WriteString(e.Delta)
			}
		}
	}
	return out.String()
}

// The words of a model are recorded as they are made, without the secrets that the whole
// answer loses, five times a second at most, and come to what the reply says.
func TestAReplyIsRecordedAsItIsMade(t *testing.T) {
	const said = "The password is hunter2, I think, and the key is ghp_x7Kq9ZbT2mWv4LcR8nYp3HsD6fGj5Qa1E0uJ. It opens the door of the house by the lake, where you were last summer. Bring 4111 1111 1111 1111 people."
	for _, each := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 300 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			s := commandstest.NewStage(t)
			var at []time.Time
			s.Door.Set(func(b domain.Batch) error {
				if b.Entries[0].Envelope.Type == domain.ModelStreamedType {
					at = append(at, time.Now())
				}
				return nil
			}, nil)
			model := &speaker{name: "speaker", says: func(_ context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
				spell(f, said, each)
				reply := commandstest.Says(said)
				reply.Usage, reply.Finish = domain.Usage{InputTokens: 3, OutputTokens: 9}, domain.FinishMaxTokens
				return reply, nil
			}}
			rec := s.Say(commandstest.Ada, "what is the password?")
			if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			all := parts(t, s, rec)
			clean, _ := guard.Redact(said)
			if got := textOf(all); got != clean {
				t.Errorf("recorded was %q, want %q", got, clean)
			}
			if each > 0 && len(all) < 2 {
				t.Errorf("it was recorded in %d parts", len(all))
			}
			for i, p := range all {
				if p.Step != 1 || p.Attempt != 1 || p.Part != i+1 {
					t.Errorf("part %d is %+v", i+1, p)
				}
			}
			for i := range at {
				if i+5 < len(at) && at[i+5].Sub(at[i]) < time.Second {
					t.Errorf("six parts came within %s", at[i+5].Sub(at[i]))
				}
			}
			last := all[len(all)-1].Events
			if end := last[len(last)-1]; end.Type != domain.StreamDone || end.Finish != domain.FinishMaxTokens || end.Usage.OutputTokens != 9 {
				t.Errorf("it ends with %+v", end)
			}
			records := s.Episode(rec)
			if end := domain.FinishOf(records[len(records)-2].Envelope); end != domain.FinishMaxTokens {
				t.Errorf("it finished with %q", end)
			}
			if ended, _ := s.Concluded(rec); ended.Outcome != domain.OutcomeResponded {
				t.Errorf("it ended with %+v", ended)
			}
		})
	}
}

// Of a tool call its name comes first, then each member of its parameters once it is whole.
func TestACallIsRecordedAsItForms(t *testing.T) {
	const params = `{"what":"dinner at 8","password":"hunter2","people":[1,2]}`
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		model := &speaker{name: "speaker", says: func(_ context.Context, n int, f reasoning.Follower) (language.Reply, error) {
			if n > 1 {
				return commandstest.Says("done"), nil
			}
			f.Heard(domain.StreamEvent{Type: domain.StreamCallStart, ID: "c1", Name: "dim"})
			for i := range params {
				f.Heard(domain.StreamEvent{Type: domain.StreamCallDelta, ID: "c1", ArgsDelta: params[i : i+1]})
				domaintest.Pass(30 * time.Millisecond)
			}
			f.Heard(domain.StreamEvent{Type: domain.StreamCallEnd, ID: "c1", Args: json.RawMessage(params)})
			return language.Reply{Topic: "general", Mode: domain.ModeAct, ToolCalls: []domain.ToolCall{{ID: "c1", Tool: "dim", Params: json.RawMessage(params)}}}, nil
		}}
		s.Tools.Offered = []string{"dim"}
		rec := s.Say(commandstest.Ada, "dim the light")
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		var types []domain.StreamEventType
		var args strings.Builder
		var whole string
		for _, p := range parts(t, s, rec) {
			for _, e := range p.Events {
				if e.ID == "c1" && (len(types) == 0 || types[len(types)-1] != e.Type) {
					types = append(types, e.Type)
				}
				args.WriteString(e.ArgsDelta)
				whole += string(e.Args)
			}
		}
		const clean = `{"what":"dinner at 8","password":"[redacted: password]","people":[1,2]}`
		if args.String() != clean || whole != clean {
			t.Errorf("recorded was\n%s\nand at its end\n%s", &args, whole)
		}
		if want := []domain.StreamEventType{domain.StreamCallStart, domain.StreamCallDelta, domain.StreamCallEnd}; !slices.Equal(types, want) {
			t.Errorf("it came as %v", types)
		}
	})
}

// What was said by an attempt that doesn't count is taken back, and only that.
func TestAnotherAttemptTakesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		model := &speaker{name: "speaker", says: func(_ context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
			f.Heard(domain.StreamEvent{Type: domain.StreamText, Delta: "never shown"})
			f.Again("it broke off at once") // nothing of it was recorded
			f.Again("and again")
			spell(f, "It is at seven o'clock.", 50*time.Millisecond)
			f.Again("it broke off")
			spell(f, "It is at eight o'clock.", 50*time.Millisecond)
			return commandstest.Says("It is at eight o'clock."), nil
		}}
		rec := s.Say(commandstest.Ada, "when is it?")
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range parts(t, s, rec) {
			if p.Withdrawn != "" {
				got = append(got, p.Withdrawn)
			}
		}
		if !slices.Equal(got, []string{"it broke off"}) {
			t.Errorf("it was taken back with %q", got)
		}
		var ep domain.Episode
		for _, r := range s.Episode(rec) {
			if err := ep.Evolve(r); err != nil {
				t.Fatal(err)
			}
			if r.Envelope.Type != domain.ModelStreamedType {
				continue
			}
			so := ep.LastCall().Streamed.Text
			if want := "It is at seven o'clock. It is at eight o'clock."; !strings.Contains(want, so) || strings.Contains(so, "clock. It") {
				t.Errorf("it has said %q", so)
			}
		}
		if so := ep.LastCall().Streamed; so.Text != "" || !so.IsShown() {
			t.Errorf("once the reply is there, %+v is kept", so)
		}
	})
}

// A cancelled answer shows how far it came. What others may have said in it stays theirs.
func TestACancelledAnswerShowsHowFarItCame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		ctx, cancel := context.WithCancel(t.Context())
		model := &speaker{name: "speaker", says: func(ctx context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
			spell(f, "First you take the bus. Then ", 20*time.Millisecond)
			f.Heard(domain.StreamEvent{Type: domain.StreamText, Delta: "you w"})
			cancel()
			<-ctx.Done()
			return language.Reply{}, ctx.Err()
		}}
		rec := s.Say(commandstest.Ada, "how do I get there?")
		r := listening(t, s, model)
		if err := r.Answer(ctx, rec); err == nil {
			t.Fatal("it was given up")
		}
		if _, err := s.Messages.Cancel(t.Context(), commandstest.Ada, rec.Envelope.ID); err != nil {
			t.Fatal(err)
		}
		if err := r.Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		end, _ := s.Concluded(rec)
		if got := domain.PlainText(end.Blocks); end.Outcome != domain.OutcomeCancelled || got != "First you take the bus. Then you\nStopped." {
			t.Errorf("it ended as %s with %q", end.Outcome, got)
		}
	})
}

// An answer that was being made when the process ended is made anew, and what it had said is
// taken back.
func TestAnInterruptedReplyIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		ctx, kill := context.WithCancel(t.Context())
		model := &speaker{name: "speaker", says: func(ctx context.Context, n int, f reasoning.Follower) (language.Reply, error) {
			spell(f, "It is at seven, I think.", 50*time.Millisecond)
			if n == 1 {
				kill()
				return language.Reply{}, ctx.Err()
			}
			return commandstest.Says("It is at seven, I think."), nil
		}}
		rec := s.Say(commandstest.Ada, "when is it?")
		if err := listening(t, s, model).Answer(ctx, rec); err == nil {
			t.Fatal("it was killed")
		}
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range parts(t, s, rec) {
			got = append(got, fmt.Sprintf("%d/%d %s", p.Attempt, p.Part, p.Withdrawn))
		}
		if i := slices.Index(got, "2/0 the model is asked again, since it was interrupted"); i < 1 || got[i-1][:2] != "1/" || got[i+1] != "2/1 " {
			t.Errorf("recorded were %q", got)
		}
	})
}

// A model that fails in the middle, or whose reply isn't taken, takes back what it said, and
// the next answers.
func TestAFailedModelTakesBack(t *testing.T) {
	for name, ends := range map[string]func() (language.Reply, error){
		"it fails": func() (language.Reply, error) {
			return language.Reply{}, &domain.Error{Message: "it is out of order"}
		},
		"it says oddly":  func() (language.Reply, error) { r := commandstest.Says("x"); r.Topic = ""; return r, nil },
		"it says enough": func() (language.Reply, error) { return commandstest.Says("well"), nil },
	} {
		synctest.Test(t, func(t *testing.T) {
			s := commandstest.NewStage(t)
			model := &speaker{name: "speaker", says: func(_ context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
				spell(f, "Let me think about it.", 50*time.Millisecond)
				return ends()
			}}
			rec := s.Say(commandstest.Ada, "when is it?")
			if err := listening(t, s, model, s.Model).Answer(t.Context(), rec); err != nil {
				t.Fatal(err)
			}
			var frames []domain.FrameType
			for _, r := range s.Episode(rec) {
				types, err := domain.FrameTypes(r.Envelope)
				if err != nil {
					t.Fatal(err)
				}
				if r.Envelope.Type == domain.ModelFailedType {
					frames = append(frames, types...)
				}
			}
			if want := name != "it says enough"; slices.Equal(frames, []domain.FrameType{domain.FrameRetracted}) != want {
				t.Errorf("%s: the failure gives %v", name, frames)
			}
		})
	}
}

// An answer that a check rejects takes back what clients were sent of it.
func TestARejectedAnswerIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		s.Verifier = &judge{verdicts: []domain.VerificationOutcome{domain.VerifiedFailure, domain.VerifiedSuccess}}
		s.Tools.Offered = []string{"dim"}
		model := &speaker{name: "speaker", says: func(_ context.Context, n int, f reasoning.Follower) (language.Reply, error) {
			if n == 1 {
				return language.Reply{Topic: "general", Mode: domain.ModeAct, ToolCalls: []domain.ToolCall{{ID: "c1", Tool: "dim", Params: json.RawMessage(`{}`)}}}, nil
			}
			spell(f, "It is dark now.", 50*time.Millisecond)
			return commandstest.Says("It is dark now."), nil
		}}
		rec := s.Say(commandstest.Ada, "dim the light")
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		var retracted int
		for _, r := range s.Episode(rec) {
			if r.Envelope.Type == domain.AnswerVerifiedType && slices.Contains(r.Envelope.Keys, domain.RetractsKey) {
				retracted++
			}
		}
		if retracted != 1 {
			t.Errorf("%d checks took it back", retracted)
		}
	})
}

// A log that doesn't take the parts of a reply costs the parts, and not the answer.
func TestPartsThatCantBeRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		s.Door.Set(func(b domain.Batch) error {
			if len(b.Entries) == 1 && b.Entries[0].Envelope.Type == domain.ModelStreamedType {
				return &domain.Error{Category: domain.Dependency, Code: "disk_full", Retriable: true, Message: "the disk is full"}
			}
			return nil
		}, nil)
		model := &speaker{name: "speaker", says: func(_ context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
			spell(f, "It is at seven, I think.", 50*time.Millisecond)
			return commandstest.Says("It is at seven, I think."), nil
		}}
		rec := s.Say(commandstest.Ada, "when is it?")
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		s.Happened(rec, "message.received", "reasoning.started", "model.called", "model.replied", "reasoning.concluded")
	})
}

// The parts of a reply in another conversation are marked as its steps are.
func TestPartsBelongToTheirConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := commandstest.NewStage(t)
		model := &speaker{name: "speaker", says: func(_ context.Context, _ int, f reasoning.Follower) (language.Reply, error) {
			spell(f, "It is at seven, I think.", 50*time.Millisecond)
			return commandstest.Says("It is at seven, I think."), nil
		}}
		work := domain.ConversationName{Session: "work"}
		id, err := s.Messages.Say(t.Context(), commandstest.Ada, domain.MessageReceived{Text: "when is it?", Conversation: work})
		if err != nil {
			t.Fatal(err)
		}
		rec := s.Find(id)
		if err := listening(t, s, model).Answer(t.Context(), rec); err != nil {
			t.Fatal(err)
		}
		if len(parts(t, s, rec)) < 2 {
			t.Error("it wasn't recorded as it was made")
		}
		for _, r := range s.Episode(rec) {
			if domain.ConversationOf(r.Envelope) != work.ID() {
				t.Errorf("%s carries %v", r.Envelope.Type, r.Envelope.Keys)
			}
		}
	})
}
