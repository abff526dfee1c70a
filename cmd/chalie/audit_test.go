package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/small"
	"chalie/replay/narrate"
)

// soonAudited is a clock that stands just before the audit begins.
func soonAudited(t *testing.T) *domaintest.Clock {
	t.Helper()
	t.Setenv("TZ", "UTC")
	clock := domaintest.NewClock()
	now := clock.Now().UTC()
	at := time.Date(now.Year(), now.Month(), now.Day()+1, 3, 29, 59, 950_000_000, time.UTC)
	clock.Advance(at.Sub(now))
	return clock
}

// audited moves the clock into the audit and waits until it has ended.
func (s *story) audited() {
	s.t.Helper()
	s.clock.Advance(100 * time.Millisecond)
	domaintest.Until(s.t, "something is audited", func() bool { return !s.app.auditor.Audited().IsZero() })
}

func TestAuditFindsWhatIsNotInTheLog(t *testing.T) {
	data, clock := t.TempDir(), soonAudited(t)
	s := begin(t, data, clock, 0)
	for _, content := range []string{"rain", "sun", "snow"} {
		s.hear(content, 0.5)
	}
	s.audited()
	if found := s.app.auditor.Diverged(t.Context()); len(found) > 0 {
		t.Errorf("of a program that nobody touched diverged are %v", found)
	}
	if _, err := os.Stat(auditFolder(data)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the audit left its folder: %v", err)
	}
	s.stop()

	doctor(t, data, `"energy":500000`, `"energy":900000`)
	left := filepath.Join(auditFolder(data), "world-2")
	if err := errors.Join(os.MkdirAll(left, 0o700), os.WriteFile(filepath.Join(left, "MANIFEST-000001"), []byte("killed"), 0o600)); err != nil {
		t.Fatal(err)
	}
	clock.Advance(24*time.Hour - 100*time.Millisecond)
	s = begin(t, data, clock, 0)
	s.audited()
	found, marked := s.app.auditor.Diverged(t.Context())["world"]
	if !marked || found.Differing != 1 || found.ServedHash == found.FoldedHash || len(found.ServedHash) != 64 || found.Position < s.app.started {
		t.Fatalf("found %+v", found)
	}
	if _, err := os.Stat(auditFolder(data)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what a killed audit left is still there: %v", err)
	}
	const told = "is not what the log says: 1 thing differs through position "
	if health := s.app.health(t.Context()); !health.Ready || health.Services["projection.world"].Ready || !strings.Contains(health.Services["projection.world"].Detail, told) || !health.Services["projection.traces"].Ready {
		t.Errorf("health says %+v", health)
	}
	if !strings.Contains(s.logs.String(), "run `chalie rebuild world`") {
		t.Errorf("the log says\n%s", s.logs)
	}
	if body := projectionOf(t, s, "world"); body.Diverged == nil || body.Diverged.Differing != 1 || body.Diverged.Position != found.Position {
		t.Errorf("the API says %+v", body)
	}
	if body := projectionOf(t, s, "traces"); body.Diverged != nil {
		t.Errorf("the API says of another one %+v", body)
	}
	records, err := s.app.log.Select(t.Context(), domain.Selector{Key: domain.ProjectionKey("world")}, 1, 10)
	if err != nil || len(records) != 1 || narrate.Line(records[0].Envelope) == "" {
		t.Fatalf("recorded are %v, %v", records, err)
	}
	s.stop()

	s = begin(t, data, clock, 0)
	if len(s.app.auditor.Diverged(t.Context())) != 1 {
		t.Error("what was found is forgotten after a start")
	}
	s.stop()
}

// doctor changes what the world's store holds, as a defect would: with everything
// around it in order.
func doctor(t *testing.T, data, from, to string) {
	t.Helper()
	w := small.World()
	store, err := pebblestore.Open(w.Name(), w.Version(), pebblestore.Config{Dir: foldedFolder(data)})
	if err != nil {
		t.Fatal(err)
	}
	pos, err := store.Checkpoint()
	if err != nil {
		t.Fatal(err)
	}
	err = store.Update(pos, func(b projections.Batch) error {
		state, _, err := store.Get([]byte("state"))
		if err != nil {
			return err
		}
		changed := bytes.Replace(state, []byte(from), []byte(to), 1)
		if bytes.Equal(changed, state) {
			t.Errorf("there is no %s in %s", from, state)
		}
		return b.Set([]byte("state"), changed)
	})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
}

type projectionLine struct {
	Name     string
	Diverged *struct {
		Position  domain.Position
		Differing uint64
	}
}

func projectionOf(t *testing.T, s *story, name string) projectionLine {
	t.Helper()
	v := &victim{data: s.data}
	status, text, err := v.ask("GET", "socket:/api/projections", "")
	var out []projectionLine
	if err := errors.Join(err, json.Unmarshal([]byte(text), &out)); err != nil || status != 200 {
		t.Fatalf("%d %s, %v", status, text, err)
	}
	for _, p := range out {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("there is no %s in %s", name, text)
	return projectionLine{}
}

func TestAuditAt(t *testing.T) {
	for text, want := range map[string]time.Duration{"": 210 * time.Minute, "03:30": 210 * time.Minute, "00:00": 0, "23:59": 24*time.Hour - time.Minute} {
		if at, off, err := parseAuditAt(text); at != want || off || err != nil {
			t.Errorf("%q is %s, off %v, %v", text, at, off, err)
		}
	}
	if _, off, err := parseAuditAt("off"); !off || err != nil {
		t.Errorf("off is %v, %v", off, err)
	}
	for _, text := range []string{"3", "24:00", "03:30:00", "never"} {
		if _, _, err := parseAuditAt(text); domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "--audit-at") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
