package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/projections/rebuild"
)

const rebuildHelp = `Rebuild folds projections again from the log: those that are named, or all of
them. The ones that serve go on meanwhile. When a new one is there it is compared
with the old one, takes its place at once, and the old one is kept to go back to.

Use it when something that Chalie shows doesn't fit what stands in the log. An
interrupt ends it and leaves everything as it was.

  --check     only compare; end with 1 when something differs
  --rollback  go back to what served before
  --cancel    end a rebuild that goes on, whoever began it

It works while Chalie runs, and without: then it takes the data directory for as
long as it needs, and nothing of it is recorded in the log.`

const rebuildExample = `  chalie rebuild                      all of them
  chalie rebuild world traces --check  does what serves fit the log?
  chalie rebuild world --rollback      put back what served before`

// rebuildEvery is how often a rebuild's progress is requested.
const rebuildEvery = 100 * time.Millisecond

// toldEvery is how often progress is written as JSON.
const toldEvery = time.Second

func rebuildCommand(c *cli) *cobra.Command {
	var check, rollback, end bool
	cmd := &cobra.Command{
		Use: "rebuild [NAME…]", Short: "Fold projections again from the log", Long: rebuildHelp, Example: rebuildExample,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, names []string) error {
			switch {
			case check && rollback || end && (check || rollback):
				return &usageError{"--check, --rollback and --cancel are different things: give one of them", cmd.CommandPath()}
			case end && len(names) == 0:
				return &usageError{"NAME is missing: say whose rebuild is to end", cmd.CommandPath()}
			case rollback && len(names) == 0:
				return &usageError{"NAME is missing: say which projection is to go back", cmd.CommandPath()}
			}
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			return c.stores().ask(ctx, func(api *session) (err error) {
				r := rebuilding{console: c, api: api, json: c.json}
				if end {
					return r.end(ctx, names)
				}
				if r.names, err = r.begin(ctx, names, check, rollback); err != nil {
					return err
				}
				return r.follow(ctx)
			})
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "compare, and change nothing")
	cmd.Flags().BoolVar(&rollback, "rollback", false, "go back to what served before")
	cmd.Flags().BoolVar(&end, "cancel", false, "end a rebuild that goes on")
	return cmd
}

// rebuilding is a command that waits for rebuilds.
type rebuilding struct {
	console *cli
	api     *session
	json    bool
	names   []string
}

// begin starts the rebuilds, and returns their names.
func (r rebuilding) begin(ctx context.Context, names []string, check, rollback bool) ([]string, error) {
	if rollback {
		for i, name := range names {
			if err := r.api.RollBack(ctx, name); err != nil {
				return nil, errors.Join(err, r.cancel(names[:i]))
			}
		}
		return names, nil
	}
	if err := r.api.Rebuild(ctx, names, check); err != nil {
		return nil, err
	}
	if len(names) > 0 {
		slices.Sort(names)
		return slices.Compact(names), nil
	}
	all, err := r.standing(ctx, nil)
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names, err
}

// standing requests the state of the named projections, or of all without names.
func (r rebuilding) standing(ctx context.Context, names []string) ([]contract.Projection, error) {
	all, err := apiclient.ReadAll(r.api.Projections(ctx))
	return slices.DeleteFunc(all, func(p contract.Projection) bool { return names != nil && !slices.Contains(names, p.Name) }), err
}

