package main

import (
	"context"
	"fmt"

	"chalie/adapters/api"
	"chalie/adapters/otlp"
	"chalie/adapters/prometheus"
	"chalie/domain"
)

// newExporter sends traces to a collector; nil where none was named.
func newExporter(ctx context.Context, a *App) (*otlp.Follower, error) {
	if a.cfg.Telemetry == nil {
		return nil, nil
	}
	return otlp.New(ctx, otlp.Config{Log: a.log, Target: *a.cfg.Telemetry, Clock: a.cfg.Clock, Version: thisBuild().Version, Logger: a.cfg.Logger})
}

// exporting is the state of the export. It doesn't affect readiness.
func exporting(s otlp.Status, tail domain.Position) api.Service {
	detail := fmt.Sprintf("%s sent to %s", counted(s.Sent, "span", "spans"), s.Collector)
	if behind := tail - min(tail, s.Position); behind > 0 {
		detail += ", " + counted(behind, "record waits", "records wait")
	}
	if s.Refused > 0 {
		detail += ", " + counted(s.Refused, "span", "spans") + " refused by it and passed over"
	}
	if s.Err != nil {
		detail += fmt.Sprintf(", since %s: %s", s.Since.UTC().Format("2006-01-02 15:04:05 UTC"), words(s.Err))
	}
	return api.Service{Ready: s.Err == nil, Detail: detail}
}

// metrics are the running program's metrics. What they ask is there when somebody scrapes.
func (a *App) metrics() (*prometheus.Metrics, error) {
	return prometheus.New(prometheus.Sources{
		Log: a.log, Projections: a.folds.Group.Status, Clients: func() int { return a.hub.Clients() }, Storage: a.log.Measures, Cluster: a.clusterNumbers, Logger: a.cfg.Logger,
		Queues: func() map[string]int {
			background := a.spine.background.View()
			return map[string]int{"person": a.spine.foreground.Count(), background.Name: background.Waiting}
		},
	})
}
