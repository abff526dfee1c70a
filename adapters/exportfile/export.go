package exportfile

import (
	"context"
	"fmt"
	"io"

	"chalie/domain"
)

// Log is what is read of a log.
type Log interface {
	domain.Reader
	domain.Tailer
}

// Consumers is a Log that knows who works through it. Its positions are exported
// with it.
type Consumers interface {
	Consumers(ctx context.Context) (map[string]domain.Position, error)
}

// Retiring is a Log from which records may have gone. Their positions are exported with it.
type Retiring interface {
	Retired(ctx context.Context, from, through domain.Position) (domain.Runs, error)
}

// Selection says which records of a log are wanted. The zero Selection is all
// of them. A trace goes before a period.
type Selection struct {
	Trace   domain.ID       // of the trace, or of any envelope of it
	Since   domain.Millis   // recorded then or later; 0 from the start
	Until   domain.Millis   // recorded before then; 0 to the end
	Through domain.Position // up to this position; 0 to the end
	After   domain.Position // behind this position: a Piece that continues another file; 0 from the start
}

// pageSize is how many records are read at a time.
const pageSize = 1024

// Export writes the records of a selection that are durable when it begins.
// Nothing is written before it is known that there is something to select.
// Errors: NotFound when there is no such trace, those of the log, of out, and
// of ctx.
func Export(ctx context.Context, log Log, sel Selection, format Format, catalogue string, out io.Writer) error {
	var consumers map[string]domain.Position
	if c, ok := log.(Consumers); ok {
		var err error
		if consumers, err = c.Consumers(ctx); err != nil { // before the tail is read: none is beyond it
			return err
		}
	}
	h, selector, err := plan(ctx, log, sel)
	if err != nil {
		return err
	}
	h.Catalogue, h.Consumers = catalogue, consumers
	w, err := NewWriter(out, format, h)
	if err != nil {
		return err
	}
	if h.Records > 0 {
		err := each(ctx, log, selector, h.First, h.Last, func(rec domain.Record) error { return w.Write(rec) })
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// plan finds out what will be written, so that the header can say it.
func plan(ctx context.Context, log Log, sel Selection) (Header, domain.Selector, error) {
	h := Header{What: Whole}
	tail := log.Tail()
	if sel.Through > 0 {
		tail = min(tail, sel.Through)
	}
	if !sel.Trace.IsZero() {
		return planTrace(ctx, log, sel.Trace, tail)
	}
	first := sel.After + 1
	var err error
	if sel.After > 0 {
		h.What = Piece
	}
	if sel.Since != 0 && sel.Until != 0 && sel.Since >= sel.Until {
		return h, domain.Selector{}, domain.Invalid("export", "until", "until is not after since: give a period that ends after it begins")
	}
	if sel.Since != 0 || sel.Until != 0 {
		h.What, h.Since, h.Until = Period, sel.Since, sel.Until
		if sel.Since != 0 {
			if first, err = log.Since(ctx, sel.Since); err != nil {
				return h, domain.Selector{}, err
			}
		}
		if sel.Until != 0 {
			end, err := log.Since(ctx, sel.Until)
			if err != nil {
				return h, domain.Selector{}, err
			}
			tail = min(tail, end-1)
		}
	}
	// The first record need not be at the first position: old ones may be gone.
	found, err := log.Select(ctx, domain.Selector{}, first, 1)
	if err != nil || len(found) == 0 || found[0].Position > tail {
		return h, domain.Selector{}, err
	}
	h.First, h.Last = found[0].Position, tail
	if h.What == Piece {
		h.First = first // what went before it belongs to it
	}
	var went domain.Runs
	if r, ok := log.(Retiring); ok {
		if went, err = r.Retired(ctx, h.First, h.Last); err != nil {
			return h, domain.Selector{}, err
		}
	}
	h.Records = uint64(h.Last-h.First) + 1 - went.Count()
	if h.What != Period {
		h.Retired = went.Write()
	}
	return h, domain.Selector{}, nil
}

// planTrace counts a trace's records. An envelope's id stands for its trace.
func planTrace(ctx context.Context, log Log, id domain.ID, tail domain.Position) (Header, domain.Selector, error) {
	h := Header{What: Trace, Trace: id}
	selector := domain.Selector{Trace: domain.TraceID{ID: id}}
	some, err := log.Select(ctx, selector, 1, 1)
	if err == nil && len(some) == 0 {
		var rec domain.Record
		if rec, err = log.Find(ctx, id); err == nil {
			h.Trace, selector.Trace = rec.Envelope.Trace.ID, rec.Envelope.Trace
		}
	}
	if domain.CategoryOf(err) == domain.NotFound {
		err = &domain.Error{Op: "export", Category: domain.NotFound, Code: "no_trace",
			Message: fmt.Sprintf("there is no trace and no envelope %s in the log; `chalie trace list` names the traces", id)}
	}
	if err != nil {
		return h, selector, err
	}
	err = each(ctx, log, selector, 1, tail, func(rec domain.Record) error {
		if h.First == 0 {
			h.First = rec.Position
		}
		h.Last = rec.Position
		h.Records++
		return nil
	})
	return h, selector, err
}

// each calls fn with the selected records from first through last, in order.
func each(ctx context.Context, log domain.Reader, selector domain.Selector, first, last domain.Position, fn func(domain.Record) error) error {
	for {
		records, cut, err := domain.SelectWithin(ctx, log, selector, first, pageSize, domain.PageBytes)
		if err != nil {
			return err
		}
		for _, rec := range records {
			if rec.Position > last {
				return nil
			}
			if err := fn(rec); err != nil {
				return err
			}
			first = rec.Position + 1
		}
		if !cut && len(records) < pageSize {
			return nil
		}
	}
}
