package tool_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/commands/signal"
	"chalie/commands/tool"
	"chalie/domain"
)

// shared is all that records something for callers, over one Volume.
type shared struct {
	*commandstest.Workshop
	signals  *signal.Signals
	messages *message.Messages
	tools    *tool.Tools
	program  commands.Caller
	hospital domain.Interface
	passes   string // what the interface answers to its own page
}

// silence is a conversation in which nothing was said.
type silence struct{}

func (silence) Recent(domain.ConversationID, int, int) ([]domain.Exchange, int, error) {
	return nil, 0, nil
}

// openRegime allows everything.
type openRegime struct{ domain.Rulebook }

func (r *openRegime) Decide(in domain.Invoking) domain.PolicyDecided {
	d := r.Rulebook.Decide(in)
	d.Verdict, d.Allowed = domain.VerdictAllowed, true
	return d
}

const sharedBytes = 1 << 20

func newShared(t *testing.T) *shared {
	w := commandstest.NewWorkshop(t)
	s := &shared{Workshop: w, hospital: *w.Tools().Offers()[0].Interface}
	s.program = commands.InterfaceCaller(s.hospital)
	v := commandstest.Volume(t, sharedBytes)
	var err error
	env := w.Limited(w.Env(), 0, v)
	s.signals, err = signal.New(signal.Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	said := silence{}
	s.messages, err = message.New(message.Config{Env: env, Conversation: said, Applied: w.Open})
	if err != nil {
		t.Fatal(err)
	}
	cfg := w.Config()
	cfg.Volume, cfg.Regime = v, &openRegime{}
	cfg.Peer = &passer{w.Peer, func(context.Context, commands.Endpoint, []byte, string) (commands.Rendering, error) {
		return commands.Rendering{MediaType: "application/json", Body: []byte(s.passes)}, nil
	}}
	if s.tools, err = tool.New(cfg); err != nil {
		t.Fatal(err)
	}
	return s
}

// great is JSON of so many KiB.
func great(kib int) string { return `{"id":"` + strings.Repeat("x", kib<<10) + `"}` }

func (s *shared) signal(c commands.Caller, kib int) error {
	sig := commandstest.Weather()
	sig.Metadata = []byte(great(kib))
	_, err := s.signals.Submit(s.T.Context(), c, sig)
	return err
}

func (s *shared) message(c commands.Caller, kib int) error {
	_, err := s.messages.Say(s.T.Context(), c, domain.MessageReceived{Text: "hello", Metadata: []byte(great(kib))})
	return err
}

func (s *shared) invoke(c commands.Caller, kib int) error {
	out, err := s.tools.Invoke(s.T.Context(), c, tool.Invocation{Tool: "cancel", Params: []byte(great(kib))})
	if err == nil && out.Fault != nil {
		err = &domain.Error{Code: out.Fault.Code, Message: out.Fault.Message}
	}
	return err
}

func (s *shared) pass(c commands.Caller, kib int) error {
	_, err := s.tools.Pass(s.T.Context(), c, tool.Passing{Interface: s.hospital, Capability: "refill", Params: []byte(great(kib)), Body: []byte(`{}`)})
	return err
}

// recorded is what all records take.
func (s *shared) recorded() (bytes int) {
	for _, rec := range s.Records(domain.TopicAll) {
		bytes += len(rec.Envelope.Payload.Bytes)
	}
	return bytes
}

// What one caller sends in whatever way counts together, and what it is refused leaves
// nothing behind.
func TestOneVolume(t *testing.T) {
	ways := map[string]func(s *shared, c commands.Caller, kib int) error{
		"signals": (*shared).signal, "messages": (*shared).message, "calls": (*shared).invoke, "calls of its page": (*shared).pass,
		"calls of its page in the person's browser": func(s *shared, _ commands.Caller, kib int) error { return s.pass(commandstest.Ada, kib) },
	}
	for first, fill := range ways {
		t.Run(first, func(t *testing.T) {
			s := newShared(t)
			s.passes = `{}`
			for range 4 {
				if err := fill(s, s.program, 240); err != nil {
					t.Fatal(err)
				}
			}
			tail := s.Log.Tail()
			for second, send := range ways {
				err := send(s, s.program, 240)
				if e := new(domain.Error); !errors.As(err, &e) || e.Code != domain.CodeRateLimited || !e.Retriable || e.RetryAfter <= 0 || !strings.Contains(e.Message, fmt.Sprint(sharedBytes)) {
					t.Errorf("then %s: %v", second, err)
				}
			}
			if s.Log.Tail() != tail {
				t.Error("what was refused is recorded")
			}
			other := commands.Caller{Name: "other", Source: "other", Principal: "other"}
			for _, send := range []func(*shared, commands.Caller, int) error{(*shared).signal, (*shared).message, (*shared).invoke} {
				if err := send(s, other, 240); err != nil {
					t.Errorf("another caller: %v", err)
				}
				if err := send(s, commandstest.Ada, 240); err != nil {
					t.Errorf("the person: %v", err)
				}
			}
			s.Clock.Advance(time.Minute)
			for second, send := range ways {
				if err := send(s, s.program, 100); err != nil {
					t.Errorf("a minute later %s: %v", second, err)
				}
			}
		})
	}
}

// What a call is answered counts for whoever made it. Where there is no room for it the
// end says so, the page has it all the same, and nothing is called for whom there is none
// at all.
func TestAnswersCount(t *testing.T) {
	s := newShared(t)
	answer := strings.Repeat("y", 300<<10)
	s.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{Text: &answer}, nil
	}
	for range 3 {
		if err := s.invoke(s.program, 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.invoke(s.program, 1); domain.CodeOf(err) != commands.CodePeerTooLarge || !strings.Contains(err.Error(), "may have done what it was asked") {
		t.Errorf("without room for the answer: %v", err)
	}
	s.passes = `{"text":"` + answer + `"}`
	out, err := s.tools.Pass(t.Context(), s.program, tool.Passing{Interface: s.hospital, Capability: "refill", Body: []byte(`{}`)})
	if err != nil || string(out.Body) != s.passes {
		t.Errorf("the page is answered %d bytes, %v", len(out.Body), err)
	}
	records := s.Records(domain.TopicTools)
	if end := records[len(records)-1].Envelope; end.Type != "tool.failed" {
		t.Errorf("recorded is %s", end.Type)
	}
	for range 30 {
		_ = s.invoke(s.program, 10)
	}
	called := s.Peer.Times()
	if err := s.invoke(s.program, 10); domain.CodeOf(err) != domain.CodeRateLimited || s.Peer.Times() != called {
		t.Errorf("in the end: %v, after %d calls", err, s.Peer.Times()-called)
	}
	if err := s.invoke(commandstest.Ada, 1); err != nil {
		t.Errorf("the person's own: %v", err)
	}
}

// However many come at once, no more is recorded than the bound.
func TestVolumeOfManyAtOnce(t *testing.T) {
	s := newShared(t)
	answer := strings.Repeat("y", 100<<10)
	s.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{Text: &answer}, nil
	}
	s.passes = `{"text":"` + answer + `"}`
	var all sync.WaitGroup
	for range 25 {
		all.Go(func() { _ = s.signal(s.program, 50) })
		all.Go(func() { _ = s.invoke(s.program, 20) })
		all.Go(func() { _ = s.pass(s.program, 20) })
	}
	all.Wait()
	if n := s.recorded(); n > sharedBytes || n < sharedBytes*3/4 {
		t.Errorf("%d bytes are recorded, where %d are the bound", n, sharedBytes)
	}
}

// What an earlier process took in of signals and messages counts, and what the person
// said doesn't count for their signals.
func TestVolumeOverRestarts(t *testing.T) {
	s := newShared(t)
	for range 2 {
		for _, send := range []func(*shared, commands.Caller, int) error{(*shared).signal, (*shared).message} {
			if err := send(s, s.program, 240); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 4 {
		if err := s.message(commandstest.Ada, 240); err != nil {
			t.Fatal(err)
		}
	}
	again := newShared(t)
	v := commandstest.Volume(t, sharedBytes)
	var err error
	env := s.Limited(s.Env(), 0, v)
	again.messages, err = message.New(message.Config{Env: env, Conversation: silence{}, Applied: s.Open})
	if err != nil {
		t.Fatal(err)
	}
	again.signals, err = signal.New(signal.Config{Env: env})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.signal(commandstest.Ada, 240); err != nil {
		t.Errorf("the person's signal: %v", err)
	}
	if err := again.message(s.program, 240); domain.CodeOf(err) != domain.CodeRateLimited {
		t.Errorf("a message: %v", err)
	}
}
