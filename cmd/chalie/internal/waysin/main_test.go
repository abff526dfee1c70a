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
	"time"

	"golang.org/x/sys/unix"
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
// is aimed at: 5, 50 and 300 ms. Times are those of the processor (cpu-ms/op): others may keep
// it busy meanwhile. 80 words are sentences of several forms, as the work goes by what is read
// out of them.
func BenchmarkWaysIn(b *testing.B) {
	for _, way := range ways() {
		for _, form := range sentences() {
			b.Run(fmt.Sprintf("%s/80 words/%s", way.name, form.name), func(b *testing.B) { taken(b, way, form.text) })
		}
		for _, size := range []int{10_000, more} {
			b.Run(fmt.Sprintf("%s/%d", way.name, size), func(b *testing.B) { taken(b, way, kinds()[0].of(size)) })
		}
	}
}

// taken runs a way in, and reports what the process spent of the processor, its garbage included.
func taken(b *testing.B, way way, text string) {
	b.Helper()
	way.in(text) // what is made at the first call
	began := spent(b)
	for b.Loop() {
		way.in(text)
	}
	b.ReportMetric(float64((spent(b)-began).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
}

func spent(b *testing.B) time.Duration {
	b.Helper()
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// sentence is one of 80 words.
type sentence struct{ name, text string }

// sentences have 80 words each.
func sentences() (all []sentence) {
	const words = 80
	things := strings.Fields("milk eggs bread butter cheese apples pears plums rice pasta salt pepper sugar flour tea coffee juice water soap paper")
	for _, form := range []struct {
		name, begin, between, end string
		each                      []string
	}{
		{"words", "", " ", "", strings.Fields("harbour boats lie still")},
		{"a list to buy", "buy ", ", ", " and ham", things},
		{"a list of reminders", "remind me to ", ", ", " and rest tomorrow at 8", []string{"call Bob", "water plants", "pay rent", "walk home"}},
		{"a list with and", "add ", " and ", " to my shopping list", things},
		{"URLs", "", " ", "", []string{"https://a.example/b?c=d"}},
		{"requests", "", " and ", "", []string{"remind me to call Bob tomorrow at 8", "what is planned on Friday"}},
		{"sentences", "", ". ", "?", []string{"Add milk to the list", "Is it raining now", "Call Bob at nine"}},
		{"names", "tell ", " ", "", strings.Fields("Anna Smith Luigi's Valletta")},
		{"times", "", " ", "", []string{"tomorrow at 8", "from 9 to 10", "on Friday the 3rd"}},
		{"numbers", "what is ", " + ", "", []string{"12", "345.6", "7"}},
		{"a German list", "erinnere mich daran, ", ", ", " und Brot zu kaufen", []string{"Milch", "Eier", "den Zahnarzt", "die Blumen"}},
	} {
		text := form.begin + form.each[0]
		for n := 1; len(strings.Fields(text+form.end)) < words; n++ {
			text += form.between + form.each[n%len(form.each)]
		}
		all = append(all, sentence{form.name, text + form.end})
	}
	return all
}
