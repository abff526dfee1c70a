package pebblelog

import (
	"context"
	"encoding/binary"
	"maps"

	"chalie/domain"
)

// Consumers are the positions of all consumers that ever saved one, by name. None
// is beyond the tail.
func (l *Log) Consumers(context.Context) (map[string]domain.Position, error) {
	s, err := l.pin()
	if err != nil {
		return nil, err
	}
	defer s.release()
	out := map[string]domain.Position{}
	err = eachIn(s.db, []byte{prefixCheckpoint}, func(key, value []byte) error {
		if pos, n := binary.Uvarint(value); n > 0 {
			out[string(key[1:])] = domain.Position(pos)
		}
		return nil
	})
	if err != nil {
		return nil, unreadableIndex(err)
	}
	l.checkpoints.mu.Lock()
	maps.Copy(out, l.checkpoints.riding)
	maps.Copy(out, l.checkpoints.unsaved)
	l.checkpoints.mu.Unlock()
	tail := l.Tail()
	for name, pos := range out {
		out[name] = min(pos, tail)
	}
	return out, nil
}
