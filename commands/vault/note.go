package vault

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guard"
)

// shelf is the notes that a caller sees: a program its own, the person all. Each has one name, which finds
// it: its path, where the caller has no other note there and nobody an earlier one; else a name with its
// owner's, and with its id.
type shelf struct {
	caller  commands.Caller
	through domain.Position // of the last change of any note
	notes   []domain.Note   // the earliest first
	byID    map[domain.ID]domain.Note
	at      map[string]domain.Note // by domain.NotePlace
	own     int                    // so many are the caller's
}

func (v *Vault) shelf(c commands.Caller) *shelf {
	s := &shelf{caller: c, byID: map[domain.ID]domain.Note{}, at: map[string]domain.Note{}}
	v.cfg.Notes.Read(func(n *domain.Notes) { s.notes, s.through = n.Listed(), n.Through })
	s.notes = slices.DeleteFunc(s.notes, func(n domain.Note) bool { return !c.Operator && !s.owns(n) })
	for _, one := range s.notes {
		s.byID[one.ID] = one
		if first, taken := s.at[one.Place]; !taken || s.owns(one) && !s.owns(first) {
			s.at[one.Place] = one
		}
		if s.owns(one) {
			s.own++
		}
	}
	return s
}

func (s *shelf) owns(n domain.Note) bool { return s.caller.Is(n.Owner, n.Begun) }

// find is the note that a name is of.
func (s *shelf) find(name string) (domain.Note, bool) {
	if _, id, ok := cutID(name); ok {
		if one, known := s.byID[id]; known {
			return one, true
		}
	}
	one, known := s.at[domain.NotePlace(name)]
	return one, known
}

// name is what the caller sees a note under that was written at a path.
func (s *shelf) name(n domain.Note, path string) string {
	if there, _ := s.find(path); there.ID == n.ID {
		return path
	}
	last := strings.LastIndexByte(path, '/') + 1
	name := fileName(ownerOf(n.Owner, n.By)+" "+strings.TrimSuffix(path[last:], ".md"), n.ID)
	if last+len(name) > domain.MaxNotePathBytes {
		return notesFolder + "/" + name
	}
	return path[:last] + name
}

// target is the note that is written to, if there is one. What the person writes at the path of a
// program's note becomes a note of their own, or the program would read it. They change the
// program's by naming its revision, or by the name that has its id.
func (s *shelf) target(w Writing) (domain.Note, bool) {
	one, known := s.find(w.Path)
	if !known || w.Remove || s.owns(one) || w.Revision != nil && *w.Revision == one.Version.String() {
		return one, known
	}
	if _, id, _ := cutID(w.Path); id == one.ID {
		return one, true
	}
	return domain.Note{}, false
}

// OwnerOf is whose a note is, for people: operator, or the name of the program as it wrote the first version.
func OwnerOf(first domain.Envelope) string { return ownerOf(first.Principal, first.Source) }

func ownerOf(owner domain.Principal, by domain.Source) string {
	if owner == domain.PrincipalOperator {
		return string(owner)
	}
	return strings.TrimPrefix(string(by), "interface/")
}

// note is the note of a name, if the caller sees one there.
func (v *Vault) note(ctx context.Context, c commands.Caller, name string) (File, error) {
	if err := v.cfg.Applied.WaitFor(ctx, v.cfg.Tail.Tail()); err != nil {
		return File{}, err
	}
	shelf := v.shelf(c)
	if one, known := shelf.find(name); known {
		if f, readable, err := v.version(ctx, one); readable || err != nil {
			f.Path = shelf.name(one, f.Path)
			return f, err
		}
	}
	return File{}, noFile("file_path", name)
}

// notes calls fn with those that the caller sees.
func (v *Vault) notes(ctx context.Context, c commands.Caller, fn func(File)) error {
	shelf := v.shelf(c)
	for _, one := range shelf.notes {
		f, readable, err := v.version(ctx, one)
		if err != nil {
			return err
		}
		if readable {
			f.Path = shelf.name(one, f.Path)
			fn(f)
		}
	}
	return nil
}

// version is a note as its latest version has it, at the path that its owner wrote; false of one that was erased meanwhile.
func (v *Vault) version(ctx context.Context, one domain.Note) (File, bool, error) {
	if err := ctx.Err(); err != nil {
		return File{}, false, err
	}
	rec, err := v.cfg.Reader.Find(ctx, one.Version)
	if err != nil {
		return File{}, false, err
	}
	written, err := domain.Decode[domain.NoteWritten](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return File{}, false, nil
	}
	return File{
		Path: written.Path, Content: written.Content, Size: len(written.Content), Owner: ownerOf(one.Owner, one.By),
		Revision: one.Version.String(), Created: one.Created, Updated: one.Updated,
	}, err == nil, err
}

