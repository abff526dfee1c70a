package backupdir

import (
	"compress/gzip"
	"context"
	"io"
	"path"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Backup is a backup that is read.
type Backup struct {
	Manifest
	disk
}

// Open reads the manifest of the backup in a folder; a nil FS is the disk's. Errors: NotFound
// with CodeNoBackup, Conflict with CodeDamaged, and Dependency for the disk.
func Open(disks vfs.FS, dir string) (*Backup, error) {
	if disks == nil {
		disks = vfs.Default
	}
	d := disk{disks, dir, cantWrite}
	m, err := d.read()
	return &Backup{m, d}, err
}

// Each calls fn with every piece, in order, as a file that was exported. Errors: Conflict
// with CodeDamaged, which names the piece, Dependency for the disk, ctx's and fn's.
func (b *Backup) Each(ctx context.Context, fn func(Piece, io.Reader) error) error {
	for _, p := range b.Pieces {
		err := b.checked(ctx, p.Name(), p.Bytes, p.SHA256, func(in io.Reader) error {
			zip, err := gzip.NewReader(in)
			if err != nil {
				return damaged(b.path(p.Name()), err.Error())
			}
			return fn(p, zip)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CopyFiles copies the files to their places in a data directory, durably. Errors are as
// Each's.
func (b *Backup) CopyFiles(ctx context.Context, data string) error {
	to := disk{b.fs, data, cantRestore}
	for _, f := range b.Files {
		name := filepath.FromSlash(f.Path)
		folder := path.Dir(f.Path)
		if err := b.fs.MkdirAll(to.path(folder), 0o700); err != nil {
			return cantRestore(to.path(folder), err)
		}
		err := b.checked(ctx, f.Name(), f.Bytes, f.SHA256, func(in io.Reader) error {
			_, err := to.write(name, func(out io.Writer) error {
				_, err := io.Copy(out, in)
				return err
			}, func(*summed) string { return name })
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
