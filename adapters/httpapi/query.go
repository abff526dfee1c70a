package httpapi

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// query reads a request's parameters. The first that can't be read is its error; what is
// read then counts for nothing, so that a handler reads all of them and then looks at err.
type query struct {
	route  *api.Route
	values url.Values
	now    domain.Millis
	err    error
}

func (x *exchange) query() *query {
	q := &query{route: x.route, now: domain.MillisOf(x.api.cfg.Clock.Now())}
	var err error
	if q.values, err = url.ParseQuery(x.r.URL.RawQuery); err != nil {
		q.refuse("", "the query can't be read: escape % and & in its values")
	}
	return q
}

// fail keeps the first error.
func (q *query) fail(err error) {
	if q.err == nil {
		q.err = err
	}
}

func (q *query) refuse(name, message string) { q.fail(domain.Invalid("read query", name, message)) }

// param is a parameter's entry in the contract and its text. A handler that reads a
// parameter without an entry is a bug.
func (q *query) param(name string, kind api.Kind) (api.Param, string) {
	for _, p := range q.route.Query {
		if p.Name == name && p.Kind == kind {
			return p, q.values.Get(name)
		}
	}
	q.fail(fmt.Errorf("route %s doesn't say that it takes %s, a %s", q.route.Name, name, kind))
	return api.Param{}, ""
}

// count is a whole number within its bounds, or its default.
func (q *query) count(name string) uint64 {
	p, text := q.param(name, api.KindCount)
	if text == "" {
		return p.Default
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < p.Least || n > p.Most {
		q.refuse(name, fmt.Sprintf("%s is %q: give a whole number from %d to %d", name, clip(text), p.Least, p.Most))
	}
	return n
}

// flag is true or false, or its default.
func (q *query) flag(name string) bool {
	p, text := q.param(name, api.KindFlag)
	if text == "" {
		return p.On
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		q.refuse(name, fmt.Sprintf("%s is %q: give true or false", name, clip(text)))
	}
	return on
}

// direction is the direction of a span without a sign.
type direction string

const (
	ahead direction = "+"
	ago   direction = "-"
)

func (d direction) example() string {
	if d == ago {
		return "a span back such as 30m"
	}
	return "a span from now such as +6h"
}

// moment is a point in time: RFC 3339, Unix milliseconds, or a span from now
// such as +6h, -30m or 2d. Without the parameter it is now. A span without a sign
// goes in the direction that makes sense for the parameter.
func (q *query) moment(name string, unsigned direction) domain.Millis {
	at, err := momentOf(name, q.values.Get(name), q.now, unsigned)
	if err != nil {
		q.fail(err)
	}
	return at
}

func momentOf(name, text string, now domain.Millis, unsigned direction) (domain.Millis, error) {
	if text == "" {
		return now, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, text); err == nil {
		return domain.MillisOf(t), nil
	}
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) >= 10 {
		return domain.Millis(ms), nil
	}
	// A plus sign that was not escaped arrives as a space.
	sign := unsigned
	switch text[0] {
	case '+', ' ':
		sign, text = ahead, text[1:]
	case '-':
		sign, text = ago, text[1:]
	}
	d, ok := parseSpan(text)
	if !ok {
		return 0, domain.Invalid("read query", name, fmt.Sprintf(
			"%s is %q: give a time such as 2026-03-17T14:00:00Z, Unix milliseconds, or %s", name, clip(text), unsigned.example()))
	}
	if sign == ago {
		d = -d
	}
	return now.Add(d), nil
}

// span is a length of time up to the bound, given as 30s or as seconds.
func (q *query) span(name string, most time.Duration) time.Duration {
	text := q.values.Get(name)
	if text == "" {
		return 0
	}
	d, ok := parseSpan(text)
	if seconds, err := strconv.ParseUint(text, 10, 16); err == nil {
		d, ok = time.Duration(seconds)*time.Second, true
	}
	if !ok || d > most {
		q.refuse(name, fmt.Sprintf("%s is %q: give seconds, or a span up to %s", name, clip(text), most))
	}
	return d
}

// id is an id in any spelling, none without the parameter.
func (q *query) id(name string) domain.ID {
	text := q.values.Get(name)
	if text == "" {
		return domain.ID{}
	}
	id, err := parseID(name, text)
	if err != nil {
		q.fail(err)
	}
	return id
}

func parseID(name, text string) (domain.ID, error) {
	id, err := domain.ParseID(text)
	if err != nil {
		return domain.ID{}, &domain.Error{Op: "read query", Category: domain.Validation, Code: "invalid", Field: name, Err: err,
			Message: fmt.Sprintf("%s is %q: give a ULID (26 characters), a UUID (36) or 32 hex digits", name, clip(text))}
	}
	return id, nil
}

// parseSpan reads a duration without a sign; days are allowed: 30d.
func parseSpan(text string) (time.Duration, bool) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.ParseUint(days, 10, 16)
		return time.Duration(n) * 24 * time.Hour, err == nil
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0
}

// clip bounds the input that an error repeats.
func clip(text string) string {
	if len(text) > 60 {
		return strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}
