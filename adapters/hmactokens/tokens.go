// Package hmactokens makes the tokens by which proposals are decided: the
// HMAC-SHA-256 of a proposal's id under a key that is in a file of its own
// beside the log.
//
// So a token looks random, is the same every time, also after a restart, and
// stands nowhere: the log knows its hash only. Who has the key file can approve
// anything. When the file is lost, or damaged, a new key is made, and what was
// pending can be decided in words or expires.
package hmactokens

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chalie/commands/tool"
	"chalie/domain"

	"github.com/google/renameio/v2"
)

// FileName is that of the key in the data directory, mode 0600: 64 hex digits and
// a line break.
const FileName = "APPROVAL-KEY"

const (
	prefix     = "apr_"
	keyBytes   = 32
	tokenBytes = 24 // 192 bits, which nobody guesses within the life of a proposal
)

// Tokens has the key. It is safe for concurrent use.
type Tokens struct{ key []byte }

var _ tool.Tokens = (*Tokens)(nil)

// Open reads the key in a folder that is there, and makes one when there is none.
// The error is a dependency error.
func Open(dir string) (*Tokens, error) {
	name := filepath.Join(dir, FileName)
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, unusable(name, err)
	}
	if key, err := parse(text); err == nil {
		return &Tokens{key}, nil
	}
	key := make([]byte, keyBytes)
	// Read never fails: it would end the program first.
	_, _ = rand.Read(key)
	if err := renameio.WriteFile(name, fmt.Appendf(nil, "%x\n", key), 0o600); err != nil {
		return nil, unusable(name, err)
	}
	return &Tokens{key}, nil
}

func parse(text []byte) ([]byte, error) {
	if len(text) != hex.EncodedLen(keyBytes)+1 || text[len(text)-1] != '\n' {
		return nil, errors.New("no key")
	}
	return hex.DecodeString(string(text[:len(text)-1]))
}

// Token is the proposal's.
func (t *Tokens) Token(proposal domain.ID) string {
	mac := hmac.New(sha256.New, t.key)
	_, _ = mac.Write([]byte("approval\x00"))
	_, _ = mac.Write(proposal[:])
	return prefix + hex.EncodeToString(mac.Sum(nil)[:tokenBytes])
}

func unusable(name string, err error) error {
	return &domain.Error{Op: "open approval key", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
		Message: fmt.Sprintf("can't use %s: check the permissions of it and of its folder", name)}
}
