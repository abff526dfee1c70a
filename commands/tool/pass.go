package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Passing is a call that a page of an interface makes to that interface: what is
// asked for is between the two, and its answer goes back unchanged. It is an
// invocation like any other: decided, recorded, and made once.
type Passing struct {
	Interface  domain.Interface
	Capability string          // need not be among the interface's tools
	Params     json.RawMessage // a JSON object; none is an empty one
	Body       []byte          // what is sent, Capability and Params in it
	Within     time.Duration   // for the call; 0 is that of the configuration
}

// Pass makes the call and returns the answer as it came. What the answer says is
// recorded as far as it has the shape of a tool's result.
//
// Errors: validation of the params; CodeRateLimited; policy, when it is denied; Peer's, when there
// is no answer; and those of the log, as Invoke's.
func (t *Tools) Pass(ctx context.Context, c commands.Caller, p Passing) (commands.Rendering, error) {
	ctx = t.cfg.Act(ctx)
	if err := t.waitForRegime(ctx); err != nil {
		return commands.Rendering{}, err
	}
	inv, err := t.passing(c, p)
	if err != nil {
		return commands.Rendering{}, err
	}
	if err := ctx.Err(); err != nil {
		return commands.Rendering{}, notBegun(err)
	}
	if err := t.boundPage(c, p.Interface); err != nil {
		return commands.Rendering{}, err
	}
	// A button's call and its answer count for the interface, whatever person presses it.
	inv.bill = t.bill(commands.InterfaceCaller(p.Interface))
	defer inv.bill.close()
	defer t.hold(inv.id)()
	work := context.WithoutCancel(ctx)
	if err := t.begin(work, inv); err != nil {
		return commands.Rendering{}, err
	}
	if inv.stage != domain.InvocationAllowed {
		out, err := t.end(work, inv, denied(inv))
		if err != nil {
			return commands.Rendering{}, err
		}
		return commands.Rendering{}, &domain.Error{Op: "pass on to interface", Category: domain.Policy, Code: out.Fault.Code, Message: out.Fault.Message}
	}
	if err := t.dispatch(work, inv, nil); err != nil {
		_, err = t.abandon(work, inv, err)
		return commands.Rendering{}, err
	}
	if p.Within == 0 {
		p.Within = t.cfg.Within
	}
	call, cancel := t.bounded(work, p.Within)
	defer cancel()
	at := commands.EndpointOf(&p.Interface)
	answer, failure := t.cfg.Peer.Pass(call, at, p.Body, inv.id.UUID())
	commands.Anew(work)
	e := t.endOfCall(inv, resultOf(answer.Body), failure)
	// The answer is the page's whether or not the end can be recorded: it was given.
	// Without a record, the next start records the outcome as unknown.
	_, _ = t.end(work, inv, e)
	return answer, inWordsOf(e, failure)
}

// boundPage refuses what a page asks for too often. In a person's browser nobody can
// tell what they pressed from what the page asks by itself.
func (t *Tools) boundPage(c commands.Caller, i domain.Interface) error {
	if c.Operator {
		return t.count(t.pressed, commands.InterfaceCaller(i).Principal)
	}
	return t.bound(c, Invocation{})
}

// inWordsOf is a failed call's error with the message of its end, which says
// whether it may have been done, too.
func inWordsOf(e callEnd, failure error) error {
	if failure == nil || e.fault == nil {
		return failure
	}
	peer, ok := errors.AsType[*domain.Error](failure)
	if !ok {
		return failure
	}
	out := *peer
	out.Message = e.fault.Message
	return &out
}

