package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// servingRows measure the whole program: how soon it is ready, how fast it
// folds, and what it takes over HTTP.
func servingRows(s scale) []row {
	n := grouped(int64(s.envelopes))
	return []row{
		{
			name: fmt.Sprintf("serve ready, %s envelopes in the log", n), unit: "s", rounds: 1,
			target: target{atMost: 1}, ours: readyAgain(s),
		},
		{
			name: "rebuild of all projections", unit: "envelopes/s", rounds: 1,
			target: target{atLeast: 500_000}, ours: rebuild(s),
		},
		{
			name: fmt.Sprintf("POST /api/signals, %d connections", connections), unit: "requests/s",
			target: target{atLeast: 15_000}, ours: post(s, rateOf),
		},
		{
			name: fmt.Sprintf("POST /api/signals, %d connections, p99", connections), unit: "ms",
			target: target{atMost: 20}, ours: post(s, slowestPercentOf),
		},
	}
}

// rebuild is how many envelopes a second a start folds that finds a full log
// and no projections.
func rebuild(s scale) trial {
	return func(ctx context.Context, dir string) (float64, error) {
		binary, data, err := filledData(ctx, dir, s.envelopes)
		if err != nil {
			return 0, err
		}
		p, took, err := start(ctx, binary, data)
		if err != nil {
			return 0, err
		}
		return float64(s.envelopes) / took.Seconds(), p.stop()
	}
}

// readyAgain is how long a start takes that finds everything folded.
func readyAgain(s scale) trial {
	return func(ctx context.Context, dir string) (float64, error) {
		binary, data, err := filledData(ctx, dir, s.envelopes)
		if err != nil {
			return 0, err
		}
		first, _, err := start(ctx, binary, data)
		if err != nil {
			return 0, err
		}
		if err := first.stop(); err != nil {
			return 0, err
		}
		second, took, err := start(ctx, binary, data)
		if err != nil {
			return 0, err
		}
		return took.Seconds(), second.stop()
	}
}

// filledData builds the program and a data directory whose log holds n envelopes.
func filledData(ctx context.Context, dir string, n int) (binary, data string, err error) {
	binary, err = build(ctx, dir)
	if err != nil {
		return "", "", err
	}
	data = filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return "", "", err
	}
	return binary, data, fillLog(ctx, filepath.Join(data, "log"), n)
}

// post measures a fresh program under signals from many connections.
func post(s scale, figure func(took []time.Duration, all time.Duration) float64) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		binary, err := build(ctx, dir)
		if err != nil {
			return 0, err
		}
		p, _, err := start(ctx, binary, filepath.Join(dir, "data"))
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, p.stop()) }()
		token, err := p.token(ctx)
		if err != nil {
			return 0, err
		}
		took, all, err := postSignals(ctx, p.address, token, s.postFor)
		if err != nil {
			return 0, err
		}
		return figure(took, all), nil
	}
}
