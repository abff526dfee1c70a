package httpapi

import (
	"context"
	"io"
	"net/http"
	"time"

	"chalie/domain"
)

// ExportQuery says which records are to be exported, and how. The zero
// ExportQuery is every record.
type ExportQuery struct {
	Trace   domain.ID       // of a trace, or of any envelope of it
	Since   domain.Millis   // 0 is the start
	Until   domain.Millis   // 0 is now
	Through domain.Position // 0 is the tail
	Format  string          // "" is the usual one
}

// Export writes the records of a query. A query that can't be answered is an
// error before anything is written.
type Export func(ctx context.Context, q ExportQuery, out io.Writer) error

// exportPatience is how long a peer may take to read a piece of a file.
const exportPatience = 30 * time.Second

// export is GET /api/export?trace=&since=&until=&through=&format=: a file, in
// pieces. One that is broken off has no trailer.
func (x *exchange) export() error {
	in, err := x.query()
	if err != nil {
		return err
	}
	q := ExportQuery{Format: in.values.Get("format")}
	if q.Trace, err = in.id("trace"); err != nil {
		return err
	}
	through, err := in.count("through")
	if err != nil {
		return err
	}
	q.Through = domain.Position(through)
	for _, bound := range []struct {
		name string
		into *domain.Millis
	}{{"since", &q.Since}, {"until", &q.Until}} {
		if in.values.Get(bound.name) == "" {
			continue
		}
		if *bound.into, err = in.moment(bound.name, ago); err != nil {
			return err
		}
	}
	if !q.Trace.IsZero() && (q.Since != 0 || q.Until != 0) {
		return domain.Invalid("export", "trace", "a trace is exported whole: leave out since and until")
	}
	return x.api.cfg.Export(x.r.Context(), q, &piecewise{x: x, stream: http.NewResponseController(x.w)})
}

// piecewise sends a long answer as it comes. A peer may take as long as it needs
// for all of it, not for one piece.
type piecewise struct {
	x      *exchange
	stream *http.ResponseController
}

func (p *piecewise) Write(text []byte) (int, error) {
	if !p.x.begun {
		p.x.begun = true
		p.x.w.Header().Set("Content-Type", "application/x-ndjson")
	}
	// Where there is no deadline, a peer that is gone ends the walk through the
	// request's context.
	_ = p.stream.SetWriteDeadline(time.Now().Add(exportPatience))
	return p.x.w.Write(text)
}
