package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/spf13/cobra"

	"chalie/adapters/backupdir"
	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/projections"
)

const restoreHelp = `Restore makes a new data directory of what "chalie backup" wrote, and proves it: every
sum of the backup, every record of the log as "verify" does, and everything that is
folded from it, which has to come out as it was when the backup was made. Only then
the directory gets its name.

The backup is only read. What --data names must not be there yet, or be empty. A
restore that is broken off leaves a folder whose name ends in .restoring; the next
one begins anew.

What is restored is the same Chalie, as it was: it falls to it to remind and to
answer. Don't let another one go on beside it.

A newer Chalie that folds some things in another way can't compare those, and says so.
--unproven takes a log whose folds come out otherwise.`

const restoreExample = `  chalie restore /mnt/disk/chalie --data ./data
  chalie restore /mnt/disk/chalie --data trial && chalie world --data trial`

func restoreCommand(c *cli) *cobra.Command {
	var unproven bool
	cmd := &cobra.Command{
		Use: "restore DIR", Short: "Make a data directory of a backup, and prove it", Long: restoreHelp, Example: restoreExample, Args: exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			keepToOwner()
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			r := restoring{from: args[0], to: c.data, unproven: unproven, meter: c.Meter()}
			result, err := r.run(ctx)
			if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
				err = stoppedWaiting{errors.New("the restore was interrupted; nothing was restored")}
			}
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(result)
			}
			return c.restored(result)
		},
	}
	cmd.Flags().BoolVar(&unproven, "unproven", false, "take a log whose folds come out otherwise than when it was backed up")
	return cmd
}

// restoredResult is what a restore brought back.
type restoredResult struct {
	Data       string          `json:"data"`
	At         domain.Millis   `json:"at"` // of the backup
	Records    uint64          `json:"records"`
	Through    domain.Position `json:"through"`
	Lost       uint64          `json:"lost,omitempty"` // named so
	Files      int             `json:"files"`
	Compared   []string        `json:"compared"`             // folds that came out the same
	Uncompared []string        `json:"uncompared,omitempty"` // this build folds them in another way, or the backup lacks them
	Differing  []string        `json:"differing,omitempty"`  // taken all the same
}

func (c *cli) restored(r restoredResult) error {
	if err := c.Printf("Restored to %s: %s through position %s and %s, as of %s. Every record is as it was written, and %s.\n", oneLine(r.Data),
		counted(r.Records, "record", "records"), grouped(uint64(r.Through)), counted(r.Files, "file", "files"), c.Moment(r.At),
		counted(len(r.Compared), "fold came out as it was", "folds came out as they were")); err != nil {
		return err
	}
	var notes []string
	if r.Lost > 0 {
		notes = append(notes, counted(r.Lost, "record was", "records were")+" lost already when it was backed up, and named so.")
	}
	if len(r.Uncompared) > 0 {
		notes = append(notes, "Not compared, because this Chalie folds them in another way: "+strings.Join(r.Uncompared, ", ")+".")
	}
	if len(r.Differing) > 0 {
		notes = append(notes, c.Paint(term.Yellow, "Otherwise than when it was backed up: ")+strings.Join(r.Differing, ", ")+".")
	}
	notes = append(notes, "Start it with `"+c.again("serve")+"`, and let no other one go on.")
	for _, note := range notes {
		if err := c.Println(note); err != nil {
			return err
		}
	}
	return nil
}

// restoring is one restore.
type restoring struct {
	from, to string
	unproven bool
	meter    term.Meter

	backup *backupdir.Backup
	result restoredResult
}

// restoringSuffix is behind the name of a data directory that isn't proved yet.
const restoringSuffix = ".restoring"

// staging is where the data directory is made.
func (r *restoring) staging() string { return filepath.Clean(r.to) + restoringSuffix }

