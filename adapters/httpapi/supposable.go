package httpapi

import (
	"net/http"
	"strings"

	"chalie/domain"
	"chalie/replay"
)

// supposableBody is the answer of GET /api/what-if: what can be supposed.
type supposableBody struct {
	Parameters []parameterBody `json:"parameters"`
	Inputs     []inputBody     `json:"inputs"` // what can be left out and edited
	Models     []string        `json:"models"` // that can be named
}

// parameterBody is one that decisions are made by.
type parameterBody struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Unit    string `json:"unit"`
	Least   string `json:"least"`
	Most    string `json:"most"`
	Meaning string `json:"meaning"`
}

// inputBody is a type of input with the fields that an edit can name.
type inputBody struct {
	Type   domain.EventType `json:"type"`
	Fields []string         `json:"fields"`
}

// supposable is GET /api/what-if.
func (x *exchange) supposable() error {
	body := supposableBody{Parameters: []parameterBody{}, Inputs: []inputBody{}, Models: listed(x.api.cfg.Models)}
	for _, p := range domain.DefaultParams().Listed() {
		body.Parameters = append(body.Parameters, parameterBody{p.Name, p.Value, strings.TrimSuffix(p.Unit, ","), p.Least, p.Most, p.Meaning})
	}
	for _, in := range replay.Inputs() {
		body.Inputs = append(body.Inputs, inputBody{in.Type, in.Fields})
	}
	return x.answer(http.StatusOK, body)
}
