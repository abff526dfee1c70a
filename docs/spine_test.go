package docs_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

var rewrite = flag.Bool("rewrite", false, "write what is generated into the documents")

// The tables and the graph of docs/spine.md are those of the declarations.
func TestSpineIsDrawnAsDeclared(t *testing.T) {
	const name = "../docs/spine.md"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	was := string(text)
	now := was
	for block, content := range map[string]string{
		"services": servicesTable(), "graph": "```mermaid\n" + domain.SpineMermaid(domain.Services()) + "```\n", "signals": signalsTable(),
	} {
		begin, end := fmt.Sprintf("<!-- %s: generated from the declarations -->\n", block), "<!-- end -->"
		head, rest, found := strings.Cut(now, begin)
		_, tail, ended := strings.Cut(rest, end)
		if !found || !ended {
			t.Fatalf("docs/spine.md has no place for %s", block)
		}
		now = head + begin + content + end + tail
	}
	switch {
	case now == was:
	case *rewrite:
		if err := os.WriteFile(name, []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("docs/spine.md isn't what services declare: run go test ./docs -run Spine -rewrite")
	}
}

func servicesTable() string {
	var b strings.Builder
	b.WriteString("| service | layer | emits | takes | trigger | cycle | missing while it is dead |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, s := range domain.Services() {
		cycle := ""
		switch {
		case s.Cycle > 0 && s.Cycle%time.Minute == 0:
			cycle = fmt.Sprintf("%d min", s.Cycle/time.Minute)
		case s.Cycle > 0:
			cycle = s.Cycle.String()
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s | %s |\n", s.Name, s.Layer, codes(s.Emits), codes(s.Consumes), s.Trigger, cycle, s.FailMode)
	}
	return b.String()
}

func signalsTable() string {
	var b strings.Builder
	b.WriteString("| type | says that | emitted by | energy | whoever takes it |\n| --- | --- | --- | --- | --- |\n")
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
