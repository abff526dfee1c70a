package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Where steps are counted: what reads, and is ours.
const counts = "chalie/cmd/chalie/internal/waysin,chalie/domain/...,chalie/adapters/builtinmodel,chalie/adapters/cardhtml,chalie/adapters/jsonschema,chalie/adapters/api/reading,chalie/commands/skill,chalie/commands/screen,chalie/commands"

// mostGrowth is how often as many steps sixteen times the text may take: n·log n would be 21
// times, the square 256.
const mostGrowth = 28

// So few steps, or bytes, for 64 KB are no sign of anything.
const (
	fewSteps = 200_000
	fewBytes = 16 << 20
)

// Whatever comes in and is read, twice the text is hardly more than twice the work.
func TestStepsGrowNoFasterThanText(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	at := filepath.Join(t.TempDir(), "waysin")
	build := exec.CommandContext(t.Context(), "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counts, "-o", at, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := walked(t, at)
	if err != nil {
		t.Fatal(err)
	}
	type taken struct{ steps, bytes uint64 }
	seen := map[string]taken{} // of the smaller text
	pairs := 0
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 {
			t.Fatalf("a line is %q", line)
		}
		var size int
		var now taken
		if _, err := fmt.Sscan(strings.Join(f[2:], " "), &size, &now.steps, &now.bytes); err != nil {
			t.Fatalf("a line is %q: %v", line, err)
		}
		name := f[0] + ", " + f[1]
		if size == less {
			seen[name] = now
			continue
		}
		before := seen[name]
		pairs++
		if now.steps > fewSteps && now.steps > mostGrowth*before.steps {
			t.Errorf("%s: %d steps for %d bytes, %d for %d", name, before.steps, less, now.steps, more)
		}
		if now.bytes > fewBytes && now.bytes > mostGrowth*before.bytes {
			t.Errorf("%s: %d bytes allocated for %d bytes, %d for %d", name, before.bytes, less, now.bytes, more)
		}
	}
	if want := len(ways()) * len(kinds()); pairs != want {
		t.Errorf("%d pairs were counted of %d", pairs, want)
	}
	t.Logf("%d ways in, %d kinds of text", len(ways()), len(kinds()))
}

// walked is what the program prints, which goes the ways in two processes.
func walked(t *testing.T, program string) (string, error) {
	const parts = 2
	var out [parts]bytes.Buffer
	var failed [parts]error
	var running sync.WaitGroup
	for n := range parts {
		run := exec.CommandContext(t.Context(), program, strconv.Itoa(n), strconv.Itoa(parts))
		run.Env, run.Stdout, run.Stderr = append(os.Environ(), "GOCOVERDIR="+t.TempDir()), &out[n], os.Stderr
		running.Go(func() { failed[n] = run.Run() })
	}
	running.Wait()
	return out[0].String() + out[1].String(), errors.Join(failed[:]...)
}

// BenchmarkWaysIn takes the time of each way for 80 words, 10,000 characters and 64 KB. What
// is aimed at: 5, 50 and 300 ms.
func BenchmarkWaysIn(b *testing.B) {
	for _, way := range ways() {
		for _, size := range []int{480, 10_000, more} {
			b.Run(fmt.Sprintf("%s/%d", way.name, size), func(b *testing.B) {
				text := kinds()[0].of(size)
				for b.Loop() {
					way.in(text)
				}
			})
		}
	}
}
