package httpapi

import (
	"net/http"

	"chalie/domain"
)

// tokens is GET /api/tokens.
func (x *exchange) tokens() error {
	tokens := x.api.cfg.Accounts.Tokens()
	if tokens == nil {
		tokens = []domain.Token{}
	}
	return x.answer(http.StatusOK, struct {
		Tokens []domain.Token `json:"tokens"`
	}{tokens})
}

// issueToken is POST /api/tokens. The token's text is told here and never again.
func (x *exchange) issueToken() error {
	body, err := x.body()
	if err != nil {
		return err
	}
	name, signals, err := decodeToken(body)
	if err != nil {
		return err
	}
	issued, err := x.api.cfg.Accounts.IssueToken(x.r.Context(), x.caller, name, signals)
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, struct {
		Name    string   `json:"name"`
		Token   string   `json:"token"`
		Signals []string `json:"signals"`
	}{issued.Name, issued.Text, issued.Signals})
}

// revokeToken is DELETE /api/tokens/:name.
func (x *exchange) revokeToken() error {
	if err := x.api.cfg.Accounts.RevokeToken(x.r.Context(), x.caller, x.params.ByName("name")); err != nil {
		return err
	}
	return x.answer(http.StatusOK, okBody{true})
}

func decodeToken(body []byte) (name string, signals []string, err error) {
	v, err := parseJSON(body)
	if err != nil {
		return "", nil, err
	}
	m, err := v.members("the body")
	if err != nil {
		return "", nil, err
	}
	var nameValue, signalsValue value
	for member, v, ok := m.next(); ok; member, v, ok = m.next() {
		switch member {
		case "name":
			nameValue = v
		case "signals":
			signalsValue = v
		}
	}
	if name, err = nameValue.text("name"); err != nil {
		return "", nil, err
	}
	if name == "" {
		return "", nil, domain.Invalid("read token", "name", "name is required: name the program the token is for")
	}
	signals, err = signalsValue.texts("signals", domain.MaxTokenSignals)
	return name, signals, err
}
