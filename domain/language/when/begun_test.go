package when_test

import (
	"testing"

	"chalie/domain/language/when"
)

// In the morning is the next one, when this one has begun.
func TestPartThatHasBegun(t *testing.T) {
	z := zone(t, "Europe/Malta")
	for _, c := range []struct{ now, text, want string }{
		{"2026-11-21 08:30", "in the morning", "2026-11-22 09:00"},
		{"2026-11-21 08:30", "this morning", "2026-11-21 09:00"},
		{"2026-11-21 00:30", "in the morning", "2026-11-21 09:00"},
		{"2026-11-21 08:30", "at 9 in the morning", "2026-11-21 09:00"},
		{"2026-11-21 08:30", "in the evening", "2026-11-21 19:00"},
	} {
		got, err := when.Parse(c.text, at(t, c.now, z), z)
		if err != nil || got.At != at(t, c.want, z) {
			t.Errorf("%q at %s: %v, %v; want %s", c.text, c.now, got.At, err, c.want)
		}
	}
}
