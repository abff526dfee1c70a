package vault_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/vault"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/small"
)

// The person, a program with a token, and one that was paired.
var (
	ada    = commands.OperatorCaller("socket")
	editor = commands.TokenCaller(domain.Token{Name: "editor", Issued: domain.ID{0x01, 0xed}, Position: 1})
	shed   = commands.InterfaceCaller(domain.Interface{ID: domain.ID{0x01, 0x5e}, Name: "Shed"})
)

// house is a vault over a log of its own.
type house struct {
	*commandstest.Bench
	*vault.Vault
	notes *projections.InMemory[domain.Notes]
	upTo  domain.Position
	lost  int                 // so many appends more lose to another's
	saw   map[string][]string // the revisions that a caller saw, by its name
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{Bench: commandstest.NewBench(t), notes: small.Notes(), saw: map[string][]string{}}
	var err error
	h.Vault, err = vault.New(vault.Config{Env: h.Env(), Plans: small.Plans(), Memory: small.Memory(), Notes: h.notes, Applied: h})
	if err != nil {
		t.Fatal(err)
	}
	h.append(editor, domain.SystemStarted{})
	return h
}

// WaitFor folds what the log has.
func (h *house) WaitFor(ctx context.Context, _ domain.Position) error {
	records, err := h.Log.Select(ctx, domain.Selector{}, h.upTo+1, 1<<20)
	for n := range records {
		err = errors.Join(err, projections.Apply(h.notes, &records[n]))
		h.upTo = records[n].Position
	}
	return err
}

// append records payloads as a caller's, beneath an envelope of theirs.
func (h *house) append(c commands.Caller, payloads ...any) {
	h.T.Helper()
	var batch domain.Batch
	for _, payload := range payloads {
		id := h.IDs.NewID()
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, domain.MillisOf(h.Clock.Now()), c.Source, payload)
		if err != nil {
			h.T.Fatal(err)
		}
		if keyed, ok := payload.(commands.Keyed); ok {
			entry.Envelope.Keys = keyed.Keys()
		}
		batch.Entries = append(batch.Entries, entry)
	}
	if _, err := h.Log.Append(context.Background(), batch); err != nil {
		h.T.Fatal(err)
	}
}

// write has a caller write or remove.
func (h *house) write(c commands.Caller, w vault.Writing) (domain.Envelope, error) {
	return h.Write(context.Background(), c, w, func(with func(domain.Envelope) ([]domain.Entry, []domain.Condition, error)) error {
		id := h.IDs.NewID()
		entries, conditions, err := with(domain.Envelope{ID: id, Trace: domain.TraceID{ID: id}, Principal: c.Principal, Source: c.Source})
		if err != nil {
			return err
		}
		if h.lost > 0 {
			h.lost--
			h.append(ada, domain.NoteWritten{Path: fmt.Sprintf("notes/meanwhile-%d.md", h.lost), Content: "theirs"})
		}
		_, err = h.Env().Log.Append(context.Background(), domain.Batch{Entries: entries, Conditions: conditions})
		return err
	})
}

// writes wants a note to be written, and returns its revision.
func (h *house) writes(c commands.Caller, path, content string) string {
	h.T.Helper()
	e, err := h.write(c, vault.Writing{Path: path, Content: content})
	if err != nil {
		h.T.Fatal(err)
	}
	return e.ID.String()
}

// has wants a caller to read a content at a path; "" for none.
func (h *house) has(c commands.Caller, path, content string) vault.File {
	h.T.Helper()
	f, err := h.Get(context.Background(), c, path)
	if content == "" {
		commandstest.Refused(h.T, err, domain.NotFound, "no_file")
	} else if err != nil || f.Content != content {
		h.T.Errorf("%s reads %q at %s, %v; want %q", c.Name, f.Content, path, err, content)
	}
	return f
}

