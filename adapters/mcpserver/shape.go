package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"chalie/commands/tool"
	"chalie/domain"
)

// shape is what clients are told of the structured content of a tool's answers. Theirs is to refuse
// an answer of another: so every answer that is no error has it. The zero shape says nothing.
type shape struct {
	schema  json.RawMessage // an object's; nil for none
	wrapped bool            // what the tool answers is the member answer
	inWords bool            // it is words alone
	formats Formats
}

// Statuses of answers in words.
const (
	statusAnswered = "answered"
	statusOpen     = "under_way"
	statusWaiting  = "waiting_for_approval"
)

// wordsSchema is that of an answer in words.
func wordsSchema() map[string]any {
	text := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	return map[string]any{
		"type": "object", "description": "An answer in words, or what the call waits for.", "required": []string{"status", "id"},
		"properties": map[string]any{
			"status": map[string]any{"type": "string", "enum": []string{statusAnswered, statusWaiting, statusOpen}},
			"id":     text("Of the call or the question: for " + toolOutcome + ", and for chalie://why/."),
			"text":   text("The words."),
			"approvals": map[string]any{"type": "array", "description": "What waits for the person's approval.", "items": map[string]any{
				"type": "object", "required": []string{"proposal_id", "summary", "expires_at"},
				"properties": map[string]any{"proposal_id": text(""), "summary": text("What would be done."), "expires_at": text("As RFC 3339.")},
			}},
		},
	}
}

// ofWords is the shape of answers in words.
func ofWords() shape { return shape{schema: written(wordsSchema()), inWords: true} }

// shapeOf is the shape of a tool's answers: what it declares, and of Chalie's own that declare nothing
// words. An answer that isn't so, as one that waits, comes in words, too.
func (s *Server) shapeOf(o domain.Offer) shape {
	switch none := len(o.Tool.Returns) == 0; {
	case none && o.IsOwn():
		return ofWords()
	case none, s.cfg.Formats == nil:
		return shape{}
	}
	var declares any
	d := json.NewDecoder(bytes.NewReader(o.Tool.Returns))
	d.UseNumber()
	if d.Decode(&declares) != nil {
		return shape{}
	}
	plain := plainSchema(declares)
	if !saysAnything(plain) {
		return shape{}
	}
	if _, typed := plain["type"]; !typed && plain["properties"] != nil {
		plain["type"] = "object" // which is meant
	}
	out := shape{formats: s.cfg.Formats, wrapped: plain["type"] != "object"}
	if out.wrapped {
		plain = map[string]any{"type": "object", "required": []string{"answer"}, "properties": map[string]any{"answer": plain}}
	}
	out.schema = written(map[string]any{"type": "object", "anyOf": []any{plain, wordsSchema()}})
	return out
}

// written is JSON of what is only maps, lists, texts and numbers.
func written(v any) json.RawMessage {
	out, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return out
}

// declared is the schema for a tool's description; nil for none.
func (s shape) declared() any {
	if s.schema == nil {
		return nil
	}
	return s.schema
}

// plainSchema is a schema with what every client can read of it: clients compile all of them before they
// use any tool, and one that can't be would keep them from the rest. What is left out makes it wider:
// patterns, references, what is said by not and if.
func plainSchema(v any) map[string]any {
	in, _ := v.(map[string]any)
	out := map[string]any{}
	for name, value := range in {
		if kept := plainKeyword(name, value); kept != nil {
			out[name] = kept
		}
	}
	if nullable, _ := in["nullable"].(bool); nullable {
		delete(out, "type")
		delete(out, "enum")
	}
	// What stands beside these would say more without them.
	if _, some := in["patternProperties"]; some {
		delete(out, "additionalProperties")
	}
	if _, some := in["prefixItems"]; some {
		delete(out, "items")
	}
	if one, ok := out["oneOf"]; ok { // of what is wider more than one may fit
		delete(out, "oneOf")
		if _, both := out["anyOf"]; !both {
			out["anyOf"] = one
		}
	}
	return out
}

// plainKeyword is what a keyword says, if it is one that is kept; nil otherwise.
func plainKeyword(name string, value any) any {
	switch name {
	case "title", "description":
		if text, ok := value.(string); ok {
			return text
		}
	case "type":
		return plainType(value)
	case "required":
		return listWhere(value, func(one any) any { text, _ := one.(string); return orNil(text) })
	case "enum":
		if all, ok := value.([]any); ok && len(all) > 0 {
			return all
		}
	case "const":
		return value
	case "items", "additionalProperties":
		if schema, ok := value.(map[string]any); ok {
			return plainSchema(schema)
		}
		if no, ok := value.(bool); ok && name == "additionalProperties" {
			return no
		}
	case "anyOf", "oneOf", "allOf":
		return listWhere(value, func(one any) any { return plainSchema(one) })
	case "properties":
		in, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		out := make(map[string]any, len(in))
		for name, one := range in {
			out[name] = plainSchema(one)
		}
		return out
	}
	return nil
}

// types are the types that a schema can name.
var types = []string{"string", "number", "integer", "boolean", "object", "array", "null"}

// plainType is a type, or a list of types; nil when it is neither.
func plainType(value any) any {
	known := func(v any) any {
		if text, ok := v.(string); ok && slices.Contains(types, text) {
			return text
		}
		return nil
	}
	if _, ok := value.([]any); ok {
		return listWhere(value, known)
	}
	return known(value)
}

// listWhere is a list in which every entry is something, without repeats of texts; nil otherwise.
func listWhere(value any, each func(any) any) any {
	in, ok := value.([]any)
	if !ok || len(in) == 0 {
		return nil
	}
	out := make([]any, 0, len(in))
	for _, one := range in {
		kept := each(one)
		if kept == nil {
			return nil
		}
		if text, isText := kept.(string); isText && slices.Contains(out, any(text)) {
			continue
		}
		out = append(out, kept)
	}
	return out
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// saysAnything reports whether a schema says more than how something is called.
func saysAnything(schema map[string]any) bool {
	for name := range maps.Keys(schema) {
		if name != "title" && name != "description" {
			return true
		}
	}
	return false
}

// structured is the structured content of an answer, whose words are those of its content.
func (s shape) structured(ctx context.Context, id domain.ID, a domain.ToolCompleted, words string) any {
	data := bytes.TrimSpace(a.Data)
	switch {
	case s.schema == nil && len(data) > 0 && data[0] == '{':
		return json.RawMessage(data)
	case s.schema == nil:
		return nil
	case s.inWords && a.Error != nil:
		return nil
	case s.inWords:
		return inPlainWords(id, words)
	}
	value, _ := tool.AnswerOf(a)
	if s.wrapped {
		value = written(map[string]any{"answer": value})
	}
	wrong, checked, err := s.formats.Check(ctx, s.schema, value)
	switch {
	case err == nil && checked && len(wrong) == 0:
		return value
	case a.Error != nil:
		return nil
	}
	return inPlainWords(id, words)
}

// inPlainWords is the structured content of an answer in words.
func inPlainWords(id domain.ID, words string) map[string]any {
	return map[string]any{"status": statusAnswered, "id": id.UUID(), "text": words}
}
