package httpapi

import (
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// submitMessage is POST /api/messages. What is answered is that the message was
// taken in; the answer to it goes to the person.
func (x *exchange) submitMessage() error {
	body, err := x.body()
	if err != nil {
		return err
	}
	v, err := parseJSON(body)
	if err != nil {
		return err
	}
	msg, err := decodeMessage(v)
	if err != nil {
		return err
	}
	return x.takeMessage(x.caller, msg, "POST /api/messages", body, messageAnswer)
}

// takeMessage records a message, once if the request says so, and answers.
func (x *exchange) takeMessage(caller commands.Caller, msg domain.MessageReceived, route string, body []byte, answer func(domain.ID) commands.Answer) error {
	if req, once := x.request(route, body); once {
		a, err := x.api.cfg.Messages.SayOnce(x.r.Context(), caller, msg, req, answer)
		if err != nil {
			return err
		}
		return x.give(a)
	}
	id, err := x.api.cfg.Messages.Say(x.r.Context(), caller, msg)
	if err != nil {
		return err
	}
	return x.give(answer(id))
}

func messageAnswer(id domain.ID) commands.Answer {
	return commands.Answer{Status: http.StatusAccepted, Body: []byte(`{"ok":true,"message_id":"` + id.UUID() + "\"}\n")}
}

// decodeMessage reads a message's fields by type. What they must hold is for the
// command to say.
func decodeMessage(v value) (domain.MessageReceived, error) {
	var msg domain.MessageReceived
	m, err := v.members("a message")
	if err != nil {
		return msg, err
	}
	var text, source, topic, metadata value
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		switch name {
		case "text":
			text = v
		case "source":
			source = v
		case "topic":
			topic = v
		case "metadata":
			metadata = v
		}
	}
	if msg.Text, err = text.text("text"); err != nil {
		return msg, err
	}
	if msg.Source, err = source.text("source"); err != nil {
		return msg, err
	}
	if topic.given() {
		hint, err := topic.text("topic")
		if err != nil {
			return msg, err
		}
		msg.Topic = &hint
	}
	msg.Metadata, err = metadata.object("metadata")
	return msg, err
}
