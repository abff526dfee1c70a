package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/traces"
	"chalie/replay"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

// trace is GET /api/traces/{id}?from=&limit=&gist=. Next is the position of the next
// page, absent on the last one.
func (x *exchange) trace() error {
	line, _, err := x.traceNamed(x.params.ByName("id"))
	if err != nil {
		return err
	}
	q := x.query()
	from, limit, gists := q.count("from"), q.count("limit"), q.flag("gist")
	if q.err != nil {
		return q.err
	}
	records, cut, err := domain.SelectWithin(x.r.Context(), x.api.cfg.Log, domain.Selector{Trace: line.Trace}, max(1, domain.Position(from)), int(limit), domain.PageBytes)
	if err != nil {
		return err
	}
	out := api.WholeTrace{Trace: bodyOf(line), Records: entries(records, gists)}
	if out.Considered, err = explain.ConsideredIn(x.r.Context(), x.api.cfg.Log, line.Trace, nil); err != nil {
		return err
	}
	if n := len(records); (cut || n == int(limit)) && records[n-1].Position < line.Last {
		out.Next = records[n-1].Position + 1
	}
	return x.answer(http.StatusOK, out)
}

// traceNamed finds a trace by its own id, or by the id or pos:POSITION of one of its
// envelopes; at is that envelope's position, 0 for a trace's own id.
func (x *exchange) traceNamed(name string) (line traces.Line, at domain.Position, err error) {
	x.catchUp()
	number, isPosition := strings.CutPrefix(name, "pos:")
	if pos, err := strconv.ParseUint(number, 10, 63); isPosition && err == nil {
		rec, err := x.recordAt(domain.Position(pos))
		if err == nil && rec.Position == 0 {
			err = noTrace("there is no envelope at position " + number)
		}
		if err != nil {
			return traces.Line{}, 0, err
		}
		return x.traceOf(rec)
	}
	id, err := parseID("id", name)
	if err != nil {
		return traces.Line{}, 0, err
	}
	line, found, err := x.api.cfg.Traces.Get(domain.TraceID{ID: id})
	if err != nil || found {
		return line, 0, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if domain.CategoryOf(err) == domain.NotFound {
		return traces.Line{}, 0, noTrace(fmt.Sprintf("there is no trace %s, and no envelope of that id", id))
	}
	if err != nil {
		return traces.Line{}, 0, err
	}
	return x.traceOf(rec)
}

func (x *exchange) traceOf(rec domain.Record) (traces.Line, domain.Position, error) {
	line, found, err := x.api.cfg.Traces.Get(rec.Envelope.Trace)
	if err == nil && !found {
		err = noTrace(fmt.Sprintf("the trace of the envelope at position %d isn't known yet", rec.Position))
	}
	return line, rec.Position, err
}

func noTrace(why string) error {
	return &domain.Error{Op: "show trace", Category: domain.NotFound, Code: "no_trace", Field: "id", Message: why + ": GET /api/traces lists them"}
}

// Bounds of one request for a trace's steps.
const (
	stepRecords = 10_000
	stepBytes   = 16 << 20 // of payloads
	stepChunk   = 1000
)

// stepQuery selects rows of a trace.
type stepQuery struct {
	from, through domain.Position // through 0 is the end
	keep          domain.Position // this record gets a row of its own
	alike         domain.Position // only records grouped with this one, one per row; 0 for all
	limit         int
}

// steps is GET /api/traces/{id}/steps?from=&limit=&through=&keep=&alike=. Next is the
// position of the next page, absent on the last one.
func (x *exchange) steps() error {
	q, err := x.stepQuery()
	if err != nil {
		return err
	}
	line, at, err := x.traceNamed(x.params.ByName("id"))
	if err != nil {
		return err
	}
	texts, err := x.textsOf(line)
	if err != nil {
		return err
	}
	out := api.TraceSteps{Trace: bodyOf(line), At: at, Steps: []api.TraceStep{}}
	out.Trace.TraceTexts = texts
	if out.Considered, err = explain.ConsideredIn(x.r.Context(), x.api.cfg.Log, line.Trace, nil); err != nil {
		return err
	}
	q.keep = max(q.keep, at)
	steps, next, err := x.rows(line, q)
	if err != nil {
		return err
	}
	out.Next = next
	for _, s := range steps {
		out.Steps = append(out.Steps, api.TraceStep{
			Record: s.Record, Depth: s.Depth, Until: s.Until, Like: s.Like, Through: s.Through, Gist: short(narrate.Line(s.Record.Envelope)),
		})
	}
	return x.answer(http.StatusOK, out)
}

// rows reads as many records as a page of rows needs: some hundred, or thousands when
// rows group many.
func (x *exchange) rows(line traces.Line, q stepQuery) (steps []replay.Step, next domain.Position, err error) {
	for most := stepChunk; ; most *= 5 {
		records, further, err := x.stepRecords(line, q, min(most, stepRecords))
		if err != nil {
			return nil, 0, err
		}
		if q.alike != 0 {
			for _, rec := range records {
				steps = append(steps, replay.Step{Record: rec, Until: rec.RecordedAt})
			}
			return steps, further, nil
		}
		steps, next = replay.Steps(records, q.limit, q.keep)
		switch {
		case next != 0 || further == 0:
			return steps, next, nil
		case most >= stepRecords || len(records) < most: // the bound is reached
			return steps, further, nil
		}
	}
}

func (x *exchange) stepQuery() (out stepQuery, err error) {
	q := x.query()
	position := func(name string) domain.Position { return domain.Position(q.count(name)) }
	out = stepQuery{limit: int(q.count("limit")), from: max(1, position("from")), through: position("through"), keep: position("keep"), alike: position("alike")}
	return out, q.err
}

// stepRecords reads at most that many records for rows, and returns the position of the
// next; 0 at the end.
func (x *exchange) stepRecords(line traces.Line, q stepQuery, most int) (out []domain.Record, next domain.Position, err error) {
	like, err := x.recordAt(q.alike)
	if err != nil {
		return nil, 0, err
	}
	end := line.Last
	if q.through != 0 {
		end = min(end, q.through)
	}
	size, read := 0, 0
	for from := q.from; from <= end; {
		records, cut, err := domain.SelectWithin(x.r.Context(), x.api.cfg.Log, domain.Selector{Trace: line.Trace}, from, stepChunk, domain.PageBytes)
		if err != nil {
			return nil, 0, err
		}
		for _, rec := range records {
			if rec.Position > end {
				return out, 0, nil
			}
			full := q.alike == 0 && read >= most || read >= stepRecords || size >= stepBytes || q.alike != 0 && len(out) >= q.limit
			if full {
				return out, rec.Position, nil
			}
			read++
			from = rec.Position + 1
			if q.alike == 0 || replay.Alike(rec, like) {
				out = append(out, rec)
				size += len(rec.Envelope.Payload.Bytes)
			}
		}
		if !cut && len(records) < stepChunk {
			break
		}
	}
	return out, 0, nil
}
