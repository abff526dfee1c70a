package httpapi

import "net/http"

// health is GET and POST /health: one object for all who ask.
func (x *exchange) health() error {
	h := x.api.cfg.Health(x.r.Context())
	services, resources := h.Services, h.Resources
	if services == nil {
		services = map[string]Service{}
	}
	if resources == nil {
		resources = map[string]any{}
	}
	return x.answer(http.StatusOK, struct {
		Status    string             `json:"status"`
		Version   string             `json:"version"`
		Ready     bool               `json:"ready"`
		Services  map[string]Service `json:"services"`
		Resources map[string]any     `json:"resources"`
		// How attentive the person is; null, because no client says so yet.
		Attention *string `json:"attention"`
	}{"ok", x.api.cfg.Version, h.Ready, services, resources, nil})
}

// ready is GET /ready.
func (x *exchange) ready() error {
	h := x.api.cfg.Health(x.r.Context())
	if h.Ready {
		return x.answer(http.StatusOK, struct {
			Ready bool `json:"ready"`
		}{true})
	}
	return x.answer(http.StatusServiceUnavailable, struct {
		Ready  bool   `json:"ready"`
		Reason string `json:"reason"`
	}{false, h.Reason})
}
