package hostzone

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestName(t *testing.T) {
	for tz, want := range map[string]string{"Europe/Malta": "Europe/Malta", ":America/New_York": "America/New_York", "UTC": "UTC", "": "", "Nowhere/Land": "", "Local": ""} {
		t.Setenv("TZ", tz)
		if got := Name(); got != want {
			t.Errorf("TZ=%s is %q, want %q", tz, got, want)
		}
	}
}

func TestNameFromTheSystem(t *testing.T) {
	for linked, want := range map[string]string{
		"/usr/share/zoneinfo/Asia/Kolkata": "Asia/Kolkata", "/var/db/timezone/zoneinfo/Etc/UTC": "Etc/UTC",
		"/home/somebody/clock": "", "/usr/share/zoneinfo/Nowhere/Here": "", "": "",
	} {
		if got := zoneFrom("", false, linked); got != want {
			t.Errorf("of %q it is %q, want %q", linked, got, want)
		}
	}
}

// Without a name it is what the machine's clock goes by, with its changes.
func TestLocation(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for tz, want := range map[string]string{"America/New_York": "EDT", "": "CEST", "Nowhere/Land": "CEST"} {
		t.Setenv("TZ", tz)
		zone := Location(berlin)
		if got, _ := time.Date(2026, time.July, 1, 12, 0, 0, 0, zone).Zone(); got != want {
			t.Errorf("TZ=%s is %s in July, want %s", tz, got, want)
		}
		if got, _ := time.Date(2026, time.January, 1, 12, 0, 0, 0, zone).Zone(); got == want {
			t.Errorf("TZ=%s is %s in January, too", tz, got)
		}
	}
}

// The name of a zone is also found of a file with a path of its own, and of a copy.
func TestNameOfAFile(t *testing.T) {
	for told, want := range map[string]string{
		"/usr/share/zoneinfo/Europe/Malta": "Europe/Malta", ":/usr/share/zoneinfo/Asia/Tokyo": "Asia/Tokyo", "/nowhere/Europe/Malta": "",
	} {
		if got := zoneFrom(told, true, "/usr/share/zoneinfo/Etc/UTC"); got != want {
			t.Errorf("TZ=%s is %q, want %q", told, got, want)
		}
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// Berlin's zone is Oslo's, too, and of the same size as Rome's.
	for name, rules := range map[string]string{"Europe/Berlin": "one", "Europe/Oslo": "one", "Europe/Rome": "two", "Etc/UTC": "none", "Nowhere/Land": "three"} {
		write("zoneinfo/"+name, rules)
	}
	write("zoneinfo/zone1970.tab", "# a comment with words\nXX\t+00\tNowhere/Land\nDE,NO\t+5230+01322\tEurope/Berlin\tmost of it\nIT\t+4154+01229\tEurope/Rome\n")
	folders := []string{filepath.Join(dir, "missing"), filepath.Join(dir, "zoneinfo")}
	for _, c := range []struct{ rules, said, want string }{
		{"one", "", "Europe/Berlin"}, {"one", "Europe/Oslo\n", "Europe/Oslo"}, {"two", "", "Europe/Rome"}, {"two", "Europe/Oslo", "Europe/Rome"},
		{"none", "", "Etc/UTC"}, {"three", "", ""}, {"four", "Europe/Rome", ""},
	} {
		if got := zoneOfFile(write("localtime", c.rules), write("timezone", c.said), folders); got != c.want {
			t.Errorf("%q beside %q is %q, want %q", c.rules, c.said, got, c.want)
		}
	}
	if got := zoneOfFile(filepath.Join(dir, "none"), filepath.Join(dir, "none"), folders); got != "" {
		t.Errorf("no file is %q", got)
	}
}

// It is said that times are told in UTC, where they would be others.
func TestUnnamed(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	if Unnamed("", berlin, 2026) == "" || Unnamed("Europe/Berlin", berlin, 2026) != "" || Unnamed("", time.UTC, 2026) != "" {
		t.Error("it is said where it isn't so, or not where it is")
	}
}
