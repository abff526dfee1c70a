package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections/rebuild"
)

// TestCrashRebuild kills the program while it rebuilds its projections, goes back,
// or sweeps up what the kill before left, with signals coming in. Each projection
// is then as it was before or as it was to be, folds what the log says, and leaves
// nothing else lying about.
func TestCrashRebuild(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t)
	var data, token string
	var known *ledger
	switched := 0
	for round := range crashRounds(t) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		if round%5 == 0 { // a fresh folder now and then keeps the rounds short
			data, token, known = filepath.Join(t.TempDir(), "data"), "", newLedger()
		}
		v := startVictim(t, data)
		v.ready()
		if token == "" {
			token = v.issueToken()
			if err := v.api.Rebuild(t.Context(), nil, false); err != nil { // so that there is something to go back to
				t.Fatal(err)
			}
			v.settled()
		}
		before := v.standing()
		var busy sync.WaitGroup
		own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
		busy.Go(func() { switchAll(v, own) })
		load(v, token, known, round, rand.New(rand.NewPCG(seed, ^uint64(round)))) // which kills
		busy.Wait()
		v.end()
		if rng.IntN(2) == 0 { // once more, while it recovers
			startVictim(t, data).end()
		}
		v = startVictim(t, data)
		v.ready()
		for name, now := range v.standing() {
			was := before[name]
			same := now.Generation == was.Generation
			back := was.Previous != nil && now.Generation == was.Previous.Generation
			done := now.Previous != nil && now.Previous.Generation == was.Generation
			if !same && !back && !done {
				t.Errorf("%s was %+v and is %+v", name, was, now)
			}
			if !same {
				switched++
			}
			wantsFolders(t, data, now)
		}
		repeat(v, token, known)
		known.check(v)
		v.end()
		if t.Failed() {
			t.Fatalf("in round %d of seed %d", round, seed)
		}
	}
	t.Logf("%d switches outlived their kill", switched)
}

// switchAll begins to rebuild every projection, to check it, or to go back with it.
func switchAll(v *victim, rng *rand.Rand) {
	v.t.Helper()
	for name := range v.standing() {
		var err error
		switch rng.IntN(5) {
		case 0:
			err = v.api.Rebuild(v.t.Context(), []string{name}, true)
		case 1, 2:
			err = v.api.RollBack(v.t.Context(), name)
		default:
			err = v.api.Rebuild(v.t.Context(), []string{name}, false)
		}
		if err != nil && domain.CodeOf(err) != rebuild.CodeNoPrevious {
			return // it is dead
		}
	}
}

// settled waits until no rebuild goes on.
func (v *victim) settled() {
	going := func(p api.Projection) bool { return p.Rebuild != nil && p.Rebuild.State == "running" }
	for stand := v.standing(); slices.ContainsFunc(slices.Collect(maps.Values(stand)), going); stand = v.standing() {
		continue
	}
}

// standing is how each projection stands; empty when the program is dead.
func (v *victim) standing() map[string]api.Projection {
	out := map[string]api.Projection{}
	objects, err := v.api.Projections(v.t.Context())
	if err != nil {
		return out
	}
	for _, object := range objects {
		p, err := object.Value()
		if err != nil {
			v.t.Error(err)
		}
		out[p.Name] = p
	}
	return out
}

// wantsFolders wants the stores that a projection has, and no others.
func wantsFolders(t *testing.T, data string, p api.Projection) {
	t.Helper()
	folder := func(version, generation int) string {
		if generation == 0 {
			return fmt.Sprintf("%s-%d", p.Name, version)
		}
		return fmt.Sprintf("%s-%d.g%d", p.Name, version, generation)
	}
	want := []string{folder(p.Version, p.Generation)}
	if p.Previous != nil {
		want = append(want, folder(p.Previous.Version, p.Previous.Generation))
	}
	files, err := os.ReadDir(filepath.Join(data, "projections"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), p.Name+"-") && !slices.Contains(want, file.Name()) {
			t.Errorf("%s is left, where %v belong", file.Name(), want)
		}
	}
}
