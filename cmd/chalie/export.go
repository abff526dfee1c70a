package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/adapters/exportfile"
	"chalie/adapters/httpapi"
	"chalie/adapters/pebblelog"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/player"
	"chalie/replay/repro"
)

const exportHelp = `Export writes what the log holds to a file that "import" reads: every record with
its position, its time, and its content byte for byte. The last line says that
the file is whole, and every line carries a sum, so that a change is found.

Without --out the file goes to standard output. With it the file gets its name
when it is whole, and only you may read it: it holds everything the log holds,
which is all that was said and heard. Uploaded images are no part of the log.
They stand in the folder images of the data directory; copy it, too.

A trace or a period is for looking at elsewhere, or for keeping. To go on from,
export everything.

With --repro it is a bundle for whoever looks for a mistake: all that the replay of
one trace rests on, with pseudonyms in the place of words that could name somebody.
It is replayed before it is written, and has to be decided as the trace is. Numbers,
times and everyday words stay: read it before you give it away.`

const exportExample = `  chalie export --out chalie.jsonl     everything
  chalie export | gzip > chalie.jsonl.gz
  chalie export --since 2026-03-01 --until 2026-04-01 --out march.jsonl
  chalie export --trace 01KB2V7WYQC3V8P0J6R4T5N9XE --format cloudevents
  chalie export --repro 01KB2V7WYQC3V8P0J6R4T5N9XE --out bundle.jsonl`

type exportFlags struct {
	query             apiclient.ExportQuery
	since, until      moment
	trace, repro, out string
}

