package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/argon2"
	"chalie/adapters/unixsocket"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// story is an App on a clock that the test moves.
type story struct {
	gates gates
	t     *testing.T
	app   *App
	api   *apiclient.Client
	clock *domaintest.Clock
	data  string
	logs  *domaintest.Buffer
	end   context.CancelFunc
	ended chan error
}

// begin starts the program on a data directory, or a new one, and waits until
// it is ready.
func begin(t *testing.T, data string, clock *domaintest.Clock, rate int) *story {
	t.Helper()
	return beginIdling(t, data, clock, rate, 0)
}

// beginIdling is begin with a program that thinks when nothing was said or done for a
// while; 0 is the usual one. As long as the clock stands still, it doesn't.
func beginIdling(t *testing.T, data string, clock *domaintest.Clock, rate int, idleAfter time.Duration) *story {
	t.Helper()
	return beginWith(t, data, clock, func(c *Config) { c.SignalRate, c.IdleAfter = rate, idleAfter })
}

// beginWith is begin with whatever else is configured.
func beginWith(t *testing.T, data string, clock *domaintest.Clock, change func(*Config)) *story {
	t.Helper()
	s := &story{t: t, clock: clock, data: data, logs: &domaintest.Buffer{}, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	cfg := Config{
		Addr: "127.0.0.1:0", Data: data, Clock: clock,
		Passwords: argon2.Config{MemoryKiB: 64, Passes: 1}, Logger: slog.New(slog.NewTextHandler(s.logs, nil)),
	}
	cfg.shadow = s.gates.over
	if url := clusterOf(t, data); url != "" {
		cfg.Cluster = Cluster{URL: url, Stream: defaultStream}
	}
	change(&cfg)
	var err error
	s.app, err = Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.app.Run(ctx) }()
	t.Cleanup(func() { s.end() })
	s.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	if err := waitReady("http://" + s.app.Addr()); err != nil {
		t.Fatal(err)
	}
	return s
}

// stop ends the program in order.
func (s *story) stop() {
	s.t.Helper()
	s.api.Close()
	s.end()
	if err := <-s.ended; err != nil {
		s.t.Fatalf("the program ended with %v\n%s", err, s.logs)
	}
	identical(s.t, s.data)
}

// hear sends a signal over the socket and returns the status.
func (s *story) hear(content string, energy float64) int {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"signal_type": "news", "content": content, "source": "street", "activation_energy": energy})
	if err != nil {
		s.t.Fatal(err)
	}
	status, answer := s.post("/api/signals", string(body))
	if status != http.StatusAccepted && status != http.StatusTooManyRequests {
		s.t.Fatalf("%q: %d %s", content, status, answer)
	}
	return status
}

func (s *story) post(path, body string) (int, string) {
	s.t.Helper()
	client := unixsocket.Client(s.data)
	defer client.CloseIdleConnections()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, unixsocket.BaseURL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(answer)
}

// mind is the world state now, a line for each item: "0.80 label", with its gate
// when it is left out.
func (s *story) mind() string {
	s.t.Helper()
	world, err := s.api.World(s.t.Context(), "")
	if err != nil {
		s.t.Fatal(err)
	}
	state, err := world.Value()
	if err != nil {
		s.t.Fatal(err)
	}
	var lines []string
	for _, item := range state.Items {
		lines = append(lines, fmt.Sprintf("%s %s", domain.PPMOf(item.Salience), item.Label))
	}
	for _, item := range state.LeftOut {
		lines = append(lines, fmt.Sprintf("%s %s: %s", domain.PPMOf(item.Salience), item.Label, item.Gate))
	}
	return strings.Join(lines, "\n")
}

func (s *story) expect(when string, lines ...string) {
	s.t.Helper()
	if got, want := s.mind(), strings.Join(lines, "\n"); got != want {
		s.t.Fatalf("%s there is in mind:\n%s\nwant:\n%s", when, got, want)
	}
}

// TestSignalsFade follows the two examples of the contract through a day and
// over a restart.
func TestSignalsFade(t *testing.T) {
	clock, data := domaintest.NewClock(), t.TempDir()
	s := begin(t, data, clock, 0)
	s.expect("before anything was heard")
	s.hear("rain", 0.4)
	s.hear("AAPL up", 0.7)
	s.expect("at once", "1.00 AAPL up", "0.80 rain")
	clock.Advance(6 * time.Hour)
	s.expect("after six hours", "0.70 AAPL up", "0.40 rain")
	s.hear("MSFT down", 0.3)
	s.expect("with news", "0.70 AAPL up", "0.60 MSFT down", "0.40 rain")
	s.stop()

	clock.Advance(6 * time.Hour)
	s = begin(t, data, clock, 0)
	s.expect("after twelve hours and a restart", "0.35 AAPL up", "0.30 MSFT down", "0.20 rain")
	clock.Advance(6 * time.Hour)
	s.expect("after eighteen", "0.18 AAPL up", "0.15 MSFT down", "0.10 rain: below_threshold")
	clock.Advance(time.Minute)
	s.expect("a minute on", "0.17 AAPL up", "0.15 MSFT down: below_threshold", "0.10 rain: below_threshold")
	clock.Advance(24 * time.Hour)
	s.expect("a day on", "0.01 AAPL up: below_threshold", "0.01 MSFT down: below_threshold", "0.01 rain: below_threshold")
	s.stop()
}

