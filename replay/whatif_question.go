package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"
	"slices"

	"chalie/domain"
)

// question is what a model is asked in a branch, beside what it was asked then.
type question struct {
	w         *branching
	now, then domain.Episode
	same      bool // it is asked what it was asked then
	replySame bool // and answered as it did
}

// question compares by references: the ground, what was added, and what came of the
// tools. Whatever is referred to must say what it said.
func (w *branching) question(ctx context.Context, trace domain.TraceID) (*question, error) {
	q := &question{w: w}
	if err := eachOf(ctx, w.branch, trace, q.now.Evolve); err != nil {
		return nil, err
	}
	if err := eachOf(ctx, w.log, trace, q.then.Evolve); err != nil {
		return nil, err
	}
	n := len(q.now.Calls)
	if n == 0 || n > len(q.then.Calls) || q.now.Started == nil || q.then.Started == nil {
		return q, nil
	}
	alike := sameGround(*q.now.Started, *q.then.Started)
	if alike {
		var err error
		if alike, err = w.sameRecent(ctx, q.now.Started.Recent, q.then.Started.Recent, q.then.Opening.Position); err != nil {
			return nil, err
		}
	}
	refs := []domain.ID{q.now.Opening.Envelope.ID}
	for i, now := range q.now.Calls {
		then := q.then.Calls[i]
		alike = alike && slices.Equal(now.Steers, then.Steers) && now.Check == then.Check && now.Instead == then.Instead && now.Final == then.Final &&
			slices.Equal(now.Offered, then.Offered) && now.Model == then.Model
		refs = append(refs, now.Steers...)
		if i == n-1 {
			break
		}
		alike = alike && now.ReplyID == then.ReplyID && len(now.Tools) == len(then.Tools)
		for t := range min(len(now.Tools), len(then.Tools)) {
			alike = alike && now.Tools[t].End == then.Tools[t].End
			refs = append(refs, now.Tools[t].End)
		}
		refs = append(refs, now.ReplyID)
	}
	for _, items := range [][]domain.SeenItem{q.now.Started.World.Items, q.now.Started.World.LeftOut} {
		for _, item := range items {
			refs = append(refs, item.Text())
		}
	}
	for _, rel := range q.now.Started.Relations {
		refs = append(refs, rel.Signal, rel.Commitment)
	}
	for i := 0; alike && i < len(refs); i++ {
		var err error
		if alike, err = w.saysTheSame(ctx, refs[i]); err != nil {
			return nil, err
		}
	}
	for i := 0; alike && i < len(q.now.Started.Recent); i++ {
		var err error
		if alike, err = w.wentTheSame(ctx, q.now.Started.Recent[i]); err != nil {
			return nil, err
		}
	}
	q.same = alike
	if last := q.now.LastCall(); alike && last.ReplyID == q.then.Calls[n-1].ReplyID && !last.ReplyID.IsZero() {
		var err error
		q.replySame, err = w.saysTheSame(ctx, last.ReplyID)
		return q, err
	}
	return q, nil
}

// replied is the recorded reply to the last question, or the record of its failure.
func (q *question) replied() domain.ID {
	n := len(q.now.Calls)
	if n == 0 || n > len(q.then.Calls) {
		return domain.ID{}
	}
	if then := q.then.Calls[n-1]; !then.Failed.IsZero() {
		return then.Failed
	}
	return q.then.Calls[n-1].ReplyID
}

// sameGround reports whether two starts tell a model the same.
func sameGround(a, b domain.ReasoningStarted) bool {
	a.World.Position, b.World.Position = 0, 0
	a.Rules, b.Rules, a.Build, b.Build = "", "", "", ""
	a.Recent, b.Recent = nil, nil // of which sameRecent knows more
	a.Limits, b.Limits = domain.ReasoningLimits{}, domain.ReasoningLimits{}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// sameRecent reports whether two working memories are the same. Whether an exchange is
// in it that ended while the message waited depends on how far the fold was then, which
// isn't recorded: it doesn't count.
func (w *branching) sameRecent(ctx context.Context, now, then []domain.ID, opened domain.Position) (bool, error) {
	if slices.Equal(now, then) {
		return true, nil
	}
	before := func(messages []domain.ID) (kept []domain.ID, err error) {
		for _, id := range messages {
			message, err := w.log.Find(ctx, id)
			if domain.CategoryOf(err) == domain.NotFound {
				kept = append(kept, id)
				continue
			}
			if err != nil {
				return nil, err
			}
			ends, err := w.log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(message.Envelope.Trace)}, 1, 1)
			if err != nil {
				return nil, err
			}
			if len(ends) == 0 || ends[0].Position < opened {
				kept = append(kept, id)
			}
		}
		return kept, nil
	}
	a, err := before(now)
	if err != nil {
		return false, err
	}
	b, err := before(then)
	if err != nil || len(a) == len(now) && len(b) == len(then) {
		return false, err
	}
	// Each that doesn't count has pushed out one that is older.
	n := min(len(a), len(b))
	return slices.Equal(a[len(a)-n:], b[len(b)-n:]), nil
}

// saysTheSame reports whether an envelope says in the branch what it said. How long
// something took is nothing it says.
func (w *branching) saysTheSame(ctx context.Context, id domain.ID) (bool, error) {
	here, err := w.branch.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		_, err = w.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return true, nil // neither knows it any more
		}
		return false, err
	}
	if err != nil || w.branch.isKept(here.Position) {
		return err == nil, err
	}
	then, err := w.log.Find(ctx, id)
	if err != nil {
		return false, err
	}
	return here.Envelope.Type == then.Envelope.Type && reflect.DeepEqual(sayings(here.Envelope), sayings(then.Envelope)), nil
}

func sayings(env domain.Envelope) any {
	var out map[string]any
	if env.Payload.Encoding != domain.EncodingJSON || json.Unmarshal(env.Payload.Bytes, &out) != nil {
		return string(env.Payload.Bytes)
	}
	delete(out, "duration_ms")
	out["errors"] = env.Errors
	return out
}

// wentTheSame reports whether an exchange of before went as it did.
func (w *branching) wentTheSame(ctx context.Context, message domain.ID) (bool, error) {
	if same, err := w.saysTheSame(ctx, message); !same || err != nil {
		return false, err
	}
	rec, err := w.branch.Find(ctx, message)
	if domain.CategoryOf(err) == domain.NotFound {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	now, err := endingOf(ctx, w.branch, rec.Envelope.Trace)
	if err != nil {
		return false, err
	}
	then, err := endingOf(ctx, w.log, rec.Envelope.Trace)
	return now.Text == then.Text && now.Shown == then.Shown, err
}
