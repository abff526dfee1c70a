package pebblelog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"chalie/domain"

	"github.com/cockroachdb/pebble/v2"
)

// checkpoints holds consumers' positions that are not yet in the store. They
// ride along with the next group commit; when nothing is appended they get a
// group of their own, in which all that were saved meanwhile share one sync.
type checkpoints struct {
	mu      sync.Mutex
	unsaved map[string]domain.Position
	riding  map[string]domain.Position // in a group that is not known to be durable
	dirty   chan struct{}              // holds one when unsaved isn't empty
}

func (c *checkpoints) init() {
	c.unsaved = map[string]domain.Position{}
	c.riding = map[string]domain.Position{}
	c.dirty = make(chan struct{}, 1)
}

func (c *checkpoints) set(name string, pos domain.Position) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.unsaved[name] = pos
	select {
	case c.dirty <- struct{}{}:
	default:
	}
}

func (c *checkpoints) get(name string) (domain.Position, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pos, ok := c.unsaved[name]; ok {
		return pos, true
	}
	pos, ok := c.riding[name]
	return pos, ok
}

// addTo puts everything unsaved into a batch. It stays readable here: a batch that can't
// be written loses no position.
func (c *checkpoints) addTo(batch *pebble.Batch) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.dirty:
	default:
	}
	for name, pos := range c.unsaved {
		if err := batch.Set(checkpointKey(nil, name), binary.AppendUvarint(nil, uint64(pos)), nil); err != nil {
			return err
		}
		c.riding[name] = pos
	}
	clear(c.unsaved)
	return nil
}

// restore makes the positions of a failed store unsaved again, unless they are known to
// be durable.
func (c *checkpoints) restore() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, pos := range c.riding {
		if _, newer := c.unsaved[name]; !newer {
			c.unsaved[name] = pos
		}
	}
	clear(c.riding)
	if len(c.unsaved) > 0 {
		select {
		case c.dirty <- struct{}{}:
		default:
		}
	}
}

// flush writes what is unsaved when the log closes.
func (c *checkpoints) flush(cfg Config, s *store) error {
	if cfg.ReadOnly {
		return nil
	}
	return s.change(func() error {
		batch := s.db.NewBatch()
		defer batch.Close()
		if err := c.addTo(batch); err != nil || batch.Empty() {
			return err
		}
		return batch.Commit(pebble.Sync)
	})
}

// Checkpoint implements domain.Checkpoints.
func (l *Log) Checkpoint(_ context.Context, name string) (domain.Position, error) {
	pos, ok := l.checkpoints.get(name)
	if !ok {
		s, err := l.pin()
		if err != nil {
			return 0, err
		}
		defer s.release()
		value, closer, err := s.db.Get(checkpointKey(nil, name))
		if errors.Is(err, pebble.ErrNotFound) {
			return 0, nil
		}
		if err != nil {
			return 0, unreadableIndex(err)
		}
		defer closer.Close()
		stored, n := binary.Uvarint(value)
		if n <= 0 {
			return 0, unreadableIndex(fmt.Errorf("the position of consumer %q can't be read", name))
		}
		pos = domain.Position(stored)
	}
	// A position past the end points at records that were lost with the disk.
	return min(pos, l.Tail()), nil
}

// SaveCheckpoint implements domain.Checkpoints.
func (l *Log) SaveCheckpoint(_ context.Context, name string, pos domain.Position) error {
	if err := checkConsumer(name); err != nil {
		return err
	}
	l.intake.RLock()
	defer l.intake.RUnlock()
	if l.closed {
		return closedError()
	}
	if l.cfg.ReadOnly {
		return &domain.Error{Op: "save checkpoint", Category: domain.Policy, Code: "read_only", Message: "the log was opened read-only"}
	}
	l.checkpoints.set(name, pos)
	return nil
}

func checkConsumer(name string) error {
	if name == "" || len(name) > domain.MaxKeyBytes {
		return domain.Invalid("save checkpoint", "name", fmt.Sprintf("a consumer's name has 1 to %d bytes", domain.MaxKeyBytes))
	}
	return nil
}
