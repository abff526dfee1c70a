package reasoning

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"chalie/domain"
)

// ofSameSource is the call of a button in a tool's answer, where the same source offers the
// tool that it names: that tool is meant, whoever else has one of the name. What was filled in
// around the button comes as the tool takes it, without what it doesn't know. Any other call
// stays as it is.
func (r *Reasoner) ofSameSource(ctx context.Context, pressed domain.ActionReceived, call domain.ToolCall) (domain.ToolCall, error) {
	invocation, ok := pressed.AnswerOf()
	if !ok {
		return call, nil
	}
	rec, err := r.cfg.Reader.Find(ctx, invocation)
	if err != nil && domain.CategoryOf(err) != domain.NotFound {
		return call, err
	}
	asked, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	if err != nil {
		return call, nil //nolint:nilerr // it names no call that can be read
	}
	offers := r.cfg.Tools.Offers()
	i := slices.IndexFunc(offers, func(o domain.Offer) bool {
		return !o.IsOwn() && o.Interface.ID == asked.InterfaceID && (o.Tool.Name == call.Tool || o.GoesBy(call.Tool))
	})
	if i < 0 {
		return call, nil
	}
	call.Tool, call.Params = offers[i].Name, filledIn(offers[i].Tool, call.Params)
	return call, nil
}

// filledIn are parameters from the fields of a form as a tool declares them: fields hold
// texts, whatever the tool takes, and one left empty is left out where it takes no text.
func filledIn(tool domain.Tool, params json.RawMessage) json.RawMessage {
	given := map[string]json.RawMessage{}
	if json.Unmarshal(params, &given) != nil {
		return params
	}
	out := map[string]json.RawMessage{}
	for _, p := range tool.Parameters {
		value, ok := given[p.Name]
		if !ok {
			continue
		}
		if value = fieldOf(p.Type, value); value != nil && p.Type == domain.TypeArray {
			value = itemsIn(domain.ItemsOf(tool.Schema, p.Name), value)
		}
		if value != nil {
			out[p.Name] = value
		}
	}
	if len(out) == len(given) && maps.EqualFunc(out, given, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
		return params
	}
	filled, err := json.Marshal(out)
	if err != nil {
		return params
	}
	return filled
}

// fieldOf is what one field holds, as a parameter of a type; nil for nothing. What doesn't
// fit stays as it is: the tool's declaration says what is wrong with it.
func fieldOf(of domain.ParameterType, value json.RawMessage) json.RawMessage {
	var text string
	isText := json.Unmarshal(value, &text) == nil && bytes.HasPrefix(bytes.TrimSpace(value), []byte(`"`))
	text = strings.TrimSpace(text)
	switch {
	case of == domain.TypeString && !isText:
		if v := bytes.TrimSpace(value); len(v) > 0 && v[0] != '{' && v[0] != '[' && !bytes.Equal(v, []byte("null")) {
			quoted, err := json.Marshal(string(v))
			if err == nil {
				return quoted
			}
		}
	case of == domain.TypeString || !isText:
	case text == "":
		return nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}
	return value
}

// itemsIn is the array that a field holds for a parameter that takes one: a line for each
// item, or commas between, each as items are declared. What is an array stays as it is.
func itemsIn(of domain.ParameterType, value json.RawMessage) json.RawMessage {
	var text string
	switch v := bytes.TrimSpace(value); {
	case len(v) == 0 || v[0] == '[' || v[0] == '{' || bytes.Equal(v, []byte("null")):
		return value
	case json.Unmarshal(v, &text) != nil:
		text = string(v) // a number, as a field's text is read
	}
	between := ","
	if strings.Contains(text, "\n") {
		between = "\n"
	}
	items := []json.RawMessage{}
	for part := range strings.SplitSeq(text, between) {
		item, err := json.Marshal(strings.TrimSpace(part))
		if err != nil || string(item) == `""` {
			continue
		}
		items = append(items, fieldOf(of, item))
	}
	out, err := json.Marshal(items)
	if err != nil {
		return value
	}
	return out
}
