package httpapi

import (
	"net/http"
	"slices"

	"chalie/domain"
)

// appBody is one line of GET /api/apps: an interface with what it may do.
type appBody struct {
	ID              string                 `json:"id"`
	Name            string                 `json:"name"`
	Host            string                 `json:"host"`
	Port            int                    `json:"port"`
	Status          domain.InterfaceStatus `json:"status"`
	Origin          domain.Origin          `json:"origin"`
	Version         string                 `json:"version"`
	Description     string                 `json:"description"`
	Author          string                 `json:"author"`
	RequestedScopes requestedBody          `json:"requested_scopes"`
	ApprovedScopes  approvedBody           `json:"approved_scopes"`
	Signals         []string               `json:"signals"` // what its token permits, none for any; null without a token
	PairedAt        *string                `json:"paired_at"`
	LastSeenAt      *string                `json:"last_seen_at"`
	GatewayURL      string                 `json:"gateway_url"`
	OfflineReason   string                 `json:"offline_reason"` // of the last check that failed; empty unless it is offline
	FlaggedTools    []string               `json:"flagged_tools"`  // whose own texts try something
}

// requestedBody is every category, with the interface's words on each key.
type requestedBody struct {
	Context  map[string]string `json:"context"`
	Signals  map[string]string `json:"signals"`
	Messages map[string]string `json:"messages"`
}

// approvedBody is every category; what is there is true.
type approvedBody struct {
	Context  map[string]bool `json:"context"`
	Signals  map[string]bool `json:"signals"`
	Messages map[string]bool `json:"messages"`
}

// apps is GET /api/apps?at=.
func (x *exchange) apps() error {
	then, before, err := x.registryThen()
	switch {
	case err != nil:
		return err
	case then != nil:
		return x.appsThen(*then, before)
	}
	known, err := x.known("list apps")
	if err != nil {
		return err
	}
	out := []appBody{}
	for _, i := range known.List() {
		out = append(out, x.appBody(i))
	}
	return x.answer(http.StatusOK, out)
}

// app is GET /api/apps/:id?at=.
func (x *exchange) app() error {
	i, then, err := x.namedThen("show an app")
	if err != nil {
		return err
	}
	out := struct {
		AsOf *asOf `json:"as_of,omitempty"` // when at was asked
		appBody
		Capabilities []domain.Tool `json:"capabilities"`
	}{then, x.appBody(i), i.Tools}
	if then != nil {
		out.LastSeenAt = nil
	}
	if out.Capabilities == nil {
		out.Capabilities = []domain.Tool{}
	}
	return x.answer(http.StatusOK, out)
}

// refreshApp is POST /api/apps/:id/refresh.
func (x *exchange) refreshApp() error {
	names, err := x.refresh()
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, struct {
		OK           bool     `json:"ok"`
		Capabilities []string `json:"capabilities"`
		Count        int      `json:"count"`
	}{true, names, len(names)})
}

// approveScopes is PUT /api/apps/:id/scopes.
func (x *exchange) approveScopes() error {
	known, err := x.known("approve scopes")
	if err != nil {
		return err
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if _, err := known.Get(id); err != nil {
		return err
	}
	approved, err := x.approval()
	if err != nil {
		return err
	}
	status, err := known.Approve(x.r.Context(), x.caller, id, approved)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, struct {
		OK     bool                   `json:"ok"`
		Status domain.InterfaceStatus `json:"status"`
	}{true, status})
}

func (x *exchange) approval() (domain.Approval, error) {
	var approved, context, signals, messages value
	if err := x.fields(map[string]*value{"approved_scopes": &approved}); err != nil {
		return domain.Approval{}, err
	}
	if !approved.given() {
		return domain.Approval{}, domain.Invalid("approve scopes", "approved_scopes",
			`approved_scopes is required: send {"approved_scopes": {"context": {…}, "signals": {…}, "messages": {…}}}, with a key for each thing allowed`)
	}
	err := approved.fields("approved_scopes", map[string]*value{"context": &context, "signals": &signals, "messages": &messages})
	if err != nil {
		return domain.Approval{}, err
	}
	var keys [3][]string
	for i, category := range []struct {
		name  string
		value value
	}{{"context", context}, {"signals", signals}, {"messages", messages}} {
		if keys[i], err = category.value.approvedKeys("approved_scopes." + category.name); err != nil {
			return domain.Approval{}, err
		}
	}
	return domain.NewApproval(keys[0], keys[1], keys[2]), nil
}

// approvedKeys are the keys of an object, but those that say false or null: a
// key's presence is the approval.
func (v value) approvedKeys(field string) ([]string, error) {
	if !v.given() {
		return nil, nil
	}
	m, err := v.members(field)
	if err != nil {
		return nil, err
	}
	granted := map[string]bool{}
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		granted[name] = v.given() && string(v.raw) != "false"
	}
	var keys []string
	for name, yes := range granted {
		if yes {
			keys = append(keys, name)
		}
	}
	return keys, nil
}

func (x *exchange) appBody(i domain.Interface) appBody {
	out := appBody{
		ID: i.ID.UUID(), Name: i.Name, Host: i.Host, Port: i.Port, Status: i.Status(), Origin: i.Origin,
		Version: i.Version, Description: i.Description, Author: i.Author,
		RequestedScopes: requestedBody{asked(i.Scopes.Context), asked(i.Scopes.Signals), asked(i.Scopes.Messages)},
		ApprovedScopes:  approvedBody{granted(i.Approved.Context), granted(i.Approved.Signals), granted(i.Approved.Messages)},
		PairedAt:        timestamp(i.Since), LastSeenAt: x.lastSeen(i.ID), GatewayURL: x.gatewayURL(i.ID), OfflineReason: i.OfflineWhy,
		FlaggedTools: []string{},
	}
	for _, t := range i.Tools {
		if len(t.Flags) > 0 {
			out.FlaggedTools = append(out.FlaggedTools, t.Name)
		}
	}
	if i.Origin == domain.OriginPaired {
		out.Signals = namesOrNone(i.Signals)
		out.ApprovedScopes.byToken(i)
	}
	return out
}

// byToken adds what a paired interface asks for and its token permits, whatever
// was approved beside that. Only what it asks for is added, so that an answer can
// be sent back as an approval.
func (b approvedBody) byToken(i domain.Interface) {
	for key := range i.Scopes.Signals {
		if len(i.Signals) == 0 || slices.Contains(i.Signals, key) {
			b.Signals[key] = true
		}
	}
	for key := range i.Scopes.Messages {
		b.Messages[key] = true
	}
}

func asked(keys map[string]string) map[string]string {
	if keys == nil {
		return map[string]string{}
	}
	return keys
}

func granted(keys []string) map[string]bool {
	out := make(map[string]bool, len(keys))
	for _, key := range keys {
		out[key] = true
	}
	return out
}
