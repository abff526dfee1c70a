package pebblelog_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// killedChild, when set, makes the test binary the process that gets killed:
// its value is the folder it works in.
const killedChild = "CHALIE_KILLED_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(killedChild); dir != "" {
		if err := beKilled(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// acked is one line the child prints once an append was acknowledged.
type acked struct {
	ID       domain.ID
	Position domain.Position
}

// fold is a derived state with the position it was folded through, as a
// projection keeps one: it must never be ahead of the log it is folded from.
type fold struct {
	Position domain.Position
	Hash     uint64
}

func (f *fold) apply(recs []domain.Record) {
	table := crc64.MakeTable(crc64.ECMA)
	for _, r := range recs {
		f.Hash = crc64.Update(f.Hash, table, r.Envelope.ID[:])
		f.Position = r.Position
	}
}

// beKilled appends from eight goroutines and folds the log until it is killed.
func beKilled(dir string) error {
	l, err := pebblelog.Open(pebblelog.Config{Dir: filepath.Join(dir, "log"), Clock: wall{}, Holder: "the killed child"})
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	var mu sync.Mutex
	for w := range 8 {
		go func() {
			for n := 0; ; n++ {
				entries := domaintest.NewEntries(childIDs{}, domain.Topic(fmt.Sprintf("topic-%d", w%3)), 1+n%3)
				r, err := l.Append(context.Background(), domain.Batch{Entries: entries})
				if err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
				mu.Lock()
				for i, e := range entries {
					_ = out.Encode(acked{e.Envelope.ID, r.Positions[i]})
				}
				mu.Unlock()
			}
		}()
	}
	return foldForEver(l, dir)
}

// childIDs gives ids that no other child gives.
type childIDs struct{}

func (childIDs) NewID() domain.ID { return newID() }

func foldForEver(l *pebblelog.Log, dir string) error {
	ctx := context.Background()
	state, err := loadFold(dir)
	if err != nil {
		return err
	}
	for {
		if _, err := l.Wait(ctx, state.Position); err != nil {
			return err
		}
		recs, err := l.Select(ctx, domain.Selector{}, state.Position+1, 100)
		if err != nil {
			return err
		}
		state.apply(recs)
		if err := saveFold(dir, state); err != nil {
			return err
		}
		if err := l.SaveCheckpoint(ctx, "fold", state.Position); err != nil {
			return err
		}
	}
}

func loadFold(dir string) (fold, error) {
	var f fold
	text, err := os.ReadFile(filepath.Join(dir, "fold.json"))
	if os.IsNotExist(err) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	return f, json.Unmarshal(text, &f)
}

func saveFold(dir string, f fold) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "fold.json")
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// TestCrashKill kills a writing process at a random moment, again and again
// over the same log.
func TestCrashKill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var dir string
	var known *ledger
	for round := range domaintest.Rounds(t, domaintest.CrashRounds, 10) {
		if round%50 == 0 {
			dir, known = t.TempDir(), newLedger()
		}
		kill(t, self, dir, known)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
}

func kill(t *testing.T, self, dir string, known *ledger) {
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), killedChild+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	if _, err := lines.Peek(1); err != nil {
		t.Fatalf("the child ended before it wrote anything: %v", err)
	}
	timer := time.AfterFunc(time.Duration(rand.IntN(30_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
	defer timer.Stop()
	for {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break // what the child had not finished to print counts as not said
		}
		var a acked
		if err == nil {
			err = json.Unmarshal(line, &a)
		}
		if err != nil {
			t.Fatalf("reading what the child said: %v", err)
		}
		known.ack(a.ID, a.Position)
	}
	_ = cmd.Wait() // it was killed

	l := open(t, pebblelog.Config{Dir: filepath.Join(dir, "log"), Clock: wall{}})
	defer func() {
		if err := l.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	recs := readAll(t, l)
	if err := known.check(recs); err != nil {
		t.Error(err)
	}
	mustVerify(t, l)
	checkFold(t, l, dir, recs)
}

func checkFold(t *testing.T, l *pebblelog.Log, dir string, recs []domain.Record) {
	t.Helper()
	stored, err := loadFold(dir)
	if err != nil {
		t.Fatalf("the fold's state: %v", err)
	}
	if int(stored.Position) > len(recs) {
		t.Fatalf("the fold had seen position %d of a log that ends at %d", stored.Position, len(recs))
	}
	var again fold
	again.apply(recs[:stored.Position])
	if again != stored {
		t.Errorf("the fold through position %d is %x, and %x when folded again", stored.Position, stored.Hash, again.Hash)
	}
	at, err := l.Checkpoint(context.Background(), "fold")
	if err != nil || at > stored.Position {
		t.Errorf("the consumer's position is %d (%v), past the %d it had folded", at, err, stored.Position)
	}
}
