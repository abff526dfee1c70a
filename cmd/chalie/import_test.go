package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
)

// Everything that is folded of an imported log is what is folded of the one it
// came from.
func TestImportedFoldsAreTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	v := startVictim(t, filepath.Join(dir, "data"))
	v.ready()
	p := startProgram(t, "counter")
	in := v.pair(p)
	if status := v.signalled(in.Token, "a table at Luigi's was given away"); status != http.StatusAccepted {
		t.Fatalf("the signal was answered %d", status)
	}
	for _, words := range []string{"remind me: dinner at Luigi's in 2 hours", "remember that I like tea", "add milk to the shopping list", "what is on your mind?"} {
		v.chalie("say", words)
	}
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/"+in.ID.UUID()+".count/invoke", `{"params":{"to":1}}`)
	v.stop()

	for _, format := range []string{"jsonl", "cloudevents"} {
		file, second := filepath.Join(dir, format), filepath.Join(dir, "from-"+format)
		mustRun(t, "export", "--format", format, "--out", file, "--data", v.data)
		mustRun(t, "import", file, "--data", second)
		want, got := folded(t, v.data), folded(t, second)
		if len(want) < 10 || !maps.Equal(want, got) {
			t.Errorf("%s: what is folded differs: %v, want %v", format, got, want)
		}
		again := filepath.Join(dir, "again-"+format)
		mustRun(t, "export", "--format", format, "--out", again, "--data", second)
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if is, err := os.ReadFile(again); err != nil || !bytes.Equal(is, was) {
			t.Errorf("%s: the export of what was imported differs: %v", format, err)
		}
	}

	// It goes on: the interface's token is good there, and what was said is known.
	next := startVictim(t, filepath.Join(dir, "from-jsonl"))
	next.ready()
	if status := next.signalled(in.Token, "it goes on"); status != http.StatusAccepted {
		t.Errorf("a signal to the imported one was answered %d", status)
	}
	next.stop()
}

// folded is a hash of what each projection makes of a directory's log.
func folded(t *testing.T, data string) map[string]string {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	records, err := log.Select(t.Context(), domain.Selector{}, 1, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFolds(log, sysclock.Clock{}, slog.New(slog.DiscardHandler), rebuild.InMemory)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{"tail": fmt.Sprint(log.Tail())}
	for _, p := range f.Serving.Projections {
		store := projections.NewMemStore()
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if err := p.Apply(rec); err != nil {
				t.Fatalf("%s at %d: %v", p.Name(), rec.Position, err)
			}
		}
		if err := store.Update(log.Tail(), p.Save); err != nil {
			t.Fatal(err)
		}
		if out[p.Name()], err = projections.Digest(p, store); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
