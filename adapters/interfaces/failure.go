package interfaces

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"
)

// maxQuotedBytes is how much of what an interface said is in an error.
const maxQuotedBytes = 200

// where names the interface.
func (q question) where() string {
	return "the interface at " + net.JoinHostPort(clip(strings.Trim(q.at.Host, "[]")), strconv.Itoa(q.at.Port))
}

func (q question) fail(code domain.Code, did string, err error) *domain.Error {
	return &domain.Error{Op: q.op, Category: domain.Dependency, Code: code, Message: q.where() + " " + did, Err: err}
}

func (q question) unreachable(err error) error {
	did := "gives no connection: see that it runs and that host and port are right"
	if _, ok := errors.AsType[*net.DNSError](err); ok {
		did = "has a host name that can't be looked up: see that it is right"
	} else if isTimeout(err) {
		did = "gives no connection in time: see that it runs, and that no firewall is between"
	}
	e := q.fail(commands.CodePeerUnreachable, did, err)
	e.Retriable = true
	return e
}

// lost is for a call that left and wasn't answered. A question can be asked again;
// whether a tool may be, and whether it may have done something, is for whoever
// called it to judge and to say.
func (q question) lost(before string, err error) error {
	did := before + " the connection ended: see what it says about it"
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, commands.ErrCancelled):
		did = before + " the call was given up here"
	case isTimeout(err):
		did = fmt.Sprintf("%s took longer than %s: see what keeps it busy", before, q.within)
	}
	e := q.fail(commands.CodePeerUnknown, did, err)
	e.Retriable = q.method != http.MethodPost
	return e
}

func isTimeout(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout()
}

func (q question) tooLarge() error {
	return q.fail(commands.CodePeerTooLarge, fmt.Sprintf("answered with more than %d bytes to %s: have it send less", q.most, q.path), nil)
}

// refused is for an answer that is no success, with what it says of the reason.
func (q question) refused(a answer) error {
	did := fmt.Sprintf("answered %s with %s", q.path, status(a.status))
	var said struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(a.body, &said) == nil && said.Error != "" {
		did += ", saying " + quoted(said.Error)
	}
	return q.fail(commands.CodePeerStatus, did, nil)
}

func (q question) redirected(resp *http.Response) error {
	did := fmt.Sprintf("answered %s with %s", q.path, status(resp.StatusCode))
	if to := resp.Header.Get("Location"); to != "" {
		did += " to " + quoted(to)
	}
	return q.fail(commands.CodePeerStatus, did+"; redirects aren't followed: give the address where it really listens", nil)
}

func (q question) badJSON(did string) error {
	return q.fail(commands.CodePeerBadJSON, "answered "+q.path+" with "+did, nil)
}

// badShape is for JSON that isn't what was asked for. The cause's words say which
// member, and what it must be; they are in the message, which is what people see.
func (q question) badShape(err error) error {
	why := err.Error()
	shape, ok := errors.AsType[*shapeError](err)
	if judged, is := errors.AsType[*domain.Error](err); is {
		why = judged.Message
	}
	e := q.fail(commands.CodePeerBadShape, "answered "+q.path+" in another shape: "+why, nil)
	if ok {
		e.Field = shape.field
	}
	return e
}

func status(code int) string {
	if text := http.StatusText(code); text != "" {
		return strconv.Itoa(code) + " " + text
	}
	return strconv.Itoa(code)
}

// quoted is what an interface said, bounded and without anything unprintable.
func quoted(text string) string { return strconv.Quote(clip(text)) }

func clip(text string) string {
	if len(text) <= maxQuotedBytes {
		return text
	}
	cut := maxQuotedBytes
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}
