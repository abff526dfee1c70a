// Package wire puts questions to the API of a provider: JSON goes there by POST,
// and JSON or a stream of server-sent events comes back.
//
// A Client asks one API. It reads nothing of the environment but a proxy, follows
// no redirect and tries nothing twice. The key is in the header of its Config
// and goes to that address only.
//
// The end of ctx, and that of the loop over the events, closes the connection: the
// provider learns that nobody listens any more.
//
// A response is read up to 16 MiB, an event up to 4 MiB, a refusal up to 64 KiB.
//
// Errors are *domain.Error with words for a person, and say whether asking again
// makes sense. None of them contains the key or the question.
package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"
	"time"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// Config is which API is asked.
type Config struct {
	Name    string           // of the model, in errors
	BaseURL string           // ends in /
	Header  http.Header      // of every request, with the key
	Now     func() time.Time // for dates in Retry-After; default time.Now
}

// Client asks one API. It is safe for concurrent use.
type Client struct {
	cfg  Config
	http *http.Client
}

// New makes a client. Nothing is sent.
func New(cfg Config) *Client {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Client{cfg, newHTTPClient()}
}

// Close lets go of idle connections. Requests under way go on.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// ErrDone is how a stream says that it ends.
var ErrDone = errors.New("the stream says that it is done")

// Events puts a question and gives the events of its answer in their order, each
// as an E. An error is the last of them, ErrDone one that says nothing is wrong. A stream that just
// ends gives none: only the events can tell whether that is the end of the answer.
//
// A body that isn't streamed is an event, and each of several JSON values is one. What is no
// JSON and doesn't look like it, as keep-alives, is left out.
func Events[E any](ctx context.Context, c *Client, path string, question any) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		var none E
		res, err := c.Post(ctx, path, "text/event-stream", question)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		for data, err := range c.values(res) {
			if err != nil {
				yield(none, err)
				return
			}
			var event E
			if err := c.decode(data, &event); err != nil {
				yield(none, err)
				return
			}
			if !yield(event, nil) {
				return
			}
		}
	}
}

// Hear puts a question and has the events of its answer taken into a draft. A fault of one is
// the end, but of an answer that has ended: what follows doesn't change it. The error comes with
// what was used.
func Hear[E any](ctx context.Context, c *Client, path string, question any, d *dialogue.Draft, take func(E) *Fault) (dialogue.Answer, error) {
	for e, err := range Events[E](ctx, c, path, question) {
		if errors.Is(err, ErrDone) {
			if !d.Empty() {
				d.Finish("")
			}
			break
		}
		if err == nil {
			if f := take(e); f != nil {
				err = c.Failed(*f)
			}
		}
		if err != nil && (!d.Ended || d.Broke() != "") {
			return dialogue.Answer{Usage: d.Usage}, err
		}
		if err != nil || d.Over {
			break
		}
	}
	if !d.Ended || d.Broke() != "" {
		return dialogue.Answer{Usage: d.Usage}, dialogue.Cut(c.cfg.Name, d.Broke())
	}
	return d.Answer(), nil
}

// values are the JSON values of an answer's body.
func (c *Client) values(res *http.Response) iter.Seq2[json.RawMessage, error] {
	return func(yield func(json.RawMessage, error) bool) {
		body := bufio.NewReader(res.Body)
		switch first, err := firstOf(body); {
		case errors.Is(err, io.EOF):
		case err != nil:
			yield(nil, dialogue.Broken(c.cfg.Name, err))
		case first == '{' || first == '[':
			c.whole(body, yield)
		case first == '<':
			yield(nil, dialogue.NoAnswer(c.cfg.Name, "a page"))
		default:
			c.streamed(body, yield)
		}
	}
}

// firstOf is the first byte of a text that isn't blank. It takes nothing but what is before.
func firstOf(body *bufio.Reader) (byte, error) {
	if mark, err := body.Peek(len(byteOrderMark)); err == nil && string(mark) == byteOrderMark {
		_, _ = body.Discard(len(byteOrderMark))
	}
	for {
		next, err := body.Peek(1)
		if err != nil {
			return 0, err
		}
		if !bytes.ContainsAny(next, " \t\r\n") {
			return next[0], nil
		}
		_, _ = body.Discard(1)
	}
}

// byteOrderMark may be before any text.
const byteOrderMark = "\ufeff"

// whole are the values of a body that is JSON, and of a list.
func (c *Client) whole(body io.Reader, yield func(json.RawMessage, error) bool) {
	for d := json.NewDecoder(body); ; {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
			return
		case isSyntax(err):
			yield(nil, dialogue.Garbled(c.cfg.Name))
			return
		case err != nil:
			yield(nil, dialogue.Broken(c.cfg.Name, err))
			return
		}
		list := []json.RawMessage{value}
		if value[0] == '[' {
			list = nil
			read(value, &list)
		}
		for _, value := range list {
			if f := wordsIn(value); f != nil {
				yield(nil, c.Failed(*f))
				return
			}
			if !yield(value, nil) {
				return
			}
		}
	}
}

// isSyntax reports whether an error is about what came, and not about the connection.
func isSyntax(err error) bool {
	_, ok := errors.AsType[*json.SyntaxError](err)
	return ok || errors.Is(err, io.ErrUnexpectedEOF)
}

