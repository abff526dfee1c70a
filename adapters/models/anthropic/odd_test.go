package anthropic_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"chalie/adapters/models/anthropic"
	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/modelstest"
)

// Servers that resemble Anthropic's send what Anthropic's don't. It is read otherwise, told to the
// model or left out by itself.
func TestOddMessages(t *testing.T) {
	modelstest.Check(t, append(texts(), append(calls(), ends()...)...), func(url string) dialogue.Client {
		return anthropic.New(anthropic.Config{Name: "anthropic/test", Model: "test", BaseURL: url + "/"})
	})
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

const (
	begin     = `{"type":"message_start","message":{"type":"message","role":"assistant","content":[],"usage":{"input_tokens":1}}}`
	stop      = `{"type":"message_stop"}`
	milk      = `{"text":"milk"}`
	milkAgain = `remind {"text":"milk"}`
)

func reason(text string) string {
	return `{"type":"message_delta","delta":{"stop_reason":` + text + `},"usage":{"output_tokens":3}}`
}

func start(index int, block string) string {
	return fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, index, block)
}

func deltaAt(index int, members string) string {
	return fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":{%s}}`, index, members)
}

func end(index int) string { return fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, index) }

// says are the events of a text.
func says(pieces ...string) []string {
	out := []string{begin, start(0, `{"type":"text","text":""}`)}
	for _, p := range pieces {
		out = append(out, deltaAt(0, `"type":"text_delta","text":`+quoted(p)))
	}
	return append(out, end(0))
}

// tool is the begin of a call of remind, with an input as JSON.
func tool(input string) string {
	return `{"type":"tool_use","id":"t1","name":"remind","input":` + input + `}`
}

func piece(text string) string { return `"type":"input_json_delta","partial_json":` + quoted(text) }

// whole are the events of an answer.
func whole(events ...string) []string {
	return append(append([]string{begin}, events...), reason(`"tool_use"`), stop)
}

func texts() []modelstest.Row {
	over := []string{reason(`"end_turn"`), stop}
	return []modelstest.Row{
		{Name: "a text", Sent: append(says("Hel", "lo"), over...), Text: "Hello"},
		{Name: "a text at the begin of its block", Sent: whole(start(0, `{"type":"text","text":"Hello"}`), end(0)), Text: "Hello"},
		{Name: "a block without a type", Sent: whole(start(0, `{"text":"Hel"}`), deltaAt(0, `"text":"lo"`)), Text: "Hello"},
		{Name: "a text as an object", Sent: whole(deltaAt(0, `"type":"text_delta","text":{"text":"Hello"}`)), Text: "Hello"},
		{Name: "no begin of its block", Sent: whole(deltaAt(0, `"type":"text_delta","text":"Hello"`)), Text: "Hello"},
		{Name: "all of it in message_start", Sent: []string{`{"type":"message_start","message":{"content":[{"type":"text","text":"Hello"}]}}`, stop}, Text: "Hello"},
		{Name: "thoughts in blocks", Sent: append([]string{begin, start(0, `{"type":"thinking","thinking":"h"}`), deltaAt(0, `"type":"thinking_delta","thinking":"m"`), deltaAt(0, `"type":"signature_delta","signature":"x"`), end(0)}, append(says("Hello"), over...)...), Text: "Hello"},
		{Name: "thoughts in tags", Sent: append(says("<thin", "king>hm</thinking>Hello"), over...), Text: "Hello"},
		{Name: "thoughts without a begin", Sent: append(says("hm", "</think>Hello"), over...), Text: "Hello"},
		{Name: "an unknown block beside text", Sent: append([]string{begin, start(0, `{"type":"widget","id":1}`), deltaAt(0, `"type":"widget_delta","x":1`), end(0)}, append(says("Hello"), over...)...), Text: "Hello"},
		{Name: "an unknown block alone", Sent: whole(start(0, `{"type":"widget","id":1}`), end(0)), Told: "content of type widget"},
	}
}

