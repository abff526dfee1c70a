package main

import (
	"testing"
	"time"

	"chalie/domain"
)

func TestHostZone(t *testing.T) {
	for tz, want := range map[string]string{"Europe/Malta": "Europe/Malta", ":America/New_York": "America/New_York", "UTC": "UTC", "": "", "Nowhere/Land": "", "Local": ""} {
		t.Setenv("TZ", tz)
		if got := hostZone(); got != want {
			t.Errorf("TZ=%s is %q, want %q", tz, got, want)
		}
	}
}

func TestHostZoneFromTheSystem(t *testing.T) {
	for linked, want := range map[string]string{
		"/usr/share/zoneinfo/Asia/Kolkata": "Asia/Kolkata", "/var/db/timezone/zoneinfo/Etc/UTC": "Etc/UTC",
		"/home/somebody/clock": "", "/usr/share/zoneinfo/Nowhere/Here": "", "": "",
	} {
		if got := zoneFrom("", false, linked); got != want {
			t.Errorf("of %q it is %q, want %q", linked, got, want)
		}
	}
}

// Without a name, all times have the distance of one moment, and the zone is called so.
func TestPersonsZone(t *testing.T) {
	east := time.Date(2026, time.July, 1, 12, 0, 0, 0, time.FixedZone("WEST", 3600))
	for tz, want := range map[string]string{"Europe/Berlin": "Europe/Berlin", "": "+01:00", "Nowhere/Land": "+01:00"} {
		t.Setenv("TZ", tz)
		if got := personsZone(east).String(); got != want {
			t.Errorf("TZ=%s is %s, want %s", tz, got, want)
		}
	}
	t.Setenv("TZ", "")
	if got := personsZone(east.UTC()).String(); got != "UTC" {
		t.Errorf("no distance is %s", got)
	}
}

// toldPlace is a client's word of where the person is.
type toldPlace struct{ zone *string }

func (p toldPlace) Now() domain.ContextUpdated { return domain.ContextUpdated{Timezone: p.zone} }

func TestAtHomeUntilAClientSaysOtherwise(t *testing.T) {
	malta := "Europe/Malta"
	if got := (athome{toldPlace{}, "Asia/Tokyo"}).Now().Timezone; got == nil || *got != "Asia/Tokyo" {
		t.Errorf("nobody said where, and it is %v", got)
	}
	if got := (athome{toldPlace{&malta}, "Asia/Tokyo"}).Now().Timezone; *got != malta {
		t.Errorf("a client says Malta, and it is %s", *got)
	}
	if got := (athome{toldPlace{}, ""}).Now().Timezone; got != nil {
		t.Errorf("nobody knows, and it is %s", *got)
	}
}
