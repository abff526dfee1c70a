package backupdir

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Log is the log that is backed up, with its folds.
type Log interface {
	domain.Reader
	domain.Tailer
	// Folds are how the projections stand, each at a position that the log has.
	Folds(ctx context.Context) ([]Fold, error)
	// Export writes the records behind a position, through another one.
	Export(ctx context.Context, after, through domain.Position, out io.Writer) error
}

// Scan reads an exported file to its end, which proves that it is as it was written, and says
// what it holds.
type Scan func(ctx context.Context, in io.Reader) (from, through domain.Position, records uint64, err error)

// Beside is a file, or a folder of files, that stands beside the log.
type Beside struct {
	Path string // in the data directory
	// Kept says that what has been backed up stays in the backup, also when it is gone from the
	// data directory: nobody removes it there, so it is lost there.
	Kept bool
}

// Config is what Write needs. All fields are required but FS and Progress.
type Config struct {
	FS     vfs.FS // of both folders; default: the disk's
	Dir    string // the backup's folder
	Data   string // the data directory
	Beside []Beside
	Log    Log
	Scan   Scan
	Clock  domain.Clock
	Build  string // the program's version
	// Progress is told how many of how many records were exported.
	Progress func(done, total domain.Position)
}

// Result is what a run of Write did.
type Result struct {
	Manifest
	Added      uint64 // records
	AddedFiles int
	AddedBytes int64
}

// writing is one run.
type writing struct {
	Config
	disk
	before Manifest // what is there; without pieces in a new folder
	now    Result
}

// Write backs up what is new, checks all of it, and returns once it is durable. One at a time
// may run in a process. Errors: Conflict with CodeBusy, CodeAnotherLog, CodeDamaged or
// CodeNoBackup (a folder with other things); Dependency for the disk; those of the log and
// ctx's. After one the backup is as it was before.
func Write(ctx context.Context, cfg Config) (Result, error) {
	if cfg.FS == nil {
		cfg.FS = vfs.Default
	}
	if cfg.Progress == nil {
		cfg.Progress = func(_, _ domain.Position) {}
	}
	w := &writing{Config: cfg, disk: disk{cfg.FS, cfg.Dir, cantWrite}}
	lock, err := w.take()
	if err != nil {
		return Result{}, err
	}
	err = w.run(ctx)
	return w.now, firstOf(err, lock.Close())
}

func (w *writing) run(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{w.folds, w.records, w.files, w.readBack, w.publish} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	_ = w.clear(w.now.Manifest) // what it leaves the next run removes
	return nil
}

// take makes the folder and locks it.
func (w *writing) take() (io.Closer, error) {
	if err := w.makeFolder(); err != nil {
		return nil, cantWrite(w.dir, err)
	}
	if err := w.others(); err != nil {
		return nil, err
	}
	lock, err := w.fs.Lock(w.path(lockFile))
	switch {
	case err == nil:
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOSPC), errors.Is(err, fs.ErrNotExist):
		return nil, cantWrite(w.path(lockFile), err)
	default:
		return nil, &domain.Error{Op: "back up", Category: domain.Conflict, Code: CodeBusy, Retriable: true, Err: err,
			Message: fmt.Sprintf("another program writes the backup in %s; wait until it is done, and try again, or name another folder", w.dir)}
	}
	for _, name := range []string{recordsDir, filesDir} {
		if err := w.fs.MkdirAll(w.path(name), 0o700); err != nil {
			return nil, firstOf(cantWrite(w.path(name), err), lock.Close())
		}
	}
	if err := w.sync("."); err != nil {
		return nil, firstOf(cantWrite(w.dir, err), lock.Close())
	}
	return lock, nil
}

// others refuses a folder with things that no backup made: a slip of the keyboard shouldn't
// spread one over somebody's documents.
func (w *writing) others() error {
	names, err := w.fs.List(w.dir)
	if err != nil {
		return cantWrite(w.dir, err)
	}
	ours := []string{manifestFile, copyFile, lockFile, recordsDir, filesDir}
	if slices.Contains(names, manifestFile) {
		return nil
	}
	if slices.Contains(names, copyFile) {
		return damagedManifest(w.dir, fs.ErrNotExist)
	}
	for _, name := range names {
		if name == "lost+found" || strings.HasPrefix(name, ".") || slices.Contains(ours, strings.TrimSuffix(name, partSuffix)) {
			continue
		}
		return &domain.Error{Op: "back up", Category: domain.Conflict, Code: CodeNoBackup,
			Message: fmt.Sprintf("%s holds other things, such as %s, and no backup; nothing was changed; name an empty folder, or one that isn't there yet", w.dir, name)}
	}
	return nil
}

