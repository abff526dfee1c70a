package exportfile

import (
	"fmt"

	"chalie/domain"
)

// Format is how a line is written.
type Format string

// The formats.
const (
	JSONL       Format = "jsonl"
	CloudEvents Format = "cloudevents"
)

// version of both formats, as the header says.
const version = 1

// ParseFormat reads a format's name; "" is JSONL.
func ParseFormat(name string) (Format, error) {
	switch Format(name) {
	case "", JSONL:
		return JSONL, nil
	case CloudEvents:
		return CloudEvents, nil
	}
	return "", domain.Invalid("export", "format", fmt.Sprintf("format is %q: give jsonl or cloudevents", clip(name)))
}

// What a file holds of a log.
const (
	Whole  = "whole"  // every record
	Piece  = "piece"  // the records behind those of another file, which it continues
	Period = "period" // the records of a time
	Trace  = "trace"  // the records of one trace
	Repro  = "repro"  // the records one trace's replay needs, under pseudonyms
)

// Header says what a file holds. The zero values of what doesn't apply are left
// out.
type Header struct {
	What      string          `json:"what"`
	Trace     domain.ID       `json:"trace_id,omitzero"`
	Since     domain.Millis   `json:"since,omitempty"` // the period begins here …
	Until     domain.Millis   `json:"until,omitempty"` // … and ends before this
	First     domain.Position `json:"first"`           // 0 when there are no records
	Last      domain.Position `json:"last"`
	Records   uint64          `json:"records"`
	Catalogue string          `json:"catalogue"` // the payload schemas of the build that wrote it, as a hash

	// Decisions is a hash of what was decided in the trace of a Repro, without what
	// was said. Elsewhere it must come out the same.
	Decisions string `json:"decisions,omitempty"`

	// Consumers are the positions of those who work through the log, by name: what
	// stands before them was dealt with.
	Consumers map[string]domain.Position `json:"consumers,omitempty"`

	// Retired are the positions from First through Last whose records went when their time to
	// be kept was over, as domain.Runs writes them; "" of none.
	Retired string `json:"retired,omitempty"`
}

// Dense reports whether the records can keep their positions in an empty log.
func (h Header) Dense() bool {
	went, err := domain.ReadRuns(h.Retired)
	return err == nil && h.First <= 1 && uint64(h.Last) == h.Records+went.Count()
}

// clip bounds what an error repeats of its input.
func clip(text string) string {
	if len(text) > 60 {
		return text[:60] + "…"
	}
	return text
}
