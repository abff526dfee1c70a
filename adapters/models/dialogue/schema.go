package dialogue

import (
	"encoding/json"
	"maps"

	"chalie/domain"
)

// ToolSchema is the JSON schema of a tool's parameters: their list, or the schema that the
// tool declares in its place. Their names go through rename, which providers restrict.
func ToolSchema(params []domain.Parameter, declared json.RawMessage, rename func(string) string) map[string]any {
	properties := make(map[string]any, len(params))
	required := []string{}
	for _, p := range params {
		name := rename(p.Name)
		property := map[string]any{}
		if p.Type != domain.TypeAny {
			property["type"] = string(p.Type)
		}
		if p.Description != "" {
			property["description"] = p.Description
		}
		properties[name] = property
		if p.Required {
			required = append(required, name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	if len(declared) > 0 {
		return declaredSchema(declared, out, rename)
	}
	return out
}

// declaredSchema is a tool's own schema for a provider. Providers take an object with
// properties at the first level and nothing that chooses between schemas there; what is left
// out of it is checked all the same before the tool is called.
func declaredSchema(declared json.RawMessage, listed map[string]any, rename func(string) string) map[string]any {
	var own struct {
		Properties map[string]any `json:"properties"`
		Defs       map[string]any `json:"$defs"`
		Older      map[string]any `json:"definitions"`
		Additional any            `json:"additionalProperties"`
	}
	if json.Unmarshal(declared, &own) != nil {
		return listed
	}
	properties := make(map[string]any, len(own.Properties))
	for name, property := range own.Properties {
		properties[rename(name)] = property
	}
	out := maps.Clone(listed)
	out["properties"] = properties
	delete(out, "additionalProperties")
	for name, value := range map[string]any{"$defs": own.Defs, "definitions": own.Older, "additionalProperties": own.Additional} {
		switch of := value.(type) {
		case nil:
		case map[string]any:
			if len(of) > 0 {
				out[name] = of
			}
		default:
			out[name] = of
		}
	}
	return out
}
