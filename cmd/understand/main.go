// Command understand measures how well Chalie understands people, on sentences that people
// wrote. The sentences are files of their own and no part of the project.
//
//	go run ./cmd/understand -times times-en.tsv
//
// It prints what wasn't right with how it was read, and how much was right, asked about and
// wrong, and ends with 1 when that is less than the project holds itself to.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	times := flag.String("times", "", "the file of expressions of time: kind, from, to, grain, holiday, phrase, between tabs")
	flag.Parse()
	if err := run(*times, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "understand:", err)
		os.Exit(1)
	}
}

func run(times string, out io.Writer) error {
	if times == "" {
		return errors.New("name a file of expressions of time with -times")
	}
	text, err := os.ReadFile(times)
	if err != nil {
		return err
	}
	all, err := readPhrases(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("%s: %w", times, err)
	}
	return measureTimes(all, out)
}
