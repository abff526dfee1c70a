package domain

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// CheckPayload judges whether an envelope's payload is one that could be written
// today under its type: every field is known and of its type, and whatever the
// payload's own Check asks for holds. Errors: CodeErased; CodeUndecodable, of a type
// or version that isn't written today, and of a field that doesn't fit; validation,
// from the payload's Check.
func (c *Catalogue) CheckPayload(e Envelope) error {
	text, err := e.Payload.JSON()
	if err != nil {
		return err
	}
	for shape, t := range c.payload {
		if t != e.Type {
			continue
		}
		if e.Version != c.current[t].Version {
			return undecodable(e, "it is not in the version that is written today", nil)
		}
		into := reflect.New(shape)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(into.Interface()); err != nil {
			return undecodable(e, "its payload does not fit the schema", err)
		}
		if checked, ok := reflect.TypeAssert[interface{ Check() error }](into); ok {
			return checked.Check()
		}
		return nil
	}
	return undecodable(e, "it is not in the catalogue", nil)
}
