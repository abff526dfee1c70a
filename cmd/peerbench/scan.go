package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chalie/adapters/pebblelog"
	"chalie/domain"
)

// readBatch is how many records a reader asks for at a time.
const readBatch = 4096

// scanRows compare reading the whole log into envelopes, checksums verified,
// with raw Pebble stepping over the same bytes.
func scanRows(s scale) []row {
	return []row{
		{
			name: "scan with decode", unit: "envelopes/s", versus: "raw Pebble, not decoded",
			rounds: 3,
			target: target{atLeast: 1_000_000}, ours: scanLog(s), peer: scanPebble(s),
		},
		{
			name: fmt.Sprintf("open the log with %s envelopes", grouped(int64(s.envelopes))), unit: "s", rounds: 3,
			target: target{atMost: 1}, ours: openLog(s),
		},
	}
}

// fillLog appends n envelopes.
func fillLog(ctx context.Context, dir string, n int) (err error) {
	samples, err := newSampler()
	if err != nil {
		return err
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	for n > 0 {
		size := min(n, 1000)
		if _, err := log.Append(ctx, samples.batch(size)); err != nil {
			return err
		}
		n -= size
	}
	return nil
}

func scanLog(s scale) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		if err := fillLog(ctx, dir, s.envelopes); err != nil {
			return 0, err
		}
		log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, log.Close()) }()
		begun := time.Now()
		seen := 0
		for from := domain.Position(1); ; from += readBatch {
			records, err := log.Select(ctx, domain.Selector{Topic: domain.TopicAll}, from, readBatch)
			if err != nil {
				return 0, err
			}
			seen += len(records)
			if len(records) < readBatch {
				break
			}
		}
		return checkedRate(seen, s.envelopes, time.Since(begun))
	}
}

func scanPebble(s scale) trial {
	return func(_ context.Context, dir string) (_ float64, err error) {
		if err := fillPebble(dir, s.envelopes); err != nil {
			return 0, err
		}
		store, err := openRawPebble(dir)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, store.close()) }()
		begun := time.Now()
		seen, err := store.scan()
		if err != nil {
			return 0, err
		}
		return checkedRate(seen, s.envelopes, time.Since(begun))
	}
}

func fillPebble(dir string, n int) (err error) {
	samples, err := newSampler()
	if err != nil {
		return err
	}
	store, err := openRawPebble(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.close()) }()
	record := samples.rawRecord()
	for n > 0 {
		size := min(n, 1000)
		if err := store.set(record, size); err != nil {
			return err
		}
		n -= size
	}
	return nil
}

func checkedRate(seen, want int, took time.Duration) (float64, error) {
	if seen != want {
		return 0, fmt.Errorf("%d records were read, %d were written", seen, want)
	}
	return float64(seen) / took.Seconds(), nil
}

// openLog is the time from nothing to a log that takes appends.
func openLog(s scale) trial {
	return func(ctx context.Context, dir string) (_ float64, err error) {
		if err := fillLog(ctx, dir, s.envelopes); err != nil {
			return 0, err
		}
		begun := time.Now()
		log, err := pebblelog.Open(pebblelog.Config{Dir: dir, Clock: clock{}})
		if err != nil {
			return 0, err
		}
		took := time.Since(begun)
		defer func() { err = errors.Join(err, log.Close()) }()
		if log.Tail() != domain.Position(s.envelopes) {
			return 0, fmt.Errorf("the tail is %d, %d were written", log.Tail(), s.envelopes)
		}
		return took.Seconds(), nil
	}
}
