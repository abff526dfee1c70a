package domain

// EpochBegun says that from here on what clients were sent before may not be what stands in
// the log: something happened to it that only who looks at it from outside can know. The
// epoch's id is that of the envelope, which is random.
type EpochBegun struct {
	Reason EpochReason `json:"reason"`
	Before ID          `json:"before"` // the epoch that ended
}

// EpochReason says why an epoch began. It is stored.
type EpochReason string

// The reasons of epochs.
const (
	EpochLoss       EpochReason = "loss"        // the log lacked records that a start had noted
	EpochFailedSync EpochReason = "failed_sync" // the disk refused to make records durable
	EpochRepair     EpochReason = "repair"      // the log was repaired
	EpochRestore    EpochReason = "restore"     // it was restored from a backup
	EpochImport     EpochReason = "import"      // it was filled from an export
	EpochMove       EpochReason = "move"        // it was moved to a cluster, or back
	EpochTakeover   EpochReason = "takeover"    // another machine of a cluster writes it
	EpochCopy       EpochReason = "copy"        // it was put into the data directory by hand
)

// EpochKey marks every event that begins an epoch.
const EpochKey Key = "epoch"

// Keys go onto the event's envelope.
func (EpochBegun) Keys() []Key { return []Key{EpochKey} }
