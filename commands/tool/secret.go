package tool

import (
	"encoding/json"
	"strings"
	"sync"

	"chalie/commands/screen"
	"chalie/domain"
	"chalie/domain/guard"
)

// CodeSecretInParams says that the parameters of a call hold a secret that is
// gone, or must not go this way.
const CodeSecretInParams domain.Code = "secret_in_params"

// screen tells what is sent from what is stored. What Chalie itself does with
// parameters is stored, so it is given them without secrets.
func (inv *invoking) screen() {
	inv.kept, inv.marks = screen.Params(inv.params)
	if inv.offer.IsOwn() {
		inv.params = inv.kept
	}
}

// holdsSecret reports whether what is stored is not what is sent.
func (inv *invoking) holdsSecret() bool {
	return inv.marks != nil && len(inv.marks.Redacted) > 0 && !inv.offer.IsOwn()
}

// checkSecrets returns a validation error about a tool call of an episode that would
// need a secret. What an episode asks for is in the log before it is done, so a
// mark is all that could be sent.
func (inv *invoking) checkSecrets(withheld []string) error {
	switch {
	case inv.offer.IsOwn():
		return nil
	case inv.holdsSecret():
		withheld = inv.marks.Redacted
	case len(withheld) == 0 && !guard.HoldsMark(inv.params):
		return nil
	}
	what := "secret"
	if len(withheld) > 0 {
		what += " (" + strings.Join(withheld, ", ") + ")"
	}
	return &domain.Error{Op: "call tool", Category: domain.Validation, Code: CodeSecretInParams, Field: "params",
		Message: "the parameters of " + inv.offer.Name + " need a " + what + ", and none can be passed through a conversation: " +
			"it isn't kept there. The person can call the tool with it themselves, with chalie tool invoke"}
}

// recallSecret gives a resumed invocation the parameters as they are
// sent. The error says that this process doesn't have them.
func (t *Tools) recallSecret(inv *invoking) error {
	if !inv.holdsSecret() {
		return nil
	}
	params, ok := t.unstored.of(inv.id)
	if !ok {
		return &domain.Error{Op: "invoke tool", Category: domain.NotFound, Code: CodeSecretInParams,
			Message: "its parameters held a secret that isn't kept: ask again"}
	}
	inv.params = params
	return nil
}

// maxUnstored bounds the invocations whose secrets are remembered. The oldest is
// forgotten first; when it is approved, it has to be asked for again.
const maxUnstored = 32

// unstored are the parameters of invocations that wait for the person and hold
// secrets. They are in memory only, and gone with the process.
type unstored struct {
	mu     sync.Mutex
	params map[domain.ID]json.RawMessage
	order  []domain.ID // oldest first
}

func (u *unstored) keep(id domain.ID, params json.RawMessage) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.params == nil {
		u.params = map[domain.ID]json.RawMessage{}
	}
	if len(u.order) == maxUnstored {
		u.forget(u.order[0])
	}
	u.params[id] = params
	u.order = append(u.order, id)
}

func (u *unstored) of(id domain.ID) (json.RawMessage, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	params, ok := u.params[id]
	return params, ok
}

func (u *unstored) drop(id domain.ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.forget(id)
}

func (u *unstored) forget(id domain.ID) {
	delete(u.params, id)
	for i, known := range u.order {
		if known == id {
			u.order = append(u.order[:i:i], u.order[i+1:]...)
			return
		}
	}
}
