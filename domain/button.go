package domain

import "encoding/json"

// ButtonOf is the member of a button's payload that says in which tool call's answer it
// stood. Chalie writes it into whatever an interface answers, so that what such a button
// asks for isn't taken for the person's own idea.
const ButtonOf = "chalie_invocation"

// ButtonsOf are blocks of an interface's answer, with the call that it answers in every
// payload.
func ButtonsOf(blocks []Block, invocation ID) []Block {
	if blocks == nil {
		return nil
	}
	out := make([]Block, len(blocks))
	for i, b := range blocks {
		out[i] = buttonsIn(b, invocation)
	}
	return out
}

func buttonsIn(block map[string]any, invocation ID) map[string]any {
	out := make(map[string]any, len(block))
	for name, value := range block {
		out[name] = buttonsOf(value, invocation)
		if payload, ok := out[name].(map[string]any); ok && name == "payload" {
			payload[ButtonOf] = invocation.String()
		}
	}
	return out
}

func buttonsOf(value any, invocation ID) any {
	switch v := value.(type) {
	case Block:
		return buttonsIn(v, invocation)
	case map[string]any:
		return buttonsIn(v, invocation)
	case []Block:
		return ButtonsOf(v, invocation)
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = buttonsOf(one, invocation)
		}
		return out
	}
	return value
}

// AnswerOf is the tool call in whose answer the button stood; ok is false for a button of
// Chalie's own. What can't be read is the zero id.
func (a ActionReceived) AnswerOf() (invocation ID, ok bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(a.Payload, &members) != nil {
		return ID{}, false
	}
	raw, ok := members[ButtonOf]
	if ok && json.Unmarshal(raw, &invocation) != nil {
		return ID{}, true
	}
	return invocation, ok
}
