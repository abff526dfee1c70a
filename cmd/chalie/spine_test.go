package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/adapters/argon2"
	"chalie/adapters/otlp"
	"chalie/adapters/otlp/otlptest"
	"chalie/adapters/unixsocket"
	"chalie/commands/background"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestServicesRunAsDeclared holds what runs to what is declared.
func TestServicesRunAsDeclared(t *testing.T) {
	m := startMortal(t)
	var declared []string
	for _, s := range domain.Services() {
		if s.Trigger != domain.TriggerRequest && s.Name != domain.ServiceProjections {
			declared = append(declared, s.Name)
		}
	}
	slices.Sort(declared)
	if running := slices.Sorted(maps.Keys(m.app.services())); !slices.Equal(running, declared) {
		t.Errorf("there run\n%q, declared are\n%q: a service is run by its declared name, and declared in domain", running, declared)
	}
	m.story.stop()
}

// TestEveryServiceMayDie kills each service of a running program, and looks whether
// the others mind.
func TestEveryServiceMayDie(t *testing.T) {
	for _, s := range domain.Services() {
		if s.Trigger == domain.TriggerRequest || s.Trigger == domain.TriggerOnce {
			continue // there is nothing that could be killed
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			m := startMortal(t)
			m.kill(s.Name)
			without := func(names ...string) bool { return slices.Contains(names, s.Name) }

			m.wants(http.StatusAccepted, http.MethodPost, "socket:/api/signals", `{"signal_type":"news","content":"rain"}`)
			m.find("the signal", func(r domain.Record) bool { return r.Envelope.Type == "signal.received" })
			said, err := m.story.api.Say(t.Context(), "hello", "")
			if err != nil {
				t.Fatal(err)
			}
			if !without(domain.ServiceReasoning, domain.ServiceProjections) {
				m.find("the answer", func(r domain.Record) bool {
					return r.Envelope.Type == "reasoning.concluded" && r.Envelope.Trace.ID == said
				})
			}
			if !without(domain.ServiceProjections) && !strings.Contains(m.mind(), "rain") {
				t.Errorf("in mind is %q", m.mind())
			}
			if !without(domain.ServiceIdle, domain.ServiceSpine, domain.ServiceProjections) { // without the last the message waits
				m.find("an idle span", m.emitted(domain.IdleDiscovery))
			}
			task := m.task()
			if !without(domain.ServicePlans) {
				signal := m.find("the task", func(r domain.Record) bool { return m.emitted(domain.TaskStateChanged)(r) && r.Envelope.Parent == task })
				if !without(domain.ServiceBackground, domain.ServiceProjections) && !domain.IsSilent(signal.Envelope) {
					m.find("the thought about it", func(r domain.Record) bool {
						return r.Envelope.Type == "reasoning.concluded" && r.Envelope.Trace == signal.Envelope.Trace
					})
				}
			}
			m.wantDead(s)
			m.story.stop()
		})
	}
}

// What died lives again after the next start.
func TestTheDeadRise(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	m.kill(domain.ServicePlans)
	task := m.task()
	m.story.stop()
	m = startMortalIn(t, m.story.data)
	m.find("the task", func(r domain.Record) bool { return m.emitted(domain.TaskStateChanged)(r) && r.Envelope.Parent == task })
	if dead := m.noteworthy(); len(dead) > 0 {
		t.Errorf("dead are %q", dead)
	}
	m.story.stop()
}

// mortal is a program in this process whose services can be killed.
type mortal struct {
	*story
	*victim
}

func startMortal(t *testing.T) *mortal {
	t.Helper()
	return startMortalIn(t, filepath.Join(t.TempDir(), "data"))
}

