package domaintest

import (
	"strings"

	"chalie/domain"
)

// AnyPayload is a payload of a type of the catalogue: every field is there, with a
// value of its type that means nothing.
func AnyPayload(d domain.Definition) domain.Payload {
	fields := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		fields[i] = `"` + f.Name + `":` + anyValue(f.Type)
	}
	return domain.JSONPayload([]byte("{" + strings.Join(fields, ",") + "}"))
}

// anyValue is a JSON value, by the catalogue's names of types.
func anyValue(kind string) string {
	switch {
	case strings.HasSuffix(kind, "or null"):
		return "null"
	case strings.HasPrefix(kind, "array"):
		return "[]"
	case strings.HasPrefix(kind, "object"), strings.HasPrefix(kind, "map"):
		return "{}"
	case kind == "string":
		return `"x"`
	case kind == "id":
		return `"01KB2V7WYQC3V8P0J6R4T5N9XE"`
	case kind == "boolean":
		return "false"
	}
	return "1"
}
