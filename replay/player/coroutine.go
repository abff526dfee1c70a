package player

import (
	"bytes"
	"context"
	"slices"
	"time"

	"chalie/domain"
)

// coroutine is the code of an act that is compared with the log, with the inputs of its
// current step.
type coroutine struct {
	routine
	act    Act
	log    *behind         // knows the running coroutine
	opened domain.Position // position of its trace's opening
	last   mark            // the latest record that agrees; at first the opening's

	batch []domain.Record // as it was recorded
	at    domain.Millis
	ids   []domain.ID // not yet used
	extra uint64      // number of ids used beyond them
	names renamed
}

// mark is the part of a record that a report needs.
type mark struct {
	position domain.Position
	id       domain.ID
	t        domain.EventType
	at       domain.Millis
}

func markOf(rec domain.Record) mark {
	return mark{rec.Position, rec.Envelope.ID, rec.Envelope.Type, rec.Envelope.Timestamp}
}

// begin starts today's code anew.
func (a *coroutine) begin(ctx context.Context, runtime Runtime) {
	a.end()
	a.routine.begin(ctx, runtime, a.act)
}

// resume has the log know whose turn it is.
func (a *coroutine) resume() (domain.Batch, bool) {
	a.log.acting = a
	return a.routine.resume()
}

// end has what the code appends while it ends belong to it.
func (a *coroutine) end() {
	moves := a.log.acting
	a.log.acting = a
	a.routine.end()
	a.log.acting = moves
}

// prepare sets the clock and ids of a recorded step.
func (a *coroutine) prepare(batch []domain.Record, at domain.Millis) {
	a.batch, a.at, a.ids, a.names = batch, at, nil, renamed{}
	for _, rec := range batch {
		if !isAsked(rec.Envelope) {
			a.ids = append(a.ids, rec.Envelope.ID)
		}
	}
	// Ids are minted in ascending order, but recorded in the batch's order.
	slices.SortFunc(a.ids, func(x, y domain.ID) int { return bytes.Compare(x[:], y[:]) })
}

// newID is the next recorded id. Beyond the recorded ones it makes ids that no log has.
func (a *coroutine) newID() domain.ID {
	if len(a.ids) > 0 {
		id := a.ids[0]
		a.ids = a.ids[1:]
		return id
	}
	a.extra++
	id := domain.ID{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x70, 0, 0x80}
	for i, n := len(id)-1, a.extra; n > 0; i, n = i-1, n>>8 {
		id[i] = byte(n)
	}
	return id
}

// miss is the difference of a step: the envelope's index, and its field. The field "next"
// means that one of the two has more envelopes.
type miss struct {
	index int
	difference
}

const fieldNext = "next"

// judge compares an appended batch with the recorded one.
func (a *coroutine) judge(b domain.Batch) *miss {
	m := compareAll(a.batch, b, a.names)
	if m == nil {
		a.last = markOf(a.batch[len(a.batch)-1])
		a.receipt = receiptOf(a.batch)
	}
	return m
}

func compareAll(batch []domain.Record, b domain.Batch, names renamed) *miss {
	for i := range min(len(batch), len(b.Entries)) {
		if mine, recorded := b.Entries[i].Envelope.ID, batch[i].Envelope.ID; mine != recorded {
			names[mine] = recorded
		}
	}
	for i := range max(len(batch), len(b.Entries)) {
		switch {
		case i == len(batch):
			return &miss{i, difference{fieldNext, nil, textValue(string(b.Entries[i].Envelope.Type))}}
		case i == len(b.Entries):
			return &miss{i, difference{fieldNext, textValue(string(batch[i].Envelope.Type)), nil}}
		case isAsked(batch[i].Envelope) && isAsked(b.Entries[i].Envelope):
			continue
		}
		if d := compare(batch[i].Envelope, b.Entries[i].Envelope, names); d != nil {
			return &miss{i, *d}
		}
	}
	return nil
}

func receiptOf(batch []domain.Record) domain.Receipt {
	out := domain.Receipt{RecordedAt: batch[0].RecordedAt, Ahead: batch[0].Ahead}
	for _, rec := range batch {
		out.Positions = append(out.Positions, rec.Position)
	}
	return out
}

