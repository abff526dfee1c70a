package commands

import (
	"context"
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

// ownVersion is that of what Chalie itself can do, for the policy's books.
const ownVersion = "1"

// skillAttempts bounds how often a skill is asked again because what it rested on
// has changed meanwhile.
const skillAttempts = 8

// own is what Chalie itself can do.
type own struct {
	face   *domain.Interface // with the zero id, always online; nil when there is nothing
	skills map[string]Skill  // by name
}

// newOwn checks the skills as an interface's tools are checked.
func newOwn(skills []Skill) (own, error) {
	if len(skills) == 0 {
		return own{}, nil
	}
	o := own{face: &domain.Interface{Name: domain.OwnName, Version: ownVersion}, skills: map[string]Skill{}}
	for _, s := range skills {
		tool, changes := s.Tool(), s.SideEffects()
		tool.SideEffects = &changes
		o.face.Tools = append(o.face.Tools, tool)
		o.skills[tool.Name] = s
	}
	return o, domain.CheckTools(o.face.Tools)
}

// perform lets a skill do what it is asked, and records what it did together with
// the end, so that both happen or neither does. Doing it again after a crash does
// it once.
func (t *Tools) perform(ctx context.Context, inv *invoking) (Invoked, error) {
	deadline, cancel := context.WithTimeout(ctx, t.cfg.Within)
	defer cancel()
	call := SkillCall{Params: inv.params, By: inv.caller(), Lineage: inv.next(), Zone: t.zone()}
	for range skillAttempts {
		call.Now = t.cfg.Now()
		done, err := t.own.skills[inv.offer.Tool.Name].Do(deadline, call)
		if err != nil {
			return t.end(ctx, inv, notDone(inv, err))
		}
		out, err := t.did(deadline, inv, done)
		if domain.CodeOf(err) != domain.CodeConditionFailed {
			return out, err
		}
		// Somebody ended it, or what the skill rested on has changed.
		other, found, err := t.caughtUp(deadline, inv)
		if found || err != nil {
			return other, err
		}
		call.Lineage = inv.next()
	}
	return t.end(ctx, inv, failed(inv, domain.CodeConditionFailed,
		"what it rests on was changed again and again at the same moment; nothing was done, try once more", false, t.took(inv)))
}

// did appends what a skill did and the end of the invocation. While the log
// refuses for a moment, it is tried again.
func (t *Tools) did(ctx context.Context, inv *invoking, done SkillDone) (Invoked, error) {
	e := completed(inv, done.Result, t.took(inv))
	words, err := t.foreignIn(ctx, done.Quotes)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	e.completed.Words = words
	entry, err := t.entry(inv, e)
	if err != nil {
		return Invoked{ID: inv.id}, err
	}
	if no := inv.bill.reserve(weight(done.Entries...)); no != nil {
		return t.end(ctx, inv, notDone(inv, no))
	}
	if entry.Envelope.Type != domain.ToolCompletedType { // the log can't hold it
		done.Entries, done.Conditions = nil, nil
	}
	for {
		err = t.step(ctx, inv, entry, with{before: done.Entries, conditions: done.Conditions})
		switch {
		case err == nil:
			return told(inv.id, entry.Envelope)
		case domain.CategoryOf(err) == domain.Validation:
			return t.end(ctx, inv, notDone(inv, err))
		case inv.goesOn() || !domain.IsRetriable(err) || domain.CodeOf(err) == domain.CodeClosed || !sleep(ctx, pauseBetween):
			return Invoked{ID: inv.id}, err
		}
	}
}

// maxQuoted bounds the others' words that an answer is recorded to quote: for what may
// come of it the first one counts.
const maxQuoted = 8

// foreignIn are those of the quoted words that others' words led to.
func (t *Tools) foreignIn(ctx context.Context, quotes []domain.ID) ([]domain.Words, error) {
	var out []domain.Words
	for _, id := range quotes {
		rec, err := t.cfg.Reader.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		words, foreign, err := whoseRecord(ctx, t.cfg.Reader, rec)
		if err != nil {
			return nil, err
		}
		if foreign && len(out) < maxQuoted {
			out = append(out, words)
		}
	}
	return out, nil
}

// notDone is the end of a skill that could not decide.
func notDone(inv *invoking, err error) ending {
	e := failed(inv, codeSkillFailed, fmt.Sprintf("%s could not be done: %s; nothing was changed", inv.offer.Tool.Name, strings.TrimSuffix(err.Error(), ".")), false, 0)
	e.fault.Retryable = domain.IsRetriable(err)
	return e
}

// codeSkillFailed says that something Chalie itself can do could not be done.
const codeSkillFailed domain.Code = "skill_failed"

// zone is the person's.
func (t *Tools) zone() *time.Location {
	if t.cfg.Zone != nil {
		if zone := t.cfg.Zone(); zone != nil {
			return zone
		}
	}
	return time.UTC
}

// Unasked reports whether the person marked an offer as safe to use when they didn't
// ask.
func (t *Tools) Unasked(o domain.Offer) bool { return t.cfg.Regime.Manifest(o).Unasked }

// SideEffects reports whether calling an offer may change something, by the policy
// in force.
func (t *Tools) SideEffects(o domain.Offer) bool { return t.cfg.Regime.Manifest(o).SideEffects }
