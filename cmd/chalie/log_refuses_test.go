package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/apiclient"
	"chalie/adapters/argon2"
	"chalie/adapters/models"
	"chalie/adapters/unixsocket"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// fillingDisk is a disk that can be nearly full.
type fillingDisk struct {
	vfs.FS
	full atomic.Bool
}

func (d *fillingDisk) GetDiskUsage(path string) (vfs.DiskUsage, error) {
	usage, err := d.FS.GetDiskUsage(path)
	if d.full.Load() {
		usage.AvailBytes = 1 << 20
	}
	return usage, err
}

// While nothing can be recorded nothing is done: Chalie says what it is stuck at, and
// goes on with the same message when it can, once.
func TestLogCannotBeWritten(t *testing.T) {
	t.Parallel()
	disk := &fillingDisk{FS: vfs.Default}
	model := startMind(t, func(q question) thought {
		if q.message == "count to 3" && len(q.results) == 0 {
			disk.full.Store(true) // before the answer is there
		}
		return counting(q)
	})
	chosen, err := models.Settings{List: model.flags()[1], Lookup: func(string) (string, bool) { return "", false }}.Read()
	if err != nil {
		t.Fatal(err)
	}
	data := filepath.Join(t.TempDir(), "data")
	s := &story{t: t, data: data, logs: &domaintest.Buffer{}, ended: make(chan error, 1)}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	s.app, err = Open(ctx, Config{Addr: "127.0.0.1:0", Data: data, Models: chosen, Passwords: argon2.Config{MemoryKiB: 64, Passes: 1},
		Logger: slog.New(slog.NewTextHandler(s.logs, nil)), disk: disk})
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.app.Run(ctx) }()
	t.Cleanup(s.end)
	s.api = apiclient.New(overSocket(t, data), unixsocket.BaseURL)
	v := &victim{t: t, data: data, address: "http://" + s.app.Addr(), setup: s.app.SetupLink(), api: s.api}
	if err := waitReady(v.address); err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, "abacus")
	v.pair(p)
	d := v.listening(register(t, v.setup), 1)[0]
	d.tells("count to 3")
	d.hears("status thinking")

	m := &mortal{s, v}
	reasoning := func() (bool, string) {
		health := read[struct {
			Services map[string]struct {
				Ready  bool
				Detail string
			}
		}](t, v.wants(http.StatusOK, http.MethodGet, "/health", "")).Services[domain.ServiceReasoning]
		return health.Ready, health.Detail
	}
	m.eventually("reasoning to stop", func() bool { ready, _ := reasoning(); return !ready })
	ready, detail := reasoning()
	if ready || !strings.HasPrefix(detail, "is stuck and tries again: the disk of ") || !strings.Contains(detail, "free some space") {
		t.Errorf("/health says %q", detail)
	}
	// What is said now can't be kept, and who says it is told.
	if answer := v.wants(http.StatusServiceUnavailable, http.MethodPost, "socket:/api/messages", `{"text":"hello"}`); !strings.Contains(answer, "free some space") {
		t.Errorf("a message is answered %s", answer)
	}
	asked := len(model.questions())
	m.eventually("another attempt", func() bool { return len(model.questions()) > asked+1 })
	if types := v.types(domain.TopicTools); len(types) > 0 || p.times("/execute") > 0 {
		t.Errorf("without a log there was done %q, and the tool was called %d times", types, p.times("/execute"))
	}

	model.says(counting)
	disk.full.Store(false)
	if told := domain.PlainText(d.hears("message").Blocks); !strings.HasPrefix(told, "Counting came to ") {
		t.Errorf("it answers %q", told)
	}
	d.hears("done")
	if want := []string{"status processing", "status thinking", "status retrieving_memory", "status thinking", "status responding",
		"status thinking", "status responding", "message", "done"}; !slices.Equal(d.names(), want) {
		t.Errorf("the device heard %q", d.names())
	}
	if types := v.types(domain.TopicTools); !slices.Equal(types, []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.completed"}) || p.times("/execute") != 1 {
		t.Errorf("there was done %q, and the tool was called %d times", types, p.times("/execute"))
	}
	m.eventually("all to be well", func() bool { ready, _ := reasoning(); return ready })
	s.stop()
}
