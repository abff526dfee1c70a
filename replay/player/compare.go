package player

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"chalie/domain"
	"chalie/replay/baseline"
	"chalie/replay/narrate"
)

// difference is a difference of two envelopes.
type difference struct {
	field              string
	recorded, replayed json.RawMessage
}

// compare finds the fields that differ, the most significant first: the type, the payload, and
// then the references. Of a list it finds the first entry, or the first with that field. The id
// and the time are not compared, and of a part of a log neither are positions in the whole.
func compare(recorded, replayed domain.Envelope, part bool) []difference {
	c := comparison{t: recorded.Type, part: part, own: ownWords(recorded), shift: int64(replayed.Timestamp - recorded.Timestamp)}
	if c.strings(fieldType, string(recorded.Type), string(replayed.Type)); len(c.found) > 0 {
		return c.found
	}
	c.payload(recorded, replayed)
	c.value("errors", parsed(recorded.Errors), parsed(replayed.Errors))
	for _, f := range []struct{ field, recorded, replayed string }{
		{"trace_id", recorded.Trace.String(), replayed.Trace.String()},
		{"parent_id", recorded.Parent.String(), replayed.Parent.String()},
		{"principal", string(recorded.Principal), string(replayed.Principal)},
		{"kind", string(recorded.Kind), string(replayed.Kind)},
		{"source", string(recorded.Source), string(replayed.Source)},
	} {
		c.strings(f.field, f.recorded, f.replayed)
	}
	c.value("keys", parsed(comparedKeys(recorded)), parsed(comparedKeys(replayed)))
	c.value("subjects", parsed(slices.Concat([]domain.Subject{}, recorded.Subjects)), parsed(slices.Concat([]domain.Subject{}, replayed.Subjects)))
	return c.found
}

// comparison is one comparison.
type comparison struct {
	t     domain.EventType
	own   bool  // the failure's text is Chalie's own
	part  bool  // of a log
	shift int64 // how much later the replayed one is, in milliseconds
	found []difference
}

// differs notes a difference, unless one of the same field in another entry of a list is. Each
// call of a tool counts by itself.
func (c *comparison) differs(field string, recorded, replayed json.RawMessage) {
	plain := narrate.WithoutIndexes(field)
	if strings.HasPrefix(plain, "payload.tool_calls") || !slices.ContainsFunc(c.found, func(d difference) bool { return narrate.WithoutIndexes(d.field) == plain }) {
		c.found = append(c.found, difference{field, recorded, replayed})
	}
}

// payload compares the payloads, both upcast to today's version of their type.
func (c *comparison) payload(recorded, replayed domain.Envelope) {
	then, err := domain.Lift(recorded)
	if err != nil {
		c.differs("payload", textValue(err.Error()), replayed.Payload.Bytes)
		return
	}
	c.value("payload", gjson.ParseBytes(then.Payload.Bytes), gjson.ParseBytes(replayed.Payload.Bytes))
}

// value compares two values. The order of an object's members doesn't matter.
func (c *comparison) value(path string, recorded, replayed gjson.Result) {
	switch {
	case c.passes(path, recorded, replayed):
	case recorded.IsObject() && replayed.IsObject():
		c.object(path, recorded, replayed)
	case recorded.IsArray() && replayed.IsArray():
		c.list(path, recorded.Array(), replayed.Array())
	case recorded.Type == gjson.String && replayed.Type == gjson.String && recorded.Str == replayed.Str:
	case recorded.Type == replayed.Type && recorded.Type != gjson.String && recorded.Type != gjson.JSON && recorded.Raw == replayed.Raw:
	default:
		c.differs(path, rawOf(recorded), rawOf(replayed))
	}
}

// object compares the members in the order in which they were recorded.
func (c *comparison) object(path string, recorded, replayed gjson.Result) {
	mine := replayed.Map()
	recorded.ForEach(func(name, value gjson.Result) bool {
		c.value(path+"."+name.Str, value, mine[name.Str])
		delete(mine, name.Str)
		return true
	})
	if len(mine) == 0 {
		return
	}
	replayed.ForEach(func(name, value gjson.Result) bool {
		if _, more := mine[name.Str]; more {
			c.value(path+"."+name.Str, gjson.Result{}, value)
		}
		return true
	})
}

func (c *comparison) list(path string, recorded, replayed []gjson.Result) {
	for i := range max(len(recorded), len(replayed)) {
		var a, b gjson.Result
		if i < len(recorded) {
			a = recorded[i]
		}
		if i < len(replayed) {
			b = replayed[i]
		}
		c.value(path+"["+strconv.Itoa(i)+"]", a, b)
	}
}

