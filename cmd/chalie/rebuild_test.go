package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/unixsocket"
	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
	"chalie/projections/rebuild"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// The version of the world state's projection, and that of a program to come.
var (
	worldVersion     = small.World().Version()
	nextWorldVersion = worldVersion + 1
)

// nextWorld is the world state of a program to come, which remembers fewer signals. The program still has today's code when it keeps it.
func nextWorld(keeps bool) func(*Config) {
	return func(c *Config) {
		c.revise = append(c.revise, func(k *kind) {
			if k.Name != "world" {
				return
			}
			now := []func() projections.Projection{func() projections.Projection {
				return projections.NewInMemoryFrom(nextWorldState, "world", nextWorldVersion, nil, (*domain.World).Evolve)
			}}
			if keeps {
				now = append(now, k.Makes...)
			}
			k.Makes = now
		})
	}
}

func nextWorldState() domain.World {
	w := domain.NewWorld()
	w.Rules.Capacity = 30
	return w
}

// wantsWorld compares the world state with one folded here, of a version.
func (s *story) wantsWorld(version int) {
	s.t.Helper()
	serving := s.app.folds.World
	if err := s.app.folds.Of("world").WaitFor(s.t.Context(), s.app.log.Tail()); err != nil {
		s.t.Fatal(err)
	}
	got, want := commands.Copy(serving), map[int]domain.World{worldVersion: domain.NewWorld(), nextWorldVersion: nextWorldState()}[version]
	for from := domain.Position(1); from <= got.Through; {
		records, err := s.app.log.Select(s.t.Context(), domain.Selector{}, from, int(min(got.Through-from+1, 1000)))
		if err != nil {
			s.t.Fatal(err)
		}
		for _, rec := range records {
			if err := want.Evolve(rec); err != nil {
				s.t.Fatal(err)
			}
		}
		from += domain.Position(len(records))
	}
	if serving.Version() != version || got.Rules != want.Rules {
		s.t.Errorf("version %d serves, want %d", serving.Version(), version)
	}
	if !reflect.DeepEqual(positions(got.Signals), positions(want.Signals)) || !reflect.DeepEqual(positions(got.Dropped), positions(want.Dropped)) {
		s.t.Errorf("version %d at %d holds\n%v, %v\nand folded from the start\n%v, %v", version, got.Through,
			positions(got.Signals), positions(got.Dropped), positions(want.Signals), positions(want.Dropped))
	}
}

func positions(of []domain.Heard) (out []domain.Position) {
	for _, c := range of {
		out = append(out, c.Position)
	}
	return out
}

// projection is how one stands.
func (s *story) projection(name string) api.Projection {
	s.t.Helper()
	objects, err := s.api.Projections(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	for _, object := range objects {
		p, err := object.Value()
		if err != nil {
			s.t.Fatal(err)
		}
		if p.Name == name {
			return p
		}
	}
	s.t.Fatalf("there is no projection %s", name)
	return api.Projection{}
}

// rebuilt waits until no rebuild goes on, and returns how the projection stands.
func (s *story) rebuilt(name string) api.Projection {
	s.t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		p := s.projection(name)
		if p.Rebuild != nil && p.Rebuild.State != "running" {
			if p.Rebuild.State != "done" {
				s.t.Errorf("the rebuild ended as %+v", p.Rebuild)
			}
			return p
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatalf("it still goes on: %+v", p.Rebuild)
		}
	}
}

