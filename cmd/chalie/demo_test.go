package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/cmd/chalie/internal/demo"
)

// leftBehind are the files in a folder that stands in for the machine's for
// temporary ones, but for that of sockets.
func leftBehind(t *testing.T, folder string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "chalie-demo-*"))
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := filepath.Glob(filepath.Join(folder, "chalie-*", "*.sock"))
	if err != nil {
		t.Fatal(err)
	}
	return append(found, sockets...)
}

func tempFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	return folder
}

// shown is a demo for a person in a hurry.
func shown(t *testing.T, c *cli, keep string) *demo.Demo {
	t.Helper()
	show, err := newDemo(c, keep, true)
	if err != nil {
		t.Fatal(err)
	}
	return show
}

// TestDemoFitsIntoAMinute adds up the pauses for reading. What is kept of it is decided
// again as it was.
func TestDemoFitsIntoAMinute(t *testing.T) {
	tempFolder(t)
	c, out, errOut := testConsole()
	var paused time.Duration
	show := shown(t, c, filepath.Join(t.TempDir(), "data"))
	show.Pause = func(ctx context.Context, d time.Duration) error {
		paused += d
		return ctx.Err()
	}
	if err := show.Run(t.Context()); err != nil || errOut.String() != "" {
		t.Fatalf("%v\n%s", err, errOut)
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(show.Data), Clock: sysclock.Clock{}, ReadOnly: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := diverging(replayed(t, log)); err != nil {
		t.Error(err)
	}
	if paused < 20*time.Second || paused > 50*time.Second {
		t.Errorf("the story takes %s of reading", paused)
	}
	if strings.Contains(out.String(), "%!") || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%s", out)
	}
}

// TestDemoIsInterrupted presses Ctrl-C, ends it, and closes the terminal.
func TestDemoIsInterrupted(t *testing.T) {
	hearHangUps(t)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) { interruptDemo(t, s) })
	}
}

func interruptDemo(t *testing.T, s syscall.Signal) {
	t.Helper()
	folder := tempFolder(t)
	c, out, errOut := testConsole()
	c.Live = true // so that it pauses
	code := make(chan int, 1)
	go func() { code <- run(c, []string{"demo"}) }()
	comes(t, out, "Programs come in")
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != exitDone || errOut.String() != "chalie: stopping; press Ctrl-C again to end at once\n" {
		t.Errorf("it ended with %d: %s", got, errOut)
	}
	isGone(t, folder, out.String())
}

// TestDemoIsInterruptedAnywhere ends the story after several of its steps.
func TestDemoIsInterruptedAnywhere(t *testing.T) {
	folder := tempFolder(t)
	for _, last := range []int{1, 5, 6, 11, 12, 15, 20} {
		c, out, errOut := testConsole()
		ctx, cancel := context.WithCancelCause(t.Context())
		steps := 0
		show := shown(t, c, "")
		show.Pause = func(ctx context.Context, _ time.Duration) error {
			if steps++; steps == last {
				cancel(errors.New("SIGINT"))
			}
			return ctx.Err()
		}
		if err := show.Run(ctx); err != nil || steps != last || errOut.String() != "" {
			t.Errorf("after step %d of %d: %v\n%s", steps, last, err, errOut)
		}
		isGone(t, folder, out.String())
	}
}

// TestDemoKeepsWhatItSays checks that who interrupts a demo that is kept learns
// where it is, and how to get in.
func TestDemoKeepsWhatItSays(t *testing.T) {
	kept := t.TempDir()
	c, _, errOut := testConsole()
	ctx, cancel := context.WithCancelCause(t.Context())
	show := shown(t, c, kept)
	show.Pause = func(ctx context.Context, _ time.Duration) error {
		cancel(errors.New("SIGINT"))
		return ctx.Err()
	}
	if err := show.Run(ctx); err != nil {
		t.Fatal(err)
	}
	want := "What was done until now stands in " + kept + `\. The account is demo, with the password [A-Z2-7]{26}\.`
	if !regexp.MustCompile(want).MatchString(errOut.String()) {
		t.Errorf("%s", errOut)
	}
}

// isGone checks that nothing is left of a demo that was interrupted.
func isGone(t *testing.T, folder, said string) {
	t.Helper()
	if left := leftBehind(t, folder); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	if strings.Contains(said, "All of it") {
		t.Errorf("it was told to the end:\n%s", said)
	}
	address := regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(said)
	if conn, err := net.Dial("tcp", address); err == nil {
		conn.Close()
		t.Errorf("%s still listens", address)
	}
}

// falling is a Chalie that fails once it is told to.
type falling struct {
	demo.Chalie
	fall   context.Context
	fallen chan<- struct{}
	cause  error
}

// Run runs the Chalie until it falls, or ctx ends.
func (f falling) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(f.fall, stop)()
	err := f.Chalie.Run(ctx)
	if f.fall.Err() != nil {
		close(f.fallen)
		return f.cause
	}
	return err
}

// TestDemoTakesEverythingDown checks that a story that fails leaves nothing, and
// that why a part failed is what is told.
func TestDemoTakesEverythingDown(t *testing.T) {
	folder := tempFolder(t)
	c, _, _ := testConsole()
	broken := errors.New("the curtain fell")
	show := shown(t, c, "")
	show.Pause = func(context.Context, time.Duration) error { return broken }
	if err := show.Run(t.Context()); !errors.Is(err, broken) {
		t.Errorf("the story failed, and the error is %v", err)
	}
	fall, cut := context.WithCancel(t.Context())
	trouble, fallen := errors.New("the roof fell"), make(chan struct{})
	show = shown(t, c, "")
	start := show.Start
	show.Start = func(ctx context.Context) (demo.Chalie, error) {
		chalie, err := start(ctx)
		return falling{chalie, fall, fallen, trouble}, err
	}
	show.Pause = func(context.Context, time.Duration) error {
		cut()
		<-fallen
		return nil
	}
	if err := show.Run(t.Context()); !errors.Is(err, trouble) {
		t.Errorf("a part failed, and the error is %v", err)
	}
	if left := leftBehind(t, folder); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}
