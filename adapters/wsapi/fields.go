package wsapi

import (
	"bytes"
	"encoding/json"
	"fmt"

	"chalie/domain"
)

// fields is a JSON object. Names are case-sensitive, unknown ones are passed
// over, the last of two equal ones counts, and null counts as absent.
type fields map[string]json.RawMessage

// wrapping is how many objects stand around a message's free value: the payload of an
// action.
const wrapping = 1

func readFields(text []byte) (fields, error) {
	if err := domain.CheckNesting("read message", "", text, wrapping); err != nil {
		return nil, err
	}
	var out fields
	err := json.Unmarshal(text, &out)
	switch {
	case err == nil && out != nil:
		return out, nil
	case !json.Valid(text):
		return nil, bad("", "the message is no JSON: send one JSON object per message")
	}
	return nil, bad("", "the message is JSON, but no object: send one JSON object per message")
}

// has reports whether there is a value that isn't null.
func (f fields) has(name string) bool {
	raw, ok := f[name]
	return ok && !bytes.Equal(raw, []byte("null"))
}

// text is a field's text; "" when it is absent.
func (f fields) text(name string) (string, error) {
	var out string
	if f.has(name) && json.Unmarshal(f[name], &out) != nil {
		return "", bad(name, name+" must be a string")
	}
	return out, nil
}

// id is a field's id, in any spelling; none when it is absent.
func (f fields) id(name string) (domain.ID, error) {
	text, err := f.text(name)
	if text == "" || err != nil {
		return domain.ID{}, err
	}
	return domain.ParseID(text)
}

// ids are a field's ids, in any spelling; none when it is absent.
func (f fields) ids(name string) ([]domain.ID, error) {
	var texts []string
	if f.has(name) && json.Unmarshal(f[name], &texts) != nil {
		return nil, bad(name, name+" must be an array of strings")
	}
	if len(texts) > domain.MaxImagesPerMessage {
		return nil, bad(name, fmt.Sprintf("%s has %d images, the bound is %d: send the rest with another message",
			name, len(texts), domain.MaxImagesPerMessage))
	}
	out := make([]domain.ID, len(texts))
	for i, text := range texts {
		id, err := domain.ParseID(text)
		if err != nil {
			return nil, err
		}
		out[i] = id
	}
	return out, nil
}
