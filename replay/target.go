package replay

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

// Target names a record to explain. The zero Target is the last thing the person was
// told. Make any other with ParseTarget.
type Target struct {
	id       domain.ID
	position domain.Position
	seq      domain.Seq
}

// Prefixes of numbers. A number without one is a frame's.
const (
	PositionPrefix = "pos:"
	SeqPrefix      = "seq:"
)

// ParseTarget reads "last", an id in any spelling, the seq of a frame as 144 or seq:144,
// or a position in the log as pos:42. The id of an exchange, which is its message's, and
// that of an invocation mean its result, as soon as there is one. The error is a
// validation error that names the possibilities.
func ParseTarget(text string) (Target, error) {
	if text == "last" {
		return Target{}, nil
	}
	if digits, ok := strings.CutPrefix(text, PositionPrefix); ok {
		if n, err := strconv.ParseUint(digits, 10, 63); err == nil && n > 0 {
			return Target{position: domain.Position(n)}, nil
		}
		return Target{}, badTarget(text)
	}
	if digits, ok := strings.CutPrefix(text, SeqPrefix); ok {
		if n, err := strconv.ParseUint(digits, 10, 63); err == nil && n >= domain.FramesPerRecord {
			return Target{seq: domain.Seq(n)}, nil
		}
		return Target{}, badTarget(text)
	}
	// A number with more digits than a seq has is an id.
	if n, err := strconv.ParseUint(text, 10, 63); err == nil && len(text) < 20 {
		if n < domain.FramesPerRecord {
			return Target{}, badTarget(text) // position 0 is before the log
		}
		return Target{seq: domain.Seq(n)}, nil
	}
	id, err := domain.ParseID(text)
	if err != nil {
		return Target{}, badTarget(text)
	}
	return Target{id: id}, nil
}

// PossibleTargets lists the possible targets, for errors.
const PossibleTargets = "give last, the id of an envelope or an exchange, the seq of a frame, or a position in the log such as pos:42"

func badTarget(text string) error {
	return domain.Invalid("explain", "id", fmt.Sprintf("%q is nothing that can be explained: %s", narrate.Shortened(text, narrate.MaxName), PossibleTargets))
}

// Locate finds the record that the target means.
func (t Target) Locate(ctx context.Context, log Log) (domain.Record, error) {
	switch {
	case !t.id.IsZero():
		return locateID(ctx, log, t.id)
	case t.seq > 0:
		return locateFrame(ctx, log, t.seq)
	case t.position > 0:
		return locatePosition(ctx, log, t.position)
	}
	return lastShown(ctx, log)
}

// locateID takes the id of a trace for its result: a person knows an exchange by that id,
// and means the answer.
func locateID(ctx context.Context, log Log, id domain.ID) (domain.Record, error) {
	trace := domain.TraceID{ID: id}
	concluded, err := log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil {
		return domain.Record{}, err
	}
	if len(concluded) > 0 && concluded[0].Envelope.Trace == trace {
		return concluded[0], nil
	}
	rec, err := log.Find(ctx, id)
	if err == nil && rec.Envelope.Type == domain.ToolInvokedType {
		return cameOf(ctx, log, rec)
	}
	if domain.CategoryOf(err) != domain.NotFound {
		return rec, err
	}
	first, err := log.Select(ctx, domain.Selector{Trace: trace}, 1, 1)
	if err != nil {
		return domain.Record{}, err
	}
	if len(first) == 0 {
		return domain.Record{}, NotThere("no_envelope", fmt.Sprintf("there is no envelope and no exchange with the id %s in the log: %s", id, PossibleTargets))
	}
	return first[0], nil
}

// cameOf is the end of an invocation, or else its latest step. A person knows it by its
// id, and means the outcome.
func cameOf(ctx context.Context, log Log, invoked domain.Record) (domain.Record, error) {
	steps, err := log.Select(ctx, domain.Selector{Key: domain.InvocationKey(invoked.Envelope.ID)}, invoked.Position, MaxCalls)
	if err != nil {
		return domain.Record{}, err
	}
	last := invoked
	for _, step := range steps {
		switch step.Envelope.Type {
		case domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType:
			return step, nil
		case domain.PolicyDecidedType, domain.ApprovalProposedType, domain.ApprovalGrantedType, domain.ApprovalRefusedType,
			domain.ApprovalExpiredType, domain.ToolDispatchedType:
			last = step
		}
	}
	return last, nil
}

