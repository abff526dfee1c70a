package main

import (
	"context"

	"chalie/adapters/watermillbus"
	"chalie/adapters/watermillbus/layers"
	"chalie/commands/limit"
	"chalie/commands/screen"
)

// newBus is the way to the log, with all its layers.
func newBus(ctx context.Context, a *App) (*watermillbus.Bus, error) {
	var err error
	if a.volume, err = limit.NewVolume(a.cfg.SignalBytes); err != nil {
		return nil, err
	}
	c := layers.Config{Screen: screen.Stored}
	if c.Limits, err = limit.NewCallers(ctx, limit.CallersConfig{Reader: a.log, Clock: a.cfg.Clock, PerMinute: a.cfg.SignalRate, Volume: a.volume}); err != nil {
		return nil, err
	}
	if a.exporter, err = newExporter(ctx, a); err != nil {
		return nil, err
	}
	if a.exporter != nil {
		c.Spans = a.exporter
	}
	if a.numbers, err = a.metrics(); err != nil {
		return nil, err
	}
	c.Meter = a.numbers
	if a.cfg.layers != nil {
		a.cfg.layers(&c)
	}
	return watermillbus.New(watermillbus.Config{Log: a.life, IDs: a.cfg.IDs, Clock: a.cfg.Clock, Layers: layers.All(c)})
}
