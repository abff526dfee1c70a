package httpapi

import (
	"net/http"

	"chalie/adapters/api"
	"chalie/commands/pairing"
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
	return x.answer(http.StatusOK, api.PairingKey{Key: key.Text, Host: host, Port: port, Seconds: int(domain.PairingKeyLifetime.Seconds())})
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
	return x.answer(http.StatusCreated, api.Paired{
		InterfaceID: api.UUID{ID: paired.ID}, SignalToken: paired.Token, Status: paired.Status, Capabilities: namesOrNone(paired.Capabilities),
	})
}

func (x *exchange) pairRequest() (pairing.PairRequest, error) {
	var in api.Pairing
	err := x.read(&in)
	switch {
	case err != nil:
	case in.Key == "":
		err = domain.Invalid("pair", "pairing_key", "pairing_key is required: generate one with: chalie interfaces key")
	case in.Name == "":
		err = domain.Invalid("pair", "name", "name is required: say what the interface is called")
	}
	return pairing.PairRequest(in), err
}
