package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"chalie/adapters/argon2"
	"chalie/commands"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/wiring"
)

// stubborn is a part of the reading that goes on for ever when it is told to, whatever its
// context says.
type stubborn struct {
	mu sync.Mutex
	on chan struct{} // nil: it does its work
}

// goesOn has it go on until what it returns is called.
func (s *stubborn) goesOn() (until func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	on := make(chan struct{})
	s.on = on
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.on = nil
		close(on)
	})
}

func (s *stubborn) reads() {
	s.mu.Lock()
	on := s.on
	s.mu.Unlock()
	if on != nil {
		<-on
	}
}

type stubbornMind struct {
	reasoning.Mind
	*stubborn
}

func (m stubbornMind) Ground(ctx context.Context, now domain.Millis, opening domain.ID) (reasoning.ContextSnapshot, error) {
	m.reads()
	return m.Mind.Ground(ctx, now, opening)
}

// TestGivenUp has each part of the reading go on for ever. The message is ended and told, what
// comes next is answered, and a replay and a what-if come to the same without reading it again.
func TestGivenUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says  string
		put   func(*wiring.Wiring, *stubborn)
		began []domain.EventType // what is recorded before the attempts
		ended []domain.EventType // what is ended with the message
	}{
		"before anything is recorded": {"what is the weather like", func(w *wiring.Wiring, s *stubborn) { w.Mind = stubbornMind{w.Mind, s} }, nil, nil},
		"in a skill": {"does everything work", func(w *wiring.Wiring, s *stubborn) {
			trouble := w.Trouble
			w.Trouble = func() []string { s.reads(); return trouble() }
		}, []domain.EventType{domain.ReasoningStartedType, domain.ModelCalledType, domain.ModelRepliedType, domain.ToolInvokedType, domain.PolicyDecidedType, domain.ToolDispatchedType},
			[]domain.EventType{domain.ToolFailedType}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part := &stubborn{}
			s := beginWith(t, filepath.Join(t.TempDir(), "data"), domaintest.NewClock(), func(cfg *Config) {
				cfg.bounds = commands.Bounds{Time: 500 * time.Millisecond}
				cfg.wires = func(w *wiring.Wiring) { c.put(w, part) }
			})
			until := part.goesOn()
			defer until()
			records := s.said(c.says)
			until()
			trace := records[0].Envelope.Trace
			got := make([]domain.EventType, len(records))
			for i, rec := range records {
				got[i] = rec.Envelope.Type
			}
			want := slices.Concat([]domain.EventType{domain.MessageReceivedType}, c.began, slices.Repeat([]domain.EventType{domain.AttemptFailedType}, domain.MaxAttempts), c.ended,
				[]domain.EventType{domain.ReasoningGivenUpType, domain.ReasoningConcludedType})
			if !slices.Equal(got, want) {
				t.Errorf("happened\n%v\nwant\n%v", got, want)
			}
			if end, err := domain.Decode[domain.ReasoningConcluded](records[len(records)-1].Envelope); err != nil || !strings.Contains(domain.PlainText(end.Blocks), "“"+c.says+"”") {
				t.Errorf("the person is told %+v, %v", end, err)
			}
			if next := s.said("hello"); len(next) < 4 {
				t.Errorf("what was said next ended after %d records", len(next))
			}
			s.stop() // and all of it is decided again as it was
			for _, command := range [][]string{{"why", trace.String()}, {"replay", trace.String()}, {"replay", trace.String(), "--set", "half_life=12h"}} {
				typed(t, append(command, "--data", s.data)...)
			}
		})
	}
}

