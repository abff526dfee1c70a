package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// report is one run, to be written down.
type report struct {
	machine machine
	scale   scale
	results []result
	took    time.Duration
	on      time.Time
}

// The table stands between these lines of the document; the words around it
// are written by hand and stay.
const (
	tableBegins = "<!-- measured: begin -->"
	tableEnds   = "<!-- measured: end -->"
)

// writeDocument replaces the measured part of the document, and makes the
// document when there is none.
func writeDocument(path string, r report) error {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		text, err = []byte("# Benchmarks\n\n"+tableBegins+"\n"+tableEnds+"\n"), nil
	}
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(text), tableBegins)
	_, after, ended := strings.Cut(rest, tableEnds)
	if !found || !ended {
		return fmt.Errorf("%s has no lines %q and %q around the table", path, tableBegins, tableEnds)
	}
	return os.WriteFile(path, []byte(before+tableBegins+"\n"+r.markdown()+tableEnds+after), 0o644)
}

func (r report) markdown() string {
	return fmt.Sprintf("\nMeasured on %s in %s, %d rounds of each row.\nThe machine: %s.\n\n%s\n",
		r.on.Format("2 January 2006"), r.took.Round(time.Second), r.scale.rounds, r.machine, markdownTable(r.results))
}
