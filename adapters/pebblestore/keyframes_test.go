package pebblestore_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"chalie/adapters/pebblestore"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/projectionstest"
	"chalie/projections/small"
	"chalie/projections/traces"
)

// remembering is a small projection and one that grows.
type remembering struct {
	world  *projections.InMemory[domain.World]
	traces *traces.Projection
}

func remember() (remembering, []projections.Projection) {
	r := remembering{small.World(), traces.New()}
	return r, []projections.Projection{r.world, r.traces}
}

// keptMoment is all that is known at a position.
type keptMoment struct {
	world domain.Assembly
	lines []traces.Line
}

// kept are keyframes on a disk.
type kept struct {
	*projections.Keyframes
	store *pebblestore.Store
}

func openKept(t *testing.T, log domain.Log, disk vfs.FS) kept {
	t.Helper()
	// Small tables, so that there are some.
	s, _, err := pebblestore.Recover("keyframes", 1, pebblestore.Config{Dir: "d", FS: disk, FlushEvery: 40, MemTableBytes: 64 << 10})
	if err != nil {
		t.Fatal(err)
	}
	return kept{projections.OpenKeyframes(s, projections.KeyframesConfig{
		Feed: projectionstest.UntilEnd{Feed: log}, Spacing: 10,
		Anew: func() []projections.Projection { _, ps := remember(); return ps },
	}), s}
}

func (k kept) make(t *testing.T) {
	t.Helper()
	if err := k.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// at is what was known at a position; an error when it can't be told.
func (k kept) at(t *testing.T, log domain.Log, pos domain.Position, now domain.Millis) (out keptMoment, err error) {
	t.Helper()
	then, err := projections.NewPast(log, k.Keyframes, remember).At(t.Context(), pos)
	if err != nil {
		return out, err
	}
	out.world, _ = mindAt(then.world, now)
	out.lines, err = then.traces.List(0, 10_000)
	return out, err
}

// No damage of a keyframe gives a wrong past: what can't be read is folded from the log, or
// told, and made anew.
func TestNoDamageGivesAWrongPast(t *testing.T) {
	log, now := heard(t, 150)
	sound := vfs.NewMem()
	k := openKept(t, log, sound)
	k.make(t)
	closeStore(t, k.store)
	asked := []domain.Position{9, 75, 150}
	want := map[domain.Position]keptMoment{}
	for _, pos := range asked {
		var err error
		if want[pos], err = (kept{}).at(t, log, pos, now); err != nil || len(want[pos].lines) == 0 {
			t.Fatal(want, err)
		}
	}
	dir := "d/" + pebblestore.Folder("keyframes", 1)
	files, err := sound.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	rounds, told := 0, 0
	damaged := func(where string, damage func(disk vfs.FS)) {
		rounds++
		disk := vfs.NewMem()
		if _, err := vfs.Clone(sound, disk, "d", "d"); err != nil {
			t.Fatal(err)
		}
		damage(disk)
		k := openKept(t, log, disk)
		defer func() { _ = k.store.Close() }()
		for _, made := range []bool{false, true} {
			if made {
				k.make(t)
			}
			for _, pos := range asked {
				got, err := k.at(t, log, pos, now)
				switch {
				case err != nil && !made:
					told++
				case err != nil || !reflect.DeepEqual(got, want[pos]):
					t.Fatalf("%s: at %d it is %+v, %v", where, pos, got, err)
				}
			}
		}
	}
	for _, file := range files {
		path := dir + "/" + file
		size := sizeOf(t, sound, path)
		for at := int64(0); at < size; at += max(1, size/8) {
			damaged(fmt.Sprintf("byte %d of %s", at, path), func(disk vfs.FS) { flipByte(t, disk, path, at) })
			damaged(fmt.Sprintf("%s cut at %d", path, at), func(disk vfs.FS) { cutAt(t, disk, path, at) })
		}
		damaged("without "+path, func(disk vfs.FS) {
			if err := disk.Remove(path); err != nil {
				t.Fatal(err)
			}
		})
	}
	t.Logf("%d sorts of damage, %d answers told", rounds, told)
}

func cutAt(t *testing.T, fs vfs.FS, path string, at int64) {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	text := make([]byte, at)
	if at > 0 {
		if _, err := f.ReadAt(text, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	out, err := fs.Create(path, vfs.WriteCategoryUnspecified)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// The power is cut while keyframes are made: those that are left are right, and the others
// are made anew.
func TestPowerLossOfKeyframes(t *testing.T) {
	log, now := heard(t, 150)
	rng := rand.New(rand.NewPCG(7, 11))
	left := 0
	for range 40 {
		disk := vfs.NewCrashableMem()
		k := openKept(t, log, disk)
		k.make(t)
		after := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: rng.IntN(101), RNG: rng})
		closeStore(t, k.store)
		k = openKept(t, log, after)
		if k.Newest() > 0 {
			left++
		}
		for range 2 {
			pos := domain.Position(1 + rng.IntN(150))
			want, err := (kept{}).at(t, log, pos, now)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := k.at(t, log, pos, now); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("at %d, with keyframes through %d, it is %+v, %v; want %+v", pos, k.Newest(), got, err, want)
			}
			k.make(t)
			if newest := k.Newest(); newest != 150 {
				t.Fatalf("they are made anew through %d", newest)
			}
		}
		closeStore(t, k.store)
	}
	if left == 0 {
		t.Error("no keyframe ever outlived the loss of power")
	}
}
