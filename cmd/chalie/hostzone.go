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
	name, set := os.LookupEnv("TZ")
	if !set {
		link, err := os.Readlink("/etc/localtime")
		if err != nil {
			return ""
		}
		_, name, _ = strings.Cut(link, "zoneinfo/")
	}
	name = strings.TrimPrefix(name, ":")
	if _, err := time.LoadLocation(name); err != nil || name == "Local" {
		return ""
	}
	return name
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
