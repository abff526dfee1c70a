// Package openapi draws the OpenAPI document of the API's contract: from the table of
// routes, and by reflection from the shapes, whose tags package api explains.
//
// The document is the same for the same table, byte for byte. What a shape can't be drawn
// as is a mistake in the contract, and Document answers with an error that names it.
package openapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"chalie/adapters/api"
)

// object is a JSON object in the making.
type object = map[string]any

// Document is the document of some routes, as JSON.
func Document(routes []api.Route, version string) ([]byte, error) {
	s := schemas{}
	paths := map[string]object{}
	for _, r := range routes {
		if paths[r.Path] == nil {
			paths[r.Path] = object{}
		}
		operation, err := s.operation(r)
		if err != nil {
			return nil, fmt.Errorf("draw route %s: %w", r.Name, err)
		}
		paths[r.Path][strings.ToLower(r.Method)] = operation
	}
	refusal, err := s.of(api.Refusal{})
	if err != nil {
		return nil, err
	}
	return json.Marshal(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Chalie", "version": cmp.Or(version, "unknown"),
			"description": "What Chalie can be asked over HTTP, on its address and on the Unix socket in its data directory. docs/http.md tells what a schema can't.",
		},
		"servers": []object{{"url": "/", "description": "Where this document comes from."}},
		"tags":    tags(routes),
		"paths":   paths,
		"components": object{
			"schemas":         s,
			"responses":       object{"Refusal": object{"description": "It is refused; error says what to change.", "content": content("application/json", refusal)}},
			"securitySchemes": securitySchemes(),
		},
	})
}

func securitySchemes() object {
	return object{
		"session": object{"type": "apiKey", "in": "cookie", "name": api.SessionCookie, "description": "What POST /auth/login hands out. It lasts 30 days from when it was last used, and 90 from the login."},
		"key":     object{"type": "apiKey", "in": "header", "name": api.KeyHeader, "description": "The session's key, which a login with key: true answers with. Every server of a host is sent its cookies; so most routes ask for the key beside it."},
		"apiKey":  object{"type": "apiKey", "in": "header", "name": api.APIKeyHeader, "description": "The same token, as consoles send it."},
		"token":   object{"type": "http", "scheme": "bearer", "description": "A program's, as POST /api/tokens or pairing hands it out."},
	}
}

// security is what lets somebody use a route; the document lists ways, each of which is
// enough.
func security(who api.Who) []object {
	session, keyed, token := object{"session": []string{}}, object{"session": []string{}, "key": []string{}}, object{"token": []string{}}
	switch who {
	case api.Operator:
		return []object{keyed}
	case api.Callers:
		return []object{token, keyed}
	case api.Consoles:
		return []object{{"apiKey": []string{}}, token, keyed}
	case api.Browsers, api.Loaders, api.Openers:
		return []object{session}
	case api.Local:
		return []object{{}, keyed}
	case api.Viewers:
		return []object{{}, session}
	}
	return []object{}
}

func (s schemas) operation(r api.Route) (object, error) {
	out := object{"operationId": r.Name, "summary": r.Summary, "tags": []string{tag(r.Path)}, "security": security(r.Who)}
	detail := r.Detail
	if r.Who == api.Neighbours || r.Who == api.Viewers {
		detail = strings.TrimSpace(detail + " A program on this machine may ask without a login.")
	}
	if r.Fresh {
		detail = strings.TrimSpace(detail + " A session has to be of a login within the last 15 minutes: 401 with login_needed otherwise.")
	}
	if detail != "" {
		out["description"] = detail
	}
	var parameters []object
	for name := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(name, "{"); ok {
			parameters = append(parameters, object{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "description": r.ID, "schema": object{"type": "string"}})
		}
	}
	for _, p := range r.Query {
		parameters = append(parameters, object{"name": p.Name, "in": "query", "description": p.Doc, "schema": parameter(p)})
	}
	for _, p := range r.Headers {
		parameters = append(parameters, object{"name": p.Name, "in": "header", "description": p.Doc, "schema": parameter(p)})
	}
	if len(parameters) > 0 {
		out["parameters"] = parameters
	}
	if r.Body.Most > 0 {
		body, err := s.body(r.Body)
		if err != nil {
			return nil, err
		}
		out["requestBody"] = body
	}
	responses, err := s.responses(r)
	out["responses"] = responses
	return out, err
}

