// Package zstd takes the place of the C library that Pebble asks for by this name, with
// the part of its API that Pebble calls. To build the C library takes a sixth of the time
// of the whole program, and the log doesn't use it: its blocks are compressed by Snappy.
// What a store has that was written with zstd can be read and written by this one.
//
// Pebble has its own way without C, the build tag pebblegozstd. A plain `go build` sets no
// tags, so the replacement stands in go.mod.
package zstd

import "github.com/klauspost/compress/zstd"

// Ctx compresses and decompresses blocks. It isn't safe for concurrent use.
type Ctx interface {
	// CompressLevel compresses src into dst, which has CompressBound bytes of room, by one
	// of the levels of the C library (1 to 22).
	CompressLevel(dst, src []byte, level int) ([]byte, error)
	// DecompressInto decompresses src into dst, and returns how many bytes it has written.
	// It fails when src is damaged or what is in it doesn't fit.
	DecompressInto(dst, src []byte) (int, error)
}

// NewCtx makes a Ctx.
func NewCtx() Ctx { return &context{encoders: map[zstd.EncoderLevel]*zstd.Encoder{}} }

// CompressBound is the most bytes that size bytes are compressed to.
func CompressBound(size int) int { return bounding.MaxEncodedSize(size) }

var bounding, _ = zstd.NewWriter(nil) // options fail, and it has none

type context struct {
	encoders map[zstd.EncoderLevel]*zstd.Encoder
	decoder  *zstd.Decoder
}

// CompressLevel implements Ctx.
func (c *context) CompressLevel(dst, src []byte, level int) ([]byte, error) {
	speed := zstd.EncoderLevelFromZstd(level)
	if c.encoders[speed] == nil {
		encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(speed), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, err
		}
		c.encoders[speed] = encoder
	}
	return c.encoders[speed].EncodeAll(src, dst[:0]), nil
}

// DecompressInto implements Ctx.
func (c *context) DecompressInto(dst, src []byte) (int, error) {
	if c.decoder == nil {
		decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecodeAllCapLimit(true))
		if err != nil {
			return 0, err
		}
		c.decoder = decoder
	}
	out, err := c.decoder.DecodeAll(src, dst[:0:len(dst)])
	return len(out), err
}
