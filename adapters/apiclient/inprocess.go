package apiclient

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// inProcess is a transport whose other end is a handler in this process.
//
// The handler runs in a goroutine that ends when it returns; a reader that
// closes the body early makes its next write fail. An answer is streamed: the
// reader takes each write as it comes.
type inProcess struct{ handler http.Handler }

var _ http.RoundTripper = inProcess{}

// RoundTrip returns as soon as the handler has decided on the status.
func (t inProcess) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Body == nil {
		req = req.Clone(req.Context())
		req.Body = http.NoBody
	}
	reader, writer := io.Pipe()
	a := &answer{header: http.Header{}, body: writer, decided: make(chan struct{})}
	go func() {
		defer req.Body.Close()
		defer a.end()
		t.handler.ServeHTTP(a, req)
	}()
	select {
	case <-a.decided:
	case <-req.Context().Done():
		reader.CloseWithError(req.Context().Err())
		return nil, req.Context().Err()
	}
	return &http.Response{
		Status: strconv.Itoa(a.status) + " " + http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, Body: reader, ContentLength: -1, Request: req,
	}, nil
}

// answer is the handler's end.
type answer struct {
	header  http.Header
	body    *io.PipeWriter
	once    sync.Once
	decided chan struct{}
	status  int         // these two belong to the reader once decided is closed
	sent    http.Header // a copy: the handler may go on with its own
}

var _ http.Flusher = (*answer)(nil)

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	if status < http.StatusOK {
		return // informational: the answer itself comes later
	}
	a.once.Do(func() {
		a.status, a.sent = status, a.header.Clone()
		close(a.decided)
	})
}

func (a *answer) Write(text []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(text)
}

// Flush has nothing to do: nothing is held back.
func (a *answer) Flush() { a.WriteHeader(http.StatusOK) }

// end finishes the answer, or breaks it off when the handler does so the way
// net/http knows. Any other panic ends the program: there is no server to take
// it.
func (a *answer) end() {
	end := io.EOF
	if cause := recover(); cause != nil {
		if err, ok := cause.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			panic(cause)
		}
		end = io.ErrUnexpectedEOF
	}
	a.WriteHeader(http.StatusOK)
	// A pipe's writer closes without error.
	_ = a.body.CloseWithError(end)
}
