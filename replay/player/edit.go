package player

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// Edit changes the value of one field of an input.
type Edit struct {
	ID domain.ID `json:"id"`
	// Field is one of the payload by its stored name, with a point before a member of it
	// and an index in brackets: content, metadata.severity, image_ids[0]. Or it is
	// recorded_at, to move the input in time.
	Field string `json:"field"`
	Value string `json:"value" doc:"A text as it is, anything else as JSON; a time in RFC 3339."`
}

// ParseEdit reads field=value.
func ParseEdit(id domain.ID, text string) (Edit, error) {
	field, value, found := strings.Cut(text, "=")
	if field = strings.TrimSpace(field); !found || field == "" {
		return Edit{}, domain.Invalid("edit", "edit", fmt.Sprintf("%q is no edit: write field=value, such as activation_energy=0.9", text))
	}
	return Edit{ID: id, Field: field, Value: value}, nil
}

// AtField is the field outside the payload: the time.
const AtField = "recorded_at"

// edited is an input before and after its edits.
type edited struct{ rec, was domain.Record }

func (e *edited) moves() bool { return e.rec.RecordedAt != e.was.RecordedAt }

// order sorts the moved inputs by their new times.
func (p *planned) order() {
	for _, one := range p.edited {
		if one.moves() {
			p.moved = append(p.moved, one)
		}
	}
	domain.SortFunc(p.moved, func(a, b edited) int {
		return cmp.Or(cmp.Compare(a.rec.RecordedAt, b.rec.RecordedAt), cmp.Compare(a.rec.Position, b.rec.Position))
	})
}

// apply makes one edit. Errors: validation, which names the fields there are, or what
// is wrong with the value; CodeErased.
func (e *edited) apply(edit Edit) error {
	if edit.Field == AtField {
		return e.move(edit)
	}
	env := &e.rec.Envelope
	text, err := env.Payload.JSON()
	if err != nil {
		return err
	}
	path, err := steps(edit.Field)
	if err != nil {
		return err
	}
	known, ok := domain.Events().Lookup(env.Type)
	i := slices.IndexFunc(known.Fields, func(f domain.Field) bool { return len(path) > 0 && f.Name == path[0].name })
	if !ok || i < 0 {
		return domain.Invalid("edit", edit.Field, fmt.Sprintf("a %s has no field %q: it has %s, and %s", env.Type, edit.Field, strings.Join(fieldNames(known.Fields), ", "), AtField))
	}
	if env.Version != known.Version {
		return domain.Invalid("edit", edit.Field, fmt.Sprintf("%s is stored in version %d of %s, and only version %d can be edited: edit another", edit.ID, env.Version, env.Type, known.Version))
	}
	var wrong error // error of the likeliest reading
	for _, value := range readings(known.Fields[i].Type, len(path) > 1, edit.Value) {
		changed, err := put(text, path, value)
		if err != nil {
			return domain.Invalid("edit", edit.Field, err.Error())
		}
		trial := *env
		trial.Payload.Bytes = changed
		failed := domain.Events().CheckPayload(trial)
		if failed == nil {
			*env = trial
			return nil
		}
		if wrong == nil {
			wrong = failed
		}
	}
	if domain.CodeOf(wrong) == domain.CodeUndecodable {
		return domain.Invalid("edit", edit.Field, fmt.Sprintf("%s of a %s can't be %q: it is stored as %s", edit.Field, env.Type, edit.Value, known.Fields[i]))
	}
	return domain.Invalid("edit", edit.Field, fmt.Sprintf("%s of a %s can't be %q: %s", edit.Field, env.Type, edit.Value, inWords(wrong)))
}

// move changes an input's time, and shifts its sender's timestamp with it.
func (e *edited) move(edit Edit) error {
	at, err := time.Parse(time.RFC3339Nano, strings.TrimSpace(edit.Value))
	if err != nil {
		return domain.Invalid("edit", AtField, fmt.Sprintf("%q is no time: write it as %s", edit.Value, e.was.RecordedAt.Time().Format(time.RFC3339)))
	}
	e.rec.RecordedAt, e.rec.Ahead = domain.MillisOf(at), 0
	e.rec.Envelope.Timestamp = e.was.Envelope.Timestamp + e.rec.RecordedAt - e.was.RecordedAt
	return nil
}

func fieldNames(fields []domain.Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

func inWords(err error) string {
	if e, ok := errors.AsType[*domain.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// readings are the JSON values that a text may mean, the likeliest first.
func readings(kind string, inside bool, text string) []json.RawMessage {
	quoted, _ := json.Marshal(text)
	if !json.Valid([]byte(text)) {
		return []json.RawMessage{quoted}
	}
	if !inside && (kind == "string" || kind == "id" || kind == "string or null" && text != "null") {
		return []json.RawMessage{quoted}
	}
	return []json.RawMessage{json.RawMessage(text), quoted}
}

// step is a member of an object, or an element of a list.
type step struct {
	name  string
	index int
	list  bool
}

// steps reads a path, such as metadata.rooms[0].name.
func steps(path string) ([]step, error) {
	wrong := domain.Invalid("edit", path, fmt.Sprintf("%q is no field: write names with points between them and indexes in brackets, such as metadata.rooms[0]", path))
	var out []step
	for part := range strings.SplitSeq(path, ".") {
		name, rest, indexed := strings.Cut(part, "[")
		if name == "" {
			return nil, wrong
		}
		out = append(out, step{name: name})
		for indexed {
			number, more, closed := strings.Cut(rest, "]")
			n, err := strconv.Atoi(number)
			if !closed || err != nil || n < 0 || more != "" && more[0] != '[' {
				return nil, wrong
			}
			out = append(out, step{index: n, list: true})
			rest, indexed = strings.TrimPrefix(more, "["), more != ""
		}
	}
	return out, nil
}

// put is a JSON text with another value at a path. The rest of the text is unchanged.
func put(text json.RawMessage, path []step, value json.RawMessage) (json.RawMessage, error) {
	if len(path) == 0 {
		return value, nil
	}
	at := path[0]
	if at.list {
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil || at.index > len(list) {
			return nil, fmt.Errorf("there is no element %d: the list has %d", at.index, len(list))
		}
		if at.index == len(list) {
			list = append(list, json.RawMessage("null"))
		}
		inner, err := put(list[at.index], path[1:], value)
		if err != nil {
			return nil, err
		}
		list[at.index] = inner
		return json.Marshal(list)
	}
	members := map[string]json.RawMessage{}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("null")) {
		if err := json.Unmarshal(text, &members); err != nil {
			return nil, fmt.Errorf("there is no %s: what it would be in is no object", at.name)
		}
	}
	inner, err := put(members[at.name], path[1:], value)
	if err != nil {
		return nil, err
	}
	members[at.name] = inner
	return json.Marshal(members)
}
