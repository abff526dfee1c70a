package httpapi

import (
	"context"
	"net/http"

	"chalie/adapters/api"
)

// ChosenModels are the models that this program was started with.
type ChosenModels interface {
	// Models are those that answer or check answers, in the order they are asked.
	Models(ctx context.Context) ([]api.ListedModel, error)
	// CheckModel asks one of them a question of a few words. That it doesn't answer is an
	// answer, too. Errors: not_found for a name that none has; validation for the built-in one.
	CheckModel(ctx context.Context, name string) (api.CheckedModel, error)
}

func modelHandlers() handlers {
	return handlers{"models": (*exchange).models, "checkModel": (*exchange).checkModel}
}

// models is GET /api/models.
func (x *exchange) models() error {
	if x.api.cfg.Chosen == nil {
		return notRunning("say which models answer")
	}
	list, err := x.api.cfg.Chosen.Models(x.r.Context())
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.Models{Models: list})
}

// checkModel is POST /api/models/check.
func (x *exchange) checkModel() error {
	var in api.ModelCheck
	if err := x.read(&in); err != nil {
		return err
	}
	if x.api.cfg.Chosen == nil {
		return notRunning("ask a model")
	}
	checked, err := x.api.cfg.Chosen.CheckModel(x.r.Context(), in.Name)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, checked)
}
