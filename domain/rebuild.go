package domain

// ProjectionRebuilt says that a projection goes on from another store than
// before: one it was folded into again, or the one before that.
type ProjectionRebuilt struct {
	Name           string   `json:"name"`
	FromVersion    int      `json:"from_version"`
	FromGeneration int      `json:"from_generation"` // which store of its version, from 0
	ToVersion      int      `json:"to_version"`
	ToGeneration   int      `json:"to_generation"`
	Position       Position `json:"position"` // through which both were folded
	Records        uint64   `json:"records"`  // folded for it
	DurationMS     int64    `json:"duration_ms"`
	Differences    uint64   `json:"differences"` // things that the two didn't agree on; 0 when nobody compared
	RolledBack     bool     `json:"rolled_back"`
}
