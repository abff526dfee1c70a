package main

import (
	"context"
	"errors"
	"fmt"

	"chalie/adapters/pebblelog"
)

// appendRows compare durable appends, all indexes included, with raw Pebble's
// synced sets of the same bytes under single keys.
func appendRows(s scale) []row {
	var rows []row
	for _, publishers := range []int{1, 64, 512} {
		for _, size := range []int{1, 100, 1000} {
			r := row{
				name: fmt.Sprintf("append, %d publishers, batches of %d", publishers, size), unit: "envelopes/s",
				versus: "raw Pebble, synced",
				ours:   appendToLog(s, publishers, size), peer: setInPebble(s, publishers, size),
			}
			if publishers == 512 && size == 1 {
				r.target.ratio, r.twice = 0.8, true
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func appendToLog(s scale, publishers, size int) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		samples, err := newSampler()
		if err != nil {
			return 0, err
		}
		log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, log.Close()) }()
		return publish(ctx, publishers, s.publishFor, func(int) (int, error) {
			_, err := log.Append(ctx, samples.batch(size))
			return size, err
		})
	}
}

func setInPebble(s scale, publishers, size int) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		samples, err := newSampler()
		if err != nil {
			return 0, err
		}
		store, err := openRawPebble(dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, store.close()) }()
		records := make([][]byte, publishers)
		for p := range records {
			records[p] = samples.rawRecord()
		}
		return publish(ctx, publishers, s.publishFor, func(p int) (int, error) {
			return size, store.set(records[p], size)
		})
	}
}
