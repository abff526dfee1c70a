package projections

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
)

// The bounds of what a Past keeps.
const (
	pastKeyframes                 = 128              // more are thinned out; even
	pastSpacing   domain.Position = 8192             // records between keyframes, until they are thinned out
	pastAnswers                   = 4                // asked for last, kept whole
	pastBytes                     = 64 << 20         // of what keyframes hold
	pastIdle                      = 10 * time.Minute // without a question, after which all is let go
)

// Past answers what some projections knew at any position: it folds the log that
// far into fresh ones. V is what is asked, a struct of projections or one.
//
// On its way it keeps their state every few thousand records, so that a position
// near one that was asked for takes a fraction of the first answer. A keyframe is
// laid over the one before it and holds only what changed. Their number is bounded,
// and when they are too large together no more are added: later positions then take
// longer, and give the same. Unused for ten minutes it drops everything.
//
// It is safe for concurrent use; one question folds at a time.
type Past[V any] struct {
	feed Feed
	anew func() (V, []Projection)

	turn      chan struct{} // holds one token: its holder may touch the fields below
	keyframes []keyframe    // by position; the first is at 0, and empty
	spacing   domain.Position
	bytes     int
	bounds    pastBounds
	answers   []pastAnswer[V] // asked for last is last
	idle      *time.Timer
}

// pastBounds are those of keyframes; tests have smaller ones.
type pastBounds struct {
	keyframes int
	spacing   domain.Position
	bytes     int
}

// keyframe is the state of the projections at a position. It never changes.
type keyframe struct {
	at     domain.Position
	stores []*Overlay
}

type pastAnswer[V any] struct {
	at   domain.Position
	view V
}

// NewPast asks anew for new projections whenever it folds. They must have the same
// names and versions each time, and take part in nothing else.
func NewPast[V any](feed Feed, anew func() (V, []Projection)) *Past[V] {
	p := &Past[V]{feed: feed, anew: anew, turn: newTurn(), bounds: pastBounds{pastKeyframes, pastSpacing, pastBytes}}
	p.forget()
	return p
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

// done hands the turn on, and drops everything if it isn't taken for long.
func (p *Past[V]) done() {
	if p.idle == nil {
		p.idle = time.AfterFunc(pastIdle, func() {
			select {
			case <-p.turn:
				p.forget()
				p.turn <- struct{}{}
			default: // somebody asks, and sets it again
			}
		})
	}
	p.idle.Reset(pastIdle)
	p.turn <- struct{}{}
}

// forget goes back to where nothing was asked.
func (p *Past[V]) forget() {
	_, ps := p.anew()
	first := keyframe{stores: make([]*Overlay, len(ps))}
	for i := range first.stores {
		first.stores[i] = NewMemStore()
	}
	p.keyframes, p.spacing, p.bytes, p.answers = []keyframe{first}, p.bounds.spacing, 0, nil
}

// fold begins at the last keyframe before a position, and adds those that are
// missing on the way.
func (p *Past[V]) fold(ctx context.Context, to domain.Position) (V, error) {
	i, found := slices.BinarySearchFunc(p.keyframes, to, func(k keyframe, at domain.Position) int { return int(int64(k.at) - int64(at)) })
	if !found {
		i--
	}
	from := p.keyframes[i]
	view, ps := p.anew()
	if err := from.load(ps); err != nil {
		return view, err
	}
	for at := from.at; at < to; {
		next := min(to, at+p.spacing)
		last := p.keyframes[len(p.keyframes)-1].at
		frontier := at == last && p.bytes < p.bounds.bytes
		if err := Fold(ctx, p.feed, at, next, ps...); err != nil {
			return view, err
		}
		if at = next; frontier && at == last+p.spacing {
			if err := p.keep(at, ps); err != nil {
				return view, err
			}
		}
		tell(ctx, at-from.at, to-from.at)
	}
	return view, nil
}

// load gives each projection the state that a keyframe holds.
func (k keyframe) load(ps []Projection) error {
	for i, proj := range ps {
		if err := guard(func() error { return proj.Load(k.stores[i]) }); err != nil {
			return foldFailed(proj, "from what was kept of it", err)
		}
	}
	return nil
}
