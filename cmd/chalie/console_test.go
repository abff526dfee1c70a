package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"chalie/cmd/chalie/internal/term"
)

// safeBuffer is a buffer that others may write to while it is read.
type safeBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // closed at the next write, when someone waits for it
}

func (b *safeBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written != nil {
		close(b.written)
		b.written = nil
	}
	return b.text.Write(text)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// await returns once a text was written.
func (b *safeBuffer) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for {
		b.mu.Lock()
		has := strings.Contains(b.text.String(), text)
		if b.written == nil {
			b.written = make(chan struct{})
		}
		written := b.written
		b.mu.Unlock()
		if has {
			return
		}
		select {
		case <-written:
		case <-late:
			t.Fatalf("%q did not come:\n%s", text, b)
		}
	}
}

// testConsole is a console without a terminal.
func testConsole() (c *cli, out, err *safeBuffer) {
	out, err = &safeBuffer{}, &safeBuffer{}
	return &cli{Console: &term.Console{Out: out, Err: err, Width: term.DefaultWidth, Zone: time.UTC}, program: "chalie", data: defaultData}, out, err
}
