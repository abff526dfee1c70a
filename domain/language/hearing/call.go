package hearing

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
)

// completed is the outcome of a call that was answered.
const completed domain.EventType = domain.ToolCompletedType

// maxCalls bounds the tool calls of one answer: two things, and a change of each.
const maxCalls = 4

// call is what an intent calls; false when that isn't on offer, or doesn't take
// what was said.
func (l listener) call(in intent) (domain.ToolCall, bool) {
	o, ok := l.offered(in.tool)
	if !ok {
		return domain.ToolCall{}, false
	}
	params := in.params
	if !takes(o, params) {
		if in.whole == "" || o.Interface != ownInterface {
			return domain.ToolCall{}, false
		}
		if params = map[string]any{"text": in.whole}; !takes(o, params) {
			return domain.ToolCall{}, false
		}
	}
	raw, err := json.Marshal(params)
	return domain.ToolCall{Tool: o.Name, Params: raw, FromNowOn: in.fromNowOn}, err == nil
}

// offered is a tool by its name. What an interface offers under the name of
// something that Chalie does is another tool.
func (l listener) offered(name string) (language.Offered, bool) {
	for _, o := range l.p.Tools {
		if o.Name == name && (o.Interface == ownInterface || !isSkill(name)) {
			return o, true
		}
	}
	return language.Offered{}, false
}

func isSkill(name string) bool {
	switch name {
	case skillRemind, skillReminder, skillAppointment, skillTask, skillList, skillRemember, skillRecall, skillForget, skillStatus, skillPlans, skillWhy, skillUndo, skillRemove, skillValues, skillMore, skillNotice:
		return true
	}
	return false
}

// takes reports whether a tool takes these parameters, and needs no others.
func takes(o language.Offered, params map[string]any) bool {
	raw, err := json.Marshal(params)
	return err == nil && (domain.Tool{Name: o.Name, Parameters: o.Parameters, Schema: o.Schema}).CheckParams(raw) == nil
}

// plan is what is still to be done of what is wanted.
type plan struct {
	calls []domain.ToolCall
	asks  []string // questions back
	late  bool     // something was done before it was changed, and can't be changed from here
	known bool     // something was understood that isn't on offer
	// offers are what is asked about, each to be done by a button.
	offers []domain.Button
}

// plan finds the calls that haven't been made. None is made twice.
func (l listener) plan(wanted []intent) plan {
	var out plan
	for _, in := range wanted {
		if in.ask != "" {
			if _, ok := l.offered(in.tool); ok || in.tool == "" {
				out.asks = append(out.asks, in.ask)
				if call, ok := l.call(in); ok && in.offer {
					out.offers = append(out.offers, domain.Button{Label: cmp.Or(in.label, "Yes"), Skill: call.Tool, Params: readParams(call.Params), FromNowOn: call.FromNowOn})
					if no, ok := l.call(intent{tool: in.tool, params: map[string]any{"declined": true}}); ok {
						out.offers = append(out.offers, domain.Button{Label: "No", Skill: no.Tool, Params: readParams(no.Params)})
					}
				}
				for _, one := range in.among {
					if call, ok := l.call(one); ok {
						out.offers = append(out.offers, domain.Button{Label: one.label, Skill: call.Tool, Params: readParams(call.Params)})
					}
				}
			} else {
				out.known = true
			}
			continue
		}
		call, ok := l.call(in)
		if !ok {
			out.known = true
			continue
		}
		if change, changes := l.change(in, wanted); changes {
			call, ok = l.call(change)
			if !ok {
				out.late = true
				continue
			}
		}
		if l.isDone(call) || slices.ContainsFunc(out.calls, func(c domain.ToolCall) bool { return c.Tool == call.Tool && sameParams(c.Params, call.Params) }) {
			continue
		}
		if len(l.p.Done)+len(out.calls) >= maxCalls {
			out.late = true
			continue
		}
		call.ID = fmt.Sprintf("call-%d", len(l.p.Done)+len(out.calls)+1)
		out.calls = append(out.calls, call)
	}
	return out
}

// isDone reports whether a call was made already, whatever came of it.
func (l listener) isDone(call domain.ToolCall) bool {
	for _, d := range l.p.Done {
		if d.Call.Tool == call.Tool && sameParams(d.Call.Params, call.Params) {
			return true
		}
	}
	return false
}

func sameParams(a, b json.RawMessage) bool {
	return reflect.DeepEqual(readParams(a), readParams(b))
}

// readParams reads an object with its numbers as they are written.
func readParams(raw json.RawMessage) map[string]any {
	out := map[string]any{}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if len(raw) == 0 || dec.Decode(&out) != nil || out == nil {
		return map[string]any{}
	}
	return out
}

// change is what makes good for a call that was made before the person changed
// what they want: a reminder or a task that was just made gets its new time.
// changes is true with an intent that can't be called when nothing makes good for
// it.
func (l listener) change(in intent, wanted []intent) (change intent, changes bool) {
	o, _ := l.offered(in.tool)
	if len(l.p.Steers) == 0 || !o.SideEffects {
		return intent{}, false
	}
	call, ok := l.call(in)
	if !ok || l.isDone(call) {
		return intent{}, false
	}
	for _, d := range l.p.Done {
		if d.Call.Tool != in.tool || d.Outcome != completed || d.Error != "" || l.isWanted(d, wanted) {
			continue
		}
		var made struct {
			ReminderID string `json:"reminder_id"`
			TaskID     string `json:"task_id"`
		}
		before := readParams(d.Call.Params)
		if json.Unmarshal(d.Data, &made) != nil || in.subject == "" || in.moment == "" || before[in.subject] != in.params[in.subject] {
			return intent{}, true
		}
		switch at := in.params[in.moment]; {
		case in.tool == skillRemind && made.ReminderID != "" && at != nil:
			return intent{tool: skillReminder, params: map[string]any{"action": "move", "which": made.ReminderID, "when": at}}, true
		case in.tool == skillTask && made.TaskID != "" && at != nil:
			return intent{tool: skillTask, params: map[string]any{"action": "move", "which": made.TaskID, "deadline": at}}, true
		}
		return intent{}, true
	}
	return intent{}, false
}

// isWanted reports whether a call that was made is still what is wanted.
func (l listener) isWanted(d language.Done, wanted []intent) bool {
	for _, in := range wanted {
		if call, ok := l.call(in); ok && in.ask == "" && call.Tool == d.Call.Tool && sameParams(call.Params, d.Call.Params) {
			return true
		}
	}
	return false
}
