package explain

import (
	"context"
	"slices"
	"time"

	"chalie/domain"
	"chalie/replay"
	"chalie/replay/player"
)

// Trial replays decisions with a change.
type Trial interface {
	// Try makes the decision again. It has no effects, and is safe for concurrent use. The
	// error is NotRecorded's when a model would have been called without a recorded
	// reply. It is a validation error when the change can't be made, and otherwise the
	// log's.
	Try(ctx context.Context, a Attempt) (Tried, error)
}

// Tried is what a change does.
type Tried struct {
	Helps bool             // the subject would have been told
	Else  []player.Outcome // of other traces, in log order
}

// Attempt is a change that is tried.
type Attempt struct {
	Remedy  Counterfactual
	About   domain.ID       // the signal or plan that a finding must rest on; none when any finding counts
	From    domain.Position // position of the subject: episodes that began before it are taken as recorded
	Through domain.Position // the end of the decision, or later; records behind it are not read

	Told func(done, total domain.Position) // hears now and then how far it is; nil for nobody
}

// Trials is Trial by WhatIf.
type Trials struct {
	log   replay.Log
	start player.StartRuntime
}

var _ Trial = (*Trials)(nil)

// NewTrials makes trials with the runtime that start makes.
func NewTrials(log replay.Log, start player.StartRuntime) *Trials { return &Trials{log, start} }

// Try implements Trial. Its cost grows with what was decided between the change and the
// decision, because all of that is decided again: it may have had a part in it.
func (t *Trials) Try(ctx context.Context, a Attempt) (Tried, error) {
	out, err := player.WhatIf(ctx, t.log, t.start, a.Remedy.change(), player.Scope{Since: a.since(), Through: a.Through}, a.Told)
	if err != nil {
		return Tried{}, err
	}
	var tried Tried
	unknown := ""
	for _, o := range out.Outcomes {
		if o.Replayed.Outcome == domain.EndingUnknown && o.Trace == a.Remedy.Trace {
			unknown = o.Replayed.Text
		}
		if a.meant(o) {
			tried.Helps = true
		} else {
			tried.Else = append(tried.Else, o.InWords())
		}
	}
	switch {
	case tried.Helps:
	case unknown != "":
		return Tried{}, player.NotRecorded(unknown)
	case out.IsAside(a.Remedy.Trace):
		return Tried{}, domain.Invalid("ask why not", "id", "something that the decision rested on went from the log")
	}
	return tried, nil
}

// meant reports whether an outcome tells the subject, or has the call made that was
// refused: asked for, where the change has the person asked.
func (a Attempt) meant(o player.Outcome) bool {
	if a.Remedy.asks {
		return o.Trace == a.Remedy.Trace && slices.ContainsFunc(o.Replayed.Waits, func(what string) bool { return !slices.Contains(o.Recorded.Waits, what) })
	}
	if !a.Remedy.Approve.IsZero() || a.Remedy.Policy != nil {
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
func (r Counterfactual) change() player.Change {
	out := player.Change{Policy: r.Policy, Set: r.Set}
	if !r.Without.IsZero() {
		out.Without = []domain.ID{r.Without}
	}
	if !r.Approve.IsZero() {
		out.Approve = []domain.ID{r.Approve}
	}
	if r.Edit != nil {
		out.Edits = []player.Edit{*r.Edit}
	}
	return out
}

// atTime is a moment in an edit's syntax.
func atTime(m domain.Millis) string { return m.Time().UTC().Format(time.RFC3339Nano) }
