package docs_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"chalie/commands"
)

// What each right reads stands in the docs as it stands in the code.
func TestWhatEachRightReads(t *testing.T) {
	tree, _ := documents(t)
	trust := read(t, tree, "docs/trust.md")
	for _, r := range commands.Readings() {
		right := cmp.Or(r.Right, "none, or types of signals")
		if r.Right != "" {
			right = "`" + right + "`"
		}
		if row := fmt.Sprintf("| %s | %s |\n", right, r.Reads); !strings.Contains(trust, row) {
			t.Errorf("docs/trust.md has no row %s", row)
		}
	}
}