// now is the clock of the step.
func (a *coroutine) now() time.Time { return a.at.Time() }

// recorded are the effects of the step that is replayed.
type recorded struct{ show *replayRun }

var (
	_ Effects = recorded{}
	_ Lagging = recorded{}
)

// Ground implements Effects.
func (r recorded) Ground(_ context.Context, act Act) (domain.ReasoningStarted, bool) {
	tr := r.show.traces[act.Trace]
	if tr == nil || tr.ground == nil {
		return domain.ReasoningStarted{}, false
	}
	return *tr.ground, true
}

// HeardThrough implements Lagging.
func (r recorded) HeardThrough() domain.Position { return r.show.heard }

// KnownThrough implements Lagging.
func (r recorded) KnownThrough() domain.Position { return r.show.known }

// find is the record of the current step that fits.
func (r recorded) find(fits func(domain.Envelope) bool, what string) (domain.Envelope, error) {
	batch := r.show.log.acting.batch
	i := slices.IndexFunc(batch, func(rec domain.Record) bool { return fits(rec.Envelope) })
	if i < 0 {
		return domain.Envelope{}, NotRecorded(what)
	}
	return batch[i].Envelope, nil
}

// Reply implements Effects.
func (r recorded) Reply(_ context.Context, _ Act, model string) (domain.Envelope, error) {
	return r.find(func(env domain.Envelope) bool {
		return env.Type == domain.ModelRepliedType || env.Type == domain.ModelFailedType
	}, "what "+model+" says to this")
}

// Edited implements Effects: a replay changes nothing.
func (recorded) Edited(context.Context, Act) (domain.Envelope, bool, error) {
	return domain.Envelope{}, false, nil
}

// Verdict implements Effects.
func (r recorded) Verdict(context.Context, Act) (domain.Envelope, error) {
	return r.find(func(env domain.Envelope) bool { return env.Type == domain.AnswerVerifiedType }, "a verdict")
}

// Answer implements Effects.
func (r recorded) Answer(_ context.Context, _ Act, call Outgoing) (domain.Envelope, error) {
	return r.find(func(env domain.Envelope) bool {
		id, ok := domain.InvocationOf(env)
		return ok && id == call.Invocation && env.Kind == domain.KindResult
	}, "what "+call.Tool+" answers")
}

// State implements Effects.
func (r recorded) State(_ context.Context, _ Act, call Outgoing, when domain.Moment) (domain.StateTaken, error) {
	var out domain.StateTaken
	_, err := r.find(func(env domain.Envelope) bool {
		state, err := domain.Decode[domain.StateTaken](env)
		if err != nil || state.InvocationID != call.Invocation || state.When != when {
			return false
		}
		out = state
		return true
	}, "the state "+string(when)+" a call")
	return out, err
}

// Invoked implements Effects.
func (r recorded) Invoked(_ context.Context, id domain.ID) (domain.Record, error) {
	if first := r.show.log.acting.batch[0]; first.Envelope.ID == id {
		return first, nil
	}
	return domain.Record{}, NotRecorded("what was asked for")
}

// Trouble implements Effects: the lines under the health heading of the recorded answer.
func (r recorded) Trouble() []string {
	env, err := r.find(func(env domain.Envelope) bool { return env.Type == domain.ToolCompletedType }, "an answer")
	if err != nil {
		return nil
	}
	return troublesIn(env)
}

// troublesIn are the health lines of an answer; nil for any other envelope.
func troublesIn(env domain.Envelope) []string {
	answer, err := domain.Decode[domain.ToolCompleted](env)
	if err != nil {
		return nil
	}
	for i, block := range answer.Blocks[:max(0, len(answer.Blocks)-1)] {
		if block["type"] != "header" || block["content"] != healthHeading {
			continue
		}
		items, _ := answer.Blocks[i+1]["items"].([]any)
		out := make([]string, 0, len(items))
		for _, item := range items {
			if text, ok := item.(string); ok {
				out = append(out, text)
			}
		}
		return out
	}
	return nil
}

// healthHeading is the heading of health lines in the answer of the skill about Chalie's
// state.
const healthHeading = "Health"