// sees is every note that a caller finds by walking the folders, by its path.
func (h *house) sees(c commands.Caller, folder string) map[string]vault.File {
	h.T.Helper()
	files, err := h.List(context.Background(), c, folder)
	if err != nil {
		h.T.Fatal(err)
	}
	out := map[string]vault.File{}
	for _, f := range files {
		if f.Folder {
			maps.Copy(out, h.sees(c, f.Path))
			continue
		}
		out[f.Path] = f
	}
	return out
}

// deed is something that a caller does.
type deed struct {
	who      int
	what     string
	path     string
	content  string
	revision string // "any", "none", "own": that of the note at the path, or "other"
}

var (
	callers  = []commands.Caller{ada, editor, shed}
	paths    = []string{"notes/alarm.md", "notes/garden/roses.md", "notes/garden/tools.md", "notes/a.md"}
	contents = []string{"alarm code", "rose, rose", "a rose has a code", ""}
	reads    = map[string][]string{
		"get": append([]string{"plans/a.md"}, paths...), "list": {"", "notes", "notes/garden", "memories"}, "search": {"", "notes", "notes/garden", "plans"},
	}
)

func anyDeed(t *rapid.T) deed {
	d := deed{who: rapid.IntRange(0, len(callers)-1).Draw(t, "who"), what: rapid.SampledFrom([]string{"write", "write", "write", "remove", "get", "list", "search"}).Draw(t, "what")}
	if choices, looks := reads[d.what]; looks {
		d.path, d.content = rapid.SampledFrom(choices).Draw(t, "at"), rapid.SampledFrom([]string{"rose", "code", "alarm rose"}).Draw(t, "query")
		return d
	}
	d.path, d.content = rapid.SampledFrom(paths).Draw(t, "path"), rapid.SampledFrom(contents).Draw(t, "content")
	d.revision = rapid.SampledFrom([]string{"any", "any", "none", "own", "other"}).Draw(t, "revision")
	return d
}

// do does a deed, and says what was answered. What differs between two logs that tell the caller the
// same is said the same: revisions are counted.
func (h *house) do(d deed) string {
	ctx, c := context.Background(), callers[d.who]
	said := func(revision string) string {
		if !slices.Contains(h.saw[c.Name], revision) {
			h.saw[c.Name] = append(h.saw[c.Name], revision)
		}
		return fmt.Sprintf("revision %d", slices.Index(h.saw[c.Name], revision))
	}
	tells := func(f vault.File) string {
		if f.Revision != "" {
			f.Revision = said(f.Revision)
		}
		return fmt.Sprintf("%+v\n", f)
	}
	var answer string
	var err error
	switch d.what {
	case "get":
		var f vault.File
		f, err = h.Get(ctx, c, d.path)
		answer = tells(f)
	case "list":
		var files []vault.File
		files, err = h.List(ctx, c, d.path)
		for _, f := range files {
			answer += tells(f)
		}
	case "search":
		var found []vault.Found
		found, err = h.Search(ctx, c, d.content, d.path, 10)
		for _, f := range found {
			answer += fmt.Sprint(f.Score, f.Snippets, tells(f.File))
		}
	default:
		w := vault.Writing{Path: d.path, Content: d.content, Remove: d.what == "remove"}
		switch d.revision {
		case "none":
			w.Revision = new("")
		case "other":
			w.Revision = new(domain.ID{1}.String())
		case "own":
			if f, missing := h.Get(ctx, c, d.path); missing == nil {
				w.Revision = &f.Revision
			}
		}
		var e domain.Envelope
		if e, err = h.write(c, w); err == nil {
			answer = fmt.Sprint(e.Type, e.Principal, said(e.ID.String()))
		}
	}
	if err != nil {
		e, _ := errors.AsType[*domain.Error](err)
		return fmt.Sprintf("%v: %+v", err, e)
	}
	return answer
}

