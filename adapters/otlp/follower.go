package otlp

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"chalie/domain"
)

// Log is what a follower reads, and where it keeps how far it is.
type Log interface {
	domain.Reader
	domain.Tailer
	domain.Checkpoints
}

// Config is what a Follower needs. All fields but those with a default are required.
type Config struct {
	Log     Log
	Target  Target
	Clock   domain.Clock
	Version string        // of Chalie
	Gather  time.Duration // from a new record until it is read, so that several go together; default 1 s
	Retry   time.Duration // the first pause after a failure; default 1 s
	Within  time.Duration // for the collector to answer; default 30 s
	Logger  *slog.Logger  // default: nothing is logged
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	switch {
	case c.Log == nil || c.Clock == nil || c.Target.URL == "":
		return domain.Invalid("configure telemetry", "", "Log, Clock and Target are required")
	case c.Gather < 0 || c.Retry < 0 || c.Within < 0:
		return domain.Invalid("configure telemetry", "", "Gather, Retry and Within can't be negative")
	}
	return nil
}

// checkpoint is the name of the follower's position.
const checkpoint = "telemetry"

// Follower sends the traces that end to a collector, in the order in which they end
// and each at least once. It begins with what ends after it was first switched on.
type Follower struct {
	cfg      Config
	client   otlptrace.Client
	resource *resourcepb.Resource

	failures failures

	courses map[domain.TraceID]*course // of traces seen lately; owned by Run

	mu     sync.Mutex
	status Status
}

// New checks the configuration. It connects to nothing.
func New(ctx context.Context, cfg Config) (*Follower, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Gather == 0 {
		cfg.Gather = time.Second
	}
	if cfg.Retry == 0 {
		cfg.Retry = time.Second
	}
	if cfg.Within == 0 {
		cfg.Within = 30 * time.Second
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	resource, err := describe(ctx, cfg.Version)
	if err != nil {
		return nil, err
	}
	return &Follower{cfg: cfg, client: newClient(cfg.Target), resource: resource, courses: map[domain.TraceID]*course{},
		status: Status{Collector: cfg.Target.host()}}, nil
}

// batch is how many records are read at a time.
const batch = 512

// Run sends until ctx ends or the log closes, and returns nil then. It returns an
// error when the log holds what can't be read.
func (f *Follower) Run(ctx context.Context) error {
	if err := f.client.Start(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return &domain.Error{Op: "export telemetry", Category: domain.Dependency, Code: "no_exporter", Err: err,
			Message: "the exporter can't begin; check the OTEL_EXPORTER_OTLP_ variables"}
	}
	defer f.stop()
	at, err := f.begin(ctx)
	for err == nil && ctx.Err() == nil {
		at, err = f.step(ctx, at)
		if err != nil {
			clear(f.courses) // they are ahead of at, and are read again
		}
		if err != nil && domain.IsRetriable(err) {
			f.tell(func(s *Status) { s.Err = err })
			err = pause(ctx, f.cfg.Retry)
		}
	}
	if ctx.Err() != nil || domain.CodeOf(err) == domain.CodeClosed {
		return nil
	}
	return err
}

// stop lets go of the connection. Nothing waits to be sent, so nothing can be lost.
func (f *Follower) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = f.client.Stop(ctx)
}

// begin is where it left off; the first time, at the end of the log.
func (f *Follower) begin(ctx context.Context) (domain.Position, error) {
	at, err := f.cfg.Log.Checkpoint(ctx, checkpoint)
	if err == nil && at == 0 {
		at = f.cfg.Log.Tail()
		err = f.cfg.Log.SaveCheckpoint(ctx, checkpoint, at)
	}
	f.tell(func(s *Status) { s.Position = at })
	return at, err
}

// step sends what ends in the next records, and returns the last of them. At the end
// of the log it waits for more, and then a moment, so that they go together.
func (f *Follower) step(ctx context.Context, at domain.Position) (domain.Position, error) {
	records, _, err := domain.SelectWithin(ctx, f.cfg.Log, domain.Selector{}, at+1, batch, domain.PageBytes)
	if err != nil {
		return at, err
	}
	if len(records) == 0 {
		if _, err := f.cfg.Log.Wait(ctx, at); err != nil {
			return at, err
		}
		return at, pause(ctx, f.cfg.Gather)
	}
	spans := f.failures.take()
	for _, rec := range records {
		ended, err := f.follow(ctx, rec)
		if err != nil {
			return at, err
		}
		if ended == nil {
			continue
		}
		made, err := spansOf(ctx, f.cfg.Log, *ended, f.cfg.Target.Content)
		if err != nil {
			return at, err
		}
		spans = append(spans, made...)
		if len(spans) >= maxSpans {
			if err := f.send(ctx, spans); err != nil {
				return at, err
			}
			spans = nil
		}
	}
	if err := f.send(ctx, spans); err != nil {
		return at, err
	}
	at = records[len(records)-1].Position
	f.tell(func(s *Status) { s.Position = at })
	return at, f.cfg.Log.SaveCheckpoint(ctx, checkpoint, at)
}

// pause waits, unless ctx ends first.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
