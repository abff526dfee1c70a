package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// logQuery is which records are asked for.
type logQuery struct {
	selector  domain.Selector
	topic     domain.Topic     // "" for any
	eventType domain.EventType // "" for any
	senders   senders          // nil for anybody
	from      domain.Position
	before    domain.Position // this one and what is later is left out; 0 for nothing
	newest    bool            // the newest first
	limit     int
	look      int // how many records may be looked at; 0 for as many as there are
	wait      time.Duration
	gists     bool // each record is answered with its gist
}

func (q logQuery) body(p page, tail domain.Position) api.LogPage {
	return api.LogPage{Records: entries(p.records, q.gists), Next: p.next, Tail: tail, Cut: p.cut}
}

func logHandlers() handlers {
	return handlers{"log": (*exchange).log, "entry": (*exchange).entry, "export": (*exchange).export, "verify": (*exchange).verify}
}

// log is GET /api/log?from=&before=&order=&limit=&look=&topic=&type=&source=&trace=&interface=&since=&until=&wait=&gist=.
// With wait it answers as soon as there is anything, and otherwise when the time is
// up.
func (x *exchange) log() error {
	q, err := x.logQuery()
	if err != nil {
		return err
	}
	tail := x.api.cfg.Log.Tail()
	if q.newest {
		found, err := newest(x.r.Context(), x.api.cfg.Log, q)
		if err != nil {
			return err
		}
		return x.answer(http.StatusOK, q.body(found, tail))
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), q.wait)
	defer cancel()
	for {
		tail = x.api.cfg.Log.Tail()
		found, err := x.api.matching(x.r.Context(), q)
		if err != nil {
			return err
		}
		if len(found.records) > 0 || q.wait == 0 {
			return x.answer(http.StatusOK, q.body(found, tail))
		}
		if _, err := x.api.cfg.Log.Wait(ctx, found.next-1); err != nil {
			if ctx.Err() == nil {
				return err
			}
			return x.answer(http.StatusOK, q.body(found, tail))
		}
		q.from = found.next
	}
}

// entry is GET /api/log/:id?gist=: one record, by the id of its envelope or by its
// position.
func (x *exchange) entry() error {
	in, err := x.query()
	if err != nil {
		return err
	}
	gists, err := in.flag("gist")
	if err != nil {
		return err
	}
	rec, err := x.recordNamed(x.params.ByName("id"))
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, entries([]domain.Record{rec}, gists)[0])
}

func (x *exchange) recordNamed(text string) (domain.Record, error) {
	const op = "show envelope"
	if digits, ok := strings.CutPrefix(text, "pos:"); ok {
		pos, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || pos == 0 {
			return domain.Record{}, domain.Invalid(op, "id", fmt.Sprintf("id is %q: a position is a whole number from 1, such as pos:1234", clip(text)))
		}
		found, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, domain.Position(pos), 1)
		switch {
		case err != nil:
			return domain.Record{}, err
		case len(found) == 0 || found[0].Position != domain.Position(pos):
			return domain.Record{}, &domain.Error{Op: op, Category: domain.NotFound, Code: "no_envelope", Field: "id",
				Message: fmt.Sprintf("there is nothing at position %d: the log ends at %d", pos, x.api.cfg.Log.Tail())}
		}
		return found[0], nil
	}
	id, err := parseID("id", text)
	if err != nil {
		return domain.Record{}, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Record{}, &domain.Error{Op: op, Category: domain.NotFound, Code: "no_envelope", Field: "id", Err: err,
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}
