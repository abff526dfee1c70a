package httpapi

import (
	"context"
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
		"submitMessage": (*exchange).submitMessage, "submitAction": (*exchange).submitAction, "cancelMessage": (*exchange).cancelMessage,
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

// takeSignal records a signal, once if the request has an Idempotency-Key, and responds.
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
	// Numbers and texts always marshal.
	body, _ := json.Marshal(told)
	return commands.Answer{Status: http.StatusOK, Body: append(body, '\n')}
}

// request identifies a repeat of the request; false without an Idempotency-Key.
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

// Streams adds, removes and lists the broadcasts that Chalie listens to. Its methods are
// those of *signal.Streams, which says their errors.
type Streams interface {
	Add(ctx context.Context, c commands.Caller, s domain.StreamAdded) (domain.ID, error)
	Remove(ctx context.Context, c commands.Caller, id domain.ID) error
	List() []domain.Stream
}

func streamHandlers() handlers {
	return handlers{"streams": (*exchange).streams, "addStream": (*exchange).addStream, "removeStream": (*exchange).removeStream}
}

// streams is GET /api/streams?at=. The state of a connection is not in the log, so
// answers about the past don't have it.
func (x *exchange) streams() error {
	then, before, err := x.registryThen()
	switch {
	case err != nil:
		return err
	case then != nil:
		return x.streamsThen(*then, before)
	case x.api.cfg.Streams == nil:
		return notRunning("list streams")
	}
	x.catchUp()
	out := api.Streams{Streams: []api.Stream{}}
	for _, s := range x.api.cfg.Streams.List() {
		// A stream that was just added is about to connect.
		now := signal.StreamStatus{State: signal.StreamConnecting}
		if x.api.cfg.StreamStatus != nil {
			if status, ok := x.api.cfg.StreamStatus(s.ID); ok {
				now = status
			}
		}
		out.Streams = append(out.Streams, api.Stream{
			ID: api.UUID{ID: s.ID}, URL: s.URL, Source: s.Source, Since: s.Since,
			State: string(now.State), Reason: now.Reason, Until: now.Until, Received: now.Received, Accepted: now.Accepted, Malformed: now.Malformed,
			Ignored: now.Ignored, Lost: now.Lost, Rate: now.Rate, LagMillis: now.LagMillis, LastError: now.LastError, LastFault: now.LastFault,
		})
	}
	return x.answer(http.StatusOK, out)
}

// addStream is POST /api/streams.
func (x *exchange) addStream() error {
	if x.api.cfg.Streams == nil {
		return notRunning("listen to a stream")
	}
	var in api.StreamRequest
	if err := x.read(&in); err != nil {
		return err
	}
	if in.URL == "" {
		return domain.Invalid("add stream", "url", "url is required: give that of a WebSocket, such as ws://127.0.0.1:9000/stream")
	}
	id, err := x.api.cfg.Streams.Add(x.r.Context(), x.caller, domain.StreamAdded{URL: in.URL, Source: in.Source})
	if err != nil {
		return err
	}
	return x.answer(http.StatusCreated, api.StreamAdded{StreamID: api.UUID{ID: id}})
}

// removeStream is DELETE /api/streams/:id.
func (x *exchange) removeStream() error {
	if x.api.cfg.Streams == nil {
		return notRunning("stop listening to a stream")
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Streams.Remove(x.r.Context(), x.caller, id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}
