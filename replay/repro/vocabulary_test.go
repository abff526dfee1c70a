package repro

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write the vocabulary anew")

// spoken is the code whose words decide something, or are said by Chalie.
var spoken = []string{"domain", "domain/relate", "domain/when", "domain/guard", "commands", "adapters/builtinmodel", "adapters/cardhtml"}

// examples are names in the texts of the code: people have them, so they don't stay.
var examples = []string{"anna", "luigi"}

// Every word that the code knows stays readable in a bundle: were one replaced, the
// code would decide otherwise. After a change of the code's texts run this with
// -rewrite.
func TestVocabularyHasTheWordsOfTheCode(t *testing.T) {
	words := map[string]bool{}
	for _, dir := range spoken {
		entries, err := fs.ReadDir(os.DirFS("../.."), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if name := e.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				collect(t, path.Join("../..", dir, name), words)
			}
		}
	}
	if *rewrite {
		text := strings.Join(slices.Sorted(maps.Keys(words)), "\n") + "\n"
		if err := os.WriteFile("vocabulary.txt", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	known := vocabulary()
	var missing []string
	for w := range words {
		if !known.has(w) {
			missing = append(missing, w)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 || len(words) < 2000 {
		t.Errorf("%d words of the code's %d are missing from vocabulary.txt, such as %v: run go test ./replay/repro -rewrite", len(missing), len(words), missing[:min(len(missing), 20)])
	}
}

// collect takes the words of a file's texts.
func collect(t *testing.T, name string, into map[string]bool) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if imp, ok := n.(*ast.ImportSpec); ok && imp != nil {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		eachWord(text, func(word string) {
			if len(word) > 1 && !slices.Contains(examples, strings.ToLower(word)) {
				into[strings.ToLower(word)] = true
			}
		})
		return true
	})
}
