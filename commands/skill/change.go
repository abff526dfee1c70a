package skill

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// change is what one call changed, or one request.
type change struct {
	id      domain.ID       // domain.ChangeOf its records
	records []domain.Record // oldest first
}

// position is that of the last record; 0 of no change.
func (c change) position() domain.Position {
	if len(c.records) == 0 {
		return 0
	}
	return c.records[len(c.records)-1].Position
}

// pastChanges are the changes since a moment.
type pastChanges struct {
	changes []change                // oldest first
	settled map[domain.ID]bool      // those that took another back, and those that were taken back
	isNow   map[domain.ID]domain.ID // what was made anew by taking something back, by what it had been
	acted   domain.Position         // the last record of what took another back
	others  bool                    // somebody else changed something since, and nothing was taken back after that
}

// changeBehind is the change that an answer says was made, by its id: what one call appended has the
// parent of its answer. It is zero for "".
func (s *skills) changeBehind(ctx context.Context, answer string) (domain.ID, error) {
	if blank(answer) {
		return domain.ID{}, nil
	}
	id, err := domain.ParseID(strings.TrimSpace(answer))
	if err != nil {
		return id, err
	}
	rec, err := s.cfg.Reader.Find(ctx, id)
	return domain.ChangeOf(rec.Envelope), err
}

// undoable is the change that is taken back next, or the one that is asked for, with what is known
// of the later ones; none when there is none. What only told something is no change that could be asked for.
func (s *skills) undoable(ctx context.Context, now domain.Millis, of domain.ID) (known pastChanges, one change, err error) {
	for _, back := range []time.Duration{lately, 30 * lately, time.Duration(now) * time.Millisecond} {
		if known, err = s.changesSince(ctx, now.Add(-back)); err != nil {
			return known, change{}, err
		}
		for _, one := range slices.Backward(known.changes) {
			if known.settled[one.id] || !of.IsZero() && one.id != of {
				continue
			}
			own, err := s.byPerson(ctx, one.records[0].Envelope)
			if err != nil || own {
				return known, one, err
			}
			known.others = known.others || one.position() > known.acted
		}
	}
	if !of.IsZero() && !slices.ContainsFunc(known.changes, func(c change) bool { return c.id == of }) {
		return s.undoable(ctx, now, domain.ID{})
	}
	return known, change{}, nil
}

