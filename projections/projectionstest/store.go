package projectionstest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/projections"
)

// TestStore runs the suite. fresh returns an empty store each time; the suite
// closes it. again, when it is not nil, closes a store and opens what it left.
func TestStore(t *testing.T, fresh func(rapid.TB) projections.Store, again func(rapid.TB, projections.Store) projections.Store) {
	for _, c := range []struct {
		name string
		run  func(*testing.T, projections.Store)
	}{
		{"an empty store", testEmpty},
		{"an update is whole", testUpdate},
		{"a failed update changes nothing", testFailedUpdate},
		{"scans and ranges", testScans},
		{"a scan sees one moment", testScanIsStable},
		{"results may be kept", testOwnership},
		{"reset", testReset},
		{"readers beside a writer", testReaders},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := fresh(t)
			c.run(t, s)
			must(t, s.Close())
		})
	}
	t.Run("closed", func(t *testing.T) { testClosed(t, fresh(t)) })
	t.Run("like a map", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { testLikeAMap(t, fresh(t), again) })
	})
	if again != nil {
		t.Run("opened again", func(t *testing.T) { testAgain(t, fresh(t), again) })
	}
}

func testEmpty(t *testing.T, s projections.Store) {
	expect(t, s, 0)
	if _, found, err := s.Get([]byte("a")); found || err != nil {
		t.Errorf("Get of a missing key: found %v, %v", found, err)
	}
}

func testUpdate(t *testing.T, s projections.Store) {
	put(t, s, 3, "a=1", "b=2", "empty=")
	expect(t, s, 3, "a=1", "b=2", "empty=")
	put(t, s, 7, "-a", "b=3", "c=4", "c=5", "-gone", "d=6", "-d")
	expect(t, s, 7, "b=3", "c=5", "empty=")
}

func testFailedUpdate(t *testing.T, s projections.Store) {
	put(t, s, 3, "a=1")
	boom := errors.New("boom")
	err := s.Update(9, func(b projections.Batch) error {
		must(t, b.Set([]byte("a"), []byte("2")))
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("Update returned %v, want what the function returned", err)
	}
	expect(t, s, 3, "a=1")
}

func testScans(t *testing.T, s projections.Store) {
	put(t, s, 1, "a=1", "ab=2", "ab\x00=3", "abc=4", "b=5", "\xff=6", "\xff\xff=7", "=8")
	for _, c := range []struct {
		name      string
		low, high string // "nil" for none; scan when high is "*"
		want      string
	}{
		{"everything", "nil", "nil", "=8 a=1 ab=2 ab\x00=3 abc=4 b=5 \xff=6 \xff\xff=7"},
		{"a prefix", "ab", "*", "ab=2 ab\x00=3 abc=4"},
		{"an empty prefix", "", "*", "=8 a=1 ab=2 ab\x00=3 abc=4 b=5 \xff=6 \xff\xff=7"},
		{"a prefix of the highest bytes", "\xff", "*", "\xff=6 \xff\xff=7"},
		{"a prefix that is nowhere", "x", "*", ""},
		{"high is excluded", "a", "abc", "a=1 ab=2 ab\x00=3"},
		{"no low", "nil", "ab", "=8 a=1"},
		{"no high", "abc", "nil", "abc=4 b=5 \xff=6 \xff\xff=7"},
		{"an empty range", "b", "b", ""},
		{"a range backwards", "b", "a", ""},
	} {
		var low, high []byte
		if c.low != "nil" {
			low = []byte(c.low)
		}
		if c.high != "nil" {
			high = []byte(c.high)
		}
		read := func(reverse bool, fn func(k, v []byte) bool) error {
			if c.high == "*" {
				return s.Scan(low, reverse, fn)
			}
			return s.Range(low, high, reverse, fn)
		}
		want := strings.Fields(c.want)
		if got := collect(t, read, false, 100); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
		if got := collect(t, read, false, 2); !slices.Equal(got, want[:min(2, len(want))]) {
			t.Errorf("%s, stopped after two: %q", c.name, got)
		}
		slices.Reverse(want)
		if got := collect(t, read, true, 100); !slices.Equal(got, want) {
			t.Errorf("%s, reversed: %q, want %q", c.name, got, want)
		}
	}
}

func testScanIsStable(t *testing.T, s projections.Store) {
	put(t, s, 1, "a=1", "b=1", "c=1")
	var got []string
	must(t, s.Scan(nil, false, func(k, v []byte) bool {
		if len(got) == 0 {
			put(t, s, 2, "b=2", "-c", "d=2")
			if v, found, err := s.Get([]byte("d")); string(v) != "2" || !found || err != nil {
				t.Errorf("Get inside a scan: %q %v %v", v, found, err)
			}
		}
		got = append(got, string(k)+"="+string(v))
		return true
	}))
	if want := []string{"a=1", "b=1", "c=1"}; !slices.Equal(got, want) {
		t.Errorf("a scan with a write in its middle saw %q, want %q", got, want)
	}
}

func testOwnership(t *testing.T, s projections.Store) {
	key, value := []byte("k"), []byte("v")
	must(t, s.Update(1, func(b projections.Batch) error {
		must(t, b.Set(key, value))
		key[0], value[0] = 'x', 'x'
		return nil
	}))
	expect(t, s, 1, "k=v")
	got, _, err := s.Get([]byte("k"))
	must(t, err)
	got[0] = 'y'
	expect(t, s, 1, "k=v")
}

func testReset(t *testing.T, s projections.Store) {
	must(t, s.Reset())
	put(t, s, 9, "a=1", "b=2", "\xff\xff\xff=3", "=4")
	must(t, s.Reset())
	expect(t, s, 0)
	put(t, s, 2, "b=5")
	expect(t, s, 2, "b=5")
}

// testReaders expects a reader to see both halves of an update or none.
func testReaders(t *testing.T, s projections.Store) {
	put(t, s, 0, "a=0", "b=0")
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				got := collect(t, func(reverse bool, fn func(k, v []byte) bool) error { return s.Scan(nil, reverse, fn) }, false, 2)
				if len(got) != 2 || got[0][1:] != got[1][1:] {
					t.Errorf("half an update: %q", got)
					return
				}
			}
		})
	}
	for i := range 300 {
		put(t, s, domain.Position(i), fmt.Sprintf("a=%d", i), fmt.Sprintf("b=%d", i))
	}
	close(stop)
	readers.Wait()
}

