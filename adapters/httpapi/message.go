package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
)

// submitMessage is POST /api/messages. The response confirms that the message was
// recorded; Chalie's answer to it goes to the person.
func (x *exchange) submitMessage() error {
	var in api.Message
	body, err := x.readObject("a message", &in)
	if err != nil {
		return err
	}
	msg := domain.MessageReceived{Text: in.Text, Source: in.Source, Topic: in.Topic, Metadata: in.Metadata, Zone: in.Timezone}
	if in.Conversation != nil && x.caller.Operator {
		msg.Conversation = domain.ConversationName(*in.Conversation)
		if err := x.checkConversation(msg.Conversation); err != nil {
			return err
		}
	}
	if msg.ImageIDs, err = imageIDs(in.ImageIDs); err != nil {
		return err
	}
	if !x.caller.Operator && len(msg.ImageIDs) == 0 {
		if err := inWords(msg); err != nil {
			return err
		}
	}
	heard, err := heardIn(in.Spoken)
	if err != nil {
		return err
	}
	return x.takeMessage(x.caller, msg, heard, "POST /api/messages", body, messageAnswer)
}

// takeMessage records a message, once if the request has an Idempotency-Key, and
// responds.
func (x *exchange) takeMessage(caller commands.Caller, msg domain.MessageReceived, heard message.Heard, route string, body []byte, answer func(domain.ID) commands.Answer) error {
	caller.Zone = x.r.Header.Get(api.TimezoneHeader)
	if req, once := x.request(route, body); once {
		a, err := x.api.cfg.Messages.SayHeardOnce(x.r.Context(), caller, msg, heard, req, answer)
		if err != nil {
			return err
		}
		return x.give(a)
	}
	id, err := x.api.cfg.Messages.SayHeard(x.r.Context(), caller, msg, heard)
	if err != nil {
		return err
	}
	return x.give(answer(id))
}

func messageAnswer(id domain.ID) commands.Answer {
	return commands.Answer{Status: http.StatusAccepted, Body: []byte(`{"ok":true,"message_id":"` + id.UUID() + "\"}\n")}
}

// submitAction is POST /api/actions: a button of the conversation is pressed.
func (x *exchange) submitAction() error {
	var in api.Press
	if _, err := x.readObject("an action", &in); err != nil {
		return err
	}
	var named struct {
		Skill string `json:"skill"`
	}
	if len(in.Payload) > 0 {
		if err := json.Unmarshal(in.Payload, &named); err != nil {
			return domain.Invalid("read action", "payload", "payload must be an object with the name of a skill in its field skill, a text")
		}
	}
	var exchange domain.ID
	if in.ExchangeID != "" {
		var err error
		if exchange, err = parseID("exchange_id", in.ExchangeID); err != nil {
			return err
		}
	}
	id, err := x.api.cfg.Messages.ActIn(x.r.Context(), x.caller, domain.ActionReceived{Skill: named.Skill, Payload: in.Payload, Label: in.Label, Zone: in.Timezone}, exchange)
	if err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, api.MessageTaken{OK: true, MessageID: api.UUID{ID: id}})
}

// inWords refuses a message without text from a caller that can't upload images: the
// command's error would advise to attach one.
func inWords(msg domain.MessageReceived) error {
	if strings.TrimSpace(msg.Text) == "" {
		return domain.Invalid("read message", "text", "text is required: say something")
	}
	return nil
}

// imageIDs are the ids of a message's images. The command checks that they were uploaded.
func imageIDs(texts []string) ([]domain.ID, error) {
	const field = "image_ids"
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

// latestExchange stands for the id of the latest exchange that is under way.
const latestExchange = "latest"

// cancelMessage is POST /api/messages/:id/cancel. It responds when the cancellation is
// recorded; the exchange ends at its next step.
func (x *exchange) cancelMessage() error {
	var id domain.ID
	if name := x.params.ByName("id"); name != latestExchange {
		var err error
		if id, err = parseID("id", name); err != nil {
			return err
		}
	}
	id, err := x.api.cfg.Messages.Cancel(x.r.Context(), x.caller, id)
	if err != nil {
		return err
	}
	return x.answer(http.StatusAccepted, api.Cancelled{OK: true, ExchangeID: api.UUID{ID: id}})
}
