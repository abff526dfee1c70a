package httpapi

import (
	"encoding/json"
	"net/http"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/signal"
	"chalie/domain"
)

func signalHandlers() handlers {
	return handlers{
		"submitSignal": (*exchange).submitSignal, "submitBatch": (*exchange).submitBatch,
		"submitMessage": (*exchange).submitMessage, "cancelMessage": (*exchange).cancelMessage,
	}
}

// submitSignal is POST /api/signals.
func (x *exchange) submitSignal() error {
	body, v, err := x.parsed()
	if err != nil {
		return err
	}
	sig, err := v.Signal()
	if err != nil {
		return err
	}
	return x.takeSignal(x.caller, sig, "POST /api/signals", body, signalAnswer)
}

// takeSignal records a signal, once if the request says so, and answers.
func (x *exchange) takeSignal(caller commands.Caller, sig domain.SignalReceived, route string, body []byte, answer func(domain.ID) commands.Answer) error {
	if req, once := x.request(route, body); once {
		a, err := x.api.cfg.Signals.SubmitOnce(x.r.Context(), caller, sig, req, answer)
		if err != nil {
			return err
		}
		return x.give(a)
	}
	id, err := x.api.cfg.Signals.Submit(x.r.Context(), caller, sig)
	if err != nil {
		return err
	}
	return x.give(answer(id))
}

func signalAnswer(id domain.ID) commands.Answer {
	return commands.Answer{Status: http.StatusAccepted, Body: []byte(`{"ok":true,"signal_id":"` + id.UUID() + "\"}\n")}
}

// submitBatch is POST /api/signals/batch.
func (x *exchange) submitBatch() error {
	body, v, err := x.parsed()
	if err != nil {
		return err
	}
	items, err := v.Signals()
	if err != nil {
		return err
	}
	if req, once := x.request("POST /api/signals/batch", body); once {
		a, err := x.api.cfg.Signals.SubmitBatchOnce(x.r.Context(), x.caller, items, req, batchAnswer)
		if err != nil {
			return err
		}
		return x.give(a)
	}
	out, err := x.api.cfg.Signals.SubmitBatch(x.r.Context(), x.caller, items)
	if err != nil {
		return err
	}
	return x.give(batchAnswer(out))
}

func batchAnswer(out signal.Outcome) commands.Answer {
	told := api.BatchTaken{Accepted: out.Accepted, Rejected: len(out.Rejected), Errors: []api.BatchFault{}}
	for _, r := range out.Rejected {
		told.Errors = append(told.Errors, api.BatchFault{Index: r.Index, Error: outward(r.Err)})
	}
	// Numbers and texts can always be written.
	body, _ := json.Marshal(told)
	return commands.Answer{Status: http.StatusOK, Body: append(body, '\n')}
}

// request is what makes a repeat recognisable; false without an
// Idempotency-Key.
func (x *exchange) request(route string, body []byte) (commands.Request, bool) {
	key := x.r.Header.Get("Idempotency-Key")
	if key == "" {
		return commands.Request{}, false
	}
	return commands.Request{Route: route, Key: key, BodyHash: commands.BodyHash(body)}, true
}

func (x *exchange) give(a commands.Answer) error {
	if a.Repeated {
		x.w.Header().Set("Idempotent-Replayed", "true")
	}
	x.write(a.Status, a.Body)
	return nil
}
