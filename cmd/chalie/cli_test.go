package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	_ "time/tzdata" // wherever the test runs
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// comes returns once a text was written.
func comes(t *testing.T, out *domaintest.Buffer, text string) {
	t.Helper()
	domaintest.Until(t, fmt.Sprintf("%q is written", text), func() bool { return strings.Contains(out.String(), text) })
}

// testConsole is a console without a terminal.
func testConsole() (c *cli, out, err *domaintest.Buffer) {
	out, err = &domaintest.Buffer{}, &domaintest.Buffer{}
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
		"press.go":       "a payload that is sent",
		"replay.go":      "a field that is sent",
		"tool_invoke.go": "parameters that are sent",
		"tool.go":        "drawn line by line, each made fit for one",
		"export.go":      "a file",
		"epoch.go":       "a file",
		"cluster.go":     "an answer over HTTP",
		"mcp.go":         "a message of the protocol that is passed on",
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

func TestNearestNames(t *testing.T) {
	types := catalogued(typeName)
	for word, want := range map[string][]string{
		"signal.recieved":   {"signal.received"},
		"nonsense":          nil, // three of them, whichever
		"remind":            {"reminder.cancelled", "reminder.changed", "reminder.done"},
		"concluded":         {"reasoning.concluded"},
		"Reasoning.Started": {"reasoning.started"},
	} {
		got := nearest(word, types, len(word)+100)
		if len(got) != suggested || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%q: %q, want %q first", word, got, want)
		}
	}
	for word, want := range map[string][]string{
		"lst": {"list"}, "forecst": {"weather.forecast"}, "xyzzy": {}, "st": {},
	} {
		if got := nearest(word, []string{"list", "weather.forecast", "remind"}, slips(word)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := didYouMean([]string{"a", "b", "c"}); got != "; did you mean a, b or c?" {
		t.Error(got)
	}
}

// Every noun shows what it is about when it is given no verb, and every command stands in
// a group of the help.
func TestNounsShowWhatTheyAreAbout(t *testing.T) {
	c, _, _ := testConsole()
	root := rootCommand(c)
	for _, cmd := range root.Commands() {
		if cmd.GroupID == "" && !cmd.Hidden {
			t.Errorf("%s stands in no group", cmd.Name())
		}
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			continue
		}
		if cmd.RunE == nil {
			t.Errorf("%s alone does nothing", cmd.CommandPath())
		}
		for _, verb := range cmd.Commands() {
			if verb.Name() != "list" && (verb.Name() != "show" || cmd.Name() != "policy") {
				continue
			}
			if !strings.Contains(cmd.Long, "Without a verb it does what \""+verb.Name()+"\" does.") {
				t.Errorf("%s doesn't say what it does without a verb", cmd.CommandPath())
			}
			if a, b := cmd.LocalFlags().FlagUsages(), verb.LocalFlags().FlagUsages(); cmd.HasLocalFlags() && strings.Count(a, "--") != strings.Count(b, "--") {
				t.Errorf("%s takes\n%s, and %s\n%s", cmd.CommandPath(), a, verb.CommandPath(), b)
			}
		}
	}
	if got := len(domain.Events().Definitions()); got < 50 {
		t.Fatalf("only %d types are known", got)
	}
}

func TestExplain(t *testing.T) {
	broken := &domain.Error{Op: "open log", Category: domain.Dependency, Message: "can't open it; check the disk.", Err: io.ErrUnexpectedEOF}
	for _, c := range []struct {
		name string
		err  error
		code int
		told string
	}{
		{"nothing", nil, 0, ""},
		{"said already", fmt.Errorf("verify: %w", silent{exitFailed}), 1, ""},
		{"nobody knows", unknownOutcome{errors.New("it may be done")}, 3, "chalie: it may be done\n"},
		{"stopped waiting", stoppedWaiting{errors.New("it goes on")}, 130, "chalie: it goes on\n"},
		{"usage", &usageError{"NAME is missing", "chalie token issue"}, 2, "chalie: NAME is missing; see `chalie token issue --help`\n"},
		{"refused input", domain.Invalid("read query", "at", "at is \"x\": give a time"), 2, "chalie: at is \"x\": give a time\n"},
		{"another build's log", domain.Events().Gate(map[domain.TypeVersion]uint64{{Type: "no.such", Version: 1}: 1}), 4, "chalie: this build can't read all of the log: no.such v1 (1 record; a type it doesn't know). Run the version that wrote them, or a newer one; nothing was changed\n"},
		{"missing", &domain.Error{Category: domain.NotFound, Message: "there is no such thing", Err: io.EOF}, 1, "chalie: there is no such thing\n"},
		{"machine", broken, 1, "chalie: can't open it; check the disk (unexpected EOF)\n"},
		{"two", errors.Join(broken, io.EOF), 1, "chalie: can't open it; check the disk (unexpected EOF)\n"},
		{"foreign", errors.New("two\nlines"), 1, "chalie: two lines\n"},
	} {
		console, _, told := testConsole()
		if code := exit(console, c.err); code != c.code || told.String() != c.told {
			t.Errorf("%s: %d %q, want %d %q", c.name, code, told, c.code, c.told)
		}
	}
}

// What an error says to type works for the folder it is about.
func TestExplainNamesTheData(t *testing.T) {
	console, _, told := testConsole()
	err := &domain.Error{Category: domain.Dependency, Message: "the log is damaged; run `chalie repair`"}
	console.data = "/srv/my mind"
	exit(console, err)
	if want := "chalie: the log is damaged; run `chalie repair --data '/srv/my mind'`\n"; told.String() != want {
		t.Errorf("it says %q, want %q", told, want)
	}
}

// The terminal of a program is told the same, and each error in one line.
func TestLogger(t *testing.T) {
	console, _, told := testConsole()
	console.data = "mind"
	log := console.logger(slog.LevelInfo)
	log.Error("it is damaged; run `chalie repair`", "err", traced{errors.New("run `chalie verify`")}, "n", 3)
	if _, line, _ := strings.Cut(told.String(), " level="); line != "ERROR msg=\"it is damaged; run `chalie repair --data mind`\" err=\"run `chalie verify --data mind`\" n=3\n" {
		t.Errorf("it says %q", line)
	}
}

// traced is an error as some libraries make them.
type traced struct{ error }

func (e traced) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, e.Error()+"\nat code.go:1") }

