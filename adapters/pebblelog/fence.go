package pebblelog

import (
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2/vfs"
)

var errFenced = errors.New("this store was given up after a disk failure")

// fence is a file system that can be shut for writing, once and for ever.
//
// A store that met a failing write can't be closed in order, and its background
// work goes on. Before the folder is opened anew the old store must not be able
// to touch it: shut waits for the changes under way and fails all later ones.
// Reading stays possible, so reads go on while the new store opens.
type fence struct {
	vfs.FS
	before *leaving // earlier stores over the same folder
	// walClosed is told when the WAL's file was closed after an operation on it
	// had failed, on the goroutine that closes it.
	walClosed func(cause error)
	// dirUnsynced is told when a folder could not be synced, on the goroutine
	// that tried.
	dirUnsynced func(cause error)
	mu          sync.RWMutex
	down        bool
}

func (f *fence) shut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = true
}

// change runs one operation that changes the disk, unless the fence is shut.
func (f *fence) change(op func() error) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.down {
		return errFenced
	}
	return op()
}

func (f *fence) open(name string, op func() (vfs.File, error)) (file vfs.File, err error) {
	err = f.change(func() error {
		file, err = op()
		return err
	})
	if err != nil {
		return nil, err
	}
	return &fencedFile{File: file, fence: f, wal: strings.HasSuffix(name, ".log")}, nil
}

func (f *fence) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.open(name, func() (vfs.File, error) { return f.FS.Create(name, c) })
}

func (f *fence) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	return f.open(name, func() (vfs.File, error) { return f.FS.OpenReadWrite(name, c, opts...) })
}

func (f *fence) ReuseForWrite(oldname, newname string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.open(newname, func() (vfs.File, error) { return f.FS.ReuseForWrite(oldname, newname, c) })
}

// OpenDir is fenced because a folder is opened to sync it.
func (f *fence) OpenDir(name string) (vfs.File, error) {
	file, err := f.open(name, func() (vfs.File, error) { return f.FS.OpenDir(name) })
	if err != nil {
		return nil, err
	}
	return &fencedDir{file, f}, nil
}

// fencedDir is a folder opened to sync it.
type fencedDir struct {
	vfs.File
	fence *fence
}

func (d *fencedDir) Sync() error {
	err := d.File.Sync()
	if err != nil && d.fence.dirUnsynced != nil {
		d.fence.dirUnsynced(err)
	}
	return err
}

func (f *fence) Link(oldname, newname string) error {
	return f.change(func() error { return f.FS.Link(oldname, newname) })
}

func (f *fence) Remove(name string) error {
	if f.before.needs(name) {
		return nil
	}
	return f.change(func() error { return f.FS.Remove(name) })
}

func (f *fence) RemoveAll(name string) error {
	return f.change(func() error { return f.FS.RemoveAll(name) })
}

func (f *fence) Rename(oldname, newname string) error {
	return f.change(func() error { return f.FS.Rename(oldname, newname) })
}

func (f *fence) MkdirAll(dir string, perm os.FileMode) error {
	return f.change(func() error { return f.FS.MkdirAll(dir, perm) })
}

// Lock takes nothing: the log itself holds the folder's lock, over every
// opening of the store.
func (f *fence) Lock(string) (io.Closer, error) { return unlocked{}, nil }

type unlocked struct{}

func (unlocked) Close() error { return nil }

func (f *fence) Unwrap() vfs.FS { return f.FS }

// fencedFile is a file opened for writing behind a fence.
type fencedFile struct {
	vfs.File
	fence  *fence
	wal    bool
	failed atomic.Pointer[error] // the first failure
}

// change runs one operation that changes the file, and remembers its failure.
func (f *fencedFile) change(op func() error) error {
	err := f.fence.change(op)
	if err != nil {
		f.failed.CompareAndSwap(nil, &err)
	}
	return err
}

func (f *fencedFile) Close() error {
	err := f.File.Close()
	if err != nil {
		f.failed.CompareAndSwap(nil, &err)
	}
	if cause := f.failed.Load(); f.wal && cause != nil && f.fence.walClosed != nil {
		f.fence.walClosed(*cause)
	}
	return err
}

func (f *fencedFile) Write(p []byte) (n int, err error) {
	err = f.change(func() error {
		n, err = f.File.Write(p)
		return err
	})
	return n, err
}

func (f *fencedFile) WriteAt(p []byte, off int64) (n int, err error) {
	err = f.change(func() error {
		n, err = f.File.WriteAt(p, off)
		return err
	})
	return n, err
}

func (f *fencedFile) Preallocate(offset, length int64) error {
	return f.change(func() error { return f.File.Preallocate(offset, length) })
}

func (f *fencedFile) Sync() error     { return f.change(f.File.Sync) }
func (f *fencedFile) SyncData() error { return f.change(f.File.SyncData) }

func (f *fencedFile) SyncTo(length int64) (full bool, err error) {
	err = f.change(func() error {
		full, err = f.File.SyncTo(length)
		return err
	})
	return full, err
}
