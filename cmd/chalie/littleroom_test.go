package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/apiclient"
	"chalie/adapters/argon2"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// openedOn starts the program on a disk, and doesn't wait for it to be ready.
func openedOn(t *testing.T, data string, disk vfs.FS) (*story, *victim) {
	t.Helper()
	s := &story{t: t, data: data, logs: &domaintest.Buffer{}, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	t.Cleanup(s.end)
	var err error
	s.app, err = Open(ctx, Config{Addr: "127.0.0.1:0", Data: data, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		Logger: slog.New(slog.NewTextHandler(s.logs, nil)), disk: disk})
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.app.Run(ctx) }()
	s.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	return s, &victim{t: t, data: data, address: "http://" + s.app.Addr(), api: s.api}
}

// TestStartWithLittleRoom starts on a disk that is nearly full: what was recorded is
// read, nothing is taken, whoever asks is told why, and when there is room Chalie
// goes on, with its start before everything else.
func TestStartWithLittleRoom(t *testing.T) {
	t.Parallel()
	disk := &fillingDisk{FS: vfs.Default}
	data := filepath.Join(t.TempDir(), "data")
	s, v := openedOn(t, data, disk)
	if err := waitReady(v.address); err != nil {
		t.Fatal(err)
	}
	if status := s.hear("the cellar is dry", 0.5); status != http.StatusAccepted {
		t.Fatalf("a signal is answered %d", status)
	}
	s.stop()

	disk.full.Store(true)
	s, v = openedOn(t, data, disk)
	tail := s.app.log.Tail()
	m := &mortal{s, v}
	// The folds may take a moment, and the reason is another until they are there.
	m.eventually("the reason", func() bool {
		status, answer, err := v.ask(http.MethodGet, "/ready", "")
		return err == nil && status == http.StatusServiceUnavailable && strings.Contains(answer, "free some space")
	})
	health := read[struct {
		Ready    bool
		Services map[string]struct {
			Ready  bool
			Detail string
		}
	}](t, v.wants(http.StatusOK, http.MethodGet, "/health", ""))
	if log := health.Services["log"]; health.Ready || log.Ready || !strings.Contains(log.Detail, "free some space") {
		t.Errorf("/health says %+v", health)
	}
	m.eventually("what was recorded to be in mind", func() bool {
		return strings.Contains(v.wants(http.StatusOK, http.MethodGet, "socket:/api/world", ""), "the cellar is dry")
	})
	for path, body := range map[string]string{
		"socket:/api/signals": `{"signal_type":"news","content":"x"}`, "socket:/api/messages": `{"text":"hello"}`, "socket:/api/tokens": `{"name":"radio"}`,
	} {
		if answer := v.wants(http.StatusServiceUnavailable, http.MethodPost, path, body); !strings.Contains(answer, string(domain.CodeDiskLow)) || !strings.Contains(answer, "free some space") {
			t.Errorf("%s is answered %s", path, answer)
		}
	}
	if got := s.app.log.Tail(); got != tail {
		t.Errorf("something was recorded: the log went from %d to %d", tail, got)
	}

	disk.full.Store(false) // nobody asks for anything
	if err := waitReady(v.address); err != nil {
		t.Fatal(err)
	}
	m.eventually("the start to be recorded", func() bool { return s.app.log.Tail() > tail })
	s.hear("the cellar is wet", 0.5)
	s.stop()

	// Once more, and it ends before there is room: that it was there isn't recorded.
	disk.full.Store(true)
	s, _ = openedOn(t, data, disk)
	before := s.app.log.Tail()
	s.stop()
	disk.full.Store(false)
	s, v = openedOn(t, data, disk)
	if err := waitReady(v.address); err != nil {
		t.Fatal(err)
	}
	var types []domain.EventType
	for _, rec := range v.records() {
		if rec.Position == before+1 && rec.Envelope.Type != "system.started" {
			t.Errorf("after position %d comes %s", before, rec.Envelope.Type)
		}
		if rec.Topic == domain.TopicSystem && strings.HasPrefix(string(rec.Envelope.Type), "system.") {
			types = append(types, rec.Envelope.Type)
		}
		if rec.Position == tail+1 && rec.Envelope.Type != "system.started" {
			t.Errorf("the first thing after the room came back is %s", rec.Envelope.Type)
		}
	}
	if want := []domain.EventType{"system.started", "system.stopped", "system.started", "system.stopped", "system.started"}; !slices.Equal(types, want) {
		t.Errorf("the program's records are %q", types)
	}
	s.stop()
}
