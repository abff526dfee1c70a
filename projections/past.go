package projections

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
)

// The bounds of what a Past keeps.
const (
	pastAnswers = 4                // asked for last, kept whole
	pastIdle    = 10 * time.Minute // without a question, after which they are let go
)

// Past answers what some projections knew at any position: it folds the log that far
// from the last keyframe before. V is what is asked, a struct of projections or one.
//
// It is safe for concurrent use; one question folds at a time.
type Past[V any] struct {
	feed Feed
	kept *Keyframes
	anew func() (V, []Projection)

	turn    chan struct{}   // holds one token: its holder may touch the fields below
	answers []pastAnswer[V] // asked for last is last
	age     uint64          // of the keyframes that they rest on
	idle    *time.Timer
}

type pastAnswer[V any] struct {
	at   domain.Position
	view V
}

// NewPast asks anew for new projections whenever it folds. They must have the same
// names and versions each time, and take part in nothing else. Without keyframes, which
// may be nil, it folds from the beginning.
func NewPast[V any](feed Feed, kept *Keyframes, anew func() (V, []Projection)) *Past[V] {
	return &Past[V]{feed: feed, kept: kept, anew: anew, turn: newTurn()}
}

func newTurn() chan struct{} {
	turn := make(chan struct{}, 1)
	turn <- struct{}{}
	return turn
}

// At is the state once everything through a position was folded. Nothing is
// folded into it later, so it may be kept and asked from any goroutine. It fails as
// Fold does.
func (p *Past[V]) At(ctx context.Context, at domain.Position) (V, error) {
	select {
	case <-p.turn:
	case <-ctx.Done():
		var none V
		return none, ctx.Err()
	}
	defer p.done()
	if age := p.kept.age(); age != p.age {
		p.answers, p.age = nil, age
	}
	if i := slices.IndexFunc(p.answers, func(a pastAnswer[V]) bool { return a.at == at }); i >= 0 {
		known := p.answers[i]
		p.answers = append(slices.Delete(p.answers, i, i+1), known)
		return known.view, nil
	}
	view, err := p.fold(ctx, at)
	if err != nil {
		return view, err
	}
	p.answers = append(p.answers, pastAnswer[V]{at, view})
	p.answers = p.answers[max(0, len(p.answers)-pastAnswers):]
	return view, nil
}

// done hands the turn on, and drops the answers if it isn't taken for long.
func (p *Past[V]) done() {
	if p.idle == nil {
		p.idle = time.AfterFunc(pastIdle, func() {
			select {
			case <-p.turn:
				p.answers = nil
				p.turn <- struct{}{}
			default: // somebody asks, and sets it again
			}
		})
	}
	p.idle.Reset(pastIdle)
	p.turn <- struct{}{}
}

// tellEvery is how many records are folded between two reports of progress.
const tellEvery = 8192

// fold begins at the last keyframe before a position; again without any when it turns out
// to be damaged.
func (p *Past[V]) fold(ctx context.Context, to domain.Position) (V, error) {
	for {
		age := p.kept.age()
		view, ps := p.anew()
		from, err := p.kept.Load(ctx, to, ps...)
		for at := from; err == nil && at < to; {
			next := min(to, at+tellEvery)
			if err = Fold(ctx, p.feed, at, next, ps...); err == nil {
				at = next
				tell(ctx, at-from, to-from)
			}
		}
		if err == nil || ctx.Err() != nil || p.kept.age() == age {
			return view, err
		}
	}
}
