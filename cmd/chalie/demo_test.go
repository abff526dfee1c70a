package main

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
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

// TestDemoFitsIntoAMinute adds up the pauses for reading, and what is waited for.
func TestDemoFitsIntoAMinute(t *testing.T) {
	tempFolder(t)
	c, out, errOut := testConsole()
	var paused time.Duration
	tell := &teller{console: c, hurried: true, pause: func(ctx context.Context, d time.Duration) error {
		paused += d
		return ctx.Err()
	}}
	err := onStage(t.Context(), c, filepath.Join(t.TempDir(), "data"), demoIdleHurried, func(s *stage) error {
		if err := tellStory(s, tell); err != nil {
			return err
		}
		return diverging(replayed(t, s.app.log))
	})
	if err != nil || errOut.String() != "" {
		t.Fatalf("%v\n%s", err, errOut)
	}
	trading := time.Minute * tradedPrices / tradedMinute
	if whole := paused + trading + 2*demoIdle; whole < 25*time.Second || whole > 55*time.Second {
		t.Errorf("the story takes %s of reading, %s of trading and twice %s of idling", paused, trading, demoIdle)
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
	out.await(t, "Programs come in")
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
		tell := &teller{console: c, hurried: true, pause: func(ctx context.Context, _ time.Duration) error {
			if steps++; steps == last {
				cancel(errors.New("SIGINT"))
			}
			return ctx.Err()
		}}
		if err := runDemo(ctx, tell, ""); err != nil || steps != last || errOut.String() != "" {
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
	tell := &teller{console: c, pause: func(ctx context.Context, _ time.Duration) error {
		cancel(errors.New("SIGINT"))
		return ctx.Err()
	}}
	if err := runDemo(ctx, tell, kept); err != nil {
		t.Fatal(err)
	}
	want := "What was done until now stands in " + kept + ". The account is demo, with the password " + tell.password + "."
	if tell.password == "" || !strings.Contains(errOut.String(), want) {
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

// TestDemoTakesItsStageDown checks that a play that fails leaves nothing, and
// that why a part failed is what is told.
func TestDemoTakesItsStageDown(t *testing.T) {
	folder := tempFolder(t)
	c, _, _ := testConsole()
	broken := errors.New("the curtain fell")
	err := onStage(t.Context(), c, filepath.Join(t.TempDir(), "data"), demoIdleHurried, func(*stage) error { return broken })
	if !errors.Is(err, broken) {
		t.Errorf("the play failed, and the error is %v", err)
	}
	trouble := errors.New("the roof fell")
	err = onStage(t.Context(), c, filepath.Join(t.TempDir(), "data"), demoIdleHurried, func(s *stage) error {
		s.run(&s.outside, s.outer, func(context.Context) error { return trouble })
		<-s.ctx.Done()
		return s.ctx.Err()
	})
	if !errors.Is(err, trouble) {
		t.Errorf("a part failed, and the error is %v", err)
	}
	if left := leftBehind(t, folder); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
}