// streamed are the values of server-sent events.
func (c *Client) streamed(body *bufio.Reader, yield func(json.RawMessage, error) bool) {
	stream, none, noise := newReader(body), true, false
	for {
		data, err := stream.next()
		if errors.Is(err, io.EOF) {
			if data = stream.pending(); !isWhole(data) && !isDone(data) {
				break
			}
		} else if err != nil {
			yield(nil, dialogue.Broken(c.cfg.Name, err))
			return
		}
		ended := err != nil
		switch data = bytes.TrimSpace(data); {
		case isDone(data):
			yield(nil, ErrDone)
			return
		case stream.name == "error":
			yield(nil, c.Failed(wordsOf(data)))
			return
		case len(data) == 0:
		case data[0] != '{' && data[0] != '[' && !json.Valid(data):
			noise = true
		default:
			none = false
			if !c.several(data, yield) {
				return
			}
		}
		if ended {
			break
		}
	}
	if none && noise {
		yield(nil, dialogue.Garbled(c.cfg.Name))
	}
}

// several are the values of one event: servers that forget the line between two events make
// one of them.
func (c *Client) several(data []byte, yield func(json.RawMessage, error) bool) bool {
	if json.Valid(data) {
		return yield(data, nil)
	}
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var value json.RawMessage
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
			return true
		case err != nil:
			yield(nil, dialogue.Garbled(c.cfg.Name))
			return false
		}
		if !yield(value, nil) {
			return false
		}
	}
}

// isWhole reports whether data are JSON values, none of which is cut.
func isWhole(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	for n := 0; ; n++ {
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return n > 0 && errors.Is(err, io.EOF)
		}
	}
}

// isDone reports whether the data of an event say that a chat ends.
func isDone(data []byte) bool {
	return string(bytes.Trim(bytes.TrimSpace(data), `"`)) == "[DONE]"
}

// Call puts a question whose answer is one JSON value.
func (c *Client) Call(ctx context.Context, path string, question, answer any) error {
	res, err := c.Post(ctx, path, "application/json", question)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	return c.Read(res, answer)
}

// Get asks for one JSON value.
func (c *Client) Get(ctx context.Context, path string, answer any) error {
	res, err := c.send(ctx, http.MethodGet, path, "", "application/json", http.NoBody)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	return c.Read(res, answer)
}

// Post puts a question. The response is returned only when it is an answer; closing its body
// is up to the caller.
func (c *Client) Post(ctx context.Context, path, accept string, question any) (*http.Response, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(question); err != nil {
		return nil, dialogue.Fail(dialogue.CodeRefused, false, "the question to "+c.cfg.Name+" can't be written as JSON: "+err.Error())
	}
	return c.Send(ctx, path, "application/json", accept, &body)
}

// Send posts a body of any type. The response is returned only when it is an answer; closing
// its body is up to the caller.
func (c *Client) Send(ctx context.Context, path, contentType, accept string, body io.Reader) (*http.Response, error) {
	return c.send(ctx, http.MethodPost, path, contentType, accept, body)
}

// send is Send by any method; contentType is "" without a body.
func (c *Client) send(ctx context.Context, method, path, contentType, accept string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.cfg.BaseURL+path, body)
	if err != nil {
		return nil, dialogue.Broken(c.cfg.Name, err)
	}
	req.Header = c.cfg.Header.Clone()
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("User-Agent", "chalie")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, dialogue.Broken(c.cfg.Name, err)
	}
	if res.StatusCode/100 != 2 {
		defer func() { _ = res.Body.Close() }()
		return nil, c.refused(res)
	}
	return res, nil
}

// Read reads the JSON of an answer's body.
func (c *Client) Read(res *http.Response, into any) error {
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return dialogue.Broken(c.cfg.Name, err)
	}
	return c.decode(body, into)
}

// decode reads JSON that came. What says that something failed is an error; what
// is no JSON, too.
func (c *Client) decode(data []byte, into any) error {
	data = domain.WithoutMark(data)
	if f := faultIn(data, false); f != nil {
		return c.Failed(*f)
	}
	if !read(data, into) {
		return dialogue.Garbled(c.cfg.Name)
	}
	return nil
}

// read decodes JSON as far as it fits. Servers that only resemble a provider's send
// fields of other types: what an answer is made of has types that read them, others stay empty.
// False says that it is no JSON.
func read(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	_, other := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || other
}

// refused is the error of a response that is no answer.
func (c *Client) refused(res *http.Response) error {
	// The status tells enough where the words can't be read.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusalBytes))
	said := faultIn(domain.WithoutMark(body), true)
	if said == nil {
		said = &Fault{}
	}
	return c.refusal(res.StatusCode, res.Header, *said)
}

// Failed is the error of a fault that came after the status: within a stream.
func (c *Client) Failed(f Fault) error { return c.refusal(f.status(), nil, f) }

func (c *Client) refusal(status int, header http.Header, f Fault) error {
	return dialogue.Refusal{Model: c.cfg.Name, Status: status, Header: header, Kind: cmp.Or(f.Code, f.Type), Message: f.Message}.Error(c.cfg.Now())
}
