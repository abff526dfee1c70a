package teststore

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
)

// disk is what a node has agreed to, in one file of frames: length, checksum, kind and
// bytes. A frame that a kill tore is cut off at the next start. An entry that stands there
// again at a lower index replaces what followed it.
type disk struct {
	file  *os.File
	end   int64
	full  atomic.Bool // nothing more can be written
	state raftpb.HardState
	nodes raftpb.ConfState
	at    []slot // of the entry with index i+1
}

// slot is where an entry is.
type slot struct {
	term   uint64
	offset int64
	size   int
}

var errDiskFull = errors.New("no space left on device")

const (
	frameHead  = 8
	entryFrame = 'e'
	stateFrame = 's'
)

// openDisk opens the file of a node that is one of so many.
func openDisk(dir string, nodes int) (*disk, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, "events"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	d := &disk{file: file}
	for i := range nodes {
		d.nodes.Voters = append(d.nodes.Voters, uint64(i+1))
	}
	err = d.load()
	if err == nil {
		err = file.Truncate(d.end)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return d, nil
}

// load reads the whole frames.
func (d *disk) load() error {
	all, err := io.ReadAll(d.file)
	if err != nil {
		return err
	}
	for rest := all; len(rest) > frameHead; {
		size := int(binary.BigEndian.Uint32(rest))
		if size == 0 || len(rest)-frameHead < size || crc32.ChecksumIEEE(rest[frameHead:frameHead+size]) != binary.BigEndian.Uint32(rest[4:]) {
			break
		}
		body := rest[frameHead+1 : frameHead+size]
		switch rest[frameHead] {
		case entryFrame:
			var e raftpb.Entry
			if err := e.Unmarshal(body); err != nil {
				return err
			}
			d.at = append(d.at[:e.Index-1], slot{e.Term, d.end + frameHead + 1, len(body)})
		case stateFrame:
			if err := d.state.Unmarshal(body); err != nil {
				return err
			}
		}
		rest = rest[frameHead+size:]
		d.end = int64(len(all) - len(rest))
	}
	return nil
}

// save writes entries and the state, and returns when they are on the disk.
func (d *disk) save(entries []raftpb.Entry, state raftpb.HardState) error {
	if d.full.Load() {
		return errDiskFull
	}
	var out []byte
	frame := func(kind byte, body []byte) {
		sum := crc32.Update(crc32.ChecksumIEEE([]byte{kind}), crc32.IEEETable, body)
		out = binary.BigEndian.AppendUint32(out, uint32(len(body)+1))
		out = binary.BigEndian.AppendUint32(out, sum)
		out = append(append(out, kind), body...)
	}
	at := d.at
	for _, e := range entries {
		body, err := e.Marshal()
		if err != nil {
			return err
		}
		at = append(at[:e.Index-1], slot{e.Term, d.end + int64(len(out)) + frameHead + 1, len(body)})
		frame(entryFrame, body)
	}
	if !raft.IsEmptyHardState(state) {
		body, err := state.Marshal()
		if err != nil {
			return err
		}
		frame(stateFrame, body)
		d.state = state
	}
	if _, err := d.file.WriteAt(out, d.end); err != nil {
		return err
	}
	d.at, d.end = at, d.end+int64(len(out))
	return d.file.Sync()
}

var _ raft.Storage = (*disk)(nil)

// InitialState implements raft.Storage.
func (d *disk) InitialState() (raftpb.HardState, raftpb.ConfState, error) {
	return d.state, d.nodes, nil
}

// Entries implements raft.Storage.
func (d *disk) Entries(lo, hi, maxSize uint64) (out []raftpb.Entry, err error) {
	total := uint64(0)
	for i := lo; i < hi; i++ {
		s := d.at[i-1]
		if total += uint64(s.size); len(out) > 0 && total > maxSize {
			break
		}
		body := make([]byte, s.size)
		if _, err := d.file.ReadAt(body, s.offset); err != nil {
			return nil, err
		}
		var e raftpb.Entry
		if err := e.Unmarshal(body); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// Term implements raft.Storage.
func (d *disk) Term(i uint64) (uint64, error) {
	switch {
	case i == 0:
		return 0, nil
	case i > uint64(len(d.at)):
		return 0, raft.ErrUnavailable
	}
	return d.at[i-1].term, nil
}

// LastIndex implements raft.Storage.
func (d *disk) LastIndex() (uint64, error) { return uint64(len(d.at)), nil }

// FirstIndex implements raft.Storage.
func (d *disk) FirstIndex() (uint64, error) { return 1, nil }

// Snapshot implements raft.Storage: everything is kept, so nobody needs one.
func (d *disk) Snapshot() (raftpb.Snapshot, error) {
	return raftpb.Snapshot{}, raft.ErrSnapshotTemporarilyUnavailable
}
