package wsapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"chalie/adapters/api/reading"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
	"chalie/domain/guest"
)

// Talk takes in the person's messages. Its errors are shown to the client that sent the
// message.
type Talk interface {
	SayHeard(ctx context.Context, c commands.Caller, msg domain.MessageReceived, heard message.Heard) (domain.ID, error)
	Act(ctx context.Context, c commands.Caller, action domain.ActionReceived) (domain.ID, error)
	Steer(ctx context.Context, c commands.Caller, text string) (domain.ID, error)
	Cancel(ctx context.Context, c commands.Caller, exchange domain.ID) (domain.ID, error)
	Seen(ctx context.Context, c commands.Caller, exchanges []domain.ID) error
}

// Tokens finds the token of a proposal that waits for the person's approval.
type Tokens interface {
	Token(proposal domain.ID) string
}

// Programs says what programs are called, also one that was shut out; "" of anything else.
type Programs interface {
	NameOf(who domain.Principal) string
}

// Hosts says which addresses lead to this machine, so that no frame sends a browser
// there.
type Hosts interface {
	Rule() guest.Host
}

var (
	_ Talk  = (*message.Messages)(nil)
	_ Hosts = (*commands.Hosts)(nil)
)

// Chat is what people's own clients speak: all of the default conversation.
type Chat struct {
	Talk     Talk
	Tokens   Tokens
	Programs Programs
	Hosts    Hosts // nil: loopback alone is this machine
	Reader   domain.Reader
	// Epochs are those of the log, once it was started; nil: no frame has one.
	Epochs func() domain.Epochs
}

var _ Dialect = (*Chat)(nil)

// Frames are those of domain.Frames.
func (d *Chat) Frames(ctx context.Context, rec domain.Record) (map[domain.Seq][]byte, error) {
	frames, err := domain.Frames(rec, func(id domain.ID) (domain.Envelope, error) {
		found, err := d.Reader.Find(ctx, id)
		return found.Envelope, err
	})
	if err != nil {
		return nil, err
	}
	var rule guest.Host
	if d.Hosts != nil {
		rule = d.Hosts.Rule()
	}
	out := make(map[domain.Seq][]byte, len(frames))
	for _, f := range frames {
		text, err := encode(rule.Frame(f), d.Tokens, d.Programs)
		if err != nil {
			return nil, err
		}
		out[f.Seq] = d.marked(text)
	}
	return out, nil
}

// Unreadable is an error frame.
func (d *Chat) Unreadable(seq domain.Seq, message string) []byte {
	return d.marked(encodeError(seq, message, true))
}

// Opening is none: a client resumes by a message.
func (d *Chat) Opening(*http.Request) (domain.Seq, bool, error) { return 0, false, nil }

// Refusal is an error frame.
func (d *Chat) Refusal(seq domain.Seq, message string, ends bool) []byte {
	return d.marked(encodeError(seq, message, !ends))
}

// Gap is a gap frame.
func (d *Chat) Gap(from, to domain.Seq) []byte { return d.marked(encodeGap(from, to, "")) }

// marked is a frame with the epoch in which it is sent: a client that resumes says it.
func (d *Chat) marked(frame []byte) []byte {
	if d.Epochs == nil {
		return frame
	}
	return inEpoch(frame, d.Epochs().Current())
}

// inEpoch adds the epoch as the last member.
func inEpoch(frame []byte, epoch domain.ID) []byte {
	if epoch.IsZero() {
		return frame
	}
	return fmt.Appendf(frame[:len(frame)-1:len(frame)-1], `,"epoch":%q}`, epoch.String())
}

// Ping is a ping in JSON.
func (d *Chat) Ping() []byte { return []byte(pingJSON) }

// Handle carries out a message.
func (d *Chat) Handle(ctx context.Context, c *Client, text []byte) error {
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
		_, err = d.Talk.SayHeard(ctx, c.Caller(), said, heard)
		return err
	case "action":
		action, err := readAction(msg)
		if err != nil {
			return err
		}
		_, err = d.Talk.Act(ctx, c.Caller(), action)
		return err
	case "act_steer":
		var steer struct {
			Text string `json:"text"`
		}
		if err := msg.Into("", &steer); err != nil {
			return err
		}
		_, err = d.Talk.Steer(ctx, c.Caller(), steer.Text)
		return err
	case "cancel":
		exchange, err := readCancel(msg)
		if err != nil {
			return err
		}
		_, err = d.Talk.Cancel(ctx, c.Caller(), exchange)
		return err
	case "seen":
		seen, err := readSeen(msg)
		if err != nil {
			return err
		}
		return d.Talk.Seen(ctx, c.Caller(), seen)
	case "resume":
		return readResume(c, msg)
	case "pong":
		return nil // its arrival was counted as a sign of life
	case "":
		return bad("type", "the message has no type: send chat, action, act_steer, cancel, seen, resume or pong")
	}
	return bad("type", fmt.Sprintf("%.40q is no type of message: send chat, action, act_steer, cancel, seen, resume or pong", of.Type))
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

func readSeen(msg reading.Value) (seen []domain.ID, err error) {
	var in struct {
		ExchangeIDs []string `json:"exchange_ids" most:"100"`
	}
	if err := msg.Into("", &in); err != nil {
		return nil, err
	}
	if len(in.ExchangeIDs) == 0 {
		return nil, bad("exchange_ids", "exchange_ids is required: name the exchanges that the person has before them")
	}
	for _, text := range in.ExchangeIDs {
		id, err := domain.ParseID(text)
		if err != nil {
			return nil, err
		}
		seen = append(seen, id)
	}
	return seen, nil
}

func readAction(msg reading.Value) (domain.ActionReceived, error) {
	var in struct {
		Payload json.RawMessage `json:"payload"`
		Label   string          `json:"label"`
		Zone    string          `json:"timezone"`
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
	return domain.ActionReceived{Skill: named.Skill, Payload: in.Payload, Label: in.Label, Zone: in.Zone}, nil
}

func readResume(c *Client, msg reading.Value) error {
	var in struct {
		LastSeq json.RawMessage `json:"last_seq"`
		Epoch   json.RawMessage `json:"epoch"` // none of a client that doesn't know of epochs
	}
	if err := msg.Into("", &in); err != nil {
		return err
	}
	var last *domain.Seq
	if json.Unmarshal(in.LastSeq, &last) != nil || last == nil {
		return bad("last_seq", "last_seq must be a whole number, 0 or more: send the seq of the last frame you have")
	}
	var seen domain.ID
	if len(in.Epoch) > 0 && json.Unmarshal(in.Epoch, &seen) != nil {
		return bad("epoch", "epoch must be that of the last frame you have, or be left out")
	}
	return c.ResumeIn(seen, "last_seq", *last, func(from, to domain.Seq, into domain.Epoch, now domain.ID) []byte {
		return inEpoch(encodeGap(from, to, into.Reason), now)
	})
}
