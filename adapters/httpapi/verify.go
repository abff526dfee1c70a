package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"chalie/domain"
)

// verifyEvery is how often progress is told.
const verifyEvery = 200 * time.Millisecond

// verifyPatience is how long a peer may take to read one line.
const verifyPatience = 30 * time.Second

type verifyProgress struct {
	Position domain.Position `json:"position"`
	Tail     domain.Position `json:"tail"`
	Rate     int64           `json:"rate"` // records a second so far
}

type verifyResult struct {
	OK       bool      `json:"ok"`
	Records  uint64    `json:"records"`
	Problems []Problem `json:"problems"`
	More     uint64    `json:"more,omitempty"`    // problems beyond those listed
	Lost     uint64    `json:"lost,omitempty"`    // positions that a repair or an import named lost
	LostAt   []Span    `json:"lost_at,omitempty"` // the first runs of them
}

// verify is GET /api/verify: JSON lines of progress, and the result last. A
// stream that ends without a result was broken off.
func (x *exchange) verify() error {
	x.begun = true
	x.w.Header().Set("Content-Type", "application/x-ndjson")
	stream := http.NewResponseController(x.w)
	lines := json.NewEncoder(x.w)
	line := func(v any) {
		// A peer that is gone ends the walk through the request's context.
		_ = stream.SetWriteDeadline(time.Now().Add(verifyPatience))
		_ = lines.Encode(v)
		_ = stream.Flush()
	}
	started := x.api.cfg.Clock.Now()
	told := started
	report, err := x.api.cfg.Verify(x.r.Context(), func(done, total domain.Position) {
		now := x.api.cfg.Clock.Now()
		if now.Sub(told) < verifyEvery {
			return
		}
		told = now
		line(verifyProgress{done, total, int64(float64(done) / now.Sub(started).Seconds())})
	})
	if err != nil {
		return err
	}
	x.api.damage.walked(report)
	problems := report.Problems
	if problems == nil {
		problems = []Problem{}
	}
	line(verifyResult{len(problems) == 0, report.Records, problems, report.More, report.Lost, report.LostAt})
	return nil
}
