package docs_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostFiles bounds how many files each of the how-to pages changes.
var mostFiles = map[string]int{"amendment.md": 0, "backup.md": 0, "cluster.md": 0, "event-type.md": 12, "message.md": 0, "page.md": 5, "projection.md": 4, "route.md": 4, "skill.md": 4}

// change is one change of a how-to page to a file.
type change struct {
	file, where, anchor string // where: new, before, after, instead of
	text                string
}

// steps are the changes of a page and the commands behind them. A change is a fenced block
// whose info names the file and the place: "go domain/kettle.go new", "go FILE before: LINE",
// where LINE is how one line of the file begins.
func steps(t *testing.T, name, page string) (changes []change, commands []string) {
	t.Helper()
	lines := strings.SplitAfter(page, "\n")
	for i := 0; i < len(lines); i++ {
		fence := strings.TrimLeft(lines[i], " ")
		info, opens := strings.CutPrefix(fence, "```")
		if !opens {
			continue
		}
		indent := lines[i][:len(lines[i])-len(fence)]
		var text strings.Builder
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != "```"; i++ {
			text.WriteString(strings.TrimPrefix(lines[i], indent))
		}
		language, rest, _ := strings.Cut(strings.TrimSuffix(info, "\n"), " ")
		switch file, place, placed := strings.Cut(rest, " "); {
		case language == "sh":
			commands = append(commands, strings.Split(strings.TrimSpace(text.String()), "\n")...)
		case placed:
			where, anchor, _ := strings.Cut(place, ": ")
			changes = append(changes, change{file, where, anchor, text.String()})
		default:
			t.Errorf("%s has a block %q that says neither where it goes nor what to run", name, info)
		}
	}
	if len(changes) == 0 || len(commands) == 0 {
		t.Fatalf("%s changes %d places and runs %d commands", name, len(changes), len(commands))
	}
	return changes, commands
}

// applied is a file with a change; the anchor has to begin exactly one line.
func (c change) applied(t *testing.T, before string, exists bool) string {
	t.Helper()
	if c.where == "new" {
		if exists {
			t.Fatalf("%s is to be new, and it is there", c.file)
		}
		return c.text
	}
	lines, at := strings.SplitAfter(before, "\n"), -1
	for i, line := range lines {
		if !strings.HasPrefix(line, c.anchor) {
			continue
		}
		if at >= 0 {
			t.Fatalf("%s has two lines that begin with %q: lines %d and %d", c.file, c.anchor, at+1, i+1)
		}
		at = i
	}
	if at < 0 {
		t.Fatalf("%s has no line that begins with %q", c.file, c.anchor)
	}
	switch c.where {
	case "before":
		lines = slices.Insert(lines, at, c.text)
	case "after":
		lines = slices.Insert(lines, at+1, c.text)
	case "instead of":
		lines[at] = strings.TrimSuffix(c.text, "\n") + strings.TrimPrefix(lines[at], c.anchor)
	default:
		t.Fatalf("%s is to be changed %q: say new, before, after or instead of", c.file, c.where)
	}
	return strings.Join(lines, "")
}

// Each how-to page on the code holds a small real change. Its places are there, and it touches no more files
// than it may. With CHALIE_HOWTO set it is applied to a copy of the tree, built and tried, too.
func TestHowTo(t *testing.T) {
	tree := os.DirFS("..")
	pages, err := fs.Glob(tree, "docs/how-to/*.md")
	if err != nil || len(pages) != len(mostFiles) {
		t.Fatalf("there are %q (%v), and bounds for %v", pages, err, mostFiles)
	}
	root := t.TempDir() // one for all: the compiler's cache goes by the path
	for _, name := range pages {
		if mostFiles[filepath.Base(name)] == 0 {
			continue // it changes nothing of the code
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			changes, commands := steps(t, name, read(t, tree, name))
			files := map[string]string{}
			for _, c := range changes {
				before, changed := files[c.file]
				if !changed {
					text, err := fs.ReadFile(tree, c.file)
					before, changed = string(text), err == nil
				}
				files[c.file] = c.applied(t, before, changed)
			}
			if most := mostFiles[filepath.Base(name)]; len(files) > most {
				t.Errorf("it changes %d files, %d is the most", len(files), most)
			}
			if os.Getenv("CHALIE_HOWTO") != "" {
				tried(t, root, files, commands)
			}
		})
	}
}

// tried makes root a copy of the tree with changed files, and runs commands there.
func tried(t *testing.T, root string, files map[string]string, commands []string) {
	t.Helper()
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(root, sources{os.DirFS("..")}); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, command := range commands {
		words := strings.Fields(command)
		run := exec.CommandContext(t.Context(), words[0], words[1:]...)
		run.Dir, run.Env = root, append(os.Environ(), "CHALIE_HOWTO=")
		if said, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, said)
		}
	}
}

// sources are a tree without what isn't part of the program's source.
type sources struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return name == "." && slices.Contains([]string{".git", ".ci", "data", "bin", "artefacts"}, e.Name()) || !e.Type().IsRegular() && !e.IsDir()
	}), err
}