// tags are those of all routes, in their order.
func tags(routes []api.Route) []object {
	var out []object
	known := map[string]bool{}
	for _, r := range routes {
		if name := tag(r.Path); !known[name] {
			known[name] = true
			out = append(out, object{"name": name, "description": "What begins with /" + name + ", or with /api/" + name + "."})
		}
	}
	return out
}

// tag is what a path is listed under: its first name but api.
func tag(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, "/"), "api/"), "/")
	return strings.TrimSuffix(first, ".json")
}

func (s schemas) body(b api.Body) (object, error) {
	media := object{}
	if b.Shape != nil {
		schema, err := s.of(b.Shape)
		if err != nil {
			return nil, err
		}
		media = content("application/json", schema)
	}
	for _, m := range b.Media {
		media[m] = object{}
	}
	return object{"required": !b.Optional, "content": media, "description": fmt.Sprintf("At most %d bytes.", b.Most)}, nil
}

// responses are the answers of a route, and its refusals.
func (s schemas) responses(r api.Route) (object, error) {
	out := object{}
	refused := r.Refusals()
	for _, a := range r.Answers {
		response, ok := out[strconv.Itoa(a.Status)].(object)
		if !ok {
			response = object{"description": means(a.Status)}
			out[strconv.Itoa(a.Status)] = response
		}
		if a.ETag {
			response["headers"] = object{"ETag": object{"schema": object{"type": "string"}}}
		}
		bodies, _ := response["content"].(object)
		if bodies == nil {
			bodies = object{}
		}
		shapes := api.AnyOf{a.Shape}
		if i := slices.Index(refused, a.Status); i >= 0 && a.Shape != nil {
			// What has an answer of its own may be refused with the same status.
			shapes = append(shapes, api.Refusal{})
		}
		schema, err := s.anyOf(shapes)
		if err != nil {
			return nil, err
		}
		switch {
		case a.Lines:
			bodies["application/x-ndjson"] = object{"schema": schema}
		case a.Shape != nil, a.Media == nil && a.Status == 200:
			bodies["application/json"] = object{"schema": schema}
		}
		for _, m := range a.Media {
			bodies[m] = object{}
		}
		if len(bodies) > 0 {
			response["content"] = bodies
		}
	}
	for _, status := range refused {
		if code := strconv.Itoa(status); out[code] == nil {
			out[code] = object{"$ref": "#/components/responses/Refusal"}
		}
	}
	codes := func(class string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(out)), func(code string) bool { return strings.HasPrefix(code, class) })
	}
	// Readers of such documents look for a success and a refusal of every operation.
	if !codes("2") && codes("101") {
		out["2XX"] = object{"description": "Never: over HTTP/1.1 a socket begins with 101."}
	}
	if !codes("4") {
		out["4XX"] = object{"$ref": "#/components/responses/Refusal"}
	}
	return out, nil
}

func content(media string, schema object) object { return object{media: object{"schema": schema}} }

func means(status int) string {
	switch status {
	case 101:
		return "It is a WebSocket now."
	case 201:
		return "It is made."
	case 202:
		return "It is taken in."
	case 206:
		return "The part that was asked for."
	case 304:
		return "What the asker has is the same."
	case 503:
		return "Not now."
	}
	return "The answer."
}

// parameter is the schema of a parameter.
func parameter(p api.Param) object {
	out := object{"type": "string"}
	switch p.Kind {
	case api.KindCount:
		out = object{"type": "integer", "minimum": p.Least}
		// Beyond it clients that read numbers as floating point would be told another.
		if p.Most < math.MaxInt64 {
			out["maximum"] = p.Most
		}
		if p.Default != 0 {
			out["default"] = p.Default
		}
	case api.KindFlag:
		out = object{"type": "boolean", "default": p.On}
	case api.KindMoment:
		out["examples"] = []string{"2026-03-17T14:00:00Z", "1773756000000", "30m", "-2h"}
	case api.KindAsOf:
		out["examples"] = []string{"2026-03-17T14:00:00Z", "-2h", "pos:1234"}
	case api.KindSpan:
		out["examples"] = []string{"30s", "6h", "2d"}
	case api.KindID:
		out["examples"] = []string{"01ARZ3NDEKTSV4RRFFQ69G5FAV", "0195a6c2-1f7e-7b3a-9c4d-2e8f1a6b5c3d"}
	case api.KindZone:
		out["examples"] = []string{"Europe/Berlin", "+02:00"}
	}
	if len(p.Values) > 0 {
		out["enum"] = p.Values
	}
	return out
}