// pour sends signals and asks questions, from several sides, until stop is called,
// which returns how many signals were accepted. No request may fail.
func (s *story) pour() (stop func() int64) {
	ctx, cancel := context.WithCancel(s.t.Context())
	var accepted atomic.Int64
	var busy sync.WaitGroup
	request := func(client *http.Client, method, path, body string, want int) {
		req, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, unixsocket.BaseURL+path, strings.NewReader(body))
		if err != nil {
			s.t.Error(err)
			return
		}
		resp, err := client.Do(req)
		if err != nil {
			s.t.Errorf("%s %s: %v", method, path, err)
			return
		}
		defer resp.Body.Close()
		if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != want {
			s.t.Errorf("%s %s: %d %s, %v", method, path, resp.StatusCode, text, err)
		}
	}
	for i := range 3 {
		busy.Go(func() {
			client := unixsocket.Client(s.data)
			defer client.CloseIdleConnections()
			for ; ctx.Err() == nil; accepted.Add(1) {
				request(client, http.MethodPost, "/api/signals", signalText(fmt.Sprintf("drop %d of %d", accepted.Load(), i), 0.5), http.StatusAccepted)
			}
		})
	}
	for _, path := range []string{"/api/world", "/api/projections", "/api/traces", "/health"} {
		busy.Go(func() {
			client := unixsocket.Client(s.data)
			defer client.CloseIdleConnections()
			for ctx.Err() == nil {
				request(client, http.MethodGet, path, "", http.StatusOK)
			}
		})
	}
	return func() int64 {
		cancel()
		busy.Wait()
		return accepted.Load()
	}
}

// A version is raised, taken back and raised again while signals pour in and
// questions are asked: none of it fails, nothing is lost or counted twice, and a
// program that doesn't know the new version goes on with the old one.
func TestAVersionIsRaisedWhileSignalsPourIn(t *testing.T) {
	t.Parallel()
	clock, data := domaintest.NewClock(), filepath.Join(t.TempDir(), "data")
	s := begin(t, data, clock, 0)
	for range 8 {
		var items []string
		for i := range domain.MaxSignalsPerBatch {
			items = append(items, signalText(fmt.Sprint("before ", i), 0.4))
		}
		if status, answer := s.post("/api/signals/batch", "["+strings.Join(items, ",")+"]"); status != http.StatusOK {
			t.Fatalf("%d %s", status, answer)
		}
	}
	s.wantsWorld(worldVersion)
	s.stop()

	s = beginWith(t, data, clock, nextWorld(true)) // at once, with the old version
	stop := s.pour()
	if p := s.rebuilt("world"); p.Version != nextWorldVersion || p.Rebuild.Kind != "upgrade" || p.Previous == nil || p.Previous.Version != worldVersion || !p.Rebuild.Switched {
		t.Errorf("raised it is %+v, by %+v", p, p.Rebuild)
	}
	for range 2 {
		if err := s.api.RollBack(t.Context(), "world"); err != nil {
			t.Fatal(err)
		}
		if p := s.rebuilt("world"); p.Version != worldVersion || p.Rebuild.Kind != "rollback" || !p.Held || p.Previous == nil || p.Previous.Version != nextWorldVersion {
			t.Errorf("taken back it is %+v, by %+v", p, p.Rebuild)
		}
		if err := s.api.Rebuild(t.Context(), []string{"world", "traces"}, false); err != nil {
			t.Fatal(err)
		}
		if p := s.rebuilt("world"); p.Version != nextWorldVersion || p.Rebuild.Kind != "rebuild" || p.Rebuild.Difference == nil || p.Held {
			t.Errorf("raised again it is %+v, by %+v", p, p.Rebuild)
		}
		if p := s.rebuilt("traces"); p.Rebuild.Difference == nil || p.Rebuild.Difference.Count != 0 || p.Rebuild.Difference.Compared == 0 {
			t.Errorf("the traces folded again: %+v, %+v", p, p.Rebuild)
		}
	}
	accepted := stop()
	s.wantsWorld(nextWorldVersion)
	s.wantsSwitches(t, accepted+8*domain.MaxSignalsPerBatch)
	s.stop()

	s = begin(t, data, clock, 0) // the program before, over what the new one left
	s.wantsWorld(worldVersion)
	s.stop()
	s = beginWith(t, data, clock, nextWorld(false)) // one that has no code of the old version
	s.wantsWorld(nextWorldVersion)
	if err := s.api.RollBack(t.Context(), "world"); domain.CodeOf(err) != rebuild.CodeNoFold {
		t.Errorf("going back to what it can't fold: %v", err)
	}
	s.stop()
}

