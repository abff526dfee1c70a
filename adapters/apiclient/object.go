package apiclient

import (
	"bytes"
	"encoding/json"
)

// Object is an answer, or an element of one, as the text it came in. It is read
// when asked for, so that passing it on costs little.
type Object[T any] struct{ text json.RawMessage }

// Value reads the text. The error says that the two sides are of different
// versions.
func (o Object[T]) Value() (T, error) {
	var value T
	if err := json.Unmarshal(o.text, &value); err != nil {
		return value, unreadable("read answer", err)
	}
	return value, nil
}

// UnmarshalJSON keeps the text.
func (o *Object[T]) UnmarshalJSON(text []byte) error {
	o.text = bytes.Clone(text)
	return nil
}

// MarshalJSON writes the text as it came, fields that this version doesn't know
// included. Without any it is null.
func (o Object[T]) MarshalJSON() ([]byte, error) { return o.text.MarshalJSON() }

// Read reads what a call returned: its answer's text, unless it failed.
func Read[T any](o Object[T], err error) (T, error) {
	if err != nil {
		var none T
		return none, err
	}
	return o.Value()
}

// ReadAll is Read for a list.
func ReadAll[T any](list []Object[T], err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	return Values(list)
}

// Values reads the texts of a list.
func Values[T any](list []Object[T]) ([]T, error) {
	out := make([]T, len(list))
	for i, o := range list {
		var err error
		if out[i], err = o.Value(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
