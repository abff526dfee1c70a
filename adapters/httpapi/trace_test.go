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

// stepsOf is what the steps of a trace answer.
type stepsOf struct {
	Trace struct {
		TraceID string  `json:"trace_id"`
		CameIn  *string `json:"came_in"`
	}
	At    domain.Position
	Steps []struct {
		Record  domain.Record
		Depth   int
		Until   domain.Millis
		Like    int
		Through domain.Position
		Gist    string
	}
	Next domain.Position
}

// String is a row for each step: where it stands, and how many are folded.
func (s stepsOf) String() string {
	var out []string
	for _, step := range s.Steps {
		row := fmt.Sprintf("%s%s", strings.Repeat(">", step.Depth), step.Record.Envelope.Type)
		if step.Like > 0 {
			row += fmt.Sprintf("+%d", step.Like)
		}
		out = append(out, row)
	}
	return strings.Join(out, " ")
}

func (b *bench) rowsOf(name, query string) (out stepsOf) {
	b.t.Helper()
	b.socket("GET", "/api/traces/"+name+"/steps?"+query, "").wants(200).read(&out)
	return out
}

func TestTraceSteps(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says("Tell me when it rains")
	for n := range 30 {
		b.append(domain.TopicMessages, next(b, asked, domain.SteerReceived{Text: fmt.Sprintf("and %d", n)}))
	}
	b.answers(asked, domain.ShownMessage, "I will.", "weather")
	trace := asked.Trace.String()
	whole := b.rowsOf(trace, "")
	if got := whole.String(); got != "message.received >steer.received+29 >model.replied >>reasoning.concluded" || whole.Next != 0 || whole.At != 0 {
		t.Fatalf("the steps are %s, next %d, at %d", got, whole.Next, whole.At)
	}
	if *whole.Trace.CameIn != "Tell me when it rains" || whole.Steps[1].Gist != "and 0" || whole.Steps[0].Until != whole.Steps[3].Record.RecordedAt {
		t.Errorf("it is told as %+v", whole)
	}
	run := whole.Steps[1]
	from := run.Record.Position
	open := b.rowsOf(trace, fmt.Sprintf("alike=%d&from=%d&through=%d&limit=20", from, from, run.Through))
	if len(open.Steps) != 20 || open.Steps[19].Gist != "and 19" || open.Next != open.Steps[19].Record.Position+1 {
		t.Errorf("the run's first page has %d, next %d", len(open.Steps), open.Next)
	}
	rest := b.rowsOf(trace, fmt.Sprintf("alike=%d&from=%d&through=%d&limit=20", from, open.Next, run.Through))
	if len(rest.Steps) != 10 || rest.Steps[9].Gist != "and 29" || rest.Next != 0 {
		t.Errorf("the run's rest has %d, next %d", len(rest.Steps), rest.Next)
	}

	// An envelope is looked for by its id or place, and has a row of its own.
	one := open.Steps[9].Record
	for _, name := range []string{one.Envelope.ID.String(), fmt.Sprintf("pos:%d", one.Position)} {
		got := b.rowsOf(name, "")
		if got.At != one.Position || got.Trace.TraceID != trace || got.String() != "message.received >steer.received+8 >steer.received >steer.received+19 >model.replied >>reasoning.concluded" {
			t.Errorf("%s: %s at %d", name, got, got.At)
		}
		b.socket("GET", "/api/traces/"+name, "").wants(200, trace)
	}
	first := b.rowsOf(trace, "limit=2")
	second := b.rowsOf(trace, fmt.Sprintf("limit=2&from=%d", first.Next))
	if first.String() != "message.received >steer.received+29" || second.String() != "model.replied >reasoning.concluded" || second.Next != 0 {
		t.Errorf("in pages: %s, then %s", first, second)
	}
	for name, says := range map[string]string{"pos:99": "position 99", "pos:0": "position 0", b.ids.NewID().UUID(): "no trace"} {
		b.socket("GET", "/api/traces/"+name+"/steps", "").wants(404, says)
	}
	b.socket("GET", "/api/traces/pos:x/steps", "").wants(400, "id")
	b.socket("GET", "/api/traces/"+trace+"/steps?limit=0", "").wants(400, "limit")
}
