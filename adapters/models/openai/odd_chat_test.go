package openai_test

import (
	"encoding/json"
	"strings"
	"testing"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/modelstest"
	"chalie/adapters/models/openai"
)

// delta is a chunk of a chat, by the members of its delta.
func delta(members string) string {
	return `{"choices":[{"index":0,"delta":{` + members + `},"finish_reason":null}]}`
}

// ends is the last chunk, by its reason as JSON.
func ends(reason string) string {
	return `{"choices":[{"index":0,"delta":{},"finish_reason":` + reason + `}]}`
}

func content(text string) string { return delta(`"content":` + quoted(text)) }

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// part is a delta with one call.
func part(members string) string { return delta(`"tool_calls":[{` + members + `}]`) }

// whole is a call of remind with its arguments as JSON of any type.
func whole(arguments string) string {
	return part(`"index":0,"id":"c1","type":"function","function":{"name":"remind","arguments":` + arguments + `}`)
}

const (
	stop      = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	milk      = `{"text":"milk"}`
	milkAgain = `remind {"text":"milk"}`
)

// Servers that resemble OpenAI's send what OpenAI's don't. It is read otherwise, told to the model or
// left out by itself.
func TestOddChats(t *testing.T) {
	modelstest.Check(t, chatRows(), func(url string) dialogue.Client {
		return openai.NewChat(openai.Config{Name: "ollama/test", Model: "test", BaseURL: url + "/v1/"})
	})
}

func chatRows() []modelstest.Row {
	return append(append(chatArguments(), chatCalls()...), append(chatTexts(), chatEnds()...)...)
}