func calls() []modelstest.Row {
	const unreadable = "unreadable parameters"
	return []modelstest.Row{
		{Name: "the input in deltas", Sent: whole(start(0, tool(`{}`)), deltaAt(0, piece(`{"te`)), deltaAt(0, piece(`xt":"milk"}`)), end(0)), Calls: milkAgain},
		{Name: "the input at its begin", Sent: whole(start(0, tool(milk)), end(0)), Calls: milkAgain},
		{Name: "the input at its begin as a text", Sent: whole(start(0, tool(quoted(milk))), end(0)), Calls: milkAgain},
		{Name: "the input at its begin and an empty delta", Sent: whole(start(0, tool(milk)), deltaAt(0, piece(``)), end(0)), Calls: milkAgain},
		{Name: "the input at its begin and in deltas", Sent: whole(start(0, tool(milk)), deltaAt(0, piece(milk)), end(0)), Calls: milkAgain},
		{Name: "some of the input at its begin, all in deltas", Sent: whole(start(0, tool(milk)), deltaAt(0, piece(`{"text":"milk","n":1}`)), end(0)), Calls: `remind {"text":"milk","n":1}`},
		{Name: "another input at its begin", Sent: whole(start(0, tool(milk)), deltaAt(0, piece(`{"text":"tea"}`)), end(0)), Calls: `remind {"text":"milk"}{"text":"tea"}`, Told: unreadable},
		{Name: "no input", Sent: whole(start(0, `{"type":"tool_use","id":"t1","name":"remind"}`), end(0)), Calls: "remind {}"},
		{Name: "null for an input", Sent: whole(start(0, tool(`null`)), end(0)), Calls: "remind {}"},
		{Name: "a list for an input", Sent: whole(start(0, tool(`[1]`)), end(0)), Calls: "remind [1]", Told: unreadable},
		{Name: "a number for an input", Sent: whole(start(0, tool(`5`)), end(0)), Calls: "remind 5", Told: unreadable},
		{Name: "a delta as an object", Sent: whole(start(0, tool(`{}`)), deltaAt(0, `"type":"input_json_delta","partial_json":`+milk), end(0)), Calls: milkAgain},
		{Name: "a delta under another name", Sent: whole(start(0, tool(`{}`)), deltaAt(0, `"type":"input_json_delta","input":`+milk), end(0)), Calls: milkAgain},
		{Name: "deltas written twice over", Sent: whole(start(0, tool(`{}`)), deltaAt(0, piece(quoted(milk))), end(0)), Calls: milkAgain},
		{Name: "a delta that is cut", Sent: whole(start(0, tool(`{}`)), deltaAt(0, piece(`{"te`)), end(0)), Calls: `remind {"te`, Told: unreadable},
		{Name: "deltas at another place", Sent: whole(start(1, tool(`{}`)), deltaAt(2, piece(milk)), end(2)), Calls: milkAgain},
		{Name: "no places", Sent: whole(`{"type":"content_block_start","content_block":`+tool(`{}`)+`}`, `{"type":"content_block_delta","delta":{`+piece(milk)+`}}`), Calls: milkAgain},
		{Name: "one place twice", Sent: whole(start(0, tool(`{}`)), deltaAt(0, piece(milk)), end(0), start(0, `{"type":"tool_use","id":"t2","name":"list","input":{}}`), deltaAt(0, piece(`{"n":1}`)), end(0)), Calls: milkAgain + `; list {"n":1}`},
		{Name: "two in turns", Sent: whole(start(0, tool(`{}`)), start(1, `{"type":"tool_use","id":"t2","name":"list","input":{}}`), deltaAt(0, piece(milk)), deltaAt(1, piece(`{"n":1}`))), Calls: milkAgain + `; list {"n":1}`},
		{Name: "one call twice", Sent: whole(start(0, tool(milk)), end(0), start(1, tool(milk)), end(1)), Calls: milkAgain},
		{Name: "one id with two inputs", Sent: whole(start(0, tool(milk)), end(0), start(1, tool(`{"text":"tea"}`)), end(1)), Calls: `remind {"text":"milk"}{"text":"tea"}`, Told: unreadable},
		{Name: "no ids", Sent: whole(start(0, `{"type":"tool_use","name":"remind","input":`+milk+`}`), start(1, `{"type":"tool_use","name":"remind","input":{"text":"tea"}}`)), Calls: milkAgain + `; remind {"text":"tea"}`},
		{Name: "no name", Sent: whole(start(0, `{"type":"tool_use","id":"t1","input":`+milk+`}`)), Told: "without the name of a tool"},
	}
}

func ends() []modelstest.Row {
	return []modelstest.Row{
		{Name: "no reason", Sent: append(says("Hello"), stop), Text: "Hello"},
		{Name: "null for a reason", Sent: append(says("Hello"), reason(`null`), stop), Text: "Hello"},
		{Name: "a reason and no end", Sent: append(says("Hello"), reason(`"end_turn"`)), Text: "Hello"},
		{Name: "no reason, but [DONE]", Sent: append(says("Hello"), "[DONE]"), Text: "Hello"},
		{Name: "neither", Sent: says("Hello"), Told: "broke off in the middle"},
		{Name: "an error for a reason", Sent: append(says("Hello"), reason(`"error"`), stop), Told: "broke off in the middle of its answer: error"},
		{Name: "a reason that nobody knows", Sent: append(says("Hello"), reason(`"zeta"`), stop), Text: "Hello", Stop: dialogue.StopUnknown},
		{Name: "the reason of another API", Sent: append(says("Hello"), reason(`"length"`), stop), Text: "Hello", Stop: dialogue.StopLength},
		{Name: "keep-alives", Sent: append(append([]string{"", `{}`, `{"type":"ping"}`, "ping"}, says("Hello")...), "", stop), Text: "Hello"},
		{Name: "an error in the stream", Sent: append(says("Hel"), `{"type":"error","error":{"type":"overloaded_error","message":"no room"}}`), Told: "no room"},
		{Name: "an error in a text", Sent: append(says("Hel"), `{"type":"error","error":"no room"}`), Told: "no room"},
		{Name: "an error by itself", Sent: append(says("Hel"), `{"type":"error","message":"no room"}`), Told: "no room"},
		{Name: "what breaks behind the end", Sent: append(says("Hello"), reason(`"end_turn"`), `{"type":"error","error":{"message":"no room"}}`), Text: "Hello"},
		{Name: "not streamed", Raw: `{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hello"}],"stop_reason":"end_turn","usage":{}}`, Text: "Hello"},
		{Name: "not streamed, with a call", Raw: `{"type":"message","content":[` + tool(milk) + `],"stop_reason":"tool_use"}`, Calls: milkAgain},
		{Name: "not streamed, content as a text", Raw: `{"type":"message","content":"Hello","stop_reason":"end_turn"}`, Text: "Hello"},
		{Name: "not streamed and cut", Raw: `{"type":"message","content":[{"type":"text","text":"Hello"}],"stop_reason":"max_tokens"}`, Text: "Hello", Stop: dialogue.StopLength},
		{Name: "an error of 200", Raw: `{"type":"error","error":{"type":"api_error","message":"no room"}}`, Told: "no room"},
	}
}
