package openai_test

import (
	"testing"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/modelstest"
	"chalie/adapters/models/openai"
)

// Servers with a Responses API leave out one or another of the four times that it says everything.
func TestOddResponses(t *testing.T) {
	modelstest.Check(t, append(responseTexts(), append(responseCalls(), responseEnds()...)...), func(url string) dialogue.Client {
		return openai.NewResponses(openai.Config{Name: "openai/test", Model: "test", BaseURL: url + "/v1/"})
	})
}

const (
	emptyEnd = `{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}`
	noEnd    = `{"type":"response.completed","response":{"id":"r","status":"completed"}}`
)

// completed is the last event, with these items.
func completed(items string) string {
	return `{"type":"response.completed","response":{"id":"r","status":"completed","output":[` + items + `],"error":null}}`
}

func textDelta(text string) string {
	return `{"type":"response.output_text.delta","item_id":"m1","output_index":0,"content_index":0,"delta":` + quoted(text) + `}`
}

// messageItem is a message with a content as JSON.
func messageItem(content string) string {
	return `{"type":"message","id":"m1","role":"assistant","content":` + content + `}`
}

func textItem(text string) string {
	return messageItem(`[{"type":"output_text","text":` + quoted(text) + `,"annotations":[]}]`)
}

func itemDone(item string) string {
	return `{"type":"response.output_item.done","output_index":0,"item":` + item + `}`
}

func itemAdded(item string) string {
	return `{"type":"response.output_item.added","output_index":0,"item":` + item + `}`
}

// callItem is a call of remind with its arguments as JSON.
func callItem(arguments string) string {
	return `{"type":"function_call","id":"f1","call_id":"c1","name":"remind","arguments":` + arguments + `}`
}

func argsDelta(piece string) string {
	return `{"type":"response.function_call_arguments.delta","item_id":"f1","output_index":0,"delta":` + piece + `}`
}

func argsDone(arguments string) string {
	return `{"type":"response.function_call_arguments.done","item_id":"f1","output_index":0,"arguments":` + arguments + `}`
}

func responseTexts() []modelstest.Row {
	return []modelstest.Row{
		{Name: "an empty output", Sent: []string{textDelta("Hel"), textDelta("lo"), emptyEnd}, Text: "Hello"},
		{Name: "no output", Sent: []string{textDelta("Hello"), noEnd}, Text: "Hello"},
		{Name: "an output that is null", Sent: []string{textDelta("Hello"), `{"type":"response.completed","response":{"status":"completed","output":null}}`}, Text: "Hello"},
		{Name: "no response", Sent: []string{textDelta("Hello"), `{"type":"response.completed"}`, "[DONE]"}, Text: "Hello"},
		{Name: "an output of other items", Sent: []string{textDelta("Hello"), completed(`{"type":"reasoning","id":"x","summary":[]}`)}, Text: "Hello"},
		{Name: "all of it at the end only", Sent: []string{completed(textItem("Hello"))}, Text: "Hello"},
		{Name: "all of it four times", Sent: []string{itemAdded(messageItem("[]")), textDelta("Hello"), `{"type":"response.output_text.done","text":"Hello"}`, `{"type":"response.content_part.done","part":{"type":"output_text","text":"Hello"}}`, itemDone(textItem("Hello")), completed(textItem("Hello"))}, Text: "Hello"},
		{Name: "when its text ends", Sent: []string{`{"type":"response.output_text.done","text":"Hello"}`, emptyEnd}, Text: "Hello"},
		{Name: "when its part ends", Sent: []string{`{"type":"response.content_part.done","part":{"type":"output_text","text":"Hello"}}`, emptyEnd}, Text: "Hello"},
		{Name: "when its item ends", Sent: []string{itemDone(textItem("Hello")), emptyEnd}, Text: "Hello"},
		{Name: "when its item ends, twice", Sent: []string{itemDone(textItem("Hello")), itemDone(textItem("Hello")), emptyEnd}, Text: "Hello"},
		{Name: "the begin of it in pieces", Sent: []string{textDelta("Hel"), itemDone(textItem("Hello")), emptyEnd}, Text: "Hello"},
		{Name: "otherwise at the end", Sent: []string{textDelta("Hella"), completed(textItem("Hello"))}, Text: "Hello"},
		{Name: "two messages", Sent: []string{textDelta("One."), itemDone(textItem("One.")), textDelta("Two."), itemDone(textItem("Two.")), emptyEnd}, Text: "One.Two."},
		{Name: "content as a text", Sent: []string{completed(messageItem(`"Hello"`))}, Text: "Hello"},
		{Name: "content as an object", Sent: []string{completed(messageItem(`{"type":"output_text","text":"Hello"}`))}, Text: "Hello"},
		{Name: "a delta as an object", Sent: []string{`{"type":"response.output_text.delta","delta":{"text":"Hello"}}`, emptyEnd}, Text: "Hello"},
		{Name: "an unknown part beside text", Sent: []string{completed(messageItem(`[{"type":"widget"},{"type":"output_text","text":"Hello"}]`))}, Text: "Hello"},
		{Name: "an unknown part alone", Sent: []string{completed(messageItem(`[{"type":"widget"}]`))}, Told: "content of type widget"},
		{Name: "an unknown item beside text", Sent: []string{completed(`{"type":"weather_call","id":"w"},` + textItem("Hello"))}, Text: "Hello"},
		{Name: "thoughts beside text", Sent: []string{`{"type":"response.reasoning_text.delta","delta":"hm"}`, `{"type":"response.reasoning_summary_text.delta","delta":"hm"}`, textDelta("Hello"), emptyEnd}, Text: "Hello"},
		{Name: "thoughts in the content", Sent: []string{completed(messageItem(`[{"type":"reasoning_text","text":"hm"},{"type":"output_text","text":"Hello"}]`))}, Text: "Hello"},
		{Name: "thoughts in tags", Sent: []string{textDelta("<think>h"), textDelta("m</think>Hello"), completed(textItem("<think>hm</think>Hello"))}, Text: "Hello"},
		{Name: "thoughts without a begin", Sent: []string{textDelta("hm"), textDelta("</think>Hello"), emptyEnd}, Text: "Hello"},
		{Name: "refused in words", Sent: []string{`{"type":"response.refusal.delta","delta":"No."}`, completed(messageItem(`[{"type":"refusal","refusal":"No."}]`))}, Text: "No."},
	}
}