// begin reads what is there, makes sure that it is of this log, and removes what a run that
// was killed left.
func (w *writing) begin(ctx context.Context) error {
	if w.Log.Tail() == 0 {
		return &domain.Error{Op: "back up", Category: domain.NotFound, Code: "no_records",
			Message: "the log has no record yet, so there is nothing to back up; start Chalie once"}
	}
	m, err := w.read()
	switch domain.CategoryOf(err) {
	case domain.NotFound:
		return w.clear(m)
	case "":
	default:
		return err
	}
	w.before = m
	if err := w.same(ctx); err != nil {
		return err
	}
	return w.clear(m)
}

// same refuses to continue the backup of another log, or of this one from before it lost what
// the backup has.
func (w *writing) same(ctx context.Context) error {
	last := w.before.Last
	if tail := w.Log.Tail(); tail < last.Position {
		return w.another(fmt.Sprintf("it goes through position %d, and the log through %d", last.Position, tail))
	}
	for _, mark := range []Mark{w.before.First, last} {
		found, err := w.Log.Select(ctx, domain.Selector{}, mark.Position, 1)
		if err != nil {
			return err
		}
		if len(found) > 0 && found[0].Position == mark.Position && found[0].Envelope.ID != mark.Envelope {
			return w.another(fmt.Sprintf("at position %d it has another record than the log", mark.Position))
		}
	}
	return nil
}

func (w *writing) another(why string) error {
	return &domain.Error{Op: "back up", Category: domain.Conflict, Code: CodeAnotherLog,
		Message: fmt.Sprintf("the backup in %s is of another log, or this one has lost something: %s; nothing was changed; back up into a new folder, and keep that one until you know that you don't need it", w.dir, why)}
}

// written are the names that a run may have written in records and files.
var written = regexp.MustCompile(`^(\d+-\d+\.jsonl\.gz|[0-9a-f]{64}|new\.part)$`)

// clear removes what a manifest doesn't name, and a run has written.
func (w *writing) clear(m Manifest) error {
	named := map[string]bool{}
	for _, p := range m.Pieces {
		named[p.Name()] = true
	}
	for _, f := range m.Files {
		named[f.Name()] = true
	}
	for _, folder := range []string{recordsDir, filesDir} {
		names, err := w.fs.List(w.path(folder))
		if err != nil {
			return unreadable(w.path(folder), err)
		}
		for _, base := range names {
			name := folder + "/" + base
			if named[name] || !written.MatchString(base) {
				continue
			}
			if err := w.fs.Remove(w.path(name)); err != nil {
				return cantWrite(w.path(name), err)
			}
		}
	}
	return nil
}

// newPart is the name of what is being written.
const newPart = "/new"

// folds notes how the projections stand, before the records are exported: so the backup has
// what they have folded.
func (w *writing) folds(ctx context.Context) (err error) {
	w.now.Manifest = Manifest{At: domain.MillisOf(w.Clock.Now()), Build: w.Build, First: w.before.First, Pieces: slices.Clone(w.before.Pieces)}
	w.now.Folds, err = w.Log.Folds(ctx)
	return err
}

// records exports what the backup lacks, as one more piece.
func (w *writing) records(ctx context.Context) error {
	after, tail := w.before.Last.Position, w.Log.Tail()
	w.now.Last = w.before.Last
	if tail == after {
		return nil
	}
	found, err := w.Log.Select(ctx, domain.Selector{}, after+1, 1)
	if err != nil {
		return err
	}
	ends, err := w.Log.Select(ctx, domain.Selector{}, tail, 1)
	if err != nil {
		return err
	}
	if len(found) == 0 || len(ends) == 0 {
		return &domain.Error{Op: "back up", Category: domain.Dependency, Code: domain.CodeCorrupt,
			Message: fmt.Sprintf("the log lacks records behind position %d; run `chalie verify`", after)}
	}
	p := Piece{From: after + 1, Through: tail}
	if after == 0 {
		p.From = found[0].Position
		w.now.First = Mark{p.From, found[0].Envelope.ID}
	}
	w.now.Last = Mark{tail, ends[0].Envelope.ID}
	sum, err := w.write(recordsDir+newPart, func(out io.Writer) error {
		zip := gzip.NewWriter(out)
		return firstOf(w.Log.Export(ctx, after, tail, &pacing{w, zip, after}), zip.Close())
	}, func(*summed) string { return p.Name() })
	if err != nil {
		return err
	}
	p.Bytes, p.SHA256 = sum.bytes, sum.sum()
	w.now.AddedBytes += p.Bytes
	w.now.Pieces = append(w.now.Pieces, p)
	return nil
}

// pacing tells how far an export is: by its lines, of which each is a record.
type pacing struct {
	w    *writing
	out  io.Writer
	done domain.Position
}

// Write implements io.Writer.
func (p *pacing) Write(text []byte) (int, error) {
	p.done += domain.Position(bytes.Count(text, []byte("\n")))
	tail := p.w.now.Last.Position
	p.w.Progress(min(p.done, tail), tail)
	return p.out.Write(text)
}

