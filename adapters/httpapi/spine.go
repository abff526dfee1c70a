package httpapi

import (
	"maps"
	"net/http"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// spineBody is the answer of GET /api/spine: what every service declares of itself,
// and how it is.
type spineBody struct {
	Services   []serviceBody               `json:"services"`
	Signals    []signalTypeBody            `json:"signals"`
	Consumers  []consumerBody              `json:"consumers"`
	Recorded   map[domain.SpineType]uint64 `json:"recorded"` // signals since the start
	Lost       uint64                      `json:"lost"`
	Noteworthy []string                    `json:"noteworthy"` // the services that are dead
}

type serviceBody struct {
	Name      string             `json:"name"`
	Layer     domain.Layer       `json:"layer"`
	Emits     []domain.SpineType `json:"emits"`
	Consumes  []domain.SpineType `json:"consumes"`
	Trigger   domain.Trigger     `json:"trigger"`
	CycleMS   int64              `json:"cycle_ms"` // 0 for none
	TTLMS     int64              `json:"ttl_ms"`
	FailMode  string             `json:"fail_mode"`
	State     string             `json:"state"`         // alive, dead, done, off for one that this start doesn't run, or passive for one without a loop of its own
	Heartbeat *domain.Millis     `json:"heartbeat"`     // the last sign of life; null for none
	Why       string             `json:"why,omitempty"` // of a dead one
}

type signalTypeBody struct {
	Type     domain.SpineType `json:"type"`
	Meaning  string           `json:"meaning"`
	Emitters []string         `json:"emitters"`
	Least    float64          `json:"least"`
	Most     float64          `json:"most"`
	Taken    string           `json:"taken"` // what a consumer does with it
}

type consumerBody struct {
	Name       string     `json:"name"`
	Depth      int        `json:"depth"`
	Waiting    int        `json:"waiting"`
	Running    *domain.ID `json:"running"` // the signal in work; null for none
	Taken      uint64     `json:"taken"`
	Yielded    uint64     `json:"yielded"`
	Dropped    uint64     `json:"dropped"`
	PassedOver uint64     `json:"passed_over"`
	Stuck      string     `json:"stuck,omitempty"`
}

// spine is GET /api/spine.
func (x *exchange) spine() error {
	if x.api.cfg.Spine == nil {
		return notRunning("say how its services are")
	}
	view := x.api.cfg.Spine()
	body := spineBody{
		Services: []serviceBody{}, Signals: []signalTypeBody{}, Consumers: []consumerBody{}, Noteworthy: []string{},
		Recorded: map[domain.SpineType]uint64{}, Lost: view.Emitted.Lost,
	}
	maps.Copy(body.Recorded, view.Emitted.Recorded)
	pulses := map[string]commands.Pulse{}
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
		body.Signals = append(body.Signals, signalTypeBody{k.Type, k.Meaning, listed(k.Emitters), k.Least.Float(), k.Most.Float(), k.Taken})
	}
	for _, c := range view.Consumers {
		body.Consumers = append(body.Consumers, consumerOf(c))
	}
	return x.answer(http.StatusOK, body)
}

func serviceOf(s domain.Service, p commands.Pulse, beats bool) serviceBody {
	out := serviceBody{
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

func consumerOf(c commands.ConsumerView) consumerBody {
	out := consumerBody{
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
