package domain_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"chalie/domain"
)

// A rule says why, because whoever meets it wants to know what to do instead.
const (
	whyPure     = "domain is pure, so that a replay gives the same answer in every year and on every machine: take time, ids and bytes as arguments, or declare a port"
	whyAlone    = "domain is what everything else is said in: what it needs of another package of ours is a port, or belongs into domain"
	whyInward   = "imports go one way, domain <- commands, projections, replay <- adapters <- cmd: turn the dependency around with a port where it is needed"
	whyBeside   = "commands and projections don't know each other, and neither knows replay, which runs both: what a command needs to know is a port that a projection fills"
	whySiblings = "adapters don't know each other, so that each can be replaced: wire them together in cmd, through a port"
	whyContract = "adapters/api is the contract that several adapters share, and does nothing: what does something belongs into the adapter that does it"
	whyRooms    = "the rooms of a layer don't know each other, but for the ways that the test names: put what both need into the layer's own package, or declare a port"
	whyKit      = "a kit is for tests: what a program needs doesn't belong there"
	whyDoc      = "every package says what it is for: begin a file with // Package NAME"
	whyLanguage = "what people say is read by domain alone and the same everywhere, with its own parts and nothing else: give it what it needs to know in its prompt"
	whyRead     = "what people say is read in domain/language alone, so that each word is known in one place: put what reads it there, and take its value"
	whyType     = "a mistyped name compiles and matches nothing: take the catalogue's constant"
	whyTop      = "the top level is the house's plan: put it into domain, projections, commands, adapters, cmd, replay or docs"
)

