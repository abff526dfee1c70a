package httpapi

import (
	"maps"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands/background"
	"chalie/domain"
)

// spine is GET /api/spine.
func (x *exchange) spine() error {
	if x.api.cfg.Spine == nil {
		return notRunning("say how its services are")
	}
	view := x.api.cfg.Spine()
	body := api.Spine{
		Services: []api.SpineService{}, Signals: []api.SignalType{}, Consumers: []api.Consumer{}, Noteworthy: []string{},
		Recorded: map[domain.SpineType]uint64{}, Lost: view.Emitted.Lost,
	}
	maps.Copy(body.Recorded, view.Emitted.Recorded)
	pulses := map[string]background.Pulse{}
	for _, p := range view.Pulses {
		pulses[p.Service.Name] = p
	}
	for _, s := range domain.Services() {
		p, beats := pulses[s.Name]
		told := serviceOf(s, p, beats)
		if s.Name == domain.ServiceIdle && view.Idle > 0 {
			told.CycleMS = view.Idle.Milliseconds()
		}
		body.Services = append(body.Services, told)
		if p.Dead {
			body.Noteworthy = append(body.Noteworthy, s.Name)
		}
	}
	for _, k := range domain.SpineKinds() {
		body.Signals = append(body.Signals, api.SignalType{
			Type: k.Type, Meaning: k.Meaning, Emitters: listed(k.Emitters), Least: k.Least.Float(), Most: k.Most.Float(), Taken: k.Taken,
		})
	}
	for _, c := range view.Consumers {
		body.Consumers = append(body.Consumers, consumerOf(c))
	}
	return x.answer(http.StatusOK, body)
}

func serviceOf(s domain.Service, p background.Pulse, beats bool) api.SpineService {
	out := api.SpineService{
		Name: s.Name, Layer: s.Layer, Emits: listed(s.Emits), Consumes: listed(s.Consumes), Trigger: s.Trigger,
		CycleMS: int64(s.Cycle / time.Millisecond), TTLMS: int64(s.TTL() / time.Millisecond), FailMode: s.FailMode, State: "passive", Why: p.Why,
	}
	switch {
	case p.Dead:
		out.State = "dead"
	case p.Over:
		out.State = "done"
	case beats:
		out.State = "alive"
	case s.Trigger != domain.TriggerRequest:
		out.State = "off"
	}
	if beats {
		last := domain.MillisOf(p.Last)
		out.Heartbeat = &last
	}
	return out
}

func consumerOf(c background.ConsumerView) api.Consumer {
	out := api.Consumer{
		Name: c.Name, Depth: c.Depth, Waiting: c.Waiting, Taken: c.Taken, Yielded: c.Yielded, Dropped: c.Dropped, PassedOver: c.PassedOver,
	}
	if !c.Running.IsZero() {
		out.Running = &c.Running
	}
	if c.Stuck != nil {
		out.Stuck = c.Stuck.Error()
	}
	return out
}

// listed is a list that is never null.
func listed[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}
