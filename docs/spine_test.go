package docs_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"chalie/domain"
)

var rewrite = flag.Bool("rewrite", false, "write what is generated into the documents")

// The table of signals in docs/spine.md is that of the declarations.
func TestSpineIsDrawnAsDeclared(t *testing.T) {
	const name = "../docs/spine.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	was := string(text)
	const begin, end = "<!-- signals: generated from the declarations -->\n", "<!-- end -->"
	head, rest, found := strings.Cut(was, begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatal("docs/spine.md has no place for the signals")
	}
	switch now := head + begin + signalsTable() + end + tail; {
	case now == was:
	case *rewrite:
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/spine.md isn't what services declare: run go test ./docs -run Spine -rewrite")
	}
}

func signalsTable() string {
	var b strings.Builder
	b.WriteString("| type | says that | emitted by | energy | what its consumer does |\n| --- | --- | --- | --- | --- |\n")
	for _, k := range domain.SpineKinds() {
		energy := k.Least.String()
		if k.Most != k.Least {
			energy += " to " + k.Most.String()
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", k.Type, k.Meaning, codes(k.Emitters), energy, k.Taken)
	}
	return b.String()
}

func codes[S ~string](names []S) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = "`" + string(name) + "`"
	}
	return strings.Join(quoted, ", ")
}