var (
	layers   = map[string]int{"domain": 0, "commands": 1, "projections": 1, "replay": 1, "adapters": 2, "cmd": 3}
	topLevel = []string{"domain", "projections", "commands", "adapters", "cmd", "replay", "docs",
		"go.mod", "go.sum", "Taskfile.yml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"}
	// contract is the one adapter that others may import: httpapi serves its routes,
	// apiclient asks for them and web shows their answers, and shapes that each of them
	// wrote down would drift apart.
	contract = "adapters/api"
	// contractReader reads what comes from outside into those shapes, for httpapi, wsapi and
	// streams.
	contractReader = "adapters/api/reading"
	pure           = map[string]string{"domain": whyPure, contract: whyContract}
	// ways are the imports among the rooms of a layer.
	ways = map[string]map[string]string{"domain": {
		"cards -> guard":                         "a name that tries something with its reader isn't repeated",
		"cards -> language":                      "a card is about what the prompt has in mind",
		"cards -> language/sentences":            "a headline says what a sentence of the signal says",
		"cards -> language/tools":                "a tool that looks for another one is offered",
		"cards -> language/when":                 "news moves a plan to another time",
		"cards -> relate":                        "a headline leaves out everyday words",
		"carry -> relate":                        "everyday words are nobody's secret",
		"guest -> guard":                         "a form that asks for a secret isn't shown",
		"language/abroad -> language":            "it answers in the language of the prompt",
		"language/abroad -> language/reckon":     "sums are worked out in every language",
		"language/abroad -> language/sentences":  "other languages have words and phrases, too",
		"language/abroad -> language/tongues":    "it has their phrases and times",
		"language/abroad -> language/tools":      "what is asked for is an intent, in whichever language",
		"language/answers -> language":           "a prompt goes in, and a reply comes out",
		"language/answers -> language/abroad":    "an answer is told in the language of the message",
		"language/answers -> language/bynames":   "what is in mind is named where it shares a word",
		"language/answers -> language/hearing":   "an answer is as sure as what was heard",
		"language/answers -> language/sentences": "what is repeated is cut and quoted",
		"language/answers -> language/tools":     "a result is told under its tool's name",
		"language/answers -> language/turns":     "what is to be done is heard in turn",
		"language/bynames -> language/timing":    "a plan is named by its period, too",
		"language/bynames -> language/when":      "and by when it comes",
		"language/bynames -> language/tongues":   "names are compared without accents",
		"language/concern -> language/tongues":   "messages are in four languages",
		"language/concern -> language/when":      "a message means the plan of its time",
		"language/concern -> language/timing":    "what a message says may move a plan",
		"language/deed -> language/tongues":      "the words for a deed are compared without accents",
		"language/gauge -> language/bynames":     "what a memory or a list is called by is compared as names are",
		"language/hearing -> language":           "a listener is made of a prompt",
		"language/hearing -> language/abroad":    "a sentence is heard in other languages first",
		"language/hearing -> language/deed":      "a remark has the word for a deed and isn't its request",
		"language/hearing -> language/gauge":     "values that were heard are asked for by their names",
		"language/hearing -> language/lists":     "lists are one of the things that sentences are about",
		"language/hearing -> language/plans":     "plans are another",
		"language/hearing -> language/sentences": "it reads sentences",
		"language/hearing -> language/tools":     "tools are the third",
		"language/hearing -> language/when":      "times are taken out of names",
		"language/lists -> language":             "a list is followed to the turn before",
		"language/lists -> language/bynames":     "entries are told apart as whoever keeps them does",
		"language/lists -> language/plans":       "an entry may be a plan, and has a plan's times",
		"language/lists -> language/sentences":   "it reads sentences",
		"language/lists -> language/tools":       "what is asked for is an intent",
		"language/plans -> language":             "plans in mind are those of the prompt",
		"language/plans -> language/abroad":      "a planner is an interpreter that knows plans",
		"language/plans -> language/sentences":   "it reads sentences",
		"language/plans -> language/tools":       "what is asked for is an intent",
		"language/plans -> language/when":        "plans have times",
		"language/reckon -> language/speech":     "what is worked out is a message",
		"language/reckon -> language/when":       "the time elsewhere is asked for with a time",
		"language/sentences -> language":         "a reader is made of a prompt",
		"language/sentences -> language/tongues": "it is told whose words they are",
		"language/sentences -> language/when":    "a sentence's times are read once",
		"language/timing -> language/speech":     "what can't be is asked about with a message",
		"language/timing -> language/when":       "times of plans are read as all times are",
		"language/tools -> language":             "what is offered stands in the prompt",
		"language/tools -> language/bynames":     "identifiers are read as words",
		"language/tools -> language/concern":     "of two that may be meant one is known to be kept",
		"language/tools -> language/deed":        "a tool is called for its deed",
		"language/tools -> language/sentences":   "a request is a sentence",
		"language/tools -> language/tongues":     "deeds are named in four languages",
		"language/tools -> language/when":        "parameters take times",
		"language/turns -> language":             "turns are those of the prompt",
		"language/turns -> language/abroad":      "short answers are in every language",
		"language/turns -> language/concern":     "a yes is to what was said of a plan",
		"language/turns -> language/hearing":     "what was said before is heard again",
		"language/turns -> language/lists":       "a list goes on from turn to turn",
		"language/turns -> language/plans":       "plans are corrected and moved",
		"language/turns -> language/sentences":   "it reads sentences",
		"language/turns -> language/tongues":     "a no is one in four languages",
		"language/turns -> language/tools":       "what is asked for is an intent",
		"language/turns -> language/when":        "corrections are times",
		"language/when -> language/speech":       "what is no time is asked about with a message",
		"language -> language/speech":            "what was said before stands in a prompt as values",
		"language/sentences -> language/speech":  "what is mentioned is a text",
		"language/tools -> language/speech":      "what is asked back is a message",
		"language/plans -> language/speech":      "what is asked back is a message",
		"language/lists -> language/speech":      "what is asked back is a message",
		"language/answers -> language/speech":    "a reply is messages",
		"language/abroad -> language/speech":     "what a skill answered is told by its values",
		"language/hearing -> language/speech":    "a plan is told of by values",
		"language/turns -> language/speech":      "what was asked is known by its values",
	}, "commands": {
		"account -> limit":        "failed logins are recorded once a minute at most",
		"intake -> limit":         "each command of a program is recorded",
		"message -> limit":        "programs say no more than a person can read",
		"pairing -> limit":        "strangers register and fail no more often than can be read",
		"pairing -> screen":       "what an interface says of its tools may try to steer a model",
		"reasoning -> background": "a thought in the background gives way to whoever waits, and says so",
		"reasoning -> screen":     "reasons are cut, and half a key has no shape",
		"reasoning -> tool":       "an answer asks for tools, and for approval in words",
		"signal -> background":    "signals give way to answers, and a changed context is told to the spine",
		"signal -> limit":         "programs send no more than was agreed",
		"signal -> screen":        "what a client reports is compared with what is stored",
		"skill -> tool":           "a skill is a tool.Skill, and passes the same gate as every tool",
		"tool -> limit":           "calls of pages and programs are counted",
		"tool -> screen":          "a secret is sent and not kept, and an answer is told as it is stored",
		"voice -> message":        "a recording is kept as an image is",
	}, "replay": {
		"baseline -> narrate": "what a skill decides, and what a field is, stand in its type's entry",
		"player -> baseline":  "a difference is known by its kind",
		" -> narrate":         "what a target is not is said in a sentence",
		"draw -> explain":     "a picture shows an explanation",
		"draw -> narrate":     "it has the explanation's words",
		"explain -> narrate":  "an explanation is told in sentences",
		"explain -> player":   "a change that would have helped is tried",
		"player -> narrate":   "how a step is compared stands in its type's entry",
		"sandbox -> player":   "it is where a player has today's code decide",
		"sandbox -> wiring":   "today's code is wired as the running program is",
		"wiring -> explain":   "the person may ask Chalie itself why",
	}}
	kits             = []string{"commands/commandstest", "domain/language/speech/speechtest"}
	forbiddenImports = []string{"os", "net", "crypto/rand", "math/rand", "io/fs", "io/ioutil", "syscall", "log", "log/slog", "plugin", "runtime", "unsafe"}
	// zoneByName is what a text is read with that names a place: the program brings the table of zones along.
	zoneByName    = "time.LoadLocation"
	forbiddenTime = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "Sleep", "NewTimer", "NewTicker", "LoadLocation", "Local"}
)

