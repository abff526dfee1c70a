package explain

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/domain/memlog"
	"chalie/replay"
	"chalie/replay/player"
)

// Trial replays decisions with a change.
type Trial interface {
	// Surfaces reports whether the subject would have been told. It has no effects. The
	// error is NotRecorded's when a model would have been called without a recorded
	// reply. It is a validation error when the change can't be made, and otherwise the
	// log's.
	Surfaces(ctx context.Context, a Attempt) (bool, error)
}

// Attempt is a change that is tried.
type Attempt struct {
	Remedy  Counterfactual
	About   domain.ID       // the signal or plan that a finding must rest on; none when any finding counts
	From    domain.Position // position of the subject: episodes that began before it are taken as recorded
	Through domain.Position // end of the decision; later records are not read
}

// Trials is Trial by WhatIf.
type Trials struct {
	log   replay.Log
	start player.StartRuntime
}

var _ Trial = (*Trials)(nil)

// NewTrials makes trials with the runtime that start makes.
func NewTrials(log replay.Log, start player.StartRuntime) *Trials { return &Trials{log, start} }

// Surfaces implements Trial. Its cost grows with the log through the decision, because
// all of it has to be folded.
func (t *Trials) Surfaces(ctx context.Context, a Attempt) (bool, error) {
	change, err := a.Remedy.change()
	if err != nil {
		return false, err
	}
	// A branch without appends is the log as it was then, and needs no clock.
	then, err := memlog.Branch(ctx, t.log, a.Through, nil)
	if err != nil {
		return false, err
	}
	out, err := player.WhatIf(ctx, then, t.start, change, player.Scope{Since: a.since()}, nil)
	if err != nil {
		return false, err
	}
	unknown := ""
	for _, o := range out.Outcomes {
		if o.Replayed.Outcome == domain.EndingUnknown && o.Trace == a.Remedy.Trace {
			unknown = o.Replayed.Text
		}
		if a.meant(o) {
			return true, nil
		}
	}
	if unknown != "" {
		return false, player.NotRecorded(unknown)
	}
	return false, nil
}

// meant reports whether an outcome tells the subject, or has the call made that waited
// for a yes.
func (a Attempt) meant(o player.Outcome) bool {
	if !a.Remedy.Approve.IsZero() {
		return o.Trace == a.Remedy.Trace && slices.ContainsFunc(o.Replayed.Calls, func(c player.MadeCall) bool {
			return c.Unanswered || c.Outcome == domain.ToolCompletedType
		})
	}
	if o.Replayed.Shown == domain.ShownNot {
		return false
	}
	if a.About.IsZero() {
		return o.Trace == a.Remedy.Trace
	}
	return slices.Contains(o.Replayed.Evidence, a.About)
}

// since is the position from which episodes are replayed. A change of another input
// begins with that input.
func (a Attempt) since() domain.Position {
	r := a.Remedy
	if !r.Without.IsZero() || !r.Approve.IsZero() || r.Edit != nil && r.Edit.ID != a.About {
		return 0
	}
	return a.From
}

// change is the counterfactual as a replay's Change.
func (r Counterfactual) change() (player.Change, error) {
	out := player.Change{Policy: r.Policy}
	if !r.Without.IsZero() {
		out.Without = []domain.ID{r.Without}
	}
	if !r.Approve.IsZero() {
		out.Approve = []domain.ID{r.Approve}
	}
	if r.Edit != nil {
		out.Edits = []player.Edit{*r.Edit}
	}
	if len(r.Set) == 0 {
		return out, nil
	}
	params := domain.DefaultParams()
	for name, value := range r.Set {
		if err := params.Set(name, value); err != nil {
			return out, err
		}
	}
	out.Params = &params
	return out, nil
}

// atTime is a moment in an edit's syntax.
func atTime(m domain.Millis) string { return m.Time().UTC().Format(time.RFC3339Nano) }
