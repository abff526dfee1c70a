package domain

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Block is one piece of what a person is shown: its type and that type's fields.
// Everything shown is blocks; no HTML and no bare text goes over the wire. A
// client that doesn't know a type shows its "fallback".
//
// It is a map because types are many and open: an interface may send one that
// this build doesn't know, and it must come out as it went in. JSON writes its
// fields in alphabetical order, so the same block is always the same text.
type Block map[string]any

// Format says how a text block is to be read.
type Format string

// The formats.
const (
	FormatPlain    Format = "plain"
	FormatMarkdown Format = "markdown"
)

// TextBlock is a paragraph.
func TextBlock(content string, format Format) Block {
	return Block{"type": "text", "content": content, "format": string(format)}
}

// HeaderBlock is a heading; level 1 is the largest.
func HeaderBlock(content string, level int) Block {
	return Block{"type": "header", "content": content, "level": level}
}

// ListBlock is a list without numbers.
func ListBlock(items ...string) Block {
	return Block{"type": "list", "style": "unordered", "items": items}
}

// TableBlock is a table; each row has as many cells as there are headers.
func TableBlock(headers []string, rows [][]string) Block {
	return Block{"type": "table", "headers": headers, "rows": rows}
}

// SectionBlock is blocks below a title.
func SectionBlock(title string, blocks ...Block) Block {
	return Block{"type": "section", "title": title, "blocks": blocks}
}

// Variant is the tone of an alert or a badge.
type Variant string

// The variants.
const (
	VariantInfo    Variant = "info"
	VariantSuccess Variant = "success"
	VariantWarning Variant = "warning"
	VariantError   Variant = "error"
)

// AlertBlock is a sentence that stands out.
func AlertBlock(message string, variant Variant) Block {
	return Block{"type": "alert", "message": message, "variant": string(variant)}
}

// Button asks for a skill when it is pressed, with its parameters.
type Button struct {
	Label, Skill string
	Params       map[string]any
	FromNowOn    bool // pressing it is a yes for the future, too
}

// ActionsBlock is a row of buttons, as the conversation has them.
func ActionsBlock(buttons ...Button) Block {
	shown := make([]any, len(buttons))
	for i, b := range buttons {
		payload := map[string]any{}
		maps.Copy(payload, b.Params)
		payload["skill"] = b.Skill
		if b.FromNowOn {
			payload[FromNowOn] = true
		}
		shown[i] = map[string]any{"label": b.Label, "payload": payload}
	}
	return Block{"type": "actions", "buttons": shown}
}

// PlainText is what blocks say, as text: for clients and terminals that show no
// blocks. Blocks without words of their own are passed over.
func PlainText(blocks []Block) string {
	var out plainText
	out.blocks(blocks)
	return out.String()
}

// ButtonOf is the member of a button's payload that says in which tool call's answer it
// stood. Chalie writes it into whatever an interface answers, so that what such a button
// asks for isn't taken for the person's own idea.
const ButtonOf = "chalie_invocation"

// ButtonsOf are blocks of an interface's answer, with the call that it answers in every
// payload. A button that has one of its tools executed, as those of its page do, gets a
// payload that asks for that tool.
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
	out := make(map[string]any, len(block)+1)
	for name, value := range block {
		out[name] = buttonsOf(value, invocation)
	}
	payload, _ := out["payload"].(map[string]any)
	if payload == nil && out["payload"] != nil { // a client could take it for an object without members
		payload = map[string]any{}
	}
	if tool, _ := out["execute"].(string); tool != "" && out["label"] != nil {
		if payload == nil {
			payload = map[string]any{}
		}
		payload["skill"] = tool
	}
	if payload != nil {
		payload[ButtonOf] = invocation.String()
		out["payload"] = payload
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

// ButtonsIn are the buttons of Chalie's own in blocks, which no tool's answer brought.
func ButtonsIn(blocks []Block) (out []Button) {
	for _, b := range blocks {
		if b["type"] != "actions" {
			continue
		}
		for _, button := range listOf(b["buttons"]) {
			of, _ := button.(map[string]any)
			payload, _ := of["payload"].(map[string]any)
			if _, ofTool := payload[ButtonOf]; payload == nil || ofTool {
				continue
			}
			params := maps.Clone(payload)
			delete(params, "skill")
			out = append(out, Button{Label: textOf(of["label"]), Skill: textOf(payload["skill"]), Params: params})
		}
	}
	return out
}

// Pressable is a button as a client presses it: what stands on it, and its payload.
type Pressable struct {
	Label   string
	Payload map[string]any
}

// PressablesIn are all buttons in blocks, a tool's among them, in the order in which they are
// shown.
func PressablesIn(blocks []Block) (out []Pressable) {
	for _, b := range blocks {
		out = append(out, pressablesIn(b)...)
	}
	return out
}

func pressablesIn(value any) (out []Pressable) {
	switch v := value.(type) {
	case Block:
		return pressablesIn(map[string]any(v))
	case []Block:
		return PressablesIn(v)
	case []any:
		for _, one := range v {
			out = append(out, pressablesIn(one)...)
		}
	case map[string]any:
		payload, _ := v["payload"].(map[string]any)
		if label := textOf(v["label"]); label != "" && textOf(payload["skill"]) != "" {
			return []Pressable{{Label: label, Payload: payload}}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name != "payload" {
				out = append(out, pressablesIn(v[name])...)
			}
		}
	}
	return out
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

// Card is a tool's result as a piece of a page.
type Card struct {
	HTML        string  `json:"html"`
	CSS         string  `json:"css"`
	ScopeID     string  `json:"scope_id"` // cards with the same have the same CSS
	Title       *string `json:"title"`
	AccentColor *string `json:"accent_color"` // #rgb or #rrggbb
}

// CardKey marks a tool.completed whose card is shown to clients.
const CardKey Key = "card"

// IsColor reports whether a text is a colour as an accent may be: #rgb or #rrggbb.
func IsColor(text string) bool {
	if len(text) != 4 && len(text) != 7 || text[0] != '#' {
		return false
	}
	for _, c := range []byte(text[1:]) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return false
		}
	}
	return true
}

