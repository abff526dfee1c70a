package httpapi

import (
	"net/http"

	"chalie/commands"
	"chalie/domain"
)

// issuePairingKey is POST /api/interfaces/pairing-key. The key's text is told here
// and never again, with where the interface is to bring it.
func (x *exchange) issuePairingKey() error {
	known, err := x.known("issue a pairing key")
	if err != nil {
		return err
	}
	key, err := known.IssueKey(x.r.Context(), x.caller)
	if err != nil {
		return err
	}
	host, port := x.endpoint()
	return x.answer(http.StatusOK, struct {
		PairingKey       string `json:"pairing_key"`
		Host             string `json:"host"`
		Port             int    `json:"port"`
		ExpiresInSeconds int    `json:"expires_in_seconds"`
	}{key.Text, host, port, int(domain.PairingKeyLifetime.Seconds())})
}

// pair is POST /api/interfaces/pair. The key is the credential, so anyone may ask.
//
// Whatever the attempt fails of is a 400, also what is wrong with the interface:
// the program that pairs is the one that can change it. Only trouble of Chalie's
// own keeps its status.
func (x *exchange) pair() error {
	known, err := x.known("pair")
	if err != nil {
		return err
	}
	req, err := x.pairRequest()
	if err != nil {
		return err
	}
	paired, err := known.Pair(x.r.Context(), req)
	switch status := statusOf(err); {
	case err == nil:
	case status == http.StatusInternalServerError || status == http.StatusServiceUnavailable:
		return err
	default:
		x.refuseAs(http.StatusBadRequest, err)
		return nil
	}
	x.heard(paired.ID)
	return x.answer(http.StatusCreated, struct {
		InterfaceID  string                 `json:"interface_id"`
		SignalToken  string                 `json:"signal_token"`
		Status       domain.InterfaceStatus `json:"status"`
		Capabilities []string               `json:"capabilities"`
	}{paired.ID.UUID(), paired.Token, paired.Status, namesOrNone(paired.Capabilities)})
}

func (x *exchange) pairRequest() (commands.PairRequest, error) {
	var in commands.PairRequest
	var key, name, host, port, signals value
	err := x.fields(map[string]*value{"pairing_key": &key, "name": &name, "host": &host, "port": &port, "signals": &signals})
	if err != nil {
		return in, err
	}
	if in.Key, err = key.text("pairing_key"); err != nil {
		return in, err
	}
	if in.Name, err = name.text("name"); err != nil {
		return in, err
	}
	if in.Host, err = host.text("host"); err != nil {
		return in, err
	}
	if in.Key == "" {
		return in, domain.Invalid("pair", "pairing_key", "pairing_key is required: generate one with: chalie interfaces key")
	}
	if in.Name == "" {
		return in, domain.Invalid("pair", "name", "name is required: say what the interface is called")
	}
	if in.Port, err = port.whole("port"); err != nil {
		return in, err
	}
	in.Signals, err = signals.texts("signals", domain.MaxTokenSignals)
	return in, err
}
