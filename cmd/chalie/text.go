package main

import (
	"time"

	"chalie/domain"
	"chalie/replay/narrate"
)

// oneLine makes a text from anywhere fit for one line of a terminal.
func oneLine(s string) string { return narrate.OneLine(s) }

// who is the accountable identity, and through whom it spoke.
func who(e domain.Envelope) string {
	principal, source := oneLine(string(e.Principal)), oneLine(string(e.Source))
	if principal == source {
		return principal
	}
	return principal + " via " + source
}

// spelt is a stored name in words.
func spelt(name string) string { return narrate.Spelt(name) }

// span writes how long something took or is ago, in its largest units.
func span(d time.Duration) string { return narrate.Span(d) }

// ago writes an age.
func ago(d time.Duration) string {
	if d < time.Second {
		return "now"
	}
	return span(d) + " ago"
}

// counted writes a number with its noun.
func counted[N int | uint64 | domain.Position](n N, one, many string) string {
	return narrate.Counted(n, one, many)
}

// grouped writes a number with its thousands apart.
func grouped(n uint64) string { return narrate.Grouped(n) }