// timeReaders are the functions of domain/language/when that read a text.
var timeReaders = []string{"Asked", "During", "Earlier", "Later", "Listed", "Locals", "Look", "Mistyped", "Named", "Narrow", "Parse", "ParseOccasion", "ParsePast",
	"Parts", "Place", "Weekdays"}

func TestArchitecture(t *testing.T) {
	tree := os.DirFS("..")
	ignored, err := fs.ReadFile(tree, ".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	violations, err := inspect(tree, strings.Split(string(ignored), "\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations {
		t.Error(v)
	}
}

// inspect holds a module's tree to the rules.
func inspect(tree fs.FS, ignored []string) ([]string, error) {
	top, err := fs.ReadDir(tree, ".")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range top {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(topLevel, e.Name()) && !isIgnored(e.Name(), ignored) {
			out = append(out, fmt.Sprintf("%s stands at the top level: %s", e.Name(), whyTop))
		}
	}
	packages := map[string]bool{} // folder to whether it has a doc comment
	err = fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && skipped(tree, name, e.Name(), ignored):
			return fs.SkipDir
		case e.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		return inspectFile(tree, name, packages, &out)
	})
	for dir, documented := range packages {
		if !documented {
			out = append(out, fmt.Sprintf("%s has no doc comment: %s", dir, whyDoc))
		}
	}
	slices.Sort(out)
	return out, err
}

// skipped folders are not part of this module.
func skipped(tree fs.FS, name, base string, ignored []string) bool {
	if strings.HasPrefix(base, ".") || base == "testdata" || isIgnored(name, ignored) {
		return true
	}
	_, err := fs.Stat(tree, path.Join(name, "go.mod"))
	return err == nil
}

func isIgnored(name string, patterns []string) bool {
	for _, p := range patterns {
		p = strings.Trim(strings.TrimSpace(p), "/")
		if ok, err := path.Match(p, path.Base(name)); p != "" && err == nil && ok {
			return true
		}
	}
	return false
}

