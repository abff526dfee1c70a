package domain

// ProjectionDiverged says that a projection doesn't know what the log says: folded
// again through the same position it came out otherwise. It goes on answering.
type ProjectionDiverged struct {
	Name       string   `json:"name"`
	Version    int      `json:"version"`
	Position   Position `json:"position"`    // through which both were folded
	ServedHash string   `json:"served_hash"` // SHA-256 of what answers, hex
	FoldedHash string   `json:"folded_hash"` // and of what the log gives
	Differing  uint64   `json:"differing"`   // things that the two don't agree on
}

// ProjectionKey marks what is recorded of a projection.
func ProjectionKey(name string) Key { return "projection/" + Key(name) }