// TestFiveMatter checks the slots and the capacity, whose oldest goes first.
func TestFiveMatter(t *testing.T) {
	clock := domaintest.NewClock()
	s := begin(t, t.TempDir(), clock, 0)
	for i := range 6 {
		s.hear(fmt.Sprintf("number %d", i+1), 0.3)
		clock.Advance(time.Millisecond)
	}
	s.expect("of six alike the newest five",
		"0.60 number 6", "0.60 number 5", "0.60 number 4", "0.60 number 3", "0.60 number 2", "0.60 number 1: not_in_five")
	for range 2 {
		var batch []string
		for range domain.MaxSignalsPerBatch {
			batch = append(batch, `{"signal_type":"noise","content":"noise","activation_energy":0.1}`)
		}
		if status, answer := s.post("/api/signals/batch", "["+strings.Join(batch, ",")+"]"); status != http.StatusOK {
			t.Fatal(status, answer)
		}
	}
	world, err := s.api.World(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	state, err := world.Value()
	if err != nil {
		t.Fatal(err)
	}
	gates := map[domain.Gate]int{}
	for _, item := range state.LeftOut {
		gates[item.Gate]++
	}
	if gates[domain.GateOverCapacity] != 6 || gates[domain.GateNotInFive] != 95 || len(state.Items) != 5 {
		t.Fatalf("a hundred pushed out %v and left %d", gates, len(state.Items))
	}
	s.stop()
}

// TestRateHoldsOverRestarts counts by recorded_at in a sliding minute.
func TestRateHoldsOverRestarts(t *testing.T) {
	clock, data := domaintest.NewClock(), t.TempDir()
	s := begin(t, data, clock, 3)
	want := func(when string, statuses ...int) {
		t.Helper()
		for i, status := range statuses {
			if got := s.hear(when, 0.5); got != status {
				t.Fatalf("%s, signal %d: %d, want %d", when, i+1, got, status)
			}
		}
	}
	want("at first", 202, 202)
	clock.Advance(30 * time.Second)
	want("half a minute on", 202, 429)
	s.stop()
	s = begin(t, data, clock, 3)
	want("after a restart", 429)
	clock.Advance(30 * time.Second)
	want("when the first two are a minute old", 202, 202, 429)
	s.stop()
}

// TestStopsWhileFollowed checks that a long poll doesn't hold up the way out, and
// that the follower is told.
func TestStopsWhileFollowed(t *testing.T) {
	s := begin(t, t.TempDir(), domaintest.NewClock(), 0)
	c, out, errOut := testConsole()
	code := make(chan int, 1)
	go func() { code <- run(c, []string{"log", "--follow", "--data", s.data}) }()
	comes(t, out, "system.started")
	s.hear("rain", 0.4)
	comes(t, out, "news from street: rain")
	s.stop()
	if got := <-code; got != exitFailed {
		t.Fatalf("the follower ended with %d", got)
	}
	if text := errOut.String(); text != "chalie: the log ended after position 2 because Chalie stopped; start it again with `chalie serve --data "+s.data+"`\n" {
		t.Fatalf("the follower was told %q", text)
	}
}

// TestRecordsItself checks what the program writes of its own life.
func TestRecordsItself(t *testing.T) {
	clock, data := domaintest.NewClock(), t.TempDir()
	begin(t, data, clock, 0).stop()
	s := begin(t, data, clock, 0)
	page, err := s.api.Log(t.Context(), apiclient.LogQuery{Topic: string(domain.TopicSystem)})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Records) != 3 {
		t.Fatalf("%d records", len(page.Records))
	}
	records, err := apiclient.Values(page.Records)
	if err != nil {
		t.Fatal(err)
	}
	started, err := domain.Decode[domain.SystemStarted](records[2].Envelope)
	if err != nil {
		t.Fatal(err)
	}
	if started.Tail != 2 || len(started.CatalogueHash) != 64 || len(started.Projections) != 17 || started.Version == "" {
		t.Fatalf("%+v", started)
	}
	stopped, err := domain.Decode[domain.SystemStopped](records[1].Envelope)
	if err != nil || stopped.Reason == "" {
		t.Fatalf("%+v, %v", stopped, err)
	}
	s.stop()
}

