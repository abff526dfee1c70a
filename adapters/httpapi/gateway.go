package httpapi

import (
	"net/http"
	"slices"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/domain"
)

func gatewayHandlers() handlers {
	return handlers{
		"registerDaemon": (*exchange).registerDaemon, "gatewaySignal": (*exchange).gatewaySignal, "gatewayMessage": (*exchange).gatewayMessage,
		"gatewayContext": (*exchange).gatewayContext, "gatewayRender": (*exchange).gatewayRender, "gatewayExecute": (*exchange).gatewayExecute,
	}
}

// daemon is the interface whose gateway is spoken to. After a start the fold of
// the interfaces may be on its way: one that is told it is unknown would have to
// register anew.
func (x *exchange) daemon() (domain.Interface, error) {
	known := x.api.cfg.Interfaces
	if known == nil {
		return domain.Interface{}, notRunning("speak with an interface")
	}
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return domain.Interface{}, unknownInterface(err)
	}
	i, err := known.Get(id)
	if domain.CategoryOf(err) == domain.NotFound {
		if err := x.untilKnown(); err != nil {
			return domain.Interface{}, err
		}
		i, err = known.Get(id)
	}
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Interface{}, unknownInterface(err)
	}
	return i, err
}

// permitted is daemon for what needs an approval, and the caller it makes. The
// order of what is checked is the protocol's: first that anything is approved at
// all, then the body, then the one key it needs.
func (x *exchange) permitted() (domain.Interface, commands.Caller, error) {
	i, err := x.daemon()
	if err != nil {
		return i, commands.Caller{}, err
	}
	x.heard(i.ID)
	if i.Approved.Empty() {
		return i, commands.Caller{}, nothingApproved(i)
	}
	caller := commands.InterfaceCaller(i)
	caller.Signals = i.Approved.Signals
	return i, caller, nil
}

// gatewaySignal is POST /gw/:id/signals.
func (x *exchange) gatewaySignal() error {
	i, caller, err := x.permitted()
	if err != nil {
		return err
	}
	body, v, err := x.parsed()
	if err != nil {
		return err
	}
	sig, err := v.GatewaySignal()
	if err == nil {
		err = sig.Check()
	}
	if err != nil {
		return err
	}
	if !slices.Contains(i.Approved.Signals, sig.SignalType) {
		return notApproved(i, i.Scopes.Signals, "signal_type", sig.SignalType)
	}
	return x.takeSignal(caller, sig, "POST /gw/signals", body, func(domain.ID) commands.Answer { return accepted() })
}

// gatewayMessage is POST /gw/:id/messages.
func (x *exchange) gatewayMessage() error {
	i, caller, err := x.permitted()
	if err != nil {
		return err
	}
	var in api.GatewayMessage
	body, err := x.readObject("a message", &in)
	if err != nil {
		return err
	}
	msg := domain.MessageReceived{Text: in.Text, Source: in.Source, Topic: in.Topic, Metadata: in.Metadata}
	err = inWords(msg)
	if err == nil {
		err = msg.Check()
	}
	switch {
	case err != nil:
		return err
	case msg.Topic != nil && !slices.Contains(i.Approved.Messages, *msg.Topic):
		return notApproved(i, i.Scopes.Messages, "topic", *msg.Topic)
	case len(i.Approved.Messages) == 0:
		return noMessages(i)
	}
	return x.takeMessage(caller, msg, "POST /gw/messages", body, func(domain.ID) commands.Answer { return accepted() })
}

func accepted() commands.Answer {
	return commands.Answer{Status: http.StatusAccepted, Body: []byte("{\"ok\":true}\n")}
}

// gatewayContext is GET /gw/:id/context: what is known and approved.
func (x *exchange) gatewayContext() error {
	i, err := x.daemon()
	if err != nil {
		return err
	}
	x.heard(i.ID)
	known := x.surroundings()
	may := func(key string) bool { return slices.Contains(i.Approved.Context, key) }
	var out api.Context
	if may(domain.ContextLocation) && known.Location != nil {
		snapped := known.Location.Snapped()
		out.Location = new(api.Place(snapped))
	}
	if may(domain.ContextTimezone) && known.Timezone != nil {
		out.Timezone = known.Timezone
		if zone, ok := commands.ZoneNamed(*known.Timezone); ok {
			out.LocalTime = x.api.cfg.Clock.Now().In(zone).Format(time.RFC3339)
		}
	}
	if may(domain.ContextDevice) {
		out.Device = (*api.DeviceNow)(known.Device)
	}
	if may(domain.ContextEnergy) && known.Energy != nil {
		out.Energy = new(known.Energy.Float())
	}
	if may(domain.ContextAttention) {
		out.Attention = known.Attention
	}
	return x.answer(http.StatusOK, out)
}
