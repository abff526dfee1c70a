package backupdir_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/backupdir"
	"chalie/adapters/exportfile"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// life is a log in memory, with files beside it.
type life struct {
	*memlog.Log
	fs  *vfs.MemFS
	ids *domaintest.IDs
}

func newLife(t *testing.T, seed uint16) *life {
	t.Helper()
	clock := domaintest.NewClock()
	l := &life{Log: memlog.New(clock), fs: vfs.NewCrashableMem(), ids: domaintest.NewIDs(clock, seed)}
	l.goesOn(t, 40)
	l.keeps(t, "images/KEY", "secret")
	l.keeps(t, "images/ab/"+strings.Repeat("ab", 32), "a picture")
	l.keeps(t, "audio/cd/"+strings.Repeat("cd", 32), "a voice")
	l.keeps(t, "images/incoming-7", "half a picture")
	l.keeps(t, "models.json", "{}")
	return l
}

func (l *life) goesOn(t *testing.T, n int) {
	t.Helper()
	for range n {
		if _, err := l.Append(t.Context(), domain.Batch{Entries: []domain.Entry{domaintest.NewEntry(l.ids, "house")}}); err != nil {
			t.Fatal(err)
		}
	}
}

func (l *life) keeps(t *testing.T, name, content string) {
	t.Helper()
	put(t, l.fs, "data/"+name, content)
}

// Folds implements backupdir.Log.
func (l *life) Folds(context.Context) ([]backupdir.Fold, error) {
	return []backupdir.Fold{{Name: "sum", Version: 1, Position: l.Tail(), Digest: fmt.Sprint("of ", l.Tail())}}, nil
}

// Export implements backupdir.Log.
func (l *life) Export(ctx context.Context, after, through domain.Position, out io.Writer) error {
	return exportfile.Export(ctx, l.Log, exportfile.Selection{After: after, Through: through}, exportfile.JSONL, "cat", out)
}

func scan(ctx context.Context, in io.Reader) (from, through domain.Position, records uint64, err error) {
	h, err := exportfile.Scan(ctx, in)
	return h.First, h.Last, h.Records, err
}

// backUp backs the life up, over a disk that may fail.
func (l *life) backUp(t *testing.T, fs vfs.FS) (backupdir.Result, error) {
	t.Helper()
	return backupdir.Write(t.Context(), backupdir.Config{
		FS: fs, Dir: "there/backup", Data: "data", Log: l, Scan: scan, Clock: domaintest.NewClock(), Build: "test",
		Beside: []backupdir.Beside{{Path: "images", Kept: true}, {Path: "audio"}, {Path: "models.json"}, {Path: "bridge"}},
	})
}

