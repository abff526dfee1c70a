package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"chalie/adapters/api"
	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/ulids"
	"chalie/adapters/unixsocket"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
)

const repairHelp = `Repair makes a sound log of a damaged one. It keeps every record that any file of
the log still holds, also behind damage, and puts at each position that is known
to have been given, and can't be read any more, a record that says that it is
lost. So positions stay without gaps, and none is given twice.

The damaged log is not changed: it goes into a folder "damaged-DATE" in the data
directory, together with what was folded from it. The next start folds again.
It needs as much free space as the log takes.

No Chalie may run on the data directory. A log that needs no repair is refused,
as is one that a cluster keeps: the next start makes the copy of it anew. One that
a disk fails to read is refused as well: copy it to another disk first. A repair
that was broken off, at whatever moment, goes on when it is run again.`

func repairCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "repair", Short: "Make a sound log of a damaged one", Long: repairHelp,
		Example: "  chalie verify || chalie repair", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkData(c); err != nil {
				return err
			}
			ctx, stop := whileWaiting(cmd.Context())
			defer stop()
			done, err := repairLog(ctx, c.data, c.Meter())
			if err != nil {
				return err
			}
			if c.json {
				return c.JSON(done)
			}
			return c.repaired(done)
		},
	}
}

// repairLog repairs the log of a data directory at rest.
func repairLog(ctx context.Context, data string, m term.Meter) (pebblelog.Repaired, error) {
	if conn, err := unixsocket.Dial(ctx, data); err == nil {
		_ = conn.Close()
		return pebblelog.Repaired{}, &domain.Error{Op: "repair", Category: domain.Conflict, Code: "running",
			Message: fmt.Sprintf("Chalie runs on the data in %s; stop it first", data)}
	}
	saved, err := savedCluster(data)
	if err != nil {
		return pebblelog.Repaired{}, err
	}
	clock := sysclock.Clock{}
	at := pebblelog.Config{Dir: logFolder(data), Of: saved.name(), Clock: clock, Holder: "chalie repair",
		Known: storesOf(data, slog.New(slog.DiscardHandler), machineMemory(), 0).FoldedThrough(today())}
	if err := keptHere(data, at); err != nil {
		return pebblelog.Repaired{}, err
	}
	defer m.Clear()
	done, err := pebblelog.Repair(ctx, pebblelog.RepairConfig{
		Log:      at,
		IDs:      ulids.New(clock),
		Folded:   []string{foldedFolder(data)},
		Progress: m.Pace(),
	})
	if errors.Is(err, context.Canceled) {
		err = stoppedWaiting{errors.New("the repair was interrupted; nothing was changed")}
	}
	if err == nil {
		err = nextEpoch(data, domain.EpochRepair)
	}
	return done, err
}

// damagedCopies are the folders with damaged logs that repairs have put into a data
// directory and that are still there, the oldest first.
func damagedCopies(data string) []string {
	var out []string
	entries, _ := os.ReadDir(data) // one that can't be read shows none
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), "damaged-") {
			out = append(out, filepath.Join(folder(data), e.Name()))
		}
	}
	return out
}

// repaired prints the result of a repair.
func (c *cli) repaired(done pebblelog.Repaired) error {
	said := "The log is repaired"
	if done.Resumed {
		said = "The repair that was broken off is done"
	}
	if err := c.Printf("%s: %s.\n", c.Paint(term.Green, said), checked(done.Records)); err != nil {
		return err
	}
	var lost []string
	if done.Lost > 0 {
		spans := make([]api.LostRun, 0, len(done.LostAt))
		for _, s := range done.LostAt {
			spans = append(spans, api.LostRun(s))
		}
		lost = append(lost, fmt.Sprintf("%s lost, and named so in the log: %s.", counted(int(done.Lost), "record is", "records are"), spansIn(spans, done.Lost)))
	}
	if done.Unmarked {
		lost = append(lost, "The mark of its end was gone, so nobody knows whether more is lost behind the last record.")
	}
	if lost == nil {
		lost = []string{"Nothing is lost."}
	}
	err := c.Printf("%s\nWhat was there before is kept in %s; when you don't need it any more, delete it.\nEverything else is folded again by the next start: `%s`.\n",
		strings.Join(lost, "\n"), folder(filepath.Join(c.data, done.Copy)), c.again("serve"))
	return err
}
