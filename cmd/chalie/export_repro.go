package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"chalie/adapters/apiclient"
	"chalie/adapters/exportfile"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/repro"
)

// reproduction makes the bundle of one trace, and proves that it replays as the
// trace does.
type reproduction struct {
	c     *cli
	api   *apiclient.Client
	dir   string // of its own, removed afterwards: what is made for the proof
	trace domain.TraceID
	last  domain.Position // of the trace
	head  exportfile.Header
}

// exportRepro writes the bundle of a trace: as small as it can be, or else with
// every signal in it.
func (c *cli) exportRepro(ctx context.Context, api *apiclient.Client, id, out string, asJSON bool) (err error) {
	dir, err := os.MkdirTemp("", "chalie-repro-")
	if err != nil {
		return cantWriteFile("a temporary folder", err)
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
	var got apiclient.ReplayReport
	for _, whole := range []bool{false, true} {
		if bundle, err = r.write(ctx, whole); err != nil {
			return err
		}
		if got, err = r.replay(ctx, bundle); err != nil {
			return err
		}
		if alike(want, got) {
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
	return name, writeWhole(name, func(out io.Writer) error {
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

// replay imports the bundle as somebody else would, and replays its trace.
func (r *reproduction) replay(ctx context.Context, bundle string) (apiclient.ReplayReport, error) {
	data := bundle + ".data"
	file, err := openExport(r.c, bundle)
	if err != nil {
		return apiclient.ReplayReport{}, err
	}
	defer file.Close()
	if _, err := importFile(ctx, data, file, false, term.NoMeter()); err != nil {
		return apiclient.ReplayReport{}, err
	}
	s, err := connect(ctx, r.c.over(data), recordsOnly)
	if err != nil {
		return apiclient.ReplayReport{}, err
	}
	defer s.Close()
	return replayOf(ctx, s.Client, r.trace)
}

func replayOf(ctx context.Context, api *apiclient.Client, trace domain.TraceID) (apiclient.ReplayReport, error) {
	object, err := api.Replay(ctx, apiclient.ReplayRequest{Trace: trace.String()}, func(apiclient.Progress) {})
	if err != nil {
		return apiclient.ReplayReport{}, err
	}
	return object.Value()
}

// alike reports whether two replays found the same: all as it was, or the same
// first difference.
func alike(a, b apiclient.ReplayReport) bool {
	if a.Identical != b.Identical || a.Steps != b.Steps || a.Skipped != b.Skipped {
		return false
	}
	return a.Divergence == nil || a.Divergence.Envelope == b.Divergence.Envelope && a.Divergence.Field == b.Divergence.Field
}

// differs says where a bundle's replay leaves that of its trace.
func differs(want, got apiclient.ReplayReport) error {
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
