package blobfiles

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chalie/domain"
)

const (
	keyFile  = "KEY"
	keyBytes = 32
	sumBytes = 8
)

// loadKey reads the folder's key, and makes it when there is nothing yet that
// depends on one.
func loadKey(cfg Config) ([]byte, error) {
	name := filepath.Join(cfg.Dir, keyFile)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cfg.unusable(err)
	}
	key, ok := parseKey(text)
	if ok {
		return key, nil
	}
	missing := err != nil
	held, err := holdsContents(cfg.Dir)
	switch {
	case err != nil:
		return nil, cfg.unusable(err)
	case held && missing:
		return nil, cfg.lostKey("is missing")
	case held:
		return nil, cfg.lostKey("is damaged")
	case cfg.ReadOnly:
		return nil, nil
	}
	if !missing {
		// A crash while it was made: nothing was named by it.
		if err := os.Remove(name); err != nil {
			return nil, cfg.unusable(err)
		}
	}
	return makeKey(cfg, name)
}

func makeKey(cfg Config, name string) ([]byte, error) {
	key := make([]byte, keyBytes)
	// Read never fails: it would end the program first.
	_, _ = rand.Read(key)
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, cfg.unusable(err)
	}
	_, err = file.Write(formatKey(key))
	if err := errors.Join(err, file.Sync(), file.Close(), syncDir(cfg.Dir)); err != nil {
		return nil, cfg.unusable(err)
	}
	return key, nil
}

func formatKey(key []byte) []byte {
	sum := sha256.Sum256(key)
	return fmt.Appendf(nil, "%x %x\n", key, sum[:sumBytes])
}

func parseKey(text []byte) ([]byte, bool) {
	digits, _, _ := bytes.Cut(text, []byte(" "))
	key := make([]byte, keyBytes)
	if len(digits) != hex.EncodedLen(keyBytes) {
		return nil, false
	}
	if _, err := hex.Decode(key, digits); err != nil {
		return nil, false
	}
	return key, bytes.Equal(text, formatKey(key))
}

// holdsContents reports whether any file is there whose name depends on the key.
func holdsContents(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		if !e.IsDir() || len(e.Name()) != prefixDigits {
			continue
		}
		contents, err := os.ReadDir(filepath.Join(dir, e.Name()))
		if err != nil || len(contents) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}

func (c Config) lostKey(how string) error {
	return &domain.Error{Op: "open " + c.What + " folder", Category: domain.Dependency, Code: CodeKeyLost,
		Message: fmt.Sprintf("%s %s, and %ss in %s are named by it: bring the file back from a backup; "+
			"to go on without them, move the folder away, and every %s uploaded so far is forgotten", filepath.Join(c.Dir, keyFile), how, c.What, c.Dir, c.What)}
}
