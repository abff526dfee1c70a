package dialogue

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"chalie/domain"
)

// params are the parameters of a call, as they come: in pieces of their JSON as a text, as
// servers should say it, or as any other value.
type params struct {
	pieces []string
	size   int

	// Where the text has come to, looked at a byte at a time: a server may send it in as many pieces.
	depth           int
	quoted, escaped bool
	begun, says     bool // it begins with an object; it has more than braces
}

// add takes what came; text is what of it can be told as it is, "" for nothing.
func (p *params) add(raw json.RawMessage) (text string) {
	if isNothing(raw) {
		return ""
	}
	if json.Unmarshal(raw, &text) != nil { // a value, whole at once
		text = string(raw)
	}
	if text == "" {
		return ""
	}
	p.pieces, p.size = append(p.pieces, text), p.size+len(text)
	for i := range len(text) {
		p.look(text[i])
	}
	return text
}

func (p *params) look(c byte) {
	switch {
	case p.escaped:
		p.escaped = false
	case p.quoted:
		p.escaped, p.quoted = c == '\\', c != '"'
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	case c == '{' || c == '[':
		p.begun = p.begun || c == '{' && !p.says
		p.depth++
	case c == '}' || c == ']':
		p.depth--
	default:
		p.quoted, p.says = c == '"', true
	}
}

// isNothing reports whether nothing stands in a member of an object.
func isNothing(raw json.RawMessage) bool {
	trimmed := bytes.TrimSpace(raw)
	return len(trimmed) == 0 || string(trimmed) == "null"
}

// blank reports whether nothing came that a call could be made with.
func (p *params) blank() bool {
	read, ok := ReadParams(strings.Join(p.pieces, ""))
	return ok && string(read) == noParams
}

// open reports whether the begin of an object came without its end.
func (p *params) open() bool { return p.begun && (p.depth > 0 || p.quoted) }

// full reports whether parameters came to their end, and are more than none.
func (p *params) full() bool { return p.says && !p.open() }

// read is ReadParams of all that came. Servers that repeat all so far with each piece are read
// by the last.
func (p *params) read() (json.RawMessage, bool) {
	whole := strings.Join(p.pieces, "")
	out, ok := ReadParams(whole)
	if ok || len(p.pieces) < 2 {
		return out, ok
	}
	for i, piece := range p.pieces[1:] {
		if !strings.HasPrefix(piece, p.pieces[i]) {
			return out, false
		}
	}
	if last, ok := ReadParams(p.pieces[len(p.pieces)-1]); ok {
		return last, true
	}
	return out, false
}

// noParams are the parameters of a call without any.
const noParams = "{}"

// ReadParams reads the parameters of a call: an object, also as text within text, behind an
// empty one, or said twice. Nothing and null are no parameters. With false it is what came, which is
// no object or not one only: never is something that isn't read taken for nothing.
func ReadParams(text string) (json.RawMessage, bool) {
	came := json.RawMessage(text)
	if domain.Nesting(came) > domain.MaxNesting {
		return came, false
	}
	values, err := valuesOf(text)
	if err != nil {
		return came, false
	}
	out := json.RawMessage(noParams)
	for _, value := range values {
		value, ok := unwrapped(value)
		switch {
		case !ok:
			return came, false
		case string(value) == noParams || sameJSON(out, value):
		case string(out) == noParams || within(out, value):
			out = value
		case !within(value, out):
			return came, false
		}
	}
	return out, true
}

// valuesOf are the JSON values that stand one behind another.
func valuesOf(text string) (out []json.RawMessage, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, err
		}
		out = append(out, value)
	}
}

// unwrapped is a value as an object: texts are opened, as long as they hold JSON.
func unwrapped(value json.RawMessage) (json.RawMessage, bool) {
	const deepest = 4
	for range deepest {
		var text string
		switch trimmed := bytes.TrimSpace(value); {
		case len(trimmed) == 0 || string(trimmed) == "null":
			return json.RawMessage(noParams), true
		case trimmed[0] == '{':
			var fields map[string]json.RawMessage
			if json.Unmarshal(trimmed, &fields) == nil && len(fields) == 0 {
				return json.RawMessage(noParams), true
			}
			return trimmed, json.Valid(trimmed)
		case json.Unmarshal(trimmed, &text) != nil:
			return value, false
		}
		value = json.RawMessage(text)
	}
	return value, false
}

// within reports whether an object has every member of a smaller one, with the same values.
func within(small, large json.RawMessage) bool {
	var few, many map[string]json.RawMessage
	if json.Unmarshal(small, &few) != nil || json.Unmarshal(large, &many) != nil {
		return false
	}
	for name, value := range few {
		if !sameJSON(many[name], value) {
			return false
		}
	}
	return true
}

// sameJSON reports whether two values are the same but for blanks and the order of members.
func sameJSON(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, okX := canonical(a)
	y, okY := canonical(b)
	return okX && okY && bytes.Equal(x, y)
}

// canonical is a value in one order, with its numbers as they were written.
func canonical(raw json.RawMessage) ([]byte, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return nil, false
	}
	out, err := json.Marshal(value)
	return out, err == nil
}
