package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

// tellElsewhere says beside whatever the person is answered how many uses of their
// sessions elsewhere they haven't seen, and how many of those are of open sessions.
func (x *exchange) tellElsewhere() {
	unseen, open := x.api.cfg.Accounts.Unseen(), 0
	for _, u := range unseen {
		if x.api.cfg.Accounts.SessionOpen(u.Session) {
			open++
		}
	}
	x.w.Header().Set(api.ElsewhereHeader, strconv.Itoa(len(unseen)))
	x.w.Header().Set(api.ElsewhereOpenHeader, strconv.Itoa(open))
}

// usedElsewhere is GET /api/sessions-elsewhere.
func (x *exchange) usedElsewhere() error {
	own := domain.HashSecret(x.cookie)
	out := api.ElsewhereList{Elsewhere: []api.Elsewhere{}}
	for _, u := range x.api.cfg.Accounts.Unseen() {
		found, err := x.elsewhereOf(x.r.Context(), u)
		if err != nil {
			return err
		}
		out.Elsewhere = append(out.Elsewhere, api.Elsewhere{
			ID: api.UUID{ID: u.EnvelopeID}, At: u.At, SessionID: api.UUID{ID: domain.OpenSession{Hash: u.Session}.ID()},
			Open: x.api.cfg.Accounts.SessionOpen(u.Session), Current: x.cookie != "" && u.Session == own,
			Client: found.UserAgent, From: found.From, Relayed: found.Relayed,
		})
	}
	return x.answer(http.StatusOK, out)
}

// elsewhereOf is what a use was like; nothing of it when that was erased.
func (x *exchange) elsewhereOf(ctx context.Context, u domain.UsedElsewhere) (domain.SessionUsedElsewhere, error) {
	rec, err := x.api.cfg.Log.Find(ctx, u.EnvelopeID)
	if err != nil {
		return domain.SessionUsedElsewhere{}, err
	}
	found, err := domain.Decode[domain.SessionUsedElsewhere](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return domain.SessionUsedElsewhere{}, nil
	}
	return found, err
}

// seeElsewhere is DELETE /api/sessions-elsewhere/:id?end=true.
func (x *exchange) seeElsewhere() error {
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return err
	}
	q, err := x.query()
	if err != nil {
		return err
	}
	end, err := q.flag("end")
	if err != nil {
		return err
	}
	see := x.api.cfg.Accounts.SeeElsewhere
	if end {
		see = x.api.cfg.Accounts.EndElsewhere
	}
	if err := see(x.r.Context(), id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}