// readBack reads all that the backup will consist of, as it is on the disk now. What this run
// wrote is read as a restore would.
func (w *writing) readBack(ctx context.Context) error {
	for i := range w.now.Pieces {
		p := &w.now.Pieces[i]
		fresh := i >= len(w.before.Pieces)
		err := w.checked(ctx, p.Name(), p.Bytes, p.SHA256, func(in io.Reader) error {
			if !fresh {
				return nil
			}
			zip, err := gzip.NewReader(in)
			if err != nil {
				return damaged(w.path(p.Name()), err.Error())
			}
			from, through, records, err := w.Scan(ctx, zip)
			if err == nil && (from != p.From || through != p.Through) {
				err = damaged(w.path(p.Name()), fmt.Sprintf("it has positions %d to %d", from, through))
			}
			p.Records = records
			return err
		})
		if err != nil {
			return err
		}
		if fresh {
			w.now.Added += p.Records
		}
	}
	for _, f := range w.now.Files {
		if err := w.checked(ctx, f.Name(), f.Bytes, f.SHA256, func(io.Reader) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// publish puts the manifest in place: from then on the backup is the new one.
func (w *writing) publish(ctx context.Context) error {
	text, err := w.now.format()
	if err != nil {
		return err
	}
	if _, err := parse(w.dir, text); err != nil {
		return err // it couldn't be read again
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, name := range []string{manifestFile, copyFile} {
		if _, err := w.write(name, func(out io.Writer) error {
			_, err := out.Write(bytes.Clone(text))
			return err
		}, func(*summed) string { return name }); err != nil {
			return err
		}
	}
	w.now.Manifest, err = w.read()
	return err
}

// files copies what stands beside the log. It comes after the records: an image is kept
// before the record that names it is appended, so the backup has all that its records name.
func (w *writing) files(ctx context.Context) error {
	known := make(map[string]File, len(w.before.Files))
	for _, f := range w.before.Files {
		known[f.Path] = f
	}
	have := map[string]bool{} // by hash
	for _, f := range w.before.Files {
		have[f.SHA256] = true
	}
	for _, beside := range w.Beside {
		paths, err := w.listed(beside.Path)
		if err != nil {
			return err
		}
		for _, name := range paths {
			f, err := w.copied(ctx, name, known[name], have)
			if errors.Is(err, fs.ErrNotExist) {
				continue // it was removed meanwhile
			}
			if err != nil {
				return err
			}
			w.now.Files = append(w.now.Files, f)
		}
		for _, f := range w.before.Files {
			inside := f.Path == beside.Path || strings.HasPrefix(f.Path, beside.Path+"/")
			if beside.Kept && inside && !slices.Contains(paths, f.Path) {
				w.now.Files = append(w.now.Files, f)
			}
		}
	}
	domain.SortFunc(w.now.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// listed are the regular files at a path or in the folder there, by their paths in the data
// directory. What is still coming in isn't listed.
func (w *writing) listed(name string) ([]string, error) {
	info, err := w.fs.Stat(w.fs.PathJoin(w.Data, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, unreadable(w.fs.PathJoin(w.Data, name), err)
	case !info.IsDir():
		return []string{name}, nil
	}
	names, err := w.fs.List(w.fs.PathJoin(w.Data, name))
	if err != nil {
		return nil, unreadable(w.fs.PathJoin(w.Data, name), err)
	}
	slices.Sort(names)
	var out []string
	for _, base := range names {
		if strings.HasPrefix(base, "incoming-") || strings.HasPrefix(base, ".") {
			continue
		}
		inside, err := w.listed(path.Join(name, base))
		if err != nil {
			return nil, err
		}
		out = append(out, inside...)
	}
	return out, nil
}

// byContent are the names of files that are named by what is in them, and never change.
var byContent = regexp.MustCompile(`^[0-9a-f]{32,}$`)

// copied is a file in the backup, copied unless it is there already.
func (w *writing) copied(ctx context.Context, name string, known File, have map[string]bool) (File, error) {
	from := w.fs.PathJoin(w.Data, name)
	if info, err := w.fs.Stat(from); err == nil && known.Path != "" && byContent.MatchString(path.Base(name)) && info.Size() == known.Bytes {
		return known, nil
	}
	file, err := w.fs.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, err
	}
	if err != nil {
		return File{}, unreadable(from, err)
	}
	defer file.Close()
	f := File{Path: name}
	sum, err := w.write(filesDir+newPart, func(out io.Writer) error {
		_, err := io.Copy(out, interruptible{ctx, file})
		return err
	}, func(s *summed) string {
		f.Bytes, f.SHA256 = s.bytes, s.sum()
		return f.Name()
	})
	if err != nil {
		return f, err
	}
	if !have[f.SHA256] {
		have[f.SHA256] = true
		w.now.AddedFiles++
		w.now.AddedBytes += sum.bytes
	}
	return f, nil
}
