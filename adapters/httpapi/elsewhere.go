package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"chalie/domain"
)

// elsewhereHeader says beside whatever the person is answered how many uses of their
// sessions elsewhere they haven't seen.
const elsewhereHeader = "Chalie-Sessions-Elsewhere"

// elsewhereOpenHeader says how many of those are of sessions that haven't ended.
const elsewhereOpenHeader = "Chalie-Sessions-Elsewhere-Open"

// tellElsewhere says both.
func (x *exchange) tellElsewhere() {
	unseen, open := x.api.cfg.Accounts.Unseen(), 0
	for _, u := range unseen {
		if x.api.cfg.Accounts.SessionOpen(u.Session) {
			open++
		}
	}
	x.w.Header().Set(elsewhereHeader, strconv.Itoa(len(unseen)))
	x.w.Header().Set(elsewhereOpenHeader, strconv.Itoa(open))
}

// elsewhereBody is a use of a session's cookie that the person is told of.
type elsewhereBody struct {
	ID        string        `json:"id"`
	At        domain.Millis `json:"at"`
	SessionID string        `json:"session_id"`
	Open      bool          `json:"open"`    // the session hasn't ended
	Current   bool          `json:"current"` // it is that of who asks
	Client    string        `json:"client"`  // what it called itself; "" when that was erased
	From      string        `json:"from"`    // as of domain.Visitor; "" when that was erased, too
	Relayed   bool          `json:"relayed"`
}

// usedElsewhere is GET /api/sessions-elsewhere.
func (x *exchange) usedElsewhere() error {
	own := domain.HashSecret(x.cookie)
	out := []elsewhereBody{}
	for _, u := range x.api.cfg.Accounts.Unseen() {
		found, err := x.elsewhereOf(x.r.Context(), u)
		if err != nil {
			return err
		}
		out = append(out, elsewhereBody{
			u.EnvelopeID.UUID(), u.At, domain.OpenSession{Hash: u.Session}.ID().UUID(),
			x.api.cfg.Accounts.SessionOpen(u.Session), x.cookie != "" && u.Session == own,
			found.UserAgent, found.From, found.Relayed,
		})
	}
	return x.answer(http.StatusOK, struct {
		Elsewhere []elsewhereBody `json:"elsewhere"`
	}{out})
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
	end, err := q.flag("end", false)
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
	return x.answer(http.StatusOK, okBody{true})
}