func inspectFile(tree fs.FS, name string, packages map[string]bool, out *[]string) error {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	dir := path.Dir(name)
	if strings.HasSuffix(name, "_test.go") {
		// Tests may use what they need.
		return nil
	}
	doc := file.Doc.Text()
	packages[dir] = packages[dir] || strings.HasPrefix(doc, "Package "+file.Name.Name+" ") ||
		(file.Name.Name == "main" && strings.HasPrefix(doc, "Command "))
	if slices.Contains(kits, dir) {
		return nil
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if why := badImport(dir, imported); why != "" {
			*out = append(*out, fmt.Sprintf("%s imports %s: %s", files.Position(spec.Pos()), imported, why))
		}
	}
	if name != "domain/catalogue.go" {
		ast.Inspect(file, func(n ast.Node) bool {
			if what := typeWritten(n); what != "" {
				*out = append(*out, fmt.Sprintf("%s writes %q: %s", files.Position(n.Pos()), what, whyType))
			}
			return true
		})
	}
	if why := purityOf(dir); why != "" {
		ast.Inspect(file, func(n ast.Node) bool {
			if what := impure(n); what != "" && !(what == zoneByName && isLanguage(dir)) {
				*out = append(*out, fmt.Sprintf("%s uses %s: %s", files.Position(n.Pos()), what, why))
			}
			return true
		})
	}
	if strings.HasPrefix(name, "commands/") {
		*out = append(*out, readsBy(files, file)...)
	}
	return nil
}

