package reading

import (
	"fmt"

	"github.com/tidwall/gjson"

	"chalie/adapters/api"
	"chalie/commands/signal"
	"chalie/domain"
)

// Signal reads an object as a signal. It checks types only; domain checks the values.
func (v Value) Signal() (domain.SignalReceived, error) {
	var s api.Signal
	err := v.Into("a signal", &s)
	return Heard(s), err
}

// GatewaySignal reads an interface's signal, whose content may be an object.
func (v Value) GatewaySignal() (domain.SignalReceived, error) {
	var s api.GatewaySignal
	if err := v.Into("a signal", &s); err != nil {
		return domain.SignalReceived{}, err
	}
	text, err := (Value{"content", gjson.ParseBytes(s.Content)}).textOrObject()
	return Heard(api.Signal{
		SignalType: s.SignalType, Content: text, Source: s.Source, Topic: s.Topic, ActivationEnergy: s.ActivationEnergy, Metadata: s.Metadata,
	}), err
}

// Heard converts a signal to domain's type.
func Heard(s api.Signal) domain.SignalReceived {
	out := domain.SignalReceived{
		SignalType: s.SignalType, Content: s.Content, Source: s.Source, Topic: s.Topic,
		ActivationEnergy: domain.DefaultActivationEnergy, Metadata: s.Metadata,
	}
	if s.ActivationEnergy != nil {
		out.ActivationEnergy = *s.ActivationEnergy
	}
	return out
}

// Signals reads an array of at most as many signals as a batch may have. Each is checked
// by itself, so one of a wrong type doesn't fail the others.
func (v Value) Signals() ([]signal.Item, error) {
	elements, count, err := v.Elements(domain.MaxSignalsPerBatch)
	if err != nil {
		return nil, err
	}
	if count > domain.MaxSignalsPerBatch {
		return nil, domain.Invalid(op, "", fmt.Sprintf(
			"the batch has %d signals, the bound is %d: send several batches", count, domain.MaxSignalsPerBatch))
	}
	items := make([]signal.Item, len(elements))
	for i, e := range elements {
		items[i].Signal, items[i].Err = e.Signal()
	}
	return items, nil
}