// TestRefusesWhatItCannotRead checks the decode gate: nothing is written into a
// log of a newer version.
func TestRefusesWhatItCannotRead(t *testing.T) {
	clock, data := domaintest.NewClock(), t.TempDir()
	s := begin(t, data, clock, 0)
	_, err := s.app.bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{{Topic: "dreams", Envelope: domain.Envelope{
		ID: s.app.cfg.IDs.NewID(), Trace: domain.TraceID{ID: s.app.cfg.IDs.NewID()}, Kind: domain.KindEvent, Source: "sleep",
		Principal: domain.PrincipalCore, Type: "dream.dreamt", Version: 7, Payload: domain.JSONPayload([]byte(`{}`)),
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	s.stop()
	_, err = Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: data, Clock: clock})
	if domain.CodeOf(err) != domain.CodeUndecodable || !strings.Contains(err.Error(), "dream.dreamt v7 (1 record; a type it doesn't know)") {
		t.Fatalf("opened with %v", err)
	}
	// Reading is still possible, and nothing was added.
	c, out, _ := testConsole()
	if code := run(c, []string{"log", "--data", data, "--json"}); code != exitDone || strings.Count(out.String(), "\n") != 3 {
		t.Fatalf("%d\n%s", code, out)
	}
}

// TestSetupLink checks that the link is printed as long as there is no account.
func TestSetupLink(t *testing.T) {
	clock, data := domaintest.NewClock(), t.TempDir()
	s := begin(t, data, clock, 0)
	first := s.app.SetupLink()
	s.stop()
	s = begin(t, data, clock, 0)
	if second := s.app.SetupLink(); first == "" || second == "" || commands.SameSecret(first, second) {
		t.Fatalf("links %q and %q", first, second)
	}
	_, key, _ := strings.Cut(s.app.SetupLink(), "?key=")
	if status, answer := s.post("/auth/register", `{"username":"ada","password":"correct horse","setup_key":"`+key+`"}`); status != http.StatusCreated {
		t.Fatal(status, answer)
	}
	s.stop()
	s = begin(t, data, clock, 0)
	if link := s.app.SetupLink(); link != "" {
		t.Fatalf("there is an account and a link: %s", link)
	}
	s.stop()
}

// TestCloseWithoutRun checks that a program that was opened and never ran leaves
// the data directory and its address to the next one.
func TestCloseWithoutRun(t *testing.T) {
	data, clock := t.TempDir(), domaintest.NewClock()
	app, err := Open(t.Context(), Config{Addr: "127.0.0.1:0", Data: data, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	addr := app.Addr()
	if err := errors.Join(app.Close(), app.Close()); err != nil {
		t.Fatal(err)
	}
	app, err = Open(t.Context(), Config{Addr: addr, Data: data, Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	// One that can't be opened lets go of what it had taken.
	other := t.TempDir()
	if _, err := Open(t.Context(), Config{Addr: addr, Data: other, Clock: clock}); domain.CodeOf(err) != "no_address" {
		t.Fatalf("two listen on %s: %v", addr, err)
	}
	if err := app.Close(); err != nil {
		t.Fatal(err)
	}
	begin(t, other, clock, 0).stop()
}

// TestAWrongClockCostsNothing has the clock of the machine wrong for some minutes: the
// limit is what it was when it is right again, also over a restart, what was heard
// meanwhile fades, and the log and its folds are sound.
func TestAWrongClockCostsNothing(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, off := range []time.Duration{year, time.Hour, -year} {
		t.Run(off.String(), func(t *testing.T) {
			clock, data := domaintest.NewClock(), t.TempDir()
			s := begin(t, data, clock, 3)
			want := func(when string, energy float64, statuses ...int) {
				t.Helper()
				for i, status := range statuses {
					if got := s.hear(when, energy); got != status {
						t.Fatalf("%s, signal %d: %d, want %d", when, i+1, got, status)
					}
				}
			}
			want("before", 0.3, 202)
			clock.Advance(off)
			for range 3 {
				clock.Advance(time.Minute)
				want("wrong", 0, 202, 202, 202, 429)
			}
			clock.Advance(time.Minute)
			want("meanwhile", 0.3, 202)
			clock.Advance(-off)
			want("right", 0, 202, 202, 202, 429)
			clock.Advance(time.Minute)
			want("a minute on", 0, 202, 202, 202, 429)
			s.stop()
			s = begin(t, data, clock, 3)
			want("after a restart", 0, 429)
			clock.Advance(time.Minute)
			want("a minute after the restart", 0, 202, 202, 202, 429)
			for range 12 * 6 {
				clock.Advance(10 * time.Minute)
				want("all the time", 0, 202)
			}
			lines := strings.Split(s.mind(), "\n")
			if off > 0 {
				for _, line := range []string{"0.15 meanwhile: below_threshold", "0.15 before: below_threshold"} {
					if !slices.Contains(lines, line) {
						t.Errorf("after twelve hours nothing is %q in\n%s", line, strings.Join(lines, "\n"))
					}
				}
			}
			s.stop()
			c, out, errOut := testConsole()
			if code := run(c, []string{"verify", "--data", data}); code != exitDone {
				t.Errorf("verify ended with %d:\n%s%s", code, out, errOut)
			}
		})
	}
}
