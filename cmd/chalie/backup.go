package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/backupdir"
	"chalie/adapters/exportfile"
	"chalie/adapters/hmactokens"
	"chalie/adapters/models"
	"chalie/adapters/pebblelog"
	"chalie/adapters/pki"
	"chalie/adapters/sysclock"
	"chalie/commands/background"
	"chalie/domain"
)

const backupHelp = `Backup writes to a folder what the data directory has that can't be made again: every
record of the log, uploaded images, recordings, and the keys. A second run into the
same folder adds what came since, as one more piece; what is there is never written
again. Then all of it is read back and compared with its sums.

It works while Chalie runs, and without. A run that is broken off leaves the backup
that was there. "chalie restore" brings it back.

"chalie set backup_every 24h" has one made by itself that long after the last, in the same
folder, while Chalie runs.

Give it a folder on another disk. It holds everything that was said and heard, and the
keys, in clear: only you may read it.`

const backupExample = `  chalie backup /mnt/disk/chalie
  chalie backup /mnt/disk/chalie && echo it is whole`

func backupCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "backup DIR", Short: "Back up what is new, and check all of it", Long: backupHelp, Example: backupExample, Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			keepToOwner()
			folder, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			return c.folds().ask(cmd.Context(), func(api *session) error {
				object, err := metered(cmd.Context(), c, "backup", func(ctx context.Context, progress func(contract.Progress)) (apiclient.Object[contract.Backup], error) {
					return api.BackUp(ctx, contract.BackupRequest{Folder: folder}, progress)
				})
				return writeAnswer(c, object, err, c.backedUp)
			})
		},
	}
}

func (c *cli) backedUp(b contract.Backup) error {
	added := "nothing new"
	if b.Added > 0 || b.AddedFiles > 0 {
		added = fmt.Sprintf("%s and %s more, %s", counted(b.Added, "record", "records"), counted(b.AddedFiles, "file", "files"), size(b.AddedBytes))
	}
	return c.Printf("Backed up to %s: %s. It has %s through position %s and %s, and all of it was read back.\n",
		oneLine(b.Folder), added, counted(b.Records, "record", "records"), grouped(uint64(b.Through)), counted(b.Files, "file", "files"))
}

// besideLog is what stands beside the log and is backed up with it. Left out is what is made
// again (projections, audit, run, RESERVE, voice), what tells of this machine or moment alone
// (FAULT, and bridge, which may be ahead of the records), and what says where a cluster keeps
// the log (CLUSTER and its kin): what is restored is a log of its own.
func besideLog() []backupdir.Beside {
	return []backupdir.Beside{
		{Path: filepath.Base(imageFolder("")), Kept: true}, // with the key that names them
		{Path: filepath.Base(audioFolder(""))},             // a recording that was forgotten is gone
		{Path: hmactokens.FileName, Kept: true},
		{Path: pki.FileName, Kept: true},
		{Path: models.FileName},
	}
}

// backups backs up a data directory. One runs at a time.
type backups struct {
	data  string
	log   *pebblelog.Log
	folds *folds
	notes bool // where a backup was made is noted in the data directory

	mu sync.Mutex
}

// Write backs up into a folder.
func (b *backups) Write(ctx context.Context, folder string, progress func(done, total domain.Position)) (contract.Backup, error) {
	if !filepath.IsAbs(folder) {
		return contract.Backup{}, domain.Invalid("back up", "folder", fmt.Sprintf("%q is no absolute path of a folder: begin it with /", clipped(folder)))
	}
	if err := apart(b.data, folder); err != nil {
		return contract.Backup{}, err
	}
	if !b.mu.TryLock() {
		return contract.Backup{}, &domain.Error{Op: "back up", Category: domain.Conflict, Code: backupdir.CodeBusy, Retriable: true,
			Message: "a backup is being written already; wait until it is done, and try again"}
	}
	defer b.mu.Unlock()
	made, err := backupdir.Write(ctx, backupdir.Config{
		Dir: folder, Data: b.data, Beside: besideLog(), Log: backedLog{b.log, b.folds}, Scan: scanExport,
		Clock: sysclock.Clock{}, Build: thisBuild().Version, Progress: progress,
	})
	if err == nil && b.notes {
		if failure := renameio.WriteFile(filepath.Join(b.data, lastBackupFile), []byte(folder+"\n"), 0o600); failure != nil {
			err = noDataDir(b.data, failure)
		}
	}
	return contract.Backup{
		Folder: folder, At: made.At, Through: made.Last.Position, Records: made.Records(), Pieces: len(made.Pieces), Files: len(made.Files),
		Folds: len(made.Folds), Added: made.Added, AddedFiles: made.AddedFiles, AddedBytes: made.AddedBytes,
	}, err
}

