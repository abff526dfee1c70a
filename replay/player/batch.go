package player

import (
	"cmp"
	"context"
	"slices"

	"chalie/domain"
)

// isAsked reports whether an envelope is an invocation that a caller requested directly:
// the request is given, and the decision about it is in the same batch.
func isAsked(env domain.Envelope) bool {
	if env.Type != domain.ToolInvokedType {
		return false
	}
	_, _, called := domain.CallOf(env)
	return !called
}

// beginsItself reports whether an envelope opens an act without an earlier record: the
// decision about it is in the same batch, or is this record.
func beginsItself(env domain.Envelope) bool {
	return isAsked(env) || env.Type == domain.TimerDueType || domain.IsSilent(env)
}

// feed reads a log in order, some records ahead.
type feed struct {
	log     domain.Reader
	through domain.Position // the last position to read
	next    domain.Position // the next position to read
	read    []domain.Record
}

const feedPage = 512

// at is the record at a position no earlier than that of the last move, or, where the one there
// went, the next; false behind the end.
func (f *feed) at(ctx context.Context, pos domain.Position) (domain.Record, bool, error) {
	for {
		if i := f.index(pos); i < len(f.read) {
			return f.read[i], true, nil
		}
		f.next = max(f.next, pos)
		if f.next > f.through {
			return domain.Record{}, false, nil
		}
		more, _, err := domain.SelectWithin(ctx, f.log, domain.Selector{}, f.next, int(min(feedPage, f.through-f.next+1)), domain.PageBytes)
		if err != nil || len(more) == 0 {
			return domain.Record{}, false, err
		}
		f.read = append(f.read, more...)
		f.next = more[len(more)-1].Position + 1
	}
}

// index is where the first record at a position or later is among those that were read.
func (f *feed) index(pos domain.Position) int {
	if len(f.read) == 0 || pos <= f.read[0].Position {
		return 0
	}
	if i := int(pos - f.read[0].Position); i < len(f.read) && f.read[i].Position == pos {
		return i // nothing went in between
	}
	i, _ := slices.BinarySearchFunc(f.read, pos, func(rec domain.Record, pos domain.Position) int { return cmp.Compare(rec.Position, pos) })
	return i
}

// move drops the records before a position.
func (f *feed) move(pos domain.Position) { f.read = f.read[f.index(pos):] }

// batchAt is the batch that a record begins, as it was appended. The log doesn't mark the
// end of a batch; it is inferred from the references between its records.
func (f *feed) batchAt(ctx context.Context, first domain.Record) ([]domain.Record, error) {
	out := []domain.Record{first}
	for {
		last := out[len(out)-1]
		next, ok, err := f.at(ctx, last.Position+1)
		if err != nil || !ok || next.Position != last.Position+1 || !follows(last.Envelope, next.Envelope) {
			return out, err
		}
		out = append(out, next)
	}
}

// follows reports whether an envelope was appended with the one before it.
func follows(last, next domain.Envelope) bool {
	if next.Trace != last.Trace {
		return false
	}
	child := next.Parent == last.ID
	switch last.Type {
	case domain.ToolInvokedType:
		return child && next.Type == domain.PolicyDecidedType
	case domain.PolicyDecidedType:
		yes := next.Type == domain.CapabilityChangedType && next.Parent == last.Parent
		return yes || child && next.Type == domain.ApprovalProposedType
	case domain.TimerDueType, domain.ReasoningGivenUpType:
		return child && next.Type == domain.ReasoningConcludedType
	case domain.ReasoningStartedType, domain.SpineSignalEmittedType:
		return child && next.Type == domain.RelationsFoundType
	case domain.ApprovalExpiredType:
		return child && next.Type == domain.ToolFailedType
	case domain.StateTakenType:
		return child && (next.Type == domain.ToolDispatchedType || next.Type == domain.ToolVerifiedType)
	case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
		return child && (next.Type == domain.StateTakenType || next.Type == domain.ToolVerifiedType)
	}
	bySkill := bySkills(last.Type) && last.Source == skillSource
	return bySkill && next.Parent == last.Parent && (next.Source == skillSource || next.Type == domain.ToolCompletedType)
}