// passing judges the call and gives it an id.
func (t *Tools) passing(c commands.Caller, p Passing) (*invoking, error) {
	if err := commands.CheckZone("pass a call on", c.Zone); err != nil {
		return nil, err
	}
	inv := &invoking{id: t.cfg.IDs.NewID(), source: c.Source, zone: c.Zone, offer: domain.Offer{
		Name: p.Capability, Tool: domain.Tool{Name: p.Capability}, Interface: &p.Interface,
	}}
	if err := domain.CheckTools([]domain.Tool{inv.offer.Tool}); err != nil {
		return nil, err
	}
	var err error
	if inv.params, err = domain.NormalParams(p.Params); err != nil {
		return nil, err
	}
	inv.screen()
	inv.question = domain.Invoking{
		InvocationID: inv.id, Actor: domain.ActorOf(c.Principal), Channel: domain.ChannelGateway,
		Manifest: t.cfg.Regime.Manifest(inv.offer), CantWait: true,
	}
	inv.lineage = domain.Begin(domain.TraceID{ID: inv.id}, c.Principal)
	return inv, nil
}

// resultOf reads an answer as far as it has the shape of a result; what hasn't is
// kept as text.
func resultOf(body []byte) commands.Result {
	var in struct {
		Text    *string         `json:"text"`
		Data    json.RawMessage `json:"data"`
		Error   *string         `json:"error"`
		Blocks  []domain.Block  `json:"blocks"`
		OpenURL *string         `json:"openUrl"`
	}
	if domain.Nesting(body) > domain.MaxNesting {
		return commands.Result{Data: body} // which is then kept as a text
	}
	if json.Unmarshal(body, &in) != nil {
		text := strings.ToValidUTF8(string(body), "\uFFFD")
		return commands.Result{Text: &text}
	}
	return commands.Result{Text: in.Text, Data: in.Data, Error: in.Error, Blocks: in.Blocks, OpenURL: in.OpenURL}
}

// endRoom is reserved for a call's steps and its end before anything is recorded, so
// that the result can always be told: an end without an answer takes less.
const endRoom = 8 << 10

// bill is an invocation's part of its caller's Volume. A nil bill has no bound.
type bill struct {
	tools    *Tools
	who      domain.Principal
	reserved int
}

// bill opens one for a caller. It has to be closed.
func (t *Tools) bill(c commands.Caller) *bill {
	if t.cfg.Volume == nil {
		return nil
	}
	return &bill{tools: t, who: c.Principal}
}

// reserve takes so many bytes more, or refuses them.
func (b *bill) reserve(bytes int) error {
	if b == nil || bytes == 0 {
		return nil
	}
	err := b.tools.cfg.Volume.Bytes.ReserveBytes("invoke tool", b.who, bytes, b.tools.cfg.Now())
	if err == nil {
		b.reserved += bytes
	}
	return err
}

// spend counts what was recorded.
func (b *bill) spend(bytes int) {
	if b == nil {
		return
	}
	from, now := min(bytes, b.reserved), b.tools.cfg.Now()
	b.reserved -= from
	b.tools.cfg.Volume.Bytes.Settle(b.who, from, now)
	b.tools.cfg.Volume.Bytes.Overdraw(b.who, bytes-from, now)
}

// close gives back what wasn't spent.
func (b *bill) close() {
	if b == nil {
		return
	}
	b.tools.cfg.Volume.Bytes.Release(b.who, b.reserved)
	b.reserved = 0
}

// CardCleaner makes what a tool sends for a card safe to be shown in a page of
// Chalie's. It is asked before tool.completed is recorded: what the log keeps is
// clean already, so every device, now and later, shows the same.
//
// It has no errors: what it doesn't know it leaves out, at worst all of it. The
// same input gives the same output for ever. It is safe for concurrent use.
type CardCleaner interface {
	// Clean returns the HTML without anything that runs, loads or sends, within one
	// element of class scopeID, and the CSS with every selector below that class.
	// Cards with the same style have the same scopeID, so a page needs the CSS of
	// each scopeID once. What is left of nothing is nothing: "" for HTML without
	// content, and for CSS without a rule.
	Clean(html, css string) (cleanHTML, cleanCSS, scopeID string)
}
