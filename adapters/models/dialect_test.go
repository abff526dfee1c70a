package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"chalie/adapters/models"
)

// spoken is an answer as a test wants it said.
type spoken struct {
	text   string
	calls  []spokenCall
	length bool // it reached its longest
	refuse bool
	silent bool // nobody counts tokens
}

type spokenCall struct{ id, tool, params string }

// event is one event of a stream.
type event struct{ name, data string }

// dialect is one provider's way to speak.
type dialect struct {
	name   string
	path   string // where questions are put
	choice func(base string) string
	stream func(spoken) []event
	// failing are the events of a stream that ends in an error of the provider's
	// own making, of a kind that may pass.
	failing func() []event
	refusal func(status int, kind, message string) string // the body of an error response
	keyed   func(header func(string) string) string       // the key of a request
}

func dialects() []dialect {
	return []dialect{
		{
			name: "anthropic", path: "/v1/messages",
			choice: func(base string) string { return "anthropic:claude-test@" + base },
			stream: anthropicStream,
			failing: func() []event {
				return append(anthropicStream(spoken{text: "half"})[:4], event{"error", `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`})
			},
			refusal: func(_ int, kind, message string) string {
				return quote(map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_1"})
			},
			keyed: func(header func(string) string) string { return header("X-Api-Key") },
		},
		{
			name: "chat", path: "/v1/chat/completions",
			choice:  func(base string) string { return "openai:gpt-test@" + base },
			stream:  chatStream,
			failing: func() []event { return append(chatStream(spoken{text: "half"})[:2], event{"", openaiError}) },
			refusal: openaiRefusal,
			keyed:   bearer,
		},
		{
			name: "responses", path: "/v1/responses",
			choice: func(base string) string { return "openai:gpt-test@" + base },
			stream: responsesStream,
			failing: func() []event {
				return append(responsesStream(spoken{text: "half"})[:3], event{"response.failed",
					`{"type":"response.failed","sequence_number":9,"response":{"id":"resp_1","object":"response","status":"failed","output":[],"error":{"code":"server_error","message":"The server had an error"}}}`})
			},
			refusal: openaiRefusal,
			keyed:   bearer,
		},
	}
}

func bearer(header func(string) string) string {
	return strings.TrimPrefix(header("Authorization"), "Bearer ")
}

const openaiError = `{"error":{"message":"The server had an error","type":"server_error","param":null,"code":null}}`

func openaiRefusal(_ int, kind, message string) string {
	return quote(map[string]any{"error": map[string]any{"message": message, "type": kind, "param": nil, "code": kind}})
}

// each runs a test with every dialect.
func each(t *testing.T, test func(t *testing.T, d dialect)) {
	for _, d := range dialects() {
		t.Run(d.name, func(t *testing.T) { test(t, d) })
	}
}

// at is the choice of a dialect at an address, with a key.
func (d dialect) at(t *testing.T, base string) models.Choice {
	t.Helper()
	c, err := models.ParseChoice(d.choice(base))
	if err != nil {
		t.Fatal(err)
	}
	c.Responses = d.name == "responses"
	c.Key = models.NewSecret(testKey)
	c.Traits = models.Traits{Context: 100_000, MaxOutput: 1_000, Tools: true, Vision: true, Schema: true,
		Price: models.Price{Input: 2_000_000, Output: 10_000_000}}
	return c
}

// testKey must be found nowhere.
const testKey = "sk-secret-0123456789abcdef"

func quote(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// pieces cuts a text in three, so that a stream has something to put together.
func pieces(text string) []string {
	if len(text) < 3 {
		return []string{text}
	}
	a, b := len(text)/3, 2*len(text)/3
	return []string{text[:a], text[a:b], text[b:]}
}

func anthropicStream(s spoken) []event {
	out := []event{{"message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":100,"cache_creation_input_tokens":0,"cache_read_input_tokens":20,"output_tokens":1}}}`}}
	n := 0
	block := func(start any, deltas ...any) {
		out = append(out, event{"content_block_start", quote(map[string]any{"type": "content_block_start", "index": n, "content_block": start})})
		for _, d := range deltas {
			out = append(out, event{"content_block_delta", quote(map[string]any{"type": "content_block_delta", "index": n, "delta": d})})
		}
		out = append(out, event{"content_block_stop", quote(map[string]any{"type": "content_block_stop", "index": n})})
		n++
	}
	block(map[string]any{"type": "thinking", "thinking": "", "signature": ""}, map[string]any{"type": "thinking_delta", "thinking": "let me see"}, map[string]any{"type": "signature_delta", "signature": "c2ln"})
	out = append(out, event{"ping", `{"type":"ping"}`})
	if s.text != "" {
		var deltas []any
		for _, p := range pieces(s.text) {
			deltas = append(deltas, map[string]any{"type": "text_delta", "text": p})
		}
		block(map[string]any{"type": "text", "text": ""}, deltas...)
	}
	stop := "end_turn"
	for _, c := range s.calls {
		stop = "tool_use"
		var deltas []any
		for _, p := range pieces(c.params) {
			deltas = append(deltas, map[string]any{"type": "input_json_delta", "partial_json": p})
		}
		block(map[string]any{"type": "tool_use", "id": c.id, "name": c.tool, "input": map[string]any{}}, deltas...)
	}
	switch {
	case s.length:
		stop = "max_tokens"
	case s.refuse:
		stop = "refusal"
	}
	return append(out,
		event{"message_delta", fmt.Sprintf(`{"type":"message_delta","delta":{"stop_reason":%q,"stop_sequence":null},"usage":{"output_tokens":30}}`, stop)},
		event{"message_stop", `{"type":"message_stop"}`})
}

func chatStream(s spoken) []event {
	var out []event
	chunk := func(delta any, reason any) {
		out = append(out, event{"", quote(map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-test",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "logprobs": nil, "finish_reason": reason}}})})
	}
	chunk(map[string]any{"role": "assistant", "content": ""}, nil)
	if s.text != "" {
		for _, p := range pieces(s.text) {
			chunk(map[string]any{"content": p}, nil)
		}
	}
	reason := "stop"
	for i, c := range s.calls {
		reason = "tool_calls"
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": c.id, "type": "function", "function": map[string]any{"name": c.tool, "arguments": ""}}}}, nil)
		for _, p := range pieces(c.params) {
			chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": p}}}}, nil)
		}
	}
	switch {
	case s.length:
		reason = "length"
	case s.refuse:
		reason = "content_filter"
	}
	chunk(map[string]any{}, reason)
	if !s.silent {
		out = append(out, event{"", `{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"gpt-test","choices":[],"usage":{"prompt_tokens":120,"completion_tokens":30,"total_tokens":150,"prompt_tokens_details":{"cached_tokens":20}}}`})
	}
	return append(out, event{"", "[DONE]"})
}

func responsesStream(s spoken) []event {
	seq := 0
	var out []event
	say := func(name string, fields map[string]any) {
		fields["type"], fields["sequence_number"] = name, seq
		seq++
		out = append(out, event{name, quote(fields)})
	}
	response := func(status string, output []any) map[string]any {
		return map[string]any{"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "gpt-test", "output": output, "error": nil}
	}
	say("response.created", map[string]any{"response": response("in_progress", []any{})})
	output := []any{map[string]any{"type": "reasoning", "id": "rs_1", "summary": []any{}}}
	if s.text != "" {
		say("response.output_item.added", map[string]any{"output_index": 1, "item": map[string]any{"type": "message", "id": "msg_1", "status": "in_progress", "role": "assistant", "content": []any{}}})
		for _, p := range pieces(s.text) {
			say("response.output_text.delta", map[string]any{"item_id": "msg_1", "output_index": 1, "content_index": 0, "delta": p})
		}
		output = append(output, map[string]any{"type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
			"content": []any{map[string]any{"type": "output_text", "text": s.text, "annotations": []any{}}}})
	}
	for i, c := range s.calls {
		item := map[string]any{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.tool, "arguments": c.params, "status": "completed"}
		say("response.output_item.added", map[string]any{"output_index": i + 2, "item": map[string]any{"type": "function_call", "id": "fc_" + c.id, "call_id": c.id, "name": c.tool, "arguments": "", "status": "in_progress"}})
		for _, p := range pieces(c.params) {
			say("response.function_call_arguments.delta", map[string]any{"item_id": "fc_" + c.id, "output_index": i + 2, "delta": p})
		}
		say("response.output_item.done", map[string]any{"output_index": i + 2, "item": item})
		output = append(output, item)
	}
	end := response("completed", output)
	name := "response.completed"
	if s.length || s.refuse {
		name, end["status"] = "response.incomplete", "incomplete"
		end["incomplete_details"] = map[string]any{"reason": map[bool]string{true: "max_output_tokens", false: "content_filter"}[s.length]}
	}
	if !s.silent {
		end["usage"] = map[string]any{"input_tokens": 120, "input_tokens_details": map[string]any{"cached_tokens": 20}, "output_tokens": 30, "output_tokens_details": map[string]any{"reasoning_tokens": 5}, "total_tokens": 150}
	}
	say(name, map[string]any{"response": end})
	return out
}
