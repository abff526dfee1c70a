package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata" // wherever the test runs
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"chalie/cmd/chalie/internal/term"
)

// safeBuffer is a buffer that others may write to while it is read.
type safeBuffer struct {
	mu      sync.Mutex
	text    bytes.Buffer
	written chan struct{} // closed at the next write, when someone waits for it
}

func (b *safeBuffer) Write(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written != nil {
		close(b.written)
		b.written = nil
	}
	return b.text.Write(text)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// await returns once a text was written.
func (b *safeBuffer) await(t *testing.T, text string) {
	t.Helper()
	late := time.After(patience)
	for {
		b.mu.Lock()
		has := strings.Contains(b.text.String(), text)
		if b.written == nil {
			b.written = make(chan struct{})
		}
		written := b.written
		b.mu.Unlock()
		if has {
			return
		}
		select {
		case <-written:
		case <-late:
			t.Fatalf("%q did not come:\n%s", text, b)
		}
	}
}

// testConsole is a console without a terminal.
func testConsole() (c *cli, out, err *safeBuffer) {
	out, err = &safeBuffer{}, &safeBuffer{}
	return &cli{Console: &term.Console{Out: out, Err: err, Width: term.DefaultWidth, Zone: time.UTC}, program: "chalie", data: defaultData}, out, err
}

func TestProgramName(t *testing.T) {
	for in, want := range map[string]string{
		"chalie":                           "chalie",
		"./chalie":                         "./chalie",
		"bin/chalie":                       "bin/chalie",
		"/nowhere on the path/chalie":      "'/nowhere on the path/chalie'",
		"/tmp/go-build123/b001/exe/chalie": "go run ./cmd/chalie",
		"/var/x/go-build9/b001/exe/chalie": "go run ./cmd/chalie",
		"/home/a/.cache/go-build/x/chalie": "go run ./cmd/chalie",
	} {
		if got := programName(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestProgramNameOnPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "chalie")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := programName(program); got != quoted(program) {
		t.Errorf("off the path it is %q", got)
	}
	t.Setenv("PATH", dir)
	if got := programName(program); got != "chalie" {
		t.Errorf("on the path it is %q", got)
	}
}

func TestAgain(t *testing.T) {
	c, _, _ := testConsole()
	for data, want := range map[string]string{
		"./data":      "chalie world",
		"data":        "chalie world",
		"/srv/chalie": "chalie world --data /srv/chalie",
		"my data":     "chalie world --data 'my data'",
		"it's":        `chalie world --data 'it'\''s'`,
		"~/x":         "chalie world --data '~/x'",
	} {
		if got := c.over(data).again("world"); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                    "plain",
		"  two\n\n lines\t ":       "two lines",
		"red \x1b[31mtext\x1b[0m":  "red [31mtext[0m",
		"bell\a and back\b":        "bell and back",
		"turned \u202earound":      "turned around",
		"c1 \u009b31m control":     "c1 31m control",
		"broken \xff\xfe bytes":    "broken bytes",
		"Grüße, 世界 👋":              "Grüße, 世界 👋",
		"no\u00a0break\u2028space": "no break space",
	} {
		if got := oneLine(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestOneLineIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out := oneLine(string(rapid.SliceOf(rapid.Byte()).Draw(t, "text")))
		if !utf8.ValidString(out) || oneLine(out) != out {
			t.Fatalf("%q", out)
		}
		for _, r := range out {
			if unicode.IsControl(r) || r != ' ' && unicode.IsSpace(r) {
				t.Fatalf("%q has %q", out, r)
			}
		}
	})
}

func TestSpan(t *testing.T) {
	for in, want := range map[time.Duration]string{
		0:                              "0 ms",
		999 * time.Millisecond:         "999 ms",
		time.Second:                    "1 s",
		59 * time.Second:               "59 s",
		90 * time.Second:               "1 min",
		time.Hour:                      "1 h",
		6*time.Hour + 5*time.Minute:    "6 h 5 min",
		20*time.Hour + 59*time.Minute:  "20 h",
		47*time.Hour + 59*time.Minute:  "47 h",
		72 * time.Hour:                 "3 days",
		365*24*time.Hour + time.Minute: "365 days",
	} {
		if got := span(in); got != want {
			t.Errorf("%v: %q, want %q", in, got, want)
		}
	}
	if got := ago(300 * time.Millisecond); got != "now" {
		t.Errorf("just now: %q", got)
	}
}

func TestGrouped(t *testing.T) {
	for in, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(in); got != want {
			t.Errorf("%d: %q, want %q", in, got, want)
		}
	}
}

// TestJSONHasOneWayOut holds every command to the console's JSON: a second encoder
// would escape nothing. What else writes JSON text is shown on one line or goes to
// a program, and is listed.
func TestJSONHasOneWayOut(t *testing.T) {
	elsewhere := map[string]string{
		"policy.go":      "rules that are sent",
		"replay.go":      "a field that is sent",
		"tool_invoke.go": "parameters that are sent",
		"tool.go":        "drawn line by line, each made fit for one",
		"export.go":      "a file",
	}
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0) //nolint:staticcheck // one folder, no build tags in question
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for name, file := range packages["main"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			from, ok := sel.X.(*ast.Ident)
			if !ok || from.Name != "json" {
				return true
			}
			switch sel.Sel.Name {
			case "Marshal", "MarshalIndent", "NewEncoder", "Indent", "Compact":
				seen++
				if elsewhere[name] == "" {
					t.Errorf("%s uses json.%s: print with the console's JSON, or say here where it goes", files.Position(n.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	}
	if seen == 0 {
		t.Fatal("no use was found, not even those that are listed: the search is broken")
	}
}
