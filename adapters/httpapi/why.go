package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"chalie/commands"
	"chalie/domain"
	"chalie/replay"
	"chalie/replay/draw"
	"chalie/replay/explain"
)

func whyHandlers() handlers {
	return handlers{"askable": (*exchange).askable, "why": (*exchange).why, "whyNot": (*exchange).whyNot}
}

// why is GET /api/why/{id}?zone=&direction=&format=. It reads the log alone, so it covers
// everything acknowledged, with the callers' names of that time.
func (x *exchange) why() error {
	q := x.query()
	zone, ask := q.zone("zone"), q.direction("direction")
	if q.err != nil {
		return q.err
	}
	format := q.values.Get("format")
	var picture draw.Format
	if format != "" && format != "json" {
		var err error
		if picture, err = draw.ParseFormat(format); err != nil {
			return err
		}
	}
	target, err := explain.TargetOf(x.r.Context(), x.api.cfg.Log, x.params.ByName("id"))
	if err != nil {
		return err
	}
	explained, err := ask(x.r.Context(), x.api.cfg.Log, target, zone)
	if err != nil {
		return err
	}
	if picture == "" {
		return x.answer(http.StatusOK, explained)
	}
	return x.draw(explained, picture)
}

// draw writes an explanation as a picture. It contains interfaces' texts, so it may load
// and run nothing wherever it is opened.
func (x *exchange) draw(why explain.Explanation, format draw.Format) error {
	var out bytes.Buffer
	if err := draw.Write(&out, why, format); err != nil {
		return &domain.Error{Op: "draw", Code: "internal", Message: "the picture could not be drawn", Err: err}
	}
	h := x.w.Header()
	h.Set("Content-Type", format.MediaType())
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	_, _ = x.w.Write(out.Bytes())
	return nil
}

// explaining is explain.Why or explain.Effects.
type explaining = func(ctx context.Context, log replay.Log, target replay.Target, zone *time.Location) (explain.Explanation, error)

// direction is the direction of an explanation.
func (q *query) direction(name string) explaining {
	switch text := q.values.Get(name); explain.Direction(text) {
	case "", explain.Back:
		return explain.Why
	case explain.Forward:
		return explain.Effects
	default:
		q.refuse(name, fmt.Sprintf("%s is %q: give back for the causes, or forward for the effects", name, clip(text)))
		return nil
	}
}

// zone is the time zone for times in sentences: an IANA name, or an offset from UTC such
// as +02:00. Without the parameter it is nil.
func (q *query) zone(name string) *time.Location {
	text := q.values.Get(name)
	if text == "" {
		return nil
	}
	// A plus sign that was not escaped arrives as a space.
	if text[0] == ' ' {
		text = "+" + text[1:]
	}
	zone, err := zoneToTell("read query", name, text)
	if err != nil {
		q.fail(err)
	}
	return zone
}

// zoneToTell reads a time zone: an IANA name, with its daylight saving, or a fixed offset
// from UTC.
func zoneToTell(op, name, text string) (*time.Location, error) {
	if zone, ok := commands.ZoneNamed(text); ok {
		return zone, nil
	}
	if at, err := time.Parse("-07:00", text); err == nil {
		return at.Location(), nil
	}
	return nil, domain.Invalid(op, name, fmt.Sprintf("%s is %q: give a name such as Europe/Berlin, or an offset such as +02:00", name, clip(text)))
}

// askable is GET /api/why?limit=: the latest things to ask why or why not about.
func (x *exchange) askable() error {
	q := x.query()
	limit := q.count("limit")
	if q.err != nil {
		return q.err
	}
	latest, err := explain.LatestOf(x.r.Context(), x.api.cfg.Log, int(limit))
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, latest)
}
