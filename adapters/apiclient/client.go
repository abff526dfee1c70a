package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"

	"chalie/adapters/api"
	"chalie/domain"
)

// CodeUnreachable is the code of the error when nobody answers.
const CodeUnreachable domain.Code = "unreachable"

// maxErrorBytes bounds how much of a refusal is read.
const maxErrorBytes = 64 << 10

// Client asks the API. Make one with New or InProcess.
type Client struct {
	// Zone is where this device is, by an IANA name, which goes with every request; "" for unknown.
	Zone string

	http *http.Client
	base string
}

// New speaks through an HTTP client to the API that answers at base, such as
// http://chalie over a Unix socket. An error with a *domain.Error in its chain
// is passed on as that one.
func New(client *http.Client, base string) *Client { return &Client{http: client, base: base} }

// InProcess speaks to a handler in this process.
func InProcess(handler http.Handler) *Client {
	return New(&http.Client{Transport: inProcess{handler}}, "http://chalie")
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// ask sends a request and returns an answer whose status is in the two
// hundreds. The path is escaped where it holds a name. The caller closes the
// answer's body.
func (c *Client) ask(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	return c.askWith(ctx, method, path, query, body, nil)
}

// askWith is ask with headers of its own.
func (c *Client) askWith(ctx context.Context, method, path string, query url.Values, body any, header http.Header) (*http.Response, error) {
	var content io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, domain.Invalid(method+" "+path, "", "the request can't be written as JSON: "+err.Error())
		}
		content = bytes.NewReader(text)
	}
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, target, content)
	if err != nil {
		return nil, domain.Invalid(method+" "+path, "", err.Error())
	}
	maps.Copy(req.Header, header)
	req.Header.Set("Accept", "application/json")
	if c.Zone != "" {
		req.Header.Set(api.TimezoneHeader, c.Zone)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, unreachable(method+" "+path, err)
	}
	if resp.StatusCode/100 != 2 {
		defer resp.Body.Close()
		return nil, refusal(method+" "+path, resp)
	}
	return resp, nil
}

// call sends a request and reads its answer.
func call[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any) (T, error) {
	return callWith[T](ctx, c, method, path, query, body, nil)
}

// callWith is call with headers of its own.
func callWith[T any](ctx context.Context, c *Client, method, path string, query url.Values, body any, header http.Header) (T, error) {
	var out T
	resp, err := c.askWith(ctx, method, path, query, body, header)
	if err != nil {
		return out, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return out, unreachable(method+" "+path, err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return out, unreadable(method+" "+path, err)
	}
	return out, nil
}

func get[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	return call[T](ctx, c, http.MethodGet, path, query, nil)
}

func unreachable(op string, cause error) error {
	if known, ok := errors.AsType[*domain.Error](cause); ok {
		return known
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: CodeUnreachable, Retriable: true, Err: cause,
		Message: "Chalie does not answer; see whether `chalie serve` still runs"}
}

func unreadable(op string, cause error) error {
	return &domain.Error{Op: op, Category: domain.Dependency, Code: "unreadable_answer", Err: cause,
		Message: "the answer can't be read; run the command line and `chalie serve` from the same version"}
}

var categories = map[int]domain.Category{
	http.StatusBadRequest:            domain.Validation,
	http.StatusRequestEntityTooLarge: domain.Validation,
	http.StatusUnprocessableEntity:   domain.Validation,
	http.StatusForbidden:             domain.Policy,
	http.StatusNotFound:              domain.NotFound,
	http.StatusConflict:              domain.Conflict,
	http.StatusPreconditionFailed:    domain.Conflict,
}

// refusal is an answer that is an error, in the API's words.
func refusal(op string, resp *http.Response) error {
	out := &domain.Error{Op: op, Category: categories[resp.StatusCode], Code: "refused", Retriable: resp.StatusCode == http.StatusServiceUnavailable}
	if resp.StatusCode >= 500 {
		out.Category = domain.Dependency
	}
	var told api.Refusal
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorBytes))
	if err == nil && json.Unmarshal(text, &told) == nil && told.Error != "" {
		out.Message = told.Error
		if told.Code != "" {
			out.Code = told.Code
		}
		if id, err := domain.ParseID(told.InvocationID); err == nil {
			return &NoAnswer{InvocationID: id, Text: text, Err: out}
		}
		return out
	}
	out.Message = fmt.Sprintf("Chalie answered %s; run the command line and `chalie serve` from the same version", resp.Status)
	return out
}
