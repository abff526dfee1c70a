package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// keep writes the log of the life to a new folder as the program does, compacts it, and returns
// how many bytes it takes at rest.
func (d *driver) keep(ctx context.Context, folder string) (bytes int64, err error) {
	if _, err := os.Stat(folder); err == nil {
		return 0, fmt.Errorf("%s is there already: name a new folder", folder)
	}
	clock := domaintest.NewClockAt(d.life.from)
	log, err := pebblelog.Open(pebblelog.Config{Dir: folder, Clock: clock})
	if err != nil {
		return 0, err
	}
	err = d.each(ctx, func(rec domain.Record) error {
		clock.Set(rec.Clock().Time())
		_, err := log.Append(ctx, domain.Batch{Entries: []domain.Entry{{Topic: rec.Topic, Envelope: rec.Envelope}}})
		return err
	})
	if closed := log.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = compact(ctx, folder)
	}
	if err != nil {
		return 0, err
	}
	return bytes, filepath.WalkDir(folder, func(_ string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
}

// compact does at once what a store does in its own time.
func compact(ctx context.Context, folder string) error {
	opts := &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: mute{}}
	for i := range opts.Levels {
		opts.Levels[i].BlockSize = 16 << 10 // as the log has it
	}
	db, err := pebble.Open(folder, opts)
	if err != nil {
		return err
	}
	err = db.Flush()
	if err == nil {
		err = db.Compact(ctx, []byte{0}, []byte{0xff, 0xff}, false)
	}
	if closed := db.Close(); err == nil {
		err = closed
	}
	return err
}

// mute tells nothing of what a store does.
type mute struct{}

// Infof implements pebble.Logger.
func (mute) Infof(string, ...any) {}

// Errorf implements pebble.Logger.
func (mute) Errorf(string, ...any) {}

// Fatalf implements pebble.Logger. It mustn't return.
func (mute) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// atRest says what a log takes, also when a year goes on like this.
func (d *driver) atRest(ctx context.Context, folder string) (string, error) {
	bytes, err := d.keep(ctx, folder)
	if err != nil {
		return "", err
	}
	const year = 365 * 24 * time.Hour
	signals := 0
	err = d.each(ctx, func(rec domain.Record) error {
		if rec.Envelope.Type == domain.SignalReceivedType {
			signals++
		}
		return nil
	})
	lived := d.life.to.Sub(d.life.from)
	return fmt.Sprintf("  at rest %d bytes; with %.0f signals a day a year takes %.1f MB\n", bytes,
		float64(signals)/lived.Hours()*24, float64(bytes)*year.Hours()/lived.Hours()/1e6), err
}
