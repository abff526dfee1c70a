package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"regexp"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Peer asks interfaces for what a page shows. Its methods are those of
// commands.Peer.
type Peer interface {
	Render(ctx context.Context, at commands.Endpoint) (commands.Rendering, error)
}

// pagePatience is how long an interface may take to answer a page.
const pagePatience = 5 * time.Second

const (
	typeJSON = "application/json"
	typeHTML = "text/html"
)

// gatewayRender is GET /gw/:id/render: what the interface shows.
func (x *exchange) gatewayRender() error {
	i, err := x.daemon()
	if err != nil {
		return err
	}
	if x.api.cfg.Peer == nil {
		return notRunning("show an interface")
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), pagePatience)
	defer cancel()
	shown, err := x.api.cfg.Peer.Render(ctx, endpointOf(i))
	if err != nil {
		x.refuseAs(http.StatusBadGateway, err)
		return nil
	}
	switch shown.MediaType {
	case typeHTML:
		x.pass(typeHTML, withGateway(shown.Body, gatewayPath(i.ID)))
		return nil
	case typeJSON:
		return x.renderBlocks(i, shown.Body)
	}
	return badRendering(i, "answers with neither JSON nor a page")
}

// renderBlocks adds to an interface's blocks where their buttons call.
func (x *exchange) renderBlocks(i domain.Interface, body []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return badRendering(i, "answers with something else than an object with blocks")
	}
	members["gateway"] = json.RawMessage(`"` + gatewayPath(i.ID) + `"`)
	return x.answer(http.StatusOK, members)
}

// gatewayExecute is POST /gw/:id/execute, for the buttons an interface shows: the
// answer comes back as it is. It is an invocation like any other, decided and
// recorded; without a session it is the interface that answers for it.
func (x *exchange) gatewayExecute() error {
	i, err := x.daemon()
	if err != nil {
		return err
	}
	if x.api.cfg.Tools == nil {
		return notRunning("pass a call on to an interface")
	}
	body, err := x.body()
	if err != nil {
		return err
	}
	capability, params, err := decodeCall(body)
	if err != nil {
		return err
	}
	caller := x.caller
	if !caller.Operator {
		// Nobody is logged in, so this is the interface's own doing.
		if i.Status() == domain.StatusPending {
			return undecided(i)
		}
		caller = commands.InterfaceCaller(i)
	}
	answer, err := x.api.cfg.Tools.Pass(x.r.Context(), caller, commands.Passing{
		Interface: i, Capability: capability, Params: params, Body: bytes.Clone(body), Within: pagePatience,
	})
	switch {
	case isPeerFailure(err):
		x.refuseAs(http.StatusBadGateway, err)
		return nil
	case err != nil:
		return err
	}
	x.pass(answer.MediaType, answer.Body)
	return nil
}

// isPeerFailure reports whether an interface, and not Chalie, is at fault.
func isPeerFailure(err error) bool {
	switch domain.CodeOf(err) {
	case commands.CodePeerUnreachable, commands.CodePeerForbidden, commands.CodePeerUnknown, commands.CodePeerStatus,
		commands.CodePeerBadJSON, commands.CodePeerBadShape, commands.CodePeerTooLarge:
		return true
	}
	return false
}

// decodeCall judges the shape of a call before it is passed on.
func decodeCall(body []byte) (name string, arguments json.RawMessage, err error) {
	v, err := parseJSON(body)
	if err != nil {
		return "", nil, err
	}
	var capability, params value
	if err := v.fields("the body", map[string]*value{"capability": &capability, "params": &params}); err != nil {
		return "", nil, err
	}
	if name, err = capability.text("capability"); err != nil {
		return "", nil, err
	}
	if name == "" {
		return "", nil, domain.Invalid("execute", "capability", "capability is required: name the tool")
	}
	arguments, err = params.object("params")
	return name, bytes.Clone(arguments), err
}

// pass hands on what an interface sent. A page of it may run its script, but as
// nobody: it has no origin, so it reaches neither Chalie's cookie nor its API.
func (x *exchange) pass(mediaType string, body []byte) {
	h := x.w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Security-Policy", "sandbox")
	if mediaType == typeHTML {
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", "sandbox allow-scripts allow-forms allow-popups; frame-ancestors 'self'; base-uri 'none'")
		h.Set("Referrer-Policy", "no-referrer")
		h.Del("X-Frame-Options") // frame-ancestors says who may frame it
	}
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	_, _ = x.w.Write(body)
}

// pageStart is what may stand before the first script of a page.
var pageStart = regexp.MustCompile(`(?i)^\s*(<!doctype[^>]*>)?\s*(<html(\s[^>]*)?>)?\s*(<head(\s[^>]*)?>)?`)

// withGateway tells a page where its interface's gateway is, before any script of
// the page runs.
func withGateway(page []byte, path string) []byte {
	at := len(pageStart.Find(page))
	script := "<script>window.CHALIE_GW_BASE=\"" + path + "\";</script>"
	out := make([]byte, 0, len(page)+len(script))
	out = append(out, page[:at]...)
	out = append(out, script...)
	return append(out, page[at:]...)
}

func endpointOf(i domain.Interface) commands.Endpoint {
	return commands.Endpoint{Host: i.Host, Port: i.Port}
}

func badRendering(i domain.Interface, what string) error {
	return &domain.Error{Op: "show interface", Category: domain.Dependency, Code: commands.CodePeerBadShape,
		Message: i.Name + " " + what + ": it must answer GET / with {\"blocks\": […]}"}
}