func exportCommand(c *cli) *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use: "export", Short: "Write the log, or a part of it, to a file", Long: exportHelp, Example: exportExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, c) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.trace, "trace", "", "only this trace: its id or that of an envelope of it, a position in the log, or last")
	flags.StringVar(&f.repro, "repro", "", "a bundle that replays this trace elsewhere, with pseudonyms in the place of words; named as for --trace")
	c.timeFlag(cmd, &f.since, "since", "only what was recorded since: "+sayTime, false)
	c.timeFlag(cmd, &f.until, "until", "only what was recorded before, written as for --since", false)
	flags.StringVar(&f.query.Format, "format", "jsonl", "jsonl or cloudevents")
	flags.StringVar(&f.out, "out", "", "the file to write; standard output without it")
	complete(cmd, "format", cobra.FixedCompletions([]string{string(exportfile.JSONL), string(exportfile.CloudEvents)}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f exportFlags) run(cmd *cobra.Command, c *cli) error {
	if _, err := exportfile.ParseFormat(f.query.Format); err != nil {
		return &usageError{words(err), cmd.CommandPath()}
	}
	if f.trace != "" && (f.since.given != "" || f.until.given != "") {
		return &usageError{"--trace takes a trace whole: leave out --since and --until", cmd.CommandPath()}
	}
	if f.repro != "" && (f.trace != "" || f.since.given != "" || f.until.given != "" || f.query.Format != string(exportfile.JSONL)) {
		return &usageError{"--repro makes a bundle of one trace: leave out --trace, --since, --until and --format", cmd.CommandPath()}
	}
	ctx, stop := whileWaiting(cmd.Context())
	defer stop()
	from := c.log()
	if f.trace == "last" || f.repro == "last" {
		from = c.folds() // what was said last is looked up
	}
	return from.ask(ctx, func(api *session) error {
		f.query.Since, f.query.Until = f.since.asked, f.until.asked
		if f.trace != "" {
			id, err := traceNamed(cmd, c, api.Client, f.trace)
			if err != nil {
				return err
			}
			f.query.Trace = id.String()
		}
		if f.repro != "" {
			id, err := traceNamed(cmd, c, api.Client, f.repro)
			if err != nil {
				return err
			}
			return c.exportRepro(ctx, api.Client, id.String(), f.out, c.json)
		}
		return c.export(ctx, f.out, c.json, func(out io.Writer) error {
			file, err := api.Export(ctx, f.query)
			if err != nil {
				return err
			}
			defer file.Close()
			_, err = io.Copy(out, file)
			return err
		})
	})
}

// exportResult describes an exported file.
type exportResult struct {
	File    string `json:"file"`
	What    string `json:"what"`
	Records uint64 `json:"records"`
	Bytes   int64  `json:"bytes"`
	Sum     string `json:"sum"`
}

// export calls write with a file or standard output, and prints the result.
func (c *cli) export(ctx context.Context, name string, asJSON bool, write func(io.Writer) error) error {
	m := c.Meter()
	if name == "" && c.Live {
		m = term.NoMeter() // it would be in the middle of the output
	}
	pace := m.Pace()
	through := func(out io.Writer) (*exportfile.Tally, error) {
		tally := exportfile.NewTally(out, func(t *exportfile.Tally) { pace(domain.Position(t.Records), domain.Position(t.Header.Records)) })
		err := write(tally)
		m.Clear()
		if err != nil && ctx.Err() != nil {
			err = stoppedWaiting{fmt.Errorf("the export was interrupted after %s", counted(tally.Records, "record", "records"))}
		}
		return tally, err
	}
	if name == "" {
		out := c.Out
		if c.Live {
			out = term.Escaping(out) // only a terminal needs escaping; a file gets the exact bytes
		}
		_, err := through(out)
		return err
	}
	var tally *exportfile.Tally
	err := exportfile.WriteFile(name, func(out io.Writer) (err error) {
		tally, err = through(out)
		return err
	})
	if err != nil {
		return err
	}
	r := exportResult{name, tally.Header.What, tally.Records, tally.Bytes, tally.Sum()}
	if asJSON {
		return c.JSON(r)
	}
	return c.Printf("%s exported to %s, %s; its sum is %s.\n", counted(r.Records, "record", "records"), oneLine(name), size(r.Bytes), r.Sum)
}

// size writes a number of bytes in its largest unit.
func size(n int64) string {
	switch {
	case n < 10<<10:
		return counted(uint64(n), "byte", "bytes")
	case n < 10<<20:
		return grouped(uint64(n>>10)) + " KiB"
	}
	return grouped(uint64(n>>20)) + " MiB"
}

// exporter writes the log in the API's words.
func exporter(log *pebblelog.Log) httpapi.Export {
	return func(ctx context.Context, q httpapi.ExportQuery, out io.Writer) error {
		format, err := exportfile.ParseFormat(q.Format)
		if err != nil {
			return err
		}
		sel := exportfile.Selection{Trace: q.Trace, Since: q.Since, Until: q.Until, Through: q.Through}
		return exportfile.Export(ctx, log, sel, format, domain.Events().Hash(), out)
	}
}

// reproduction makes the bundle of one trace, and proves that it replays as the
// trace does.
type reproduction struct {
	c     *cli
	api   *apiclient.Client
	dir   string // temporary folder for the proof
	trace domain.TraceID
	last  domain.Position // of the trace
	head  exportfile.Header
}

// exportRepro writes the bundle of a trace: without irrelevant signals if its replay is
// then the same, else with all.
func (c *cli) exportRepro(ctx context.Context, api *apiclient.Client, id, out string, asJSON bool) (err error) {
	dir, err := os.MkdirTemp("", "chalie-repro-")
	if err != nil {
		return exportfile.CantWrite("a temporary folder", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }() // it holds what was said
	r := &reproduction{c: c, api: api, dir: dir}
	if err := r.find(ctx, id); err != nil {
		return err
	}
	want, err := replayOf(ctx, api, r.trace)
	if err != nil {
		return err
	}
	var bundle string
	var got player.Report
	for _, whole := range []bool{false, true} {
		if bundle, err = r.write(ctx, whole); err != nil {
			return err
		}
		if got, err = r.replay(ctx, bundle); err != nil {
			return err
		}
		if want.Same(got) {
			return c.export(ctx, out, asJSON, func(w io.Writer) error { return c.copyFile(w, bundle) })
		}
	}
	return differs(want, got)
}

// find reads which trace is meant, and where it ends.
func (r *reproduction) find(ctx context.Context, id string) error {
	file, err := r.api.Export(ctx, apiclient.ExportQuery{Trace: id})
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := exportfile.NewReader(file, false)
	if err != nil {
		return err
	}
	r.trace, r.last = domain.TraceID{ID: in.Header().Trace}, in.Header().Last
	return nil
}

// each reads the log through the end of the trace.
func (r *reproduction) each(ctx context.Context, fn func(domain.Record) error) error {
	file, err := r.api.Export(ctx, apiclient.ExportQuery{Through: r.last})
	if err != nil {
		return err
	}
	defer file.Close()
	in, err := exportfile.NewReader(file, false)
	if err != nil {
		return err
	}
	r.head = in.Header()
	for {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = fn(rec)
		}
		if err != nil {
			return err
		}
	}
}

// write makes the bundle, and returns its file.
func (r *reproduction) write(ctx context.Context, whole bool) (string, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", err
	}
	b := repro.NewBundle(r.trace, repro.NewPseudonyms(key), whole)
	digest := repro.NewDigest(r.trace)
	if err := r.each(ctx, func(rec domain.Record) error {
		b.Learn(rec)
		digest.Add(rec)
		return nil
	}); err != nil {
		return "", err
	}
	h := r.head
	h.What, h.Trace, h.Decisions, h.Consumers = exportfile.Repro, r.trace.ID, digest.String(), nil
	name := filepath.Join(r.dir, fmt.Sprintf("bundle-%t.jsonl", whole))
	return name, exportfile.WriteFile(name, func(out io.Writer) error {
		w, err := exportfile.NewWriter(out, exportfile.JSONL, h)
		if err == nil {
			err = r.each(ctx, func(rec domain.Record) error { return w.Write(b.Record(rec)) })
		}
		if err != nil {
			return err
		}
		return w.Close()
	})
}

