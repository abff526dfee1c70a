package dialogue

import "chalie/domain"

// ToolSchema is the JSON schema of a tool's parameters. Their names go through
// rename, which providers restrict.
func ToolSchema(params []domain.Parameter, rename func(string) string) map[string]any {
	properties := make(map[string]any, len(params))
	required := []string{}
	for _, p := range params {
		name := rename(p.Name)
		property := map[string]any{"type": string(p.Type)}
		if p.Description != "" {
			property["description"] = p.Description
		}
		properties[name] = property
		if p.Required {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
