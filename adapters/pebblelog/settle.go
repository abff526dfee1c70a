package pebblelog

import (
	"fmt"
	"strings"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Settle makes what a log that was opened read-only shows outlive a power loss, and changes no
// byte. A writer that was killed leaves records that are in its files and maybe not on the disk
// yet: who keeps what was folded of those would know more than the log does afterwards.
func (l *Log) Settle() error {
	names, err := l.cfg.FS.List(l.cfg.Dir)
	for _, name := range names {
		if err == nil && strings.HasSuffix(name, ".log") {
			err = syncFile(l.cfg.FS, l.cfg.FS.PathJoin(l.cfg.Dir, name))
		}
	}
	if err == nil {
		err = syncFolder(l.cfg, l.cfg.Dir)
	}
	if err != nil {
		return &domain.Error{Op: "settle log", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
			Message: fmt.Sprintf("the files in %s can't be synced; check the disk", l.cfg.Dir)}
	}
	return nil
}

func syncFile(disk vfs.FS, name string) error {
	file, err := disk.Open(name)
	if err != nil {
		return err
	}
	return firstOf(file.Sync(), file.Close())
}
