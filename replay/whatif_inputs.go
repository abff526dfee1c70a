package replay

import (
	"chalie/domain"
	"chalie/replay/narrate"
)

// InputType is a type of what came in: it can be left out, and its fields edited.
type InputType struct {
	Type   domain.EventType
	Fields []string // as an Edit names them, recorded_at last
}

// Inputs are the types of inputs, by topic. Of the tool calls among them only those
// that somebody asked for directly are inputs, and what skills changed is none.
func Inputs() []InputType {
	var out []InputType
	for _, d := range domain.Events().Definitions() {
		if origin, _ := narrate.OriginOf(d.Type); origin == narrate.OriginGiven || d.Type == domain.ToolInvokedType {
			out = append(out, InputType{d.Type, append(fieldNames(d.Fields), atField)})
		}
	}
	return out
}
