package pebblelog

import (
	"fmt"
	"log/slog"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Config says where the log is and what it needs. Dir and Clock are required.
type Config struct {
	Dir    string       // folder of the Pebble store; made when it doesn't exist
	Clock  domain.Clock // gives recorded_at
	FS     vfs.FS       // default: the machine's file system
	Logger *slog.Logger // default: nothing is logged

	// Holder says who opens the log, for the message another process gets when
	// it finds the folder locked: "chalie serve", for example.
	Holder string

	// Known is a position that the log has reached according to a source outside its
	// folder; 0 for none. A log that ends before it has lost records.
	Known domain.Position

	// Upstream is the log that this one is a copy of; nil for a log of its own. It has the
	// records that Follow brings, and each append is committed there before it is here.
	Upstream domain.Upstream

	// Of names what the log is a copy of, by a source outside its folder: a folder that is
	// gone or damaged can't tell. A copy is opened for writing only with the same Of and an
	// Upstream: what else was written to it would be nowhere else. One that is damaged is
	// moved to a folder beside it, and another is begun.
	Of string

	// Adopt makes a copy of a log that has records of its own: a move of it has ended.
	Adopt bool

	// Damage is why a copy is known to be damaged; nil for nothing. It is moved aside unseen.
	Damage error

	// Patience is how long an append waits for Upstream before its outcome counts as
	// unknown, and others are refused until it is there again. Default 3 s.
	Patience time.Duration

	// Failed is called when the store has failed, as by a sync that the disk refused, and was
	// opened again; nil: nobody is told.
	Failed func()

	// ReadOnly opens without changing a byte. Every write is refused.
	ReadOnly bool

	// MinFreeBytes is the free space below which appends are refused: enough
	// for Pebble to compact and for the person to clean up. Default 256 MiB;
	// negative for none.
	MinFreeBytes int64

	// QueueSize bounds the batches waiting for the writer. When the queue is
	// full, Append blocks until its context ends. Default 1024.
	QueueSize int

	// RetryEvery is the pause between attempts to reopen a failed store: it
	// doubles from here up to a hundred times as much. Default 50 ms.
	RetryEvery time.Duration

	// MemTableBytes is how much Pebble collects in memory before it writes a
	// table; a restart replays up to that much. Default 64 MiB, at least 4 MiB.
	MemTableBytes int64

	// CacheBytes is the size of the block cache. Default 64 MiB.
	CacheBytes int64

	// OpenTables is how many tables are kept open, each at the cost of a file
	// descriptor. Default 990.
	OpenTables int
}

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	switch {
	case c.Dir == "":
		return domain.Invalid("open log", "Dir", "Dir is required: name the log's folder")
	case c.Clock == nil:
		return domain.Invalid("open log", "Clock", "Clock is required")
	case (c.Upstream == nil) != (c.Of == "") && !(c.ReadOnly && c.Upstream == nil):
		return domain.Invalid("open log", "Of", "Upstream and Of belong together: give both or neither")
	case c.QueueSize < 0:
		return domain.Invalid("open log", "QueueSize", "QueueSize can't be negative")
	case c.OpenTables < 0:
		return domain.Invalid("open log", "OpenTables", "OpenTables can't be negative")
	case c.MemTableBytes != 0 && c.MemTableBytes < 4*domain.MaxBatchBytes:
		// A group commit must fit, or Pebble takes its path for oversized batches.
		return domain.Invalid("open log", "MemTableBytes", fmt.Sprintf("MemTableBytes is %d: give at least %d", c.MemTableBytes, 4*domain.MaxBatchBytes))
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.FS == nil {
		c.FS = vfs.Default
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.MinFreeBytes == 0 {
		c.MinFreeBytes = 256 << 20
	}
	if c.QueueSize == 0 {
		c.QueueSize = 1024
	}
	if c.RetryEvery == 0 {
		c.RetryEvery = 50 * time.Millisecond
	}
	if c.Patience == 0 {
		c.Patience = 3 * time.Second
	}
	if c.CacheBytes == 0 {
		c.CacheBytes = 64 << 20
	}
	if c.MemTableBytes == 0 {
		c.MemTableBytes = 64 << 20
	}
	if c.OpenTables == 0 {
		c.OpenTables = 990
	}
	if c.Holder == "" {
		c.Holder = "chalie"
	}
	return c
}
