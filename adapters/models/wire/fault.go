package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"strconv"
)

// Fault is what a provider says when something fails.
type Fault struct {
	Code    string // what exactly, where it says so
	Type    string // of what kind
	Message string // in the provider's words
}

// faultIn is what a body, or an event, tells of a fault; nil when it tells of none. Providers
// and those in front of them have many shapes for it, and some send them with a status of 200.
// A body that has nothing else, as refusals do, is told by any words in it.
func faultIn(data []byte, refused bool) *Fault {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	var said struct {
		Error   json.RawMessage `json:"error"`
		Errors  json.RawMessage `json:"errors"`
		Type    json.RawMessage `json:"type"`
		Object  json.RawMessage `json:"object"`
		Status  json.RawMessage `json:"status"`
		Code    json.RawMessage `json:"code"`
		Success *bool           `json:"success"`
		Base    struct {
			Code    json.RawMessage `json:"status_code"`
			Message string          `json:"status_msg"`
		} `json:"base_resp"`
	}
	if !read(data, &said) {
		return nil
	}
	if f := FaultOf(said.Error); f != nil {
		return f.with(data)
	}
	if f := FaultOf(said.Errors); f != nil {
		return f.with(data)
	}
	if code := nameOf(said.Base.Code); code != "" && code != "0" {
		return &Fault{Code: code, Message: said.Base.Message}
	}
	isError := func(raw json.RawMessage) bool { return nameOf(raw) == "error" }
	if refused || isError(said.Type) || isError(said.Object) || isError(said.Status) || said.Success != nil && !*said.Success {
		return (&Fault{}).with(data)
	}
	for _, raw := range []json.RawMessage{said.Code, said.Status} {
		if n, err := strconv.Atoi(nameOf(raw)); err == nil && n >= http.StatusBadRequest {
			return (&Fault{Code: strconv.Itoa(n)}).with(data)
		}
	}
	return nil
}

// wordsIn are the words of a body that has nothing of an answer; nil of one that may have.
func wordsIn(data []byte) *Fault {
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return nil
	}
	for _, name := range []string{"choices", "output", "content", "delta", "response", "done", "type", "error"} {
		if _, ok := members[name]; ok {
			return nil
		}
	}
	if f := (&Fault{}).with(data); f.Message != "" {
		return f
	}
	return nil
}

// FaultOf is the fault that a member tells of; nil when it says that there is none.
func FaultOf(raw json.RawMessage) *Fault {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "false", `""`, "{}", "[]":
		return nil
	}
	var f Fault
	if f.UnmarshalJSON(raw) != nil {
		return nil
	}
	return &f
}

// with is a fault with what stands beside it, where it doesn't say that itself.
func (f *Fault) with(data []byte) *Fault {
	var beside struct {
		Code    json.RawMessage `json:"code"`
		Type    json.RawMessage `json:"type"`
		Message json.RawMessage `json:"message"`
		Msg     json.RawMessage `json:"msg"`
		Detail  json.RawMessage `json:"detail"`
	}
	read(data, &beside)
	if f.Message == "" {
		f.Message = cmp.Or(nameOf(beside.Message), nameOf(beside.Msg), nameOf(beside.Detail))
	}
	if f.Code == "" && f.Type == "" {
		f.Code = nameOf(beside.Code)
		if f.Type = nameOf(beside.Type); f.Type == "error" {
			f.Type = ""
		}
	}
	return f
}

// nameOf is a text or a number as a text; "" of anything else.
func nameOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String()
	}
	return ""
}

// UnmarshalJSON reads an object whose code is a name or a number; some servers send
// a text instead of an object, or a list of them.
func (f *Fault) UnmarshalJSON(data []byte) error {
	var said struct {
		Code    json.RawMessage `json:"code"`
		Status  json.RawMessage `json:"status"`
		Type    json.RawMessage `json:"type"`
		Message json.RawMessage `json:"message"`
		Msg     json.RawMessage `json:"msg"`
		Detail  json.RawMessage `json:"detail"`
	}
	*f = Fault{}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	if json.Unmarshal(data, &f.Message) == nil {
		return nil
	}
	read(data, &said)
	f.Type, f.Message = nameOf(said.Type), cmp.Or(nameOf(said.Message), nameOf(said.Msg), nameOf(said.Detail))
	if f.Code = nameOf(said.Code); f.Code == "0" || f.Code == "" {
		f.Code = nameOf(said.Status)
	}
	return nil
}

// statuses are the HTTP statuses of codes and types that come where it is too late
// for a status.
func statuses() map[string]int {
	return map[string]int{
		"invalid_request_error":   http.StatusBadRequest,
		"invalid_prompt":          http.StatusBadRequest,
		"context_length_exceeded": http.StatusBadRequest,
		"content_filter":          http.StatusBadRequest,
		"authentication_error":    http.StatusUnauthorized,
		"invalid_api_key":         http.StatusUnauthorized,
		"billing_error":           http.StatusPaymentRequired,
		"permission_error":        http.StatusForbidden,
		"not_found_error":         http.StatusNotFound,
		"model_not_found":         http.StatusNotFound,
		"request_too_large":       http.StatusRequestEntityTooLarge,
		"rate_limit_error":        http.StatusTooManyRequests,
		"rate_limit_exceeded":     http.StatusTooManyRequests,
		"overloaded_error":        529,
	}
}

// status is the HTTP status of a fault. What isn't known counts as trouble of the
// provider's own, which may pass.
func (f Fault) status() int {
	if n, err := strconv.Atoi(f.Code); err == nil && n >= http.StatusBadRequest && n < 600 {
		return n
	}
	known := statuses()
	for _, name := range []string{f.Code, f.Type} {
		if status, ok := known[name]; ok {
			return status
		}
	}
	return http.StatusInternalServerError
}

// wordsOf is the fault of an event that is called an error.
func wordsOf(data []byte) Fault {
	if f := faultIn(data, true); f != nil {
		return *f
	}
	return Fault{Message: string(data)}
}