// readMoment gives a flag a time, as a command line does.
func readMoment(t *testing.T, zone *time.Location, text string, ahead bool) (moment, error) {
	t.Helper()
	c, _, _ := testConsole()
	c.Zone = zone
	cmd := &cobra.Command{}
	var m moment
	c.timeFlag(cmd, &m, "since", "", ahead)
	err := cmd.ParseFlags([]string{"--since", text})
	return m, err
}

func TestTimesInWords(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) { // its clock begins on Saturday 1 January 2000 at midnight UTC
		domaintest.Pass(36 * time.Hour)
		for _, c := range []struct {
			text, want string
			ahead      bool
		}{
			{"yesterday", "2000-01-01T00:00:00+01:00", false},
			{"2 hours ago", "2000-01-02T11:00:00+01:00", false},
			{"last Saturday at 8pm", "2000-01-01T20:00:00+01:00", false},
			{"3 March", "1999-03-03T00:00:00+01:00", false},
			{"tomorrow at 8", "2000-01-03T08:00:00+01:00", true},
			{"in 2 hours", "2000-01-02T15:00:00+01:00", true},
			{"yesterday at 17:30", "2000-01-01T17:30:00+01:00", true},
			// What the API reads by the log's clock stays as it is.
			{"2h", "2h", false}, {"-2h", "-2h", false}, {"+6h", "+6h", true}, {"30d", "30d", false},
			{"pos:42", "pos:42", false}, {"42", "42", false}, {"1771711200000", "1771711200000", false},
			{"2026-13-01x", "2026-13-01x", false},
		} {
			got, err := readMoment(t, berlin, c.text, c.ahead)
			if err != nil || got.asked != c.want || got.given != c.text {
				t.Errorf("%q: %+v, %v, want %q", c.text, got, err, c.want)
			}
		}
		for text, want := range map[string]string{
			"nonsense":   "--since is \"nonsense\": give a time such as yesterday, 2 hours ago or 2h",
			"tomorrow":   "--since: \"tomorrow\" was understood as Monday 3 January 2000 at 00:00, and that lies ahead",
			"2026-13-01": "--since: there is no day \"2026-13-01\" in the calendar",
			"every day":  "--since: \"every day\" is many times",
		} {
			if _, err := readMoment(t, berlin, text, false); err == nil || !strings.HasPrefix(flagWords(err), want) {
				t.Errorf("%q: %v, want %q", text, err, want)
			}
		}
	})
}

func TestTimesWithoutAZoneAreLocal(t *testing.T) {
	cest := time.FixedZone("CEST", 2*60*60)
	for in, want := range map[string]string{
		"2026-11-21":           "2026-11-21T00:00:00+02:00",
		"2026-11-21 18:30":     "2026-11-21T18:30:00+02:00",
		"2026-11-21 18:30:15":  "2026-11-21T18:30:15+02:00",
		"2099-11-21":           "2099-11-21T00:00:00+02:00",
		"2026-11-21T18:00:00Z": "2026-11-21T18:00:00Z",
		"2999-11-21T18:00:00Z": "2999-11-21T18:00:00Z",
	} {
		if got, err := readMoment(t, cest, in, false); err != nil || got.asked != want {
			t.Errorf("%q: %q, %v, want %q", in, got.asked, err, want)
		}
	}
}

// What is written without a zone has the one that was in force at that time.
func TestTimesWithoutAZoneHaveThatOfTheirDay(t *testing.T) {
	for _, tt := range []struct{ zone, in, want string }{
		{"Europe/Berlin", "2026-10-24T14:05", "2026-10-24T14:05:00+02:00"},
		{"Europe/Berlin", "2026-10-25", "2026-10-25T00:00:00+02:00"},
		{"Europe/Berlin", "2026-10-26 14:05", "2026-10-26T14:05:00+01:00"},
		{"America/New_York", "2026-10-31T14:05", "2026-10-31T14:05:00-04:00"},
		{"America/New_York", "2026-11-02T14:05", "2026-11-02T14:05:00-05:00"},
	} {
		zone, err := time.LoadLocation(tt.zone)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := readMoment(t, zone, tt.in, false); err != nil || got.asked != tt.want {
			t.Errorf("%q in %s: %q, %v, want %q", tt.in, tt.zone, got.asked, err, tt.want)
		}
	}
}
