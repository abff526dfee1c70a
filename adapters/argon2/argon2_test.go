package argon2_test

import (
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/argon2"
	"chalie/domain"
)

// light is enough work to be argon2 and little enough for a test.
func light() argon2.Config { return argon2.Config{MemoryKiB: 64, Passes: 1} }

func hasher(t *testing.T, cfg argon2.Config) *argon2.Hasher {
	t.Helper()
	h, err := argon2.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestRoomForAHash: beside garbage that the collector's limit has room for, a hash takes the
// room of the garbage. It comes first: of what the system gave to earlier tests a hash could
// take more unseen.
func TestRoomForAHash(t *testing.T) {
	debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the limit alone
	garbage := make([]byte, 80<<20)
	for at := 0; at < len(garbage); at += 4 << 10 {
		garbage[at] = 1
	}
	runtime.KeepAlive(garbage)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(before.Sys-before.HeapReleased) + 16<<20))
	if _, err := hasher(t, argon2.Config{MemoryKiB: 64 << 10, Passes: 1}).Hash(t.Context(), "a sentence of ada's"); err != nil {
		t.Fatal(err)
	}
	if runtime.ReadMemStats(&after); after.Sys > before.Sys+(32<<20) {
		t.Errorf("it took %d MiB more than there were", (after.Sys-before.Sys)>>20)
	}
}

func TestHashAndVerify(t *testing.T) {
	h := hasher(t, light())
	first, err := h.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	second, err := h.Hash(t.Context(), "correct horse")
	if err != nil || first == second {
		t.Errorf("two hashes are %q and %q, %v", first, second, err)
	}
	if !strings.HasPrefix(first, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("the hash is %q", first)
	}
	// Whoever verifies may meanwhile hash with other parameters.
	later := hasher(t, argon2.Config{MemoryKiB: 128, Passes: 2, Lanes: 2})
	for _, v := range []*argon2.Hasher{h, later} {
		for password, want := range map[string]bool{"correct horse": true, "correct horsE": false, "": false, "correct horse ": false} {
			if ok, err := v.Verify(t.Context(), first, password); ok != want || err != nil {
				t.Errorf("%q: verified %v, %v", password, ok, err)
			}
		}
	}
}

// TestKnownHash holds the format to one that the reference implementation made.
func TestKnownHash(t *testing.T) {
	const known = "$argon2id$v=19$m=256,t=3,p=2$c29tZXNhbHQ$RmjTCsQYfmh47t6s8P2DxaCjDbLMFu8L"
	if ok, err := hasher(t, light()).Verify(t.Context(), known, "password"); !ok || err != nil {
		t.Errorf("verified %v, %v", ok, err)
	}
}

func TestUnreadableHash(t *testing.T) {
	h := hasher(t, light())
	good, err := h.Hash(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{
		"", "plain", good + "$", "x" + good,
		strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1),
		strings.Replace(good, "m=64", "m=0", 1), strings.Replace(good, "m=64", "m=4000000000", 1),
		strings.Replace(good, "t=1", "t=0", 1), strings.Replace(good, "p=1", "p=0", 1), strings.Replace(good, "p=1", "p=999", 1),
		"$argon2id$v=19$m=64,t=1,p=1$$", "$argon2id$v=19$m=64,t=1,p=1$!!!!$AAAA", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$AAAA",
	} {
		if ok, err := h.Verify(t.Context(), bad, ""); ok || err != nil {
			t.Errorf("%q: verified %v, %v", bad, ok, err)
		}
	}
}

func TestConfig(t *testing.T) {
	for name, cfg := range map[string]argon2.Config{
		"memory": {MemoryKiB: 1 << 30}, "passes": {Passes: 1000}, "lanes": {Lanes: 200}, "at once": {AtOnce: -1}, "waiting": {Waiting: -1},
	} {
		if _, err := argon2.New(cfg); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// TestCrowd holds that what is over the bound is told to come back, and that
// all others get their turn.
func TestCrowd(t *testing.T) {
	h := hasher(t, argon2.Config{MemoryKiB: 8 << 10, Passes: 1, AtOnce: 1, Waiting: 3})
	var wg sync.WaitGroup
	results := make(chan error, 40)
	for range 40 {
		wg.Go(func() {
			_, err := h.Verify(context.Background(), "", "guess")
			results <- err
		})
	}
	wg.Wait()
	close(results)
	served := 0
	for err := range results {
		switch {
		case err == nil:
			served++
		case domain.CodeOf(err) != "busy" || !domain.IsRetriable(err):
			t.Errorf("the error is %v", err)
		}
	}
	if served < 4 {
		t.Errorf("%d were served, at least 4 fit", served)
	}
	if ok, err := h.Verify(t.Context(), "", "after the crowd"); ok || err != nil {
		t.Errorf("afterwards: %v, %v", ok, err)
	}
}

// TestWaitEnds shows that callers who are gone don't keep a place.
func TestWaitEnds(t *testing.T) {
	h := hasher(t, argon2.Config{MemoryKiB: 64, Passes: 1, AtOnce: 1, Waiting: 2})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 {
		// With a free turn and an ended context either may win.
		if _, err := h.Hash(ctx, "x"); err != nil && domain.CodeOf(err) != "cancelled" {
			t.Fatalf("the error is %v", err)
		}
	}
	if _, err := h.Hash(t.Context(), "x"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestRowOfHashes holds that many hashes take the memory of one: each is collected
// before the next begins.
func TestRowOfHashes(t *testing.T) {
	const memory = 32 << 10 // KiB
	h := hasher(t, argon2.Config{MemoryKiB: memory, Passes: 1})
	// What was there before counts as well; the collector would wait until it doubles.
	floor := make([]byte, 256<<20)
	defer runtime.KeepAlive(floor)
	if _, err := h.Hash(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 8 {
		if _, err := h.Verify(t.Context(), "", "guess"); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > memory<<10 {
		t.Errorf("eight hashes of %d MiB made the heap larger by %d MiB", memory>>10, grown>>20)
	}
}