// changesSince are the changes from a moment on.
func (s *skills) changesSince(ctx context.Context, moment domain.Millis) (pastChanges, error) {
	out := pastChanges{settled: map[domain.ID]bool{}, isNow: map[domain.ID]domain.ID{}}
	from, err := s.cfg.Reader.Since(ctx, moment)
	if err != nil {
		return out, err
	}
	var all []domain.Record
	for _, of := range []domain.Selector{{Topic: domain.TopicCommitments}, {Topic: domain.TopicMemory}, {Key: domain.SettingsKey}, {Key: domain.PolicyKey}} {
		if _, err := domain.Look(ctx, s.cfg.Reader, of, from, maxLooked, func(rec domain.Record) { all = append(all, rec) }); err != nil {
			return out, err
		}
	}
	domain.SortFunc(all, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	at := map[domain.ID]int{}
	for _, rec := range all {
		id := domain.ChangeOf(rec.Envelope)
		if undone, ok := out.takesBack(rec.Envelope); ok {
			out.settled[id], out.settled[undone], out.acted = true, true, rec.Position
		}
		if _, known := inverseOf(rec.Envelope.Type); !known {
			continue
		}
		if _, begun := at[id]; !begun {
			at[id], out.changes = len(out.changes), append(out.changes, change{id: id})
		}
		one := &out.changes[at[id]]
		one.records = append(one.records, rec)
	}
	return out, nil
}

// maxLooked bounds the records of a kind that are looked at.
const maxLooked = 1_000_000

// takesBack is the change that an envelope takes back. What can't be read any more takes
// nothing back.
func (p *pastChanges) takesBack(e domain.Envelope) (domain.ID, bool) {
	switch e.Type {
	case domain.ChangeUndoneType:
		undone, err := domain.Decode[domain.ChangeUndone](e)
		for _, one := range undone.Remade {
			p.isNow[one.WasID] = one.IsID
		}
		return undone.ChangeID, err == nil
	case domain.SettingsChangedType:
		set, err := domain.Decode[domain.SettingsChanged](e)
		return set.Undoes, err == nil && !set.Undoes.IsZero()
	}
	return domain.ID{}, false
}

// byPerson reports whether the person wanted a change, and no interface or program.
func (s *skills) byPerson(ctx context.Context, e domain.Envelope) (bool, error) {
	if e.Principal != domain.PrincipalOperator {
		return false, nil
	}
	cause, err := s.cfg.Reader.Find(ctx, e.Parent)
	if e.Parent.IsZero() || domain.CategoryOf(err) == domain.NotFound {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	decided, err := tool.DecisionOn(ctx, s.cfg.Reader, cause.Envelope)
	return decided == nil || decided.Actor == domain.ActorOperator, err
}

// foreignCall names the last call of an interface's tool behind a position that the person
// wanted and that may have changed something; nil without one. The call with which a yes was
// recorded is a part of that change.
func (s *skills) foreignCall(ctx context.Context, after domain.Position, now domain.Millis, of domain.ID) (args, error) {
	from, err := s.cfg.Reader.Since(ctx, now.Add(-lately))
	if err != nil {
		return nil, err
	}
	var calls []domain.Envelope
	_, err = domain.Look(ctx, s.cfg.Reader, domain.Selector{Topic: domain.TopicTools}, max(from, after+1), maxLooked, func(rec domain.Record) {
		if rec.Envelope.Type == domain.ToolDispatchedType && rec.Envelope.Principal == domain.PrincipalOperator {
			calls = append(calls, rec.Envelope)
		}
	})
	for _, dispatched := range slices.Backward(calls) {
		if id, ok := domain.InvocationOf(dispatched); err != nil || ok && id == of {
			continue
		}
		var name args
		if name, err = s.foreignEffect(ctx, dispatched); name != nil {
			return name, err
		}
	}
	return nil, err
}

// foreignEffect names the tool that was called, when it is an interface's and did not
// fail; nil otherwise.
func (s *skills) foreignEffect(ctx context.Context, dispatched domain.Envelope) (args, error) {
	decided, err := tool.DecisionOn(ctx, s.cfg.Reader, dispatched)
	if err != nil || decided == nil || !decided.SideEffects || decided.Actor != domain.ActorOperator {
		return nil, err
	}
	rec, err := s.cfg.Reader.Find(ctx, decided.InvocationID)
	if err != nil {
		return nil, err
	}
	invoked, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return nil, nil
	}
	if err != nil || invoked.InterfaceID.IsZero() { // one of Chalie's own
		return nil, err
	}
	const few = 8
	steps, err := s.cfg.Reader.Select(ctx, domain.Selector{Key: domain.InvocationKey(decided.InvocationID)}, 1, few)
	failed := func(r domain.Record) bool {
		return r.Envelope.Type == domain.ToolFailedType || r.Envelope.Type == domain.ToolCompletedType && len(r.Envelope.Errors) > 0
	}
	if err != nil || slices.ContainsFunc(steps, failed) {
		return nil, err
	}
	return s.toolOf(invoked.Tool, invoked.InterfaceID), nil
}

// toolOf are a tool's name and whose it is, as far as that is known.
func (s *skills) toolOf(name string, of domain.ID) args {
	out := args{"tool": theirOwn(name)}
	if i, known := s.interfaceOf(of); known {
		out["interface"] = speech.Text{Words: i.Name, In: of}
	}
	return out
}

// interfaceOf is an interface as it is now.
func (s *skills) interfaceOf(id domain.ID) (one domain.Interface, known bool) {
	if s.cfg.Registry == nil {
		return one, false
	}
	s.cfg.Registry.Read(func(r *domain.Registry) {
		if i := r.Interfaces[id]; i != nil {
			one, known = *i, true
		}
	})
	return one, known
}
