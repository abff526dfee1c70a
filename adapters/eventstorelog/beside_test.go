package eventstorelog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/eventstorelog"
	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// folder is a data directory beside a log.
type folder struct {
	testing.TB
	*eventstorelog.Beside
	dir string
}

func besideOf(t *testing.T, url, stream, dir string) folder {
	t.Helper()
	m := join(t, url, stream, t.TempDir(), system{})
	return folder{t, m.node.Beside(dir, "images", "images/KEY", "models.json"), dir}
}

func (f folder) write(name, content string) {
	f.Helper()
	file := filepath.Join(f.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		f.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		f.Fatal(err)
	}
}

// has wants a file to have this content; "" for no file.
func (f folder) has(name, content string) {
	f.Helper()
	got, _ := os.ReadFile(filepath.Join(f.dir, name))
	if string(got) != content {
		f.Errorf("%s has %d bytes, want %d, or others", name, len(got), len(content))
	}
}

func (f folder) restored() folder {
	f.Helper()
	if err := f.Restore(f.Context()); err != nil || f.Locked() != nil {
		f.Fatalf("restoring: %v, %v", err, f.Locked())
	}
	return f
}

func (f folder) kept(names ...string) folder {
	f.Helper()
	if err := f.Keep(f.Context(), names...); err != nil {
		f.Fatalf("keeping: %v", err)
	}
	return f
}

// lend copies the key, as its person does.
func (f folder) lend(to folder) {
	f.Helper()
	key, err := os.ReadFile(filepath.Join(f.dir, eventstorelog.KeyFile))
	if err != nil {
		f.Fatal(err)
	}
	to.write(eventstorelog.KeyFile, string(key))
}

// TestBeside: what is beside the log comes to another machine that has the key, and
// nobody else reads it.
func TestBeside(t *testing.T) {
	t.Parallel()
	url, stream := reach(t), freshStream()
	large := strings.Repeat("a picture ", 150_000) // in several parts
	first := besideOf(t, url, stream, t.TempDir()).restored()
	first.write("images/KEY", "the key of images")
	first.write("images/ab/abcd", large)
	first.write("images/cd/cdef", "")
	first.write("models.json", "models")
	first.write("images/incoming-1", "half")
	first.write("secret.txt", "not kept")
	first.kept()
	first.write("images/ef/efgh", "another")
	first.kept("images/ef/efgh")

	second := besideOf(t, url, stream, t.TempDir())
	if err := second.Restore(t.Context()); err != nil || domain.CodeOf(second.Locked()) != eventstorelog.CodeBesideLocked {
		t.Errorf("without the key: %v, %v", err, second.Locked())
	}
	if err := second.Keep(t.Context()); domain.CodeOf(err) != eventstorelog.CodeBesideLocked {
		t.Errorf("without the key it kept something: %v", err)
	}
	second.has("images/KEY", "")
	second = besideOf(t, url, stream, second.dir)
	first.lend(second)
	second.restored()
	second.has("images/KEY", "the key of images")
	second.has("images/ab/abcd", large)
	second.has("images/ef/efgh", "another")
	second.has("models.json", "models")
	second.has("secret.txt", "")
	second.has("images/incoming-1", "")
	if _, err := os.Stat(filepath.Join(second.dir, "images", "cd", "cdef")); err != nil {
		t.Error(err)
	}

	// What is changed on one machine comes to the other, unless that changed it as well.
	second.write("models.json", "changed")
	second.kept()
	first = besideOf(t, url, stream, first.dir).restored()
	first.has("models.json", "changed")
	first.write("models.json", "changed here")
	second.write("models.json", "changed there")
	second.kept()
	first.restored().has("models.json", "changed here")
	first.kept()
	second.restored().has("models.json", "changed here")

	// A machine that had its own before it joined keeps them aside.
	third := besideOf(t, url, stream, t.TempDir())
	first.lend(third)
	third.write("images/KEY", "its own")
	third.restored().has("images/KEY", "the key of images")
	third.has("images/KEY.before", "its own")

	// Another key reads nothing, and spoils nothing.
	other := besideOf(t, url, stream, t.TempDir())
	other.write(eventstorelog.KeyFile, strings.Repeat("ab", 32)+"\n")
	if err := other.Restore(t.Context()); err != nil || !strings.Contains(other.Locked().Error(), "another cluster") {
		t.Errorf("another key: %v, %v", err, other.Locked())
	}
	stored := readStream(t, url, stream+"-beside")
	for _, secret := range []string{"a picture", "models", "abcd", "changed"} {
		if bytes.Contains(stored, []byte(secret)) {
			t.Errorf("the cluster can read %q", secret)
		}
	}
}

// TestBesideTogether: two machines that add at once lose nothing.
func TestBesideTogether(t *testing.T) {
	t.Parallel()
	url, stream := reach(t), freshStream()
	one := besideOf(t, url, stream, t.TempDir()).kept()
	two := besideOf(t, url, stream, t.TempDir())
	one.write("images/aa/aa11", "one")
	one.kept()
	one.lend(two)
	two.restored()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range []string{"images/bb/b1", "images/bb/b2", "images/bb/b3"} {
			two.write(name, name)
			if err := two.Keep(t.Context(), name); err != nil {
				t.Error(err)
			}
		}
	}()
	for _, name := range []string{"images/cc/c1", "images/cc/c2", "images/cc/c3"} {
		one.write(name, name)
		one.kept(name)
	}
	<-done
	three := besideOf(t, url, stream, t.TempDir())
	one.lend(three)
	three.restored()
	for _, name := range []string{"images/bb/b1", "images/bb/b2", "images/bb/b3", "images/cc/c1", "images/cc/c2", "images/cc/c3"} {
		three.has(name, name)
	}
	three.has("images/aa/aa11", "one")
}

// readStream is all that a stream has.
func readStream(t *testing.T, url, stream string) []byte {
	t.Helper()
	client := connect(t, url)
	in, err := client.ReadStream(t.Context(), stream, esdb.ReadStreamOptions{From: esdb.Start{}}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out [][]byte
	for {
		e, err := in.Recv()
		if err != nil {
			return slices.Concat(out...)
		}
		out = append(out, e.Event.Data, e.Event.UserMetadata)
	}
}
