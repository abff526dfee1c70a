package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/message"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guest"
)

func gatewayHandlers() handlers {
	return handlers{
		"registerDaemon": (*exchange).registerDaemon, "gatewaySignal": (*exchange).gatewaySignal, "gatewayMessage": (*exchange).gatewayMessage,
		"gatewayContext": (*exchange).gatewayContext, "gatewayRender": (*exchange).gatewayRender, "gatewayExecute": (*exchange).gatewayExecute,
	}
}

// daemon is the interface whose gateway is called. It waits for the fold of interfaces,
// which may be behind after a start: a daemon that is called unknown would have to
// register again.
func (x *exchange) daemon() (domain.Interface, error) {
	known := x.api.cfg.Interfaces
	if known == nil {
		return domain.Interface{}, notRunning("speak with an interface")
	}
	id, err := domain.ParseID(x.params.ByName("id"))
	if err != nil {
		return domain.Interface{}, unknownInterface(err)
	}
	i, err := known.Get(id)
	if domain.CategoryOf(err) == domain.NotFound {
		if err := x.untilKnown(); err != nil {
			return domain.Interface{}, err
		}
		i, err = known.Get(id)
	}
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Interface{}, unknownInterface(err)
	}
	return i, err
}

// permitted is daemon for routes that need an approval, with its caller. The order of
// checks is the protocol's: first that any permission is approved, then the body, then
// the permission that it needs.
func (x *exchange) permitted() (domain.Interface, commands.Caller, error) {
	i, err := x.daemon()
	if err != nil {
		return i, commands.Caller{}, err
	}
	x.heard(i.ID)
	if i.Approved.Empty() {
		return i, commands.Caller{}, nothingApproved(i)
	}
	caller := commands.InterfaceCaller(i)
	caller.Signals = i.Approved.Signals
	return i, caller, nil
}

// gatewaySignal is POST /gw/:id/signals.
func (x *exchange) gatewaySignal() error {
	i, caller, err := x.permitted()
	if err != nil {
		return err
	}
	body, v, err := x.parsed()
	if err != nil {
		return err
	}
	sig, err := v.GatewaySignal()
	if err == nil {
		err = sig.Check()
	}
	if err != nil {
		return err
	}
	if !slices.Contains(i.Approved.Signals, sig.SignalType) {
		return notApproved(i, i.Scopes.Signals, "signal_type", sig.SignalType)
	}
	return x.takeSignal(caller, sig, "POST /gw/signals", body, func(domain.ID) commands.Answer { return accepted() })
}

// gatewayMessage is POST /gw/:id/messages.
func (x *exchange) gatewayMessage() error {
	i, caller, err := x.permitted()
	if err != nil {
		return err
	}
	var in api.GatewayMessage
	body, err := x.readObject("a message", &in)
	if err != nil {
		return err
	}
	msg := domain.MessageReceived{Text: in.Text, Source: in.Source, Topic: in.Topic, Metadata: in.Metadata, Zone: in.Timezone}
	err = inWords(msg)
	if err == nil {
		err = msg.Check()
	}
	switch {
	case err != nil:
		return err
	case msg.Topic != nil && !slices.Contains(i.Approved.Messages, *msg.Topic):
		return notApproved(i, i.Scopes.Messages, "topic", *msg.Topic)
	case len(i.Approved.Messages) == 0:
		return noMessages(i)
	}
	return x.takeMessage(caller, msg, message.Heard{}, "POST /gw/messages", body, func(domain.ID) commands.Answer { return accepted() })
}

func accepted() commands.Answer {
	return commands.Answer{Status: http.StatusAccepted, Body: []byte("{\"ok\":true}\n")}
}

// gatewayContext is GET /gw/:id/context: the known and approved parts of the person's
// context.
func (x *exchange) gatewayContext() error {
	i, err := x.daemon()
	if err != nil {
		return err
	}
	x.heard(i.ID)
	known := x.surroundings()
	may := func(key string) bool { return slices.Contains(i.Approved.Context, key) }
	var out api.Context
	if may(domain.ContextLocation) && known.Location != nil {
		snapped := known.Location.Snapped()
		out.Location = new(api.Place(snapped))
	}
	if may(domain.ContextTimezone) && known.Timezone != nil {
		out.Timezone = known.Timezone
		if zone, ok := commands.ZoneNamed(*known.Timezone); ok {
			out.LocalTime = x.api.cfg.Clock.Now().In(zone).Format(time.RFC3339)
		}
	}
	if may(domain.ContextDevice) {
		out.Device = (*api.DeviceNow)(known.Device)
	}
	if may(domain.ContextEnergy) && known.Energy != nil {
		out.Energy = new(known.Energy.Float())
	}
	if may(domain.ContextAttention) {
		out.Attention = known.Attention
	}
	return x.answer(http.StatusOK, out)
}

