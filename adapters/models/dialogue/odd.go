package dialogue

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// Word is a name, an id or a reason, which some servers write as a number.
type Word string

// UnmarshalJSON reads a text or a number; anything else is no word.
func (w *Word) UnmarshalJSON(data []byte) error {
	*w = ""
	var text string
	if json.Unmarshal(data, &text) == nil {
		*w = Word(text)
		return nil
	}
	var number json.Number
	if json.Unmarshal(data, &number) == nil {
		*w = Word(number)
	}
	return nil
}

// Place is an index, which may be missing or written as a text.
type Place struct{ At *int }

// UnmarshalJSON reads a whole number; anything else is no place.
func (p *Place) UnmarshalJSON(data []byte) error {
	p.At = nil
	if n, err := strconv.Atoi(strings.Trim(string(data), `"`)); err == nil {
		p.At = &n
	}
	return nil
}

// List is a list, or the one object that stands for it.
type List[T any] []T

// UnmarshalJSON reads a list, of which what doesn't fit stays as empty as it is; or one object.
func (l *List[T]) UnmarshalJSON(data []byte) error {
	*l = nil
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) != nil {
		if data = bytes.TrimSpace(data); len(data) == 0 || data[0] != '{' {
			return nil
		}
		raw = []json.RawMessage{data}
	}
	for _, one := range raw {
		var item T
		if json.Unmarshal(one, &item) == nil || !isNothing(one) && bytes.TrimSpace(one)[0] == '{' {
			*l = append(*l, item)
		}
	}
	return nil
}

// Content is text as servers write it: as a text, as one part, or as a list of parts. Thoughts among the
// parts are left out.
type Content struct {
	Text string
	Odd  string // what else is in it; "" for nothing
}

// UnmarshalJSON reads content; what isn't text is noted.
func (c *Content) UnmarshalJSON(data []byte) error {
	*c = Content{}
	c.take(data, true)
	return nil
}

func (c *Content) take(data []byte, top bool) {
	var text string
	var list []json.RawMessage
	switch {
	case isNothing(data):
	case json.Unmarshal(data, &text) == nil:
		c.Text += text
	case json.Unmarshal(data, &list) == nil && top:
		for _, part := range list {
			c.take(part, false)
		}
	default:
		c.part(data)
	}
}

// part takes an object that is a part, or has parts.
func (c *Content) part(data []byte) {
	var part struct {
		Type    string          `json:"type"`
		Text    json.RawMessage `json:"text"`
		Refusal json.RawMessage `json:"refusal"`
		Content json.RawMessage `json:"content"`
		Parts   json.RawMessage `json:"parts"`
		Value   json.RawMessage `json:"value"`
		Thought bool            `json:"thought"`
	}
	if err := json.Unmarshal(data, &part); err != nil && part.Type == "" && isNothing(part.Text) {
		c.Odd = "content that is no text"
		return
	}
	if part.Thought || thoughtful.MatchString(part.Type) {
		return
	}
	before := len(c.Text)
	for _, raw := range []json.RawMessage{part.Text, part.Refusal, part.Content, part.Parts, part.Value} {
		if !isNothing(raw) {
			c.take(raw, true)
			return
		}
	}
	if len(c.Text) == before && part.Type != "" && !strings.Contains(part.Type, "text") {
		c.Odd = "content of type " + part.Type
	}
}

// thoughtful are the types of parts that are thoughts.
var thoughtful = regexp.MustCompile(`(?i)think|thought|reason|analysis|scratch|reflect`)