// passes reports whether a field isn't compared.
func (c *comparison) passes(path string, recorded, replayed gjson.Result) bool {
	if narrate.WhyUncompared(c.t, path) != "" {
		return true
	}
	if !recorded.Exists() && narrate.AddedLater(c.t, path) {
		return true // the older record has no value to compare
	}
	switch path {
	case "payload.read":
		return c.part
	case "payload.tools":
		return c.t == domain.ModelCalledType && offersMore(recorded.Array(), replayed.Array())
	case "payload.marks": // missing marks equal empty ones
		return noFlags(recorded) && noFlags(replayed)
	case "payload.expires_at": // relative to the record's time
		return c.t == domain.ApprovalProposedType && replayed.Int()-recorded.Int() == c.shift
	case "payload.detail", "errors[0].message":
		return (c.t == domain.ToolFailedType || c.t == domain.ToolOutcomeUnknownType) && !c.own
	}
	return false
}

// offersMore reports whether a model is offered what it was, and besides only skills that
// came later.
func offersMore(recorded, replayed []gjson.Result) bool {
	for _, tool := range replayed {
		switch {
		case len(recorded) > 0 && recorded[0].Str == tool.Str:
			recorded = recorded[1:]
		case !narrate.SkillAddedLater(tool.Str):
			return false
		}
	}
	return len(recorded) == 0
}

func noFlags(marks gjson.Result) bool {
	return len(marks.Get("flags").Array()) == 0
}

// ownWords reports whether a failed call's text is Chalie's own.
func ownWords(env domain.Envelope) bool {
	return slices.Contains(ownReasons, gjson.GetBytes(env.Payload.Bytes, "reason").Str)
}

func (c *comparison) strings(field, recorded, replayed string) {
	if recorded != replayed {
		c.differs(field, textValue(recorded), textValue(replayed))
	}
}

// comparedKeys are the keys without those of tokens, and without the one by which clients are
// told that tools are used: what was decided is in the payload. They are in their order.
func comparedKeys(env domain.Envelope) []domain.Key {
	out := []domain.Key{}
	for _, k := range env.Keys {
		if !strings.HasPrefix(string(k), proposalPrefix) && !domain.IsActsKey(k) {
			out = append(out, k)
		}
	}
	return out
}

func parsed[T any](list []T) gjson.Result {
	if list == nil {
		list = []T{}
	}
	text, _ := json.Marshal(list) // of what was JSON, or is text
	return gjson.ParseBytes(text)
}

func rawOf(r gjson.Result) json.RawMessage {
	if r.Raw == "" {
		return json.RawMessage("null")
	}
	return json.RawMessage(r.Raw)
}

func textValue(text string) json.RawMessage {
	out, _ := json.Marshal(text) // a text can always be written
	return out
}

// miss is a difference of a step: the envelope's index, and its field. The field "next" means
// that one of the two has more envelopes.
type miss struct {
	index int
	difference
	made domain.Envelope // of today; the zero value for none
}

const (
	fieldNext = baseline.FieldNext
	fieldType = baseline.FieldType
)

// nextOf is the difference of a step of which one side has an envelope, and the other none.
func nextOf(index int, recorded domain.EventType, replayed domain.Envelope) []miss {
	d := difference{field: fieldNext}
	if recorded != "" {
		d.recorded = textValue(string(recorded))
	}
	if replayed.Type != "" {
		d.replayed = textValue(string(replayed.Type))
	}
	return []miss{{index, d, replayed}}
}

// compareAll compares an appended batch with a recorded one, up to where the two have other
// envelopes. What a caller asked for is given.
func compareAll(batch []domain.Record, b domain.Batch, part bool) (found []miss) {
	for i := range max(len(batch), len(b.Entries)) {
		switch {
		case i == len(batch):
			return append(found, nextOf(i, "", b.Entries[i].Envelope)...)
		case i == len(b.Entries):
			return append(found, nextOf(i, batch[i].Envelope.Type, domain.Envelope{})...)
		case isAsked(batch[i].Envelope) && isAsked(b.Entries[i].Envelope):
			continue
		}
		for _, d := range compare(batch[i].Envelope, b.Entries[i].Envelope, part) {
			found = append(found, miss{i, d, b.Entries[i].Envelope})
			if d.field == fieldType {
				return found
			}
		}
	}
	return found
}

func receiptOf(batch []domain.Record) domain.Receipt {
	out := domain.Receipt{RecordedAt: batch[0].RecordedAt, Ahead: batch[0].Ahead}
	for _, rec := range batch {
		out.Positions = append(out.Positions, rec.Position)
	}
	return out
}
