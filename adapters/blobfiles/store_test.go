package blobfiles_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/blobfiles"
	"chalie/domain"

	"pgregory.net/rapid"
)

func open(t testing.TB, dir string) *blobfiles.Store {
	t.Helper()
	s, err := blobfiles.Open(blobfiles.Config{Dir: dir})
	must(t, err)
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, s *blobfiles.Store, content string) string {
	t.Helper()
	hash, err := s.Put(t.Context(), []byte(content))
	must(t, err)
	return hash
}

// fails checks an error's category, code and what it says.
func fails(t testing.TB, err error, category domain.Category, code domain.Code, says ...string) {
	t.Helper()
	if domain.CategoryOf(err) != category || domain.CodeOf(err) != code {
		t.Errorf("the error is %v (%q, %q), want %q, %q", err, domain.CategoryOf(err), domain.CodeOf(err), category, code)
		return
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("the error doesn't say %q: %v", s, err)
		}
	}
}

// files lists a folder's files with their modes, without KEY.
func files(t testing.TB, dir string) (out []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == "KEY" {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		out = append(out, rel)
		return err
	}))
	return out
}

func path(dir, hash string) string { return filepath.Join(dir, hash[:2], hash) }

func TestPutAndGet(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "images")
	s := open(t, dir)
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SliceOfN(rapid.Byte(), 0, 4096).Draw(t, "content")
		hash, err := s.Put(context.Background(), content)
		if err != nil {
			t.Fatal(err)
		}
		again, err := s.Put(context.Background(), content)
		if err != nil || again != hash {
			t.Fatalf("put again it is %s, %v", again, err)
		}
		got, err := s.Get(context.Background(), hash)
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("it comes back as %x, %v", got, err)
		}
	})
	hash := put(t, s, "one")
	before := len(files(t, dir))
	if put(t, s, "one") != hash || put(t, s, "two") == hash || len(files(t, dir)) != before+1 {
		t.Errorf("the files are %v", files(t, dir))
	}
	got, err := open(t, dir).Get(t.Context(), hash)
	if err != nil || string(got) != "one" {
		t.Errorf("after opening again: %q, %v", got, err)
	}
}

// TestHashIsKeyed checks the hash by its definition: a stored one must mean the
// same for ever, and nothing to who has no key.
func TestHashIsKeyed(t *testing.T) {
	dir := t.TempDir()
	hash := put(t, open(t, dir), "one")
	text, err := os.ReadFile(filepath.Join(dir, "KEY"))
	must(t, err)
	digits, _, _ := strings.Cut(string(text), " ")
	key, err := hex.DecodeString(digits)
	must(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("one"))
	if want := hex.EncodeToString(mac.Sum(nil)); len(key) != 32 || hash != want {
		t.Errorf("the hash is %s, want %s by a key of %d bytes", hash, want, len(key))
	}
	if other := put(t, open(t, t.TempDir()), "one"); other == hash {
		t.Error("two folders have one key")
	}
}

func TestPermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "images")
	s := open(t, dir)
	hash := put(t, s, "one")
	for name, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "KEY"): 0o600, filepath.Join(dir, hash[:2]): 0o700, path(dir, hash): 0o600} {
		info, err := os.Stat(name)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode().Perm(), want)
		}
	}
}

func TestUnusableFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(file, nil, 0o600))
	_, err := blobfiles.Open(blobfiles.Config{Dir: file})
	fails(t, err, domain.Dependency, domain.CodeDiskFailed, file, "permissions")
	_, err = blobfiles.Open(blobfiles.Config{})
	fails(t, err, domain.Validation, "invalid", "Dir")

	// A file where a folder belongs makes one content unkeepable, whoever runs this.
	dir := t.TempDir()
	s := open(t, dir)
	hash := put(t, s, "one")
	must(t, os.RemoveAll(filepath.Join(dir, hash[:2])))
	must(t, os.WriteFile(filepath.Join(dir, hash[:2]), nil, 0o600))
	_, err = s.Put(t.Context(), []byte("one"))
	fails(t, err, domain.Dependency, domain.CodeDiskFailed, dir)
	_, err = s.Get(t.Context(), hash)
	fails(t, err, domain.Dependency, domain.CodeDiskFailed, dir)
	if !domain.IsRetriable(err) {
		t.Error("a disk may get well again")
	}
}

func TestLeftoversOfACrash(t *testing.T) {
	dir := t.TempDir()
	hash := put(t, open(t, dir), "one")
	for _, name := range []string{"incoming-1", "incoming-2345"} {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("ha"), 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("somebody's own"), 0o600))
	reader, err := blobfiles.Open(blobfiles.Config{Dir: dir, ReadOnly: true})
	must(t, err)
	if n := len(files(t, dir)); n != 4 {
		t.Errorf("a reader left %v", files(t, dir))
	}
	if got, err := reader.Get(t.Context(), hash); err != nil || string(got) != "one" {
		t.Errorf("a reader reads %q, %v", got, err)
	}
	s := open(t, dir)
	want := fmt.Sprint([]string{filepath.Join(hash[:2], hash), "notes.txt"})
	if got := fmt.Sprint(files(t, dir)); got != want && got != fmt.Sprint([]string{"notes.txt", filepath.Join(hash[:2], hash)}) {
		t.Errorf("what is left is %s, want %s", got, want)
	}
	if got, err := s.Get(t.Context(), hash); err != nil || string(got) != "one" {
		t.Errorf("the content is %q, %v", got, err)
	}
}

