// Command generate writes the corpus of commitments and signals that lies one
// folder up. Run it from the root of the repository:
//
//	go run ./domain/relate/testdata/corpus/generate
//
// It reads the hand-written scenes, fills their slots, adds signals that are
// nobody's business, and writes commitments.jsonl and signals.jsonl. The same
// seed and the same material give the same bytes on every machine; another seed
// gives another corpus of the same shape, which is good for checking that
// nothing was tuned to one choice of names. It stops at material that breaks the
// corpus's own rules.
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

//go:embed scenes/*.txt names.txt strangers.txt
var material embed.FS

func main() {
	out := flag.String("out", "domain/relate/testdata/corpus", "folder to write to")
	seed := flag.Uint64("seed", 1, "which choice of words and names to make")
	flag.Parse()
	if err := run(*out, *seed, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(out string, seed uint64, report io.Writer) error {
	scenes, err := readScenes(material)
	if err != nil {
		return err
	}
	strangers, err := readStrangers(material)
	if err != nil {
		return err
	}
	var commitments, signals bytes.Buffer
	var sum tally
	for i, s := range scenes {
		cs, ss, err := s.compose(i+1, seed, strangers)
		if err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
		if err := check(cs, ss); err != nil {
			return fmt.Errorf("scene %s: %w", s.name, err)
		}
		sum.add(cs, ss)
		if err := lines(&commitments, cs); err != nil {
			return err
		}
		if err := lines(&signals, ss); err != nil {
			return err
		}
	}
	fmt.Fprintln(report, sum)
	if err := os.WriteFile(filepath.Join(out, "commitments.jsonl"), commitments.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "signals.jsonl"), signals.Bytes(), 0o644)
}

// lines appends one JSON object a line, with & and < as they are.
func lines[T any](to *bytes.Buffer, all []T) error {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	for _, one := range all {
		if err := e.Encode(one); err != nil {
			return err
		}
	}
	return nil
}
