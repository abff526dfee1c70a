package domain

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NoteWritten is one version of a note: a Markdown file of the vault. The id of the first
// version is the note's.
type NoteWritten struct {
	NoteID  ID     `json:"note_id"` // none in the first version
	Path    string `json:"path"`    // below notes/, such as garden/roses.md
	Content string `json:"content"`
}

// NoteRemoved says that a note is gone; its versions stay in the log.
type NoteRemoved struct {
	NoteID ID `json:"note_id"`
}

// Bounds of notes.
const (
	MaxNotes         = 5000 // of one owner
	MaxNoteBytes     = 128 << 10
	MaxNotePathBytes = 256
	maxNoteDepth     = 8
)

const notesKey Key = "notes"

// NotesKey is carried by everything about notes: which there are is decided on it.
func NotesKey() Key { return notesKey }

// Keys go onto the event's envelope.
func (n NoteWritten) Keys() []Key {
	if n.NoteID.IsZero() {
		return []Key{notesKey}
	}
	return []Key{notesKey, PlanKey(n.NoteID)}
}

// Keys go onto the event's envelope.
func (n NoteRemoved) Keys() []Key { return []Key{notesKey, PlanKey(n.NoteID)} }

// NoteOf is the note that an envelope is a version of.
func NoteOf(e Envelope) ID {
	if id, later := PlanOf(e); later {
		return id
	}
	return e.ID
}

// Check returns a validation error that names the field.
func (n NoteWritten) Check() error {
	const op = "write note"
	if err := CheckVaultPath("file_path", n.Path); err != nil {
		return err
	}
	switch {
	case !strings.HasSuffix(n.Path, ".md"):
		return Invalid(op, "file_path", "a note is a Markdown file: let its name end in .md")
	case len(n.Content) > MaxNoteBytes:
		return tooLong(op, "content", len(n.Content), MaxNoteBytes)
	case !utf8.ValidString(n.Content) || strings.ContainsRune(n.Content, 0):
		return Invalid(op, "content", "content is not text in UTF-8")
	}
	for folder := range strings.SplitSeq(n.Path[:strings.LastIndexByte(n.Path, '/')+1], "/") {
		if strings.HasSuffix(folder, ".md") {
			return Invalid(op, "file_path", "a folder of notes has no name that ends in .md: that is for files")
		}
	}
	return nil
}

// CheckVaultPath judges a relative path of the vault. The error names the field.
func CheckVaultPath(field, path string) error {
	wrong := func(why string) error {
		return Invalid("read path", field, fmt.Sprintf("%s %s: give a relative path such as notes/garden.md", field, why))
	}
	switch {
	case path == "":
		return wrong("is required")
	case len(path) > MaxNotePathBytes:
		return wrong(fmt.Sprintf("has over %d bytes", MaxNotePathBytes))
	case !utf8.ValidString(path) || strings.ContainsFunc(path, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }):
		return wrong("has characters that aren't seen, or is not UTF-8")
	case strings.HasPrefix(path, "/"):
		return wrong("is absolute")
	case strings.ContainsRune(path, '\\'):
		return wrong("has a backslash")
	case strings.Count(path, "/") > maxNoteDepth:
		return wrong(fmt.Sprintf("has over %d folders", maxNoteDepth))
	}
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." || part == ".." || strings.TrimSpace(part) != part {
			return wrong(fmt.Sprintf("has the part %q, which is no name", part))
		}
	}
	return nil
}

// Note is a note, by reference: its path and its words are in the envelope of the version.
type Note struct {
	ID      ID        `json:"id"`      // of the first version
	Version ID        `json:"version"` // the latest
	Owner   Principal `json:"owner"`
	By      Source    `json:"by"`    // who wrote the first version, for people
	Begun   Position  `json:"begun"` // of the first version
	Place   string    `json:"place"` // a pseudonym of its path: see NotePlace
	Created Millis    `json:"created"`
	Updated Millis    `json:"updated"`
}

// NotePlace is a pseudonym of a note's path, by which a fold finds it.
func NotePlace(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}

// Notes is the fold of notes. The zero value has none.
type Notes struct {
	Through Position    `json:"through"` // of the last record that changed something
	All     map[ID]Note `json:"all"`

	// Gone are those that somebody else than their owner removed, or whose latest version is erased:
	// when one is back, by undoing that or by a later version, it is its owner's again.
	Gone map[ID]Note `json:"gone"`
}

// IsNote reports whether records of a type change notes.
func IsNote(t EventType) bool { return t == NoteWrittenType || t == NoteRemovedType }

// Evolve folds one record. A note whose latest version is erased is gone; an erased earlier
// one leaves nothing but when the note began, and whose it is. The error is CodeUndecodable.
func (n *Notes) Evolve(rec Record) error {
	e := rec.Envelope
	if !IsNote(e.Type) {
		return nil
	}
	id := NoteOf(e)
	one := n.known(id, rec)
	gone := e.Type == NoteRemovedType || e.Payload.Encoding == EncodingErased
	if !gone {
		written, err := Decode[NoteWritten](e)
		if err != nil {
			return err
		}
		one.Version, one.Place, one.Updated = e.ID, NotePlace(written.Path), rec.RecordedAt
	}
	if n.All == nil {
		n.All, n.Gone = map[ID]Note{}, map[ID]Note{}
	}
	n.Through = rec.Position
	delete(n.All, id)
	delete(n.Gone, id)
	switch {
	case !gone:
		n.All[id] = one
	case e.Type == NoteWrittenType || e.Principal != one.Owner:
		n.Gone[id] = Note{ID: id, Owner: one.Owner, By: one.By, Begun: one.Begun, Created: one.Created}
	}
	return nil
}

// known is a note that a record is about, as it is before that; one that it begins if nothing is known of it.
func (n *Notes) known(id ID, rec Record) Note {
	for _, some := range []map[ID]Note{n.All, n.Gone} {
		if one, ok := some[id]; ok {
			return one
		}
	}
	return Note{ID: id, Owner: rec.Envelope.Principal, By: rec.Envelope.Source, Begun: rec.Position, Created: rec.RecordedAt}
}

// Listed are all notes, in the order in which they began.
func (n *Notes) Listed() []Note {
	return slices.SortedFunc(maps.Values(n.All), func(a, b Note) int { return cmp.Compare(a.Begun, b.Begun) })
}