// show fills in a tool's card.
func (f *Frame) show(e Envelope, find func(ID) (Envelope, error)) error {
	f.OutputID = e.ID
	done, err := Decode[ToolCompleted](e)
	switch {
	case CodeOf(err) == CodeErased || err == nil && done.Card == nil:
		f.Card = Card{HTML: "<p>(erased)</p>"}
		return nil
	case err != nil:
		return err
	}
	f.Card = *done.Card
	first, err := find(done.InvocationID)
	if err != nil {
		return err
	}
	invoked, err := Decode[ToolInvoked](first)
	if err == nil {
		f.Tool = invoked.Tool
	} else if CodeOf(err) != CodeErased {
		return err
	}
	f.Topic, err = topicOfCall(first, find)
	return err
}

// topicOfCall is the topic of what a tool was called for: of the model's answer that
// called it, or of an action, whose topic is the skill it names; "" where that was
// erased, or a program called.
func topicOfCall(invoked Envelope, find func(ID) (Envelope, error)) (string, error) {
	if invoked.Parent.IsZero() {
		return "", nil
	}
	caller, err := find(invoked.Parent)
	if err != nil {
		return "", err
	}
	var topic string
	switch caller.Type {
	case ModelRepliedType:
		var reply ModelReplied
		reply, err = Decode[ModelReplied](caller)
		topic = reply.Topic
	case ActionReceivedType:
		var action ActionReceived
		action, err = Decode[ActionReceived](caller)
		topic = clip(action.Skill, MaxTopicHintBytes)
	}
	if CodeOf(err) == CodeErased {
		return "", nil
	}
	return topic, err
}

// maxBlockDepth bounds how deep blocks are followed: an interface may nest as
// deep as it likes.
const maxBlockDepth = 16

// plainText writes blocks as lines of text. Fields are read as JSON gives them
// and as the constructors make them.
type plainText struct {
	strings.Builder
	depth int
}

func (p *plainText) blocks(blocks any) {
	if p.depth++; p.depth > maxBlockDepth {
		p.depth--
		return
	}
	for _, b := range listOf(blocks) {
		switch b := b.(type) {
		case Block:
			p.block(b)
		case map[string]any:
			p.block(b)
		}
	}
	p.depth--
}

func (p *plainText) block(b Block) {
	switch b["type"] {
	case "text", "header", "code":
		p.line(textOf(b["content"]))
	case "list":
		for _, item := range listOf(b["items"]) {
			p.line("- " + textOf(item))
		}
	case "table":
		p.row(b["headers"])
		for _, row := range listOf(b["rows"]) {
			p.row(row)
		}
	case "keyvalue":
		for _, pair := range listOf(b["pairs"]) {
			if pair, ok := pair.(map[string]any); ok {
				p.line(textOf(pair["key"]) + ": " + textOf(pair["value"]))
			}
		}
	case "alert":
		p.line(textOf(b["message"]))
	case "badge", "link":
		p.line(textOf(b["text"]))
	case "image":
		p.line(textOf(b["alt"]))
	case "section", "container", "form":
		p.line(textOf(b["title"]))
		p.blocks(b["blocks"])
	case "columns", "carousel", "tabs":
		for _, name := range []string{"columns", "slides", "tabs"} {
			for _, part := range listOf(b[name]) {
				if part, ok := part.(map[string]any); ok {
					p.line(textOf(part["label"]))
					p.blocks(part["blocks"])
				}
			}
		}
	default:
		p.line(textOf(b["fallback"]))
	}
}

func (p *plainText) row(cells any) {
	texts := make([]string, 0, len(listOf(cells)))
	for _, c := range listOf(cells) {
		texts = append(texts, textOf(c))
	}
	p.line(strings.Join(texts, " | "))
}

// line adds a text on lines of its own; empty ones around it are left out.
func (p *plainText) line(text string) {
	if text = strings.Trim(text, "\r\n"); text == "" {
		return
	}
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	p.WriteString(text)
}

func textOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return fmt.Sprint(v)
	}
}

// listOf is a list's elements, whatever their Go type.
func listOf(v any) []any {
	switch v := v.(type) {
	case []any:
		return v
	case []string:
		return widened(v)
	case [][]string:
		return widened(v)
	case []Block:
		return widened(v)
	case []map[string]any:
		return widened(v)
	}
	return nil
}

func widened[T any](list []T) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = v
	}
	return out
}
