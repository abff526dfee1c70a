package domain

// SystemStarted says which build began to write, and what it was built from.
type SystemStarted struct {
	Version       string         `json:"version"`     // of the program
	Revision      string         `json:"revision"`    // of its source, "" when unknown
	Projections   map[string]int `json:"projections"` // name to version
	CatalogueHash string         `json:"catalogue_hash"`
	Tail          Position       `json:"tail"`           // the log's tail it started from
	Over          OverRule       `json:"over,omitempty"` // by which what is over leaves the mind from here on
	// Amendments is how many it has of those changes of what is decided by which a replay of older
	// records differs. They are numbered, from 1; 0 where that wasn't recorded.
	Amendments int `json:"amendments,omitempty"`
}

// SystemStopped says that the program ended in order, and why.
type SystemStopped struct {
	Reason string `json:"reason"`
}

// LogTakenOver says that from here on another program writes the log, which a cluster
// keeps. Whoever wrote before can't any more: its next record would stand where this one
// stands.
type LogTakenOver struct {
	Node  string `json:"node"`  // the writer's id, new at each start
	Host  string `json:"host"`  // the name of its machine
	Epoch uint64 `json:"epoch"` // counts the takeovers, from 1
}

// LossReason says why a record is lost. It is stored.
type LossReason string

// The reasons a record is lost.
const (
	LostToDamage  LossReason = "damaged_log" // nothing of it could be read when the log was repaired
	LostToAnother LossReason = "export_gap"  // the export that the log was filled from lacked it
)

// RecordLost takes the position of a record that can no longer be read. So positions stay
// without gaps, and none is given twice.
type RecordLost struct {
	Reason LossReason `json:"reason"`
	Copy   string     `json:"copy"` // name of the folder in the data directory that keeps the damaged log; "" when there is none
}

// RequestAnswered remembers the answer to a request that carried an
// Idempotency-Key, appended in one batch with what the request caused, so that
// a repeat gets the same answer and causes nothing.
type RequestAnswered struct {
	Route    string `json:"route"`
	BodyHash string `json:"body_hash"` // SHA-256 of the request's body, hex
	Status   int    `json:"status"`
	Body     string `json:"body"`
}

// ForeignMessage is a Watermill message that is no envelope, kept as it came.
type ForeignMessage struct {
	UUID     string            `json:"uuid"`
	Metadata map[string]string `json:"metadata"`
	Payload  []byte            `json:"payload"` // base64
}

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