func startMortalIn(t *testing.T, data string) *mortal {
	t.Helper()
	s := &story{t: t, data: data, logs: &domaintest.Buffer{}, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	// Every service runs, also those that need somebody to send to.
	bridge := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(bridge.Close)
	collector, err := otlp.Settings{URL: otlptest.HTTP(t).URL, Lookup: func(string) (string, bool) { return "", false }}.Read()
	if err != nil {
		t.Fatal(err)
	}
	s.app, err = Open(ctx, Config{
		Telemetry: collector, Bridge: Bridge{URL: bridge.URL},
		Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		Logger: slog.New(slog.NewTextHandler(s.logs, nil)), IdleAfter: 50 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.app.Run(ctx) }()
	t.Cleanup(func() { s.end() })
	s.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	address := "http://" + s.app.Addr()
	if err := waitReady(address); err != nil {
		t.Fatal(err)
	}
	return &mortal{s, &victim{t: t, data: data, address: address, api: s.api}}
}

var errKilled = errors.New("it was killed")

// kill ends one service.
func (m *mortal) kill(name string) {
	m.story.t.Helper()
	if name == domain.ServiceProjections {
		m.app.folds.Halt()
		return
	}
	hearts := m.app.spine.hearts
	m.eventually(name+" to run", func() bool { return hearts.End(name, errKilled) }) // requests are answered a moment earlier
	m.eventually(name+" to end", func() bool {
		return slices.ContainsFunc(hearts.Pulses(), func(p background.Pulse) bool { return p.Service.Name == name && p.Err != nil })
	})
}

// wantDead expects that this service is known to be dead, and no other.
func (m *mortal) wantDead(s domain.Service) {
	t := m.story.t
	t.Helper()
	if dead := m.noteworthy(); !slices.Equal(dead, []string{s.Name}) {
		t.Errorf("dead are %q", dead)
	}
	if s.Name == domain.ServiceProjections {
		return // /health shows each of them by itself
	}
	if s.Name != domain.ServiceSelfModel {
		died := m.find("the death", func(r domain.Record) bool { return r.Envelope.Type == "service.died" })
		if p, err := domain.Decode[domain.ServiceDied](died.Envelope); err != nil || p.Service != s.Name || !strings.Contains(p.Reason, errKilled.Error()) {
			t.Errorf("recorded is %+v, %v", p, err)
		}
	}
	health := m.app.health(t.Context())
	for name, service := range health.Services {
		if service.Ready == (name == s.Name) {
			t.Errorf("/health says of %s: %+v", name, service)
		}
	}
	if !health.Ready {
		t.Errorf("Chalie isn't ready: %s", health.Reason)
	}
}

func (m *mortal) noteworthy() []string {
	m.story.t.Helper()
	object, err := m.story.api.Spine(m.story.t.Context())
	if err != nil {
		m.story.t.Fatal(err)
	}
	spine, err := object.Value()
	if err != nil {
		m.story.t.Fatal(err)
	}
	return spine.Noteworthy
}

// task records a task, and returns its envelope's id.
func (m *mortal) task() domain.ID {
	m.story.t.Helper()
	env := m.app.env()
	lineage := env.Begin(domain.PrincipalCore)
	entry, err := domain.New(lineage, lineage.Trace.ID, env.Now(), "chalie", domain.TaskCreated{Text: "pay the rent"})
	if err != nil {
		m.story.t.Fatal(err)
	}
	receipt, err := env.Log.Append(m.story.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		m.story.t.Fatal(err)
	}
	records, err := m.app.log.Select(m.story.t.Context(), domain.Selector{}, receipt.Positions[0], 1)
	if err != nil {
		m.story.t.Fatal(err)
	}
	return records[0].Envelope.ID
}

// emitted reports whether a record is a signal of a type.
func (m *mortal) emitted(want domain.SpineType) func(domain.Record) bool {
	return func(r domain.Record) bool {
		t, ok := domain.SpineTypeOf(r.Envelope)
		return ok && t == want
	}
}

// find returns the first record that fits, once there is one.
func (m *mortal) find(what string, fits func(domain.Record) bool) domain.Record {
	m.story.t.Helper()
	ctx, cancel := context.WithTimeout(m.story.t.Context(), patience)
	defer cancel()
	for from := domain.Position(1); ; {
		records, err := m.app.log.Select(ctx, domain.Selector{}, from, 100)
		for _, rec := range records {
			if fits(rec) {
				return rec
			}
			from = rec.Position + 1
		}
		if err == nil && len(records) == 0 {
			_, err = m.app.log.Wait(ctx, from-1)
		}
		if err != nil {
			m.story.t.Fatalf("there is nothing of %s: %v\n%s", what, err, m.logs)
		}
	}
}

// eventually waits until something is so.
func (m *mortal) eventually(what string, so func() bool) {
	m.story.t.Helper()
	domaintest.Until(m.story.t, what, so)
}
