package apiclient

import (
	"bytes"
	"encoding/json"
)

// Object is a decoded JSON value and the text it was decoded from.
type Object[T any] struct {
	Value T
	JSON  json.RawMessage // compact
}

// UnmarshalJSON keeps the text beside the value.
func (o *Object[T]) UnmarshalJSON(text []byte) error {
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return err
	}
	o.JSON = compact.Bytes()
	return json.Unmarshal(text, &o.Value)
}

// MarshalJSON writes the text as it came.
func (o Object[T]) MarshalJSON() ([]byte, error) {
	if o.JSON == nil {
		return []byte("null"), nil
	}
	return o.JSON, nil
}
