package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// heapFloorBytes is memory that is asked for and never touched, as much as the
// program itself holds: a garbage collector that meets a heap of a few megabytes
// runs fifty times a second. It serves the peers as well.
const heapFloorBytes = 32 << 20

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Stderr, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peerbench:", err)
		os.Exit(1)
	}
}

// run measures what the arguments ask for. A target that isn't reached is a
// finding and no error; a trial that fails is one.
func run(ctx context.Context, out, progress io.Writer, args []string) error {
	flags := flag.NewFlagSet("peerbench", flag.ContinueOnError)
	flags.SetOutput(progress)
	brief := flags.Bool("short", false, "one short round of everything")
	rounds := flags.Int("rounds", 0, "rounds of each row (default 5)")
	only := flags.String("run", "", "only rows whose name matches this regular expression")
	write := flags.String("write", "", "the document to write the table to")
	folder := flags.String("dir", os.TempDir(), "a folder on the disk to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	s := full()
	if *brief {
		s = short()
	}
	if *rounds > 0 {
		s.rounds = *rounds
	}
	where, err := thisMachine(*folder, s.syncFor)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, where)
	floor := make([]byte, heapFloorBytes)
	begun := time.Now()
	results, failed := measureAll(ctx, s, wanted, *folder, progress)
	runtime.KeepAlive(floor)
	fmt.Fprintln(out)
	if err := printTable(out, results); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	if *brief {
		fmt.Fprintln(out, "\nA short run shows that everything runs; its figures mean nothing.")
	}
	if *write == "" {
		return nil
	}
	return writeDocument(*write, report{machine: where, scale: s, results: results, took: time.Since(begun), on: begun})
}

// measureAll runs the rows one after the other and returns the first failure
// beside all results.
func measureAll(ctx context.Context, s scale, wanted *regexp.Regexp, folder string, progress io.Writer) ([]result, error) {
	var results []result
	var failed error
	for _, r := range allRows(s) {
		if !wanted.MatchString(r.name) {
			continue
		}
		fmt.Fprintf(progress, "%s … ", r.name)
		res := r.measure(ctx, s.rounds, func() (string, func(), error) { return settledFolder(folder) })
		fmt.Fprintf(progress, "%s against %s, %s\n", figureText(res.oursMedian), figureText(res.peerMedian), res.verdict())
		results = append(results, res)
		if res.err != nil && failed == nil {
			failed = res.err
		}
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
	}
	return results, failed
}

func allRows(s scale) []row {
	rows := appendRows(s)
	rows = append(rows, watermillRows(s)...)
	rows = append(rows, scanRows(s)...)
	rows = append(rows, servingRows(s)...)
	rows = append(rows, streamRows(s)...)
	return append(rows, socketRows(s)...)
}

// settledFolder is an empty folder on a disk that has nothing left to write.
func settledFolder(parent string) (string, func(), error) {
	dir, err := os.MkdirTemp(parent, "peerbench-")
	if err != nil {
		return "", nil, err
	}
	unix.Sync()
	return dir, func() { _ = os.RemoveAll(dir) }, nil // what stays is in a folder for such things
}
