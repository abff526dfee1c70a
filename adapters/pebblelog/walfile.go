package pebblelog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/batchrepr"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/wal"
)

// A write-ahead file is blocks of 32 KiB, each of chunks that don't cross blocks:
//
//	CRC(uint32) length(uint16) encoding(byte) log number(uint32) payload
//	CRC(uint32) length(uint16) encoding(byte) log number(uint32) synced(uint64) payload
//
// little-endian, the checksum over everything from the encoding on. A batch is one
// full chunk, or a first one, middle ones and a last one.
const (
	walBlock     = 32 << 10
	walHeader    = 11 // of encodings 5 to 8
	walSyncBytes = 8  // more, of encodings 9 to 12
)

// The parts of a batch, in the order of their encodings from 5 and from 9.
const (
	chunkFull = iota
	chunkFirst
	chunkMiddle
	chunkLast
)

// walScan reads every whole batch of a write-ahead file. Unlike Pebble's reader it
// continues behind damage, because later batches may be intact.
type walScan struct {
	number  uint32
	batch   []byte // of a batch whose last chunk is still to come
	partial bool
}

// run calls fn with each batch. The bytes are valid until fn returns.
func (s *walScan) run(in io.Reader, fn func(batch []byte)) error {
	block := make([]byte, walBlock)
	for {
		n, err := io.ReadFull(in, block)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		s.block(block[:n], fn)
		if n < walBlock {
			return nil
		}
	}
}

func (s *walScan) block(block []byte, fn func(batch []byte)) {
	for at := 0; len(block)-at >= walHeader; {
		part, payload, end, ok := s.chunk(block, at)
		if !ok {
			// The rest of a block in which no chunk has room is zero. Anything else
			// is damage, or an end: a batch can't reach across it.
			if len(block)-at >= walHeader+walSyncBytes {
				s.partial = false
			}
			at++
			continue
		}
		switch {
		case part == chunkFull:
			s.partial = false
			fn(payload)
		case part == chunkFirst:
			s.batch, s.partial = append(s.batch[:0], payload...), true
		case s.partial:
			s.batch = append(s.batch, payload...)
			if part == chunkLast {
				s.partial = false
				fn(s.batch)
			}
		}
		at = end
	}
}

// chunk reads the chunk that begins at a place of a block, if one does.
func (s *walScan) chunk(block []byte, at int) (part int, payload []byte, end int, ok bool) {
	head := block[at:]
	encoding := int(head[6])
	if encoding < 5 || encoding > 12 || binary.LittleEndian.Uint32(head[7:]) != s.number {
		return 0, nil, 0, false
	}
	header := walHeader
	if encoding > 8 {
		header += walSyncBytes
	}
	length := header + int(binary.LittleEndian.Uint16(head[4:]))
	if length > len(head) {
		return 0, nil, 0, false
	}
	crc := crc32.Checksum(head[6:length], castagnoli)
	if (crc>>15|crc<<17)+0xa282ead8 != binary.LittleEndian.Uint32(head) {
		return 0, nil, 0, false
	}
	return (encoding - 5) % 4, head[header:length], at + length, true
}

// walFile is one write-ahead file.
type walFile struct {
	fs     vfs.FS
	name   string
	number uint32
}

// walFiles are the write-ahead files of a folder, oldest first.
func walFiles(cfg Config) ([]walFile, error) {
	logs, err := wal.Scan(wal.Dir{FS: cfg.FS, Dirname: cfg.Dir})
	if err != nil {
		return nil, err
	}
	var out []walFile
	for _, l := range logs {
		for i := range l.NumSegments() {
			fs, name := l.SegmentLocation(i)
			out = append(out, walFile{fs, name, uint32(l.Num)})
		}
	}
	return out, nil
}

// each calls fn with every whole batch.
func (f walFile) each(fn func(batch []byte)) error {
	in, err := f.fs.Open(f.name)
	if err != nil {
		return err
	}
	scan := walScan{number: f.number}
	return firstOf(scan.run(in, fn), in.Close())
}

// eachSet calls fn with every key that a batch sets. A batch that isn't one ends it.
func eachSet(batch []byte, fn func(key, value []byte)) {
	if len(batch) < batchrepr.HeaderLen {
		return
	}
	for r := batchrepr.Read(batch); ; {
		_, key, value, ok, err := r.Next()
		if !ok || err != nil {
			return
		}
		fn(key, value)
	}
}

// eachRecord calls fn with the position and bytes of every record in a batch.
func eachRecord(batch []byte, fn func(pos domain.Position, value []byte)) {
	eachSet(batch, func(key, value []byte) {
		if pos, ok := ofRecord(key); ok {
			fn(pos, value)
		}
	})
}
