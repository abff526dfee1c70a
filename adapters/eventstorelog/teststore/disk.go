package teststore

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
)

// disk is the file of a node: frames of length, checksum and bytes. A frame that a kill
// tore is cut off at the next start.
type disk struct {
	file *os.File
	full atomic.Bool // nothing more can be written
}

var errDiskFull = errors.New("no space left on device")

const frameHead = 8

func openDisk(dir string, each func(frame []byte) error) (*disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "events"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	end, err := eachFrame(file, each)
	if err == nil {
		err = file.Truncate(end)
	}
	if err == nil {
		_, err = file.Seek(end, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &disk{file: file}, nil
}

// eachFrame reads the whole frames, and returns where they end.
func eachFrame(file *os.File, each func(frame []byte) error) (end int64, err error) {
	all, err := io.ReadAll(file)
	if err != nil {
		return 0, err
	}
	for rest := all; len(rest) >= frameHead; {
		size := int(binary.BigEndian.Uint32(rest))
		if len(rest)-frameHead < size || crc32.ChecksumIEEE(rest[frameHead:frameHead+size]) != binary.BigEndian.Uint32(rest[4:]) {
			break
		}
		if err := each(rest[frameHead : frameHead+size]); err != nil {
			return 0, err
		}
		rest = rest[frameHead+size:]
		end = int64(len(all) - len(rest))
	}
	return end, nil
}

// write appends frames, and returns when they are on the disk.
func (d *disk) write(frames [][]byte) error {
	if len(frames) == 0 {
		return nil
	}
	if d.full.Load() {
		return errDiskFull
	}
	var out []byte
	for _, frame := range frames {
		out = binary.BigEndian.AppendUint32(out, uint32(len(frame)))
		out = binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(frame))
		out = append(out, frame...)
	}
	if _, err := d.file.Write(out); err != nil {
		return err
	}
	return d.file.Sync()
}
