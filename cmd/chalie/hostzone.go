package main

import (
	"os"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// hostZone is where this machine is, as an IANA name; "" when it doesn't say so in
// a way that others understand.
func hostZone() string {
	told, set := os.LookupEnv("TZ")
	linked, err := os.Readlink("/etc/localtime")
	if err != nil {
		linked = "" // not every system has one
	}
	return zoneFrom(told, set, linked)
}

// zoneFrom reads what the program was told, and else the name of the file that
// holds the zone of the system.
func zoneFrom(told string, set bool, linked string) string {
	name := told
	if !set {
		_, name, _ = strings.Cut(linked, "zoneinfo/")
	}
	name = strings.TrimPrefix(name, ":")
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return ""
	}
	return name
}

// personsZone is the zone of whoever sits at this machine, with its changes of the
// clocks. Where the machine can't name it, it is the distance from UTC at a moment,
// for all times, and its name says so.
func personsZone(now time.Time) *time.Location {
	if zone, err := time.LoadLocation(hostZone()); err == nil && hostZone() != "" {
		return zone
	}
	if _, east := now.Zone(); east != 0 {
		return time.FixedZone(now.Format("-07:00"), east)
	}
	return time.UTC
}

// athome is what is known of the person's surroundings; until a client of theirs
// says where they are, they are where this machine is.
type athome struct {
	commands.SurroundingsBook
	zone string // an IANA name, or ""
}

// Now is the latest of each field.
func (a athome) Now() domain.ContextUpdated {
	known := a.SurroundingsBook.Now()
	if known.Timezone == nil && a.zone != "" {
		known.Timezone = &a.zone
	}
	return known
}

// location is where they are; UTC when that isn't known, or this machine doesn't know
// the zone.
func (a athome) location() *time.Location {
	name := a.Now().Timezone
	if name == nil {
		return time.UTC
	}
	zone, err := time.LoadLocation(*name)
	if err != nil {
		return time.UTC
	}
	return zone
}
