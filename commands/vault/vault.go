// Package vault shows what Chalie keeps for its person as a tree of Markdown files:
//
//	memories/   one file for each thing that is remembered
//	plans/      one for each reminder, appointment and task that is open
//	lists/      one for each list
//	notes/      files that the person and programs write; each version is an envelope
//
// The first three are read through: a file is made of the envelopes that it tells of, whenever
// it is read, so what is erased is gone from it. They are the person's alone. Notes belong to
// whoever wrote the first version. Each owner has paths of its own, so a program, whatever it may
// read elsewhere, is answered by its own notes alone; the person sees those of all: see shelf.
//
// What is written rests on nothing having been written meanwhile, or is decided anew; writers in
// one process wait for each other.
package vault

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/when"
)

// The folders.
const (
	memoriesFolder = "memories"
	plansFolder    = "plans"
	listsFolder    = "lists"
	notesFolder    = "notes"
)

// Bounds of a search.
const (
	DefaultLimit    = 20
	MaxLimit        = 100
	MaxQueryBytes   = 1 << 10
	maxSnippets     = 3
	snippetLetters  = 160
	maxWordsInQuery = 32
)

// Config has the dependencies. All are required.
type Config struct {
	commands.Env
	Plans   commands.View[domain.Plans]
	Memory  commands.View[domain.Memories]
	Notes   commands.View[domain.Notes]
	Applied commands.Barrier // of all these
}

// Vault reads and writes files. It is safe for concurrent use.
type Vault struct {
	cfg     Config
	writing sync.Mutex
}

// New checks the configuration.
func New(cfg Config) (*Vault, error) {
	if err := commands.Complete("configure vault", cfg); err != nil {
		return nil, err
	}
	return &Vault{cfg: cfg}, nil
}

// File is one file, or a folder.
type File struct {
	Path     string
	Folder   bool
	Content  string // left out in lists and of what a search found
	Size     int    // of the content, in bytes
	Owner    string // as OwnerOf; "" of a folder
	Revision string // of a note the id of its version, of another file a hash of its content; "" of a folder
	Created  domain.Millis
	Updated  domain.Millis
}

// Name is the last part of the path.
func (f File) Name() string { return f.Path[strings.LastIndexByte(f.Path, '/')+1:] }

// Get reads a file. Errors: validation of the path; not found; policy of a file that isn't the caller's.
func (v *Vault) Get(ctx context.Context, c commands.Caller, path string) (File, error) {
	if err := domain.CheckVaultPath("file_path", path); err != nil {
		return File{}, err
	}
	if err := mayRead(c, path); err != nil {
		return File{}, err
	}
	folder, _, _ := strings.Cut(path, "/")
	if folder == notesFolder {
		return v.note(ctx, c, path)
	}
	var files []File
	err := v.visit(ctx, c, folder, func(f File) { files = append(files, f) })
	if err != nil {
		return File{}, err
	}
	if at := slices.IndexFunc(files, func(f File) bool { return f.Path == path }); at >= 0 {
		return files[at], nil
	}
	// A file is found by its id, too, when its words have changed; and by its words alone when they
	// are those of one file.
	if found := slices.DeleteFunc(files, func(f File) bool { return !sameFile(f.Path, path) }); len(found) == 1 {
		return found[0], nil
	}
	return File{}, noFile("file_path", path)
}

// sameFile reports whether a path has the id of a file, or its words without the id.
func sameFile(path, named string) bool {
	words, id, found := cutID(path)
	stem, isFile := strings.CutSuffix(named, ".md")
	if !found || !isFile {
		return false
	}
	_, other, _ := cutID(named)
	return id == other || words == stem
}

// cutID takes a path apart into its words and the id that it ends in; false of one without.
func cutID(path string) (words string, id domain.ID, found bool) {
	const size = 26
	stem := strings.TrimSuffix(path, ".md")
	if len(stem) < size {
		return "", id, false
	}
	id, err := domain.ParseID(strings.ToUpper(stem[len(stem)-size:]))
	return strings.TrimSuffix(stem[:len(stem)-size], "-"), id, err == nil
}

