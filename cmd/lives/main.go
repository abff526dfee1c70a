// Command lives has Chalie live through what people lived through, by a clock of its own, and
// writes down what it thought of it.
//
//	go run ./cmd/lives -out FOLDER berlin.jsonl lisbon.jsonl
//
// A life is a file of a JSON object a line (see [life]). The code that decides runs on a log in
// memory, and the same life gives the same thoughts to the byte: what two builds wrote can be
// compared with diff. It prints how much was thought and recorded. With -out, FOLDER has for
// each life NAME.jsonl, with every cycle and its numbers ([thought]), and why the person wasn't
// told of what came in ([untold]).
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

func main() {
	// A set of its own: what the clock comes from has flags for tests.
	flags := flag.NewFlagSet("lives", flag.ExitOnError)
	out := flags.String("out", "", "the folder for what was thought; nothing is written without")
	steps := flags.Bool("steps", false, "record cycles that tell nothing in steps, as those of other models are: what was thought is the same")
	every := flags.Int("every", 50, "of the signals that a life made up, ask of every so many why they weren't told")
	_ = flags.Parse(os.Args[1:]) // it exits
	if err := run(context.Background(), flags.Args(), *out, *every, *steps, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "lives:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, files []string, folder string, every int, steps bool, out io.Writer) error {
	switch {
	case len(files) == 0:
		return errors.New("name a file with a life: go run ./cmd/lives berlin.jsonl")
	case every < 1:
		return errors.New("-every is 1 or more")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := liveFile(ctx, name, text, folder, every, steps, out); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func liveFile(ctx context.Context, name string, text []byte, folder string, every int, steps bool, out io.Writer) error {
	of, err := readLife(bytes.NewReader(text))
	if err != nil {
		return err
	}
	d, err := live(ctx, of, steps)
	if err != nil {
		return err
	}
	if folder != "" {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		if err := writeThoughts(ctx, d, filepath.Join(folder, filepath.Base(name)), every); err != nil {
			return err
		}
	}
	sum, err := d.sum(ctx)
	if err != nil {
		return err
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
