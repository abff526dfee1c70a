package httpapi

import "net/http"

// health is GET /health: one object for all who ask. How attentive the person is,
// only they are told.
func (x *exchange) health() error {
	caller, _ := x.identify()
	h := x.api.cfg.Health(x.r.Context())
	services, resources := h.Services, h.Resources
	if services == nil {
		services = map[string]Service{}
	}
	if resources == nil {
		resources = map[string]Resource{}
	}
	var attention *string
	if caller.Operator {
		attention = x.surroundings().Attention
	}
	return x.answer(http.StatusOK, struct {
		Status    string              `json:"status"`
		Version   string              `json:"version"`
		Ready     bool                `json:"ready"`
		Services  map[string]Service  `json:"services"`
		Resources map[string]Resource `json:"resources"`
		Attention *string             `json:"attention"` // null when no client has said
	}{"ok", x.api.cfg.Version, h.Ready, services, resources, attention})
}

// checkIn is POST /health, by which a client of the operator also says where and
// how they are. A stranger's body is not read.
func (x *exchange) checkIn() error {
	if caller, _ := x.identify(); caller.Operator {
		x.takeSurroundings(caller)
	}
	return x.health()
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
