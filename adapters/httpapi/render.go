package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guest"
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

// What is taken in of the page of an interface that waits for the person: words to look
// at.
const (
	pendingBytes = 64 * kib
	pendingParts = 4000
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
	in := commands.Intake{Take: x.takeRoom}
	if i.Status() == domain.StatusPending {
		x.stranger, in.Bytes, in.Parts = true, pendingBytes, pendingParts
	}
	ctx, cancel := context.WithTimeout(commands.WithIntake(x.r.Context(), in), pagePatience)
	defer cancel()
	shown, err := x.api.cfg.Peer.Render(ctx, endpointOf(i))
	switch {
	case domain.CodeOf(err) == codeNoRoom:
		return err
	case err != nil:
		x.refuseAs(http.StatusBadGateway, err)
		return nil
	}
	switch {
	case shown.MediaType == typeHTML && i.Status() == domain.StatusPending:
		return x.renderPending(i, []domain.Block{domain.TextBlock("Its page is HTML, which is shown when you let it in.", domain.FormatPlain)})
	case shown.MediaType == typeHTML:
		x.frame(i, shown.Body)
		return nil
	case shown.MediaType == typeJSON:
		return x.renderBlocks(i, shown.Body)
	}
	return badRendering(i, "answers with neither JSON nor a page")
}

// renderBlocks adds to an interface's blocks where their buttons call.
func (x *exchange) renderBlocks(i domain.Interface, body []byte) error {
	members := objectOf(body)
	if members == nil {
		return badRendering(i, "answers with something else than an object with blocks")
	}
	blocks, has := members["blocks"]
	if i.Status() == domain.StatusPending {
		return x.renderPending(i, blocksOf(blocks))
	}
	if has {
		members["blocks"] = listed(x.rule().Page(blocksOf(blocks)))
	}
	members["gateway"] = gatewayPath(i.ID)
	return x.answer(http.StatusOK, members)
}

// renderPending shows what can be looked at before the person decides.
func (x *exchange) renderPending(i domain.Interface, blocks []domain.Block) error {
	title := guest.From(i)
	return x.answer(http.StatusOK, map[string]any{
		"blocks": x.rule().Pending(title, blocks), "frame": title, "gateway": gatewayPath(i.ID),
	})
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
	var in api.Execution
	if err := readJSON(body, &in); err != nil {
		return err
	}
	if in.Capability == "" {
		return domain.Invalid("execute", "capability", "capability is required: name the tool")
	}
	params := bytes.Clone(in.Params)
	if i.Status() == domain.StatusPending {
		return undecided(i)
	}
	caller := x.caller
	if !caller.Operator {
		// Nobody is logged in, so this is the interface's own doing.
		caller = commands.InterfaceCaller(i)
	}
	answer, err := x.api.cfg.Tools.Pass(x.withRoom(), caller, tool.Passing{
		Interface: i, Capability: in.Capability, Params: params, Body: sentBody(body, params), Within: pagePatience,
	})
	switch {
	case isPeerFailure(err):
		x.refuseAs(http.StatusBadGateway, err)
		return nil
	case err != nil:
		return err
	}
	x.pass(x.guarded(answer.Body))
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

func endpointOf(i domain.Interface) commands.Endpoint {
	return commands.Endpoint{Host: i.Host, Port: i.Port}
}

func badRendering(i domain.Interface, what string) error {
	return &domain.Error{Op: "show interface", Category: domain.Dependency, Code: commands.CodePeerBadShape,
		Message: i.Name + " " + what + ": it must answer GET / with {\"blocks\": […]}"}
}
