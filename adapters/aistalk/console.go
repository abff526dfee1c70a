package aistalk

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"

	"chalie/domain"
)

// Console is what consoles speak: they are sent the events of all conversations, and may say
// that they are there, and which event they had last.
//
//	{"type":"ping"}               answered with {"type":"pong","ts":"…"}
//	{"type":"ping","id":123}      the same, and what came after the event 123
//	{"type":"resume","id":123}    what came after it
//
// The address may name it, too: /ws/events?id=123.
type Console struct {
	Reader domain.Reader
	Clock  domain.Clock
	Models []string // that answer, in the order in which they are asked
	// Epochs are those of the log, once it was started; nil: no event has one.
	Epochs func() domain.Epochs

	latency atomic.Int64 // of the latest answer that was told of
}

// Latency is how long the latest answer took, in milliseconds; 0 before the first.
func (d *Console) Latency() int64 { return d.latency.Load() }

// Client is the one that said something.
type Client interface {
	// ResumeIn lets it get the events after one that it was sent in an epoch, a zero one it
	// doesn't know. Where another has begun since it gets what gap makes, and then what is new.
	// The error is validation.
	ResumeIn(seen domain.ID, field string, last domain.Seq, gap func(from, to domain.Seq, into domain.Epoch, now domain.ID) []byte) error
	// Send sends it a text.
	Send(text []byte)
}

// Frames are the events of a record.
func (d *Console) Frames(ctx context.Context, rec domain.Record) (map[domain.Seq][]byte, error) {
	events, err := domain.ConsoleEvents(ctx, rec, d.Reader)
	if err != nil {
		return nil, err
	}
	out := make(map[domain.Seq][]byte, len(events))
	for _, e := range events {
		if e.Type == domain.ConsoleReply && !e.Unasked {
			d.latency.Store(e.LatencyMS)
		}
		out[e.Seq] = d.marked(Encode(e, firstOf(d.Models)))
	}
	return out, nil
}

// marked is an event with the epoch in which it is sent: a console that resumes says it.
func (d *Console) marked(text []byte) []byte {
	if d.Epochs == nil {
		return text
	}
	return inEpoch(text, d.Epochs().Current())
}

// inEpoch adds the epoch as the last member.
func inEpoch(text []byte, epoch domain.ID) []byte {
	if epoch.IsZero() {
		return text
	}
	return fmt.Appendf(text[:len(text)-1:len(text)-1], `,"epoch":%q}`, epoch.String())
}

func firstOf(models []string) string {
	if len(models) == 0 {
		return ""
	}
	return models[0]
}

// Unreadable is an error event with the number of the one that it stands for.
func (d *Console) Unreadable(seq domain.Seq, message string) []byte {
	return d.marked(Encode(domain.ConsoleEvent{Seq: seq, Type: domain.ConsoleError, At: domain.MillisOf(d.Clock.Now()), Where: domain.AtMemory, Text: message, Code: domain.CodeCorrupt}, ""))
}

// Refusal is an error event for one client. It has no id: nothing is missed behind it.
func (d *Console) Refusal(_ domain.Seq, message string, ends bool) []byte {
	out := errorData{Where: domain.AtCore, Message: message, Code: "refused"}
	if ends {
		out.Code = domain.CodeUnauthenticated
	}
	return live(string(domain.ConsoleError), d.Clock.Now(), out)
}

// Gap says which events are gone: its id is the last of them.
func (d *Console) Gap(from, to domain.Seq) []byte { return d.marked(d.gap(from, to, "")) }

func (d *Console) gap(from, to domain.Seq, why domain.EpochReason) []byte {
	return marshal(event{V: 1, Type: typeGap, TS: TimeOf(d.Clock.Now()), ProjectID: domain.DefaultConversation,
		SessionID: domain.DefaultConversation, UserID: domain.ConsoleUser, Data: gapData{from, to, why}, ID: to})
}

// Ping is none: here it is the client that pings.
func (d *Console) Ping() []byte { return nil }

// Opening is the query's id.
func (d *Console) Opening(r *http.Request) (domain.Seq, bool, error) {
	text := r.URL.Query().Get("id")
	if text == "" {
		return 0, false, nil
	}
	id, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, false, badID()
	}
	return domain.Seq(id), true, nil
}

// pong is the answer to a ping.
type pong struct {
	Type string `json:"type"`
	TS   string `json:"ts"`
}

// Handle answers a ping, and resumes.
func (d *Console) Handle(_ context.Context, c Client, text []byte) error {
	var in struct {
		Type  string          `json:"type"`
		ID    json.RawMessage `json:"id"`
		Epoch json.RawMessage `json:"epoch"`
	}
	if err := json.Unmarshal(domain.WithoutMark(text), &in); err != nil {
		return domain.Invalid("read message", "", `the message is no JSON object with a type: send {"type":"ping"}, or {"type":"resume","id":123}`)
	}
	if in.Type != "ping" && in.Type != "resume" {
		return domain.Invalid("read message", "type", fmt.Sprintf("%.40q is no type of message here: send ping or resume", in.Type))
	}
	if given := string(in.ID); given != "" && given != "null" || in.Type == "resume" {
		var last domain.Seq
		if json.Unmarshal(in.ID, &last) != nil {
			return badID()
		}
		var seen domain.ID
		if len(in.Epoch) > 0 && json.Unmarshal(in.Epoch, &seen) != nil {
			return domain.Invalid("read message", "epoch", "epoch must be that of the last event you had, or be left out")
		}
		err := c.ResumeIn(seen, "id", last, func(from, to domain.Seq, into domain.Epoch, now domain.ID) []byte {
			return inEpoch(d.gap(from, to, into.Reason), now)
		})
		if err != nil {
			return err
		}
	}
	if in.Type == "ping" {
		c.Send(marshal(pong{typePong, TimeOf(d.Clock.Now())}))
	}
	return nil
}

func badID() error {
	return domain.Invalid("read message", "id", "id must be a whole number, 0 or more: send the id of the last event you had")
}
