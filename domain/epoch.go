package domain

import "context"

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
	EpochAnother    EpochReason = "another_log" // never recorded: a client has seen another log
)

// EpochKey marks every event that begins an epoch.
const EpochKey Key = "epoch"

// Keys go onto the event's envelope.
func (EpochBegun) Keys() []Key { return []Key{EpochKey} }

// Epoch is a part of a log's life during which what clients were sent stays true.
type Epoch struct {
	ID     ID
	From   Position // its first record
	Reason EpochReason
}

// Epochs are those of a log, the earliest first. The first has no reason, and its id is that of
// the log's first record.
type Epochs []Epoch

// EpochsOf reads the epochs of a log.
func EpochsOf(ctx context.Context, r Selecter) (Epochs, error) {
	var out Epochs
	if _, err := Look(ctx, r, Selector{}, 1, 1, func(rec Record) {
		out = append(out, Epoch{ID: rec.Envelope.ID, From: rec.Position})
	}); err != nil {
		return nil, err
	}
	_, err := Look(ctx, r, Selector{Key: EpochKey}, 1, mostEpochs, func(rec Record) {
		e := Epoch{ID: rec.Envelope.ID, From: rec.Position, Reason: EpochLoss} // of one that was erased
		if begun, err := Decode[EpochBegun](rec.Envelope); err == nil {
			e.Reason = begun.Reason
		}
		out = append(out, e)
	})
	return out, err
}

// mostEpochs bounds the epochs that are read.
const mostEpochs = 10_000

// Current is the id of the latest; none of an empty log.
func (e Epochs) Current() ID {
	if len(e) == 0 {
		return ID{}
	}
	return e[len(e)-1].ID
}

// Crossed is the epoch that began after another one had ended; false when that is the current
// one. Of one that this log doesn't have, what was seen of it may all be otherwise: it is the
// latest, from the beginning.
func (e Epochs) Crossed(seen ID) (Epoch, bool) {
	for i, one := range e {
		switch {
		case one.ID != seen:
		case i+1 < len(e):
			return e[i+1], true
		default:
			return Epoch{}, false
		}
	}
	if len(e) == 0 {
		return Epoch{}, false
	}
	last := e[len(e)-1]
	if last.Reason == "" {
		last.Reason = EpochAnother
	}
	last.From = 1
	return last, true
}