// TestOwnNotesAlone is the law that what a program is answered depends on its own notes alone: it is
// answered the same whether others have notes or not, the person among them. The person sees the notes of
// all, each under one name.
func TestOwnNotesAlone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		all, alone := newHouse(t), map[int]*house{1: newHouse(t), 2: newHouse(t)}
		kept := map[string]string{} // content by owner and path
		for _, d := range rapid.SliceOfN(rapid.Custom(anyDeed), 1, 30).Draw(rt, "deeds") {
			for _, h := range []*house{all, alone[1], alone[2]} {
				h.Clock.Advance(time.Second)
			}
			at := callers[d.who].Name + " " + d.path
			if _, own := kept[at]; d.who == 0 && !own && (d.what == "remove" || d.revision == "own") {
				continue // that is meant for a program's note
			}
			answer := all.do(d)
			if h := alone[d.who]; h != nil {
				if want := h.do(d); answer != want {
					rt.Fatalf("%s: %+v is answered\n%s\nand without the others\n%s", callers[d.who].Name, d, answer, want)
				}
			}
			switch {
			case d.what == "write" && strings.HasPrefix(answer, string(domain.NoteWrittenType)):
				kept[at] = d.content
			case d.what == "remove" && strings.HasPrefix(answer, string(domain.NoteRemovedType)):
				delete(kept, at)
			}
			all.holds(rt, kept)
		}
	})
}

// holds wants everybody to see what there is.
func (h *house) holds(t *rapid.T, kept map[string]string) {
	t.Helper()
	for at, content := range kept {
		name, path, _ := strings.Cut(at, " ")
		c := callers[slices.IndexFunc(callers, func(c commands.Caller) bool { return c.Name == name })]
		if f, err := h.Get(context.Background(), c, path); err != nil || f.Content != content || f.Path != path {
			t.Fatalf("%s reads %+v at %s, %v; it wrote %q", name, f, path, err, content)
		}
	}
	got := map[string]int{}
	for path := range h.sees(ada, "notes") {
		f, err := h.Get(context.Background(), ada, path)
		if err != nil || f.Path != path {
			t.Fatalf("%s of the list is read as %+v, %v", path, f, err)
		}
		got[f.Owner+" "+f.Content]++
	}
	want := map[string]int{}
	for at, content := range kept {
		name, _, _ := strings.Cut(at, " ")
		want[strings.ToLower(name)+" "+content]++
	}
	if !maps.Equal(got, want) {
		t.Fatalf("the person sees %v, there are %v", got, want)
	}
}

// TestTheSamePath is what becomes of one path that several have a note at.
func TestTheSamePath(t *testing.T) {
	h := newHouse(t)
	const path = "notes/garden/roses.md"
	first := h.writes(editor, path, "of the editor")
	if f := h.has(ada, path, "of the editor"); f.Path != path || f.Owner != "editor" {
		t.Errorf("a note that has its path for itself is %+v", f)
	}
	h.writes(shed, path, "of the shed")
	h.has(ada, path, "of the editor")
	h.writes(ada, path, "of ada")
	if f := h.has(ada, path, "of ada"); f.Owner != "operator" {
		t.Errorf("the person's own is %+v", f)
	}
	h.has(editor, path, "of the editor")
	h.has(shed, path, "of the shed")
	notes := h.notesOf(editor, shed)
	shown := "notes/garden/editor-roses-" + first + ".md"
	if seen := slices.Sorted(maps.Keys(h.sees(ada, "notes"))); !slices.Equal(seen, []string{shown, path, "notes/garden/shed-roses-" + notes[1] + ".md"}) {
		t.Errorf("the person sees %v", seen)
	}
	found, err := h.Search(t.Context(), ada, "editor", "notes/garden", 5)
	if err != nil || len(found) != 1 || found[0].Path != shown {
		t.Errorf("a search finds %+v, %v", found, err)
	}
	h.has(ada, strings.ToLower(shown), "of the editor")
	h.has(shed, shown, "") // which is another's

	// By that name the person changes it, where it is for the program.
	if _, err := h.write(ada, vault.Writing{Path: shown, Content: "pruned", Revision: &first}); err != nil {
		t.Fatal(err)
	}
	h.has(editor, path, "pruned")
	if f := h.has(ada, shown, "pruned"); f.Owner != "editor" {
		t.Errorf("a note that the person changed is %+v", f)
	}
	for _, want := range []string{"of ada", "pruned", "of the shed"} {
		h.has(ada, path, want)
		if _, err := h.write(ada, vault.Writing{Path: path, Remove: true}); err != nil {
			t.Fatal(err)
		}
	}
	h.has(ada, path, "")
	h.has(editor, path, "")
}

