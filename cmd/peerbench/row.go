package main

import (
	"context"
	"fmt"
	"slices"
)

// trial runs one side of a row once in an empty folder and returns its figure.
type trial func(ctx context.Context, dir string) (float64, error)

// row is one comparison.
type row struct {
	name   string
	unit   string // of both figures: "envelopes/s", "s"
	ours   trial
	peer   trial  // nil when there is none
	versus string // who the peer is
	target target
	rounds int  // at most; 0 for as many as the run has
	twice  bool // run twice as many: a target is judged by it, and it varies much
}

// target is what a row must reach. The zero target asks for nothing.
type target struct {
	ratio   float64 // of ours to the peer, at least
	atLeast float64 // of our figure
	atMost  float64 // of our figure
}

// String writes the target as the table shows it.
func (t target) String() string {
	switch {
	case t.ratio > 0:
		return fmt.Sprintf("≥ %s×", ratioText(t.ratio))
	case t.atLeast > 0:
		return "≥ " + figureText(t.atLeast)
	case t.atMost > 0:
		return "≤ " + figureText(t.atMost)
	}
	return "–"
}

// result is a row with its medians.
type result struct {
	row
	oursMedian, peerMedian, ratio float64
	err                           error
}

// verdict is "ok", "not", "–" where nothing was asked, or "failed".
func (r result) verdict() string {
	switch {
	case r.err != nil:
		return "failed"
	case r.target == target{}:
		return "–"
	case r.target.ratio > 0 && r.ratio < r.target.ratio,
		r.target.atLeast > 0 && r.oursMedian < r.target.atLeast,
		r.target.atMost > 0 && r.oursMedian > r.target.atMost:
		return "not"
	}
	return "ok"
}

// measure runs a row for some rounds. Which side goes first changes from round
// to round, so that neither always finds the disk as the other left it.
func (r row) measure(ctx context.Context, rounds int, folder func() (string, func(), error)) result {
	if r.rounds > 0 {
		rounds = min(rounds, r.rounds)
	}
	if r.twice {
		rounds *= 2
	}
	var ours, peer, ratios []float64
	for n := range rounds {
		sides := []struct {
			run  trial
			into *[]float64
		}{{r.ours, &ours}, {r.peer, &peer}}
		if n%2 == 1 {
			slices.Reverse(sides)
		}
		for _, side := range sides {
			if side.run == nil {
				continue
			}
			figure, err := once(ctx, side.run, folder)
			if err != nil {
				return result{row: r, err: fmt.Errorf("%s: %w", r.name, err)}
			}
			*side.into = append(*side.into, figure)
		}
		if r.peer != nil {
			ratios = append(ratios, ours[n]/peer[n])
		}
	}
	return result{row: r, oursMedian: median(ours), peerMedian: median(peer), ratio: median(ratios)}
}

func once(ctx context.Context, run trial, folder func() (string, func(), error)) (float64, error) {
	dir, remove, err := folder()
	if err != nil {
		return 0, err
	}
	defer remove()
	return run(ctx, dir)
}

// median of no figures is 0.
func median(figures []float64) float64 {
	if len(figures) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(figures))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}
