package aistalk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/adapters/aistalk"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
)

// other is a small bridge: it keeps what it is sent, and answers as it is told.
type other struct {
	mu     sync.Mutex
	got    []string
	answer func(n int) int                         // the status of the n-th request, from 1
	hang   func(n int, w http.ResponseWriter) bool // whether the n-th answer has no end
	came   chan struct{}
	count  int
	keys   map[string]bool
}

func (o *other) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count++
	o.keys[r.Header.Get("X-API-Key")] = true
	if o.hang != nil && o.hang(o.count, w) {
		o.mu.Unlock()
		<-r.Context().Done()
		o.mu.Lock()
		return
	}
	status := http.StatusOK
	if o.answer != nil {
		status = o.answer(o.count)
	}
	if status == http.StatusOK {
		o.got = append(o.got, sketch(r, body))
		o.came <- struct{}{}
	}
	w.WriteHeader(status)
}

// sketch is a request in one line.
func sketch(r *http.Request, body []byte) string {
	var in struct {
		Type    string
		Text    string
		Project string `json:"project_id"`
		Session string `json:"session_id"`
	}
	if r.URL.Path == "/bridge/audio" {
		return fmt.Sprintf("audio %s/%s %s %s", r.URL.Query().Get("project_id"), r.URL.Query().Get("session_id"), r.Header.Get("Content-Type"), body)
	}
	_ = json.Unmarshal(body, &in)
	return fmt.Sprintf("%s%s %s/%s", in.Type, in.Text, in.Project, in.Session)
}

// events are those of a log that is whole, but for those that were dropped.
type events struct {
	log     *memlog.Log
	dropped domain.Seq
}

func (e *events) After(seq domain.Seq) (out []domain.Seq, dropped domain.Seq) {
	records, _ := e.log.Select(context.Background(), domain.Selector{}, 1, 1000)
	for _, rec := range records {
		if types, _ := domain.ConsoleTypes(rec.Envelope); len(types) > 0 && domain.SeqOf(rec.Position, 0) > max(seq, e.dropped) {
			out = append(out, domain.SeqOf(rec.Position, 0))
		}
	}
	return out, e.dropped
}

func (e *events) Wait(ctx context.Context, after domain.Seq) error {
	for {
		tail := e.log.Tail()
		if due, dropped := e.After(after); len(due) > 0 || dropped > after {
			return nil
		}
		if _, err := e.log.Wait(ctx, tail); err != nil {
			return err
		}
	}
}

// span is a log with a bridge from it to another program.
type span struct {
	t     *testing.T
	log   *memlog.Log
	clock *domaintest.Clock
	ids   *domaintest.IDs
	other *other
	cfg   aistalk.BridgeConfig
	waits []time.Duration
}

func newSpan(t *testing.T) *span {
	clock := domaintest.NewClock()
	s := &span{t: t, log: memlog.New(clock), clock: clock, ids: domaintest.NewIDs(clock, 1), other: &other{came: make(chan struct{}, 100), keys: map[string]bool{}}}
	srv := httptest.NewServer(s.other)
	t.Cleanup(srv.Close)
	s.cfg = aistalk.BridgeConfig{URL: srv.URL + "/bridge/", Key: "k", Events: &events{log: s.log}, Reader: s.log, Tail: s.log, Clock: clock,
		File: filepath.Join(t.TempDir(), "bridge"), Logger: slog.New(slog.DiscardHandler),
		Pause: func(ctx context.Context, d time.Duration) bool { s.waits = append(s.waits, d); return ctx.Err() == nil },
		Speak: func(_ context.Context, _ domain.ConversationName, text string, send func([]byte) error) error {
			return send([]byte("~" + text))
		},
	}
	return s
}

// run runs a bridge until do has returned.
func (s *span) run(do func(*aistalk.Bridge)) {
	s.t.Helper()
	b, err := aistalk.NewBridge(s.cfg)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx) }()
	do(b)
	stop()
	if err := <-done; err != nil {
		s.t.Error(err)
	}
}