// follow waits until all have ended, and prints each result.
func (r rebuilding) follow(ctx context.Context) error {
	m := r.console.Meter()
	told := time.Now()
	tick := time.NewTicker(rebuildEvery)
	defer tick.Stop()
	for {
		stand, err := r.standing(ctx, r.names)
		if ctx.Err() != nil {
			m.Clear()
			return r.interrupted()
		}
		if err != nil {
			m.Clear()
			return err
		}
		going := slices.ContainsFunc(stand, func(p contract.Projection) bool { return p.Rebuild != nil && p.Rebuild.State == "running" })
		if !going {
			m.Clear()
			return r.tell(stand)
		}
		r.draw(m, stand)
		if r.json && time.Since(told) >= toldEvery {
			told = time.Now()
			for _, p := range stand {
				if err := r.console.JSON(p); err != nil {
					return err
				}
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// draw shows the progress of the slowest one.
func (r rebuilding) draw(m term.Meter, stand []contract.Projection) {
	var last *contract.Rebuild
	for _, p := range stand {
		if p.Rebuild != nil && p.Rebuild.State == "running" && (last == nil || p.Rebuild.Position < last.Position) {
			last = p.Rebuild
		}
	}
	m.Draw(last.Position, last.Tail, int64(last.Rate))
}

// cancelWithin bounds how long an interrupted command waits for its rebuilds to end.
const cancelWithin = 10 * time.Second

// interrupted cancels the rebuilds, and says so.
func (r rebuilding) interrupted() error {
	if err := r.cancel(r.names); err != nil {
		return err
	}
	return stoppedWaiting{errors.New("the rebuild was ended; what served before serves on")}
}

// cancel ends rebuilds; one that has ended by itself is no error.
func (r rebuilding) cancel(names []string) error {
	ctx, cancel := context.WithTimeout(context.Background(), cancelWithin)
	defer cancel()
	var failures []error
	for _, name := range names {
		if err := r.api.CancelRebuild(ctx, name); err != nil && domain.CodeOf(err) != rebuild.CodeNoRebuild {
			failures = append(failures, err)
		}
	}
	return errors.Join(failures...)
}

// end cancels rebuilds that another command began.
func (r rebuilding) end(ctx context.Context, names []string) error {
	for _, name := range names {
		if err := r.api.CancelRebuild(ctx, name); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(r.console.Out, "The rebuild of %s was ended; what served before serves on.\n", oneLine(name)); err != nil {
			return err
		}
	}
	return nil
}

// tell prints each result, and returns exit code 1 when one failed or a check found
// differences.
func (r rebuilding) tell(stand []contract.Projection) error {
	code := exitDone
	for _, p := range stand {
		b := p.Rebuild
		if b == nil {
			continue
		}
		if b.State != "done" || b.Kind == "check" && b.Difference != nil && b.Difference.Count > 0 {
			code = exitFailed
		}
		var err error
		if r.json {
			err = r.console.JSON(p)
		} else {
			err = r.console.rebuilt(p)
		}
		if err != nil {
			return err
		}
	}
	if code != exitDone {
		return silent{code}
	}
	return nil
}

// rebuilt writes the result of one rebuild.
func (c *cli) rebuilt(p contract.Projection) error {
	b := p.Rebuild
	took := time.Duration(b.EndedAt-b.StartedAt) * time.Millisecond
	edition := editionText(contract.Edition{Version: b.Version, Generation: b.Generation})
	var text string
	switch {
	case b.State == "cancelled":
		text = c.Paint(term.Yellow, "cancelled") + "; what served before serves on"
	case b.State == "failed":
		text = c.Paint(term.Red, "failed") + ": " + oneLine(b.Error)
	case b.Kind == "rollback":
		text = c.Paint(term.Green, "put back") + " to " + edition
	case b.Kind == "check" && b.Difference != nil && b.Difference.Count == 0:
		text = c.Paint(term.Green, "sound") + ": the log gives the same"
	case b.Kind == "check":
		text = c.Paint(term.Red, "differs") + " from what the log gives; mend it with `chalie rebuild " + p.Name + "`"
	default:
		text = c.Paint(term.Green, "rebuilt") + " as " + edition
	}
	if b.State == "done" {
		text += fmt.Sprintf(" (%s in %s)", counted(int(b.Records), "record", "records"), took.Round(time.Millisecond))
	}
	if err := c.Printf("%s %s\n", p.Name, text); err != nil {
		return err
	}
	return c.difference(b.Difference)
}

// difference writes the differences of two folds, if any.
func (c *cli) difference(d *contract.Difference) error {
	if d == nil || d.Count == 0 {
		return nil
	}
	err := c.Printf("  of %s, %d changed, %d only in the old one, %d only in the new one:\n",
		counted(int(d.Compared), "thing", "things"), d.Changed, d.Missing, d.Added)
	if err != nil {
		return err
	}
	columns := []term.Column{{Title: "  WHAT"}, {Title: "FIELD"}, {Title: "WAS", Flex: true}, {Title: "IS", Width: 40, Cut: true}}
	rows := make([][]term.Cell, 0, len(d.First))
	for _, change := range d.First {
		rows = append(rows, []term.Cell{term.Plain.Of(change.Entity).Behind("  "), term.Plain.Of(change.Field), term.Plain.Of(string(change.Was)), term.Plain.Of(string(change.Is))})
	}
	return c.Table(columns, rows)
}

// editionText names a projection's store.
func editionText(e contract.Edition) string {
	if e.Generation == 0 {
		return fmt.Sprintf("version %d", e.Version)
	}
	return fmt.Sprintf("version %d.%d", e.Version, e.Generation)
}
