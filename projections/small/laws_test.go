package small_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
)

var rewrite = flag.Bool("rewrite", false, "write the golden file anew")

// all are the projections of this package, empty.
func all() []projections.Committer {
	return []projections.Committer{
		small.Accounts(), small.Invocations(), small.Memory(), small.Notes(), small.Plans(), small.NewPolicy(), small.Registry(),
		small.Surroundings(), small.World(),
	}
}

// each runs a test of each projection; anew makes another empty one.
func each(t *testing.T, test func(t *testing.T, anew func() projections.Committer)) {
	for i, p := range all() {
		t.Run(p.Name(), func(t *testing.T) { test(t, func() projections.Committer { return all()[i] }) })
	}
}

// TestStoredForm holds name, version and what is stored of nothing and of a history. A difference means
// that stores on people's disks are of another form: raise the version.
func TestStoredForm(t *testing.T) {
	const file = "testdata/stored.golden"
	h, got := everything(t), ""
	for _, p := range all() {
		got += fmt.Sprintf("%s %d %s\n%s\n", p.Name(), p.Version(), saved(t, p), saved(t, fold(h, p)))
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("stored is, %v,\n%s\nwant\n%s", err, got, want)
	}
}

// TestGoesOnFromEverySave breaks off, or has a save refused, anywhere.
func TestGoesOnFromEverySave(t *testing.T) {
	h := everything(t)
	records := h.records()
	each(t, func(t *testing.T, anew func() projections.Committer) {
		want := saved(t, fold(h, anew()))
		rapid.Check(t, func(t *rapid.T) {
			p, store := anew(), projections.NewMemStore()
			begin := func() {
				p = anew()
				if err := p.Load(store); err != nil {
					t.Fatal(err)
				}
			}
			begin()
			for n, rec := range records {
				apply(t, p, rec)
				switch rapid.IntRange(0, 4).Draw(t, "then") {
				case 0, 1:
					if err := store.Update(rec.Position, p.Save); err != nil {
						t.Fatal(err)
					}
					p.Saved()
				case 2:
					begin()
					through, err := store.Checkpoint()
					if err != nil {
						t.Fatal(err)
					}
					apply(t, p, records[through:n+1]...)
				}
			}
			if err := store.Update(h.log.Tail(), p.Save); err != nil {
				t.Fatal(err)
			}
			if got, _, err := store.Get([]byte("state")); err != nil || string(got) != want {
				t.Fatalf("stored is, %v,\n%s\nwant\n%s", err, got, want)
			}
		})
	})
}

// TestSavesOnlyChanges holds that what a fold passes over doesn't make it be written
// again and again, and that a refused save is made up for.
func TestSavesOnlyChanges(t *testing.T) {
	records := everything(t).records()
	each(t, func(t *testing.T, anew func() projections.Committer) {
		p := anew()
		wants, _ := p.(projections.Filter)
		var heeded []domain.Record
		var passed domain.Record
		for _, rec := range records {
			if wants.Wants(&rec) {
				heeded = append(heeded, rec)
			} else {
				passed = rec
			}
		}
		steps := []struct {
			rec  domain.Record
			want bool // written
			kept bool
		}{{heeded[0], true, false}, {domain.Record{}, true, true}, {domain.Record{}, false, true}, {passed, false, true}, {heeded[1], true, true}}
		for i, step := range steps {
			if step.rec.Position != 0 {
				apply(t, p, step.rec)
			}
			if got := saved(t, p) != ""; got != step.want {
				t.Errorf("step %d: it is %t that something is written", i, got)
			}
			if step.kept {
				p.Saved()
			}
		}
	})
}

// A record that can't be read stops the fold and changes nothing.
func TestUndecodableChangesNothing(t *testing.T) {
	records := everything(t).records()
	each(t, func(t *testing.T, anew func() projections.Committer) {
		p, refused := anew(), 0
		for _, rec := range records {
			apply(t, p, rec)
			before := saved(t, p)
			bad := rec
			bad.Position++
			bad.Envelope.Version = 99
			if err := projections.Apply(p, &bad); domain.CodeOf(err) == domain.CodeUndecodable {
				refused++
				if after := saved(t, p); after != before {
					t.Fatalf("a refused %s changed\n%s\nto\n%s", rec.Envelope.Type, before, after)
				}
			} else if err != nil {
				t.Fatal(err)
			} else {
				p = anew() // it was counted twice
				apply(t, p, records[:rec.Position]...)
			}
		}
		if reads := p.Name() != "invocations" && p.Name() != "memory"; reads != (refused > 0) {
			t.Errorf("it refused %d", refused)
		}
	})
}

func TestDamagedStateIsRefused(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, anew func() projections.Committer) {
		p := anew()
		if err := p.Load(store); err == nil || !strings.Contains(err.Error(), p.Name()) {
			t.Errorf("it is loaded, %v", err)
		}
	})
}

func TestInRunners(t *testing.T) {
	h := everything(t)
	var runners []*projections.Runner
	var stores []projections.Store
	for _, p := range all() {
		store := projections.NewMemStore()
		r, err := projections.NewRunner(p, h.log, store, h.clock, projections.Config{SaveEvery: 30, Batch: 10})
		if err != nil {
			t.Fatal(err)
		}
		runners, stores = append(runners, r), append(stores, store)
	}
	group, err := projections.NewGroup(runners...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- group.Run(ctx) }()
	if err := group.WaitFor(ctx, h.log.Tail()); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for i, p := range all() {
		if got, _, err := stores[i].Get([]byte("state")); err != nil || string(got) != saved(t, fold(h, p)) {
			t.Errorf("%s stored, %v,\n%s", p.Name(), err, got)
		}
	}
}
