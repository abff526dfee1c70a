package web_test

import (
	"regexp"
	"strings"
	"testing"
)

// A brace too few has everything behind it go with a rule that it isn't part of.
func TestStylesheetIsWhole(t *testing.T) {
	sheet := get(t, newSite(t, &fakeAPI{}), "/assets/chalie.css").Body.String()
	sheet = regexp.MustCompile(`(?s)/\*.*?\*/|"[^"]*"`).ReplaceAllStringFunc(sheet, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	depth := 0
	for i, line := range strings.Split(sheet, "\n") {
		if depth > 0 && strings.HasPrefix(line, "@") || depth < 0 {
			t.Fatalf("line %d stands %d deep: %s", i+1, depth, line)
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	if depth != 0 {
		t.Errorf("at its end %d rules are open", depth)
	}
}
