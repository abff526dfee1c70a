package replay

import (
	"context"
	"fmt"

	"chalie/domain"
	"chalie/replay/narrate"
)

// planned is a change, read against the log.
type planned struct {
	Change
	without map[domain.ID]bool
	edited  map[domain.ID]edited
	moved   []edited        // those with another time, in the order of that
	fork    domain.Position // the last that everything has in common
}

// plan finds what a change is about. The branch begins before the first of it.
func plan(ctx context.Context, log Log, change Change, scope Scope) (planned, error) {
	p := planned{Change: change, without: map[domain.ID]bool{}, edited: map[domain.ID]edited{}, fork: log.Tail()}
	if change.Params != nil || change.Policy != nil || change.Model != "" || len(change.Without)+len(change.Edits) == 0 {
		from, err := beginning(ctx, log, scope)
		if err != nil {
			return p, err
		}
		p.before(from)
	}
	for _, id := range change.Without {
		rec, err := input(ctx, log, id)
		if err != nil {
			return p, err
		}
		p.without[id] = true
		p.before(rec.Position)
	}
	for _, e := range change.Edits {
		rec, err := input(ctx, log, e.ID)
		if err != nil {
			return p, err
		}
		one, again := p.edited[e.ID]
		if !again {
			one = edited{rec: rec, was: rec}
		}
		if err := one.apply(e); err != nil {
			return p, err
		}
		p.edited[e.ID] = one
		p.before(rec.Position)
		at, err := log.Since(ctx, one.rec.RecordedAt)
		if err != nil {
			return p, err
		}
		p.before(at)
	}
	if change.Policy != nil {
		if err := change.Policy.Check(); err != nil {
			return p, err
		}
	}
	p.order()
	return p, nil
}

func (p *planned) before(pos domain.Position) { p.fork = min(p.fork, max(pos, 1)-1) }

// beginning is the first position of a scope.
func beginning(ctx context.Context, log Log, scope Scope) (domain.Position, error) {
	if scope.Trace.IsZero() {
		return max(scope.Since, 1), nil
	}
	records, err := log.Select(ctx, domain.Selector{Trace: scope.Trace}, 1, 1)
	if err != nil {
		return 0, err
	}
	if len(records) == 0 {
		return 0, &domain.Error{Op: "replay", Category: domain.NotFound, Code: "not_found",
			Message: fmt.Sprintf("no trace is called %s: list what there is with the log", scope.Trace)}
	}
	return max(scope.Since, records[0].Position), nil
}

// input is a record that came from outside.
func input(ctx context.Context, log Log, id domain.ID) (domain.Record, error) {
	rec, err := log.Find(ctx, id)
	if err != nil {
		return rec, err
	}
	decided, err := isDecided(ctx, log, rec)
	if _, _, called := domain.CallOf(rec.Envelope); rec.Envelope.Type == domain.ToolInvokedType && !called {
		return rec, err // somebody asked for it directly
	}
	if err == nil && decided {
		err = domain.Invalid("replay", "id", fmt.Sprintf("%s is a %s, which Chalie's own code made: change what it came of instead, `why` names that", id, rec.Envelope.Type))
	}
	return rec, err
}

// InputOf reads which envelope is meant: an id in any spelling, the position of a
// record as pos:42, or the seq of a frame. Errors: validation, and not found.
func InputOf(ctx context.Context, log Log, text string) (domain.ID, error) {
	target, err := ParseTarget(text)
	if err != nil || text == "last" {
		return domain.ID{}, domain.Invalid("replay", "id", fmt.Sprintf("%q is no envelope: give its id, or its position in the log such as pos:42", narrate.Shortened(text, narrate.MaxName)))
	}
	if !target.id.IsZero() {
		rec, err := log.Find(ctx, target.id)
		return rec.Envelope.ID, err
	}
	rec, err := target.locate(ctx, log)
	return rec.Envelope.ID, err
}
