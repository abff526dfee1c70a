package deed

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"chalie/domain/language/tongues"
)

// Answers reports whether a message answers a question for a call: it says yes, takes one of several, or
// gives one of the values.
func Answers(text string, params json.RawMessage) bool {
	if said, ok := tongues.AnswerIn(text); ok || tongues.BeginsWithNo(text) {
		return ok && !said.No()
	}
	values, err := Values(params)
	if err != nil {
		return false
	}
	said := tongues.PlainWords(strings.ToLower(text))
	for _, value := range values {
		if given, ok := value.(string); ok && slices.ContainsFunc(tongues.PlainWords(strings.ToLower(given)), func(w string) bool { return slices.Contains(said, w) }) {
			return true
		}
		if given, ok := value.(json.Number); ok && slices.Contains(said, given.String()) {
			return true
		}
	}
	return false
}

// MayAnswer reports whether a message can be the answer to what was asked for a call whose deed the person
// had named before: a time, which a model gives otherwise than it was said.
func MayAnswer(text string) bool {
	const most = 6
	said, ok := tongues.AnswerIn(text)
	saysNo := ok && said.No()
	return len(strings.Fields(text)) <= most && !strings.Contains(text, "?") && !tongues.BeginsWithNo(text) && !saysNo
}

// Values are the parameters of a call by their names, with numbers as they are written.
func Values(params json.RawMessage) (map[string]any, error) {
	out := map[string]any{}
	if len(params) == 0 {
		return out, nil
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.UseNumber()
	err := d.Decode(&out)
	return out, err
}
