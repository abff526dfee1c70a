package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"

	"chalie/adapters/api/reading"
	"chalie/domain"
)

// keepBuffer is the size above which a buffer is not kept for the next request.
const keepBuffer = 64 << 10

// body reads the whole body, up to the bound and never further. It is valid
// until release.
func (x *exchange) body() ([]byte, error) {
	bound := min(x.api.cfg.MaxBodyBytes, x.route.Body.Most)
	if x.r.ContentLength > bound {
		x.w.Header().Set("Connection", "close")
		return nil, tooLarge(bound)
	}
	x.buffer, _ = x.api.buffers.Get().(*bytes.Buffer)
	if x.buffer == nil {
		x.buffer = &bytes.Buffer{}
	}
	_, err := x.buffer.ReadFrom(x.arriving(bound))
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		return nil, tooLarge(bound)
	}
	if domain.CodeOf(err) == codeNoRoom {
		return nil, err
	}
	if err != nil {
		return nil, &domain.Error{Op: "read body", Category: domain.Validation, Code: "invalid", Err: err,
			Message: "the body ended early or could not be read: send it again"}
	}
	return x.buffer.Bytes(), nil
}

// read reads a body that is a JSON object into the route's shape. One that may be left
// out leaves the shape as it is.
func (x *exchange) read(into any) error {
	body, err := x.body()
	if err != nil || x.route.Body.Optional && len(bytes.TrimSpace(body)) == 0 {
		return err
	}
	return readJSON(body, into)
}

// readJSON reads a JSON object into a shape.
func readJSON(body []byte, into any) error {
	v, err := parse(body)
	if err != nil {
		return err
	}
	return v.Into("", into)
}

// wrapping is how many objects and arrays stand around the free values of a body at
// most: what an approval grants, {"approved_scopes":{"context":{"…": …}}}.
const wrapping = 3

func parse(body []byte) (reading.Value, error) { return reading.Parse(body, "the body", wrapping) }

// readObject reads the request's body, which what names in errors, into a shape.
func (x *exchange) readObject(what string, into any) ([]byte, error) {
	body, v, err := x.parsed()
	if err != nil {
		return nil, err
	}
	return body, v.Into(what, into)
}

// parsed is the request's body, and the value it is.
func (x *exchange) parsed() (body []byte, v reading.Value, err error) {
	if body, err = x.body(); err == nil {
		v, err = parse(body)
	}
	return body, v, err
}

// release gives the body's memory back.
func (x *exchange) release() {
	x.giveRoom()
	if x.buffer == nil || x.buffer.Cap() > keepBuffer {
		return
	}
	x.buffer.Reset()
	x.api.buffers.Put(x.buffer)
	x.buffer = nil
}

func tooLarge(bound int64) error {
	return &domain.Error{Op: "read body", Category: domain.Validation, Code: domain.CodeTooLarge,
		Message: fmt.Sprintf("the body is over %d bytes: send less, or several requests", bound)}
}
