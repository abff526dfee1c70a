package wsapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// actWithin bounds how long recording one message may take.
const actWithin = 30 * time.Second

// Client is a client as a Dialect sees it.
type Client struct{ c *client }

// Caller is who opened the socket.
func (c *Client) Caller() commands.Caller { return c.c.who }

// Resume lets the client get the frames after a number. The error is validation, when it isn't
// one yet; field is what the client calls it.
func (c *Client) Resume(field string, last domain.Seq) error {
	if tail := c.c.hub.cfg.Tail.Tail(); last > domain.EndOf(tail) {
		return notYet(field, last, tail)
	}
	c.c.resume(last)
	return nil
}

// ResumeIn is Resume for a client that says in which epoch it was sent that number; a zero
// one it doesn't know. Where another epoch has begun since, what it has may not be what the log
// has: it is sent what gap makes, first of all, and then what comes from here on, like a new
// client.
func (c *Client) ResumeIn(seen domain.ID, field string, last domain.Seq, gap func(from, to domain.Seq, into domain.Epoch, now domain.ID) []byte) error {
	epochs := c.c.hub.epochs()
	into, crossed := epochs.Crossed(seen)
	if seen.IsZero() || !crossed {
		return c.Resume(field, last)
	}
	to := domain.EndOf(c.c.hub.cfg.Tail.Tail())
	c.c.resume(to)
	from := min(last+1, domain.SeqOf(into.From, 0))
	c.c.mu.Lock()
	c.c.crossing = gap(from, to, into, epochs.Current())
	c.c.mu.Unlock()
	return nil
}

// Send sends the client a text of its own, in the order in which texts are sent, behind the
// frames that are due. It waits while the client takes nothing.
func (c *Client) Send(text []byte) { c.c.queueNote(note{text: text}) }

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
	err := c.hub.cfg.Speaks.Handle(ctx, &Client{c}, text)
	c.withBurst(c.open)
	if err != nil {
		c.queueNote(note{refusal: c.publicMessage(ctx, err)})
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

// notYet refuses a number that nothing has yet.
func notYet(field string, last domain.Seq, tail domain.Position) error {
	return bad(field, fmt.Sprintf("%s is %d, and the latest number is %d: forget what you have, and resume with a lower one", field, last, domain.EndOf(tail)))
}

func bad(field, message string) error { return domain.Invalid("read message", field, message) }