// readsBy is how a file reads texts by itself: by patterns, or as times.
func readsBy(files *token.FileSet, file *ast.File) (out []string) {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"regexp"` {
			out = append(out, fmt.Sprintf("%s imports regexp: %s", files.Position(spec.Pos()), whyRead))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := s.X.(*ast.Ident); ok && pkg.Name == "when" && slices.Contains(timeReaders, s.Sel.Name) {
				out = append(out, fmt.Sprintf("%s calls when.%s: %s", files.Position(n.Pos()), s.Sel.Name, whyRead))
			}
		}
		return true
	})
	return out
}

// badImport is the reason why a package must not import another, or "".
func badImport(dir, imported string) string {
	ours, isOurs := strings.CutPrefix(imported, "chalie/")
	from, to := strings.Split(dir, "/"), strings.Split(ours, "/")
	if !isOurs {
		why := purityOf(dir)
		if why == "" {
			return ""
		}
		if dir == contract && strings.Contains(imported, ".") {
			return whyContract
		}
		for _, f := range forbiddenImports {
			if imported == f || strings.HasPrefix(imported, f+"/") && f != "runtime" && f != "os" {
				return why
			}
		}
		return ""
	}
	low, known := layers[to[0]]
	switch {
	case slices.Contains(kits, ours):
		return whyKit
	case dir == "domain":
		return whyAlone
	case !known || low > layers[from[0]]:
		return whyInward
	case isLanguage(dir) && to[0] == "domain" && len(to) > 1 && to[1] != "language":
		return whyLanguage
	case low == layers[from[0]] && from[0] != to[0] && from[0] != "replay":
		return whyBeside
	case (ours == contract || ours == contractReader) && from[0] == "adapters":
		return ""
	case from[0] == to[0] && ways[to[0]] != nil && len(to) > 1 && dir != ours && ways[to[0]][strings.Join(from[1:], "/")+" -> "+strings.Join(to[1:], "/")] == "":
		return whyRooms
	case from[0] == "adapters" && to[0] == "adapters" && len(to) > 1 && len(from) > 1 && from[1] != to[1]:
		return whySiblings
	}
	return ""
}

// purityOf is why a package has to be pure; "" for one that needn't.
func purityOf(dir string) string {
	if isLanguage(dir) {
		return whyPure
	}
	return pure[dir]
}

func isLanguage(dir string) bool {
	return dir == "domain/language" || strings.HasPrefix(dir, "domain/language/")
}

// impure names what a pure file must not contain, or returns "".
func impure(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine"
	case *ast.SelectorExpr:
		if pkg, ok := n.X.(*ast.Ident); ok && pkg.Name == "time" && slices.Contains(forbiddenTime, n.Sel.Name) {
			return "time." + n.Sel.Name
		}
	case *ast.ImportSpec:
		if n.Path.Value == `"time"` && n.Name != nil {
			return "time under another name, which hides the clock"
		}
	}
	return ""
}

// typeWritten is the event type that a string literal is, or "".
func typeWritten(n ast.Node) string {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(lit.Value)
	if _, known := domain.Events().Lookup(domain.EventType(text)); err != nil || !known {
		return ""
	}
	return text
}

// The rules are only worth something if they can fail.
func TestArchitectureRulesCanFail(t *testing.T) {
	const ok = "// Package x is.\npackage x\n"
	imports := func(names ...string) string {
		text := ok
		for _, n := range names {
			text += fmt.Sprintf("import _ %q\n", n)
		}
		return text
	}
	for _, c := range []struct {
		name, file, text string
		want             string // "" when it is allowed
	}{
		{"a clean file", "domain/x.go", imports("context", "encoding/json", "github.com/oklog/ulid/v2") + "import \"time\"\nconst day = 24 * time.Hour", ""},
		{"the clock", "domain/x.go", ok + "import \"time\"\nvar _ = time.Now()", "domain/x.go:4:9 uses time.Now: " + whyPure},
		{"the clock as a value", "domain/x.go", ok + "import \"time\"\nvar now = time.Since", whyPure},
		{"the clock in disguise", "domain/x.go", ok + "import t \"time\"\nvar _ = t.Now()", whyPure},
		{"a goroutine", "domain/x.go", ok + "func f() { go f() }", "a goroutine: " + whyPure},
		{"files", "domain/x.go", imports("os"), whyPure},
		{"the network", "domain/x.go", imports("net/http"), whyPure},
		{"chance", "domain/x.go", imports("math/rand/v2"), whyPure},
		{"secret chance", "domain/x.go", imports("crypto/rand"), whyPure},
		{"hashes are pure", "domain/x.go", imports("crypto/sha256"), ""},
		{"the clock in a test of domain", "domain/x_test.go", ok + "import \"time\"\nvar _ = time.Now()", ""},
		{"domain and a package of ours", "domain/x.go", imports("chalie/projections"), whyAlone},
		{"a part of the language and another", "domain/language/reckon/x.go", imports("chalie/domain", "chalie/domain/language/when"), ""},
		{"a part of the language the other way", "domain/language/when/x.go", imports("chalie/domain/language/reckon"), whyRooms},
		{"the language and a judgement", "domain/language/when/x.go", imports("chalie/domain/relate"), whyLanguage},
		{"the language and a command", "domain/language/when/x.go", imports("chalie/commands"), whyInward},
		{"the language and the clock", "domain/language/when/x.go", ok + "import \"time\"\nvar _ = time.Now()", whyPure},
		{"the language and a zone by its name", "domain/language/when/x.go", ok + "import \"time\"\nvar _ = time.LoadLocation", ""},
		{"the language and files", "domain/language/x.go", imports("os"), whyPure},
		{"rooms of domain", "domain/relate/x.go", imports("chalie/domain/language/when"), whyRooms},
		{"the test kit of domain", "domain/domaintest/x.go", imports("chalie/domain", "sync", "os"), ""},
		{"the test kit and a projection", "domain/domaintest/x.go", imports("chalie/projections"), whyInward},
		{"a command and domain", "commands/x.go", imports("chalie/domain"), ""},
		{"a command and an adapter", "commands/x.go", imports("chalie/adapters/httpapi"), whyInward},
		{"a command and a projection", "commands/x.go", imports("chalie/projections"), whyBeside},
		{"a room and what all share", "commands/tool/x.go", imports("chalie/commands"), ""},
		{"a room and one that is named", "commands/skill/x.go", imports("chalie/commands/tool"), ""},
		{"a room the other way", "commands/tool/x.go", imports("chalie/commands/skill"), whyRooms},
		{"what all share and a room", "commands/x.go", imports("chalie/commands/tool"), whyRooms},
		{"replaying and explaining", "replay/explain/x.go", imports("chalie/replay/player"), ""},
		{"replaying and explaining the other way", "replay/player/x.go", imports("chalie/replay/explain"), whyRooms},
		{"a kit and a projection", "commands/commandstest/x.go", imports("chalie/projections", "chalie/commands/tool"), ""},
		{"a program and a kit", "cmd/chalie/x.go", imports("chalie/commands/commandstest"), whyKit},
		{"a command and a pattern", "commands/skill/x.go", imports("regexp"), "commands/skill/x.go:3:8 imports regexp: " + whyRead},
		{"a command and a time in words", "commands/skill/x.go", ok + "import \"chalie/domain/language/when\"\nvar at, err = when.Parse(said, now, zone)", "commands/skill/x.go:4:15 calls when.Parse: " + whyRead},
		{"a command and a time as a value", "commands/skill/x.go", ok + "import \"chalie/domain/language/when\"\nvar said = when.Say(at, now, zone)", ""},
		{"a projection and a command", "projections/x.go", imports("chalie/commands"), whyBeside},
		{"a projection and replay", "projections/x.go", imports("chalie/replay"), whyBeside},
		{"replay and both", "replay/x.go", imports("chalie/projections", "chalie/commands"), ""},
		{"a projection and the runner", "projections/small/x.go", imports("chalie/projections"), ""},
		{"an adapter and a projection", "adapters/httpapi/x.go", imports("chalie/projections/small", "chalie/commands"), ""},
		{"an adapter and its sibling", "adapters/httpapi/x.go", imports("chalie/adapters/pebblelog"), whySiblings},
		{"an adapter and its own part", "adapters/httpapi/x.go", imports("chalie/adapters/httpapi/openapi"), ""},
		{"an adapter and the contract", "adapters/httpapi/x.go", imports("chalie/adapters/api"), ""},
		{"an adapter and the contract's reader", "adapters/streams/x.go", imports("chalie/adapters/api/reading"), ""},
		{"an adapter and another part of the contract", "adapters/streams/x.go", imports("chalie/adapters/api/other"), whySiblings},
		{"the contract and values of inner layers", "adapters/api/x.go", imports("chalie/domain", "chalie/replay", "encoding/json", "slices"), ""},
		{"the contract and an adapter", "adapters/api/x.go", imports("chalie/adapters/httpapi"), whySiblings},
		{"the contract and the network", "adapters/api/x.go", imports("net/http"), whyContract},
		{"the contract and a library", "adapters/api/x.go", imports("github.com/oklog/ulid/v2"), whyContract},
		{"the contract and the clock", "adapters/api/x.go", ok + "import \"time\"\nvar _ = time.Now()", "uses time.Now: " + whyContract},
		{"a command and the contract", "commands/x.go", imports("chalie/adapters/api"), whyInward},
		{"an adapter and cmd", "adapters/httpapi/x.go", imports("chalie/cmd/chalie"), whyInward},
		{"cmd and everything", "cmd/chalie/x.go", imports("chalie/domain", "chalie/replay", "chalie/adapters/httpapi"), ""},
		{"anyone and a stray package", "cmd/chalie/x.go", imports("chalie/util"), whyInward},
		{"an event type by its name", "replay/x.go", ok + "var x = \"tool.completed\"", "replay/x.go:3:9 writes \"tool.completed\": " + whyType},
		{"an event type in a test", "replay/x_test.go", ok + "var x = \"tool.completed\"", ""},
		{"an event type in a sentence", "replay/x.go", ok + "var x = \"a tool.completed\"", ""},
		{"a package without a doc comment", "replay/x.go", "package replay\n", "replay has no doc comment: " + whyDoc},
		{"a doc comment cut off by a blank line", "replay/x.go", "// Package replay is.\n\npackage replay\n", whyDoc},
		{"a doc comment about something else", "replay/x.go", "// Package play is.\npackage replay\n", whyDoc},
		{"a program's doc comment", "cmd/chalie/x.go", "// Command chalie runs.\npackage main\n", ""},
		{"a stray folder", "util/x.txt", "", "util stands at the top level: " + whyTop},
		{"a stray file", "notes.txt", "", whyTop},
		{"what git ignores", "data/x.go", "package x", ""},
		{"dot-files", ".ci/x.go", "package x", ""},
		{"test data", "domain/testdata/x.go", "package x", ""},
		{"a nested module", "cmd/bench/x.go", "package x", ""},
	} {
		tree := fstest.MapFS{c.file: {Data: []byte(c.text)}, "cmd/bench/go.mod": {}}
		got, err := inspect(tree, []string{"/data/", "*.prof", ""})
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want == "" && len(got) > 0:
			t.Errorf("%s is refused: %q", c.name, got)
		case c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)):
			t.Errorf("%s: %q, want one violation with %q", c.name, got, c.want)
		}
	}
}
