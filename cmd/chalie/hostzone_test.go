package main

import (
	"testing"

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
