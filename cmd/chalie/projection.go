package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/domain"
)

const projectionsHelp = `Projections lists what Chalie knows by folding its log: how far each fold is,
which version and store of it serves, what can be gone back to, and how its latest
rebuild goes or went.`

func projectionsCommand(c *console, o *options) *cobra.Command {
	return &cobra.Command{
		Use: "projections", Short: "Show how far each fold of the log is", Long: projectionsHelp,
		Example: "  chalie projections", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := connect(cmd.Context(), c, o, foldsToo)
			if err != nil {
				return err
			}
			defer api.Close()
			list, err := api.Projections(cmd.Context())
			if err != nil {
				return err
			}
			if o.json {
				for _, p := range list {
					if err := c.json(p); err != nil {
						return err
					}
				}
				return nil
			}
			return c.projections(o, list)
		},
	}
}

func (c *console) projections(o *options, list []apiclient.Object[apiclient.Projection]) error {
	t := table{c, []column{{title: "NAME"}, {title: "VERSION"}, {title: "STATE"}, {title: "POSITION", right: true},
		{title: "BEHIND", right: true}, {title: "BEFORE"}, {title: "NOTES", flex: true}}}
	rows := make([][]cell, 0, len(list))
	for _, object := range list {
		p, err := object.Value()
		if err != nil {
			return err
		}
		state := cell{p.State, green}
		switch p.State {
		case "stopped":
			state.style = red
		case "starting":
			state.style = yellow
		}
		before := "-"
		if p.Previous != nil {
			before = editionNumber(*p.Previous)
		}
		rows = append(rows, []cell{{p.Name, bold}, {editionNumber(apiclient.Edition{Version: p.Version, Generation: p.Generation}), plain}, state,
			{grouped(uint64(p.Position)), plain}, {grouped(p.Lag), plain}, {before, plain}, {c.projectionNotes(o, p), plain}})
	}
	return t.write(c.out, rows)
}

// projectionNotes is what else there is to say of one.
func (c *console) projectionNotes(o *options, p apiclient.Projection) string {
	switch b := p.Rebuild; {
	case p.Error != "":
		return oneLine(advice(c, o, p.Error))
	case b != nil && b.State == "running":
		return fmt.Sprintf("%s: %s, %s of %s, %s/s, %.0f s left", b.Kind, b.Phase, grouped(uint64(b.Position)), grouped(uint64(b.Tail)), grouped(b.Rate), b.SecondsLeft)
	case p.Diverged != nil:
		return divergedWords(domain.ProjectionDiverged{Name: p.Name, Position: p.Diverged.Position, Differing: p.Diverged.Differing})
	case b != nil && b.State == "failed":
		return b.Kind + " failed: " + oneLine(advice(c, o, b.Error))
	case b != nil && b.Difference != nil && b.Difference.Count > 0:
		return fmt.Sprintf("%s found %s", b.Kind, counted(int(b.Difference.Count), "difference", "differences"))
	case p.Held:
		return "its newer version waits for `" + again(c, o, "rebuild "+p.Name) + "`"
	}
	return ""
}

func editionNumber(e apiclient.Edition) string {
	if e.Generation == 0 {
		return fmt.Sprint(e.Version)
	}
	return fmt.Sprintf("%d.%d", e.Version, e.Generation)
}
