// Package docs_test keeps the documents true to the code they point to.
package docs_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"chalie/adapters/api"
	"chalie/domain"
)

// documents are read from the root of the repository.
func documents(t *testing.T) (fs.FS, []string) {
	t.Helper()
	tree := os.DirFS("..")
	var found []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/how-to/*.md", "docs/adr/*.md"} {
		names, err := fs.Glob(tree, pattern)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	if len(found) < 10 {
		t.Fatalf("only %q were found", found)
	}
	return tree, found
}

func read(t *testing.T, tree fs.FS, name string) string {
	t.Helper()
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var packagePattern = regexp.MustCompile(`\b(?:adapters|cmd|commands|domain|projections|replay)/[a-z]+\b`)

// The picture names packages that are there.
func TestPictureShowsWhatIsThere(t *testing.T) {
	tree, _ := documents(t)
	names := packagePattern.FindAllString(read(t, tree, "docs/architecture.svg"), -1)
	if len(names) < 8 {
		t.Fatalf("only %q were found in the picture", names)
	}
	for _, name := range names {
		if info, err := fs.Stat(tree, name); err != nil || !info.IsDir() {
			t.Errorf("the picture shows %s, which isn't there", name)
		}
	}
}

type link struct{ words, target, anchor string }

var linkPattern = regexp.MustCompile(`\[([^\]]*)\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)

// fencedPattern is a block of code, whose brackets are no links.
var fencedPattern = regexp.MustCompile("(?ms)^ *```.*?\n *```$")

// links are those that lead to a place in the repository.
func links(text string) []link {
	var out []link
	for _, m := range linkPattern.FindAllStringSubmatch(fencedPattern.ReplaceAllString(text, ""), -1) {
		if !strings.Contains(m[2], "://") {
			out = append(out, link{m[1], m[2], m[3]})
		}
	}
	return out
}

func TestLinksLeadSomewhere(t *testing.T) {
	tree, names := documents(t)
	for _, name := range names {
		for _, l := range links(read(t, tree, name)) {
			target := name
			if l.target != "" {
				target = path.Join(path.Dir(name), l.target)
			}
			if _, err := fs.Stat(tree, target); err != nil {
				t.Errorf("%s links to %s, which isn't there", name, l.target)
				continue
			}
			if l.anchor != "" && !slices.Contains(anchors(read(t, tree, target)), l.anchor) {
				t.Errorf("%s links to %s#%s; no heading there gives that", name, l.target, l.anchor)
			}
		}
	}
}

// A link to a Go file whose words are a name in backticks promises that the
// file declares it.
func TestNamedCodeIsThere(t *testing.T) {
	tree, names := documents(t)
	seen := 0
	for _, name := range names {
		for _, l := range links(read(t, tree, name)) {
			identifier, isCode := strings.CutPrefix(strings.TrimSuffix(l.words, "`"), "`")
			if !isCode || !strings.HasSuffix(l.target, ".go") {
				continue
			}
			seen++
			file := path.Join(path.Dir(name), l.target)
			text, err := fs.ReadFile(tree, file)
			if err == nil && !declares(string(text), identifier) {
				t.Errorf("%s says that %s is in %s, and it isn't", name, identifier, file)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d names were checked: the search is wrong", seen)
	}
}

// declares finds functions, methods, types, constants and variables, also
// inside a group.
func declares(source, identifier string) bool {
	name := regexp.QuoteMeta(identifier)
	return regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |const |var |\t)` + name + `\b[^:.]`).MatchString(source)
}

// anchors are what the headings of a document can be linked by.
func anchors(text string) []string {
	var out []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if heading := strings.TrimLeft(line, "#"); !fenced && heading != line {
			out = append(out, anchorOf(strings.TrimSpace(heading)))
		}
	}
	return out
}

func anchorOf(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// mostWords bounds the glossary: a long one is a sign of invented words.
const mostWords = 80

// The glossary is short, and in the order of the alphabet.
func TestGlossaryIsSorted(t *testing.T) {
	tree, _ := documents(t)
	var last string
	words := 0
	for line := range strings.Lines(read(t, tree, "docs/glossary.md")) {
		word, isEntry := strings.CutPrefix(line, "- **")
		if !isEntry {
			continue
		}
		word, _, _ = strings.Cut(word, "**")
		if word < last {
			t.Errorf("%q stands after %q", word, last)
		}
		last = word
		words++
	}
	if words == 0 || words > mostWords {
		t.Errorf("the glossary has %d entries, %d is the most", words, mostWords)
	}
}

var routeInDocs = regexp.MustCompile("`(GET|POST|PUT|DELETE) (/[^ `?]*)")

// Routes that a page names are there.
func TestNamedRoutesAreThere(t *testing.T) {
	tree, pages := documents(t)
	found := 0
	for _, page := range pages {
		// What Chalie asks of interfaces, and routes that a reader is shown how to add.
		if page == "docs/interfaces.md" || strings.HasPrefix(page, "docs/how-to/") {
			continue
		}
		for _, m := range routeInDocs.FindAllStringSubmatch(read(t, tree, page), -1) {
			found++
			if !slices.ContainsFunc(api.Routes(), func(r api.Route) bool { return r.Method == m[1] && samePath(r.Path, m[2]) }) {
				t.Errorf("%s names %s %s, which isn't there", page, m[1], m[2])
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d were found", found)
	}
}

// samePath reports whether a page means a route's path: it may write a parameter as it
// likes.
func samePath(route, written string) bool {
	have, want := strings.Split(route, "/"), strings.Split(written, "/")
	for i := range have {
		if len(have) != len(want) || have[i] != want[i] && !strings.HasPrefix(have[i], "{") {
			return false
		}
	}
	return true
}

// The contract says of each route and parameter what it is.
func TestEveryRouteIsDescribed(t *testing.T) {
	for _, r := range api.Routes() {
		if r.Summary == "" || strings.Contains(r.Path, "{") != (r.ID != "") || len(r.Answers) == 0 {
			t.Errorf("%s %s isn't described", r.Method, r.Path)
		}
		for _, p := range slices.Concat(r.Query, r.Headers) {
			if p.Doc == "" {
				t.Errorf("%s %s doesn't say what %s is", r.Method, r.Path, p.Name)
			}
		}
	}
}

// The page on the spine names every type of signal that it carries.
func TestSpineNamesEverySignal(t *testing.T) {
	tree, _ := documents(t)
	page := read(t, tree, "docs/spine.md")
	for _, k := range domain.SpineKinds() {
		if !strings.Contains(page, "`"+string(k.Type)+"`") {
			t.Errorf("docs/spine.md doesn't name %s", k.Type)
		}
	}
}
