package main

import (
	"os"
	"strings"
	"time"
)

// zoneOf is the IANA name of this machine's zone, for a device to tell Chalie; ""
// when it isn't known. local is what the program was told, linked the file that
// holds the zone of the system.
func zoneOf(local *time.Location, linked string) string {
	_, system, _ := strings.Cut(linked, "zoneinfo/")
	for _, name := range []string{local.String(), system} {
		if name == "" || name == "Local" {
			continue
		}
		if _, err := time.LoadLocation(name); err == nil {
			return name
		}
	}
	return ""
}

// demoZone is where the demo's person is.
func demoZone() string {
	linked, err := os.Readlink("/etc/localtime")
	if err != nil {
		linked = "" // not every system has one
	}
	return zoneOf(time.Local, linked)
}
