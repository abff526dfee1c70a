package web

import (
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// spot is a page in the navigation.
type spot struct{ Path, Name string }

// places are the pages, in the order of the navigation.
func places() []spot {
	return []spot{{"/chat", "Conversation"}, {"/now", "Now"}, {"/interfaces", "Interfaces"}, {"/traces", "Traces"}}
}

// words are what templates say of values.
var words = template.FuncMap{
	"places":   places,
	"percent":  func(score float64) string { return fmt.Sprintf("%.0f %%", 100*score) },
	"moment":   func(at domain.Millis) string { return at.Time().UTC().Format(time.RFC3339) },
	"ago":      ago,
	"gate":     gate,
	"took":     took,
	"measured": measured,
	"plain":    func(word string) string { return strings.NewReplacer("_", " ", ".", " ").Replace(word) },
}

// ago is an age in the largest unit that fits.
func ago(seconds int64) string {
	d := time.Duration(seconds) * time.Second
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	}
	return fmt.Sprintf("%d days ago", d/(24*time.Hour))
}

// took is a time that something took, in the unit that fits.
func took(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// measured is a number with its name, as explanations have them.
func measured(name string, n float64) string {
	if what, ok := strings.CutSuffix(name, "_ms"); ok {
		return strings.ReplaceAll(what, "_", " ") + " " + took(time.Duration(n)*time.Millisecond)
	}
	return strings.ReplaceAll(name, "_", " ") + " " + strconv.FormatFloat(n, 'g', 6, 64)
}

// gate is why something isn't in mind, in words.
func gate(g domain.Gate) string {
	switch g {
	case domain.GateBelowThreshold:
		return "has faded"
	case domain.GateNotInFive:
		return "five things matter more"
	}
	return strings.ReplaceAll(string(g), "_", " ")
}

// sortedKeys are those of a map, in the order of the alphabet.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
