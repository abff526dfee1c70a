package skill

import (
	"encoding/json"
	"strings"

	"chalie/domain"
)

// The data that skills answer with, beside their words, as JSON Schemas. Which of the members are
// there goes by what was asked, so none is required. Moments are milliseconds since 1970.
const (
	ofPlan = `"list_id":{"type":"string"},"entry_id":{"type":"string"},` +
		`"memory_id":{"type":"string"},"text":{"type":"string"},"about":{"type":"string"},"until":{"type":"string"},` +
		`"due":{"type":"integer"},"start":{"type":"integer"},"end":{"type":"integer"},"deadline":{"type":"integer"},"all_day":{"type":"boolean"},` +
		`"recurs":{"type":"boolean"},"once":{"type":"boolean"},"ended":{"type":"boolean"},"around":{"type":"string"},"list":{"type":"string"},"items":{"type":["array","null"],"items":{"type":"string"}}`
	standing = `{"type":"object","properties":{"waiting":{"type":"integer"},"in_mind":{"type":"integer"},"open":{"type":"integer"},"healthy":{"type":"boolean"}}}`
	readings = `{"type":"object","properties":{"values":{"type":["array","null"],"items":{"type":"object","required":["name"],"properties":{` +
		`"name":{"type":"string"},"value":{"type":"string"},"at":{"type":"integer"},"from":{"type":"string"}}}}}}`
)

// returns is the data of a skill that answers with any.
func returns(skill string) json.RawMessage {
	var members strings.Builder
	for _, k := range domain.Events().Kinds() {
		members.WriteString(`"` + string(k.Kind) + `_id":{"type":"string"},`)
	}
	members.WriteString(ofPlan)
	one := `{"type":"object","properties":{` + members.String() + `}}`
	switch skill {
	case "status":
		return []byte(standing)
	case "values":
		return []byte(readings)
	case "recall":
		return []byte(`{"type":"object","properties":{"memories":{"type":"array","items":` + one + `}}}`)
	case "appointment", "forget", "list", "plans", "remember", "remind", "reminder", "remove", "task", "undo":
		return []byte(`{"type":"object","properties":{"change_id":{"type":"string"},"plans":{"type":"array","items":` + one + `},"forgotten":{"type":"integer"},` + members.String() + `}}`)
	}
	return nil
}
