package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/httpapi/openapi"
	"chalie/commands"
	"chalie/domain"
)

// Surroundings is the person's context. Its methods are those of *signal.Surroundings,
// which says their errors.
type Surroundings interface {
	Tell(ctx context.Context, c commands.Caller, text []byte) error
	Now() domain.ContextUpdated
}

func healthHandlers() handlers {
	return handlers{"health": (*exchange).health, "checkIn": (*exchange).checkIn, "ready": (*exchange).ready}
}

// health is GET /health: one object for all callers. Only the operator's has the person's
// attention.
func (x *exchange) health() error {
	return x.healthFor(x.visiting(domain.Passing))
}

// visiting is the caller of a route that needs no credentials. A session's cookie without
// its key counts as none when its use can't be recorded.
func (x *exchange) visiting(use domain.Use) commands.Caller {
	caller, _ := x.identify()
	if x.cookie != "" && x.noted(use) != nil {
		return commands.Caller{}
	}
	return caller
}

func (x *exchange) healthFor(caller commands.Caller) error {
	h := x.api.cfg.Health(x.r.Context())
	services, resources := x.advised(h.Services), h.Resources
	if resources == nil {
		resources = map[string]api.Resource{}
	}
	var attention *string
	if caller.Operator {
		attention = x.surroundings().Attention
	}
	return x.answer(http.StatusOK, api.Health{
		Status: "ok", Version: x.api.cfg.Version, Ready: h.Ready, Services: services, Resources: resources, Lost: h.Lost, Attention: attention,
	})
}

// advised are services whose details name commands as the caller would type them.
func (x *exchange) advised(services map[string]api.Service) map[string]api.Service {
	out := make(map[string]api.Service, len(services))
	for name, s := range services {
		s.Detail = x.advice(s.Detail)
		out[name] = s
	}
	return out
}

// checkIn is POST /health, with which a client of the operator also reports their
// context. A stranger's body is not read.
func (x *exchange) checkIn() error {
	caller := x.visiting(domain.Alone)
	if caller.Operator {
		x.takeSurroundings(caller)
	}
	return x.healthFor(caller)
}

// surroundings is the person's context; empty when the log is only read.
func (x *exchange) surroundings() domain.ContextUpdated {
	if x.api.cfg.Surroundings == nil {
		return domain.ContextUpdated{}
	}
	return x.api.cfg.Surroundings.Now()
}

// takeSurroundings records the context in a POST /health. The client needs its answer in
// any case: fields that can't be read are ignored, and a failure to record is logged; the
// client reports again in some minutes.
func (x *exchange) takeSurroundings(caller commands.Caller) {
	if x.api.cfg.Surroundings == nil {
		return
	}
	body, err := x.body()
	if err != nil {
		return
	}
	if err := x.api.cfg.Surroundings.Tell(x.r.Context(), caller, body); err != nil && x.r.Context().Err() == nil {
		x.api.cfg.Logger.Warn("what a client told of its surroundings was not taken in", slog.Any("error", err))
	}
}

// ready is GET /ready.
func (x *exchange) ready() error {
	h := x.api.cfg.Health(x.r.Context())
	if h.Ready {
		return x.answer(http.StatusOK, api.Ready{Ready: true})
	}
	return x.answer(http.StatusServiceUnavailable, api.NotReady{Reason: x.advice(h.Reason)})
}

// verifyEvery is how often progress is sent.
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
		Retired: report.Retired,
	})
	return nil
}

// damage remembers that a request met damaged records. A record is checked when it is
// read, so a program may run for long on a damaged log until a request reads the damaged
// part: /health then shows it. The zero damage is none.
type damage struct{ says atomic.Pointer[string] }

// met is the latest damage, with advice; "" for none.
func (d *damage) met() string {
	if says := d.says.Load(); says != nil {
		return *says
	}
	return ""
}

// note remembers a request's error if it is damage.
func (d *damage) note(err error) {
	if domain.CodeOf(err) == domain.CodeCorrupt {
		says := outward(err)
		d.says.Store(&says)
	}
}

// walked takes in the result of verifying the whole log.
func (d *damage) walked(found Verification) {
	d.says.Store(nil)
	if problems := uint64(len(found.Problems)) + found.More; problems > 0 {
		says := fmt.Sprintf("the log is damaged: a walk over it found %d problems; stop Chalie and run `chalie repair`, or restore the folder from a backup", problems)
		if problems == 1 {
			says = "the log is damaged: a walk over it found a problem; stop Chalie and run `chalie repair`, or restore the folder from a backup"
		}
		d.says.Store(&says)
	}
}

// Metrics counts answers and serves the counts. It is safe for concurrent use.
type Metrics interface {
	http.Handler
	// Answered counts a request: the route is a path of the contract.
	Answered(method, route string, status int, took time.Duration)
}

// metrics is GET /metrics.
func (x *exchange) metrics() error {
	if x.api.cfg.Metrics == nil {
		return notRunning("tell how it does")
	}
	x.begun = true
	x.api.cfg.Metrics.ServeHTTP(x.w, x.r)
	return nil
}

// counted notes the status of an answer.
type counted struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (c *counted) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *counted) Write(text []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	return c.ResponseWriter.Write(text)
}

// Unwrap is for http.ResponseController.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// answered is the status; 101 when the connection was hijacked.
func (c *counted) answered() int {
	if c.status == 0 {
		return http.StatusSwitchingProtocols
	}
	return c.status
}

// openapi is GET /openapi.json: the contract, for programs.
func (x *exchange) openapi() error {
	document, err := x.api.document()
	if err != nil {
		return &domain.Error{Op: "draw the contract", Code: "internal", Message: "the document could not be drawn", Err: err}
	}
	x.write(http.StatusOK, document)
	return nil
}

func drawn(version string) func() ([]byte, error) {
	return func() ([]byte, error) { return openapi.Document(api.Routes(), version) }
}
