// Command lives has Chalie live through what people lived through, by a clock of its own, and
// writes down what it thought of it.
//
//	go run ./cmd/lives -out FOLDER berlin.jsonl lisbon.jsonl
//
// A life is a file of a JSON object a line (see [life]). The code that decides runs on a log in
// memory, and the same life gives the same thoughts to the byte: what two builds wrote can be
// compared with diff. It prints how much was thought and recorded. With -out, FOLDER has for
// each life NAME.jsonl, with every cycle and its numbers ([thought]), and why the person wasn't
// told of what came in ([untold]); with -log it has their logs as the program would keep them, and prints what those
// take at rest. With -steps the cycles that tell nothing are recorded in steps: what was thought is the same.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// doing is what to do with each life.
type doing struct {
	thoughts string // the folder for what was thought; nothing is written without
	every    int    // of the signals that a life made up, ask of every so many why they weren't told
	steps    bool   // record cycles that tell nothing in steps
	log      string // the folder for the log; none is written without
}

func main() {
	// A set of its own: what the clock comes from has flags for tests.
	flags := flag.NewFlagSet("lives", flag.ExitOnError)
	var do doing
	flags.StringVar(&do.thoughts, "out", "", "the folder for what was thought; nothing is written without")
	flags.StringVar(&do.log, "log", "", "a new folder for the logs, as the program would keep them; says what they take at rest")
	flags.BoolVar(&do.steps, "steps", false, "record cycles that tell nothing in steps, as those of other models are: what was thought is the same")
	flags.IntVar(&do.every, "every", 50, "of the signals that a life made up, ask of every so many why they weren't told")
	_ = flags.Parse(os.Args[1:]) // it exits
	if err := run(context.Background(), flags.Args(), do, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lives:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, files []string, do doing, out io.Writer) error {
	switch {
	case len(files) == 0:
		return errors.New("name a file with a life: go run ./cmd/lives berlin.jsonl")
	case do.every < 1:
		return errors.New("-every is 1 or more")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := liveFile(ctx, name, text, do, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func liveFile(ctx context.Context, name string, text []byte, do doing, out io.Writer) error {
	of, err := readLife(bytes.NewReader(text))
	if err != nil {
		return err
	}
	d, err := live(ctx, of, do.steps)
	if err != nil {
		return err
	}
	if do.thoughts != "" {
		if err := os.MkdirAll(do.thoughts, 0o700); err != nil {
			return err
		}
		if err := writeThoughts(ctx, d, filepath.Join(do.thoughts, filepath.Base(name)), do.every); err != nil {
			return err
		}
	}
	sum, err := d.sum(ctx)
	if err != nil {
		return err
	}
	if do.log != "" {
		rests, err := d.atRest(ctx, filepath.Join(do.log, of.Name))
		if err != nil {
			return err
		}
		sum += rests
	}
	_, err = fmt.Fprintf(out, "%s\n%s", of.Name, sum)
	return err
}

func writeThoughts(ctx context.Context, d *driver, name string, every int) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	lines := json.NewEncoder(buffered)
	lines.SetEscapeHTML(false)
	err = d.thoughts(ctx, every, func(line any) error { return lines.Encode(line) })
	return errors.Join(err, buffered.Flush(), file.Close())
}
