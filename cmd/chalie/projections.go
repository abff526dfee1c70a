package main

import (
	"fmt"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const projectionsHelp = `Projections lists what Chalie knows by folding its log: how far each fold is,
which version and store of it serves, what can be gone back to, and how its latest
rebuild goes or went.`

func projectionsCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "projections", Short: "Show how far each fold of the log is", Long: projectionsHelp,
		Example: "  chalie projections", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return showAll(cmd.Context(), c.folds(), (*apiclient.Client).Projections, c.projections)
		},
	}
}

func (c *cli) projections(list []contract.Projection) error {
	columns := []term.Column{{Title: "NAME"}, {Title: "VERSION"}, {Title: "STATE"}, {Title: "POSITION", Right: true},
		{Title: "BEHIND", Right: true}, {Title: "BEFORE"}, {Title: "NOTES", Flex: true}}
	rows := make([][]term.Cell, 0, len(list))
	for _, p := range list {
		state := term.Green
		switch p.State {
		case "stopped":
			state = term.Red
		case "starting":
			state = term.Yellow
		}
		before := "-"
		if p.Previous != nil {
			before = editionNumber(*p.Previous)
		}
		rows = append(rows, []term.Cell{term.Bold.Of(p.Name), term.Plain.Of(editionNumber(contract.Edition{Version: p.Version, Generation: p.Generation})), state.Of(p.State),
			term.Plain.Of(grouped(uint64(p.Position))), term.Plain.Of(grouped(p.Lag)), term.Plain.Of(before), term.Plain.Of(c.projectionNotes(p))})
	}
	return c.Table(columns, rows)
}

// projectionNotes are the remarks on a projection.
func (c *cli) projectionNotes(p contract.Projection) string {
	switch b := p.Rebuild; {
	case p.Error != "":
		return oneLine(c.advice(p.Error))
	case b != nil && b.State == "running":
		return fmt.Sprintf("%s: %s, %s of %s, %s/s, %.0f s left", b.Kind, b.Phase, grouped(uint64(b.Position)), grouped(uint64(b.Tail)), grouped(b.Rate), b.SecondsLeft)
	case p.Diverged != nil:
		return divergedWords(domain.ProjectionDiverged{Name: p.Name, Position: p.Diverged.Position, Differing: p.Diverged.Differing})
	case b != nil && b.State == "failed":
		return b.Kind + " failed: " + oneLine(c.advice(b.Error))
	case b != nil && b.Difference != nil && b.Difference.Count > 0:
		return fmt.Sprintf("%s found %s", b.Kind, counted(int(b.Difference.Count), "difference", "differences"))
	case p.Held:
		return "its newer version waits for `" + c.again("rebuild "+p.Name) + "`"
	}
	return ""
}

func editionNumber(e contract.Edition) string {
	if e.Generation == 0 {
		return fmt.Sprint(e.Version)
	}
	return fmt.Sprintf("%d.%d", e.Version, e.Generation)
}
