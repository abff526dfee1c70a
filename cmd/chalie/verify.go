package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/cmd/chalie/internal/term"
)

const verifyHelp = `Verify walks the whole log and checks every record: its checksum, its position,
its time, and that every index holds exactly what the records say. It changes
nothing, and a running Chalie goes on meanwhile.

It ends with 1 when something is damaged or missing, and names the positions;
"chalie repair" mends that. Positions that were named lost by a repair, or by an
import, are told and are no damage: with them it ends with 0.`

func verifyCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "verify", Short: "Check every record of the log", Long: verifyHelp,
		Example: "  chalie verify && echo the log is sound", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.log().ask(cmd.Context(), func(api *session) error {
				result, err := metered(cmd.Context(), c, "verification", api.Verify)
				if err != nil {
					return err
				}
				found, err := result.Value()
				if err != nil {
					return err
				}
				if c.json {
					err = c.JSON(result)
				} else {
					err = c.verification(found)
				}
				if err == nil && !found.OK {
					err = silent{exitFailed}
				}
				return err
			})
		},
	}
}

func (c *cli) verification(v contract.Verification) error {
	if v.OK {
		err := c.Printf("The log is sound: %s.\n", checked(v.Records-v.Lost))
		if err == nil && v.Lost > 0 {
			err = c.Printf("%s lost since a repair or an import, and named so: %s.\n", counted(int(v.Lost), "record is", "records are"), spansIn(v.LostAt, v.Lost))
		}
		if err == nil && v.Retired > 0 {
			err = c.Printf("%s when their time to be kept was over; `%s` lists them.\n", counted(int(v.Retired), "record went", "records went"), c.again("log --type span.retired"))
		}
		return err
	}
	err := c.Printf("%s: %s found; %s. Stop Chalie and run `%s`, or restore the log from a copy.\n\n",
		c.Paint(term.Red, "The log is damaged"), counted(len(v.Problems), "problem", "problems"), checked(v.Records), c.again("repair"))
	if err != nil {
		return err
	}
	columns := []term.Column{{Title: "POSITION", Right: true}, {Title: "WHAT IS WRONG"}}
	rows := make([][]term.Cell, 0, len(v.Problems))
	for _, p := range v.Problems {
		position := "-"
		if p.Position > 0 {
			position = spanIn(contract.LostRun{From: p.Position, Through: max(p.Position, p.Through)})
		}
		rows = append(rows, []term.Cell{term.Red.Of(position), term.Plain.Of(p.Error)})
	}
	return c.Table(columns, rows)
}

// spansIn lists runs of positions, of all in all.
func spansIn(spans []contract.LostRun, all uint64) string {
	var text []string
	for _, s := range spans {
		all -= uint64(s.Through-s.From) + 1
		text = append(text, spanIn(s))
	}
	if all > 0 {
		text = append(text, fmt.Sprintf("and %s more", grouped(all)))
	}
	return strings.Join(text, ", ")
}

func spanIn(s contract.LostRun) string {
	if s.From == s.Through {
		return grouped(uint64(s.From))
	}
	return grouped(uint64(s.From)) + " to " + grouped(uint64(s.Through))
}

func checked(records uint64) string {
	return counted(records, "record is as it was written", "records are as they were written")
}