// talks records a message of a session and its answer.
func (s *span) talks(source, said, answer string) {
	s.t.Helper()
	name := domain.ConversationName{Project: "aistalk", Session: "s"}
	id := s.ids.NewID()
	message, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, id.Millis(), "test", domain.MessageReceived{Text: said, Source: source, Conversation: name})
	if err != nil {
		s.t.Fatal(err)
	}
	message.Envelope.Keys = name.ID().Keys()
	reply := domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Blocks: []domain.Block{domain.TextBlock(answer, domain.FormatPlain)}}
	end, err := domain.New(domain.Continue(message.Envelope), s.ids.NewID(), id.Millis(), "test", reply)
	if err != nil {
		s.t.Fatal(err)
	}
	end.Envelope.Keys = append(name.ID().Keys(), reply.ShownKey())
	if _, err := s.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{message, end}}); err != nil {
		s.t.Fatal(err)
	}
}

// The sound of an answer comes behind the event that it begins, by which the other side stops
// listening; each event comes once.
func TestBridgeBeginsBeforeTheSound(t *testing.T) {
	s := newSpan(t)
	s.cfg.Speak = func(_ context.Context, of domain.ConversationName, text string, send func([]byte) error) error {
		for _, part := range strings.SplitAfter(text, ". ") {
			s.speaks(of, part)
			if err := send([]byte("~" + part)); err != nil {
				return err
			}
		}
		return nil
	}
	s.run(func(b *aistalk.Bridge) {
		s.begins(b)
		s.talks(domain.SaidByVoice, "who is it", "me. And you")
		s.takes(9)
		s.delivers(b, 10)
	})
	want := []string{"chat.message aistalk/s", "chat.reply aistalk/s", "me. And you aistalk/s", "voice.tts aistalk/s", "audio aistalk/s audio/wav ~me. ",
		"voice.tts aistalk/s", "voice.tts aistalk/s", "audio aistalk/s audio/wav ~And you", "voice.tts aistalk/s"}
	if got := s.other.got[1:]; !slices.Equal(got, want) {
		t.Errorf("the other side got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// speaks records that a text was spoken.
func (s *span) speaks(of domain.ConversationName, text string) {
	s.t.Helper()
	id := s.ids.NewID()
	start, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, id.Millis(), "test",
		domain.TTSStarted{ProjectID: of.Project, SessionID: of.Session, Text: text, Voice: "default", Speed: domain.One, Language: "en", Sentences: 1})
	if err != nil {
		s.t.Fatal(err)
	}
	end, err := domain.New(domain.Continue(start.Envelope), s.ids.NewID(), id.Millis(), "test", domain.TTSCompleted{ProjectID: of.Project, SessionID: of.Session, Voice: "default", Engine: "test"})
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := s.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{start, end}}); err != nil {
		s.t.Fatal(err)
	}
}

// begins waits until the bridge runs, which what it is told shows.
func (s *span) begins(b *aistalk.Bridge) {
	s.t.Helper()
	b.Tell(aistalk.OpsRun(s.clock.Now(), aistalk.Ops{Name: "export"}))
	s.takes(1)
}

// delivers waits until so many things were delivered, and not only received.
func (s *span) delivers(b *aistalk.Bridge, n uint64) {
	s.t.Helper()
	domaintest.Until(s.t, "what was sent is delivered", func() bool { return b.Status().Delivered >= n })
}

// takes waits until the other side has taken so many things more.
func (s *span) takes(n int) {
	s.t.Helper()
	for range n {
		select {
		case <-s.other.came:
		case <-time.After(10 * time.Second):
			s.t.Fatalf("the other side got only %q", s.other.got)
		}
	}
}

func TestBridgeTellsTheOtherSide(t *testing.T) {
	s := newSpan(t)
	s.talks(domain.SaidInText, "before", "there was a bridge")
	s.run(func(b *aistalk.Bridge) {
		s.begins(b)
		s.talks(domain.SaidInText, "hi", "hello")
		s.talks(domain.SaidByVoice, "who is it", "me")
		s.takes(7)
		s.delivers(b, 8)
	})
	s.other.answer = func(n int) int {
		if n <= 11 { // eight came before
			return http.StatusServiceUnavailable
		}
		return http.StatusOK
	}
	s.talks(domain.SaidInText, "still there", "yes") // while no bridge runs
	s.run(func(b *aistalk.Bridge) {
		s.takes(3)
		s.delivers(b, 3)
		if status := b.Status(); status.Passed != 0 {
			t.Errorf("%d were passed over", status.Passed)
		}
	})
	want := []string{
		"ops.run default/default",
		"chat.message aistalk/s", "chat.reply aistalk/s", "hello aistalk/s",
		"chat.message aistalk/s", "chat.reply aistalk/s", "me aistalk/s", "audio aistalk/s audio/wav ~me",
		"chat.message aistalk/s", "chat.reply aistalk/s", "yes aistalk/s",
	}
	if !slices.Equal(s.other.got, want) {
		t.Errorf("the other side got\n%q\nwant\n%q", s.other.got, want)
	}
	if !slices.Equal(s.waits, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}) {
		t.Errorf("it was tried again after %v", s.waits)
	}
	if len(s.other.keys) != 1 || !s.other.keys["k"] {
		t.Errorf("the keys are %v", s.other.keys)
	}
}

