package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A brace too few has everything behind it go with a rule that it isn't part of.
// Each piece has to be whole: the next one begins where it ends.
func TestStylesheetsAreWhole(t *testing.T) {
	pieces, err := filepath.Glob("styles/*.css")
	if err != nil || len(pieces) == 0 {
		t.Fatalf("there are no styles: %v", err)
	}
	served := get(t, newSite(t, &fakeAPI{}), "/assets/chalie.css").Body.String()
	for _, piece := range pieces {
		text, err := os.ReadFile(piece)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(served, string(text)) {
			t.Errorf("%s isn't served", piece)
		}
		if what := unbalanced(string(text)); what != "" {
			t.Errorf("%s: %s", piece, what)
		}
	}
}

// unbalanced says where braces of a sheet don't match; "" when they do.
func unbalanced(sheet string) string {
	sheet = regexp.MustCompile(`(?s)/\*.*?\*/|"[^"]*"`).ReplaceAllStringFunc(sheet, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	depth := 0
	for i, line := range strings.Split(sheet, "\n") {
		if depth > 0 && strings.HasPrefix(line, "@") || depth < 0 {
			return "line " + strconv.Itoa(i+1) + " stands " + strconv.Itoa(depth) + " deep: " + line
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	if depth != 0 {
		return "at its end " + strconv.Itoa(depth) + " rules are open"
	}
	return ""
}

func TestUnbalanced(t *testing.T) {
	for sheet, whole := range map[string]bool{
		"a { b: c; }\n@media (x) {\n  a { }\n}\n": true,
		"a::before { content: \"{\"; } /* { */\n": true,
		"a { b: c;\n":                          false,
		"a { b: c; } }\na { }\n":               false,
		"a { b: c;\n@media (x) { a { } }\n}\n": false,
	} {
		if what := unbalanced(sheet); (what == "") != whole {
			t.Errorf("of %q it says %q", sheet, what)
		}
	}
}
