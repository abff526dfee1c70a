package httpapi

import (
	"context"
	"net/http"

	"chalie/domain"
)

// SystemView is what the running program is, and what room it has. A moment that is
// 0 never was, or isn't known.
type SystemView struct {
	Revision      string        // it was built from; "" when unknown
	Since         domain.Millis // it runs
	LogBytes      uint64        // that the log takes
	FreeBytes     uint64        // of its disk; 0 when that can't be asked
	DiskBytes     uint64        // likewise
	KeptFreeBytes uint64        // below it nothing is appended
	Copies        []string      // folders that a repair put a damaged log into, and that are still there
	Models        []ModelView   // in the order they are asked
	Audited       domain.Millis // all projections were compared with the log, by the audit or as somebody asked
	NextAudit     domain.Millis // 0 when none comes by itself
}

// ModelView is a model that answers.
type ModelView struct {
	Name       string
	SeesImages bool
}

type systemBody struct {
	Version   string          `json:"version"`
	Revision  string          `json:"revision"`
	Since     domain.Millis   `json:"since"`
	Now       domain.Millis   `json:"now"`
	Ready     bool            `json:"ready"`
	Reason    string          `json:"reason"` // why it isn't
	Tail      domain.Position `json:"tail"`
	LogBytes  uint64          `json:"log_bytes"`
	FreeBytes uint64          `json:"free_bytes"`
	DiskBytes uint64          `json:"disk_bytes"`
	KeptFree  uint64          `json:"kept_free_bytes"`
	Lost      uint64          `json:"lost_records"`
	Copies    []string        `json:"damaged_copies"` // of the log, that repairs kept
	Damage    string          `json:"damage"`         // that a request has met since the start; "" for none
	Models    []modelBody     `json:"models"`
	Audited   domain.Millis   `json:"audited_at"`
	NextAudit domain.Millis   `json:"next_audit_at"`

	Services map[string]Service `json:"services"`
}

// modelBody is a model and its latest call, if that is among the last steps of
// reasoning.
type modelBody struct {
	Name       string        `json:"name"`
	SeesImages bool          `json:"sees_images"`
	CalledAt   domain.Millis `json:"called_at,omitempty"`
	Answered   bool          `json:"answered"`
	Error      string        `json:"error,omitempty"`
}

// recentSteps is how much of reasoning is looked through for what models did.
const recentSteps = 200

// system is GET /api/system: how the program is, at a glance.
func (x *exchange) system() error {
	if x.api.cfg.System == nil {
		return notRunning("say how it is")
	}
	view, health := x.api.cfg.System(), x.api.cfg.Health(x.r.Context())
	models, err := x.api.modelsLately(x.r.Context(), view.Models)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, systemBody{
		Version: x.api.cfg.Version, Revision: view.Revision, Since: view.Since, Now: domain.MillisOf(x.api.cfg.Clock.Now()),
		Ready: health.Ready, Reason: x.advice(health.Reason), Tail: x.api.cfg.Log.Tail(),
		LogBytes: view.LogBytes, FreeBytes: view.FreeBytes, DiskBytes: view.DiskBytes, KeptFree: view.KeptFreeBytes,
		Lost: health.Lost, Copies: append([]string{}, view.Copies...), Damage: x.advice(x.api.damage.met()),
		Models: models, Audited: view.Audited, NextAudit: view.NextAudit, Services: x.advised(health.Services),
	})
}

// modelsLately tells of each model how its latest call went.
func (api *API) modelsLately(ctx context.Context, models []ModelView) ([]modelBody, error) {
	steps, err := newest(ctx, api.cfg.Log, logQuery{selector: domain.Selector{Topic: domain.TopicReasoning}, limit: recentSteps})
	if err != nil {
		return nil, err
	}
	out := make([]modelBody, len(models))
	for i, m := range models {
		out[i] = modelBody{Name: m.Name, SeesImages: m.SeesImages}
		for _, rec := range steps.records {
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

// modelSaid is which model an envelope is the reply of, and whether it is one; ""
// for other envelopes and those that were erased.
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
