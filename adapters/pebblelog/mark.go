package pebblelog

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// markFile says, outside the write-ahead log, how far the log is durable. A
// write-ahead log whose end was damaged looks like one that ends earlier; the
// mark tells the two apart.
//
// It is written after each sync of the log and is not synced itself, so it may be
// older than the log, and never newer. It has two slots, written in turn, each in
// a sector of its own and with a checksum: a slot that was torn or damaged leaves
// the other, which is one group older. With both unreadable there is no mark, and
// a log without one is as good as its files say. Neither is a reason to alarm.
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

// mark keeps the file. Its zero value has none, and writes nothing.
type mark struct {
	mu      sync.Mutex
	file    vfs.File
	through domain.Position // what the file says, or would if it could be written
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
	m.file, m.slot = file, slotOf(file)
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
	return err
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

// readMark is what the mark of a folder says; 0 when there is none or it can't be
// read. What is wrong with the file comes with it, for who tells.
func readMark(cfg Config) (domain.Position, error) {
	name := cfg.FS.PathJoin(cfg.Dir, markFile)
	if _, err := cfg.FS.Stat(name); err != nil {
		return 0, nil // a folder from a backup or an older version
	}
	file, err := cfg.FS.Open(name)
	if err != nil {
		return 0, err
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
		return 0, errMarkDamaged
	}
	return through, nil
}

var errMarkDamaged = errors.New("neither of its slots is as it was written")

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
