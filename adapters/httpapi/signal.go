package httpapi

import (
	"encoding/json"
	"fmt"
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
	body, err := x.body()
	if err != nil {
		return err
	}
	v, err := parseJSON(body)
	if err != nil {
		return err
	}
	sig, err := decodeSignal(v, value.text)
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
	body, err := x.body()
	if err != nil {
		return err
	}
	items, err := decodeBatch(body)
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

// decodeBatch reads an array of signals. Each item is judged on its own, so one
// of a wrong type doesn't fail the others.
func decodeBatch(body []byte) ([]signal.Item, error) {
	v, err := parseJSON(body)
	if err != nil {
		return nil, err
	}
	elements, count, err := v.elements("the body", domain.MaxSignalsPerBatch)
	if err != nil {
		return nil, err
	}
	if count > domain.MaxSignalsPerBatch {
		return nil, domain.Invalid("read batch", "", fmt.Sprintf(
			"the batch has %d signals, the bound is %d: send several batches", count, domain.MaxSignalsPerBatch))
	}
	items := make([]signal.Item, len(elements))
	for i, e := range elements {
		items[i].Signal, items[i].Err = decodeSignal(e, value.text)
	}
	return items, nil
}

// decodeSignal reads a signal's fields by type, its content with contentOf. What
// they must hold is for the command to say.
func decodeSignal(v value, contentOf func(value, string) (string, error)) (domain.SignalReceived, error) {
	var sig domain.SignalReceived
	m, err := v.members("a signal")
	if err != nil {
		return sig, err
	}
	var signalType, content, source, topic, energy, metadata value
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		switch name {
		case "signal_type":
			signalType = v
		case "content":
			content = v
		case "source":
			source = v
		case "topic":
			topic = v
		case "activation_energy":
			energy = v
		case "metadata":
			metadata = v
		}
	}
	if sig.SignalType, err = signalType.text("signal_type"); err != nil {
		return sig, err
	}
	if sig.Content, err = contentOf(content, "content"); err != nil {
		return sig, err
	}
	if sig.Source, err = source.text("source"); err != nil {
		return sig, err
	}
	if topic.given() {
		hint, err := topic.text("topic")
		if err != nil {
			return sig, err
		}
		sig.Topic = &hint
	}
	if sig.ActivationEnergy, err = energy.number("activation_energy", domain.DefaultActivationEnergy); err != nil {
		return sig, err
	}
	sig.Metadata, err = metadata.object("metadata")
	return sig, err
}
