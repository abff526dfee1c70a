package main

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// reserveFile takes room on the disk that a start gives back when there is none left: even
// what is only read is opened with new files beside it. On a disk that can't promise room,
// as some network disks, there is none.
const reserveFile = "RESERVE"

const (
	reserveBytes = 32 << 20
	reserveBelow = 8 << 20   // free bytes below which it is given back
	reserveAbove = 256 << 20 // that are left free when it is made
)

// keepReserve gives the reserve back when the disk is full, and makes it when there is room.
func keepReserve(cfg Config) {
	disk := cmp.Or[vfs.FS](cfg.disk, vfs.Default)
	usage, err := disk.GetDiskUsage(cfg.Data)
	if err != nil {
		return // what opens the disk's files says what is wrong with it
	}
	name := filepath.Join(cfg.Data, reserveFile)
	_, missing := disk.Stat(name)
	switch {
	case missing == nil && usage.AvailBytes < reserveBelow:
		if err := disk.Remove(name); err == nil {
			cfg.Logger.Warn("the disk is full: the room that was kept for a start is given back; free some space", "file", name)
		}
	case errors.Is(missing, fs.ErrNotExist) && usage.AvailBytes > reserveAbove+reserveBytes:
		if err := reserve(disk, name); err != nil {
			cfg.Logger.Debug("no room can be kept for a start on a full disk", "err", errors.Join(err, disk.Remove(name)))
		}
	}
}

// reserve makes the file.
func reserve(disk vfs.FS, name string) error {
	file, err := disk.Create(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	err = file.Preallocate(0, reserveBytes)
	if err == nil {
		_, err = file.WriteAt([]byte{0}, reserveBytes-1) // so that its size is what it takes
	}
	return errors.Join(err, file.Close())
}
