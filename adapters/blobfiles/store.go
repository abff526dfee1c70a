package blobfiles

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chalie/commands/message"
	"chalie/commands/voice"
	"chalie/domain"
)

// Codes of what can happen to a folder and its contents.
const (
	CodeKeyLost domain.Code = "blob_key_lost" // contents are there, their key is not
	CodeNoBlob  domain.Code = "no_blob"       // nothing is there under a hash
)

const (
	incomingPrefix = "incoming-"
	prefixDigits   = 2
)

// Config says where contents are kept.
type Config struct {
	Dir string // made when it isn't there
	// What one of the contents is called in errors; default: image.
	What string
	// ReadOnly changes nothing in the folder, which may be missing. Put then fails.
	ReadOnly bool
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	if c.Dir == "" {
		return domain.Invalid("configure image folder", "Dir", "Dir is required")
	}
	return nil
}

// Store is a folder of contents. It is safe for concurrent use, and has nothing
// to close.
type Store struct {
	cfg Config
	key []byte // nil when there is none, and then there are no contents either
}

var (
	_ message.Blobs    = (*Store)(nil)
	_ voice.Recordings = (*Store)(nil)
)

// Open makes the folder and its key when they aren't there, and removes what a
// crash left half written.
//
// Errors: validation, and a dependency error, CodeKeyLost when the key is gone or
// damaged and contents are there.
func Open(cfg Config) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg.What = cmp.Or(cfg.What, "image")
	if !cfg.ReadOnly {
		if err := prepare(cfg.Dir); err != nil {
			return nil, cfg.unusable(err)
		}
	}
	key, err := loadKey(cfg)
	if err != nil {
		return nil, err
	}
	return &Store{cfg: cfg, key: key}, nil
}

// prepare makes the folder, durably, and clears it of leftovers.
func prepare(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := syncDir(filepath.Dir(dir)); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && isIncoming(e.Name()) {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func isIncoming(name string) bool {
	return len(name) > len(incomingPrefix) && name[:len(incomingPrefix)] == incomingPrefix
}

// Put keeps a content and returns its hash once it is durable. A content that is
// there already is not written again.
//
// Errors: dependency, retriable. ctx is looked at before anything is written.
func (s *Store) Put(ctx context.Context, content []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", &domain.Error{Op: "keep " + s.cfg.What, Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "the request ended before its " + s.cfg.What + " was kept: send it again"}
	}
	if s.cfg.ReadOnly {
		return "", &domain.Error{Op: "keep " + s.cfg.What, Category: domain.Dependency, Code: domain.CodeClosed,
			Message: s.cfg.What + "s can't be kept while Chalie isn't running: start it with chalie serve"}
	}
	hash := s.hash(content)
	folder := filepath.Join(s.cfg.Dir, hash[:prefixDigits])
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", s.cfg.unusable(err)
	}
	name := filepath.Join(folder, hash)
	if kept, err := os.ReadFile(name); err != nil || !bytes.Equal(kept, content) {
		if err := s.write(name, content); err != nil {
			return "", s.cfg.unusable(err)
		}
	}
	// Also when it was there: whoever put it there may not have come so far yet.
	if err := errors.Join(syncDir(folder), syncDir(s.cfg.Dir)); err != nil {
		return "", s.cfg.unusable(err)
	}
	return hash, nil
}

// write makes a file that has its name only once it is whole.
func (s *Store) write(name string, content []byte) error {
	file, err := os.CreateTemp(s.cfg.Dir, incomingPrefix+"*") // mode 0600
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		// What can't be removed either is left for the next Open.
		_ = os.Remove(file.Name())
	}
	return err
}

// Get returns the content put under a hash.
//
// Errors: not found with CodeNoBlob; a dependency error with domain.CodeCorrupt
// when it isn't what was put, and with domain.CodeDiskFailed when it can't be read.
func (s *Store) Get(ctx context.Context, hash string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, &domain.Error{Op: "read " + s.cfg.What, Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "the request ended before its " + s.cfg.What + " was read"}
	}
	if !isHash(hash) || s.key == nil {
		return nil, s.cfg.noBlob(hash, nil)
	}
	name := filepath.Join(s.cfg.Dir, hash[:prefixDigits], hash)
	content, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, s.cfg.noBlob(hash, err)
	case err != nil:
		return nil, s.cfg.unusable(err)
	case s.hash(content) != hash:
		return nil, &domain.Error{Op: "read " + s.cfg.What, Category: domain.Dependency, Code: domain.CodeCorrupt,
			Message: fmt.Sprintf("the file %s is not what was kept there: bring it back from a backup, or upload the %s again", name, s.cfg.What)}
	}
	return content, nil
}

// Remove forgets what was put under a hash, durably. What isn't there is no error.
//
// Errors: dependency, retriable.
func (s *Store) Remove(ctx context.Context, hash string) error {
	if err := ctx.Err(); err != nil {
		return &domain.Error{Op: "forget " + s.cfg.What, Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err,
			Message: "the request ended before its " + s.cfg.What + " was forgotten: send it again"}
	}
	if s.cfg.ReadOnly {
		return &domain.Error{Op: "forget " + s.cfg.What, Category: domain.Dependency, Code: domain.CodeClosed,
			Message: s.cfg.What + "s can't be forgotten while Chalie isn't running: start it with chalie serve"}
	}
	if !isHash(hash) {
		return nil
	}
	folder := filepath.Join(s.cfg.Dir, hash[:prefixDigits])
	err := os.Remove(filepath.Join(folder, hash))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = syncDir(folder)
	}
	if err != nil {
		return s.cfg.unusable(err)
	}
	return nil
}

func (s *Store) hash(content []byte) string {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(content)
	return hex.EncodeToString(mac.Sum(nil))
}

// isHash holds what becomes part of a path to 64 lower-case hex digits.
func isHash(hash string) bool {
	if len(hash) != hex.EncodedLen(sha256.Size) {
		return false
	}
	for _, c := range []byte(hash) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func syncDir(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (c Config) noBlob(hash string, err error) error {
	return &domain.Error{Op: "read " + c.What, Category: domain.NotFound, Code: CodeNoBlob, Err: err,
		Message: fmt.Sprintf("no %s is kept under %.64q: bring the folder back from a backup, or upload it again", c.What, hash)}
}

func (c Config) unusable(err error) error {
	return &domain.Error{Op: "use " + c.What + " folder", Category: domain.Dependency, Code: domain.CodeDiskFailed, Retriable: true, Err: err,
		Message: fmt.Sprintf("can't use %s for %ss: check its permissions and the free space, then try again", c.Dir, c.What)}
}
