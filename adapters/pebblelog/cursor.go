package pebblelog

import (
	"encoding/binary"

	"chalie/domain"
)

// list reads a counted list of short texts.
func list[T ~string](in *cursor) []T {
	n := in.uvarint()
	if n == 0 || in.err != nil {
		return nil
	}
	if n > domain.MaxKeys {
		in.fail()
		return nil
	}
	out := make([]T, 0, n)
	for range n {
		out = append(out, T(in.text()))
	}
	return out
}

// cursor reads forward until the bytes end, and then keeps its first error.
type cursor struct {
	rest []byte
	err  error
}

func (c *cursor) fail() {
	if c.err == nil {
		c.err = errTruncated
	}
	c.rest = nil
}

func (c *cursor) take(n uint64) []byte {
	if uint64(len(c.rest)) < n {
		c.fail()
		return nil
	}
	out := c.rest[:n:n]
	c.rest = c.rest[n:]
	return out
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.rest)
	if n <= 0 {
		c.fail()
		return 0
	}
	c.rest = c.rest[n:]
	return v
}

func (c *cursor) text() []byte {
	n := c.uvarint()
	if n == 0 {
		return nil
	}
	return c.take(n)
}