// replay imports the bundle into an empty log, and replays its trace.
func (r *reproduction) replay(ctx context.Context, bundle string) (found player.Report, err error) {
	data := bundle + ".data"
	file, err := openExport(r.c, bundle)
	if err != nil {
		return player.Report{}, err
	}
	defer file.Close()
	if _, err := importFile(ctx, data, file, false, term.NoMeter()); err != nil {
		return player.Report{}, err
	}
	err = r.c.over(data).log().ask(ctx, func(api *session) error {
		found, err = replayOf(ctx, api.Client, r.trace)
		return err
	})
	return found, err
}

func replayOf(ctx context.Context, api *apiclient.Client, trace domain.TraceID) (player.Report, error) {
	object, err := api.Replay(ctx, contract.ReplayRequest{Trace: trace.String()}, func(contract.Progress) {})
	if err != nil {
		return player.Report{}, err
	}
	return object.Value()
}

// differs describes the difference between the replays of a bundle and of its trace.
func differs(want, got player.Report) error {
	where := fmt.Sprintf("it replays %s instead of %s", counted(got.Steps, "decision", "decisions"), counted(want.Steps, "decision", "decisions"))
	if d := got.Divergence; d != nil {
		where = fmt.Sprintf("its first difference is at position %d, %s %s, in %s", d.Position, d.Type, d.Envelope, oneLine(d.Field))
	}
	return &domain.Error{Op: "export", Category: domain.Conflict, Code: "not_reproduced",
		Message: "under pseudonyms the trace is decided otherwise: " + where + ". Its words matter to what was decided, so no bundle was written; an export of everything replays as it was, and holds all that was said"}
}

func (c *cli) copyFile(out io.Writer, name string) error {
	file, err := openExport(c, name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(out, file)
	return err
}
