package projections

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
)

// Comparable is a projection whose store holds more than what it knows: how its
// keys are cut depends on when it was saved. It tells what it knows in one way
// only, so that two folds of the same records can be compared.
//
// A projection that stores the same bytes for the same records, whenever it is
// saved, need not be one.
type Comparable interface {
	Projection
	// Entities calls fn for each thing that s holds, in ascending order of keys,
	// until fn returns false. Slices are valid during the call.
	Entities(s Snapshot, fn func(key, value []byte) bool) error
	// Describe is an entity's value as JSON, for people.
	Describe(key, value []byte) (json.RawMessage, error)
}

// Entities calls fn for each thing that a projection keeps in s, in ascending
// order of keys, until fn returns false: the same keys and values for the same
// records, whenever they were saved. Slices are valid during the call.
func Entities(p Projection, s Snapshot, fn func(key, value []byte) bool) error {
	if c, ok := p.(Comparable); ok {
		return c.Entities(s, fn)
	}
	return s.Range(firstOwn, nil, false, fn)
}

// Digest is a hash of all that a projection keeps in s: the same for the same
// records, on every machine.
func Digest(p Projection, s Snapshot) (string, error) {
	sum := sha256.New()
	var length []byte
	err := Entities(p, s, func(key, value []byte) bool {
		length = binary.AppendUvarint(length[:0], uint64(len(key)))
		length = binary.AppendUvarint(length, uint64(len(value)))
		for _, part := range [][]byte{length, key, value} {
			_, _ = sum.Write(part) // a hash takes every write
		}
		return true
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// describe is an entity's value as JSON. What isn't JSON is told in hexadecimal
// digits.
func describe(p Projection, key, value []byte) json.RawMessage {
	if c, ok := p.(Comparable); ok {
		if text, err := c.Describe(key, value); err == nil {
			return text
		}
	}
	if json.Valid(value) {
		return bytes.Clone(value)
	}
	return json.RawMessage(strconv.Quote(hex.EncodeToString(value)))
}

// nameOf writes a key so that a person can tell it from others: text as it is,
// and of a binary key the letter that says what it is and the rest in hexadecimal
// digits.
func nameOf(key []byte) string {
	for _, c := range key {
		if c < ' ' || c > '~' {
			return fmt.Sprintf("%c:%x", key[0], key[1:])
		}
	}
	return string(key)
}