// lastBackupFile has the folder of the last backup. It is of this machine, and so no setting:
// what is restored elsewhere doesn't go on into the folder of the old one by itself.
const lastBackupFile = "BACKUP-FOLDER"

var _ background.BackupMaker = (*backups)(nil)

// folder is where the last backup was made. The error is NotFound when none was.
func (b *backups) folder() (string, error) {
	text, err := os.ReadFile(filepath.Join(b.data, lastBackupFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", &domain.Error{Op: "back up", Category: domain.NotFound, Code: backupdir.CodeNoBackup,
			Message: "no backup was made yet by the Chalie that runs, so nobody knows where to; make the first with `chalie backup DIR`"}
	}
	if err != nil {
		return "", noDataDir(b.data, err)
	}
	return strings.TrimSuffix(string(text), "\n"), nil
}

// Last implements background.BackupMaker. A folder without a backup isn't begun by itself: its
// disk may not be there.
func (b *backups) Last(context.Context) (domain.Millis, error) {
	folder, err := b.folder()
	if err != nil {
		return 0, err
	}
	last, err := backupdir.Open(nil, folder)
	return last.At, err
}

// Again implements background.BackupMaker.
func (b *backups) Again(ctx context.Context) (string, error) {
	folder, err := b.folder()
	if err == nil {
		_, err = b.Write(ctx, folder, func(_, _ domain.Position) {})
	}
	return folder, err
}

// apart refuses a folder in the data directory, or the other way around.
func apart(data, folder string) error {
	data, folder = unlinked(data), unlinked(folder)
	for _, pair := range [][2]string{{data, folder}, {folder, data}} {
		if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && (rel == "." || filepath.IsLocal(rel)) {
			return domain.Invalid("back up", "folder", fmt.Sprintf("%s and the data directory %s are one in the other; name a folder elsewhere, best on another disk", oneLine(folder), oneLine(data)))
		}
	}
	return nil
}

// unlinked is a path without symbolic links, of which the end may not be there yet.
func unlinked(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	for rest := ""; ; {
		if found, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(found, rest)
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = parent
	}
}

// backedLog is the log as a backup reads it.
type backedLog struct {
	*pebblelog.Log
	folds *folds
}

var _ backupdir.Log = backedLog{}

// Folds implements backupdir.Log.
func (l backedLog) Folds(ctx context.Context) ([]backupdir.Fold, error) {
	stands, err := l.folds.Group.Stands(ctx)
	out := make([]backupdir.Fold, len(stands))
	for i, s := range stands {
		out[i] = backupdir.Fold(s)
	}
	return out, err
}

// Export implements backupdir.Log.
func (l backedLog) Export(ctx context.Context, after, through domain.Position, out io.Writer) error {
	sel := exportfile.Selection{After: after, Through: through}
	return exportfile.Export(ctx, l.Log, sel, exportfile.JSONL, domain.Events().Hash(), out)
}

// scanExport implements backupdir.Scan.
func scanExport(ctx context.Context, in io.Reader) (from, through domain.Position, records uint64, err error) {
	h, err := exportfile.Scan(ctx, in)
	return h.First, h.Last, h.Records, err
}

// clipped bounds what an error repeats.
func clipped(text string) string {
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return oneLine(text)
}
