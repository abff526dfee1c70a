package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"chalie/adapters/api"
	"chalie/domain"
)

func accountHandlers() handlers {
	return handlers{
		"account": (*exchange).account, "changePassword": (*exchange).changePassword,
		"sessions": (*exchange).sessions, "endSession": (*exchange).endSession, "endOtherSessions": (*exchange).endOtherSessions,
		"usedElsewhere": (*exchange).usedElsewhere, "seeElsewhere": (*exchange).seeElsewhere,
		"issuePass": (*exchange).issuePass, "tokens": (*exchange).tokens, "issueToken": (*exchange).issueToken, "revokeToken": (*exchange).revokeToken,
	}
}

// account is GET /api/account.
func (x *exchange) account() error {
	made := x.api.cfg.Accounts.Operator()
	if made == nil {
		return domain.NoAccount("read account")
	}
	return x.answer(http.StatusOK, api.Account{Username: made.Username, RegisteredAt: made.RegisteredAt})
}

// maxSessions bounds a list: each session costs a read of the log.
const maxSessions = 100

// sessions is GET /api/sessions. A client's name and address are read from the log, so
// that erasing them there erases them here.
func (x *exchange) sessions() error {
	open := x.api.cfg.Accounts.Sessions()
	secret := x.sessionSecret()
	own := domain.HashSecret(secret)
	out := api.Sessions{Sessions: []api.Session{}, Total: len(open)}
	for _, s := range open[:min(len(open), maxSessions)] {
		opened, err := x.openingOf(x.r.Context(), s)
		if err != nil {
			return err
		}
		out.Sessions = append(out.Sessions, api.Session{
			ID: api.UUID{ID: s.ID()}, Current: secret != "" && s.Hash == own, OpenedAt: s.OpenedAt, UsedAt: s.UsedAt(), ExpiresAt: s.EndsAt(),
			Client: opened.UserAgent, From: opened.From, Relayed: opened.Relayed,
		})
	}
	return x.answer(http.StatusOK, out)
}

// openingOf is the login of a session; zero when it was erased.
func (x *exchange) openingOf(ctx context.Context, s domain.OpenSession) (domain.OperatorLoggedIn, error) {
	records, err := x.api.cfg.Log.Select(ctx, domain.Selector{Key: s.Key()}, 0, 1)
	if err != nil || len(records) == 0 || records[0].Envelope.Type != domain.OperatorLoggedInType {
		return domain.OperatorLoggedIn{}, err
	}
	opened, err := domain.Decode[domain.OperatorLoggedIn](records[0].Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return domain.OperatorLoggedIn{}, nil
	}
	return opened, err
}

// sessionSecret is the secret in the cookie; "" without one, and on the Unix socket.
func (x *exchange) sessionSecret() string {
	cookie, err := x.r.Cookie(api.SessionCookie)
	if err != nil || x.trusted {
		return ""
	}
	return cookie.Value
}

// endSession is DELETE /api/sessions/:id.
func (x *exchange) endSession() error {
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Accounts.EndSession(x.r.Context(), id); err != nil {
		return err
	}
	x.api.sessionsEnded()
	own := domain.OpenSession{Hash: domain.HashSecret(x.sessionSecret())}
	if own.ID() == id {
		x.setCookie("", 0)
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}

// endOtherSessions is DELETE /api/sessions.
func (x *exchange) endOtherSessions() error {
	ended, err := x.api.cfg.Accounts.EndOtherSessions(x.r.Context(), x.sessionSecret())
	if err != nil {
		return err
	}
	return x.answerEnded(ended)
}

// answerEnded answers with the number of ended sessions.
func (x *exchange) answerEnded(ended int) error {
	x.api.sessionsEnded()
	return x.answer(http.StatusOK, api.Ended{OK: true, Ended: ended})
}

// sessionsEnded closes the sockets of ended sessions now instead of at their next ping.
func (a *API) sessionsEnded() {
	if a.cfg.Sockets != nil {
		a.cfg.Sockets.Recheck()
	}
	if a.cfg.Console != nil {
		a.cfg.Console.Recheck()
	}
}

// changePassword is PUT /api/account/password. On the Unix socket it needs no present
// password: a caller who can open it can read everything.
func (x *exchange) changePassword() error {
	var in api.PasswordChange
	err := x.read(&in)
	if err != nil {
		return err
	}
	if err := x.accountKnown(); err != nil {
		return err
	}
	var ended int
	switch {
	case x.trusted:
		ended, err = x.api.cfg.Accounts.SetPassword(x.r.Context(), in.Password)
	case in.Present == "":
		err = domain.Invalid("change password", "present", "present is required: send the present password beside the new one")
	default:
		err = x.guessing(func() (err error) {
			ended, err = x.api.cfg.Accounts.ChangePassword(x.r.Context(), x.sessionSecret(), in.Present, in.Password)
			return err
		})
	}
	if err != nil {
		return err
	}
	x.knowDevice() // the new password has invalidated the browser's device cookie
	return x.answerEnded(ended)
}

// tellElsewhere sets the headers with the number of unseen uses of sessions elsewhere,
// and of those whose session is open.
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

// elsewhereOf is the record of a use; zero when it was erased.
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
	q := x.query()
	end := q.flag("end")
	if q.err != nil {
		return q.err
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
