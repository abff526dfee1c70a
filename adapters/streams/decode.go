package streams

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"chalie/domain"

	"github.com/tidwall/gjson"
)

// errIgnored says that a message is none of ours.
var errIgnored = errors.New("a message of another type")

// wrapping is how many objects stand around a message's free value, its metadata.
const wrapping = 1

// decodeMessage reads a signal's fields by type; what they must hold is for
// domain to say. It returns errIgnored for a message of another type, and a
// validation error for anything else that isn't a signal. Nothing of text is
// kept.
func decodeMessage(text []byte) (domain.SignalReceived, error) {
	const op = "read message"
	whole := string(text) // its strings are parts of it
	switch {
	case !utf8.ValidString(whole):
		return domain.SignalReceived{}, domain.Invalid(op, "", "the message is not UTF-8")
	case domain.Nesting(text) > domain.MaxNesting+wrapping: // before anything that goes down into it
		return domain.SignalReceived{}, domain.CheckNesting(op, "", text, wrapping)
	case !gjson.Valid(whole):
		return domain.SignalReceived{}, domain.Invalid(op, "", "the message is not JSON")
	}
	object := gjson.Parse(whole)
	if !object.IsObject() {
		return domain.SignalReceived{}, domain.Invalid(op, "", "the message is no JSON object")
	}
	var f fields
	object.ForEach(func(name, value gjson.Result) bool {
		f.set(name.Str, value)
		return true
	})
	switch kind, err := textOf(f.kind, "type"); {
	case err != nil:
		return domain.SignalReceived{}, err
	case kind == "":
		return domain.SignalReceived{}, domain.Invalid(op, "type", `type is required: it is "signal" for a signal`)
	case kind != "signal":
		return domain.SignalReceived{}, errIgnored
	}
	return f.signal()
}

// fields are a message's members; of two with one name the later counts.
type fields struct {
	kind, signalType, content, source, topic, energy, metadata gjson.Result
}

func (f *fields) set(name string, value gjson.Result) {
	switch name {
	case "type":
		f.kind = value
	case "signal_type":
		f.signalType = value
	case "content":
		f.content = value
	case "source":
		f.source = value
	case "topic":
		f.topic = value
	case "activation_energy":
		f.energy = value
	case "metadata":
		f.metadata = value
	}
}

func (f *fields) signal() (sig domain.SignalReceived, err error) {
	if sig.SignalType, err = textOf(f.signalType, "signal_type"); err != nil {
		return sig, err
	}
	if sig.Content, err = textOf(f.content, "content"); err != nil {
		return sig, err
	}
	if sig.Source, err = textOf(f.source, "source"); err != nil {
		return sig, err
	}
	if f.topic.Type != gjson.Null {
		topic, err := textOf(f.topic, "topic")
		if err != nil {
			return sig, err
		}
		sig.Topic = &topic
	}
	switch f.energy.Type {
	case gjson.Null:
		sig.ActivationEnergy = domain.DefaultActivationEnergy
	case gjson.Number:
		sig.ActivationEnergy = f.energy.Num
	default:
		return sig, wrongType("activation_energy", "a number")
	}
	switch {
	case f.metadata.Type == gjson.Null:
	case f.metadata.IsObject():
		sig.Metadata = json.RawMessage(f.metadata.Raw)
	default:
		return sig, wrongType("metadata", "an object")
	}
	return sig, nil
}

// textOf is a member that is a string, null or not there.
func textOf(v gjson.Result, name string) (string, error) {
	switch v.Type {
	case gjson.String:
		if !strings.Contains(v.Raw, `\u`) {
			return v.Str, nil
		}
		// Half a surrogate pair would take what follows it with it.
		var text string
		if err := json.Unmarshal([]byte(v.Raw), &text); err != nil {
			return "", wrongType(name, "a string")
		}
		return text, nil
	case gjson.Null:
		return "", nil
	}
	return "", wrongType(name, "a string")
}

func wrongType(name, want string) error {
	return domain.Invalid("read message", name, fmt.Sprintf("%s is not %s", name, want))
}
