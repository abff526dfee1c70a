package commands

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

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
func (t *Tools) Pass(ctx context.Context, c Caller, p Passing) (Rendering, error) {
	if err := t.waitForRegime(ctx); err != nil {
		return Rendering{}, err
	}
	inv, err := t.passing(c, p)
	if err != nil {
		return Rendering{}, err
	}
	if err := ctx.Err(); err != nil {
		return Rendering{}, notBegun(err)
	}
	if err := t.boundPage(c, p.Interface); err != nil {
		return Rendering{}, err
	}
	// Whoever presses a button, what it sends and what is answered is the interface's.
	inv.bill = t.bill(InterfaceCaller(p.Interface))
	defer inv.bill.close()
	defer t.hold(inv.id)()
	work := context.WithoutCancel(ctx)
	if err := t.begin(work, inv); err != nil {
		return Rendering{}, err
	}
	if inv.stage != domain.CourseAllowed {
		out, err := t.end(work, inv, denied(inv))
		if err != nil {
			return Rendering{}, err
		}
		return Rendering{}, &domain.Error{Op: "pass on to interface", Category: domain.Policy, Code: out.Fault.Code, Message: out.Fault.Message}
	}
	if err := t.dispatch(work, inv); err != nil {
		_, err = t.abandon(work, inv, err)
		return Rendering{}, err
	}
	if p.Within == 0 {
		p.Within = t.cfg.Within
	}
	call, cancel := context.WithTimeout(work, p.Within)
	defer cancel()
	at := Endpoint{Host: p.Interface.Host, Port: p.Interface.Port}
	answer, failure := t.cfg.Peer.Pass(call, at, p.Body, inv.id.UUID())
	e := t.came(inv, resultOf(answer.Body), failure)
	// The answer is the page's whether or not the end can be recorded: it was given.
	// Without a record, the next start records that nobody knows.
	_, _ = t.end(work, inv, e)
	return answer, inWordsOf(e, failure)
}

// boundPage refuses what a page asks for too often. In a person's browser nobody can
// tell what they pressed from what the page asks by itself.
func (t *Tools) boundPage(c Caller, i domain.Interface) error {
	if c.Operator {
		return t.count(t.pressed, InterfaceCaller(i).Principal)
	}
	return t.bound(c, Invocation{})
}

// inWordsOf is a failed call's error with the message of its end, which says
// whether it may have been done, too.
func inWordsOf(e ending, failure error) error {
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
func (t *Tools) passing(c Caller, p Passing) (*invoking, error) {
	inv := &invoking{id: t.cfg.IDs.NewID(), source: c.Source, offer: domain.Offer{
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
func resultOf(body []byte) Result {
	var in struct {
		Text    *string         `json:"text"`
		Data    json.RawMessage `json:"data"`
		Error   *string         `json:"error"`
		Blocks  []domain.Block  `json:"blocks"`
		OpenURL *string         `json:"openUrl"`
	}
	if domain.Nesting(body) > domain.MaxNesting {
		return Result{Data: body} // which is then kept as a text
	}
	if json.Unmarshal(body, &in) != nil {
		text := strings.ToValidUTF8(string(body), "\uFFFD")
		return Result{Text: &text}
	}
	return Result{Text: in.Text, Data: in.Data, Error: in.Error, Blocks: in.Blocks, OpenURL: in.OpenURL}
}
