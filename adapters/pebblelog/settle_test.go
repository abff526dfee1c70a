package pebblelog_test

import (
	"io"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// forgetful is a disk whose write-ahead files are written and never synced, and that nobody locks:
// what a writer leaves there that was killed.
type forgetful struct{ vfs.FS }

type unsyncedFile struct{ vfs.File }

func (unsyncedFile) Sync() error                { return nil }
func (unsyncedFile) SyncData() error            { return nil }
func (unsyncedFile) SyncTo(int64) (bool, error) { return false, nil }

func (f forgetful) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, c)
	if err == nil && strings.HasSuffix(name, ".log") {
		file = unsyncedFile{file}
	}
	return file, err
}

func (forgetful) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// What a killed writer left unsynced, and a reader has shown, is there after a power loss once
// the reader has settled it.
func TestSettle(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	mem := vfs.NewCrashableMem()
	cfg := pebblelog.Config{Dir: "log", Clock: clock, FS: forgetful{mem}}
	writer := open(t, cfg)
	t.Cleanup(func() { _ = writer.Close() }) // it was killed: what it does now is in no copy below
	for range 20 {
		appendOne(t, writer, domaintest.NewEntry(ids, "signals"))
	}
	cfg.ReadOnly = true
	reader := open(t, cfg)
	shown := reader.Tail()
	lost := mem.CrashClone(vfs.CrashCloneCfg{})
	if err := reader.Settle(); err != nil {
		t.Fatal(err)
	}
	kept := mem.CrashClone(vfs.CrashCloneCfg{})
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
	if l, err := pebblelog.Open(pebblelog.Config{Dir: "log", Clock: clock, FS: lost, ReadOnly: true}); err == nil {
		if l.Tail() == shown {
			t.Error("nothing was unsynced, so this shows nothing")
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	after := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: kept})
	if after.Tail() != shown {
		t.Errorf("after the power loss the log ends at %d, and a reader had shown %d", after.Tail(), shown)
	}
	mustVerify(t, after)
}
