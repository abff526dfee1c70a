package otlp

import (
	"cmp"
	"context"
	"strings"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"chalie/domain"
)

// openModel begins the span of a call to a model.
func (e *episode) openModel(ctx context.Context, rec domain.Record) error {
	call, err := domain.Decode[domain.ModelCalled](rec.Envelope)
	if err != nil {
		call = domain.ModelCalled{}
	}
	provider, model := splitModel(call.Model)
	kind := tracepb.Span_SPAN_KIND_CLIENT
	if provider == builtin {
		kind = tracepb.Span_SPAN_KIND_INTERNAL
	}
	d, err := e.open(ctx, rec, strings.TrimSpace("chat "+model), kind)
	if err != nil {
		return err
	}
	a := attributes{}
	a.text("gen_ai.operation.name", "chat")
	a.text("gen_ai.provider.name", provider)
	a.text("gen_ai.request.model", model)
	a.text("gen_ai.agent.name", agent)
	a.number("chalie.tools.offered", int64(len(call.Tools)))
	d.put(a)
	return nil
}

// builtin is the provider of the model that needs no network.
const builtin = "chalie"

// splitModel reads a model's recorded name, PROVIDER/MODEL.
func splitModel(name string) (provider, model string) {
	provider, model, found := strings.Cut(name, "/")
	if !found || provider == "builtin" {
		return builtin, name
	}
	return provider, model
}

// closeModel ends a call to a model with its reply, or the lack of one.
func (e *episode) closeModel(ctx context.Context, d *draft, rec domain.Record) error {
	env := rec.Envelope
	if called := e.of[env.Parent]; called != nil && called.open {
		d = called
	}
	if d.id == e.root {
		return nil // the call it answers isn't there
	}
	d.end(rec)
	if env.Type == domain.ModelFailedType {
		code := ""
		if len(env.Errors) > 0 {
			code = string(env.Errors[0].Code)
		}
		failed(d.span, code)
		return nil
	}
	reply, err := domain.Decode[domain.ModelReplied](env)
	if err != nil {
		return nil //nolint:nilerr // What was erased has nothing left to tell.
	}
	_, model := splitModel(reply.Model)
	// The conventions have other words than the record.
	finish := map[domain.FinishReason]string{domain.FinishToolUse: "tool_calls", domain.FinishMaxTokens: "length"}[domain.FinishOf(env)]
	finish = cmp.Or(finish, "stop")
	a := attributes{}
	a.text("gen_ai.response.model", model)
	a.texts("gen_ai.response.finish_reasons", []string{finish})
	for _, count := range []struct {
		key   string
		value int
	}{
		{"gen_ai.usage.input_tokens", reply.Usage.InputTokens}, {"gen_ai.usage.output_tokens", reply.Usage.OutputTokens},
		{"gen_ai.usage.cache_read.input_tokens", reply.Usage.CacheReadTokens},
		{"gen_ai.usage.cache_creation.input_tokens", reply.Usage.CacheWriteTokens},
	} {
		if count.value > 0 {
			a.number(count.key, int64(count.value))
		}
	}
	if reply.Usage.CostMicros > 0 {
		a.number("chalie.usage.cost_micros", reply.Usage.CostMicros)
	}
	a.score("chalie.confidence", reply.Confidence)
	d.put(a)
	e.replied(d, reply)
	return e.linkEvidence(ctx, d, reply.Used)
}
