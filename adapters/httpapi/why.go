package httpapi

import (
	"fmt"
	"net/http"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// why is GET /api/why/{id}?zone=. It reads the log alone, so it knows everything
// that was acknowledged, and what Chalie was called then by.
func (x *exchange) why() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	zone, err := q.zone("zone")
	if err != nil {
		return err
	}
	target, err := replay.ParseTarget(x.params.ByName("id"))
	if err != nil {
		return err
	}
	explained, err := replay.Explain(x.r.Context(), x.api.cfg.Log, target, zone)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, explained)
}

// zone is where times are to be read: an IANA name, or an offset from UTC such as
// +02:00. Without the parameter it is nil.
func (q query) zone(name string) (*time.Location, error) {
	text := q.values.Get(name)
	if text == "" {
		return nil, nil
	}
	if zone, ok := zoneOf(text); ok {
		return zone, nil
	}
	// A plus sign that was not escaped arrives as a space.
	if text[0] == ' ' {
		text = "+" + text[1:]
	}
	if at, err := time.Parse("-07:00", text); err == nil {
		return at.Location(), nil
	}
	return nil, domain.Invalid("read query", name, fmt.Sprintf("%s is %q: give a name such as Europe/Berlin, or an offset such as +02:00", name, clip(text)))
}
