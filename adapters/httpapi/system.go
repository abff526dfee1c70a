package httpapi

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands/background"
	"chalie/domain"
)

// SystemView is the state of the running program and its disk. A moment is 0 when the
// event hasn't happened or isn't known.
type SystemView struct {
	Revision      string        // it was built from; "" when unknown
	Since         domain.Millis // the start of the program
	LogBytes      uint64        // size of the log
	FreeBytes     uint64        // free space of its disk; 0 when unknown
	DiskBytes     uint64        // likewise
	KeptFreeBytes uint64        // below it nothing is appended
	Copies        []string      // existing folders with damaged logs, from repairs
	Models        []ModelView   // in the order they are tried
	Audited       domain.Millis // the latest comparison of all projections with the log
	NextAudit     domain.Millis // 0 when none is scheduled
}

// ModelView is a configured model.
type ModelView struct {
	Name       string
	SeesImages bool
}

// Bounds of the search for calls of models: how many, and of how many reasoning records. Most
// of these may be parts of replies.
const (
	recentSteps = 200
	lookedSteps = 2_000
)

func systemHandlers() handlers {
	return handlers{"spine": (*exchange).spine, "system": (*exchange).system, "metrics": (*exchange).metrics, "openapi": (*exchange).openapi}
}

// system is GET /api/system: the state of the program at a glance.
func (x *exchange) system() error {
	if x.api.cfg.System == nil {
		return notRunning("say how it is")
	}
	view, health := x.api.cfg.System(), x.api.cfg.Health(x.r.Context())
	models, err := x.api.modelsLately(x.r.Context(), view.Models)
	if err != nil {
		return err
	}
	held, err := x.held()
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.System{
		Version: x.api.cfg.Version, Revision: view.Revision, Since: view.Since, Now: domain.MillisOf(x.api.cfg.Clock.Now()),
		Ready: health.Ready, Reason: x.advice(health.Reason), Tail: x.api.cfg.Log.Tail(), Held: held,
		LogBytes: view.LogBytes, FreeBytes: view.FreeBytes, DiskBytes: view.DiskBytes, KeptFree: view.KeptFreeBytes,
		Lost: health.Lost, Copies: append([]string{}, view.Copies...), Damage: x.advice(x.api.damage.met()),
		Models: models, Audited: view.Audited, NextAudit: view.NextAudit, Services: x.advised(health.Services),
	})
}

// modelsLately are the models with the result of each one's latest call.
func (a *API) modelsLately(ctx context.Context, models []ModelView) ([]api.Model, error) {
	var ends []domain.Record
	for _, end := range []domain.EventType{domain.ModelRepliedType, domain.ModelFailedType} {
		found, err := newest(ctx, a.cfg.Log, logQuery{selector: domain.Selector{Topic: domain.TopicReasoning}, eventType: end, limit: recentSteps, look: lookedSteps})
		if err != nil {
			return nil, err
		}
		ends = append(ends, found.records...)
	}
	domain.SortFunc(ends, func(a, b domain.Record) int { return cmp.Compare(b.Position, a.Position) })
	out := make([]api.Model, len(models))
	for i, m := range models {
		out[i] = api.Model{Name: m.Name, SeesImages: m.SeesImages}
		for _, rec := range ends {
			if name, answered := modelSaid(rec.Envelope); name == m.Name {
				out[i].CalledAt, out[i].Answered = rec.RecordedAt, answered
				for _, fault := range rec.Envelope.Errors {
					out[i].Error = fault.Message
				}
				break
			}
		}
	}
	return out, nil
}

// modelSaid is the model of a reply or of a failed call, and whether it replied; "" for
// other envelopes and erased ones.
func modelSaid(env domain.Envelope) (model string, answered bool) {
	switch env.Type {
	case domain.ModelRepliedType:
		p, err := domain.Decode[domain.ModelReplied](env)
		if err == nil {
			return p.Model, true
		}
	case domain.ModelFailedType:
		p, err := domain.Decode[domain.ModelFailed](env)
		if err == nil {
			return p.Model, false
		}
	}
	return "", false
}

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
