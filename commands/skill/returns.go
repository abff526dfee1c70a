package skill

import "encoding/json"

// The data that skills answer with, beside their words, as JSON Schemas. Which of the members are
// there goes by what was asked, so none is required. Moments are milliseconds since 1970.
const (
	typesOfPlan = `"reminder_id":{"type":"string"},"appointment_id":{"type":"string"},"task_id":{"type":"string"},"list_id":{"type":"string"},"entry_id":{"type":"string"},` +
		`"memory_id":{"type":"string"},"text":{"type":"string"},"about":{"type":"string"},"until":{"type":"string"},` +
		`"due":{"type":"integer"},"start":{"type":"integer"},"end":{"type":"integer"},"deadline":{"type":"integer"},"all_day":{"type":"boolean"},` +
		`"recurs":{"type":"boolean"},"once":{"type":"boolean"},"ended":{"type":"boolean"},"around":{"type":"string"},"list":{"type":"string"},"items":{"type":["array","null"],"items":{"type":"string"}}`
	onePlan   = `{"type":"object","properties":{` + typesOfPlan + `}}`
	somePlans = `{"type":"object","properties":{"change_id":{"type":"string"},"plans":{"type":"array","items":` + onePlan + `},"forgotten":{"type":"integer"},` + typesOfPlan + `}}`
	memories  = `{"type":"object","properties":{"memories":{"type":"array","items":` + onePlan + `}}}`
	standing  = `{"type":"object","properties":{"waiting":{"type":"integer"},"in_mind":{"type":"integer"},"open":{"type":"integer"},"healthy":{"type":"boolean"}}}`
	readings  = `{"type":"object","properties":{"values":{"type":["array","null"],"items":{"type":"object","required":["name"],"properties":{` +
		`"name":{"type":"string"},"value":{"type":"string"},"at":{"type":"integer"},"from":{"type":"string"}}}}}}`
)

// returns is the data of each skill that answers with any.
var returns = map[string]json.RawMessage{
	"appointment": []byte(somePlans), "forget": []byte(somePlans), "list": []byte(somePlans), "plans": []byte(somePlans), "remember": []byte(somePlans),
	"remind": []byte(somePlans), "reminder": []byte(somePlans), "remove": []byte(somePlans), "task": []byte(somePlans), "undo": []byte(somePlans),
	"recall": []byte(memories), "status": []byte(standing), "values": []byte(readings),
}