func responseCalls() []modelstest.Row {
	const unreadable = "unreadable parameters"
	return []modelstest.Row{
		{Name: "a call at the end only", Sent: []string{completed(callItem(quoted(milk)))}, Calls: milkAgain},
		{Name: "a call in pieces only", Sent: []string{itemAdded(callItem(`""`)), argsDelta(`"{\"te"`), argsDelta(`"xt\":\"milk\"}"`), emptyEnd}, Calls: milkAgain},
		{Name: "a call in all ways", Sent: []string{itemAdded(callItem(`""`)), argsDelta(quoted(milk)), argsDone(quoted(milk)), itemDone(callItem(quoted(milk))), completed(callItem(quoted(milk)))}, Calls: milkAgain},
		{Name: "a call that is there at its begin", Sent: []string{itemAdded(callItem(quoted(milk))), emptyEnd}, Calls: milkAgain},
		{Name: "a call whose end is empty", Sent: []string{itemAdded(callItem(`""`)), argsDelta(quoted(milk)), argsDone(`""`), itemDone(callItem(`"{}"`)), completed(callItem(`null`))}, Calls: milkAgain},
		{Name: "a call when its arguments end", Sent: []string{itemAdded(callItem(`""`)), argsDone(quoted(milk)), emptyEnd}, Calls: milkAgain},
		{Name: "a call when its item ends", Sent: []string{itemDone(callItem(quoted(milk))), emptyEnd}, Calls: milkAgain},
		{Name: "arguments as an object", Sent: []string{completed(callItem(milk))}, Calls: milkAgain},
		{Name: "pieces as an object", Sent: []string{itemAdded(callItem(`{}`)), argsDelta(milk), emptyEnd}, Calls: milkAgain},
		{Name: "arguments written twice over", Sent: []string{completed(callItem(quoted(quoted(milk))))}, Calls: milkAgain},
		{Name: "arguments as a list", Sent: []string{completed(callItem(`[1]`))}, Calls: "remind [1]", Told: unreadable},
		{Name: "arguments that are cut", Sent: []string{itemAdded(callItem(`""`)), argsDelta(`"{\"te"`), emptyEnd}, Calls: `remind {"te`, Told: unreadable},
		{Name: "arguments that are missing", Sent: []string{completed(`{"type":"function_call","call_id":"c1","name":"remind"}`)}, Calls: "remind {}"},
		{Name: "an end that can't be read", Sent: []string{itemAdded(callItem(`""`)), argsDelta(quoted(milk)), itemDone(callItem(`"{\"te"`)), emptyEnd}, Calls: milkAgain},
		{Name: "ids that change", Sent: []string{itemAdded(callItem(`""`)), argsDelta(quoted(milk)), completed(`{"type":"function_call","id":"f9","call_id":"c9","name":"remind","arguments":` + quoted(milk) + `}`)}, Calls: milkAgain},
		{Name: "no ids", Sent: []string{itemAdded(`{"type":"function_call","name":"remind","arguments":""}`), `{"type":"response.function_call_arguments.delta","delta":` + quoted(milk) + `}`, completed(`{"type":"function_call","name":"remind","arguments":` + quoted(milk) + `}`)}, Calls: milkAgain},
		{Name: "no places", Sent: []string{`{"type":"response.output_item.added","item":` + callItem(`""`) + `}`, `{"type":"response.function_call_arguments.delta","item_id":"f1","delta":` + quoted(milk) + `}`, emptyEnd}, Calls: milkAgain},
		{Name: "pieces at another place", Sent: []string{itemAdded(callItem(`""`)), `{"type":"response.function_call_arguments.delta","output_index":4,"delta":` + quoted(milk) + `}`, emptyEnd}, Calls: milkAgain},
		{Name: "an id behind the name", Sent: []string{itemAdded(`{"type":"function_call","name":"remind","arguments":""}`), argsDelta(quoted(milk)), itemDone(callItem(quoted(milk))), emptyEnd}, Calls: milkAgain},
		{Name: "a name behind the arguments", Sent: []string{itemAdded(`{"type":"function_call","id":"f1","call_id":"c1","arguments":""}`), argsDelta(quoted(milk)), itemDone(callItem(quoted(milk))), emptyEnd}, Calls: milkAgain},
		{Name: "one id twice", Sent: []string{completed(callItem(quoted(milk)) + "," + callItem(quoted(milk)))}, Calls: milkAgain},
		{Name: "two calls in turns", Sent: []string{itemAdded(callItem(`""`)), `{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"f2","call_id":"c2","name":"list","arguments":""}}`,
			argsDelta(quoted(milk)), `{"type":"response.function_call_arguments.delta","item_id":"f2","output_index":1,"delta":"{\"n\":1}"}`, emptyEnd}, Calls: milkAgain + `; list {"n":1}`},
		{Name: "one that the end leaves out", Sent: []string{itemAdded(callItem(quoted(milk))), completed(textItem("Hello"))}, Text: "Hello", Calls: milkAgain},
		{Name: "no name", Sent: []string{completed(`{"type":"function_call","call_id":"c1","arguments":"{}"}`)}, Told: "without the name of a tool"},
		{Name: "under another type", Sent: []string{completed(`{"type":"custom_tool_call","call_id":"c1","name":"remind","input":` + milk + `}`)}, Calls: milkAgain},
	}
}

