package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// ownSentences are sentences of the project's own, with what is expected of each: family,
// sentence and expectation, between tabs.
//
//go:embed testdata/own.tsv
var ownSentences string

// readOwn reads the project's own sentences.
func readOwn() ([]request, error) {
	var out []request
	n := 0
	for line := range strings.Lines(ownSentences) {
		n++
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 3 {
			return nil, fmt.Errorf("testdata/own.tsv: line %d has %d columns instead of three", n, len(f))
		}
		want, err := parseExpectation(f[2])
		if err != nil {
			return nil, fmt.Errorf("testdata/own.tsv: line %d: %w", n, err)
		}
		out = append(out, request{line: n, family: f[0], sentence: f[1], want: want})
	}
	return out, nil
}
