package httpapi

import (
	"context"
	"net/http"

	"chalie/domain"
)

// account is GET /api/account.
func (x *exchange) account() error {
	made := x.api.cfg.Accounts.Operator()
	if made == nil {
		return &domain.Error{Op: "read account", Category: domain.NotFound, Code: "no_account",
			Message: "there is no account yet: open the set-up link that chalie serve printed when it started"}
	}
	return x.answer(http.StatusOK, struct {
		Username     string        `json:"username"`
		RegisteredAt domain.Millis `json:"registered_at"`
	}{made.Username, made.RegisteredAt})
}

// sessionBody is a session, by an id that opens nothing.
type sessionBody struct {
	ID        string        `json:"id"`
	Current   bool          `json:"current"` // who asks is this one
	OpenedAt  domain.Millis `json:"opened_at"`
	UsedAt    domain.Millis `json:"used_at"` // up to a day too early
	ExpiresAt domain.Millis `json:"expires_at"`
	Client    string        `json:"client"` // what it called itself when it logged in; "" when that was erased
}

// maxSessions bounds a list: each costs a look into the log.
const maxSessions = 100

// sessions is GET /api/sessions. What a client called itself is read from the log,
// so that it is gone when it is erased there.
func (x *exchange) sessions() error {
	open := x.api.cfg.Accounts.Sessions()
	secret := x.sessionSecret()
	own := domain.HashSecret(secret)
	out := []sessionBody{}
	for _, s := range open[:min(len(open), maxSessions)] {
		client, err := x.clientOf(x.r.Context(), s)
		if err != nil {
			return err
		}
		out = append(out, sessionBody{s.ID().UUID(), secret != "" && s.Hash == own, s.OpenedAt, s.UsedAt(), s.ExpiresAt, client})
	}
	return x.answer(http.StatusOK, struct {
		Sessions []sessionBody `json:"sessions"`
		Total    int           `json:"total"`
	}{out, len(open)})
}

// clientOf is what the client of a session called itself.
func (x *exchange) clientOf(ctx context.Context, s domain.OpenSession) (string, error) {
	records, err := x.api.cfg.Log.Select(ctx, domain.Selector{Key: s.Key()}, 0, 1)
	if err != nil || len(records) == 0 || records[0].Envelope.Type != "operator.logged_in" {
		return "", err
	}
	opened, err := domain.Decode[domain.OperatorLoggedIn](records[0].Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return "", nil
	}
	return opened.UserAgent, err
}

// sessionSecret is that of the cookie; "" without one, and over the Unix socket.
func (x *exchange) sessionSecret() string {
	cookie, err := x.r.Cookie(sessionCookie)
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
	own := domain.OpenSession{Hash: domain.HashSecret(x.sessionSecret())}
	if own.ID() == id {
		x.setCookie("", 0)
	}
	return x.answer(http.StatusOK, okBody{true})
}

// endOtherSessions is DELETE /api/sessions.
func (x *exchange) endOtherSessions() error {
	ended, err := x.api.cfg.Accounts.EndOtherSessions(x.r.Context(), x.sessionSecret())
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, struct {
		OK    bool `json:"ok"`
		Ended int  `json:"ended"`
	}{true, ended})
}
