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

// find finds the change that is taken back next, or the one that is asked for, and what is known of the later ones;
// none when there is none. What only told something is no change that could be asked for.
func (u *undoing) find(ctx context.Context, of domain.ID) error {
	for _, back := range []time.Duration{lately, 30 * lately, time.Duration(u.call.Now) * time.Millisecond} {
		if err := u.changesSince(ctx, u.call.Now.Add(-back)); err != nil {
			return err
		}
		for _, one := range slices.Backward(u.known.All) {
			if u.known.Settled[one.ID] || !of.IsZero() && one.ID != of {
				continue
			}
			own, err := u.byPerson(ctx, one.Records[0].Envelope)
			if err != nil {
				return err
			}
			if own {
				u.change = one
				return nil
			}
			u.others = u.others || one.Last() > u.known.Acted
		}
	}
	if !of.IsZero() && !slices.ContainsFunc(u.known.All, func(c domain.Change) bool { return c.ID == of }) {
		return u.find(ctx, domain.ID{})
	}
	return nil
}

// changesSince reads the changes from a moment on.
func (u *undoing) changesSince(ctx context.Context, moment domain.Millis) error {
	from, err := u.cfg.Reader.Since(ctx, moment)
	if err != nil {
		return err
	}
	var all []domain.Record
	for _, of := range []domain.Selector{{Topic: domain.TopicCommitments}, {Topic: domain.TopicMemory}, {Key: domain.SettingsKey}, {Key: domain.PolicyKey}} {
		if _, err := domain.Look(ctx, u.cfg.Reader, of, from, maxLooked, func(rec domain.Record) { all = append(all, rec) }); err != nil {
			return err
		}
	}
	domain.SortFunc(all, func(a, b domain.Record) int { return cmp.Compare(a.Position, b.Position) })
	u.known, u.others = domain.Changes{}, false
	for _, rec := range all {
		_, undoable := inverseOf(rec.Envelope.Type)
		u.known.Evolve(rec, undoable)
	}
	return nil
}

// maxLooked bounds the records of a kind that are looked at.
const maxLooked = 1_000_000

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

// foreignCall names the last call of an interface's tool behind the change and what was taken back last, that the
// person wanted and that may have changed something; nil without one. The call with which a yes was
// recorded is a part of that change.
func (u *undoing) foreignCall(ctx context.Context) (args, error) {
	from, err := u.cfg.Reader.Since(ctx, u.call.Now.Add(-lately))
	if err != nil {
		return nil, err
	}
	from = max(from, u.known.Acted+1, u.change.Last()+1)
	var calls []domain.Envelope
	_, err = domain.Look(ctx, u.cfg.Reader, domain.Selector{Topic: domain.TopicTools}, from, maxLooked, func(rec domain.Record) {
		if rec.Envelope.Type == domain.ToolDispatchedType && rec.Envelope.Principal == domain.PrincipalOperator {
			calls = append(calls, rec.Envelope)
		}
	})
	for _, dispatched := range slices.Backward(calls) {
		if id, ok := domain.InvocationOf(dispatched); err != nil || ok && id == u.change.ID {
			continue
		}
		var name args
		if name, err = u.foreignEffect(ctx, dispatched); name != nil {
			return name, err
		}
	}
	return nil, err
}

// callBehind is the call behind one of its envelopes, and what was decided of it; nil of what no call did, or of one
// that is erased.
func (s *skills) callBehind(ctx context.Context, e domain.Envelope) (decided *domain.PolicyDecided, call domain.ToolInvoked, err error) {
	if decided, err = tool.DecisionOn(ctx, s.cfg.Reader, e); err != nil || decided == nil {
		return nil, call, err
	}
	call, there, err := decodedAt[domain.ToolInvoked](ctx, s, decided.InvocationID)
	if !there {
		decided = nil
	}
	if domain.CategoryOf(err) == domain.NotFound {
		err = nil
	}
	return decided, call, err
}

// foreignEffect names the tool that was called, when it is an interface's and did not
// fail; nil otherwise.
func (s *skills) foreignEffect(ctx context.Context, dispatched domain.Envelope) (args, error) {
	decided, invoked, err := s.callBehind(ctx, dispatched)
	if err != nil || decided == nil || !decided.SideEffects || decided.Actor != domain.ActorOperator || invoked.InterfaceID.IsZero() {
		return nil, err // one of Chalie's own has none
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
