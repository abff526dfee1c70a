package projections

import (
	"context"
	"time"

	"chalie/domain"
)

// saveWhenDue saves after SaveEvery records, or SaveAfter the first of them. A
// store that refuses is tried again later; when too much waits for it, here is
// where the fold pauses.
func (r *Runner) saveWhenDue(ctx context.Context) error {
	for ctx.Err() == nil {
		now := time.Now()
		due := r.unsaved >= r.cfg.SaveEvery || (r.unsaved > 0 && !now.Before(r.dirtySince.Add(r.cfg.SaveAfter)))
		if !due {
			return nil
		}
		if !now.Before(r.retrySave) {
			err := r.save()
			if err == nil {
				return nil
			}
			if _, again := r.projection.(Committer); !again || !domain.IsRetriable(err) {
				return r.notSaved(err)
			}
			r.retrySave = time.Now().Add(r.cfg.RetryAfter)
			r.suffer(r.notYetSaved(err))
		}
		if r.unsaved < unsavedFactor*r.cfg.SaveEvery {
			return nil
		}
		pause(ctx, time.Until(r.retrySave))
	}
	return nil
}

// save stores the state with its position, if there is anything new.
func (r *Runner) save() error {
	if r.unsaved == 0 {
		return nil
	}
	err := guard(func() error {
		return r.store.Update(r.pos, func(b Batch) error {
			if err := b.Set(anchorKey, anchor{r.pos, r.last}.encode()); err != nil {
				return err
			}
			return r.projection.Save(b)
		})
	})
	if err != nil {
		return err
	}
	if c, ok := r.projection.(Committer); ok {
		c.Saved()
	}
	recovered := !r.retrySave.IsZero()
	r.unsaved, r.dirtySince, r.retrySave = 0, time.Time{}, time.Time{}
	r.publish(func() {
		r.saved = r.pos
		if recovered {
			r.err = nil
		}
	})
	return nil
}
