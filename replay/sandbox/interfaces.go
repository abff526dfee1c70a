package sandbox

import (
	"context"
	"strings"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/replay/player"
)

// interfaces gives the interfaces' recorded answers without a connection. It doesn't
// sanitise cards: recorded ones are.
type interfaces struct {
	env  player.Environment
	card *domain.Card // of the current answer
}

var (
	_ commands.Peer    = (*interfaces)(nil)
	_ tool.CardCleaner = (*interfaces)(nil)
)

// Execute implements commands.Peer.
func (e *interfaces) Execute(ctx context.Context, _ commands.Endpoint, call commands.Call) (commands.Result, error) {
	e.card = nil
	key, moment := call.Key, ""
	const uuid = 36 // characters; the state around a call is asked for with its moment behind
	if len(key) > uuid {
		key, moment = key[:uuid], strings.TrimPrefix(key[uuid:], "-")
	}
	id, err := domain.ParseID(key)
	if err != nil {
		return commands.Result{}, err
	}
	out := player.Outgoing{Invocation: id, Tool: call.Capability, Params: call.Params}
	if moment != "" {
		state, err := e.env.Effects.State(ctx, actOf(ctx), out, domain.Moment(moment))
		return stateResult(state), err
	}
	env, err := e.env.Effects.Answer(ctx, actOf(ctx), out)
	if err != nil {
		return commands.Result{}, err
	}
	if env.Type != domain.ToolCompletedType {
		return commands.Result{}, tool.PeerFailure(env)
	}
	answer, err := domain.Decode[domain.ToolCompleted](env)
	e.card = answer.Card
	if string(answer.Data) == "null" {
		answer.Data = nil
	}
	return commands.Result{Text: answer.Text, Data: answer.Data, Error: answer.Error, Blocks: answer.Blocks,
		OpenURL: answer.OpenURL, Card: answer.Card}, err
}

// stateResult is the answer from which a recorded state was made.
func stateResult(s domain.StateTaken) commands.Result {
	out := commands.Result{Data: s.State}
	if s.Problem != "" {
		out.Error = &s.Problem
	}
	if s.Description != "" {
		out.Text = &s.Description
	}
	return out
}

// Clean implements tool.CardCleaner.
func (e *interfaces) Clean(html, css string) (cleanHTML, cleanCSS, scopeID string) {
	if e.card != nil {
		scopeID = e.card.ScopeID
	}
	return html, css, scopeID
}

// Health implements commands.Peer.
func (*interfaces) Health(context.Context, commands.Endpoint) (commands.PeerHealth, error) {
	return commands.PeerHealth{}, player.NotRecorded("how an interface is")
}

// Capabilities implements commands.Peer.
func (*interfaces) Capabilities(context.Context, commands.Endpoint) ([]domain.Tool, error) {
	return nil, player.NotRecorded("what an interface offers")
}

// Meta implements commands.Peer.
func (*interfaces) Meta(context.Context, commands.Endpoint) (*commands.PeerMeta, error) {
	return nil, player.NotRecorded("what an interface says of itself")
}

// Render implements commands.Peer.
func (*interfaces) Render(context.Context, commands.Endpoint) (commands.Rendering, error) {
	return commands.Rendering{}, player.NotRecorded("what an interface shows")
}

// Pass implements commands.Peer.
func (*interfaces) Pass(context.Context, commands.Endpoint, []byte, string) (commands.Rendering, error) {
	return commands.Rendering{}, player.NotRecorded("what an interface answers its page")
}
