package when_test

import (
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/language/when"
)

// BenchmarkParse reads a sentence as people say them, and long ones as nobody does.
func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"sentence": "remind me on the last Friday of March at a quarter past nine to call Anna about the flat",
		"bounded":  "until the end of June remind me each Wednesday at 4 p.m. to pick up the farm box",
		"nested":   strings.Repeat("every first monday after ", 80),
		"until":    strings.Repeat("every day until ", 80),
		"to":       strings.Repeat("quarter to ", 100),
		"numbers":  strings.Repeat("10 ", 300),
		"month":    strings.Repeat("the first week of march ", 60),
		"unspaced": strings.Repeat("monday", 1700),
	} {
		b.Run(name, func(b *testing.B) {
			now := domain.MillisOf(time.Date(2026, 11, 26, 9, 0, 0, 0, time.UTC))
			for b.Loop() {
				_, _ = when.Parse(text, now, time.UTC)
			}
		})
	}
}
