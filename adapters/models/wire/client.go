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

// Events puts a question and gives the events of its answer in their order, each
// as an E. An error is the last of them. A stream that just ends gives none: only
// the events can tell whether that is the end of the answer.
func Events[E any](ctx context.Context, c *Client, path string, question any) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		var none E
		res, err := c.Post(ctx, path, "text/event-stream", question)
		if err != nil {
			yield(none, err)
			return
		}
		defer func() { _ = res.Body.Close() }()
		stream := newReader(res.Body)
		for {
			data, err := stream.next()
			if errors.Is(err, io.EOF) || bytes.Equal(data, []byte("[DONE]")) { // how a chat says that it ends
				return
			}
			if err != nil {
				yield(none, dialogue.Broken(c.cfg.Name, err))
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
	var within failure
	if !read(data, &within) {
		return dialogue.Garbled(c.cfg.Name)
	}
	if within.Error != nil {
		return c.Failed(*within.Error)
	}
	read(data, into)
	return nil
}

// read decodes JSON as far as it fits: servers that only resemble a provider's send
// fields of other types, and those stay empty. False says that it is no JSON.
func read(data []byte, into any) bool {
	err := json.Unmarshal(data, into)
	_, other := errors.AsType[*json.UnmarshalTypeError](err)
	return err == nil || other
}

// refused is the error of a response that is no answer.
func (c *Client) refused(res *http.Response) error {
	// The status tells enough where the words can't be read.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusalBytes))
	var said failure
	if !read(body, &said) || said.Error == nil {
		said.Error = &Fault{}
	}
	return c.refusal(res.StatusCode, res.Header, *said.Error)
}

// Failed is the error of a fault that came after the status: within a stream.
func (c *Client) Failed(f Fault) error { return c.refusal(f.status(), nil, f) }

func (c *Client) refusal(status int, header http.Header, f Fault) error {
	return dialogue.Refusal{Model: c.cfg.Name, Status: status, Header: header, Kind: cmp.Or(f.Code, f.Type), Message: f.Message}.Error(c.cfg.Now())
}
