package streams

import (
	"errors"

	"chalie/adapters/api"
	"chalie/adapters/api/reading"
	"chalie/domain"
)

// errIgnored says that a message is none of ours.
var errIgnored = errors.New("a message of another type")

// wrapping is how many objects stand around a message's free value, its metadata.
const wrapping = 1

// decodeMessage reads a message as a signal; what that must hold is for domain to say. It
// returns errIgnored for a message of another type, whatever else is in it, and a
// validation error for anything that is neither. Nothing of text is kept.
func decodeMessage(text []byte) (domain.SignalReceived, error) {
	whole, err := reading.Parse(text, "the message", wrapping)
	if err != nil {
		return domain.SignalReceived{}, err
	}
	var message struct {
		Type string `json:"type"`
		api.Signal
	}
	err = whole.Into("", &message)
	switch {
	case message.Type != "" && message.Type != "signal":
		return domain.SignalReceived{}, errIgnored
	case err != nil:
		return domain.SignalReceived{}, err
	case message.Type == "":
		return domain.SignalReceived{}, domain.Invalid("read message", "type", `type is required: it is "signal" for a signal`)
	}
	return reading.Heard(message.Signal), nil
}
