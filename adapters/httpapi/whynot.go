package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/explain"
)

// whyNot is GET /api/why-not/{id}?zone=&try=&progress=. It reads the log alone, as why
// does. With try=false no decision is replayed; with progress=true there is a line for
// each change before it is tried, and the answer is the last.
func (x *exchange) whyNot() error {
	q := x.query()
	zone, try, progress := q.zone("zone"), q.flag("try"), q.flag("progress")
	if q.err != nil {
		return q.err
	}
	asked, err := explain.ParseQuestion(x.params.ByName("id"))
	if err != nil {
		return err
	}
	asking := explain.Asking{Zone: zone}
	// Lines begin with the first change; an error before is answered with a status.
	var line func(any)
	if try && x.api.cfg.Trial != nil {
		trial := impatient{trial: x.api.cfg.Trial, until: time.Now().Add(triesWithin)}
		if progress {
			var one sync.Mutex // two are tried at a time
			trial.told = func(a explain.Attempt) {
				one.Lock()
				defer one.Unlock()
				if line == nil {
					line = x.lines()
				}
				line(api.Trying{Trying: a.Remedy.Words})
			}
		}
		asking.Trial = trial
	}
	answer, err := explain.WhyNot(x.r.Context(), x.api.cfg.Log, asked, asking)
	switch {
	case err != nil:
		return err
	case line != nil:
		line(answer)
		return nil
	}
	return x.answer(http.StatusOK, answer)
}

// triesWithin bounds the time of replaying decisions for one answer, because the server
// has a write timeout.
const triesWithin = 45 * time.Second

// impatient is a trial that gives up in time, or as soon as it is plain that it would have to. The
// answer then says that the change wasn't tried, and how it can be.
type impatient struct {
	trial explain.Trial
	until time.Time
	told  func(explain.Attempt) // called before each attempt; nil for nothing
}

var _ explain.Trial = impatient{}

// Try implements explain.Trial.
func (i impatient) Try(ctx context.Context, a explain.Attempt) (explain.Tried, error) {
	if i.told != nil {
		i.told(a)
	}
	within, cancel := context.WithDeadline(ctx, i.until)
	defer cancel()
	o := outlook{until: i.until, giveUp: cancel}
	a.Told = o.look
	tried, err := i.trial.Try(within, a)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return explain.Tried{}, tooLong(a.Remedy, !o.begun.IsZero())
	}
	return tried, err
}

// tooLong is why a change wasn't tried, with how it can be. The trial may have begun, or still
// have been folding what was known before the change.
func tooLong(change explain.Counterfactual, begun bool) error {
	says := fmt.Sprintf("what was known then has to be folded first, and that takes more than %s; ask again, and it goes on from there", triesWithin)
	if begun {
		says = fmt.Sprintf("all that was decided since would have to be decided again, and that takes more than %s", triesWithin)
		if flags := change.AsReplay(); flags != "" {
			says += "; `chalie replay --all " + flags + "` does it, however long it takes"
		}
	}
	return &domain.Error{Op: "ask why not", Category: domain.Validation, Code: "too_long", Message: says}
}

// outlook gives up a trial that won't be done in time.
type outlook struct {
	until  time.Time
	giveUp func()

	begun time.Time
	first domain.Position
}

// When a trial is given up: not before a while, and not while it could be done were it so many
// times as fast from now on.
const (
	judgedAfter = 5 * time.Second
	mayHasten   = 3
)

// look hears how far it is.
func (o *outlook) look(done, total domain.Position) {
	now := time.Now()
	passed := now.Sub(o.begun)
	switch {
	case o.begun.IsZero() || done < o.first: // it begins, or begins a second time
		o.begun, o.first = now, done
	case passed >= judgedAfter && done > o.first:
		left := float64(passed) * float64(total-min(done, total)) / float64(done-o.first)
		if left > mayHasten*float64(o.until.Sub(now)) {
			o.giveUp()
		}
	}
}
