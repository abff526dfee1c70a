package main

import "chalie/adapters/prometheus"

// metrics are the numbers of a program that serves.
func (a *App) metrics() (*prometheus.Metrics, error) {
	return prometheus.New(prometheus.Sources{
		Log: a.log, Projections: a.folds.group.Status, Clients: a.hub.Clients, Storage: a.log.Measures, Logger: a.cfg.Logger,
		Queues: func() map[string]int {
			background := a.spine.background.View()
			return map[string]int{"person": a.spine.foreground.Count(), background.Name: background.Waiting}
		},
	})
}
