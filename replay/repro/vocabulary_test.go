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

// deciding is the code whose words decide what belongs together, when something is,
// and what is asked for. Not one may be missing.
var deciding = []string{"domain/relate", "domain/language/when", "domain/language/sentences", "domain/language/tools", "domain/language/abroad", "domain/language/plans",
	"domain/language/lists", "domain/language/hearing", "domain/language/turns", "domain/language/answers", "domain/cards"}

// spoken is the code whose words stand in records. A few may be missing for a while:
// at worst a bundle isn't written, since each is replayed before.
var spoken = []string{"domain", "domain/language", "domain/language/bynames", "domain/guard", "commands", "adapters/cardhtml"}

// lag is the share of their words that may be missing, in percent.
const lag = 3

// names are in the texts of the code, and people have them, so they don't stay: a trace
// that St Patrick's day decides has no bundle.
var names = []string{
	"anna", "luigi", "andrew", "david", "george", "john", "joseph", "lucy", "lucia", "martin", "mary", "nicholas", "patrick", "stephen", "sylvester", "silvester",
	"fawkes", "fawke", "luther", "king", "lincoln", "washington",
}

// givenNames is the file of the names that are also words. What no other text of the code
// has doesn't stay: a person may be called Grace.
const givenNames = "words_given.go"

// lexicons are the files whose words decide as those of the code do: what belongs together, how
// things are said, what is mistyped.
var lexicons = []string{"belongs.txt", "plainly.txt", "spelling.txt"}

// Every word that the code knows stays readable in a bundle: were one replaced, the
// code would decide otherwise. After a change of the code's texts run this with
// -rewrite.
func TestVocabularyHasTheWordsOfTheCode(t *testing.T) {
	must, may := wordsOf(t, deciding), wordsOf(t, spoken)
	if *rewrite {
		all := maps.Clone(must)
		maps.Copy(all, may)
		text := strings.Join(slices.Sorted(maps.Keys(all)), "\n") + "\n"
		if err := os.WriteFile("vocabulary.txt", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	const mend = "run go test ./replay/repro -run Vocabulary -rewrite"
	if missing := missingOf(must); len(missing) > 0 || len(must) < 2000 {
		t.Errorf("of the %d words that decide, %d are missing from vocabulary.txt, such as %v: %s", len(must), len(missing), missing[:min(len(missing), 20)], mend)
	}
	if missing := missingOf(may); len(missing)*100 > len(may)*lag {
		t.Errorf("of %d other words of the code %d are missing from vocabulary.txt, such as %v: %s", len(may), len(missing), missing[:min(len(missing), 20)], mend)
	}
}

func missingOf(words map[string]bool) []string {
	known := vocabulary()
	var missing []string
	for w := range words {
		if !known.has(w) {
			missing = append(missing, w)
		}
	}
	slices.Sort(missing)
	return missing
}

// wordsOf are the words in the texts of some folders.
func wordsOf(t *testing.T, folders []string) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	for _, dir := range folders {
		entries, err := fs.ReadDir(os.DirFS("../.."), dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			file := path.Join("../..", dir, e.Name())
			switch name := e.Name(); {
			case name == givenNames, strings.HasSuffix(name, "_test.go"):
			case strings.HasSuffix(name, ".go"):
				collect(t, file, words)
			case slices.Contains(lexicons, name):
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				eachSpoken(string(text), words)
			}
		}
	}
	return words
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
		eachSpoken(text, into)
		return true
	})
}

func eachSpoken(text string, into map[string]bool) {
	eachWord(text, func(word string) {
		if len(word) > 1 && !slices.Contains(names, strings.ToLower(word)) {
			into[strings.ToLower(word)] = true
		}
	})
}
