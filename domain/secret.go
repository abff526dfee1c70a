package domain

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
)

// SecretHash is how the log and every fold know a secret of 256 random bits: by
// its SHA-256. Such a secret can't be guessed, so it needs no salt and no slow
// hash; passwords do, and never come this way.
type SecretHash [sha256.Size]byte

// HashSecret is the hash of a token's or a session's text.
func HashSecret(text string) SecretHash { return sha256.Sum256([]byte(text)) }

// ParseSecretHash reads 64 hex digits, or returns a validation error.
func ParseSecretHash(digits string) (SecretHash, error) {
	var h SecretHash
	if len(digits) != hex.EncodedLen(len(h)) {
		return h, Invalid("parse secret hash", "", "a secret's hash is 64 hex digits")
	}
	if _, err := hex.Decode(h[:], []byte(digits)); err != nil {
		return h, Invalid("parse secret hash", "", "a secret's hash is 64 hex digits")
	}
	return h, nil
}

// String writes the hash as 64 hex digits.
func (h SecretHash) String() string { return hex.EncodeToString(h[:]) }

// Equal compares in constant time.
func (h SecretHash) Equal(o SecretHash) bool { return subtle.ConstantTimeCompare(h[:], o[:]) == 1 }

// MarshalText writes the hash as 64 hex digits.
func (h SecretHash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads 64 hex digits.
func (h *SecretHash) UnmarshalText(text []byte) error {
	parsed, err := ParseSecretHash(string(text))
	if err != nil {
		return err
	}
	*h = parsed
	return nil
}
