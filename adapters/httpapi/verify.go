package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// verifyEvery is how often progress is told.
const verifyEvery = 200 * time.Millisecond

// verifyPatience is how long a peer may take to read one line.
const verifyPatience = 30 * time.Second

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
		line(api.Progress{Position: done, Tail: total, Rate: int64(float64(done) / now.Sub(started).Seconds())})
	})
	if err != nil {
		return err
	}
	x.api.damage.walked(report)
	problems := report.Problems
	if problems == nil {
		problems = []api.Problem{}
	}
	line(api.Verification{
		OK: len(problems) == 0, Records: report.Records, Problems: problems, More: report.More, Lost: report.Lost, LostAt: report.LostAt,
	})
	return nil
}
