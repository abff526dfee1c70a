package main

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"sync"

	"chalie/adapters/httpapi"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// Run serves until ctx ends or a listener fails, and then closes everything.
// Ending ctx is no error.
func (a *App) Run(ctx context.Context) error {
	requests, breakOff := context.WithCancel(context.Background())
	defer breakOff()
	servers := []*http.Server{
		httpapi.NewServer(requests, a.site.Handler(), a.cfg.Logger),
		httpapi.NewServer(requests, a.core.api.TrustedHandler(), a.cfg.Logger),
	}
	level := slog.LevelInfo
	if a.cfg.Announced {
		level = slog.LevelDebug
	}
	a.cfg.Logger.Log(ctx, level, "serving", "address", a.Addr(), "data", a.cfg.Data, "position", uint64(a.started))
	failed := make(chan error, len(servers))
	var serving sync.WaitGroup
	for i, listener := range []net.Listener{a.bounded(servers[0]), a.unix} {
		serving.Go(func() {
			if err := servers[i].Serve(listener); !errors.Is(err, http.ErrServerClosed) {
				failed <- err
			}
		})
	}
	serving.Go(func() {
		if a.folds.group.WaitFor(a.stopping, a.started) == nil {
			a.cfg.Logger.Log(ctx, level, "ready", "position", uint64(a.started))
		}
	})
	serving.Go(func() { a.startLater(a.stopping) })
	refusals, stopRefusals := context.WithCancel(context.Background())
	defer stopRefusals()
	recording := make(chan error, 1)
	go func() { recording <- a.core.accounts.Run(refusals) }()
	working := a.work()

	var failure error
	select {
	case <-ctx.Done():
	case err := <-failed:
		failure = &domain.Error{Op: "serve", Category: domain.Dependency, Code: "not_listening", Err: err,
			Message: "Chalie can't take requests any more; start it again"}
	}
	a.stop()
	finish(servers, breakOff)
	serving.Wait()
	working.Wait()
	stopRefusals()
	why := reason(ctx, failure)
	failure = errors.Join(failure, <-recording, a.recordStop(why), a.Close())
	a.cfg.Logger.Info("stopped", "reason", why)
	return failure
}

// services are what runs until the way out begins, by name.
func (a *App) services() map[string]func(context.Context) error {
	services := a.outside.services()
	services[socketService], services[reasoning.Group] = a.hub.Run, a.loop.Run
	services[domain.ServiceTimer], services[domain.ServiceAudit] = a.timer.Run, a.auditor.Run
	if a.exporter != nil {
		services[domain.ServiceTelemetry] = a.exporter.Run
	}
	maps.Copy(services, a.spine.services())
	return services
}

// work runs the services, each until the way out begins. When one of them dies
// the others live, and /health says so.
func (a *App) work() *sync.WaitGroup {
	var working sync.WaitGroup
	for name, run := range a.services() {
		declared, _ := domain.ServiceNamed(name)
		working.Go(func() {
			if err := a.spine.hearts.Keep(a.stopping, declared, run); err != nil && a.stopping.Err() == nil {
				a.cfg.Logger.Error("a service has ended", "service", name, "err", err)
			}
		})
	}
	return &working
}

// finish lets requests under way end, then breaks them off.
func finish(servers []*http.Server, breakOff context.CancelFunc) {
	var ending sync.WaitGroup
	for _, s := range servers {
		ending.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), finishWithin)
			defer cancel()
			if s.Shutdown(ctx) == nil {
				return
			}
			breakOff()
			ctx, cancel = context.WithTimeout(context.Background(), breakWithin)
			defer cancel()
			if s.Shutdown(ctx) != nil {
				// What still goes on then has lost its context; its connection goes, too.
				_ = s.Close()
			}
		})
	}
	ending.Wait()
}
