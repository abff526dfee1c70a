package term

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs

	"chalie/domain"
)

// testConsole is a console without a terminal.
func testConsole() (c *Console, out, err *bytes.Buffer) {
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return &Console{Out: out, Err: err, Width: DefaultWidth, Zone: time.UTC}, out, err
}

func TestColourOnlyWhereItIsWanted(t *testing.T) {
	c, _, _ := testConsole()
	if got := c.Paint(Red, "damaged"); got != "damaged" {
		t.Fatalf("without colour: %q", got)
	}
	c.Colour = true
	if got := c.Paint(Red, "damaged"); got != "\x1b[31mdamaged\x1b[0m" {
		t.Fatalf("with colour: %q", got)
	}
	if got := c.Paint(Plain, "fine"); got != "fine" {
		t.Fatalf("plain: %q", got)
	}
}

func TestProcessConsole(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("COLUMNS", "7")
	c := Process(time.UTC)
	if c.Colour || c.Width < minWidth || c.Width > maxWidth {
		t.Fatalf("colour %v, width %d", c.Colour, c.Width)
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
			con.Zone, err = time.LoadLocation(c.zone)
		}
		if err != nil {
			t.Fatal(err)
		}
		m := domain.MillisOf(at)
		if got := []string{con.Moment(m), con.ZonedMoment(m), con.Zoned("AT")}; !slices.Equal(got, []string{c.moment, c.zoned, c.title}) {
			t.Errorf("%s in %s is %q", c.at, c.zone, got)
		}
	}
}

func TestMeter(t *testing.T) {
	c, _, err := testConsole()
	c.Meter().Draw(1, 2, 3)
	if err.String() != "" {
		t.Fatalf("drawn without a terminal: %q", err)
	}
	c.LiveErr = true
	c.Meter().Draw(1500, 3000, 500)
	want := "\r\x1b[K" + strings.Repeat("█", 15) + strings.Repeat("░", 15) + " 1,500 of 3,000, 500/s, 4 s left"
	if err.String() != want {
		t.Fatalf("%q, want %q", err, want)
	}
}
