package pebblestore_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

// TestPowerLoss cuts the power at random moments. Whatever is left is the state
// at one checkpoint, never a mixture, and never later than what was updated.
func TestPowerLoss(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	survived := 0
	for round := 0; survived < 12; round++ {
		if round == 3000 {
			t.Fatalf("only %d of %d rounds kept anything: flushes don't reach the disk", survived, round)
		}
		disk := vfs.NewCrashableMem()
		cfg := pebblestore.Config{Dir: "d", FS: disk, MemTableBytes: 64 << 10, FlushEvery: 50}
		s, err := pebblestore.Open("fold", 1, cfg)
		if err != nil {
			t.Fatal(err)
		}
		last := domain.Position(0)
		for range rng.IntN(400) {
			last += domain.Position(1 + rng.IntN(3))
			// Two keys that always agree, and rubble that fills memtables.
			err := s.Update(last, func(b projections.Batch) error {
				for _, key := range []string{"a", "z"} {
					if err := b.Set([]byte(key), fmt.Append(nil, last)); err != nil {
						return err
					}
				}
				return b.Set(fmt.Appendf(nil, "rubble %d", last), bytes.Repeat([]byte("x"), 500))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		after := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(2) * 50, RNG: rng})
		closeStore(t, s)

		cfg.FS = after
		s, damage, err := pebblestore.Recover("fold", 1, cfg)
		if err != nil {
			t.Fatal(err)
		}
		pos, err := s.Checkpoint()
		if err != nil || pos > last {
			t.Fatalf("checkpoint %d, %v, after %d updates", pos, err, last)
		}
		want := ""
		if pos > 0 {
			want = fmt.Sprint(pos)
			survived++
		}
		wantValue(t, s, pos, "a", want)
		wantValue(t, s, pos, "z", want)
		if damage != nil && pos > 0 {
			t.Errorf("a store that was deleted has a checkpoint: %v", damage)
		}
		closeStore(t, s)
	}
}

// full is a disk that refuses writes of tables while it is on.
func full() *errorfs.Toggle {
	return &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if strings.HasSuffix(op.Path, ".sst") && op.Kind == errorfs.OpFileWrite {
			return syscall.ENOSPC
		}
		return nil
	})}
}

func TestAFullDiskIsWaitedFor(t *testing.T) {
	var log domaintest.Buffer
	disk := full()
	cfg := pebblestore.Config{Dir: "d", FS: errorfs.Wrap(vfs.NewMem(), disk), FlushEvery: 10, Log: slog.New(slog.NewTextHandler(&log, nil))}
	s, err := pebblestore.Open("fold", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 1, "k", "v")
	disk.On()
	pos := domain.Position(1)
	update := func() error {
		pos++
		return s.Update(pos, func(b projections.Batch) error { return b.Set([]byte("k"), fmt.Append(nil, pos)) })
	}
	refused := until(t, update, func(err error) bool { return err != nil })
	if domain.CodeOf(refused) != domain.CodeDiskFailed || !domain.IsRetriable(refused) {
		t.Errorf("Update on a full disk: %v", refused)
	}
	if _, found, err := s.Get([]byte("k")); !found || err != nil {
		t.Errorf("reads on a full disk: %v, %v", found, err)
	}
	disk.Off()
	until(t, update, func(err error) bool { return err == nil })
	wantValue(t, s, pos, "k", fmt.Sprint(pos))
	closeStore(t, s)
	if got := log.String(); !strings.Contains(got, "can't be written; it is tried again") || !strings.Contains(got, "is written again") {
		t.Errorf("logged %s", got)
	}
	if s, err = pebblestore.Open("fold", 1, cfg); err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, pos, "k", fmt.Sprint(pos))
	closeStore(t, s)
}

