package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spf13/cobra"

	"chalie/domain/domaintest"
)

// readMoment gives a flag a time, as a command line does.
func readMoment(t *testing.T, zone *time.Location, text string, ahead bool) (moment, error) {
	t.Helper()
	c, _, _ := testConsole()
	c.Zone = zone
	cmd := &cobra.Command{}
	var m moment
	c.timeFlag(cmd, &m, "since", "", ahead)
	err := cmd.ParseFlags([]string{"--since", text})
	return m, err
}

func TestTimesInWords(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // its clock begins on Saturday 1 January 2000 at midnight UTC
		domaintest.Pass(36 * time.Hour)
		for _, c := range []struct {
			text, want string
			ahead      bool
		}{
			{"yesterday", "2000-01-01T00:00:00+01:00", false},
			{"2 hours ago", "2000-01-02T11:00:00+01:00", false},
			{"last Saturday at 8pm", "2000-01-01T20:00:00+01:00", false},
			{"3 March", "1999-03-03T00:00:00+01:00", false},
			{"tomorrow at 8", "2000-01-03T08:00:00+01:00", true},
			{"in 2 hours", "2000-01-02T15:00:00+01:00", true},
			{"yesterday at 17:30", "2000-01-01T17:30:00+01:00", true},
			// What the API reads by the log's clock stays as it is.
			{"2h", "2h", false}, {"-2h", "-2h", false}, {"+6h", "+6h", true}, {"30d", "30d", false},
			{"pos:42", "pos:42", false}, {"42", "42", false}, {"1771711200000", "1771711200000", false},
			{"2026-13-01x", "2026-13-01x", false},
		} {
			got, err := readMoment(t, berlin, c.text, c.ahead)
			if err != nil || got.asked != c.want || got.given != c.text {
				t.Errorf("%q: %+v, %v, want %q", c.text, got, err, c.want)
			}
		}
		for text, want := range map[string]string{
			"nonsense":   "--since is \"nonsense\": give a time such as yesterday, 2 hours ago or 2h",
			"tomorrow":   "--since: \"tomorrow\" was understood as Monday 3 January 2000 at 00:00, and that lies ahead",
			"2026-13-01": "--since: there is no day \"2026-13-01\" in the calendar",
			"every day":  "--since: \"every day\" is many times",
		} {
			if _, err := readMoment(t, berlin, text, false); err == nil || !strings.HasPrefix(flagWords(err), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	})
}

func TestTimesWithoutAZoneAreLocal(t *testing.T) {
	cest := time.FixedZone("CEST", 2*60*60)
	for in, want := range map[string]string{
		"2026-11-21":           "2026-11-21T00:00:00+02:00",
		"2026-11-21 18:30":     "2026-11-21T18:30:00+02:00",
		"2026-11-21 18:30:15":  "2026-11-21T18:30:15+02:00",
		"2099-11-21":           "2099-11-21T00:00:00+02:00",
		"2026-11-21T18:00:00Z": "2026-11-21T18:00:00Z",
		"2999-11-21T18:00:00Z": "2999-11-21T18:00:00Z",
	} {
		if got, err := readMoment(t, cest, in, false); err != nil || got.asked != want {
			t.Errorf("%q: %q, %v, want %q", in, got.asked, err, want)
		}
	}
}

// What is written without a zone has the one that was in force at that time.
func TestTimesWithoutAZoneHaveThatOfTheirDay(t *testing.T) {
	for _, tt := range []struct{ zone, in, want string }{
		{"Europe/Berlin", "2026-10-24T14:05", "2026-10-24T14:05:00+02:00"},
		{"Europe/Berlin", "2026-10-25", "2026-10-25T00:00:00+02:00"},
		{"Europe/Berlin", "2026-10-26 14:05", "2026-10-26T14:05:00+01:00"},
		{"America/New_York", "2026-10-31T14:05", "2026-10-31T14:05:00-04:00"},
		{"America/New_York", "2026-11-02T14:05", "2026-11-02T14:05:00-05:00"},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readMoment(t, zone, tt.in, false); err != nil || got.asked != tt.want {
			t.Errorf("%q in %s: %q, %v, want %q", tt.in, tt.zone, got.asked, err, tt.want)
		}
	}
}
