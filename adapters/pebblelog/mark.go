package pebblelog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"sync"
	"time"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// markFile says, outside the write-ahead log, how far the log is durable. A
// write-ahead log whose end was damaged looks like one that ends earlier; the
// mark tells the two apart.
//
// It is written after each sync of the log, and synced beside the appends once a
// second: so it may be older than the log, and never newer. It has two slots, written
// in turn, each in a sector of its own and with a checksum: a slot that was torn or
// damaged leaves the other, which is one group older. The store remembers that it has
// a mark, so one that is gone is missed.
//
//	slot      magic[8] position(uint64) CRC-32C(uint32) over both, big-endian
const markFile = "MARK"

const (
	markMagic  = "chalimk1"
	markSlot   = 4096
	markBytes  = len(markMagic) + 8 + 4
	markSlots  = 2
	markLength = markSlots * markSlot
)

// markEvery is how old the mark may be on the disk after a power loss.
const markEvery = time.Second

// mark writes the file. The zero mark has no file and writes nothing.
type mark struct {
	mu      sync.Mutex
	file    vfs.File
	written chan struct{}   // has room for one: the file was written since it was taken
	through domain.Position // the position in the file, or the one that couldn't be written
	stale   bool            // it couldn't be written
	slot    int
	buf     [markBytes]byte
}

// open takes the file, or makes it, and writes that the log is durable through
// tail. A new one is made durable itself.
func (m *mark) open(cfg Config, tail domain.Position) error {
	name := cfg.FS.PathJoin(cfg.Dir, markFile)
	_, statErr := cfg.FS.Stat(name)
	file, err := cfg.FS.OpenReadWrite(name, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.file, m.slot, m.written = file, slotOf(file), make(chan struct{}, 1)
	if err := m.write(tail); err != nil || statErr == nil {
		return err
	}
	// Both slots are there from the start, so that no write makes the file longer.
	if _, err := file.WriteAt([]byte{0}, markLength-1); err != nil {
		return err
	}
	return firstOf(file.Sync(), syncFolder(cfg, cfg.Dir))
}

// set notes that everything through tail is durable.
func (m *mark) set(tail domain.Position) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil || tail <= m.through {
		return nil
	}
	return m.write(tail)
}

func (m *mark) write(tail domain.Position) error {
	m.through = tail
	copy(m.buf[:], markMagic)
	binary.BigEndian.PutUint64(m.buf[len(markMagic):], uint64(tail))
	end := markBytes - 4
	binary.BigEndian.PutUint32(m.buf[end:], crc32.Checksum(m.buf[:end], castagnoli))
	m.slot = (m.slot + 1) % markSlots
	_, err := m.file.WriteAt(m.buf[:], int64(m.slot)*markSlot)
	m.stale = err != nil
	select {
	case m.written <- struct{}{}:
	default:
	}
	return err
}

// keep syncs what was written, at most every markEvery, until stop is closed. No append
// waits for it.
func (m *mark) keep(stop <-chan struct{}, failed func(error)) {
	for {
		select {
		case <-m.written:
			failed(m.file.SyncData())
		case <-stop:
			return
		}
		select {
		case <-time.After(markEvery):
		case <-stop:
			return
		}
	}
}

// close makes the mark exact and durable.
func (m *mark) close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.file == nil {
		return nil
	}
	var err error
	if m.stale {
		err = m.write(m.through)
	}
	err = firstOf(err, m.file.Sync(), m.file.Close())
	m.file = nil
	return err
}

// remember notes in the store that it has a mark.
func (m *mark) remember(s *store) error {
	_, closer, err := s.db.Get(markedKey)
	if err == nil {
		return closer.Close()
	}
	if !errors.Is(err, pebble.ErrNotFound) {
		return err
	}
	return s.change(func() error { return s.db.Set(markedKey, nil, pebble.Sync) })
}

// markedKey is there when the store has a mark.
var markedKey = append([]byte{prefixMeta}, "marked"...)

// readMark is the position in a folder's mark. The error continues the words "the mark".
func readMark(cfg Config) (domain.Position, error) {
	file, err := cfg.FS.Open(cfg.FS.PathJoin(cfg.Dir, markFile))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, errors.New("is missing")
	}
	if err != nil {
		return 0, fmt.Errorf("can't be read: %w", err)
	}
	defer file.Close()
	var through domain.Position
	var found bool
	for slot := range markSlots {
		if pos, ok := readSlot(file, slot); ok {
			through, found = max(through, pos), true
		}
	}
	if !found {
		return 0, errors.New("is damaged")
	}
	return through, nil
}

func readSlot(file io.ReaderAt, slot int) (domain.Position, bool) {
	var buf [markBytes]byte
	if _, err := file.ReadAt(buf[:], int64(slot)*markSlot); err != nil && !errors.Is(err, io.EOF) {
		return 0, false
	}
	end := markBytes - 4
	if string(buf[:len(markMagic)]) != markMagic || crc32.Checksum(buf[:end], castagnoli) != binary.BigEndian.Uint32(buf[end:]) {
		return 0, false
	}
	return domain.Position(binary.BigEndian.Uint64(buf[len(markMagic):])), true
}

// slotOf is the slot written last, which the next write must leave alone.
func slotOf(file io.ReaderAt) int {
	first, _ := readSlot(file, 0)
	second, _ := readSlot(file, 1)
	if second > first {
		return 1
	}
	return 0
}
