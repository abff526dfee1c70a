package commands_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestFourPairsWithOneKey races within one process and between several that know
// nothing of each other.
func TestFourPairsWithOneKey(t *testing.T) {
	for name, apart := range map[string]bool{"one process": false, "four folds": true} {
		t.Run(name, func(t *testing.T) {
			r := newReception(t)
			key := r.key()
			doors := []*reception{r, r, r, r}
			if apart {
				for n := range doors {
					doors[n] = anotherReception(r.bench, r.peer)
					doors[n].roll.hold()
				}
			}
			errs := make([]error, len(doors))
			tokens := make([]string, len(doors))
			var wg sync.WaitGroup
			for n, door := range doors {
				wg.Go(func() {
					paired, err := door.Pair(context.Background(), hospitalRequest(key))
					errs[n], tokens[n] = err, paired.Token
				})
			}
			wg.Wait()
			made := 0
			for n, err := range errs {
				if err == nil {
					made++
					if _, ok := r.Token(tokens[n]); !ok {
						t.Error("the token doesn't let in")
					}
					continue
				}
				refused(t, err, domain.Validation, domain.CodeUsedKey)
			}
			if made != 1 || len(r.List()) != 1 {
				t.Errorf("%d made it, %d are known", made, len(r.List()))
			}
			r.secretFree(key)
		})
	}
}

// TestAlikeAtOnce lets two register whose names look alike, when neither is known to the
// other yet: one gets its name.
func TestAlikeAtOnce(t *testing.T) {
	r := newReception(t)
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for n, name := range []string{"Weather", "Wеather"} {
		door := anotherReception(r.bench, r.peer)
		door.roll.hold()
		wg.Go(func() {
			_, errs[n] = door.Register(context.Background(), commands.Registration{Name: name, Version: "1", Host: "127.0.0.1", Port: 4001 + n})
		})
	}
	wg.Wait()
	if (errs[0] == nil) == (errs[1] == nil) {
		t.Fatalf("they were answered %v and %v", errs[0], errs[1])
	}
	for _, err := range errs {
		if err != nil {
			refused(t, err, domain.Validation, "invalid")
		}
	}
}

// TestTwoPairsOfOnePlace lets two attempts with a key each begin before either
// ends: only one of them wins the place.
func TestTwoPairsOfOnePlace(t *testing.T) {
	r := newReception(t)
	var both sync.WaitGroup
	both.Add(2)
	r.peer.before = func(step string) error {
		if step == "health" {
			both.Done()
			both.Wait()
		}
		return nil
	}
	keys := []string{r.key(), r.key()}
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for n, key := range keys {
		wg.Go(func() { _, errs[n] = r.Pair(context.Background(), hospitalRequest(key)) })
	}
	wg.Wait()
	if (errs[0] == nil) == (errs[1] == nil) || len(r.List()) != 1 {
		t.Fatalf("they were answered %v and %v, and %d are known", errs[0], errs[1], len(r.List()))
	}
	if all := r.refusals(); len(all) != 1 || all[0].Reason != "place_taken" {
		t.Errorf("the refusals are %+v", all)
	}
}

func TestPairReplaces(t *testing.T) {
	r := newReception(t)
	first := r.pairAt("Hospital", 9000)
	second := r.pairAt("Hospital", 9000)
	if _, ok := r.Token(first.Token); ok || first.ID == second.ID || first.Token == second.Token {
		t.Error("the one before is still let in")
	}
	if _, ok := r.Token(second.Token); !ok || len(r.List()) != 1 {
		t.Errorf("known are %+v", r.List())
	}
	_, err := r.Get(first.ID)
	refused(t, err, domain.NotFound, "no_interface")
	// A place where a daemon registered goes the same way.
	daemon, err := r.Register(t.Context(), weatherDaemon())
	if err != nil {
		t.Fatal(err)
	}
	r.pairAt("Weather", 4001)
	_, err = r.Get(daemon.ID)
	refused(t, err, domain.NotFound, "no_interface")
}

