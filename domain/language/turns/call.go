package turns

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// Call is what an intent calls; false when that isn't on offer, or doesn't take
// what was said.
func (l Talk) Call(in tools.Intent) (domain.ToolCall, bool) {
	o, ok := l.Offered(in.Tool)
	if !ok {
		return domain.ToolCall{}, false
	}
	params := in.Params
	if !tools.Takes(o, params) {
		if in.Whole == "" || o.Interface != tools.OwnInterface {
			return domain.ToolCall{}, false
		}
		if params = map[string]any{"text": in.Whole}; !tools.Takes(o, params) {
			return domain.ToolCall{}, false
		}
	}
	raw, err := json.Marshal(params)
	return domain.ToolCall{Tool: o.Name, Params: raw, FromNowOn: in.FromNowOn}, err == nil
}

// Plan is what is still to be done of what is wanted.
type Plan struct {
	Calls []domain.ToolCall
	Asks  []speech.Said // questions back
	Late  bool          // something was done before it was changed, and can't be changed from here
	Known bool          // something was understood that isn't on offer
	// Offers are what is asked about, each to be done by a button, and Labels what stands on these.
	Offers []domain.Button
	Labels []speech.Said
}

// offer is one more button.
func (p *Plan) offer(label speech.Message, call domain.ToolCall) {
	p.Offers = append(p.Offers, domain.Button{Label: speech.English().Say(label, speech.Voice{}), Skill: call.Tool, Params: ReadParams(call.Params), FromNowOn: call.FromNowOn})
	p.Labels = append(p.Labels, speech.Said{As: speech.Label, Says: []speech.Message{label}})
}

// Plan finds the calls that haven't been made. None is made twice.
func (l Talk) Plan(wanted []tools.Intent) Plan {
	var out Plan
	for _, in := range wanted {
		if !in.Ask.IsZero() {
			if _, ok := l.Offered(in.Tool); ok || in.Tool == "" {
				out.Asks = append(out.Asks, speech.Said{As: speech.Told, Says: append([]speech.Message{in.Ask}, in.Behind...)})
				if call, ok := l.Call(in); ok && in.Offer {
					label := in.Label
					if label.IsZero() {
						label = speech.New("label.word", speech.Args{"on": speech.Kind("yes")})
					}
					out.offer(label, call)
					if no, ok := l.Call(tools.Intent{Tool: in.Tool, Params: map[string]any{"declined": true}}); ok {
						out.offer(speech.New("label.word", speech.Args{"on": speech.Kind("no")}), no)
					}
				}
				for _, one := range in.Among {
					if call, ok := l.Call(one); ok {
						out.offer(one.Label, call)
					}
				}
			} else {
				out.Known = true
			}
			continue
		}
		call, ok := l.Call(in)
		if !ok {
			out.Known = true
			continue
		}
		if change, changes := l.change(in, wanted); changes {
			call, ok = l.Call(change)
			if !ok {
				out.Late = true
				continue
			}
		}
		if l.isDone(call) || slices.ContainsFunc(out.Calls, func(c domain.ToolCall) bool { return c.Tool == call.Tool && SameParams(c.Params, call.Params) }) {
			continue
		}
		if len(l.P.Done)+len(out.Calls) >= tools.MaxCalls {
			out.Late = true
			continue
		}
		call.ID = fmt.Sprintf("call-%d", len(l.P.Done)+len(out.Calls)+1)
		out.Calls = append(out.Calls, call)
	}
	return out
}

// isDone reports whether a call was made already, whatever came of it.
func (l Talk) isDone(call domain.ToolCall) bool {
	for _, d := range l.P.Done {
		if d.Call.Tool == call.Tool && SameParams(d.Call.Params, call.Params) {
			return true
		}
	}
	return false
}

// SameParams reports whether two calls say the same, in whatever order.
func SameParams(a, b json.RawMessage) bool {
	return reflect.DeepEqual(ReadParams(a), ReadParams(b))
}

// ReadParams reads an object with its numbers as they are written.
func ReadParams(raw json.RawMessage) map[string]any {
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
func (l Talk) change(in tools.Intent, wanted []tools.Intent) (change tools.Intent, changes bool) {
	o, _ := l.Offered(in.Tool)
	if len(l.P.Steers) == 0 || !o.SideEffects {
		return tools.Intent{}, false
	}
	call, ok := l.Call(in)
	if !ok || l.isDone(call) {
		return tools.Intent{}, false
	}
	for _, d := range l.P.Done {
		if d.Call.Tool != in.Tool || d.Outcome != tools.Completed || d.Error != "" || l.isWanted(d, wanted) {
			continue
		}
		var made struct {
			ReminderID string `json:"reminder_id"`
			TaskID     string `json:"task_id"`
		}
		before := ReadParams(d.Call.Params)
		if json.Unmarshal(d.Data, &made) != nil || in.Subject == "" || in.Moment == "" || before[in.Subject] != in.Params[in.Subject] {
			return tools.Intent{}, true
		}
		switch at := in.Params[in.Moment]; {
		case in.Tool == tools.SkillRemind && made.ReminderID != "" && at != nil:
			return tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "move", "which": made.ReminderID, "when": at}}, true
		case in.Tool == tools.SkillTask && made.TaskID != "" && at != nil:
			return tools.Intent{Tool: tools.SkillTask, Params: map[string]any{"action": "move", "which": made.TaskID, "deadline": at}}, true
		}
		return tools.Intent{}, true
	}
	return tools.Intent{}, false
}

// isWanted reports whether a call that was made is still what is wanted.
func (l Talk) isWanted(d language.Done, wanted []tools.Intent) bool {
	for _, in := range wanted {
		if call, ok := l.Call(in); ok && in.Ask.IsZero() && call.Tool == d.Call.Tool && SameParams(call.Params, d.Call.Params) {
			return true
		}
	}
	return false
}
