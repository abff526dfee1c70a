package main

import (
	"bytes"
	"slices"
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

// Times are those that the clocks showed, on both sides of a change.
func TestTimesOfTheirDay(t *testing.T) {
	for _, c := range []struct{ zone, at, moment, zoned, title string }{
		{"Europe/Berlin", "2026-10-24T12:10:00Z", "2026-10-24 14:10:00", "2026-10-24 14:10:00 CEST", "AT CET/CEST"},
		{"Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25 02:30:00 CEST", "2026-10-25 02:30:00 CEST", "AT CET/CEST"},
		{"Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25 02:30:00 CET", "2026-10-25 02:30:00 CET", "AT CET/CEST"},
		{"Europe/Berlin", "2026-10-25T02:00:00Z", "2026-10-25 03:00:00", "2026-10-25 03:00:00 CET", "AT CET/CEST"},
		{"Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-29 03:30:00", "2026-03-29 03:30:00 CEST", "AT CET/CEST"},
		{"America/New_York", "2026-10-31T16:00:00Z", "2026-10-31 12:00:00", "2026-10-31 12:00:00 EDT", "AT EST/EDT"},
		{"America/New_York", "2026-11-01T05:30:00Z", "2026-11-01 01:30:00 EDT", "2026-11-01 01:30:00 EDT", "AT EST/EDT"},
		{"America/New_York", "2026-11-02T17:00:00Z", "2026-11-02 12:00:00", "2026-11-02 12:00:00 EST", "AT EST/EDT"},
		{"Australia/Lord_Howe", "2026-04-04T14:45:00Z", "2026-04-05 01:45:00 +11", "2026-04-05 01:45:00 +11", "AT +11/+1030"},
		{"UTC", "2026-10-25T00:30:00Z", "2026-10-25 00:30:00", "2026-10-25 00:30:00 UTC", "AT UTC"},
	} {
		con, _, _ := testConsole()
		at, err := time.Parse(time.RFC3339, c.at)
		if err == nil {
			con.zone, err = time.LoadLocation(c.zone)
		}
		if err != nil {
			t.Fatal(err)
		}
		m := domain.MillisOf(at)
		if got := []string{con.moment(m), con.zonedMoment(m), con.zoned("AT")}; !slices.Equal(got, []string{c.moment, c.zoned, c.title}) {
			t.Errorf("%s in %s is %q", c.at, c.zone, got)
		}
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
