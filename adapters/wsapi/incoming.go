package wsapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chalie/adapters/api/reading"
	"chalie/commands/message"
	"chalie/domain"
)

// actWithin bounds how long recording one message may take.
const actWithin = 30 * time.Second

// handle acts on one message. A client's messages are handled in order.
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
		c.queueRefusal(c.publicMessage(ctx, err))
	}
}

// pong is a client's answer to a ping, without spaces.
const pong = `{"type":"pong"}`

// isPong recognises the message that idle clients send, without a JSON decoder: a decoder
// on the stack of every reading goroutine would double the memory of ten thousand idle
// clients.
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

// act carries out a message. The client gets the error.
func (c *client) act(ctx context.Context, text []byte) error {
	msg, err := reading.Parse(text, "the message", wrapping)
	if err != nil {
		return err
	}
	var of struct {
		Type string `json:"type"`
	}
	if err := msg.Into("", &of); err != nil {
		return err
	}
	switch of.Type {
	case "chat":
		said, heard, err := readChat(msg)
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.SayHeard(ctx, c.who, said, heard)
		return err
	case "action":
		action, err := readAction(msg)
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Act(ctx, c.who, action)
		return err
	case "act_steer":
		var steer struct {
			Text string `json:"text"`
		}
		if err := msg.Into("", &steer); err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Steer(ctx, c.who, steer.Text)
		return err
	case "cancel":
		exchange, err := readCancel(msg)
		if err != nil {
			return err
		}
		_, err = c.hub.cfg.Talk.Cancel(ctx, c.who, exchange)
		return err
	case "resume":
		return c.readResume(msg)
	case "pong":
		return nil // its arrival was counted as a sign of life
	case "":
		return bad("type", "the message has no type: send chat, action, act_steer, cancel, resume or pong")
	}
	return bad("type", fmt.Sprintf("%.40q is no type of message: send chat, action, act_steer, cancel, resume or pong", of.Type))
}

// wrapping is how many objects enclose a message's free value, the payload of an action.
const wrapping = 1

// chat is a message from the person.
type chat struct {
	Text          string   `json:"text"`
	Source        string   `json:"source"`
	SessionID     string   `json:"session_id"` // of what was spoken
	STTID         string   `json:"stt_id"`
	ApprovalToken string   `json:"approval_token"`
	ReplyTo       string   `json:"reply_to_proposal_token"`
	ReactionTo    string   `json:"reaction_to_proposal_token"`
	ImageIDs      []string `json:"image_ids" most:"3"`
	Timezone      string   `json:"timezone"`
}

func readChat(msg reading.Value) (said domain.MessageReceived, heard message.Heard, err error) {
	in := chat{Source: domain.SaidInText}
	if err := msg.Into("", &in); err != nil {
		return said, heard, err
	}
	switch in.Source {
	case domain.SaidInText, domain.SaidByVoice:
	case "":
		in.Source = domain.SaidInText
	default:
		return said, heard, bad("source", fmt.Sprintf("source is %.40q: send text or voice", in.Source))
	}
	said = domain.MessageReceived{Text: in.Text, Source: in.Source, Zone: in.Timezone, ImageIDs: make([]domain.ID, len(in.ImageIDs))}
	for i, text := range in.ImageIDs {
		if said.ImageIDs[i], err = domain.ParseID(text); err != nil {
			return said, heard, err
		}
	}
	heard.Session = in.SessionID
	if in.STTID != "" {
		if heard.STT, err = domain.ParseID(in.STTID); err != nil {
			return said, heard, err
		}
	}
	said.Metadata, err = in.correlation()
	return said, heard, err
}

// correlation is the proposal that a message answers; nil for none.
func (c chat) correlation() ([]byte, error) {
	for _, by := range []struct {
		name  domain.Correlator
		token string
	}{{domain.ByApprovalToken, c.ApprovalToken}, {domain.ByReply, c.ReplyTo}, {domain.ByReaction, c.ReactionTo}} {
		if by.token != "" {
			return json.Marshal(map[domain.Correlator]string{by.name: by.token})
		}
	}
	return nil, nil
}

func readCancel(msg reading.Value) (domain.ID, error) {
	var in struct {
		ExchangeID string `json:"exchange_id"`
	}
	if err := msg.Into("", &in); err != nil || in.ExchangeID == "" {
		return domain.ID{}, err
	}
	return domain.ParseID(in.ExchangeID)
}

func readAction(msg reading.Value) (domain.ActionReceived, error) {
	var in struct {
		Payload json.RawMessage `json:"payload"`
		Label   string          `json:"label"`
	}
	if err := msg.Into("", &in); err != nil {
		return domain.ActionReceived{}, err
	}
	var named struct {
		Skill string `json:"skill"`
	}
	payload, err := reading.Parse(in.Payload, "payload", 0)
	if err == nil {
		err = payload.Into("", &named)
	}
	if err != nil {
		return domain.ActionReceived{}, bad("payload", "payload must be an object with the name of a skill in its field skill, a text")
	}
	return domain.ActionReceived{Skill: named.Skill, Payload: in.Payload, Label: in.Label}, nil
}

func (c *client) readResume(msg reading.Value) error {
	var in struct {
		LastSeq json.RawMessage `json:"last_seq"`
	}
	if err := msg.Into("", &in); err != nil {
		return err
	}
	var last *domain.Seq
	if json.Unmarshal(in.LastSeq, &last) != nil || last == nil {
		return bad("last_seq", "last_seq must be a whole number, 0 or more: send the seq of the last frame you have")
	}
	if end := domain.EndOf(c.hub.cfg.Tail.Tail()); *last > end {
		return bad("last_seq", fmt.Sprintf("last_seq is %d, and the latest number is %d: forget what you have, and resume with a lower one", *last, end))
	}
	c.resume(*last)
	return nil
}

// publicMessage is the text of an error for the client, without its cause.
func (c *client) publicMessage(ctx context.Context, err error) string {
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
