package web

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// episode is a trace, as GET /api/traces has it.
type episode struct {
	ID   domain.ID `json:"trace_id"`
	Root struct {
		EnvelopeID domain.ID        `json:"envelope_id"`
		Type       domain.EventType `json:"type"`
		Source     domain.Source    `json:"source"`
		Principal  domain.Principal `json:"principal"`
	} `json:"root"`
	Envelopes uint64          `json:"envelopes"`
	Errors    uint64          `json:"errors"`
	First     domain.Position `json:"first"`
	Last      domain.Position `json:"last"`
	StartedAt domain.Millis   `json:"started_at"`
	UpdatedAt domain.Millis   `json:"updated_at"`
	Outcome   string          `json:"outcome"`
}

// Took is from its first envelope to its last.
func (e episode) Took() time.Duration { return e.UpdatedAt.Sub(e.StartedAt) }

type tracesPage struct {
	Traces []episode       `json:"traces"`
	Next   domain.Position `json:"next"`
	Begins bool            // these are the newest
}

// traces is GET /traces?before=.
func (v *visit) traces() error {
	query := url.Values{"limit": {"50"}}
	before := v.r.URL.Query().Get("before")
	if before != "" {
		query.Set("before", before)
	}
	page := tracesPage{Begins: before == ""}
	if err := v.ask("/api/traces", query, &page); err != nil {
		return err
	}
	return v.show(http.StatusOK, "traces", frame{Title: "Traces", Here: "/traces", Scripts: []string{"times.js"}, Page: page})
}

// stepsPerPage bounds what of a trace is shown at once.
const stepsPerPage = "200"

// step is an envelope of a trace, under what caused it.
type step struct {
	domain.Record
	Depth         int
	Left          int // where it stands in the time that the trace took, in thousandths
	Offset        time.Duration
	Payload       string // as a person reads JSON
	StartsAnother bool   // it is caused by something that isn't shown here
}

type tracePage struct {
	Trace episode
	Steps []step
	Next  domain.Position
	Shown int
}

// trace is GET /traces/:id?from=.
func (v *visit) trace() error {
	id := v.params.ByName("id")
	query := url.Values{"limit": {stepsPerPage}}
	if from := v.r.URL.Query().Get("from"); from != "" {
		query.Set("from", from)
	}
	var got struct {
		Trace   episode         `json:"trace"`
		Records []domain.Record `json:"records"`
		Next    domain.Position `json:"next"`
	}
	if err := v.ask("/api/traces/"+url.PathEscape(id), query, &got); err != nil {
		return err
	}
	page := tracePage{Trace: got.Trace, Next: got.Next, Shown: len(got.Records)}
	err := replay.NewTree(got.Records).Walk(func(rec domain.Record, last []bool) error {
		page.Steps = append(page.Steps, stepOf(rec, len(last), got.Trace))
		return nil
	})
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "trace", frame{Title: "Trace", Here: "/traces", Scripts: []string{"trace.js"}, Page: page})
}

// maxDepth bounds how far a step is indented.
const maxDepth = 12

func stepOf(rec domain.Record, depth int, trace episode) step {
	out := step{Record: rec, Depth: min(depth, maxDepth), Offset: rec.RecordedAt.Sub(trace.StartedAt), StartsAnother: depth == 0 && !rec.Envelope.Parent.IsZero()}
	whole := max(1, int64(trace.UpdatedAt-trace.StartedAt))
	out.Left = int(min(990, max(0, 1000*int64(rec.RecordedAt-trace.StartedAt)/whole)))
	var text bytes.Buffer
	switch {
	case rec.Envelope.Payload.Encoding == domain.EncodingErased:
		out.Payload = "(erased)"
	case json.Indent(&text, rec.Envelope.Payload.Bytes, "", "  ") == nil:
		out.Payload = text.String()
	default:
		out.Payload = "(not JSON)"
	}
	return out
}
