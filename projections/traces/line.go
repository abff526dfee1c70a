package traces

import "chalie/domain"

// Outcome is the state of a trace. The package's doc has the rule.
type Outcome string

// The outcomes.
const (
	Open   Outcome = "open"
	Done   Outcome = "done"
	Failed Outcome = "failed"
)

// Line summarizes one trace.
type Line struct {
	Trace     domain.TraceID
	Root      Root
	Commands  uint64
	Events    uint64
	Results   uint64
	Streams   uint64
	Errors    uint64 // carried by all its envelopes together
	First     domain.Position
	Last      domain.Position
	StartedAt domain.Millis // recorded_at of the first envelope
	UpdatedAt domain.Millis // recorded_at of the last

	Spent
	Tools     ToolNames       // that were invoked
	Ended     domain.Outcome  // of its last reasoning; "" when none was concluded
	Concluded domain.Position // of that conclusion; 0 without

	waiting uint64 // what has no answer yet
	failed  bool   // what decides between done and failed carries errors
}

// Root is the first envelope of a trace in the log.
type Root struct {
	EnvelopeID domain.ID
	Parent     domain.ID // in an earlier trace; none when it came from outside
	Type       domain.EventType
	Source     domain.Source
	Principal  domain.Principal
}

// Envelopes is the number of the trace's envelopes.
func (l Line) Envelopes() uint64 { return l.Commands + l.Events + l.Results + l.Streams }

// Outcome is the trace's state.
func (l Line) Outcome() Outcome {
	switch {
	case l.waiting > 0:
		return Open
	case l.failed:
		return Failed
	default:
		return Done
	}
}

// Ending is how the trace ended: the outcome of its reasoning, or else whether it is open
// or failed.
func (l Line) Ending() domain.Outcome {
	return domain.EndingOf(l.Outcome() == Open, l.Outcome() == Failed, l.Ended)
}

// Follow counts the next record of a trace, for callers that read one trace alone: in
// order, and each once.
func (l *Line) Follow(rec *domain.Record) {
	if l.First == 0 {
		l.begin(rec)
	}
	l.add(rec)
}

// begin makes the line of a trace out of its first record.
func (l *Line) begin(rec *domain.Record) {
	e := &rec.Envelope
	l.Trace, l.First, l.StartedAt = e.Trace, rec.Position, rec.RecordedAt
	l.Root = Root{e.ID, e.Parent, e.Type, e.Source, e.Principal}
}

// add counts one record of the trace.
func (l *Line) add(rec *domain.Record) {
	e := &rec.Envelope
	faulty := len(e.Errors) > 0
	switch e.Kind {
	case domain.KindCommand:
		l.Commands++
	case domain.KindResult:
		l.Results++
	case domain.KindStream:
		l.Streams++
	default:
		l.Events++
	}
	switch {
	case asks(e):
		l.waiting++
	case e.Type == domain.ReasoningConcludedType:
		l.failed, l.waiting = faulty, 0
	case answers(e):
		l.failed = faulty
		if l.waiting > 0 {
			l.waiting--
		}
	case l.Results == 0:
		l.failed = faulty
	}
	l.read(rec)
	l.Errors += uint64(len(e.Errors))
	l.Last, l.UpdatedAt = rec.Position, rec.RecordedAt
}

// asks reports whether an envelope waits for another one.
func asks(e *domain.Envelope) bool {
	return e.Kind == domain.KindCommand && e.Type != domain.CommandReceivedType || domain.OpensReasoning(e.Type) && !domain.IsSilent(*e)
}

// answers reports whether an envelope is what another one waited for. What the
// sender of a request was told is no answer to anything in its trace; that a signal
// is dropped is all that it will get.
func answers(e *domain.Envelope) bool {
	return e.Kind == domain.KindResult && e.Type != domain.RequestAnsweredType || e.Type == domain.SpineSignalDroppedType
}