func (r *restoring) run(ctx context.Context) (_ restoredResult, err error) {
	if r.backup, err = backupdir.Open(nil, r.from); err != nil {
		return r.result, err
	}
	if err := r.free(); err != nil {
		return r.result, err
	}
	lock, err := r.begin()
	if err != nil {
		return r.result, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	b := r.backup
	r.result = restoredResult{Data: r.to, At: b.At, Through: b.Last.Position, Files: len(b.Files), Compared: []string{}}
	for _, step := range []func(context.Context) error{r.records, r.files, r.verify, r.prove, r.finish} {
		if err := step(ctx); err != nil {
			r.meter.Clear()
			return r.result, err
		}
	}
	r.meter.Clear()
	return r.result, nil
}

// free refuses a directory with anything in it.
func (r *restoring) free() error {
	entries, err := os.ReadDir(r.to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return apart(r.to, r.from)
	case err != nil:
		return noDataDir(r.to, err)
	case len(entries) > 0:
		return &domain.Error{Op: "restore", Category: domain.Conflict, Code: "not_empty",
			Message: fmt.Sprintf("%s is there already, with %s in it; nothing was changed; name a new directory with --data, or move that one away", oneLine(r.to), oneLine(entries[0].Name()))}
	}
	return apart(r.to, r.from)
}

// lockName is the lock of a directory that is being made.
const lockName = "RESTORING"

// begin makes the directory anew, for this process alone.
func (r *restoring) begin() (io.Closer, error) {
	if err := os.MkdirAll(r.staging(), 0o700); err != nil {
		return nil, noDataDir(r.staging(), err)
	}
	lock, err := vfs.Default.Lock(filepath.Join(r.staging(), lockName))
	if err != nil {
		return nil, &domain.Error{Op: "restore", Category: domain.Conflict, Code: "locked", Retriable: true, Err: err,
			Message: fmt.Sprintf("another restore makes %s, or it can't be written; wait until that is done, or name another directory with --data", oneLine(r.staging()))}
	}
	entries, err := os.ReadDir(r.staging())
	for _, e := range entries {
		if err == nil && e.Name() != lockName {
			err = os.RemoveAll(filepath.Join(r.staging(), e.Name()))
		}
	}
	if err != nil {
		return nil, errors.Join(noDataDir(r.staging(), err), lock.Close())
	}
	return lock, nil
}

func (r *restoring) log(readOnly bool) pebblelog.Config {
	return pebblelog.Config{Dir: logFolder(r.staging()), Clock: sysclock.Clock{}, Holder: "chalie restore", ReadOnly: readOnly}
}

// records imports every piece.
func (r *restoring) records(ctx context.Context) error {
	log, err := pebblelog.BeginImport(r.log(false))
	if err != nil {
		return err
	}
	ids, total := ulids.New(sysclock.Clock{}), r.backup.Last.Position
	pace := r.meter.Pace()
	err = r.backup.Each(ctx, func(p backupdir.Piece, in io.Reader) error {
		file, err := exportfile.NewReader(in, false)
		if err != nil {
			return inPiece(p, err)
		}
		came, err := exportfile.Import(ctx, file, log, ids, func(done, _ domain.Position) { pace(p.From+done, total) })
		r.result.Records += came.Records
		r.result.Lost += came.Lost
		return inPiece(p, err)
	})
	if err == nil && log.Next() != total+1 {
		err = &domain.Error{Op: "restore", Category: domain.Conflict, Code: backupdir.CodeDamaged,
			Message: fmt.Sprintf("the backup in %s should reach position %d, and reaches %d; take it from another copy", oneLine(r.from), total, log.Next()-1)}
	}
	if err != nil {
		return errors.Join(err, log.Abandon())
	}
	return log.Finish()
}

// inPiece names the piece in an error of what is in it.
func inPiece(p backupdir.Piece, err error) error {
	e, ok := errors.AsType[*domain.Error](err)
	if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) || !ok {
		return err
	}
	said := *e
	said.Message = p.Name() + ": " + said.Message
	return &said
}