// said says something and waits for the end of its episode, all of which it returns.
func (s *story) said(text string) []domain.Record {
	s.t.Helper()
	id, err := s.api.Say(s.t.Context(), text, "")
	if err != nil {
		s.t.Fatal(err)
	}
	for tail := domain.Position(0); ; {
		records, err := s.app.log.Select(s.t.Context(), domain.Selector{Trace: domain.TraceID{ID: id}}, 1, 100)
		if err == nil && len(records) > 0 && records[len(records)-1].Envelope.Type == domain.ReasoningConcludedType {
			return records
		}
		if err == nil {
			tail, err = s.app.log.Wait(s.t.Context(), tail)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// stubbornChalie is a Chalie in a process of its own that can't read anything: told how long an
// attempt may take, and what it does.
const stubbornChalie = "stubborn-chalie"

func mainStubborn() {
	data, does := os.Args[1], os.Args[3]
	within, err := time.ParseDuration(os.Args[2])
	if err != nil {
		panic(err)
	}
	debug.SetMaxStack(8 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	app, err := Open(ctx, Config{
		Addr: "127.0.0.1:0", Data: data, faults: true, bounds: commands.Bounds{Time: within},
		Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		wires:     func(w *wiring.Wiring) { w.Mind = cannot{w.Mind, does, filepath.Join(data, "READING")} },
	})
	if err != nil {
		panic(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(welcomed{Address: app.URL(), SetupLink: app.SetupLink()}); err != nil {
		panic(err)
	}
	if err := app.Run(ctx); err != nil {
		panic(err)
	}
}

// cannot is a Mind that can't read, and leaves word of each time that it begins to.
type cannot struct {
	reasoning.Mind
	does, told string
}

func (c cannot) Ground(ctx context.Context, now domain.Millis, opening domain.ID) (reasoning.ContextSnapshot, error) {
	if c.does == "reads" {
		return c.Mind.Ground(ctx, now, opening)
	}
	if err := os.WriteFile(c.told, nil, 0o600); err != nil {
		panic(err)
	}
	if c.does == "overflows" {
		panic(overflow(1))
	}
	for {
		runtime.Gosched() // it looks at nothing
	}
}

//go:noinline
func overflow(n int) int {
	if n == 0 {
		return 0
	}
	return overflow(n+1) + 1
}

// startStubborn starts it, and waits until it begins to read.
func startStubborn(t *testing.T, data, within, does string) *victim {
	t.Helper()
	told := filepath.Join(data, "READING")
	if err := os.Remove(told); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	cmd := exec.Command(stubbornChalie, data, within, does)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	v := begun(t, data, cmd)
	if does != "reads" {
		domaintest.Until(t, "it reads", func() bool { _, err := os.Stat(told); return err == nil })
	}
	return v
}

// attemptsIn is how many attempts failed, and how many messages were ended.
func attemptsIn(t *testing.T, data string) (failed, ended int) {
	t.Helper()
	for _, rec := range stored(t, data) {
		switch rec.Envelope.Type {
		case domain.AttemptFailedType:
			failed++
		case domain.ReasoningGivenUpType:
			ended++
		}
	}
	return failed, ended
}

// TestKilledInEachAttempt kills the program in each attempt at a message that it can't read. That
// counts for nothing; what ran into a bound before counts, and so does a fault that ended the
// process. The third ends the message, and the next start answers what was said after it.
func TestKilledInEachAttempt(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startStubborn(t, data, "1h", "reads")
	v.ready()
	v.stop()
	wants := func(when string, failed, ended int) {
		t.Helper()
		if f, e := attemptsIn(t, data); f != failed || e != ended {
			t.Fatalf("%s %d attempts have failed and %d messages are ended, want %d and %d", when, f, e, failed, ended)
		}
	}
	v = begun(t, data, exec.Command(stubbornChalie, data, "1h", "goes on"))
	if _, err := v.api.Say(t.Context(), "who can read this", ""); err != nil {
		t.Fatal(err)
	}
	domaintest.Until(t, "it reads", func() bool { _, err := os.Stat(filepath.Join(data, "READING")); return err == nil })
	v.end()
	wants("killed in the first attempt,", 0, 0)
	v = startStubborn(t, data, "1h", "goes on")
	v.stop() // SIGTERM reaches what looks at nothing
	wants("stopped in the first attempt,", 0, 0)

	v = startStubborn(t, data, "1h", "overflows")
	<-v.drained
	v.end()
	v = startStubborn(t, data, "1h", "goes on") // which notes how the one before ended
	v.end()
	wants("ended by a fault in the first attempt, and killed in the second,", 1, 0)

	v = startStubborn(t, data, "1h", "overflows")
	<-v.drained
	v.end()
	v = startStubborn(t, data, "1h", "goes on")
	v.end()
	wants("killed in the third attempt,", 2, 0)

	v = startStubborn(t, data, "100ms", "goes on")
	v.awaits(domain.ReasoningGivenUpType, 1)
	v.end() // just after the end
	wants("at the end", 3, 1)
	v = startStubborn(t, data, "1h", "reads")
	if _, err := v.api.Say(t.Context(), "hello", ""); err != nil {
		t.Fatal(err)
	}
	v.awaits(domain.ReasoningConcludedType, 2)
	v.stop()
	wants("after another start", 3, 1)
	identical(t, data)
}
