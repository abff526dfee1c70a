package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"chalie/adapters/exportfile"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const importHelp = `Import fills an empty log with what "export" wrote. Everything gets the position,
the id and the time it had, so that what is folded from it is the same, and
Chalie goes on from there. Of a trace or a part of a period the records get new
positions, from 1.

No Chalie may run on the data directory, and its log must be empty or not there.
A file that was changed is refused, with the line; --unverified takes it as it
is and says which lines were changed. An import that is broken off leaves the log
empty.

Whoever goes on from an imported log is the same Chalie: it falls to it to remind
and to answer. Don't let both go on.`

const importExample = `  chalie import chalie.jsonl --data restored
  gunzip -c chalie.jsonl.gz | chalie import - --data restored`

func importCommand(c *cli) *cobra.Command {
	var unverified bool
	cmd := &cobra.Command{
		Use: "import FILE", Short: "Fill an empty log from a file", Long: importHelp, Example: importExample, Args: exactly("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			file, err := openExport(c, args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			result, err := importFile(ctx, c.data, file, unverified, c.Meter())
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(result)
			}
			return c.imported(result)
		},
	}
	cmd.Flags().BoolVar(&unverified, "unverified", false, "take a file that was changed as it is")
	return cmd
}

// openExport opens a file, or standard input for "-".
func openExport(c *cli, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(c.In), nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, &domain.Error{Op: "import", Category: domain.NotFound, Code: "unreadable", Err: err,
			Message: fmt.Sprintf("can't read %s; name a file that chalie export wrote, or - for standard input", oneLine(name))}
	}
	return file, nil
}

// importFile fills the log of a data directory at rest.
func importFile(ctx context.Context, data string, file io.Reader, unverified bool, m term.Meter) (exportfile.Imported, error) {
	if conn, err := unixsocket.Dial(ctx, data); err == nil {
		_ = conn.Close()
		return exportfile.Imported{}, &domain.Error{Op: "import", Category: domain.Conflict, Code: "running",
			Message: fmt.Sprintf("Chalie runs on the data in %s; stop it first, or name another data directory with --data", data)}
	}
	if saved, err := savedCluster(data); err != nil || saved.URL != "" {
		return exportfile.Imported{}, cmp.Or(err, error(&domain.Error{Op: "import", Category: domain.Conflict, Code: codeOnCluster,
			Message: fmt.Sprintf("the log of the data in %s is kept by a cluster, and isn't replaced by an import; nothing was changed; name another data directory with --data", data)}))
	}
	at := pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, Holder: "chalie import"}
	if err := keptHere(data, at); err != nil {
		return exportfile.Imported{}, err
	}
	in, err := exportfile.NewReader(file, unverified)
	if err != nil {
		return exportfile.Imported{}, err
	}
	if err := os.MkdirAll(data, 0o700); err != nil {
		return exportfile.Imported{}, noDataDir(data, err)
	}
	log, err := pebblelog.BeginImport(at)
	if err != nil {
		return exportfile.Imported{}, err
	}
	out, err := exportfile.Import(ctx, in, log, ulids.New(sysclock.Clock{}), m.Pace())
	m.Clear()
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = stoppedWaiting{errors.New("the import was interrupted; nothing was imported")}
		}
		return out, errors.Join(err, log.Abandon())
	}
	// Projections of another log are wrong for this one. The log is empty until Finish,
	// so nothing is lost.
	if err := os.RemoveAll(foldedFolder(data)); err != nil {
		return out, errors.Join(noDataDir(data, err), log.Abandon())
	}
	if err := nextEpoch(data, domain.EpochImport); err != nil {
		return out, errors.Join(err, log.Abandon())
	}
	return out, log.Finish()
}

func (c *cli) imported(r exportfile.Imported) error {
	sum := "the sum of the file is " + r.Sum
	if len(r.Changes) > 0 {
		sum = "the sum that the file names, " + r.Sum + ", is not its own any more"
	}
	if err := c.Printf("%s imported; %s.\n", counted(r.Records, "record", "records"), sum); err != nil {
		return err
	}
	var notes []string
	if r.Renumbered {
		notes = append(notes, "The file holds a part of a log: its records have new positions, and what they refer to may be missing.")
	}
	if r.Decisions != "" {
		notes = append(notes, fmt.Sprintf("It is a bundle of trace %s, whose decisions have the hash %s. Look at it with ", r.Trace, r.Decisions)+"`"+c.again("replay "+r.Trace.String())+"`.")
	}
	if r.Lost > 0 {
		notes = append(notes, counted(r.Lost, "record is", "records are")+" missing in the file; at the position of each stands one that says that it is lost.")
	}
	if r.Retired > 0 {
		notes = append(notes, counted(r.Retired, "record", "records")+" had gone there when their time to be kept was over; their positions stay taken.")
	}
	if r.LeftOut > 0 {
		notes = append(notes, counted(r.LeftOut, "record that says which positions went was", "records that say which positions went were")+" left out: other records stand there here.")
	}
	if r.Images > 0 {
		notes = append(notes, counted(r.Images, "image is", "images are")+" named, and no part of the file: copy the folder images from the data directory it was exported from.")
	}
	if len(r.Changes) > 0 {
		notes = append(notes, c.Paint(term.Yellow, "The file is not as it was exported:"))
	}
	for _, change := range r.Changes {
		where := fmt.Sprintf("  line %d", change.Line)
		if change.Position > 0 {
			where += fmt.Sprintf(", position %s, envelope %s", grouped(uint64(change.Position)), change.Envelope)
		}
		notes = append(notes, where+": "+change.What)
	}
	if r.More > 0 {
		notes = append(notes, fmt.Sprintf("  and %s", counted(uint64(r.More), "more line", "more lines")))
	}
	for _, note := range notes {
		if err := c.Println(note); err != nil {
			return err
		}
	}
	return nil
}
