package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/projections/traces"
)

func TestTraces(t *testing.T) {
	b := newBench(t, settings{})
	for range 5 {
		b.socket("POST", "/api/signals", rain).wants(202)
	}
	b.socket("POST", "/api/signals", rain, header("Idempotency-Key", "k")).wants(202)
	type line struct {
		TraceID   string `json:"trace_id"`
		Envelopes int
		First     domain.Position
		Last      domain.Position
		Outcome   traces.Outcome
		Root      struct {
			Type     string
			ParentID *string `json:"parent_id"`
		}
	}
	type list struct {
		Traces []line
		Next   domain.Position
	}
	var all, first, rest list
	b.socket("GET", "/api/traces", "").wants(200).read(&all)
	if len(all.Traces) != 6 || all.Next != 0 || all.Traces[0].Envelopes != 2 || all.Traces[0].First != 6 || all.Traces[0].Last != 7 ||
		all.Traces[0].Root.Type != "signal.received" || all.Traces[0].Root.ParentID != nil || all.Traces[0].Outcome != traces.Done {
		t.Fatalf("the traces are %+v", all)
	}
	b.socket("GET", "/api/traces?limit=4", "").wants(200).read(&first)
	b.socket("GET", fmt.Sprintf("/api/traces?limit=4&before=%d", first.Next), "").wants(200).read(&rest)
	if !slices.Equal(append(first.Traces, rest.Traces...), all.Traces) || rest.Next != 0 {
		t.Errorf("in pages: %+v and %+v", first, rest)
	}
	id, err := domain.ParseID(all.Traces[0].TraceID)
	b.must(err)
	for _, spelling := range []string{id.String(), id.UUID(), strings.ReplaceAll(id.UUID(), "-", ""), strings.ToLower(id.String())} {
		var one struct {
			Trace   line
			Records []domain.Record
			Next    domain.Position
		}
		b.socket("GET", "/api/traces/"+spelling, "").wants(200).read(&one)
		if one.Trace != all.Traces[0] || len(one.Records) != 2 || one.Records[1].Envelope.Type != "request.answered" || one.Next != 0 {
			t.Errorf("%s: %+v", spelling, one)
		}
	}
	var half struct {
		Records []domain.Record
		Next    domain.Position
	}
	b.socket("GET", "/api/traces/"+id.String()+"?limit=1", "").wants(200).read(&half)
	if len(half.Records) != 1 || half.Next != 7 {
		t.Errorf("half of it is %+v", half)
	}
	b.socket("GET", "/api/traces/"+b.ids.NewID().UUID(), "").wants(404, "/api/traces")
}
