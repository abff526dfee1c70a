package backupdir

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"path"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// disk is a folder that is written, or read.
type disk struct {
	fs   vfs.FS
	dir  string
	cant func(path string, cause error) error // of what can't be written
}

func (d disk) path(name string) string { return d.fs.PathJoin(d.dir, name) }

// content is that of a small file.
func (d disk) content(name string) ([]byte, error) {
	file, err := d.fs.Open(d.path(name))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(file)
	return text, firstOf(err, file.Close())
}

// summed is what was written to a file, or read from it.
type summed struct {
	bytes int64
	hash  hash.Hash
}

func newSummed() *summed { return &summed{hash: sha256.New()} }

// Write implements io.Writer.
func (s *summed) Write(p []byte) (int, error) {
	s.bytes += int64(len(p))
	return s.hash.Write(p)
}

func (s *summed) sum() string { return hex.EncodeToString(s.hash.Sum(nil)) }

// write makes a file that gets its name once it is whole and on the disk. name is asked for
// it then, with what was written.
func (d disk) write(part string, fill func(io.Writer) error, name func(*summed) string) (*summed, error) {
	part += partSuffix
	file, err := d.fs.Create(d.path(part), vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, d.cant(d.path(part), err)
	}
	sum := newSummed()
	// The sum comes first: Pebble's disk in memory spoils what it was given, in tests for races.
	out := &failing{out: io.MultiWriter(sum, file)}
	err = fill(out)
	if out.err != nil {
		err = d.cant(d.path(part), out.err) // whatever came of it
	}
	if err != nil {
		_ = file.Close() // nobody reads it
		return nil, err
	}
	if err := firstOf(file.Sync(), file.Close()); err != nil {
		return nil, d.cant(d.path(part), err)
	}
	to := name(sum)
	if err := firstOf(d.fs.Rename(d.path(part), d.path(to)), d.sync(path.Dir(to))); err != nil {
		return nil, d.cant(d.path(to), err)
	}
	return sum, nil
}

// failing remembers that a file couldn't be written: what writes to it may say it otherwise.
type failing struct {
	out io.Writer
	err error
}

// Write implements io.Writer.
func (f *failing) Write(p []byte) (int, error) {
	n, err := f.out.Write(p)
	f.err = firstOf(f.err, err)
	return n, err
}

// makeFolder makes the folder and those above it, durably.
func (d disk) makeFolder() error {
	var parents []string // of those that are made
	for dir := d.dir; ; dir = d.fs.PathDir(dir) {
		parent := d.fs.PathDir(dir)
		if _, err := d.fs.Stat(dir); err == nil || parent == dir {
			break
		}
		parents = append(parents, parent)
	}
	if err := d.fs.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := (disk{d.fs, parent, d.cant}).sync("."); err != nil {
			return err
		}
	}
	return nil
}

// sync makes new names in a folder durable.
func (d disk) sync(folder string) error {
	dir, err := d.fs.OpenDir(d.path(folder))
	if err != nil {
		return err
	}
	return firstOf(dir.Sync(), dir.Close())
}

// interruptible ends with ctx's error when that ends.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

// Read implements io.Reader.
func (i interruptible) Read(p []byte) (int, error) {
	if err := i.ctx.Err(); err != nil {
		return 0, err
	}
	return i.in.Read(p)
}

// checked reads a file of the backup to its end, and refuses by its name one that isn't as
// it was written. read may read less.
func (d disk) checked(ctx context.Context, name string, bytes int64, want string, read func(io.Reader) error) error {
	file, err := d.fs.Open(d.path(name))
	if err != nil {
		return unreadable(d.path(name), err)
	}
	defer file.Close()
	sum := newSummed()
	in := io.TeeReader(interruptible{ctx, file}, sum)
	failure := read(in)
	_, err = io.Copy(io.Discard, in)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return unreadable(d.path(name), err)
	case sum.bytes != bytes:
		return damaged(d.path(name), "it has another length")
	case sum.sum() != want:
		return damaged(d.path(name), "its content doesn't fit its sum")
	}
	return failure
}

// firstOf is the first error that is not nil.
func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