func locatePosition(ctx context.Context, log Log, pos domain.Position) (domain.Record, error) {
	found, err := log.Select(ctx, domain.Selector{}, pos, 1)
	if err != nil {
		return domain.Record{}, err
	}
	if len(found) == 0 || found[0].Position != pos {
		return domain.Record{}, NotThere("no_envelope", fmt.Sprintf("there is no record at position %d, the log ends at %d: %s", pos, log.Tail(), PossibleTargets))
	}
	return found[0], nil
}

func locateFrame(ctx context.Context, log Log, seq domain.Seq) (domain.Record, error) {
	rec, err := locatePosition(ctx, log, seq.Position())
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return domain.Record{}, err
	}
	if err == nil {
		types, err := domain.FrameTypes(rec.Envelope)
		if err != nil {
			return domain.Record{}, err
		}
		if seq < domain.SeqOf(rec.Position, len(types)) {
			return rec, nil
		}
	}
	return domain.Record{}, NotThere("no_frame", fmt.Sprintf("no frame has the seq %d: %s", seq, PossibleTargets))
}

// ShownKeys are the keys of conclusions that the person could see.
func ShownKeys() []domain.Key {
	var keys []domain.Key
	for _, how := range []domain.Showing{domain.ShownMessage, domain.ShownNotification, domain.ShownEscalation} {
		keys = append(keys, domain.ReasoningConcluded{Shown: how}.ShownKey())
	}
	return keys
}

// lastShown finds the latest conclusion that the person could see, by binary search,
// because a reader only reads forwards.
func lastShown(ctx context.Context, log Log) (domain.Record, error) {
	tail := log.Tail()
	var last domain.Record
	for _, key := range ShownKeys() {
		rec, err := LastOf(ctx, log, key, last.Position+1, tail)
		if err != nil {
			return domain.Record{}, err
		}
		if rec.Position > 0 {
			last = rec
		}
	}
	if last.Position == 0 {
		return domain.Record{}, NotThere("nothing_said", "Chalie has said nothing yet, so there is nothing to explain: say something to it, or "+PossibleTargets)
	}
	return last, nil
}

// LastOf is the last record with a key between two positions; the zero Record when
// there is none.
func LastOf(ctx context.Context, log Log, key domain.Key, from, tail domain.Position) (domain.Record, error) {
	var last domain.Record
	var failed error
	span := 0
	if tail >= from {
		span = int(tail-from) + 1
	}
	// Its offset is one less than the first offset without any at or after it.
	sort.Search(span, func(i int) bool {
		if failed != nil {
			return true
		}
		at := from + domain.Position(i)
		if at <= last.Position {
			return false
		}
		found, err := log.Select(ctx, domain.Selector{Key: key}, at, 1)
		switch {
		case err != nil:
			failed = err
		case len(found) > 0 && found[0].Position <= tail:
			last = found[0]
			return false
		}
		return true
	})
	return last, failed
}

// NotThere is the error for a target that the log doesn't hold.
func NotThere(code domain.Code, message string) error {
	return &domain.Error{Op: "explain", Category: domain.NotFound, Code: code, Message: message}
}

// LocateItself finds the named record itself, not its result.
func (t Target) LocateItself(ctx context.Context, log Log) (domain.Record, error) {
	if t.id.IsZero() {
		return t.Locate(ctx, log)
	}
	rec, err := log.Find(ctx, t.id)
	if domain.CategoryOf(err) == domain.NotFound {
		return locateID(ctx, log, t.id)
	}
	return rec, err
}

// MaxCalls bounds how many tool calls of one reply are looked up.
const MaxCalls = 64

// Log is what an explanation reads.
type Log interface {
	domain.Reader
	domain.Tailer
}

// TraceOf is the trace that a text names, by the id of any of its envelopes or by any
// other target. Errors: validation; and not found.
func TraceOf(ctx context.Context, log Log, text string) (domain.TraceID, error) {
	target, err := ParseTarget(text)
	if err != nil {
		return domain.TraceID{}, err
	}
	rec, err := target.Locate(ctx, log)
	return rec.Envelope.Trace, err
}

// InputOf is the envelope that a text names: an id in any spelling, the position of a
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
	rec, err := target.Locate(ctx, log)
	return rec.Envelope.ID, err
}