func responseEnds() []modelstest.Row {
	return []modelstest.Row{
		{Name: "no end, but [DONE]", Sent: []string{textDelta("Hello"), "[DONE]"}, Text: "Hello"},
		{Name: "no end", Sent: []string{textDelta("Hello")}, Told: "broke off in the middle"},
		{Name: "failed", Sent: []string{textDelta("Hel"), `{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"no room"}}}`}, Told: "no room"},
		{Name: "failed without words", Sent: []string{textDelta("Hel"), `{"type":"response.failed","response":{"status":"failed"}}`}, Told: "the answer was failed"},
		{Name: "cancelled", Sent: []string{textDelta("Hel"), `{"type":"response.cancelled","response":{"status":"cancelled"}}`}, Told: "the answer was cancelled"},
		{Name: "completed, but failed", Sent: []string{textDelta("Hel"), `{"type":"response.completed","response":{"status":"failed","error":null}}`}, Told: "broke off in the middle of its answer: failed"},
		{Name: "completed with an error", Sent: []string{textDelta("Hel"), `{"type":"response.completed","response":{"status":"completed","error":{"message":"no room"}}}`}, Told: "no room"},
		{Name: "incomplete without a reason", Sent: []string{textDelta("Hel"), `{"type":"response.incomplete","response":{"status":"incomplete"}}`}, Text: "Hel", Stop: dialogue.StopLength},
		{Name: "incomplete for a reason that nobody knows", Sent: []string{textDelta("Hel"), `{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"zeta"}}}`}, Text: "Hel", Stop: dialogue.StopUnknown},
		{Name: "an error as an event", Sent: []string{textDelta("Hel"), `{"type":"error","code":"server_error","message":"no room"}`}, Told: "no room"},
		{Name: "an error within an event", Sent: []string{textDelta("Hel"), `{"type":"error","error":{"code":"server_error","message":"no room"}}`}, Told: "no room"},
		{Name: "keep-alives", Sent: []string{"", `{"type":"keepalive"}`, `{}`, "ping", textDelta("Hello"), emptyEnd}, Text: "Hello"},
		{Name: "not streamed", Raw: `{"object":"response","status":"completed","error":null,"output":[` + textItem("Hello") + `]}`, Text: "Hello"},
		{Name: "not streamed, with a call", Raw: `{"status":"completed","output":[` + callItem(quoted(milk)) + `]}`, Calls: milkAgain},
		{Name: "not streamed, in a text beside it", Raw: `{"object":"response","status":"completed","output":[],"output_text":"Hello"}`, Text: "Hello"},
		{Name: "not streamed and incomplete", Raw: `{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[` + textItem("Hello") + `]}`, Text: "Hello", Stop: dialogue.StopLength},
		{Name: "not streamed and failed", Raw: `{"object":"response","status":"failed","error":{"message":"no room"},"output":[]}`, Told: "no room"},
		{Name: "an error of 200", Raw: `{"error":{"message":"no room"}}`, Told: "no room"},
	}
}
