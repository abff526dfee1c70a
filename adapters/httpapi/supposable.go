package httpapi

import (
	"net/http"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/player"
)

// supposable is GET /api/what-if.
func (x *exchange) supposable() error {
	body := api.Supposable{Parameters: []api.Parameter{}, Inputs: []api.Input{}, Models: listed(x.api.cfg.Models)}
	for _, p := range domain.DefaultParams().Listed() {
		body.Parameters = append(body.Parameters, api.Parameter{
			Name: p.Name, Value: p.Value, Unit: strings.TrimSuffix(p.Unit, ","), Least: p.Least, Most: p.Most, Meaning: p.Meaning,
		})
	}
	for _, in := range player.Inputs() {
		body.Inputs = append(body.Inputs, api.Input{Type: in.Type, Fields: in.Fields})
	}
	return x.answer(http.StatusOK, body)
}