// Writing is what is to be written.
type Writing struct {
	Path     string
	Content  string
	Remove   bool
	Revision *string // the one that it takes the place of, "" for none; nil for any
}

// Recorder records entries with what caused them, on conditions.
type Recorder func(with func(cause domain.Envelope) ([]domain.Entry, []domain.Condition, error)) error

// maxLost is how often a write may lose to another's that comes between.
const maxLost = 8

// Write writes a note, or removes one, and returns the envelope of that. record appends it, and is called again when
// another's write came between.
//
// Errors: validation, also of content with a secret, which isn't kept; conflict, with
// code revision_changed when another revision is there; not found, of one to be removed; and the recorder's.
func (v *Vault) Write(ctx context.Context, c commands.Caller, w Writing, record Recorder) (domain.Envelope, error) {
	if folder, _, _ := strings.Cut(w.Path, "/"); folder != notesFolder {
		return domain.Envelope{}, &domain.Error{Op: "write note", Category: domain.Validation, Code: "read_only", Field: "file_path",
			Message: "only notes can be written, such as notes/garden.md: memories, plans and lists are changed by skills"}
	}
	if err := (domain.NoteWritten{Path: w.Path, Content: w.Content}).Check(); err != nil {
		return domain.Envelope{}, err
	}
	if _, secrets := guard.Redact(w.Content + "\n" + w.Path); len(secrets) > 0 {
		return domain.Envelope{}, &domain.Error{Op: "write note", Category: domain.Validation, Code: "holds_secret", Field: "content",
			Message: "that holds a secret, and notes keep none: put it into a password manager, and write where it is"}
	}
	v.writing.Lock()
	defer v.writing.Unlock()
	for lost := 1; ; lost++ {
		e, err := v.write(ctx, c, w, record)
		if lost == maxLost || domain.CodeOf(err) != domain.CodeConditionFailed {
			return e, err
		}
	}
}

func (v *Vault) write(ctx context.Context, c commands.Caller, w Writing, record Recorder) (out domain.Envelope, err error) {
	if err := v.cfg.Applied.WaitFor(ctx, v.cfg.Tail.Tail()); err != nil {
		return out, err
	}
	shelf := v.shelf(c)
	note, known := shelf.target(w)
	if err := shelf.allows(w, note, known); err != nil {
		return out, err
	}
	written := domain.NoteWritten{NoteID: note.ID, Path: w.Path, Content: w.Content}
	if known && note.Place != domain.NotePlace(w.Path) { // it was named by its id
		f, _, err := v.version(ctx, note)
		if err != nil {
			return out, err
		}
		written.Path = cmp.Or(f.Path, w.Path)
	}
	err = record(func(cause domain.Envelope) ([]domain.Entry, []domain.Condition, error) {
		var entry domain.Entry
		var err error
		lineage, id := domain.Continue(cause), v.cfg.IDs.NewID()
		if w.Remove {
			entry, err = commands.EntryWith(v.cfg.Env, lineage, id, cause.Source, domain.NoteRemoved{NoteID: note.ID})
		} else {
			entry, err = commands.EntryWith(v.cfg.Env, lineage, id, cause.Source, written)
		}
		out = entry.Envelope
		return []domain.Entry{entry}, []domain.Condition{{Key: domain.NotesKey(), After: shelf.through}}, err
	})
	return out, err
}

// allows judges whether a note may be written to, or begun when there is none.
func (s *shelf) allows(w Writing, note domain.Note, known bool) error {
	conflict := func(code domain.Code, message string) error {
		return &domain.Error{Op: "write note", Category: domain.Conflict, Code: code, Field: "revision", Message: message}
	}
	switch {
	case !known && w.Remove:
		return noFile("file_path", w.Path)
	case w.Revision != nil && *w.Revision == "" && known:
		return conflict("revision_changed", "there is a note already: read it, and write with its revision")
	case w.Revision != nil && *w.Revision != "" && (!known || note.Version.String() != *w.Revision):
		return conflict("revision_changed", "the note was changed since that revision: read it, and write with the revision that it has now")
	case !known && s.own >= domain.MaxNotes:
		return conflict("too_many_notes", fmt.Sprintf("%s has %d notes, which is the bound: remove one first", s.caller.Name, domain.MaxNotes))
	}
	return nil
}
