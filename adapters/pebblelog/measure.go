package pebblelog

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
