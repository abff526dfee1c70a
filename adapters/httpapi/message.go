package httpapi

import (
	"fmt"
	"net/http"
	"strings"

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
	if msg.ImageIDs, err = decodeImageIDs(v); err != nil {
		return err
	}
	if !x.caller.Operator && len(msg.ImageIDs) == 0 {
		if err := inWords(msg); err != nil {
			return err
		}
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

// inWords refuses a message without text from who can't upload an image: they
// would be told to attach one.
func inWords(msg domain.MessageReceived) error {
	if strings.TrimSpace(msg.Text) == "" {
		return domain.Invalid("read message", "text", "text is required: say something")
	}
	return nil
}

// decodeMessage reads a message's fields by type, but for its images. What they
// must hold is for the command to say.
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

// decodeImageIDs reads which images come with a message. Whether they were
// uploaded is for the command to say.
func decodeImageIDs(v value) ([]domain.ID, error) {
	const field = "image_ids"
	var images value
	if err := v.fields("a message", map[string]*value{field: &images}); err != nil {
		return nil, err
	}
	texts, err := images.texts(field, domain.MaxImagesPerMessage)
	if err != nil {
		return nil, err
	}
	ids := make([]domain.ID, 0, len(texts))
	for i, text := range texts {
		id, err := domain.ParseID(text)
		if err != nil {
			return nil, domain.Invalid("read body", field, fmt.Sprintf(
				"%s[%d] is %q, which is no id: send the image_id that POST /chat/image answered", field, i, clip(text)))
		}
		ids = append(ids, id)
	}
	return ids, nil
}
