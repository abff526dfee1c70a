package pebblestore

import (
	"fmt"
	"log/slog"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/domain"
)

// Config says where a store lives. Dir is required.
type Config struct {
	// Dir is the folder that holds one folder per projection and version.
	Dir string
	// Generation tells the stores of one projection and version apart: a rebuild
	// folds into one of its own. 0 is the first.
	Generation int
	// FS is the file system. Default: the machine's.
	FS vfs.FS
	// MemTableBytes is the memory for what is not yet written out. Default 16 MiB.
	MemTableBytes int64
	// CacheBytes is the memory for blocks read. Default 8 MiB.
	CacheBytes int64
	// OpenTables is how many tables are kept open, each at the cost of a file
	// descriptor. Default 118.
	OpenTables int
	// FlushEvery is how many positions an Update may be ahead of the disk
	// before it is written out in the background. Default 131072.
	FlushEvery uint64
	// Log takes what an operator should know. Default: nothing is logged.
	Log *slog.Logger
}

// Validate fails on a value that can't work.
func (c Config) Validate() error {
	const op = "configure derived state"
	switch {
	case c.Dir == "":
		return domain.Invalid(op, "Dir", "Dir is empty: name the folder for derived state")
	case c.Generation < 0:
		return domain.Invalid(op, "Generation", fmt.Sprintf("Generation is %d: give 0 for the first, or more", c.Generation))
	case c.MemTableBytes < 0:
		return domain.Invalid(op, "MemTableBytes", fmt.Sprintf("MemTableBytes is %d: give bytes, or 0 for the default", c.MemTableBytes))
	case c.CacheBytes < 0:
		return domain.Invalid(op, "CacheBytes", fmt.Sprintf("CacheBytes is %d: give bytes, or 0 for the default", c.CacheBytes))
	case c.OpenTables < 0:
		return domain.Invalid(op, "OpenTables", fmt.Sprintf("OpenTables is %d: give a number, or 0 for the default", c.OpenTables))
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.FS == nil {
		c.FS = vfs.Default
	}
	if c.MemTableBytes == 0 {
		c.MemTableBytes = 16 << 20
	}
	if c.CacheBytes == 0 {
		c.CacheBytes = 8 << 20
	}
	if c.OpenTables == 0 {
		c.OpenTables = 118
	}
	if c.FlushEvery == 0 {
		c.FlushEvery = 1 << 17
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}
