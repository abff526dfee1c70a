package projections

import (
	"context"
	"time"

	"chalie/domain"
)

// Progress is the progress of a rebuild.
type Progress struct {
	Phase    Phase
	Position domain.Position // that the shadow has reached
	Tail     domain.Position
	Records  uint64 // folded so far
	Rate     uint64 // records a second so far; 0 at the very beginning
	Left     time.Duration
	Started  time.Time
}

// Progress reports the rebuild's progress. It is safe for concurrent use.
func (b *Rebuild) Progress() Progress {
	b.shadow.mu.Lock()
	pos, applied := b.shadow.pos, b.shadow.applied
	b.shadow.mu.Unlock()
	b.mu.Lock()
	out := Progress{Phase: b.phase, Position: pos, Tail: b.feed.Tail(), Records: applied, Started: b.started}
	b.mu.Unlock()
	passed := b.clock.Now().Sub(b.started)
	if passed <= 0 || pos <= b.from {
		return out
	}
	out.Rate = uint64(float64(out.Records) / passed.Seconds())
	if out.Tail > pos {
		out.Left = time.Duration(float64(out.Tail-pos) / float64(pos-b.from) * float64(passed))
	}
	return out
}

func (b *Rebuild) enter(p Phase) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.phase = p
}

// failure is the runner's state, and the reason why it stopped.
func (r *Runner) failure() (State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state, r.err
}

// How a rebuild gives way: while one of the serving projections is more than
// politeLag records behind, each batch of the rebuild waits, up to politePause. It
// goes on then in any case, or a log that is always written to could never be
// folded again.
const (
	politeLag   = 2048
	politePause = 20 * time.Millisecond
	politeStep  = 2 * time.Millisecond
)

// unhurried is the feed of rebuilds.
type unhurried struct {
	Feed
	beside *Group
}

// SelectWithin lets those that serve go first.
func (u *unhurried) SelectWithin(ctx context.Context, s domain.Selector, from domain.Position, limit, bytes int) ([]domain.Record, bool, error) {
	for waited := time.Duration(0); waited < politePause && u.beside.Lag() > politeLag; waited += politeStep {
		pause(ctx, politeStep)
	}
	return domain.SelectWithin(ctx, u.Feed, s, from, limit, bytes)
}
