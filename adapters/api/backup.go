package api

import "chalie/domain"

// BackupRequest says where to back up to.
type BackupRequest struct {
	Folder string `json:"folder" doc:"Absolute path of a backup's folder, or of an empty one, or one that isn't there yet."`
}

// Backup is what a folder has, and what was added to it.
type Backup struct {
	Folder     string          `json:"folder"`
	At         domain.Millis   `json:"at" doc:"When it was written."`
	Through    domain.Position `json:"through" doc:"The last record that it has."`
	Records    uint64          `json:"records"`
	Pieces     int             `json:"pieces"`
	Files      int             `json:"files" doc:"That stand beside the log."`
	Folds      int             `json:"folds" doc:"Projections whose digest it has, by which a restore is compared."`
	Added      uint64          `json:"added" doc:"So many of the records."`
	AddedFiles int             `json:"added_files"`
	AddedBytes int64           `json:"added_bytes"`
}