func noFile(field, path string) error {
	return &domain.Error{Op: "read vault", Category: domain.NotFound, Code: "no_file", Field: field,
		Message: fmt.Sprintf("there is no %.256s: list the folder to see what there is", path)}
}

// mayRead lets others than the person see notes alone.
func mayRead(c commands.Caller, path string) error {
	if folder, _, _ := strings.Cut(path, "/"); c.Operator || folder == notesFolder || path == "" {
		return nil
	}
	return &domain.Error{Op: "read vault", Category: domain.Policy, Code: "operator_only",
		Message: c.Name + " may read notes of its own: what the person remembers and plans is theirs"}
}

// List is what is in a folder, by name; "" is the whole vault's. Errors: as Get's.
func (v *Vault) List(ctx context.Context, c commands.Caller, folder string) ([]File, error) {
	folder = strings.TrimSuffix(folder, "/")
	if folder == "." {
		folder = ""
	}
	if folder != "" {
		if err := domain.CheckVaultPath("directory_path", folder); err != nil {
			return nil, err
		}
	}
	if err := mayRead(c, folder); err != nil {
		return nil, err
	}
	top, _, _ := strings.Cut(folder, "/")
	out := map[string]File{}
	if folder == "" {
		for _, name := range tops(c) {
			out[name] = File{Path: name, Folder: true}
		}
	}
	inside := folder == "" || slices.Contains(tops(c), folder)
	err := v.visit(ctx, c, top, func(f File) {
		rest := f.Path
		if folder != "" {
			var below bool
			if rest, below = strings.CutPrefix(f.Path, folder+"/"); !below {
				return
			}
			inside = true
		}
		name, _, deeper := strings.Cut(rest, "/")
		path := strings.TrimPrefix(folder+"/"+name, "/")
		if !deeper {
			f.Content = ""
			out[path] = f
			return
		}
		one, known := out[path]
		if !known || one.Created == 0 {
			one = File{Path: path, Folder: true, Created: f.Created, Updated: f.Updated}
		}
		one.Created, one.Updated = min(one.Created, f.Created), max(one.Updated, f.Updated)
		out[path] = one
	})
	if err != nil {
		return nil, err
	}
	if !inside {
		return nil, noFile("directory_path", folder)
	}
	began, err := v.began(ctx)
	list := make([]File, 0, len(out))
	for _, f := range out {
		if f.Created == 0 {
			f.Created, f.Updated = began, began
		}
		list = append(list, f)
	}
	domain.SortFunc(list, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return list, err
}

func tops(c commands.Caller) []string {
	if !c.Operator {
		return []string{notesFolder}
	}
	return []string{listsFolder, memoriesFolder, notesFolder, plansFolder}
}

// began is when the log did, since when there are empty folders.
func (v *Vault) began(ctx context.Context) (domain.Millis, error) {
	first, err := v.cfg.Reader.Select(ctx, domain.Selector{}, 1, 1)
	if err != nil || len(first) == 0 {
		return v.cfg.Now(), err
	}
	return first[0].RecordedAt, nil
}

// visit calls fn with the files of one folder at the top, or with all for "". Notes are read
// one after the other: all together may not fit into memory.
func (v *Vault) visit(ctx context.Context, c commands.Caller, top string, fn func(File)) error {
	if err := v.cfg.Applied.WaitFor(ctx, v.cfg.Tail.Tail()); err != nil {
		return err
	}
	for name, read := range map[string]func(context.Context, commands.Caller) ([]File, error){
		memoriesFolder: v.memories, plansFolder: v.plans, listsFolder: v.lists,
	} {
		if top != "" && top != name || !slices.Contains(tops(c), name) {
			continue
		}
		some, err := read(ctx, c)
		if err != nil {
			return err
		}
		for _, f := range some {
			f.Size = len(f.Content)
			fn(f)
		}
	}
	if top != "" && top != notesFolder {
		return nil
	}
	return v.notes(ctx, c, fn)
}

// document makes a file of what is read through; made and changed are the envelopes it is made of.
func document(folder, title string, id domain.ID, content string, from ...domain.Record) File {
	sum := sha256.Sum256([]byte(content))
	f := File{Path: folder + "/" + fileName(title, id), Content: content, Owner: string(domain.PrincipalOperator), Revision: hex.EncodeToString(sum[:8])}
	for _, rec := range from {
		if rec.RecordedAt == 0 {
			continue
		}
		if f.Created == 0 || rec.RecordedAt < f.Created {
			f.Created = rec.RecordedAt
		}
		f.Updated = max(f.Updated, rec.RecordedAt)
	}
	return f
}

// fileName is a name that people can read, and the id that it is found by.
func fileName(title string, id domain.ID) string {
	const most = 40
	var slug strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case slug.Len() >= most:
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			slug.WriteRune(r)
		case slug.Len() > 0 && !strings.HasSuffix(slug.String(), "-"):
			slug.WriteByte('-')
		}
	}
	return strings.TrimPrefix(strings.TrimSuffix(slug.String(), "-")+"-"+id.String()+".md", "-")
}

