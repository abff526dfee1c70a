package dialogue

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"chalie/domain"
)

// Codes of what a model can fail with.
const (
	CodeUnreachable domain.Code = "model_unreachable" // it can't be reached, or breaks off
	CodeBusy        domain.Code = "model_busy"        // it asks to wait
	CodeKey         domain.Code = "model_key"         // its key is missing, or is not accepted
	CodeUnknown     domain.Code = "model_unknown"     // the provider has no such model
	CodeQuota       domain.Code = "model_quota"       // the account is empty
	CodeRefused     domain.Code = "model_refused"     // it doesn't take the question, or won't answer it
	CodeTooLong     domain.Code = "model_too_long"    // the question is longer than it can read
	CodeBadReply    domain.Code = "bad_reply"         // what it says can't be used
)

// Fail is an error about a model.
func Fail(code domain.Code, retriable bool, message string) *domain.Error {
	return &domain.Error{Op: "ask model", Category: domain.Dependency, Code: code, Retriable: retriable, Message: message}
}

// Refusal is what a provider answers in place of an answer.
type Refusal struct {
	Model   string // as a person knows it
	Status  int    // of HTTP
	Header  http.Header
	Kind    string // the provider's name for it
	Message string // the provider's words
}

// Error puts a refusal in words and says whether asking again makes sense. The
// provider's own words are told only where they can't repeat the key.
func (r Refusal) Error(now time.Time) *domain.Error {
	said := said(r.Message) + r.request()
	switch {
	case r.Status < http.StatusBadRequest:
		return Fail(CodeUnreachable, false, fmt.Sprintf("%s answers with a redirect (HTTP %d), which isn't followed, because it may lead the key elsewhere: check the address", r.Model, r.Status))
	case r.Kind == "insufficient_quota" || r.Kind == "billing_error" || r.Status == http.StatusPaymentRequired:
		return Fail(CodeQuota, false, r.Model+" can't be asked: its account has no credit left; top it up, or choose another model")
	case r.Status == http.StatusUnauthorized:
		return Fail(CodeKey, false, r.Model+" does not accept its key: check the key, or choose another model")
	case r.Status == http.StatusForbidden:
		return Fail(CodeKey, false, r.Model+" may not be used with its key: check what the key allows")
	case r.Status == http.StatusNotFound:
		return Fail(CodeUnknown, false, r.Model+" is not known there: check the name and the address")
	case r.Status == http.StatusRequestEntityTooLarge:
		return Fail(CodeTooLong, false, "the question is too large for "+r.Model+": it takes a model that reads more")
	case r.Status == http.StatusTooManyRequests:
		e := Fail(CodeBusy, true, r.Model+" takes no more questions for now"+said)
		e.RetryAfter = retryAfter(r.Header, now)
		return e
	case r.Status >= http.StatusInternalServerError || r.Status == http.StatusRequestTimeout || r.Status == http.StatusConflict:
		e := Fail(CodeUnreachable, true, fmt.Sprintf("%s is in trouble (HTTP %d)%s", r.Model, r.Status, said))
		e.RetryAfter = retryAfter(r.Header, now)
		return e
	}
	return Fail(CodeRefused, false, fmt.Sprintf("%s does not take the question (HTTP %d)%s", r.Model, r.Status, said))
}

// request is the provider's id of a request, by which its support finds it, as the
// end of a sentence.
func (r Refusal) request() string {
	id := cmp.Or(r.Header.Get("Request-Id"), r.Header.Get("X-Request-Id"))
	if !requestID.MatchString(id) {
		return ""
	}
	return " (request " + id + ")"
}

var requestID = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,64}$`)

// maxSaidRunes bounds words that aren't ours.
const maxSaidRunes = 300

// said is what somebody else says of a failure, as the end of a sentence.
func said(text string) string {
	text = strings.TrimSpace(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text))
	if text == "" {
		return ""
	}
	if runes := []rune(text); len(runes) > maxSaidRunes {
		text = string(runes[:maxSaidRunes]) + "…"
	}
	return ": " + text
}

// retryAfter is how long a provider asks to wait, 0 when it doesn't say.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const longest = 24 * time.Hour
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(min(ms*float64(time.Millisecond), float64(longest)))
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return time.Duration(min(s*float64(time.Second), float64(longest)))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, min(at.Sub(now), longest))
	}
	return 0
}

// Broken is the error of a connection that can't be made or breaks off. Asking
// again makes sense: nothing was done by it.
func Broken(model string, err error) *domain.Error {
	// The address may hold a password, and everybody knows it who configured it.
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return known
	}
	return Fail(CodeUnreachable, true, model+" can't be reached, or broke off"+said(err.Error()))
}

// Garbled is the error of an answer that is no JSON.
func Garbled(model string) *domain.Error {
	return Fail(CodeUnreachable, true, model+" sends something that is no JSON")
}

// NoAnswer is the error of a response that should be an answer and is something else.
func NoAnswer(model, what string) *domain.Error {
	return Fail(CodeUnreachable, true, model+" sends "+what+" where an answer should be: check its address, if that goes on")
}

// Cut is the error of a stream that ends before its answer does; reason is the server's word for
// why, "" for none.
func Cut(model, reason string) *domain.Error {
	e := Fail(CodeUnreachable, true, model+" broke off in the middle of its answer")
	if reason != "" {
		e.Message += said(reason)
	}
	return e
}
