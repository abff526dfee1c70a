package explain

import (
	"context"
	"slices"

	"chalie/domain"
	"chalie/replay"
)

// Bounds of linking a call that was stopped to what stopped it.
const (
	regimesMost  = 1000 // changes of the policy; beyond them none is named
	changesMost  = 5000 // records about interfaces that are folded, likewise
	settingsMost = 8    // changes of an interface's scopes and tools since it went away
	stoppedMost  = 5000 // records of a topic that are read after a change or an absence
	haltsLooked  = 8    // changes and absences of one explanation whose stopped calls are looked for
)

// regime is a change of the policy with the id of what has been in force since.
type regime struct {
	change domain.Record
	id     string
}

// regimes are the changes of the policy in their order, read once; none when there are too
// many to fold.
func (w *walk) regimes(ctx context.Context) ([]regime, error) {
	if w.linked.regimes != nil {
		return w.linked.regimes, nil
	}
	w.linked.regimes = []regime{}
	var book domain.Rulebook
	var failed error
	read, err := domain.Look(ctx, w.log, domain.Selector{Topic: domain.TopicPolicy}, 1, regimesMost, func(rec domain.Record) {
		before := book.Through
		if err := book.Evolve(rec); err != nil {
			failed = err
		} else if book.Through != before {
			w.linked.regimes = append(w.linked.regimes, regime{rec, book.ID()})
		}
	})
	if failed != nil || read == regimesMost {
		w.linked.regimes = []regime{} // what isn't known in full isn't named
	}
	return w.linked.regimes, err
}

// regimeOf is the change that put the policy in force by which a call was denied; the zero
// Record for none, such as under the policy of the beginning.
func (w *walk) regimeOf(ctx context.Context, rec domain.Record) (domain.Record, error) {
	p, ok := decoded[domain.PolicyDecided](rec.Envelope)
	if !ok || rec.Envelope.Type != domain.PolicyDecidedType || p.Verdict != domain.VerdictDenied {
		return domain.Record{}, nil
	}
	all, err := w.regimes(ctx)
	for _, r := range slices.Backward(all) {
		if r.change.Position < rec.Position && r.id == p.RegimeID {
			return r.change, err
		}
	}
	return domain.Record{}, err
}

// absentFor is the record with which the interface went away whose tool a call wanted in
// vain; the zero Record for none.
func (w *walk) absentFor(ctx context.Context, rec domain.Record) (domain.Record, error) {
	e := rec.Envelope
	var whose domain.ID
	switch e.Type {
	case domain.ToolFailedType:
		if p, ok := decoded[domain.ToolFailed](e); !ok || p.Reason != codeUnreachable {
			return domain.Record{}, nil
		}
		call, err := w.callOf(ctx, rec)
		if err != nil {
			return domain.Record{}, err
		}
		p, _ := decoded[domain.ToolInvoked](call.invoked.Envelope)
		whose = p.InterfaceID
	case domain.CallRejectedType:
		p, ok := decoded[domain.CallRejected](e)
		if !ok || !slices.ContainsFunc(e.Errors, func(f domain.Fault) bool { return f.Code == domain.CodeToolOffline }) {
			return domain.Record{}, nil
		}
		var err error
		if whose, err = w.offlineWith(ctx, p.Tool, rec.Position); err != nil {
			return domain.Record{}, err
		}
	}
	if whose.IsZero() {
		return domain.Record{}, nil
	}
	return w.wentBefore(ctx, whose, rec.Position)
}

// offlineWith is the interface that offered a tool and was offline before a position; the
// zero ID for none.
func (w *walk) offlineWith(ctx context.Context, tool string, before domain.Position) (domain.ID, error) {
	var registry domain.Registry
	var failed error
	read, err := domain.Look(ctx, w.log, domain.Selector{Topic: domain.TopicInterfaces}, 1, changesMost, func(rec domain.Record) {
		if rec.Position < before && failed == nil {
			failed = registry.Evolve(rec)
		}
	})
	if err != nil || failed != nil || read == changesMost {
		return domain.ID{}, err
	}
	for _, one := range registry.Listed() {
		offers := func(t domain.Tool) bool {
			return tool == t.Name || tool == one.Name+"."+t.Name || tool == one.ID.UUID()+"."+t.Name
		}
		if one.Offline && slices.ContainsFunc(one.Tools, offers) {
			return one.ID, nil
		}
	}
	return domain.ID{}, nil
}

// wentBefore is the record with which an interface went offline, if it still was at a
// position.
func (w *walk) wentBefore(ctx context.Context, id domain.ID, before domain.Position) (domain.Record, error) {
	for range settingsMost {
		last, err := replay.LastOf(ctx, w.log, domain.InterfaceKey(id), 1, before-1)
		switch {
		case err != nil:
			return domain.Record{}, err
		case last.Envelope.Type == domain.InterfaceWentOfflineType:
			return last, nil
		case last.Envelope.Type != domain.ScopesApprovedType && last.Envelope.Type != domain.CapabilitiesChangedType:
			return domain.Record{}, nil // it had come back, or was never there
		}
		before = last.Position
	}
	return domain.Record{}, nil
}

// followStopped goes from a denied call to the change of the policy that denies it, and
// from one that reached nobody to the absence of its interface.
func (w *walk) followStopped(ctx context.Context, rec domain.Record) error {
	change, err := w.regimeOf(ctx, rec)
	if err != nil {
		return err
	}
	if change.Position > 0 {
		w.followTo(rec, change, RoleRegime)
	}
	absence, err := w.absentFor(ctx, rec)
	if err == nil && absence.Position > 0 {
		w.followTo(rec, absence, RoleOffline)
	}
	return err
}

// noteStopped notes the calls that a change of the policy denied, and those that an
// interface's absence stopped.
func (w *walk) noteStopped(ctx context.Context, rec domain.Record) error {
	e := rec.Envelope
	var of func(context.Context, domain.Record) (domain.Record, error)
	role, topics := RoleRegime, []domain.Topic{domain.TopicTools}
	switch e.Type {
	case domain.PolicyChangedType, domain.CapabilityChangedType:
		of = w.regimeOf
	case domain.InterfaceWentOfflineType:
		of, role, topics = w.absentFor, RoleOffline, append(topics, domain.TopicReasoning)
	default:
		return nil
	}
	if w.linked.halts == haltsLooked {
		return nil
	}
	w.linked.halts++
	for _, topic := range topics {
		var stopped []domain.Record
		err := w.lookOn(ctx, topic, rec, stoppedMost, func(r domain.Record) {
			if len(stopped) < MaxNodes && mayBeStopped(r.Envelope) {
				stopped = append(stopped, r)
			}
		})
		if err != nil {
			return err
		}
		for _, r := range stopped {
			by, err := of(ctx, r)
			if err != nil {
				return err
			}
			if by.Envelope.ID == e.ID {
				w.expect(r, cause{id: e.ID, role: role})
			}
		}
	}
	return nil
}

func mayBeStopped(e domain.Envelope) bool {
	return e.Type == domain.PolicyDecidedType || e.Type == domain.ToolFailedType || e.Type == domain.CallRejectedType
}