// oneLine is a text that can stand in a heading or an entry.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// text reads what an envelope says; "" of an erased one.
func (v *Vault) text(ctx context.Context, id domain.ID) (domain.Record, string, error) {
	rec, err := v.cfg.Reader.Find(ctx, id)
	if err != nil {
		return rec, "", err
	}
	text, err := domain.PlanText(rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return rec, "", nil
	}
	return rec, text, err
}

func (v *Vault) memories(ctx context.Context, _ commands.Caller) (out []File, err error) {
	var ids []domain.ID
	v.cfg.Memory.Read(func(m *domain.Memories) { ids = slices.Clone(m.All) })
	for _, id := range ids {
		rec, text, err := v.text(ctx, id)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		content := text + "\n"
		if m, err := domain.Decode[domain.MemoryRemembered](rec.Envelope); err == nil && m.About != "" {
			content = "# " + oneLine(m.About) + "\n\n" + content
		}
		out = append(out, document(memoriesFolder, text, id, content, rec))
	}
	return out, nil
}

func (v *Vault) plans(ctx context.Context, _ commands.Caller) (out []File, err error) {
	var open []domain.Commitment
	v.cfg.Plans.Read(func(p *domain.Plans) { open = p.Commitments.List() })
	for _, one := range open {
		rec, text, err := v.text(ctx, one.TextID)
		if err != nil {
			return nil, err
		}
		if text == "" {
			continue
		}
		made, err := v.cfg.Reader.Find(ctx, one.ID)
		if err != nil {
			return nil, err
		}
		timed, err := v.cfg.Reader.Find(ctx, one.Timing)
		if err != nil {
			return nil, err
		}
		timing, err := domain.TimingOf(timed.Envelope)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return nil, err
		}
		out = append(out, document(plansFolder, text, one.ID, planText(one, text, timing), rec, made, timed))
	}
	return out, nil
}

func planText(one domain.Commitment, text string, timing domain.Timing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n- kind: %s\n- standing: %s\n", oneLine(text), one.Kind, one.Standing)
	zone := commands.ZoneOf(timing.Zone)
	if one.Due != 0 {
		fmt.Fprintf(&b, "- due: %s\n", one.Due.Time().In(zone).Format(time.RFC3339))
	}
	if one.End != 0 {
		fmt.Fprintf(&b, "- ends: %s\n", one.End.Time().In(zone).Format(time.RFC3339))
	}
	if timing.Recurrence != nil {
		fmt.Fprintf(&b, "- repeats: %s\n", when.SayAgain(*timing.Recurrence))
	}
	if one.Percent != 0 {
		fmt.Fprintf(&b, "- progress: %d %%\n", one.Percent)
	}
	return b.String()
}

func (v *Vault) lists(ctx context.Context, _ commands.Caller) (out []File, err error) {
	var all []domain.Listing
	v.cfg.Plans.Read(func(p *domain.Plans) {
		for _, l := range p.Lists.All {
			all = append(all, domain.Listing{ID: l.ID, Items: slices.Clone(l.Items)})
		}
	})
	for _, l := range all {
		rec, name, err := v.text(ctx, l.ID)
		if err != nil {
			return nil, err
		}
		if name == "" {
			continue
		}
		from, content := []domain.Record{rec}, "# "+oneLine(name)+"\n\n"
		for _, id := range l.Items {
			item, text, err := v.text(ctx, id)
			if err != nil {
				return nil, err
			}
			if text != "" {
				content += "- " + oneLine(text) + "\n"
			}
			from = append(from, item)
		}
		out = append(out, document(listsFolder, name, l.ID, content, from...))
	}
	return out, nil
}

