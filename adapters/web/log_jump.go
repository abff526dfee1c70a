package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chalie/domain"
)

// positionOf finds what a person wants to see: a position, the id of an envelope, or
// a time.
func (v *visit) positionOf(text string) (domain.Position, error) {
	text = strings.TrimSpace(text)
	digits := strings.NewReplacer(",", "", " ", "", "pos:", "", "#", "").Replace(text)
	if n, err := strconv.ParseUint(digits, 10, 62); err == nil && len(digits) < len("1800000000000") {
		if n == 0 {
			return 0, &refusal{status: http.StatusBadRequest, message: "The first record stands at position 1: write a number from there on."}
		}
		return v.positionNamed("pos:" + strconv.FormatUint(n, 10))
	}
	if id, err := domain.ParseID(text); err == nil {
		return v.positionNamed(id.String())
	}
	at, ok := v.momentOf(text)
	if !ok {
		return 0, &refusal{status: http.StatusBadRequest, message: fmt.Sprintf("“%s” is no position, no id and no time. Write 1234, an id of 26 or 36 characters, 18:30, or 2026-03-17 18:30.", shortened(text))}
	}
	var got shownLog
	if err := v.ask("/api/log", url.Values{"since": {at}, "limit": {"1"}}, &got); err != nil {
		return 0, err
	}
	switch {
	case len(got.Records) > 0:
		return got.Records[0].Position, nil
	case got.Tail > 0:
		return got.Tail, nil // nothing was recorded since: the last there is
	}
	return 0, &refusal{status: http.StatusNotFound, message: "The log holds nothing yet."}
}

func (v *visit) positionNamed(name string) (domain.Position, error) {
	var got entry
	err := v.ask("/api/log/"+url.PathEscape(name), nil, &got)
	return got.Position, err
}

// momentOf is a time as the API takes it. A time of day is the last one there was.
func (v *visit) momentOf(text string) (string, bool) {
	zone := v.location()
	if at, ok := momentIn(text, zone); ok {
		return at.Format(time.RFC3339), true
	}
	for _, layout := range []string{"15:04", "15:04:05"} {
		clock, err := time.ParseInLocation(layout, text, zone)
		if err != nil {
			continue
		}
		now := time.Now().In(zone)
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, zone)
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at.Format(time.RFC3339), true
	}
	if back, err := time.ParseDuration(text); err == nil && back > 0 {
		return text, true
	}
	return "", false
}
