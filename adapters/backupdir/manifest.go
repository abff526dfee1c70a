package backupdir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"chalie/domain"
)

// The names in a backup's folder.
const (
	manifestFile = "BACKUP"
	copyFile     = "BACKUP.copy"
	lockFile     = "LOCK"
	recordsDir   = "records"
	filesDir     = "files"
	partSuffix   = ".part"
)

// version of the format, as the manifest says.
const version = 1

// Manifest says what a backup consists of.
type Manifest struct {
	Version int           `json:"chalie_backup"`
	At      domain.Millis `json:"at"`    // when it was written
	Build   string        `json:"build"` // the program that wrote it
	First   Mark          `json:"first"` // record of the log that it has …
	Last    Mark          `json:"last"`  // … and the last one
	Pieces  []Piece       `json:"pieces"`
	Files   []File        `json:"files"`
	Folds   []Fold        `json:"folds"`
	Sum     string        `json:"sum"` // SHA-256 of the manifest with this empty
}

// Mark is a record by its place and its envelope: two logs that have the same one there are
// the same log until there.
type Mark struct {
	Position domain.Position `json:"position"`
	Envelope domain.ID       `json:"envelope_id"`
}

// Piece is an export of some records, compressed.
type Piece struct {
	From    domain.Position `json:"from"`
	Through domain.Position `json:"through"`
	Records uint64          `json:"records"`
	Bytes   int64           `json:"bytes"`
	SHA256  string          `json:"sha256"`
}

// Name is where it is in the folder.
func (p Piece) Name() string {
	return fmt.Sprintf("%s/%d-%d.jsonl.gz", recordsDir, p.From, p.Through)
}

// File is a file that stood beside the log.
type File struct {
	Path   string `json:"path"` // in the data directory, with slashes
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Name is where it is in the folder.
func (f File) Name() string { return filesDir + "/" + f.SHA256 }

// Fold is how a projection stood.
type Fold struct {
	Name     string          `json:"name"`
	Version  int             `json:"version"`
	Position domain.Position `json:"position"` // through which it had folded
	Digest   string          `json:"digest"`
}

// Records is how many there are in all.
func (m Manifest) Records() (n uint64) {
	for _, p := range m.Pieces {
		n += p.Records
	}
	return n
}

// Codes of what is wrong with a backup's folder.
const (
	CodeNoBackup   domain.Code = "no_backup"
	CodeDamaged    domain.Code = "backup_damaged"
	CodeAnotherLog domain.Code = "another_log"
	CodeBusy       domain.Code = "backup_under_way"
)

// format is the manifest's text, with its sum.
func (m Manifest) format() ([]byte, error) {
	m.Version, m.Sum = version, ""
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	m.Sum = hex.EncodeToString(sum[:])
	text, err = json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// parse reads a manifest, which has to be byte for byte as it was written.
func parse(dir string, text []byte) (m Manifest, err error) {
	var says struct {
		Version int `json:"chalie_backup"`
	}
	if json.Unmarshal(text, &says) == nil && says.Version > version {
		return m, &domain.Error{Op: "read backup", Category: domain.Conflict, Code: CodeNoBackup,
			Message: fmt.Sprintf("the backup in %s has version %d of the format, and this Chalie knows %d; use the Chalie that wrote it, or a newer one", dir, says.Version, version)}
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return m, damagedManifest(dir, err)
	}
	if again, err := m.format(); err != nil || !bytes.Equal(again, text) {
		return m, damagedManifest(dir, err)
	}
	return m, m.check(dir)
}

// check refuses a manifest that nothing of ours has written, sum and all: its names become
// names of files.
func (m Manifest) check(dir string) error {
	next := m.First.Position
	for _, p := range m.Pieces {
		if p.From != next || p.Through < p.From || !isHash(p.SHA256) {
			return damagedManifest(dir, nil)
		}
		next = p.Through + 1
	}
	if len(m.Pieces) == 0 || next != m.Last.Position+1 {
		return damagedManifest(dir, nil)
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(filepath.FromSlash(f.Path)) || !isHash(f.SHA256) {
			return damagedManifest(dir, nil)
		}
	}
	return nil
}

func isHash(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == sha256.Size
}

// read reads the manifest of a folder; NotFound with CodeNoBackup where there is none.
func (d disk) read() (Manifest, error) {
	text, err := d.content(manifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, &domain.Error{Op: "read backup", Category: domain.NotFound, Code: CodeNoBackup, Err: err,
			Message: fmt.Sprintf("there is no backup in %s: the file %s isn't there; name a folder that chalie backup wrote", d.dir, manifestFile)}
	}
	if err != nil {
		return Manifest{}, unreadable(d.path(manifestFile), err)
	}
	return parse(d.dir, text)
}

func damagedManifest(dir string, cause error) error {
	return &domain.Error{Op: "read backup", Category: domain.Conflict, Code: CodeDamaged, Err: cause,
		Message: fmt.Sprintf("the file %s in %s isn't as it was written; %s beside it is a copy: move %s away, and put that in its place", manifestFile, dir, copyFile, manifestFile)}
}

// damaged refuses a piece or a file by its name.
func damaged(path, what string) error {
	return &domain.Error{Op: "read backup", Category: domain.Conflict, Code: CodeDamaged,
		Message: fmt.Sprintf("%s isn't as it was written: %s; take it from another copy of the backup, or back up into a new folder", path, what)}
}

func unreadable(path string, cause error) error {
	return &domain.Error{Op: "read backup", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("can't read %s; check its disk and permissions", path)}
}

func cantWrite(path string, cause error) error {
	return &domain.Error{Op: "back up", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("can't write %s; check that its disk is there, its permissions and its free space; the backup before is as it was", path)}
}

func cantRestore(path string, cause error) error {
	return &domain.Error{Op: "restore", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: cause,
		Message: fmt.Sprintf("can't write %s; check its disk, its permissions and its free space, and restore again; the backup was only read", path)}
}
