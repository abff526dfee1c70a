package commands

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"

	"chalie/domain"
)

// TokenPrefix marks a token's text, so that people and scanners recognise one
// that got lost.
const TokenPrefix = "chalie_"

// NewSecret is 256 random bits as text that is fit for a URL and a header.
func NewSecret() string {
	var bits [32]byte
	// Read never fails: it would end the program first.
	_, _ = rand.Read(bits[:])
	return base64.RawURLEncoding.EncodeToString(bits[:])
}

// SameSecret compares two secrets in constant time. An empty one is no secret
// and equals nothing.
func SameSecret(a, b string) bool {
	x, y := domain.HashSecret(a), domain.HashSecret(b)
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1 && a != ""
}