// wantsSwitches reads from the log that each switch began where the one before
// ended, and that every signal that was accepted stands there once.
func (s *story) wantsSwitches(t *testing.T, signals int64) {
	t.Helper()
	at := map[string]string{"world": fmt.Sprintf("%d.0", worldVersion), "traces": fmt.Sprintf("%d.0", (&traces.Projection{}).Version())}
	found, switches := int64(0), 0
	records, err := s.app.log.Select(t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range records {
		switch rec.Envelope.Type {
		case "signal.received":
			found++
		case "projection.rebuilt":
			e := decode[domain.ProjectionRebuilt](t, rec.Envelope)
			if from := fmt.Sprintf("%d.%d", e.FromVersion, e.FromGeneration); from != at[e.Name] {
				t.Errorf("at %d %s went on from %s, and stood at %s", rec.Position, e.Name, from, at[e.Name])
			}
			at[e.Name] = fmt.Sprintf("%d.%d", e.ToVersion, e.ToGeneration)
			switches++
			if upgrade := switches == 1; upgrade != (rec.Envelope.Principal == domain.PrincipalCore) || e.RolledBack == (e.ToVersion == nextWorldVersion || e.Name == "traces") {
				t.Errorf("switch %d is %+v by %s", switches, e, rec.Envelope.Principal)
			}
		}
	}
	if found != signals || switches != 7 {
		t.Errorf("the log has %d signals and %d switches, want %d and 7", found, switches, signals)
	}
}

// One rebuild of a projection at a time; what is cancelled leaves nothing.
func TestRebuildIsRefusedAndCancelled(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	s := begin(t, data, domaintest.NewClock(), 0)
	defer s.stop()
	for range 4 { // which is more than the gate lets through
		s.hear("closed", 0.5)
	}
	defer s.gate()()
	folders := func() string {
		names, err := filepath.Glob(filepath.Join(data, "projections", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, "\n")
	}
	before := folders()
	if err := s.api.Rebuild(t.Context(), []string{"registry"}, false); err != nil {
		t.Fatal(err)
	}
	if err := s.api.Rebuild(t.Context(), nil, false); domain.CodeOf(err) != rebuild.CodeRunning || domain.CategoryOf(err) != domain.Conflict {
		t.Errorf("a second one: %v", err)
	}
	if p := s.projection("registry"); p.Rebuild == nil || p.Rebuild.State != "running" || p.Rebuild.Tail == 0 {
		t.Errorf("it stands at %+v", p.Rebuild)
	}
	if folders() == before {
		t.Error("it folds nowhere")
	}
	if err := s.api.CancelRebuild(t.Context(), "registry"); err != nil {
		t.Fatal(err)
	}
	if p := s.projection("registry"); p.Generation != 0 || p.Previous != nil || p.Rebuild.State != "cancelled" {
		t.Errorf("cancelled it is %+v, %+v", p, p.Rebuild)
	}
	if left := folders(); left != before {
		t.Errorf("it left\n%s\nwhere there was\n%s", left, before)
	}
	for call, err := range map[string]error{
		string(rebuild.CodeNoRebuild):    s.api.CancelRebuild(t.Context(), "registry"),
		string(rebuild.CodeNoPrevious):   s.api.RollBack(t.Context(), "registry"),
		string(rebuild.CodeNoProjection): s.api.Rebuild(t.Context(), []string{"world", "nothing"}, false),
	} {
		if string(domain.CodeOf(err)) != call {
			t.Errorf("%s: %v", call, err)
		}
	}
	if p := s.projection("world"); p.Rebuild != nil {
		t.Error("of several of which one can't be rebuilt, one was")
	}
}
