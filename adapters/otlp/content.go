package otlp

import (
	"encoding/json"
	"strings"

	"chalie/domain"
)

// part is a piece of a message, as GenAI conventions write one.
type part struct {
	Type      string          `json:"type"` // text or tool_call
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

type message struct {
	Role  string `json:"role"`
	Parts []part `json:"parts"`
}

// maxContent bounds a text that is sent.
const maxContent = 8 << 10

// words adds what was said, if it is to be sent at all.
func (e *episode) words(d *draft, key string, said ...message) {
	if !e.content {
		return
	}
	if text, err := json.Marshal(said); err == nil {
		e.text(d, key, string(text))
	}
}

func (e *episode) text(d *draft, key, text string) {
	if !e.content {
		return
	}
	if len(text) > maxContent {
		text = strings.ToValidUTF8(text[:maxContent], "") + "…"
	}
	a := attributes{}
	a.text(key, text)
	d.put(a)
}

// asked is what an episode begins with.
func (e *episode) asked(d *draft, env domain.Envelope) {
	if msg, err := domain.Decode[domain.MessageReceived](env); err == nil {
		e.words(d, "gen_ai.input.messages", message{"user", []part{{Type: "text", Content: msg.Text}}})
	}
}

// heard is what a signal says.
func (e *episode) heard(d *draft, env domain.Envelope) {
	if sig, err := domain.Decode[domain.SignalReceived](env); err == nil {
		e.text(d, "chalie.signal.content", sig.Content)
	}
}

// replied is what a model said.
func (e *episode) replied(d *draft, reply domain.ModelReplied) {
	said := message{Role: "assistant", Parts: []part{}}
	if text := domain.PlainText(reply.Blocks); text != "" {
		said.Parts = append(said.Parts, part{Type: "text", Content: text})
	}
	for _, call := range reply.ToolCalls {
		said.Parts = append(said.Parts, part{Type: "tool_call", ID: call.ID, Name: call.Tool, Arguments: call.Params})
	}
	e.words(d, "gen_ai.output.messages", said)
}

// wanted is what a tool is asked.
func (e *episode) wanted(d *draft, call domain.ToolInvoked) {
	e.text(d, "gen_ai.tool.call.arguments", string(call.Params))
}

// answered is what a tool said.
func (e *episode) answered(d *draft, env domain.Envelope) {
	end, err := domain.Decode[domain.ToolCompleted](env)
	if err != nil {
		return
	}
	result := map[string]any{"text": end.Text, "data": end.Data, "error": end.Error}
	if text, err := json.Marshal(result); err == nil {
		e.text(d, "gen_ai.tool.call.result", string(text))
	}
}
