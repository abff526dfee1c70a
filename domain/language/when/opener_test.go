package when

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A word that isn't known to open a time opens none, whatever stands behind it: tried are all words
// that stand in the code of this package.
func TestOtherWordsOpenNothing(t *testing.T) {
	behind := []string{"", "8", "at 8", "8 pm", "monday", "monday at 9", "mondays", "of march", "of the month", "of every month", "of business", "day", "days", "2 weeks", "week",
		"to 9", "past 8", "april", "3 march 2027", "in the morning", "night", "mornings", "time", "hour every hour", "an hour", "hours before friday at 10", "minutes from now", "days ago",
		"after easter", "than 3 pm", "the 15th", "day of march", "- 9", "every day", "friday of march", "quarter of 2027", "eve at 6 pm", "before christmas", "o'clock", "tomorrow",
		"next week", "to friday at 9", "times a day", "- friday", "it's 4 pm in London", "fawkes night", "than monday", "soon as it's noon", "in the afternoon", "as 5 pm", "of the week"}
	tried := 0
	for word := range wordsOfCode(t) {
		if (tokensOf(word))[0].mayOpen() {
			continue
		}
		tried++
		for _, rest := range behind {
			for _, past := range []bool{false, true} {
				r := &reader{tokens: tokensOf(word + " " + rest), now: time.Date(2026, time.November, 26, 9, 0, 0, 0, time.UTC), past: past}
				if x := r.anyExpr(0); x.to > 0 || r.wrong != nil {
					t.Errorf("%q opens the time %q: it belongs to the openers", word, r.said(0, x.to))
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("%d words were tried", tried)
	}
}

// wordsOfCode are the words of the texts in the package's code.
func wordsOfCode(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(gotoken.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != gotoken.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tokensOf(text) {
				out[w.text] = true
			}
			return true
		})
	}
	return out
}