func chatArguments() []modelstest.Row {
	const unreadable = "unreadable parameters"
	return []modelstest.Row{
		{Name: "arguments as a text", Sent: []string{whole(quoted(milk)), stop}, Calls: milkAgain},
		{Name: "as an object", Sent: []string{whole(milk), stop}, Calls: milkAgain},
		{Name: "as an empty object", Sent: []string{whole(`{}`), stop}, Calls: "remind {}"},
		{Name: "as an empty text", Sent: []string{whole(`""`), stop}, Calls: "remind {}"},
		{Name: "as null", Sent: []string{whole(`null`), stop}, Calls: "remind {}"},
		{Name: "as a text of null", Sent: []string{whole(`"null"`), stop}, Calls: "remind {}"},
		{Name: "missing", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind"}`), stop}, Calls: "remind {}"},
		{Name: "written twice over", Sent: []string{whole(quoted(quoted(milk))), stop}, Calls: milkAgain},
		{Name: "written three times over", Sent: []string{whole(quoted(quoted(quoted(milk)))), stop}, Calls: milkAgain},
		{Name: "an array", Sent: []string{whole(`["milk"]`), stop}, Calls: `remind ["milk"]`, Told: unreadable},
		{Name: "an array as a text", Sent: []string{whole(`"[\"milk\"]"`), stop}, Calls: `remind ["milk"]`, Told: unreadable},
		{Name: "a number", Sent: []string{whole(`5`), stop}, Calls: `remind 5`, Told: unreadable},
		{Name: "words", Sent: []string{whole(`"milk"`), stop}, Calls: `remind milk`, Told: unreadable},
		{Name: "false", Sent: []string{whole(`false`), stop}, Calls: `remind false`, Told: unreadable},
		{Name: "cut", Sent: []string{whole(`"{\"text\":"`), stop}, Calls: `remind {"text":`, Told: unreadable},
		{Name: "in pieces", Sent: []string{whole(`"{\"te"`), part(`"index":0,"function":{"arguments":"xt\":\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "an empty object and then all", Sent: []string{whole(`"{}"`), part(`"index":0,"function":{"arguments":` + quoted(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "an empty object and then pieces", Sent: []string{whole(`{}`), part(`"index":0,"function":{"arguments":"{\"text\":"}`), part(`"index":0,"function":{"arguments":"\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "all and then again", Sent: []string{whole(quoted(milk)), part(`"index":0,"function":{"arguments":` + quoted(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "all so far with each piece", Sent: []string{whole(`"{\"text\":"`), part(`"index":0,"function":{"arguments":"{\"text\":\"mi"}`), part(`"index":0,"function":{"arguments":` + quoted(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "two that differ", Sent: []string{whole(quoted(milk)), part(`"index":0,"function":{"arguments":"{\"text\":\"tea\"}"}`), stop}, Calls: `remind {"text":"milk"}{"text":"tea"}`, Told: unreadable},
		{Name: "as parameters", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind","parameters":` + milk + `}`), stop}, Calls: milkAgain},
		{Name: "an object within that begins like the whole", Sent: []string{whole(`"{\"a\":"`), part(`"index":0,"function":{"arguments":"{\"a\":1}}"}`), stop}, Calls: `remind {"a":{"a":1}}`},
		{Name: "a number beyond floats", Sent: []string{whole(`{"n":9007199254740993}`), stop}, Calls: `remind {"n":9007199254740993}`},
	}
}

func chatCalls() []modelstest.Row {
	const tea = `{"text":"tea"}`
	args := func(text string) string { return `"arguments":` + quoted(text) }
	return []modelstest.Row{
		{Name: "an id behind the name", Sent: []string{part(`"index":0,"function":{"name":"remind"}`), part(`"index":0,"id":"c1","function":{` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "an id behind it all", Sent: []string{part(`"index":0,"function":{"name":"remind",` + args(milk) + `}`), part(`"index":0,"id":"c1"`), stop}, Calls: milkAgain},
		{Name: "an id before the name", Sent: []string{part(`"index":0,"id":"c1"`), part(`"index":0,"function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "an id behind the name, at another place", Sent: []string{part(`"index":0,"function":{"name":"remind"}`), part(`"index":1,"id":"c1","function":{` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "one call at two places", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind",` + args(milk) + `}`), part(`"index":1,"id":"c1","function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "one call at two places, its arguments at the second", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind","arguments":""}`), part(`"index":1,"id":"c1","function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "one call at two places, half at each", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind","arguments":"{\"text\":"}`), part(`"index":1,"id":"c1","function":{"arguments":"\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "one id with two sets of arguments", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind",` + args(milk) + `}`), part(`"index":1,"id":"c1","function":{"name":"remind",` + args(tea) + `}`), stop}, Calls: `remind {"text":"milk"}{"text":"tea"}`, Told: "unreadable parameters"},
		{Name: "one id for two tools", Sent: []string{part(`"index":0,"id":"c1","function":{"name":"remind",` + args(milk) + `}`), part(`"index":1,"id":"c1","function":{"name":"list",` + args(`{}`) + `}`), stop}, Calls: milkAgain + "; list {}"},
		{Name: "an id that changes", Sent: []string{whole(`"{\"te"`), part(`"index":0,"id":"c2","function":{"arguments":"xt\":\"mi"}`), part(`"index":0,"id":"c3","function":{"arguments":"lk\"}"}`), stop}, Calls: milkAgain},
		{Name: "an id that changes beside the name", Sent: []string{whole(`"{\"te"`), part(`"index":0,"id":"c2","function":{"name":"remind","arguments":"xt\":\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "an id that is a number", Sent: []string{part(`"index":0,"id":7,"function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "no ids and no places", Sent: []string{part(`"function":{"name":"remind",` + args(milk) + `}`), part(`"function":{"name":"list",` + args(`{"n":1}`) + `}`), stop}, Calls: milkAgain + `; list {"n":1}`},
		{Name: "no ids and no places, of one tool", Sent: []string{part(`"function":{"name":"remind",` + args(milk) + `}`), part(`"function":{"name":"remind",` + args(tea) + `}`), stop}, Calls: milkAgain + `; remind {"text":"tea"}`},
		{Name: "no ids, no places and no arguments", Sent: []string{part(`"function":{"name":"remind"}`), part(`"function":{"name":"list"}`), stop}, Calls: "remind {}; list {}"},
		{Name: "no ids and no places, the same twice", Sent: []string{part(`"function":{"name":"remind",` + args(milk) + `}`), part(`"function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "no ids and no places, in one delta", Sent: []string{delta(`"tool_calls":[{"function":{"name":"remind","arguments":` + milk + `}},{"function":{"name":"list","arguments":{}}}]`), stop}, Calls: milkAgain + "; list {}"},
		{Name: "no ids at one place", Sent: []string{part(`"index":0,"function":{"name":"remind",` + args(milk) + `}`), part(`"index":0,"function":{"name":"remind",` + args(tea) + `}`), stop}, Calls: milkAgain + `; remind {"text":"tea"}`},
		{Name: "ids at one place", Sent: []string{whole(quoted(milk)), part(`"index":0,"id":"c2","function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain + "; " + milkAgain},
		{Name: "ids at one place, in turns", Sent: []string{part(`"index":0,"id":"a","function":{"name":"remind"}`), part(`"index":0,"id":"b","function":{"name":"list"}`), part(`"index":0,"id":"a","function":{` + args(milk) + `}`), part(`"index":0,"id":"b","function":{` + args(`{"n":1}`) + `}`), stop}, Calls: milkAgain + `; list {"n":1}`},
		{Name: "places that jump", Sent: []string{part(`"index":3,"id":"a","function":{"name":"remind"}`), part(`"index":7,"id":"b","function":{"name":"list"}`), part(`"index":3,"function":{` + args(milk) + `}`), part(`"index":7,"function":{` + args(`{"n":1}`) + `}`), stop}, Calls: milkAgain + `; list {"n":1}`},
		{Name: "a place that grows with each delta", Sent: []string{part(`"index":0,"id":"a","function":{"name":"remind","arguments":""}`), part(`"index":1,"function":{"arguments":"{\"text\":"}`), part(`"index":2,"function":{"arguments":"\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "a place as a text", Sent: []string{part(`"index":"0","id":"a","function":{"name":"remind"}`), part(`"index":"1","id":"b","function":{"name":"list"}`), part(`"index":"0","function":{` + args(milk) + `}`), stop}, Calls: milkAgain + "; list {}"},
		{Name: "a name behind the arguments", Sent: []string{part(`"index":0,"id":"a","function":{` + args(milk) + `}`), part(`"index":0,"function":{"name":"remind"}`), stop}, Calls: milkAgain},
		{Name: "a name in halves", Sent: []string{part(`"index":0,"id":"a","function":{"name":"rem"}`), part(`"index":0,"function":{"name":"ind"}`), part(`"index":0,"function":{` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "a name in halves between the arguments", Sent: []string{part(`"index":0,"id":"a","function":{"name":"rem","arguments":"{\"text\":"}`), part(`"index":0,"function":{"name":"ind","arguments":"\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "a name with each delta", Sent: []string{whole(`"{\"text\":"`), part(`"index":0,"id":"c1","function":{"name":"remind","arguments":"\"milk\"}"}`), stop}, Calls: milkAgain},
		{Name: "a name that grows", Sent: []string{part(`"index":0,"id":"a","function":{"name":"rem"}`), part(`"index":0,"id":"a","function":{"name":"remind",` + args(milk) + `}`), stop}, Calls: milkAgain},
		{Name: "no name", Sent: []string{part(`"index":0,"id":"a","function":{` + args(milk) + `}`), stop}, Told: "without the name of a tool"},
		{Name: "no name of the second", Sent: []string{whole(quoted(milk)), part(`"index":1,"id":"b","function":{` + args(tea) + `}`), stop}, Calls: milkAgain, Told: "without the name of a tool"},
		{Name: "a call that isn't in a list", Sent: []string{delta(`"tool_calls":{"id":"c1","function":{"name":"remind","arguments":` + milk + `}}`), stop}, Calls: milkAgain},
		{Name: "a call without a function around it", Sent: []string{part(`"id":"c1","name":"remind","arguments":` + milk), stop}, Calls: milkAgain},
		{Name: "a call as it was once", Sent: []string{delta(`"function_call":{"name":"remind","arguments":""}`), delta(`"function_call":{"arguments":` + quoted(milk) + `}`), ends(`"function_call"`)}, Calls: milkAgain},
		{Name: "a call in words", Sent: []string{content("Wait."), delta(`"tool_calls":"remind milk"`), stop}, Text: "Wait.", Told: "in a form that can't be read"},
		{Name: "a call whose function is a text", Sent: []string{part(`"id":"c1","function":"remind"`), stop}, Told: "in a form that can't be read"},
		{Name: "an empty list and null", Sent: []string{delta(`"content":"Hello","tool_calls":[]`), delta(`"tool_calls":null`), delta(`"tool_calls":[null]`), stop}, Text: "Hello"},
	}
}

func chatTexts() []modelstest.Row {
	return []modelstest.Row{
		{Name: "content as a list of chunks", Sent: []string{delta(`"content":[{"type":"text","text":"Hel"},{"type":"text","text":"lo"}]`), content("."), stop}, Text: "Hello."},
		{Name: "content as a list of texts", Sent: []string{delta(`"content":["Hel","lo"]`), stop}, Text: "Hello"},
		{Name: "content as an object", Sent: []string{delta(`"content":{"type":"text","text":"Hello"}`), stop}, Text: "Hello"},
		{Name: "content in parts", Sent: []string{delta(`"content":{"parts":[{"text":"Hello"}]}`), stop}, Text: "Hello"},
		{Name: "content as output_text", Sent: []string{delta(`"content":[{"type":"output_text","text":"Hello"}]`), stop}, Text: "Hello"},
		{Name: "content with a value", Sent: []string{delta(`"content":[{"type":"text","text":{"value":"Hello"}}]`), stop}, Text: "Hello"},
		{Name: "content with thoughts", Sent: []string{delta(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"Hello"}]`), stop}, Text: "Hello"},
		{Name: "content with reasoning", Sent: []string{delta(`"content":[{"type":"reasoning","text":"hm"},{"text":"so","thought":true},{"type":"text","text":"Hello"}]`), stop}, Text: "Hello"},
		{Name: "content of an unknown type beside text", Sent: []string{delta(`"content":[{"type":"widget","id":3},{"type":"text","text":"Hello"}]`), stop}, Text: "Hello"},
		{Name: "content of an unknown type alone", Sent: []string{delta(`"content":[{"type":"widget","id":3}]`), stop}, Told: "content of type widget"},
		{Name: "content as a number", Sent: []string{delta(`"content":5`), stop}, Told: "content that is no text"},
		{Name: "thoughts beside the content", Sent: []string{delta(`"content":null,"reasoning_content":"hm"`), delta(`"content":"","reasoning":"hm"`), content("Hello"), stop}, Text: "Hello"},
		{Name: "thoughts in tags, in pieces", Sent: []string{content("<thi"), content("nking>h"), content("m</thin"), content("king>He"), content("llo"), stop}, Text: "Hello"},
		{Name: "thoughts without a begin", Sent: []string{content("I should greet."), content("</think>"), content("\n\nHello there."), stop}, Text: "Hello there."},
		{Name: "thoughts without a begin, and a call", Sent: []string{content("I should call."), content("</think>"), whole(milk), stop}, Calls: milkAgain},
		{Name: "thoughts without an end", Sent: []string{content("<think>I should greet."), stop}},
		{Name: "another answer beside it", Sent: []string{content("Hello"), `{"choices":[{"index":1,"delta":{"content":"Bye"}}]}`, stop}, Text: "Hello"},
		{Name: "one choice that isn't in a list", Sent: []string{`{"choices":{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}}`}, Text: "Hello"},
		{Name: "a choice with a text", Sent: []string{`{"choices":[{"index":0,"text":"Hello","finish_reason":"stop"}]}`}, Text: "Hello"},
		{Name: "refused in words", Sent: []string{delta(`"content":null,"refusal":"No."`), stop}, Text: "No."},
		{Name: "the whole message at the end again", Sent: []string{content("Hel"), content("lo"), whole(milk), `{"choices":[{"index":0,"message":{"content":"Hello","tool_calls":[{"id":"c1","function":{"name":"remind","arguments":` + milk + `}}]},"finish_reason":"tool_calls"}]}`}, Text: "Hello", Calls: milkAgain},
	}
}

func chatEnds() []modelstest.Row {
	answer := `{"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}`
	return []modelstest.Row{
		{Name: "no reason, but [DONE]", Sent: []string{content("Hello"), "[DONE]"}, Text: "Hello"},
		{Name: "no reason, but [DONE] behind a call", Sent: []string{whole(milk), "[DONE]"}, Calls: milkAgain},
		{Name: "neither reason nor [DONE]", Sent: []string{content("Hello")}, Told: "broke off in the middle"},
		{Name: "nothing but [DONE]", Sent: []string{"[DONE]"}, Told: "broke off in the middle"},
		{Name: "an error for a reason", Sent: []string{content("Your balance is 1"), ends(`"error"`)}, Told: "broke off in the middle of its answer: error"},
		{Name: "another error for a reason", Sent: []string{content("Your balance is 1"), ends(`"insufficient_system_resource"`)}, Told: "broke off in the middle of its answer: insufficient_system_resource"},
		{Name: "an error for a reason, in words", Sent: []string{content("Your"), `{"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"code":502,"message":"upstream went away"}}]}`}, Told: "(HTTP 502): upstream went away"},
		{Name: "a reason that nobody knows", Sent: []string{content("Hello"), ends(`"zeta"`)}, Text: "Hello", Stop: dialogue.StopUnknown},
		{Name: "incomplete", Sent: []string{content("Hello"), ends(`"incomplete"`)}, Text: "Hello", Stop: dialogue.StopUnknown},
		{Name: "another word for done", Sent: []string{content("Hello"), ends(`"eos_token"`)}, Text: "Hello"},
		{Name: "another word for the bound", Sent: []string{content("Hello"), ends(`"MAX_TOKENS"`)}, Text: "Hello", Stop: dialogue.StopLength},
		{Name: "another word for refused", Sent: []string{content("Hello"), ends(`"SAFETY"`)}, Text: "Hello", Stop: dialogue.StopRefused},
		{Name: "a reason before the last words", Sent: []string{`{"choices":[{"index":0,"delta":{"content":"Hel"},"finish_reason":"stop"}]}`, content("lo"), "[DONE]"}, Text: "Hello"},
		{Name: "what breaks behind the end", Sent: []string{content("Hello"), stop, `{"error":{"message":"usage isn't counted"}}`}, Text: "Hello"},
		{Name: "keep-alives", Sent: []string{"", content("Hel"), "", `{}`, `null`, `{"choices":[]}`, "ping", `{"type":"ping"}`, content("lo"), stop}, Text: "Hello"},
		{Name: "comments", Raw: ": hello\n\n:\n" + "data: " + content("Hello") + "\n: x\n\ndata: " + stop + "\n\n", Text: "Hello"},
		{Name: "no blank line behind the last", Raw: "data: " + content("Hello") + "\n\ndata: " + stop, Text: "Hello"},
		{Name: "no blank lines at all", Raw: "data: " + content("Hel") + "\ndata: " + content("lo") + "\ndata: " + stop + "\n", Text: "Hello"},
		{Name: "JSON that is cut", Sent: []string{content("Hel"), `{"choices":[{"ind`, content("lo"), stop}, Told: "no JSON"},
		{Name: "not streamed", Raw: answer, Text: "Hello"},
		{Name: "not streamed, without a reason", Raw: strings.Replace(answer, `"stop"`, "null", 1), Text: "Hello"},
		{Name: "not streamed, with a call", Raw: `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"c1","function":{"name":"remind","arguments":` + milk + `}}]},"finish_reason":"tool_calls"}]}`, Calls: milkAgain},
		{Name: "lines of chunks", Raw: content("Hel") + "\n" + content("lo") + "\n" + stop + "\n", Text: "Hello"},
		{Name: "Ollama's own", Raw: `{"message":{"content":"Hel"},"done":false}` + "\n" + `{"message":{"content":"lo"},"done":true,"done_reason":"stop"}` + "\n", Text: "Hello"},
		{Name: "Ollama's own with a call", Raw: `{"message":{"content":"","tool_calls":[{"function":{"name":"remind","arguments":` + milk + `}}]},"done":true,"done_reason":"stop"}`, Calls: milkAgain},
		{Name: "an error of 200", Raw: `{"error":{"message":"no room","type":"server_error"}}`, Told: "no room"},
		{Name: "an error of 200 in a text", Raw: `{"error":"no room"}`, Told: "no room"},
		{Name: "an error of 200 by its object", Raw: `{"object":"error","message":"no room","code":40303}`, Told: "no room"},
		{Name: "an error of 200 without a name", Raw: `{"detail":"no room"}`, Told: "no room"},
		{Name: "an error in the stream, by its event", Raw: "data: " + content("Hello") + "\n\nevent: error\ndata: {\"message\":\"no room\"}\n\n", Told: "no room"},
		{Name: "a page", Raw: "<html>Sign in</html>", Told: "sends a page"},
	}
}