func testClosed(t *testing.T, s projections.Store) {
	put(t, s, 1, "a=1")
	must(t, s.Close())
	_, _, getErr := s.Get([]byte("a"))
	_, checkpointErr := s.Checkpoint()
	all := func(k, v []byte) bool { return true }
	for call, err := range map[string]error{
		"Get": getErr, "Checkpoint": checkpointErr, "Reset": s.Reset(), "Close": s.Close(),
		"Scan": s.Scan(nil, false, all), "Range": s.Range(nil, nil, false, all),
		"Update": s.Update(2, func(projections.Batch) error { return nil }),
	} {
		if domain.CodeOf(err) != domain.CodeClosed {
			t.Errorf("%s after Close: %v, want CodeClosed", call, err)
		}
	}
}

func testAgain(t *testing.T, s projections.Store, again func(rapid.TB, projections.Store) projections.Store) {
	s = again(t, s)
	expect(t, s, 0)
	put(t, s, 5, "a=1", "b=2")
	s = again(t, s)
	expect(t, s, 5, "a=1", "b=2")
	must(t, s.Reset())
	s = again(t, s)
	expect(t, s, 0)
	must(t, s.Close())
}

// testLikeAMap compares the store with a map under random updates, resets and
// openings.
func testLikeAMap(t *rapid.T, s projections.Store, again func(rapid.TB, projections.Store) projections.Store) {
	model := map[string]string{}
	pos := domain.Position(0)
	key := rapid.SampledFrom([]string{"", "a", "a\x00", "aa", "ab", "b", "\xff", "\xff\xff"})
	t.Repeat(map[string]func(*rapid.T){
		"update": func(t *rapid.T) {
			pos = domain.Position(rapid.Uint64().Draw(t, "pos"))
			must(t, s.Update(pos, func(b projections.Batch) error {
				for range rapid.IntRange(0, 5).Draw(t, "writes") {
					k := key.Draw(t, "key")
					if rapid.Bool().Draw(t, "delete") {
						must(t, b.Delete([]byte(k)))
						delete(model, k)
						continue
					}
					model[k] = rapid.StringN(0, 5, 20).Draw(t, "value")
					must(t, b.Set([]byte(k), []byte(model[k])))
				}
				return nil
			}))
		},
		"reset": func(t *rapid.T) {
			must(t, s.Reset())
			clear(model)
			pos = 0
		},
		"open again": func(t *rapid.T) {
			// Seldom: it costs far more than the rest.
			if again != nil && rapid.IntRange(0, 5).Draw(t, "seldom") == 0 {
				s = again(t, s)
			}
		},
		"": func(t *rapid.T) {
			var want []string
			for _, k := range slices.Sorted(maps.Keys(model)) {
				want = append(want, k+"="+model[k])
			}
			expect(t, s, pos, want...)
		},
	})
	must(t, s.Close())
}

// put writes "key=value" and deletes "-key".
func put(t rapid.TB, s projections.Store, pos domain.Position, writes ...string) {
	t.Helper()
	must(t, s.Update(pos, func(b projections.Batch) error {
		for _, w := range writes {
			if gone, ok := strings.CutPrefix(w, "-"); ok {
				must(t, b.Delete([]byte(gone)))
				continue
			}
			k, v, _ := strings.Cut(w, "=")
			must(t, b.Set([]byte(k), []byte(v)))
		}
		return nil
	}))
}

// expect checks checkpoint and content, in whole and key by key.
func expect(t rapid.TB, s projections.Store, pos domain.Position, want ...string) {
	t.Helper()
	got, err := s.Checkpoint()
	must(t, err)
	if got != pos {
		t.Errorf("checkpoint %d, want %d", got, pos)
	}
	content := collect(t, func(reverse bool, fn func(k, v []byte) bool) error { return s.Scan(nil, reverse, fn) }, false, 1000)
	if !slices.Equal(content, want) {
		t.Errorf("content %q, want %q", content, want)
	}
	for _, w := range want {
		k, v, _ := strings.Cut(w, "=")
		value, found, err := s.Get([]byte(k))
		if string(value) != v || !found || err != nil {
			t.Errorf("Get(%q) = %q, %v, %v, want %q", k, value, found, err, v)
		}
	}
}

func collect(t rapid.TB, read func(bool, func(k, v []byte) bool) error, reverse bool, limit int) []string {
	t.Helper()
	var out []string
	must(t, read(reverse, func(k, v []byte) bool {
		out = append(out, string(k)+"="+string(v))
		return len(out) < limit
	}))
	return out
}

func must(t rapid.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
