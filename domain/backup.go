package domain

// BackupFailed says that a backup that was due couldn't be made. It is recorded once, until
// one can be made again.
type BackupFailed struct {
	Reason string `json:"reason"` // in words for the person
}

// BackupRecovered says that a backup could be made again.
type BackupRecovered struct {
	Folder string `json:"folder"`
}

// SourceBackup is the emitter of what is recorded of backups, and of what is told of one.
const SourceBackup Source = "backup"

// BackupKey marks what is recorded of backups.
const BackupKey Key = "backup"

// Keys go onto the event's envelope.
func (BackupFailed) Keys() []Key { return []Key{BackupKey} }

// Keys go onto the event's envelope.
func (BackupRecovered) Keys() []Key { return []Key{BackupKey} }