func TestDamage(t *testing.T) {
	for name, change := range map[string]func(string) error{
		"a byte":   func(name string) error { return os.WriteFile(name, []byte("onf"), 0o600) },
		"cut off":  func(name string) error { return os.Truncate(name, 2) },
		"emptied":  func(name string) error { return os.Truncate(name, 0) },
		"extended": func(name string) error { return os.Truncate(name, 4) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := open(t, dir)
			hash := put(t, s, "one")
			must(t, change(path(dir, hash)))
			_, err := s.Get(t.Context(), hash)
			fails(t, err, domain.Dependency, domain.CodeCorrupt, hash, "backup")
			if put(t, s, "one") != hash {
				t.Error("put again it has another hash")
			}
			if got, err := s.Get(t.Context(), hash); err != nil || string(got) != "one" {
				t.Errorf("putting it again didn't mend it: %q, %v", got, err)
			}
		})
	}
}

func TestNotThere(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	hash := put(t, s, "one")
	must(t, os.Remove(path(dir, hash)))
	for _, h := range []string{
		hash, strings.Repeat("0", 64), "", "ab", strings.ToUpper(hash), hash + "0", "../KEY",
		"../" + strings.Repeat("0", 61), strings.Repeat("0", 63) + "/", "incoming-" + strings.Repeat("0", 55),
	} {
		_, err := s.Get(t.Context(), h)
		fails(t, err, domain.NotFound, blobfiles.CodeNoBlob)
	}
}

func TestKeyIsNeverReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		change func(key string) error
		says   string
	}{
		"missing":       {os.Remove, "is missing"},
		"emptied":       {func(key string) error { return os.Truncate(key, 0) }, "is damaged"},
		"cut off":       {func(key string) error { return os.Truncate(key, 70) }, "is damaged"},
		"another digit": {func(key string) error { return edit(key, 3) }, "is damaged"},
		"another sum":   {func(key string) error { return edit(key, 70) }, "is damaged"},
		"no hex": {func(key string) error {
			return os.WriteFile(key, []byte(strings.Repeat("x", 64)+" 0011223344556677\n"), 0o600)
		}, "is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			key := filepath.Join(dir, "KEY")
			hash := put(t, open(t, dir), "one")
			whole, err := os.ReadFile(key)
			must(t, err)
			must(t, c.change(key))
			changed, _ := os.ReadFile(key)
			for _, readOnly := range []bool{false, true} {
				_, err := blobfiles.Open(blobfiles.Config{Dir: dir, ReadOnly: readOnly})
				fails(t, err, domain.Dependency, blobfiles.CodeKeyLost, key, c.says, "backup")
			}
			if now, _ := os.ReadFile(key); !bytes.Equal(now, changed) {
				t.Errorf("the key became %q", now)
			}
			must(t, os.WriteFile(key, whole, 0o600))
			if got, err := open(t, dir).Get(t.Context(), hash); err != nil || string(got) != "one" {
				t.Errorf("with its key back: %q, %v", got, err)
			}
		})
	}
}

// edit changes one digit of a file.
func edit(name string, at int) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if text[at]++; text[at] == '9'+1 || text[at] == 'f'+1 {
		text[at] = '0'
	}
	return os.WriteFile(name, text, 0o600)
}

// TestCrashWhileTheKeyIsMade leaves part of one, and nothing named by it.
func TestCrashWhileTheKeyIsMade(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "KEY"), []byte("0123"), 0o600))
	must(t, os.Mkdir(filepath.Join(dir, "ab"), 0o700))
	s := open(t, dir)
	hash := put(t, s, "one")
	if got, err := open(t, dir).Get(t.Context(), hash); err != nil || string(got) != "one" {
		t.Errorf("it comes back as %q, %v", got, err)
	}
}

func TestReadOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "images")
	s, err := blobfiles.Open(blobfiles.Config{Dir: dir, ReadOnly: true})
	must(t, err)
	_, err = s.Put(t.Context(), []byte("one"))
	fails(t, err, domain.Dependency, domain.CodeClosed, "chalie serve")
	_, err = s.Get(t.Context(), strings.Repeat("0", 64))
	fails(t, err, domain.NotFound, blobfiles.CodeNoBlob)
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a reader made the folder: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Put(ctx, []byte("one"))
	fails(t, err, domain.Dependency, "cancelled")
	_, err = s.Get(ctx, strings.Repeat("0", 64))
	fails(t, err, domain.Dependency, "cancelled")
	if len(files(t, dir)) != 0 {
		t.Errorf("the folder has %v", files(t, dir))
	}
}

func TestConcurrentPuts(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	const writers, contents = 16, 8
	hashes := make([][contents]string, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range contents {
				content := bytes.Repeat([]byte{byte(i)}, 10_000)
				hash, err := s.Put(t.Context(), content)
				if err != nil {
					t.Error(err)
					return
				}
				hashes[w][i] = hash
				if got, err := s.Get(t.Context(), hash); err != nil || !bytes.Equal(got, content) {
					t.Errorf("content %d came back as %d bytes, %v", i, len(got), err)
				}
			}
		})
	}
	wg.Wait()
	for w := range hashes {
		if hashes[w] != hashes[0] {
			t.Errorf("writer %d got %v, the first %v", w, hashes[w], hashes[0])
		}
	}
	if len(files(t, dir)) != contents {
		t.Errorf("the files are %v", files(t, dir))
	}
}
