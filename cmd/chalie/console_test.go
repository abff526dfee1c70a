package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"chalie/domain"
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
func testConsole() (c *console, out, err *safeBuffer) {
	out, err = &safeBuffer{}, &safeBuffer{}
	return &console{out: out, err: err, program: "chalie", width: defaultWidth, zone: time.UTC}, out, err
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	c, _, _ := testConsole()
	if got := c.paint(red, "damaged"); got != "damaged" {
		t.Fatalf("without colour: %q", got)
	}
	c.colour = true
	if got := c.paint(red, "damaged"); got != "\x1b[31mdamaged\x1b[0m" {
		t.Fatalf("with colour: %q", got)
	}
	if got := c.paint(plain, "fine"); got != "fine" {
		t.Fatalf("plain: %q", got)
	}
}

func TestProcessConsole(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("COLUMNS", "7")
	c := processConsole()
	if c.colour || c.width < minWidth || c.width > maxWidth {
		t.Fatalf("colour %v, width %d", c.colour, c.width)
	}
}

func TestOneZoneForAllTimes(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	c, _, _ := testConsole()
	c.zone = zoneAt(time.Date(2026, time.July, 1, 12, 0, 0, 0, lisbon))
	winter := domain.MillisOf(time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC))
	if got := c.moment(winter) + " " + c.zone.String(); got != "2026-01-01 13:00:00 WEST" {
		t.Errorf("a winter's noon is shown as %s", got)
	}
}

func TestMeter(t *testing.T) {
	c, _, err := testConsole()
	c.meter().draw(1, 2, 3)
	if err.String() != "" {
		t.Fatalf("drawn without a terminal: %q", err)
	}
	c.liveErr = true
	c.meter().draw(1500, 3000, 500)
	want := "\r\x1b[K" + strings.Repeat("█", 15) + strings.Repeat("░", 15) + " 1,500 of 3,000, 500/s, 4 s left"
	if err.String() != want {
		t.Fatalf("%q, want %q", err, want)
	}
}
