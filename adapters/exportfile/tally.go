package exportfile

import (
	"bytes"
	"io"
)

// Tally passes a file on and counts what passes, without reading it as a Reader
// does.
type Tally struct {
	out   io.Writer
	told  func(t *Tally)
	first []byte // the first line, until it is whole
	last  []byte // the end of the last line

	Header  Header
	Records uint64 // lines behind the header, without the trailer once that has passed
	Bytes   int64
}

// tailBytes is how much of a line's end holds its sum and its line break.
const tailBytes = len(sumPrefix) + sumDigits + len(sumSuffix) + 1

// NewTally passes on to out and calls told after every piece.
func NewTally(out io.Writer, told func(t *Tally)) *Tally { return &Tally{out: out, told: told} }

// Write passes on first. Its errors are those of out, and Conflict with
// CodeNoExport when the first line is no header.
func (t *Tally) Write(p []byte) (int, error) {
	n, err := t.out.Write(p)
	if err != nil {
		return n, err
	}
	t.Bytes += int64(n)
	t.last = append(t.last, p[max(0, len(p)-tailBytes):]...)
	t.last = t.last[max(0, len(t.last)-tailBytes):]
	lines := bytes.Count(p, []byte("\n"))
	if t.Header.What == "" {
		line, _, whole := bytes.Cut(p, []byte("\n"))
		t.first = append(t.first, line...)
		if !whole {
			return n, nil
		}
		if t.Header, _, err = ParseHeader(t.first); err != nil {
			return n, err
		}
		t.first = nil
		lines--
	}
	t.Records = min(t.Records+uint64(lines), t.Header.Records)
	t.told(t)
	return n, nil
}

// Sum is that of the line that passed last; of a whole file it stands for all of
// it. It is "" when that line has none.
func (t *Tally) Sum() string {
	_, sum, _ := splitSum(bytes.TrimSuffix(t.last, []byte("\n")))
	return sum
}
