package background

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/retain"
)

// Retirer deletes records whose time to be kept is over.
type Retirer interface {
	// Next is what would go now. Errors are those of the log, and Conflict of one that can't have
	// gaps.
	Next(ctx context.Context, kept []domain.KeptFor) (domain.SpanRetired, domain.Runs, error)
	// Differing are the projections that would know something else without what is to go, of
	// which span is the record.
	Differing(ctx context.Context, went domain.Runs, span domain.Envelope) ([]string, error)
	// Retire deletes records. After a kill the same call goes on.
	Retire(ctx context.Context, went domain.Runs) error
}

// RetentionConfig has the dependencies of Retention. All are required.
type RetentionConfig struct {
	commands.Env
	Retirer  Retirer
	Settings commands.View[domain.SettingsBook]
	Priority Priority
}

// Retention has records go whose time to be kept is over, once a day. What goes is recorded
// first, once every projection was found to know the same without it; then it is deleted. A start goes on with what was
// recorded and isn't deleted yet.
//
// It belongs to one goroutine, but for Trouble.
type Retention struct {
	cfg RetentionConfig

	mu      sync.Mutex
	trouble error

	resumed bool
	last    domain.Position // the last record that says what went
	again   domain.Millis   // not before
}

// NewRetention checks the configuration. Run does the work.
func NewRetention(cfg RetentionConfig) (*Retention, error) {
	if err := commands.Complete("configure retention", cfg); err != nil {
		return nil, err
	}
	return &Retention{cfg: cfg}, nil
}

// The pauses between two times at which records go, and before the first of a start.
const (
	retireEvery = domain.Millis(24 * time.Hour / time.Millisecond)
	retireFirst = 10 * time.Minute
)

// Run has records go until ctx ends.
func (r *Retention) Run(ctx context.Context) {
	for pause := retireFirst; until(ctx, r.cfg.Clock, r.cfg.Clock.Now().Add(pause)); pause = longestSleep {
		if err := r.Round(ctx); err != nil && ctx.Err() == nil {
			r.cfg.Logger.WarnContext(ctx, "records whose time to be kept is over stay for now", "err", err, "again", r.again.Sub(r.cfg.Now()).String())
		}
	}
}

// Trouble is why what is to go by the settings stays all the same, with what to do, as the last
// round found; nil where nothing does. It is safe for concurrent use.
func (r *Retention) Trouble() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.trouble
}

// Round has go what is due, if anything is. Errors are those of the log, and Conflict where
// something would be known otherwise without what is to go, or the log can't have gaps.
func (r *Retention) Round(ctx context.Context) error {
	var kept []domain.KeptFor
	r.cfg.Settings.Read(func(s *domain.SettingsBook) { kept = s.Params().Keep.Topics() })
	if len(kept) == 0 {
		r.found(nil)
	}
	if r.cfg.Now() < r.again || r.cfg.Priority.Waiting() {
		return nil
	}
	err := r.round(ctx, kept)
	if ctx.Err() != nil {
		return err
	}
	switch r.found(err); {
	case domain.CategoryOf(err) == domain.Conflict:
		r.again = r.cfg.Now() + retireEvery // it will be the same for a while
	case err != nil:
		r.again = r.cfg.Now() + seldom
	}
	return err
}

func (r *Retention) found(trouble error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.trouble = trouble
}

func (r *Retention) round(ctx context.Context, kept []domain.KeptFor) error {
	if !r.resumed {
		if err := r.resume(ctx); err != nil || r.cfg.Now() < r.again {
			return err
		}
	}
	if len(kept) == 0 {
		return nil
	}
	span, went, err := r.cfg.Retirer.Next(ctx, kept)
	if err != nil {
		return err
	}
	r.again = r.cfg.Now() + retireEvery
	if span.Records == 0 {
		return nil
	}
	entry, err := commands.EntryOf(r.cfg.Env, r.cfg.Begin(domain.PrincipalCore), domain.SourceRetention, span)
	if err != nil {
		return err
	}
	differing, err := r.cfg.Retirer.Differing(ctx, went, entry.Envelope)
	if err != nil {
		return err
	}
	if len(differing) > 0 {
		return differs(differing, span.Records)
	}
	cited, err := retain.Cited(ctx, r.cfg.Reader, went, span.Through)
	if err != nil || cited {
		r.again = r.cfg.Now() + seldom // in an hour what refers to it is known, and it stays
		return err
	}
	receipt, err := r.cfg.Log.Append(ctx, domain.Batch{
		Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: domain.RetiredKey, After: r.last}},
	})
	if err != nil {
		return err
	}
	r.last = receipt.Positions[0]
	if span.Records >= retain.MostAtOnce {
		r.again = 0 // there may be more
	}
	return r.cfg.Retirer.Retire(ctx, went)
}

// CodeFoldsDiffer says that something else would be known without records that are to go.
const CodeFoldsDiffer domain.Code = "folds_differ"

func differs(projections []string, records uint64) error {
	return &domain.Error{Op: "retire", Category: domain.Conflict, Code: CodeFoldsDiffer,
		Message: fmt.Sprintf("%d records whose time to be kept is over stay, because without them the projections %s would hold something else; nothing is lost, and it is looked at again in a day; please tell the maintainers of Chalie, or set keep_signals and keep_reasoning back to 0s",
			records, strings.Join(projections, ", "))}
}

// resume deletes what was recorded to have gone and is still there.
func (r *Retention) resume(ctx context.Context) error {
	records, spans, err := retain.Spans(ctx, r.cfg.Reader)
	if err != nil {
		return err
	}
	for i, span := range spans {
		went, err := span.Positions()
		if err != nil {
			continue // nobody knows what it said
		}
		if err := r.cfg.Retirer.Retire(ctx, went); err != nil {
			return err
		}
		r.last = records[i].Position
		r.again = records[i].Clock() + retireEvery
	}
	r.resumed = true
	return nil
}