func (r *restoring) files(ctx context.Context) error { return r.backup.CopyFiles(ctx, r.staging()) }

// verify walks over the whole log.
func (r *restoring) verify(ctx context.Context) (err error) {
	log, err := pebblelog.Open(r.log(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if err := passGate(ctx, log); err != nil {
		return err
	}
	report, err := log.Verify(ctx, r.meter.Pace())
	if err == nil && len(report.Problems) > 0 {
		err = &domain.Error{Op: "restore", Category: domain.Dependency, Code: domain.CodeCorrupt,
			Message: fmt.Sprintf("what was restored isn't sound: position %d: %s; look at the disk of %s, and restore again", report.Problems[0].Position, report.Problems[0].Error, oneLine(r.staging()))}
	}
	return err
}

// prove folds the log and compares, at each position at which something stood when it was
// backed up. What it folds the first start goes on from.
func (r *restoring) prove(ctx context.Context) error {
	stood := map[domain.Position][]backupdir.Fold{}
	var positions []domain.Position
	for _, f := range r.backup.Folds {
		if stood[f.Position] == nil {
			positions = append(positions, f.Position)
		}
		stood[f.Position] = append(stood[f.Position], f)
	}
	slices.Sort(positions)
	compared := map[string]bool{}
	for _, pos := range positions {
		found, err := r.foldThrough(ctx, pos)
		if err != nil {
			return err
		}
		for _, f := range stood[pos] {
			i := slices.IndexFunc(found, func(s projections.Stand) bool { return s.Name == f.Name && s.Version == f.Version })
			switch {
			case i < 0:
			case found[i].Digest == f.Digest:
				compared[f.Name] = true
				r.result.Compared = append(r.result.Compared, f.Name)
			default:
				compared[f.Name] = true
				r.result.Differing = append(r.result.Differing, f.Name)
			}
		}
	}
	for _, k := range today() {
		if !compared[k.Name] {
			r.result.Uncompared = append(r.result.Uncompared, k.Name)
		}
	}
	if len(r.result.Differing) > 0 && !r.unproven {
		return &domain.Error{Op: "restore", Category: domain.Conflict, Code: "unproven",
			Message: fmt.Sprintf("every record is as it was backed up, and what is folded from them isn't: %s; the Chalie that wrote the backup, %s, may know more; restore with it, or take the log with --unproven", strings.Join(r.result.Differing, ", "), oneLine(r.backup.Build))}
	}
	return nil
}

// foldThrough is how every projection stands at a position of the restored log.
func (r *restoring) foldThrough(ctx context.Context, pos domain.Position) (out []projections.Stand, err error) {
	clock, quiet := sysclock.Clock{}, slog.New(slog.DiscardHandler)
	log, err := pebblelog.Open(r.log(true))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	held, err := newFolds(projections.Through(log, pos), clock, quiet, storesOf(r.staging(), quiet, machineMemory(), 0).Serve)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, held.Close()) }()
	held.Run()
	defer r.meter.Clear()
	if err := foldThrough(ctx, held.Group, 0, pos, r.meter.Pace()); err != nil {
		return nil, err
	}
	return held.Group.Stands(ctx)
}

// finish gives the directory its name: from then on it is there.
func (r *restoring) finish(context.Context) error {
	if err := nextEpoch(r.staging(), domain.EpochRestore); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(r.staging(), lockName)); err != nil {
		return noDataDir(r.staging(), err)
	}
	if err := syncFolder(r.staging()); err != nil {
		return noDataDir(r.staging(), err)
	}
	if err := os.Remove(r.to); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty one
		return noDataDir(r.to, err)
	}
	if err := os.Rename(r.staging(), filepath.Clean(r.to)); err != nil {
		return noDataDir(r.to, err)
	}
	return syncFolder(filepath.Dir(filepath.Clean(r.to)))
}

func syncFolder(name string) error {
	dir, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
