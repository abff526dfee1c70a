package wsapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chalie/domain"
)

// actWithin bounds how long one thing said may take to be recorded.
const actWithin = 30 * time.Second

// handle acts on one message. Messages of one client are handled one after
// another, as they came.
func (c *client) handle(text []byte) {
	if !c.alive() {
		c.withBurst(c.expire)
		return
	}
	if isPong(text) {
		c.withBurst(c.open)
		return
	}
	ctx, stop := context.WithTimeout(c.hub.talking, actWithin)
	defer stop()
	err := c.act(ctx, text)
	c.withBurst(c.open)
	if err != nil {
		c.note(c.told(ctx, err))
	}
}

// pong is how clients answer a ping, but for spaces.
const pong = `{"type":"pong"}`

// isPong recognises what is nearly all that most clients ever say, without a JSON
// decoder: one on the stack of every reading goroutine would double what ten
// thousand silent clients take.
func isPong(text []byte) bool {
	at, quoted := 0, false
	for _, b := range text {
		if b == '"' {
			quoted = !quoted
		}
		switch {
		case !quoted && (b == ' ' || b == '\t' || b == '\r' || b == '\n'):
		case at < len(pong) && b == pong[at]:
			at++
		default:
			return false
		}
	}
	return at == len(pong)
}

// act does what a message asks for. An error is for the client to read.
func (c *client) act(ctx context.Context, text []byte) error {
	msg, err := readFields(text)
	if err != nil {
		return err
	}
	kind, err := msg.text("type")
	if err != nil {
		return err
	}
	switch kind {
	case "chat":
		said, err := readChat(msg)
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Say(ctx, c.who, said)
		return err
	case "action":
		action, err := readAction(msg)
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Act(ctx, c.who, action)
		return err
	case "act_steer":
		text, err := msg.text("text")
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Steer(ctx, c.who, text)
		return err
	case "cancel":
		exchange, err := msg.id("exchange_id")
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Cancel(ctx, c.who, exchange)
		return err
	case "resume":
		return c.readResume(msg)
	case "pong":
		return nil // having come is all it says
	case "":
		return bad("type", "the message has no type: send chat, action, act_steer, cancel, resume or pong")
	}
	return bad("type", fmt.Sprintf("%.40q is no type of message: send chat, action, act_steer, cancel, resume or pong", kind))
}

func readChat(msg fields) (domain.MessageReceived, error) {
	text, err := msg.text("text")
	if err != nil {
		return domain.MessageReceived{}, err
	}
	source, err := msg.text("source")
	if err != nil {
		return domain.MessageReceived{}, err
	}
	switch source {
	case "":
		source = domain.SaidInText
	case domain.SaidInText, domain.SaidByVoice:
	default:
		return domain.MessageReceived{}, bad("source", fmt.Sprintf("source is %.40q: send text or voice", source))
	}
	metadata, err := readCorrelation(msg)
	if err != nil {
		return domain.MessageReceived{}, err
	}
	images, err := msg.ids("image_ids")
	return domain.MessageReceived{Text: text, Source: source, Metadata: metadata, ImageIDs: images}, err
}

// readCorrelation is which proposal a message replies or reacts to; nil for none.
func readCorrelation(msg fields) ([]byte, error) {
	for _, by := range []domain.Correlator{domain.ByApprovalToken, domain.ByReply, domain.ByReaction} {
		token, err := msg.text(string(by))
		if err != nil {
			return nil, err
		}
		if token != "" {
			return json.Marshal(map[domain.Correlator]string{by: token})
		}
	}
	return nil, nil
}

func readAction(msg fields) (domain.ActionReceived, error) {
	payload := msg["payload"]
	inner, err := readFields(payload)
	if err != nil {
		return domain.ActionReceived{}, bad("payload", "payload must be an object with the name of a skill in its field skill")
	}
	skill, err := inner.text("skill")
	if err != nil {
		return domain.ActionReceived{}, bad("payload", "the field skill of payload must be a text")
	}
	label, err := msg.text("label")
	return domain.ActionReceived{Skill: skill, Payload: payload, Label: label}, err
}

func (c *client) readResume(msg fields) error {
	var last *domain.Seq
	if json.Unmarshal(msg["last_seq"], &last) != nil || last == nil {
		return bad("last_seq", "last_seq must be a whole number, 0 or more: send the seq of the last frame you have")
	}
	if end := domain.EndOf(c.hub.cfg.Tail.Tail()); *last > end {
		return bad("last_seq", fmt.Sprintf("last_seq is %d, and the latest number is %d: forget what you have, and resume with a lower one", *last, end))
	}
	c.resume(*last)
	return nil
}

// told is what a client may read of an error: never its cause.
func (c *client) told(ctx context.Context, err error) string {
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e.Category == domain.Dependency {
		c.hub.cfg.Logger.ErrorContext(ctx, "a message could not be handled", slog.Any("error", err))
	}
	switch {
	case ok && e.Message != "":
		return e.Message
	case ctx.Err() != nil:
		return "Chalie is too busy or stopping: try again in a moment"
	}
	return "something went wrong inside Chalie: its log says what"
}

func bad(field, message string) error { return domain.Invalid("read message", field, message) }
