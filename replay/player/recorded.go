package player

import (
	"context"
	"slices"

	"chalie/domain"
)

// recorded are the effects of the step that is replayed.
type recorded struct{ of *comparing }

var (
	_ Effects = recorded{}
	_ Lagging = recorded{}
)

// Ground implements Effects.
func (r recorded) Ground(_ context.Context, act Act) (domain.ReasoningStarted, bool) {
	tr := r.of.traces[act.Trace]
	if tr == nil || tr.ground == nil {
		return domain.ReasoningStarted{}, false
	}
	return *tr.ground, true
}

// HeardThrough implements Lagging.
func (r recorded) HeardThrough() domain.Position { return r.of.heard }

// KnownThrough implements Lagging.
func (r recorded) KnownThrough() domain.Position { return r.of.known }

// find is the record of the current step that fits.
func (r recorded) find(fits func(domain.Envelope) bool, what string) (domain.Envelope, error) {
	batch := r.of.batch
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
	made := r.of.moving.names.of(call.Invocation)
	return r.find(func(env domain.Envelope) bool {
		id, ok := domain.InvocationOf(env)
		return ok && id == made && env.Kind == domain.KindResult
	}, "what "+call.Tool+" answers")
}

// State implements Effects.
func (r recorded) State(_ context.Context, _ Act, call Outgoing, when domain.Moment) (domain.StateTaken, error) {
	var out domain.StateTaken
	made := r.of.moving.names.of(call.Invocation)
	_, err := r.find(func(env domain.Envelope) bool {
		state, err := domain.Decode[domain.StateTaken](env)
		if err != nil || state.InvocationID != made || state.When != when {
			return false
		}
		out = state
		return true
	}, "the state "+string(when)+" a call")
	return out, err
}

// Invoked implements Effects.
func (r recorded) Invoked(_ context.Context, id domain.ID) (domain.Record, error) {
	if first := r.of.batch[0]; first.Envelope.ID == id {
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
