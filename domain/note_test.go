package domain_test

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"chalie/domain"
)

// FuzzVaultPath takes any text for a path of the vault. What passes stays within it, however
// it is joined to a folder, and is one path alone.
func FuzzVaultPath(f *testing.F) {
	for _, p := range []string{"notes/garden.md", "../a", "a/../../b", "/etc/passwd", `a\..\b`, "a//b", "a/./b", " a", "a\u202eb", "a\x00b", strings.Repeat("a/", 40), "é/日本.md", "%2e%2e/a", "~/a"} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, given string) {
		err := domain.CheckVaultPath("file_path", given)
		if err != nil {
			if e := domain.CategoryOf(err); e != domain.Validation || !strings.Contains(err.Error(), "file_path") {
				t.Fatalf("%q: %v", given, err)
			}
			return
		}
		if joined := path.Join("/vault", given); joined != "/vault/"+given || !utf8.ValidString(given) || len(given) > domain.MaxNotePathBytes {
			t.Fatalf("%q is taken, and leads to %q", given, joined)
		}
	})
}

// A note stays its owner's when the person changes it, takes its removal back, or has its first version erased.
func TestNotesStayWithTheirOwner(t *testing.T) {
	const shed = domain.Principal("program:01KE1VN3G0E00R00000000000G")
	id := domain.ID{1}
	record := func(at domain.Position, who domain.Principal, payload interface{ Keys() []domain.Key }) domain.Record {
		own := domain.ID{byte(at)}
		entry, err := domain.New(domain.Begin(domain.TraceID{ID: own}, who), own, 5, "shed", payload)
		if err != nil {
			t.Fatal(err)
		}
		entry.Envelope.Keys = payload.Keys()
		return domain.Record{Position: at, Topic: entry.Topic, RecordedAt: domain.Millis(at) * 10, Envelope: entry.Envelope}
	}
	begun := record(1, shed, domain.NoteWritten{Path: "notes/a.md", Content: "a"})
	changed := record(2, domain.PrincipalOperator, domain.NoteWritten{NoteID: id, Path: "notes/a.md", Content: "b"})
	removed := record(3, domain.PrincipalOperator, domain.NoteRemoved{NoteID: id})
	back := record(4, domain.PrincipalOperator, domain.NoteWritten{NoteID: id, Path: "notes/a.md", Content: "b"})
	erased := begun
	erased.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	for name, history := range map[string][]domain.Record{"changed": {begun, changed}, "back": {begun, changed, removed, back}, "erased": {erased, changed}} {
		var n domain.Notes
		for _, rec := range history {
			if err := n.Evolve(rec); err != nil {
				t.Fatal(err)
			}
		}
		one := n.All[id]
		if one.Owner != shed || one.Begun != 1 || one.By != "shed" || one.Created != 10 || one.Version != history[len(history)-1].Envelope.ID || len(n.All) != 1 || len(n.Gone) != 0 {
			t.Errorf("%s: there are %+v", name, n)
		}
	}
	var n domain.Notes
	for _, rec := range []domain.Record{begun, record(2, shed, domain.NoteRemoved{NoteID: id})} {
		if err := n.Evolve(rec); err != nil {
			t.Fatal(err)
		}
	}
	if len(n.All)+len(n.Gone) != 0 {
		t.Errorf("of a note that its owner removed is left %+v", n)
	}
}