// Refusals of the gateway say what the interface's author or the person can do next, with
// a whole command where one helps.

func unknownInterface(cause error) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.NotFound, Code: "no_interface", Message: "Unknown interface", Err: cause}
}

// nothingApproved refuses an interface without any permission.
func nothingApproved(i domain.Interface) error {
	message := i.Name + " may send nothing yet: approve what it asks for with: " + approveCommand(i)
	switch {
	case i.Origin == domain.OriginPaired:
		message = byToken(i, "/api/signals and /api/messages")
	case i.Scopes.Empty():
		message = i.Name + " may send nothing, because it asks for nothing: register again with scopes that name what you send"
	}
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "nothing_approved", Message: message}
}

// undecided refuses a call from the page of an interface that the person hasn't decided
// about.
func undecided(i domain.Interface) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "nothing_approved",
		Message: i.Name + " waits for your decision, and can't be asked to do anything before: decide with: " + approveCommand(i)}
}

// notApproved refuses a key that isn't approved. It advises approval only when the
// interface asks for the key.
func notApproved(i domain.Interface, asked map[string]string, field, key string) error {
	message := field + " " + clip(key) + " is not approved for " + i.Name + ": "
	_, known := asked[key]
	switch {
	case i.Origin == domain.OriginPaired:
		message += byToken(i, sendingPath(field))
	case known:
		message += "approve what it asks for with: " + approveCommand(i)
	default:
		message += "it doesn't ask for it: register again with scopes that name it"
	}
	return scopeRefusal(field, message)
}

// noMessages refuses a message without a topic from an interface that may send none.
func noMessages(i domain.Interface) error {
	message := "sending messages is not approved for " + i.Name + ": "
	switch {
	case i.Origin == domain.OriginPaired:
		message += byToken(i, sendingPath("topic"))
	case len(i.Scopes.Messages) > 0:
		message += "approve what it asks for with: " + approveCommand(i)
	default:
		message += "it doesn't ask for it: register again with a topic in scopes.messages"
	}
	return scopeRefusal("topic", message)
}

func scopeRefusal(field, message string) error {
	return &domain.Error{Op: "speak through gateway", Category: domain.Policy, Code: "scope_not_approved", Field: field, Message: message}
}

func byToken(i domain.Interface, paths string) string {
	return i.Name + " is paired: it sends with its token, as Authorization: Bearer …, to " + paths
}

// sendingPath is the path for callers with a token, by the field's name.
func sendingPath(field string) string {
	if field == "topic" {
		return "/api/messages"
	}
	return "/api/signals"
}

// approveCommand is safe to paste into a shell. An interface chooses its own name, so one
// with characters that a shell interprets is replaced by the id.
func approveCommand(i domain.Interface) string {
	const command = "chalie interfaces approve "
	special := func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune(" ._-", r)
	}
	if strings.HasPrefix(i.Name, "-") || strings.ContainsFunc(i.Name, special) {
		return command + i.ID.UUID()
	}
	if strings.Contains(i.Name, " ") {
		return command + "'" + i.Name + "'"
	}
	return command + i.Name
}

// Peer calls interfaces for their pages. Its methods are those of commands.Peer.
type Peer interface {
	Render(ctx context.Context, at commands.Endpoint) (commands.Rendering, error)
}

// pagePatience is how long an interface may take to answer a page.
const pagePatience = 5 * time.Second

const (
	typeJSON = "application/json"
	typeHTML = "text/html"
)

// Bounds for the page of an interface that waits for approval, of which only words are
// shown.
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

// renderBlocks adds to an interface's blocks the URL that their buttons call.
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

// renderPending shows an interface's blocks before the person decides, without anything
// to press.
func (x *exchange) renderPending(i domain.Interface, blocks []domain.Block) error {
	title := guest.From(i)
	return x.answer(http.StatusOK, map[string]any{
		"blocks": x.rule().Pending(title, blocks), "frame": title, "gateway": gatewayPath(i.ID),
	})
}

// gatewayExecute is POST /gw/:id/execute, for the buttons an interface shows: the answer
// comes back as it is. It is an invocation like any other, decided by the policy and
// recorded; without a session the interface is its caller.
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
		// Nobody is logged in, so the interface is the caller.
		caller = commands.InterfaceCaller(i)
		caller.Zone = x.r.Header.Get(api.TimezoneHeader)
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
	return commands.EndpointOf(&i)
}

func badRendering(i domain.Interface, what string) error {
	return &domain.Error{Op: "show interface", Category: domain.Dependency, Code: commands.CodePeerBadShape,
		Message: i.Name + " " + what + ": it must answer GET / with {\"blocks\": […]}"}
}