func put(t *testing.T, fs vfs.FS, name, content string) {
	t.Helper()
	if err := fs.MkdirAll(fs.PathDir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := fs.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(file, content)
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, fs vfs.FS, name string) string {
	t.Helper()
	file, err := fs.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// restored is the positions and the files that a backup brings back.
func restored(t *testing.T, fs vfs.FS) (records []domain.ID, files map[string]string, err error) {
	t.Helper()
	b, err := backupdir.Open(fs, "there/backup")
	if err != nil {
		return nil, nil, err
	}
	if err := b.Each(t.Context(), func(_ backupdir.Piece, in io.Reader) error {
		r, err := exportfile.NewReader(in, false)
		for err == nil {
			var rec domain.Record
			if rec, err = r.Next(); err == nil {
				records = append(records, rec.Envelope.ID)
			}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return err
	}); err != nil {
		return nil, nil, err
	}
	if err := fs.RemoveAll("new"); err != nil {
		t.Fatal(err)
	}
	if err := b.CopyFiles(t.Context(), "new"); err != nil {
		return nil, nil, err
	}
	files = map[string]string{}
	for _, f := range b.Files {
		files[f.Path] = content(t, fs, "new/"+f.Path)
	}
	return records, files, nil
}

// wants holds a backup to the life's first records, and to the names of files.
func (l *life) wants(t *testing.T, fs vfs.FS, through int, files ...string) {
	t.Helper()
	records, got, err := restored(t, fs)
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.Select(t.Context(), domain.Selector{}, 1, through)
	if err != nil {
		t.Fatal(err)
	}
	var ids []domain.ID
	for _, rec := range all {
		ids = append(ids, rec.Envelope.ID)
	}
	if !slices.Equal(records, ids) {
		t.Errorf("it has %d records, and should have %d", len(records), through)
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, slices.Sorted(slices.Values(files))) {
		t.Errorf("it has the files %q", names)
	}
}

var (
	picture = "images/ab/" + strings.Repeat("ab", 32)
	voice   = "audio/cd/" + strings.Repeat("cd", 32)
)

// TestIncrements: a second run adds what is new, as one piece, and leaves alone what is there;
// a third with nothing new adds nothing.
func TestIncrements(t *testing.T) {
	l := newLife(t, 1)
	first, err := l.backUp(t, l.fs)
	if err != nil || first.Added != 40 || first.AddedFiles != 4 || len(first.Pieces) != 1 || first.Folds[0].Position != 40 {
		t.Fatalf("%+v, %v", first, err)
	}
	l.wants(t, l.fs, 40, "images/KEY", picture, voice, "models.json")
	was := content(t, l.fs, "there/backup/records/1-40.jsonl.gz")

	l.goesOn(t, 7)
	l.keeps(t, "models.json", "{ }")
	second, err := l.backUp(t, l.fs)
	if err != nil || second.Added != 7 || second.AddedFiles != 1 || len(second.Pieces) != 2 || second.Last.Position != 47 {
		t.Fatalf("%+v, %v", second, err)
	}
	l.wants(t, l.fs, 47, "images/KEY", picture, voice, "models.json")
	if content(t, l.fs, "there/backup/records/1-40.jsonl.gz") != was || second.Pieces[0] != first.Pieces[0] {
		t.Error("the first piece was written again")
	}

	third, err := l.backUp(t, l.fs)
	if err != nil || third.Added != 0 || third.AddedFiles != 0 || third.AddedBytes != 0 || len(third.Pieces) != 2 {
		t.Errorf("%+v, %v", third, err)
	}
	if files, err := l.fs.List("there/backup/files"); err != nil || len(files) != 4 {
		t.Errorf("files has %q, %v", files, err)
	}
}

// TestWhatIsGone: a recording that was forgotten leaves the backup; an image that is lost stays.
func TestWhatIsGone(t *testing.T) {
	l := newLife(t, 1)
	if _, err := l.backUp(t, l.fs); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"data/images", "data/audio"} {
		if err := l.fs.RemoveAll(name); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.backUp(t, l.fs); err != nil {
		t.Fatal(err)
	}
	l.wants(t, l.fs, 40, "images/KEY", picture, "models.json")
	if files, err := l.fs.List("there/backup/files"); err != nil || len(files) != 3 {
		t.Errorf("files has %q, %v", files, err)
	}
}

// failsAt is a disk that fails at one operation in a backup's folder, and from then on.
func failsAt(fs vfs.FS, n int, failed *bool) vfs.FS {
	return errorfs.Wrap(fs, errorfs.InjectorFunc(func(op errorfs.Op) error {
		reads := op.Kind.ReadOrWrite() == errorfs.OpIsRead
		if reads || !strings.HasPrefix(op.Path, "there") {
			return nil
		}
		if n--; n < 0 {
			*failed = true
			return errorfs.ErrInjected
		}
		return nil
	}))
}

// TestEveryStep: the disk fails at each operation on the way, or loses power there, and what
// can be restored is the backup before or the new one, whole. The next run makes up for it.
func TestEveryStep(t *testing.T) {
	for _, begun := range []bool{false, true} {
		var steps int
		for n := 0; ; n++ {
			l := newLife(t, 1)
			if begun {
				if _, err := l.backUp(t, l.fs); err != nil {
					t.Fatal(err)
				}
				l.goesOn(t, 5)
				l.keeps(t, "models.json", "{ }")
			}
			failed := false
			_, err := l.backUp(t, failsAt(l.fs, n, &failed))
			if !failed {
				if err != nil {
					t.Fatal(err)
				}
				steps = n
				break
			}
			for name, fs := range map[string]*vfs.MemFS{"killed": l.fs, "without power": l.fs.CrashClone(vfs.CrashCloneCfg{})} {
				records, files, broken := restored(t, fs)
				whole := broken == nil && len(files) == 4 && (len(records) == int(l.Tail()) || begun && len(records) == 40)
				none := !begun && domain.CodeOf(broken) == backupdir.CodeNoBackup
				if !whole && !none {
					t.Errorf("step %d (%v), %s: %d records, %d files, %v", n, err, name, len(records), len(files), broken)
				}
				copied := fs
				if name == "without power" { // the data directory had everything on its disk
					for _, f := range []string{"images/KEY", picture, voice, "models.json"} {
						put(t, copied, "data/"+f, content(t, l.fs, "data/"+f))
					}
				}
				if _, err := l.backUp(t, copied); err != nil {
					t.Errorf("after step %d, %s: %v", n, name, err)
					continue
				}
				l.wants(t, copied, int(l.Tail()), "images/KEY", picture, voice, "models.json")
				if files, err := copied.List("there/backup/files"); err != nil || len(files) != 4 {
					t.Errorf("after step %d, %s: files has %q, %v", n, name, files, err)
				}
			}
		}
		if steps < 20 {
			t.Errorf("only %d steps were tried", steps)
		}
	}
}

// TestInterrupted: a backup that is given up changes nothing.
func TestInterrupted(t *testing.T) {
	l := newLife(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := backupdir.Write(ctx, backupdir.Config{
		FS: l.fs, Dir: "there/backup", Data: "data", Log: l, Scan: scan, Clock: domaintest.NewClock(),
		Progress: func(_, _ domain.Position) { cancel() },
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if _, err := backupdir.Open(l.fs, "there/backup"); domain.CodeOf(err) != backupdir.CodeNoBackup {
		t.Errorf("there is one: %v", err)
	}
	if _, err := l.backUp(t, l.fs); err != nil {
		t.Error(err)
	}
}

// TestFlippedByte: whatever byte of a backup is changed, reading it, and backing up into it,
// refuses the piece by its name.
func TestFlippedByte(t *testing.T) {
	l := newLife(t, 1)
	if _, err := l.backUp(t, l.fs); err != nil {
		t.Fatal(err)
	}
	l.goesOn(t, 3)
	made, err := l.backUp(t, l.fs)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"BACKUP"}
	for _, p := range made.Pieces {
		names = append(names, p.Name())
	}
	for _, f := range made.Files {
		names = append(names, f.Name())
	}
	for _, name := range names {
		name = "there/backup/" + name
		was := content(t, l.fs, name)
		for _, at := range []int{0, len(was) / 3, len(was) / 2, len(was) - 1} {
			changed := []byte(was)
			changed[at] ^= 0x10
			put(t, l.fs, name, string(changed))
			base := l.fs.PathBase(name)
			if _, _, err := restored(t, l.fs); domain.CodeOf(err) != backupdir.CodeDamaged || !strings.Contains(err.Error(), base) {
				t.Errorf("byte %d of %s: %v", at, name, err)
			}
			// A small file, which is copied each time, is whole again.
			_, err := l.backUp(t, l.fs)
			if mended := err == nil && len(was) < 7; !mended && (domain.CodeOf(err) != backupdir.CodeDamaged || !strings.Contains(err.Error(), base)) {
				t.Errorf("byte %d of %s, backed up: %v", at, name, err)
			}
		}
		put(t, l.fs, name, was)
	}
	l.wants(t, l.fs, 43, "images/KEY", picture, voice, "models.json")
	if content(t, l.fs, "there/backup/BACKUP") != content(t, l.fs, "there/backup/BACKUP.copy") {
		t.Error("the copy of the manifest is another")
	}
}

// TestRefused: a folder with other things, the backup of another log, one that knows more than
// the log, and one that is being written.
func TestRefused(t *testing.T) {
	l, other := newLife(t, 1), newLife(t, 2)
	other.fs = l.fs
	put(t, l.fs, "there/backup/letter.txt", "dear")
	if _, err := l.backUp(t, l.fs); domain.CodeOf(err) != backupdir.CodeNoBackup || !strings.Contains(err.Error(), "letter.txt") {
		t.Errorf("among other things: %v", err)
	}
	if err := l.fs.Remove("there/backup/letter.txt"); err != nil {
		t.Fatal(err)
	}
	put(t, l.fs, "there/backup/lost+found/inode", "")
	if _, err := l.backUp(t, l.fs); err != nil {
		t.Fatal(err)
	}
	if _, err := other.backUp(t, l.fs); domain.CodeOf(err) != backupdir.CodeAnotherLog {
		t.Errorf("of another log: %v", err)
	}
	short := &life{Log: memlog.New(domaintest.NewClock()), fs: l.fs, ids: domaintest.NewIDs(domaintest.NewClock(), 1)}
	if _, err := short.backUp(t, l.fs); domain.CodeOf(err) != "no_records" {
		t.Errorf("of an empty log: %v", err)
	}
	short.goesOn(t, 39)
	if _, err := short.backUp(t, l.fs); domain.CodeOf(err) != backupdir.CodeAnotherLog || !strings.Contains(err.Error(), "through position 40, and the log through 39") {
		t.Errorf("of a shorter log: %v", err)
	}
	lock, err := l.fs.Lock("there/backup/LOCK")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.backUp(t, l.fs); domain.CodeOf(err) != backupdir.CodeBusy {
		t.Errorf("while it is written: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	l.wants(t, l.fs, 40, "images/KEY", picture, voice, "models.json")
}
