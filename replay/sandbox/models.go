package sandbox

import (
	"context"

	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/replay/player"
	"chalie/replay/wiring"
)

// recordedModel gives a model's recorded reply.
type recordedModel struct {
	name    string
	effects player.Effects
}

var _ reasoning.Model = recordedModel{}

// Name implements reasoning.Model.
func (m recordedModel) Name() string { return m.name }

// SeesImages implements reasoning.Model. A recorded model gets no images.
func (recordedModel) SeesImages() bool { return false }

// Reply implements reasoning.Model.
func (m recordedModel) Reply(ctx context.Context, _ language.Prompt) (language.Reply, error) {
	env, err := m.effects.Reply(ctx, actOf(ctx), m.name)
	if err != nil {
		return language.Reply{}, err
	}
	return replyIn(env)
}

// replyIn is the reply that an envelope records.
func replyIn(env domain.Envelope) (language.Reply, error) {
	if env.Type == domain.ModelFailedType {
		return language.Reply{}, recordedFault("ask model", env)
	}
	said, err := domain.Decode[domain.ModelReplied](env)
	return language.Reply{
		Blocks: said.Blocks, Topic: said.Topic, Mode: said.Mode, Confidence: said.Confidence, Urgent: said.Urgent,
		Used: said.Used, Usage: said.Usage, ToolCalls: said.ToolCalls, Findings: said.Findings, Readings: said.Readings, Finish: said.Finish,
	}, err
}

// asRecorded is today's built-in model by the name that it had then. What an older version
// of it would have said otherwise shows in what it says.
type asRecorded struct {
	wiring.BuiltIn
	name    string
	effects player.Effects
}

// Name implements reasoning.Model.
func (m asRecorded) Name() string { return m.name }

// Reply implements reasoning.Model.
func (m asRecorded) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	env, edited, err := m.effects.Edited(ctx, actOf(ctx))
	switch {
	case err != nil:
		return language.Reply{}, err
	case edited:
		return replyIn(env)
	}
	return m.BuiltIn.Reply(ctx, p)
}

// recordedVerifier gives the recorded verification.
type recordedVerifier struct {
	name    string
	effects player.Effects
}

var _ reasoning.Verifier = recordedVerifier{}

// Name implements reasoning.Verifier.
func (v recordedVerifier) Name() string { return v.name }

// Verify implements reasoning.Verifier.
func (v recordedVerifier) Verify(ctx context.Context, _ reasoning.Verification) (domain.AnswerVerified, error) {
	env, err := v.effects.Verdict(ctx, actOf(ctx))
	if err != nil {
		return domain.AnswerVerified{}, err
	}
	if len(env.Errors) > 0 {
		return domain.AnswerVerified{}, recordedFault("verify", env)
	}
	return domain.Decode[domain.AnswerVerified](env)
}

// recordedFault is an envelope's error in its form before recording.
func recordedFault(op string, env domain.Envelope) error {
	if len(env.Errors) == 0 {
		return player.NotRecorded("why it failed")
	}
	f := env.Errors[0]
	return &domain.Error{Op: op, Category: f.Category, Code: f.Code, Message: f.Message}
}