// Found is a file that a search found.
type Found struct {
	File
	Score    float64 // 0 to 1: how many of the words it has, and then how often
	Snippets []string
}

// Search finds files with words of a query, the best first. scope is a folder, or "". Errors: validation; not found,
// of a scope that isn't there.
func (v *Vault) Search(ctx context.Context, c commands.Caller, query, scope string, limit int) ([]Found, error) {
	const op = "search vault"
	words := slices.Compact(slices.Sorted(strings.FieldsFuncSeq(strings.ToLower(query), notLetter)))
	switch {
	case len(query) > MaxQueryBytes:
		return nil, domain.Invalid(op, "query", fmt.Sprintf("query has %d bytes, the bound is %d", len(query), MaxQueryBytes))
	case len(words) == 0:
		return nil, domain.Invalid(op, "query", "query has no words: say what to look for")
	case limit < 1 || limit > MaxLimit:
		return nil, domain.Invalid(op, "limit", fmt.Sprintf("limit is %d: give 1 to %d", limit, MaxLimit))
	}
	words = words[:min(len(words), maxWordsInQuery)]
	scope = strings.TrimSuffix(scope, "/")
	if scope == "." {
		scope = ""
	}
	if scope != "" {
		if err := domain.CheckVaultPath("directory_scope", scope); err != nil {
			return nil, err
		}
	}
	if err := mayRead(c, scope); err != nil {
		return nil, err
	}
	top, _, _ := strings.Cut(scope, "/")
	out, inside := []Found{}, scope == "" || slices.Contains(tops(c), scope)
	err := v.visit(ctx, c, top, func(f File) {
		if scope != "" && !strings.HasPrefix(f.Path, scope+"/") {
			return
		}
		inside = true
		if found, ok := match(f, words); ok {
			found.Content = ""
			for n, snippet := range found.Snippets {
				found.Snippets[n] = strings.Clone(snippet) // else it holds all of the content
			}
			out = append(out, found)
		}
	})
	if err == nil && !inside {
		err = noFile("directory_scope", scope)
	}
	if err != nil {
		return nil, err
	}
	domain.SortFunc(out, func(a, b Found) int {
		return cmp.Or(-cmp.Compare(a.Score, b.Score), -cmp.Compare(a.Updated, b.Updated), cmp.Compare(a.Path, b.Path))
	})
	return out[:min(len(out), limit)], nil
}

func notLetter(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// match scores a file: each word that it has counts nine parts, and how often one comes up to one part.
func match(f File, words []string) (Found, bool) {
	out := Found{File: f, Snippets: []string{}}
	name := strings.ToLower(f.Name())
	has, often := map[string]bool{}, 0
	for line := range strings.Lines(f.Content) {
		line = strings.TrimSpace(line)
		lower, hit := strings.ToLower(line), -1
		for _, w := range words {
			if at := strings.Index(lower, w); at >= 0 {
				has[w], often, hit = true, often+1, max(hit, at)
			}
		}
		if hit >= 0 && len(out.Snippets) < maxSnippets {
			out.Snippets = append(out.Snippets, snippet(line, lower, hit))
		}
	}
	for _, w := range words {
		has[w] = has[w] || strings.Contains(name, w)
	}
	matched := 0
	for _, h := range has {
		if h {
			matched++
		}
	}
	const whole, most = 0.9, 10
	out.Score = whole*float64(matched)/float64(len(words)) + (1-whole)*float64(min(often, most))/most
	return out, matched > 0
}

// snippet is the part of a line around a word.
func snippet(line, lower string, at int) string {
	letters := []rune(line)
	if len(letters) <= snippetLetters {
		return line
	}
	first := max(0, len([]rune(lower[:min(at, len(lower))]))-snippetLetters/2)
	first = min(first, len(letters)-snippetLetters)
	out := string(letters[first : first+snippetLetters])
	if first > 0 {
		out = "…" + out
	}
	if first+snippetLetters < len(letters) {
		out += "…"
	}
	return out
}
