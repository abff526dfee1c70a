package pebblelog

import "chalie/domain"

// OnDisk is what the records through a position, and the indexes of all, take of the disk, as
// Pebble estimates it from its tables: what isn't in one yet doesn't count. It is 0 of what can't be told.
func (l *Log) OnDisk(through domain.Position) (records, indexes uint64) {
	s, err := l.pin()
	if err != nil {
		return 0, 0
	}
	defer s.release()
	between := func(from, end []byte) uint64 {
		n, err := s.db.EstimateDiskUsage(from, end)
		if err != nil {
			return 0 // a table can't be read: whoever reads its records says so
		}
		return n
	}
	records = between(recordKey(nil, 0), recordKey(nil, through+1))
	return records, between([]byte{0}, []byte{prefixRecord}) + between([]byte{prefixRecord + 1}, []byte{0xff})
}

// Measures are metrics of the store by name; none while no store is open. What only grows is called _total.
func (l *Log) Measures() map[string]float64 {
	s, err := l.pin()
	if err != nil {
		return nil
	}
	defer s.release()
	m := s.db.Metrics()
	return map[string]float64{
		"disk_bytes":               float64(m.DiskSpaceUsage()),
		"wal_bytes":                float64(m.WAL.Size),
		"memtable_bytes":           float64(m.MemTable.Size),
		"tables_open":              float64(m.FileCache.TableCount),
		"level_0_tables":           float64(m.Levels[0].TablesCount),
		"read_amplification":       float64(m.ReadAmp()),
		"compaction_debt_bytes":    float64(m.Compact.EstimatedDebt),
		"compactions_total":        float64(m.Compact.Count),
		"flushes_total":            float64(m.Flush.Count),
		"block_cache_bytes":        float64(m.BlockCache.Size),
		"block_cache_hits_total":   float64(m.BlockCache.Hits),
		"block_cache_misses_total": float64(m.BlockCache.Misses),
	}
}
