package httpapi

import (
	"fmt"
	"net/http"

	"chalie/domain"
)

// lately is among how many exchanges one is looked for in the transcript; an
// earlier one is read from its trace.
const lately = 100

// oneExchange is GET /api/exchanges/:id?from=, with its steps from a position on. What
// an interface said is one, too: it is no part of the conversation unless Chalie spoke
// of it, and yet may wait for the person's approval.
func (x *exchange) oneExchange() error {
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	q, err := x.query()
	if err != nil {
		return err
	}
	from, err := q.count("from")
	if err != nil {
		return err
	}
	x.catchUp()
	e, err := x.find(id)
	if err != nil {
		return err
	}
	body, err := x.told(e)
	if err == nil {
		err = x.tellWay(&body, e, domain.Position(from), nil)
	}
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, body.Exchange)
}

func (x *exchange) find(id domain.ID) (domain.Exchange, error) {
	latest, _, err := x.api.cfg.Transcript.Recent(lately, 0)
	if err != nil {
		return domain.Exchange{}, err
	}
	for _, e := range latest {
		if e.ID == id {
			return e, nil
		}
	}
	return x.ofTrace(domain.TraceID{ID: id})
}

// ofTrace reads an exchange from the beginning and the end of its trace.
func (x *exchange) ofTrace(trace domain.TraceID) (domain.Exchange, error) {
	ctx := x.r.Context()
	out := domain.Exchange{ID: trace.ID}
	first, err := x.api.cfg.Log.Select(ctx, domain.Selector{Trace: trace}, 1, 1)
	if err != nil {
		return out, err
	}
	if len(first) == 0 {
		return out, &domain.Error{Op: "show exchange", Category: domain.NotFound, Code: "no_exchange", Field: "id",
			Message: fmt.Sprintf("there is no exchange %s: GET /conversation/recent lists them", trace.UUID())}
	}
	begun := first[0]
	out.Position, out.RecordedAt = begun.Position, begun.RecordedAt
	if begun.Envelope.Principal == domain.PrincipalOperator {
		switch begun.Envelope.Type {
		case domain.MessageReceivedType:
			out.Prompt = begun.Envelope.ID
		case domain.ActionReceivedType:
			out.Action = begun.Envelope.ID
		}
	}
	end, err := x.api.cfg.Log.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil || len(end) == 0 {
		return out, err
	}
	out.Conclusion = end[0].Envelope.ID
	if c, err := domain.ConclusionOf(end[0].Envelope); err == nil {
		out.Reply, out.Outcome = c.Reply, c.Outcome
	}
	return out, nil
}
