package wire

import (
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

// failure is a body, or an event, that tells of a fault.
type failure struct {
	Error *Fault `json:"error"`
}

// UnmarshalJSON reads an object whose code is a name or a number; some servers send
// a text instead of an object.
func (f *Fault) UnmarshalJSON(data []byte) error {
	var said struct {
		Code    json.RawMessage `json:"code"`
		Type    string          `json:"type"`
		Message string          `json:"message"`
	}
	*f = Fault{}
	if json.Unmarshal(data, &f.Message) == nil {
		return nil
	}
	read(data, &said)
	f.Type, f.Message = said.Type, said.Message
	if number := 0; json.Unmarshal(said.Code, &number) == nil && number != 0 {
		f.Code = strconv.Itoa(number)
		return nil
	}
	read(said.Code, &f.Code)
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