func TestCloseOnAFullDiskEnds(t *testing.T) {
	disk := full()
	cfg := pebblestore.Config{Dir: "d", FS: errorfs.Wrap(vfs.NewMem(), disk)}
	s, err := pebblestore.Open("fold", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, 1, "k", "v")
	disk.On()
	if err := s.Close(); domain.CodeOf(err) != domain.CodeDiskFailed {
		t.Errorf("Close: %v", err)
	}
	disk.Off()
	if s, err = pebblestore.Open("fold", 1, cfg); err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, 0, "k", "")
	closeStore(t, s)
}

// Where Pebble would end the process: its logger does when the manifest can't be
// written, and a folder that can't be synced makes its flush panic.
func TestPebbleGivingUpIsBuiltAgain(t *testing.T) {
	t.Run("manifest", func(t *testing.T) {
		givesUp(t, func(op errorfs.Op) bool {
			return strings.Contains(op.Path, "MANIFEST") && op.Kind == errorfs.OpFileWrite
		})
	})
	t.Run("folder", func(t *testing.T) {
		givesUp(t, func(op errorfs.Op) bool {
			return op.Kind == errorfs.OpFileSync && strings.HasSuffix(op.Path, "fold-1")
		})
	})
}

func givesUp(t *testing.T, breaks func(errorfs.Op) bool) {
	broken := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if breaks(op) {
			return syscall.EIO
		}
		return nil
	})}
	cfg := pebblestore.Config{Dir: "d", FS: errorfs.Wrap(vfs.NewMem(), broken), FlushEvery: 1}
	s, err := pebblestore.Open("fold", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	broken.On()
	pos := domain.Position(0)
	refused := until(t, func() error {
		pos++
		return s.Update(pos, func(b projections.Batch) error { return b.Set([]byte("k"), []byte("v")) })
	}, func(err error) bool { return err != nil && !domain.IsRetriable(err) })
	if domain.CodeOf(refused) != domain.CodeCorrupt {
		t.Errorf("Update: %v", refused)
	}
	broken.Off()
	closeStore(t, s)
	if s, err = pebblestore.Open("fold", 1, cfg); err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, 0, "k", "")
	closeStore(t, s)
}

// until calls again until the answer is as wanted: Pebble flushes in its own
// time.
func until(t *testing.T, call func() error, done func(error) bool) error {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for {
		err := call()
		if done(err) {
			return err
		}
		select {
		case <-deadline:
			t.Fatalf("still %v", err)
		case <-tick.C:
		}
	}
}

// A store that Pebble gives up because no more files may be opened is sound: nobody says
// that it is lost, and it is there when they may be.
func TestNoMoreFilesLosesNothing(t *testing.T) {
	var logged bytes.Buffer
	broken := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate && strings.Contains(op.Path, "marker.manifest") {
			return &os.PathError{Op: "open", Path: op.Path, Err: syscall.EMFILE}
		}
		return nil
	})}
	cfg := pebblestore.Config{Dir: "d", FS: errorfs.Wrap(vfs.NewMem(), broken), Log: slog.New(slog.NewTextHandler(&logged, nil))}
	s, err := pebblestore.Open("fold", 1, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Update(1, func(b projections.Batch) error { return b.Set([]byte("k"), []byte("v")) }); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	broken.On()
	s, _, err = pebblestore.Recover("fold", 1, cfg)
	if err == nil {
		err = s.Update(2, func(b projections.Batch) error { return b.Set([]byte("k"), []byte("w")) })
		_ = s.Close()
	}
	if domain.CodeOf(err) != domain.CodeNoDescriptors || !strings.Contains(err.Error(), "ulimit -n") {
		t.Errorf("without files: %v", err)
	}
	if says := logged.String(); strings.Contains(says, "is lost and") || strings.Contains(says, "damaged and is folded again") || !strings.Contains(says, "nothing of it is lost") {
		t.Errorf("it says %s", says)
	}
	broken.Off()
	if s, err = pebblestore.Open("fold", 1, cfg); err != nil {
		t.Fatal(err)
	}
	wantValue(t, s, 1, "k", "v")
	closeStore(t, s)
}
