package main

import (
	"context"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// openLog opens the log for writing. A command that reads the data directory
// holds its lock for a moment, and is waited for; a running program answers on
// its socket, and is not.
func openLog(ctx context.Context, cfg Config, files descriptors) (*pebblelog.Log, error) {
	deadline := time.Now().Add(settleWithin)
	for {
		log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(cfg.Data), Clock: cfg.Clock, Logger: cfg.Logger, FS: cfg.disk, Holder: "chalie serve",
			CacheBytes: cfg.memory.logCache(), MemTableBytes: cfg.memory.logTable(), OpenTables: files.logTables,
			Known: storesOf(cfg.Data, cfg.Logger, cfg.memory, 0).FoldedThrough(today())})
		if err == nil || !busy(err) || domain.CodeOf(err) != "locked" || time.Now().After(deadline) {
			return log, err
		}
		if conn, dialErr := unixsocket.Dial(ctx, cfg.Data); dialErr == nil {
			_ = conn.Close()
			return nil, err
		}
		select {
		case <-time.After(settleEvery):
		case <-ctx.Done():
			return nil, err
		}
	}
}