// notesOf are the ids of one note of each.
func (h *house) notesOf(callers ...commands.Caller) (ids []string) {
	h.notes.Read(func(n *domain.Notes) {
		for _, c := range callers {
			for _, one := range n.All {
				if c.Is(one.Owner, one.Begun) {
					ids = append(ids, one.ID.String())
				}
			}
		}
	})
	return ids
}

// What the person writes without naming a program's note is theirs: a program that was at a path before
// them doesn't get to read it.
func TestNobodyWaitsAtAPath(t *testing.T) {
	h := newHouse(t)
	revision := h.writes(shed, "notes/todo.md", "bait")
	h.writes(ada, "notes/todo.md", "buy a ring")
	h.has(shed, "notes/todo.md", "bait")
	h.has(ada, "notes/todo.md", "buy a ring")
	if _, err := h.write(ada, vault.Writing{Path: "notes/todo.md", Content: "x", Revision: &revision}); domain.CodeOf(err) != "revision_changed" {
		t.Errorf("with the revision of another's the person's own is written: %v", err)
	}
	revision = h.writes(shed, "notes/plan.md", "dig")
	if _, err := h.write(ada, vault.Writing{Path: "notes/plan.md", Content: "dig deeper", Revision: &revision}); err != nil {
		t.Fatal(err)
	}
	h.has(shed, "notes/plan.md", "dig deeper")
}

// A name that an earlier build knew a program by says whose its notes are: they stay where they were.
func TestNotesOfAnEarlierBuild(t *testing.T) {
	h := newHouse(t)
	former := editor
	former.Principal = "editor"
	h.append(former, domain.NoteWritten{Path: "notes/log.md", Content: "before"})
	h.has(editor, "notes/log.md", "before")
	h.has(shed, "notes/log.md", "")
	h.writes(editor, "notes/log.md", "after")
	if seen := h.sees(ada, ""); len(seen) != 1 || seen["notes/log.md"].Owner != "editor" {
		t.Errorf("the person sees %+v", seen)
	}
	h.has(ada, "notes/log.md", "after")
}

// The bound on how many notes there are is each one's own.
func TestNotesAreBoundedForEach(t *testing.T) {
	h := newHouse(t)
	var many []any
	for n := range domain.MaxNotes {
		many = append(many, domain.NoteWritten{Path: fmt.Sprintf("notes/%d.md", n), Content: "x"})
	}
	for some := range slices.Chunk(many, 500) {
		h.append(shed, some...)
	}
	_, err := h.write(shed, vault.Writing{Path: "notes/more.md"})
	commandstest.Refused(t, err, domain.Conflict, "too_many_notes")
	h.writes(shed, "notes/1.md", "changed")
	h.writes(editor, "notes/more.md", "x")
	h.writes(ada, "notes/1.md", "x")
}

// A write that loses to another's is decided anew, not told of it.
func TestAWriteThatLoses(t *testing.T) {
	h := newHouse(t)
	h.lost = 3
	h.writes(editor, "notes/meanwhile-1.md", "mine")
	h.has(editor, "notes/meanwhile-1.md", "mine")
	h.has(ada, "notes/meanwhile-1.md", "theirs")
}