// TestBridgePassesOver: what is refused for good is sent once, what can't be delivered eight times,
// and those behind it are sent all the same.
func TestBridgePassesOver(t *testing.T) {
	s := newSpan(t)
	s.other.answer = func(n int) int {
		switch {
		case n == 2: // chat.message
			return http.StatusBadRequest
		case n > 2 && n <= 10: // chat.reply
			return http.StatusTooManyRequests
		}
		return http.StatusOK
	}
	s.run(func(b *aistalk.Bridge) {
		s.begins(b)
		s.talks(domain.SaidInText, "hi", "hello")
		s.takes(1)
		if status := b.Status(); status.Passed != 2 {
			t.Errorf("%d were passed over", status.Passed)
		}
	})
	if !slices.Equal(s.other.got[1:], []string{"hello aistalk/s"}) || len(s.waits) != 7 || s.waits[6] != 15*time.Second {
		t.Errorf("the other side got %q, after %v", s.other.got, s.waits)
	}
}

// What the other side takes and doesn't answer is passed over in its time, and so is an answer without an end.
func TestBridgeIsntHeldUp(t *testing.T) {
	s := newSpan(t)
	s.cfg.Within = 20 * time.Millisecond
	s.other.hang = func(n int, w http.ResponseWriter) bool {
		if n == 10 { // chat.reply, whose answer begins well
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
		}
		return n > 1 && n <= 10 // each try at chat.message before
	}
	s.run(func(b *aistalk.Bridge) {
		s.begins(b)
		s.talks(domain.SaidInText, "hi", "hello")
		s.takes(1)
		if status := b.Status(); status.Passed != 1 {
			t.Errorf("%d were passed over", status.Passed)
		}
	})
	if !slices.Equal(s.other.got[1:], []string{"hello aistalk/s"}) {
		t.Errorf("the other side got %q", s.other.got)
	}
}

// A bridge that ends, whatever for, leaves nothing behind that tells the other side.
func TestBridgeEndsWithAllOfIt(t *testing.T) {
	s := newSpan(t)
	s.cfg.Events = broken{}
	b, err := aistalk.NewBridge(s.cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Run(t.Context()); !errors.Is(err, errBroken) {
		t.Errorf("it ends with %v", err)
	}
	for range 50 {
		b.Tell([]byte("{}"))
		runtime.Gosched()
	}
	s.other.mu.Lock()
	defer s.other.mu.Unlock()
	if len(s.other.got) > 0 {
		t.Errorf("the other side is told %q", s.other.got)
	}
}

var errBroken = errors.New("the fold is broken")

// broken are events that can't be waited for.
type broken struct{}

func (broken) After(domain.Seq) (due []domain.Seq, dropped domain.Seq) { return nil, 0 }
func (broken) Wait(context.Context, domain.Seq) error                  { return errBroken }

func TestBridgeTellsOfAGap(t *testing.T) {
	s := newSpan(t)
	s.run(func(b *aistalk.Bridge) { s.begins(b); s.talks("", "a", "b"); s.takes(3); s.delivers(b, 4) })
	s.talks(domain.SaidInText, "c", "d")
	s.cfg.Events.(*events).dropped = domain.SeqOf(3, 0)
	s.run(func(*aistalk.Bridge) { s.takes(3) })
	if got := s.other.got[len(s.other.got)-3:]; !slices.Equal(got, []string{"gap default/default", "chat.reply aistalk/s", "d aistalk/s"}) {
		t.Errorf("the other side got %q", got)
	}
}

func TestBridgeConfigured(t *testing.T) {
	s := newSpan(t)
	for _, address := range []string{"", "127.0.0.1:9000", "ftp://a", "http://", "http://a?b=c", "http://user:pass@a"} {
		cfg := s.cfg
		cfg.URL = address
		if _, err := aistalk.NewBridge(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%q: %v", address, err)
		}
	}
}
