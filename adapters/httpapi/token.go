package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/domain"
)

// tokens is GET /api/tokens.
func (x *exchange) tokens() error {
	tokens := x.api.cfg.Accounts.Tokens()
	out := api.Tokens{Tokens: make([]api.Token, len(tokens))}
	for i, t := range tokens {
		out.Tokens[i] = api.Token(t)
	}
	return x.answer(http.StatusOK, out)
}

// issueToken is POST /api/tokens. The token's text is told here and never again.
func (x *exchange) issueToken() error {
	var in api.TokenRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if in.Name == "" {
		return domain.Invalid("read token", "name", "name is required: name the program the token is for")
	}
	issued, err := x.api.cfg.Accounts.IssueToken(x.r.Context(), x.caller, in.Name, in.Signals)
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, api.IssuedToken{Name: issued.Name, Token: issued.Text, Signals: issued.Signals})
}

// revokeToken is DELETE /api/tokens/:name.
func (x *exchange) revokeToken() error {
	if err := x.api.cfg.Accounts.RevokeToken(x.r.Context(), x.caller, x.params.ByName("name")); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}
