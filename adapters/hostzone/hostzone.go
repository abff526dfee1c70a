// Package hostzone finds out in which time zone this machine is, by the name that every
// machine knows it by: what the environment says, where the system's own file leads, or
// which file of a database of zones is the same.
//
// Nothing fails: a machine that doesn't say has no name, and Unnamed says what comes of it.
package hostzone

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// systemZone is the file that holds the zone of the system. Most often it is a link into
// the database of zones, whose folders are these.
const systemZone = "/etc/localtime"

func zoneFolders() []string {
	return []string{"/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"}
}

// Name is where this machine is, as an IANA name; "" when it doesn't say so in
// a way that others understand. It is recorded at each start, so that what was said can
// be said again elsewhere: it has to be a name that every machine knows.
func Name() string {
	told, set := os.LookupEnv("TZ")
	linked, err := os.Readlink(systemZone)
	if err != nil {
		linked = "" // not every system has one
	}
	if name := zoneFrom(told, set, linked); name != "" {
		return name
	}
	file := systemZone
	if set {
		file = strings.TrimPrefix(told, ":")
	}
	if !filepath.IsAbs(file) {
		return ""
	}
	return zoneOfFile(file, "/etc/timezone", zoneFolders())
}

// zoneFrom reads what the program was told, and else the name of the file that
// holds the zone of the system.
func zoneFrom(told string, set bool, linked string) string {
	name := strings.TrimPrefix(told, ":")
	if !set {
		name = linked
	}
	if !set || filepath.IsAbs(name) {
		_, name, _ = strings.Cut(name, "zoneinfo/")
	}
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return ""
	}
	return name
}

// zoneOfFile is the name of the zone that a plain file holds: that of the same file in a
// database of zones. Of several names it takes what the file said holds, as systems keep
// it beside, or the one that the database's own list has.
func zoneOfFile(file, said string, folders []string) string {
	zone, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for _, folder := range folders {
		list, err := os.ReadFile(filepath.Join(folder, "zone1970.tab"))
		if err != nil {
			continue
		}
		names := []string{"Etc/UTC"}
		if name, err := os.ReadFile(said); err == nil {
			names = append([]string{strings.TrimSpace(string(name))}, names...)
		}
		for line := range strings.Lines(string(list)) {
			if fields := strings.Fields(line); len(fields) > 2 && !strings.HasPrefix(line, "#") {
				names = append(names, fields[2])
			}
		}
		for _, name := range names {
			if name != "" && holds(filepath.Join(folder, name), zone) && zoneFrom(name, true, "") == name {
				return name
			}
		}
	}
	return ""
}

func holds(file string, want []byte) bool {
	info, err := os.Stat(file)
	if err != nil || info.Size() != int64(len(want)) {
		return false
	}
	got, err := os.ReadFile(file)
	return err == nil && bytes.Equal(got, want)
}

// Location is the zone of whoever sits at this machine, with its changes of the
// clocks: local, where the machine can't name it.
func Location(local *time.Location) *time.Location {
	if name := Name(); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return local
}

// Unnamed says what comes of it that the machine's zone has no name; "" when it has
// one, or is no other than UTC.
func Unnamed(name string, local *time.Location, year int) string {
	if name != "" {
		return ""
	}
	for _, month := range []time.Month{time.January, time.July} {
		if _, east := time.Date(year, month, 1, 0, 0, 0, 0, local).Zone(); east != 0 {
			return "this machine doesn't name its time zone, so answers have times of UTC until a page or a client says where you are; set TZ to its name, such as Europe/Berlin"
		}
	}
	return ""
}
