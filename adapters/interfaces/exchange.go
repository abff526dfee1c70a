package interfaces

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// question is one call.
type question struct {
	op     string // for errors: what the caller wanted
	method string
	path   string
	at     commands.Endpoint
	accept string
	key    string // Idempotency-Key, or ""
	body   []byte
	within time.Duration
	most   int64                   // bytes of the answer's body
	take   func(bytes int64) error // the caller's Intake; nil takes everything
}

// answer is what came back, whole and within its bound.
type answer struct {
	status int
	media  string // media type without parameters, lower case; "" when none was given
	body   []byte
}

// ok reports whether the status is a success.
func (a answer) ok() bool { return a.status >= 200 && a.status < 300 }

// ask makes one call. An answer of any status but a redirect is returned.
func (c *Client) ask(ctx context.Context, q question) (answer, error) {
	in := commands.IntakeOf(ctx)
	if q.take = in.Take; in.Bytes != 0 {
		q.most = min(q.most, in.Bytes)
	}
	ctx, cancel := context.WithTimeout(ctx, q.within)
	defer cancel()
	var connected atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { connected.Store(true) },
	})
	req, err := q.request(ctx)
	if err != nil {
		return answer{}, err
	}
	transport := c.reads
	if q.method == http.MethodPost {
		transport = c.posts
	}
	// The transport itself, and not a Client of net/http: nothing is followed.
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return answer{}, q.noAnswer(err, connected.Load())
	}
	defer resp.Body.Close()
	return q.read(resp)
}

func (q question) request(ctx context.Context) (*http.Request, error) {
	host := authority(q.at)
	if host == "" {
		return nil, q.fail(commands.CodePeerUnreachable, "is no host name or IP address with a port: correct where the interface listens", nil)
	}
	u := url.URL{Scheme: "http", Host: host, Path: q.path}
	var body io.Reader
	if q.method == http.MethodPost {
		// Wrapped, so that net/http finds no way to rewind it: see "Once means once".
		body = io.NopCloser(bytes.NewReader(q.body))
	}
	req, err := http.NewRequestWithContext(ctx, q.method, u.String(), body)
	if err != nil {
		return nil, q.fail(commands.CodePeerUnreachable, "can't be called: correct where the interface listens", err)
	}
	req.Header.Set("Accept", q.accept)
	req.Header.Set("User-Agent", "chalie")
	if body != nil {
		req.ContentLength = int64(len(q.body))
		req.Header.Set("Content-Type", mediaJSON)
	}
	if q.key != "" {
		req.Header.Set("Idempotency-Key", q.key)
	}
	return req, nil
}

// read takes the body in. Of an answer over the bound one byte more than that is
// read; closing the rest unread drops the connection.
func (q question) read(resp *http.Response) (answer, error) {
	a := answer{status: resp.StatusCode, media: mediaType(resp.Header.Get("Content-Type"))}
	if a.status >= 300 && a.status < 400 {
		return answer{}, q.redirected(resp)
	}
	if !a.ok() {
		// Something went wrong there; its words are welcome, but not needed.
		a.body, _ = io.ReadAll(io.LimitReader(resp.Body, min(q.most, maxRefusalBytes)))
		return a, nil
	}
	if encoding := resp.Header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return answer{}, q.fail(commands.CodePeerBadJSON, "answered in the encoding "+quoted(encoding)+", which wasn't asked for: have it answer plainly", nil)
	}
	if resp.ContentLength > q.most {
		return answer{}, q.tooLarge()
	}
	var err error
	a.body, err = io.ReadAll(&weighed{from: io.LimitReader(resp.Body, q.most+1), q: q})
	if crowded, ok := errors.AsType[*noRoom](err); ok {
		return answer{}, crowded.refusal
	}
	switch {
	case int64(len(a.body)) > q.most:
		return answer{}, q.tooLarge()
	case err != nil:
		return answer{}, q.lost("began an answer and", err)
	}
	return a, nil
}

// What an answer takes in memory, about: it is copied a few times on its way, and what
// it is made of becomes maps and strings.
const (
	heldPerByte = 4
	heldPerPart = 256
)

// weighed reads an answer as far as the caller has room for it.
type weighed struct {
	from io.Reader
	q    question
}

// noRoom says that the caller has none for more of an answer.
type noRoom struct{ refusal error }

func (e *noRoom) Error() string { return e.refusal.Error() }

func (w *weighed) Read(p []byte) (int, error) {
	n, err := w.from.Read(p)
	if no := w.q.reserve(int64(n) * heldPerByte); no != nil {
		return n, &noRoom{no}
	}
	return n, err
}

// reserve asks the caller for the memory that an answer needs next. A call with an effect
// has had it by then, and isn't made again.
func (q question) reserve(bytes int64) error {
	if q.take == nil || bytes == 0 {
		return nil
	}
	err := q.take(bytes)
	no, ok := errors.AsType[*domain.Error](err)
	if !ok {
		return err
	}
	out := *no
	out.Op = q.op
	if q.method == http.MethodPost {
		out.Message, out.Retriable, out.RetryAfter = q.where()+" answered, and there was no room to read it: "+no.Message, false, 0
	}
	return &out
}

// maxRefusalBytes is how much is read of an answer that is no success.
const maxRefusalBytes = 4 << 10

// noAnswer says why there is none.
func (q question) noAnswer(err error, connected bool) error {
	if forbidden, ok := errors.AsType[*domain.Error](err); ok {
		return &domain.Error{Op: q.op, Category: forbidden.Category, Code: forbidden.Code, Message: q.where() + " can't be called: " + forbidden.Message}
	}
	switch {
	case !connected:
		return q.unreachable(err)
	case strings.Contains(err.Error(), "response headers exceeded"):
		// net/http has no value for this one.
		return q.fail(commands.CodePeerTooLarge, "answered with a header over the bound: have it send less", err)
	}
	return q.lost("was asked and", err)
}

const (
	mediaJSON = "application/json"
	mediaHTML = "text/html"
)

func mediaType(contentType string) string {
	if media, _, err := mime.ParseMediaType(contentType); err == nil {
		return media
	}
	media, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(media))
}
