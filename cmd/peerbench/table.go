package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

var columns = []string{"what", "unit", "ours", "peer", "", "ratio", "target", ""}

// cells of one result, in the order of columns.
func (r result) cells() []string {
	if r.err != nil {
		return []string{r.name, r.unit, "failed", "", r.versus, "", r.target.String(), r.verdict()}
	}
	peer, ratio := "–", "–"
	if r.peer != nil {
		peer, ratio = figureText(r.peerMedian), ratioText(r.ratio)+"×"
	}
	return []string{r.name, r.unit, figureText(r.oursMedian), peer, r.versus, ratio, r.target.String(), r.verdict()}
}

// printTable writes the results for a terminal.
func printTable(out io.Writer, results []result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.Join(columns, "\t"))
	for _, r := range results {
		fmt.Fprintln(w, strings.Join(r.cells(), "\t"))
	}
	return w.Flush()
}

// markdownTable is the same table for a document.
func markdownTable(results []result) string {
	var b strings.Builder
	head := []string{"what", "unit", "ours", "peer", "who", "ratio", "target", "reached"}
	fmt.Fprintf(&b, "| %s |\n| --- | --- | ---: | ---: | --- | ---: | ---: | --- |\n", strings.Join(head, " | "))
	for _, r := range results {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r.cells(), " | "))
	}
	return b.String()
}

// figureText writes a figure with about three digits that mean something.
func figureText(v float64) string {
	switch {
	case v >= 1000:
		return grouped(int64(math.Round(v/100)) * 100)
	case v >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func ratioText(v float64) string {
	if v >= 10 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// grouped writes 1234567 as 1,234,567.
func grouped(v int64) string {
	digits := strconv.FormatInt(v, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