func TestPairRefusesBadRequests(t *testing.T) {
	r := newReception(t)
	key := r.key()
	for field, change := range map[string]func(*commands.PairRequest){
		"name":    func(q *commands.PairRequest) { q.Name = "" },
		"host":    func(q *commands.PairRequest) { q.Host = "http://x" },
		"port":    func(q *commands.PairRequest) { q.Port = 70000 },
		"signals": func(q *commands.PairRequest) { q.Signals = []string{""} },
	} {
		req := hospitalRequest(key)
		change(&req)
		_, err := r.Pair(t.Context(), req)
		refused(t, err, domain.Validation, "invalid")
		if e := new(domain.Error); !asError(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	if len(r.peer.asked) != 0 {
		t.Errorf("a stranger's address was called: %v", r.peer.asked)
	}
	if all := r.refusals(); len(all) != 1 || all[0].Reason != "invalid" || all[0].Count != 1 {
		t.Errorf("recorded are %+v", all)
	}
	if _, err := r.Pair(t.Context(), hospitalRequest(key)); err != nil {
		t.Errorf("a request that could not be understood used the key: %v", err)
	}
}

func TestPairRefusesBadKeys(t *testing.T) {
	r := newReception(t)
	key := r.key()
	for _, wrong := range []string{"", "x", key + "x", domain.HashSecret(key).String()} {
		_, err := r.Pair(t.Context(), hospitalRequest(wrong))
		refused(t, err, domain.Validation, domain.CodeWrongKey)
	}
	r.clock.Advance(10*time.Minute - time.Millisecond)
	last := r.key()
	r.clock.Advance(time.Millisecond)
	_, err := r.Pair(t.Context(), hospitalRequest(key))
	refused(t, err, domain.Validation, domain.CodeExpiredKey)
	if len(r.peer.asked) != 0 {
		t.Errorf("a stranger's address was called: %v", r.peer.asked)
	}
	if _, err := r.Pair(t.Context(), hospitalRequest(last)); err != nil {
		t.Error(err)
	}
	// Wrong keys are recorded at once and then counted; an expired one is another
	// reason.
	var reasons []string
	for _, e := range r.refusals() {
		reasons = append(reasons, e.Reason)
	}
	if !slices.Equal(reasons, []string{"wrong_key", "expired_key"}) {
		t.Errorf("recorded are %v", reasons)
	}
}

// TestRefusedPairingsAreCounted runs in a bubble, where the commands' clock and
// their ticker are one time.
func TestRefusedPairingsAreCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		known := &roll{log: b.log}
		i, err := commands.NewInterfaces(commands.InterfacesConfig{Env: commands.Env{Log: b.door, Reader: b.log, Tail: b.log, Clock: bubbleClock{}, IDs: domaintest.NewIDs(bubbleClock{}, 1), Logger: slog.New(slog.DiscardHandler)}, Book: known, Applied: known,
			Peer: newVisitor()})
		if err != nil {
			t.Fatal(err)
		}
		r := &reception{bench: b, Interfaces: i, roll: known}
		ctx, stop := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- i.Run(ctx) }()
		refuse := func(n int) {
			for range n {
				_, err := i.Pair(ctx, hospitalRequest("guess"))
				refused(t, err, domain.Validation, domain.CodeWrongKey)
			}
		}
		counts := func(want ...int) {
			t.Helper()
			var got []int
			for _, e := range r.refusals() {
				got = append(got, e.Count)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the log counts %v, want %v", got, want)
			}
		}
		domaintest.Pass(time.Second)
		refuse(300)
		counts(1)
		domaintest.Pass(2 * time.Minute)
		synctest.Wait()
		counts(1, 299)
		b.door.set(func(domain.Batch) error { return logFailed(domain.CodeDiskLow) }, nil)
		refuse(2)
		b.door.set(nil, nil)
		counts(1, 299)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		counts(1, 299, 2)
	})
}
